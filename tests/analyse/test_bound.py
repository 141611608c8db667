from itertools import combinations

import pytest
import torch

from gleanner import Sentence, Span
from gleanner.analyse.bound import bound, lower_bound, none_drawn, simulate
from gleanner.analyse.truth import Truth


@pytest.mark.parametrize("candidates", [1, 2, 5, 7])
@pytest.mark.parametrize("count", [1, 2, 4, 9])
def test_exact_against_all_draws(candidates, count):
    for hidden in range(candidates + 1):
        draws = list(combinations(range(candidates), min(count, candidates)))
        clean = sum(min(draw) >= hidden for draw in draws)  # the hidden ones are numbered first
        found = none_drawn(torch.tensor([candidates]), torch.tensor([hidden]), torch.tensor([count]))
        assert found.item() == pytest.approx(clean / len(draws), abs=1e-12)


def test_exact_in_many_sentences_at_once():
    candidates, hidden, count = torch.tensor([[4, 10, 3, 0], [1, 3, 0, 0], [2, 4, 1, 2]])
    alone = [none_drawn(*(t[k : k + 1] for t in (candidates, hidden, count))).item() for k in range(4)]
    assert none_drawn(candidates, hidden, count).tolist() == alone
    assert alone[3] == 1.0  # nothing to draw from


def test_the_bound_lies_below_where_its_premise_holds():
    for n in range(2, 60):
        spans = n * (n + 1) // 2
        for entities in range(1, int(n**0.5) + 1):
            for hidden in range(1, entities + 1):
                count = -(-35 * n // 100)
                exact = none_drawn(*(torch.tensor([v]) for v in (spans - entities + hidden, hidden, count))).item()
                assert exact >= lower_bound(n, 0.35)
    assert lower_bound(1, 0.35) is None


GOLD = Sentence(tuple("abcde"), (Span(0, 1, "X"), Span(1, 4, "X")), complete=True)
TRAIN = Sentence(tuple("abcde"), (Span(0, 1, "X"),))


def test_the_sampler_draws_what_the_formula_says():
    found = simulate(Truth([TRAIN] * 400, [GOLD] * 400), 0.4, 50, None)
    exact = (1 - 1 / 14) * (1 - 1 / 13)  # 15 spans, 1 labelled, 1 hidden; 2 are drawn
    assert torch.allclose(found.exact, torch.tensor(exact, dtype=torch.float64))
    assert found.observed.mean().item() == pytest.approx(exact, abs=0.01)
    assert (found.words == 5).all()
    assert (found.hidden == 1).all()
    assert (found.entities == 2).all()


def test_spans_that_are_too_long_are_not_drawn():
    found = simulate(Truth([TRAIN], [GOLD]), 0.4, 5, 2)
    assert (found.hidden.item(), found.exact.item(), found.observed.item()) == (0, 1.0, 1.0)


def test_sentences_of_all_lengths_keep_their_places():
    gold = [Sentence(("w",) * n, (Span(0, 1, "X"),) * (n > 0)) for n in (0, 3, 700, 1, 900)]
    found = simulate(Truth([Sentence(s.words) for s in gold], gold), 0.1, 1, None)
    assert found.words.tolist() == [3, 700, 1, 900]
    assert found.exact.tolist() == pytest.approx([5 / 6, 1 - 70 / (350 * 701), 0, 1 - 90 / (450 * 901)])


def test_the_table(tmp_path):
    findings = bound(Truth([TRAIN] * 30, [GOLD] * 30), 0.4, draws=3, least=10)
    assert findings.sheets == bound(Truth([TRAIN] * 30, [GOLD] * 30), 0.4, draws=3, least=10).sheets  # the seed decides
    ((words, sentences, hidden, premise, lower, _, _),) = findings.sheets["bound"].rows
    assert (words, sentences, hidden, premise) == (5, 30, 1.0, 1.0)
    assert lower == 1 - 4 * 0.4 * 5**0.5 / 4
    assert len(findings.save(tmp_path)) == 5
