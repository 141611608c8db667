import pytest

from gleanner import InputError, Sentence, Span
from gleanner.analyse.sparsity import sparsity


def sentence(words, entities):
    return Sentence(("w",) * words, tuple(Span(k, k + 1, "PER") for k in range(entities)))


def test_by_length():
    sentences = [sentence(4, 1), sentence(4, 3), sentence(9, 2), sentence(9, 2), sentence(1, 0)]
    (sheet,) = sparsity([*sentences, Sentence(("w",) * 4, (Span(0, 1, "O"),))], least=2).sheets.values()
    assert sheet.rows == [
        (4, 3, pytest.approx(4 / 3), pytest.approx((14 / 9) ** 0.5), 2.0, pytest.approx(2 / 3)),
        (9, 2, 2.0, 0.0, 3.0, 1.0),
    ]


def test_too_few_sentences():
    with pytest.raises(InputError, match="no sentence length has 20 sentences"):
        sparsity([sentence(4, 1)])


def test_the_figure(tmp_path):
    findings = sparsity([sentence(n, n // 4) for n in range(1, 30) for _ in range(3)], least=3)
    assert len(findings.save(tmp_path)) == 5
