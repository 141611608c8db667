import pytest

from gleanner.errors import InputError
from gleanner.model.encoder import encoder_class
from gleanner.model.spelling import LONGEST
from gleanner.training.encoders import kind_of
from gleanner.training.settings import check
from gleanner.types import Sentence, Span


@pytest.mark.parametrize(
    ("encoder", "way", "kind", "name"),
    [
        ("minilm", None, "transformer", "Transformer"),
        ("bilstm", None, "bilstm", "BiLSTM"),
        ("flat", None, "flat", "Flat"),
        ("some/bert", "adapter", "lebert", "Lebert"),
        ("some/bert", "attention", "bert_word", "BertWord"),
    ],
)
def test_names(encoder, way, kind, name):
    assert kind_of(check({"encoder": encoder, "lexicon": {"way": way}})) == kind
    assert encoder_class(kind).__name__ == name


@pytest.mark.parametrize(
    ("encoder", "lexicon", "what"),
    [
        ("bilstm", {"file": "a.txt"}, "the encoder 'bilstm' has no use for lexicon"),
        ("bilstm", {"way": "adapter"}, "the encoder 'bilstm' has no use for lexicon"),
        ("flat", {"way": "adapter"}, "lexicon.way='adapter' is for Hugging Face encoders"),
        ("minilm", {"file": "a.txt"}, "not how the encoder 'minilm' should use a lexicon; set lexicon.way"),
        ("minilm", {"most": 3}, "not how the encoder 'minilm' should use a lexicon; set lexicon.way"),
    ],
)
def test_lexicons_that_nobody_reads(encoder, lexicon, what):
    with pytest.raises(InputError, match=what):
        kind_of(check({"encoder": encoder, "lexicon": lexicon}))


ENCODERS = [("flat", None), (None, "adapter"), (None, "attention")]


@pytest.mark.parametrize(("encoder", "way"), ENCODERS)
@pytest.mark.parametrize("head", ["crf", "interaction"])
def test_each_learns_chinese(learn, tiny_chinese, tmp_path, encoder, way, head):
    path = tmp_path / "lexicon.txt"
    path.write_text(
        "北京 1 0\n上海 1 0\n李白 0 1\n王小明 0 1\n大学 1 1\n" + "长" * (LONGEST + 1) + " 5 5\n", encoding="utf-8"
    )
    trained = learn(
        tiny_chinese,
        tiny_chinese,
        encoder=encoder,
        lexicon__way=way,
        lexicon__file=str(path),
        training__epochs=24,
        method__head=head,
    )
    assert trained.best["f1"] > 0.7
    words = trained.tagger.encoder.words
    assert words.lexicon.words == ["北京", "上海", "李白", "王小明", "大学"]
    assert words.embedding.weight[5].tolist() == [1, 1]  # it never occurs, so it stays as it was
    assert words.embedding.weight[1].tolist() != [1, 0]


@pytest.mark.parametrize(("encoder", "way"), ENCODERS)
def test_a_text_that_repeats_nothing(learn, encoder, way):
    sentence = Sentence(("Ada", "met", "李", "白"), (Span(0, 1, "PER"),), complete=True)
    trained = learn([sentence], encoder=encoder, lexicon__way=way, training__epochs=1)
    assert len(trained.tagger.encoder.words.lexicon) == 0
    assert trained.tagger.predict("李白 met Ada.") is not None


def test_a_killed_run_does_not_go_on_with_another_file(learn, tiny_chinese, tmp_path, listener):
    vectors, output = tmp_path / "vectors.txt", tmp_path / "model"
    settings = {"encoder": "bilstm", "bilstm__vectors": str(vectors), "training__checkpoint_minutes": 0}
    vectors.write_text("北 1 0\n京 0 1\n", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        learn(tiny_chinese, output=output, reporter=listener(stop=("step", 2)), **settings)
    vectors.write_text("北 1 0\n京 1 1\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds a run on other data"):
        learn(tiny_chinese, output=output, **settings)
    vectors.write_text("北 1 0\n京 0 1\n", encoding="utf-8")
    learn(tiny_chinese, output=output, **settings)
