"""Sentences in other words."""

from collections import Counter

import pytest
import torch
from transformers import AutoConfig, AutoModelForMaskedLM, AutoTokenizer

from gleanner.errors import InputError
from gleanner.model.transformer import Transformer
from gleanner.training.augment import BEST, SHARE, Augmenter
from gleanner.types import Sentence, Span

FAVOURITES = {"saw": 10.0, "in": 10.0 + torch.tensor(3.0).log().item(), "London": 9.0, "##o": 12.0, "[SEP]": 13.0}
"""The five best pieces everywhere, with their logits: two small words, a capital one, a part of a word, a special one."""


@pytest.fixture(scope="module")
def decided(tmp_path_factory, tiny_mlm):
    """The folder of a model that always has the same five favourites."""
    folder = tmp_path_factory.mktemp("decided")
    model = AutoModelForMaskedLM.from_pretrained(tiny_mlm)
    tokenizer = AutoTokenizer.from_pretrained(tiny_mlm)
    with torch.no_grad():
        norm = model.cls.predictions.transform.LayerNorm
        norm.weight.zero_()
        norm.bias.zero_()
        model.get_output_embeddings().bias.zero_()
        for piece, logit in FAVOURITES.items():
            number = tokenizer.convert_tokens_to_ids(piece)
            assert number != tokenizer.unk_token_id
            model.get_output_embeddings().bias[number] = logit
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def rewritten(augmenter, sentences, seed=0):
    torch.manual_seed(seed)
    return [sentence.words for sentence in augmenter.rewrite(sentences)]


def changes(sentences, twins):
    return [
        (a, b) for s, twin in zip(sentences, twins, strict=True) for a, b in zip(s.words, twin, strict=True) if a != b
    ]


def test_words_are_replaced_by_words_that_begin_alike(decided, tiny_sentences):
    sentences = tiny_sentences * 20
    twins = rewritten(Augmenter.load(str(decided)), sentences)
    found = changes(sentences, twins)
    assert {b for _, b in found} == {"saw", "in", "London"}
    assert all((b == "London") == a[:1].isupper() for a, b in found)


def test_a_share_of_the_words_is_replaced_in_proportion_to_their_probabilities(decided):
    sentences = [Sentence(("never",) * 20)] * 200
    twins = rewritten(Augmenter.load(str(decided)), sentences)
    counts = Counter(b for _, b in changes(sentences, twins))
    assert sum(counts.values()) / 4000 == pytest.approx(SHARE, abs=0.02)  # three standard deviations: 0.017
    assert counts["in"] / sum(counts.values()) == pytest.approx(0.75, abs=0.055)


def test_where_nothing_fits_the_word_stays(decided):
    """Of the five best only `London` has a capital; without it a name stays a name."""
    augmenter = Augmenter.load(str(decided))
    augmenter._usable[augmenter.words.index("London")] = False
    sentences = [Sentence(("Ada",) * 20)] * 20
    assert changes(sentences, rewritten(augmenter, sentences)) == []


def test_the_same_seed_gives_the_same_words(tiny_mlm, tiny_sentences):
    augmenter = Augmenter.load(str(tiny_mlm))
    first = rewritten(augmenter, tiny_sentences, 1)
    assert (
        first == rewritten(augmenter, tiny_sentences, 1) == rewritten(Augmenter.load(str(tiny_mlm)), tiny_sentences, 1)
    )
    assert first != rewritten(augmenter, tiny_sentences, 2)


@pytest.mark.parametrize("base", ["tiny_encoder", "tiny_roberta", "tiny_sentencepiece"])
def test_candidates_are_words_of_one_piece(request, base):
    encoder = Transformer.load(str(request.getfixturevalue(base)), "first")
    words = encoder.whole_words()
    assert len(words) == len(encoder.tokenizer)
    known = {word: piece for piece, word in enumerate(words) if word is not None}
    assert len(known) >= 10
    assert not {"[CLS]", "[SEP]", "[MASK]", "[UNK]", "<s>", "</s>", "<mask>", "", "##o"} & set(known)
    table = encoder.table(list(known))
    assert table.values.tolist() == list(known.values())  # each is cut into its own piece and nothing else
    assert not set(encoder.tokenizer.all_special_ids) & set(known.values())


@pytest.mark.parametrize("base", ["tiny_mlm", "tiny_roberta"])
def test_the_best_are_those_of_the_model_itself(request, tmp_path, base, tiny_sentences, monkeypatch):
    """Each sentence by itself, through `transformers` alone."""
    monkeypatch.setattr(
        "gleanner.training.augment.autocast", lambda precision, device: torch.autocast("cpu", enabled=False)
    )
    folder = request.getfixturevalue(base)
    torch.manual_seed(3)
    model = AutoModelForMaskedLM.from_config(AutoConfig.from_pretrained(folder)).eval()
    model.save_pretrained(tmp_path)
    tokenizer = AutoTokenizer.from_pretrained(folder, add_prefix_space=True)
    tokenizer.save_pretrained(tmp_path)
    augmenter = Augmenter.load(str(tmp_path))
    twins = rewritten(augmenter, tiny_sentences)
    torch.manual_seed(0)
    masked = iter(torch.rand(sum(len(s.words) for s in tiny_sentences)) < SHARE)
    replaced = 0
    for sentence, twin in zip(tiny_sentences, twins, strict=True):
        hidden = [bool(next(masked)) for _ in sentence.words]
        if not any(hidden):
            assert twin == sentence.words
            continue
        pieces = [
            [tokenizer.mask_token_id] if hide else tokenizer(word, add_special_tokens=False)["input_ids"]
            for word, hide in zip(sentence.words, hidden, strict=True)
        ]
        ids = [tokenizer.cls_token_id, *(p for word in pieces for p in word), tokenizer.sep_token_id]
        with torch.no_grad():
            logits = model(torch.tensor([ids])).logits[0]
        at = 1
        for word, new, hide, cut in zip(sentence.words, twin, hidden, pieces, strict=True):
            best = [augmenter.words[k] for k in logits[at].topk(BEST).indices.tolist()]
            fits = [w for w in best if w is not None and w[:1].isupper() == word[:1].isupper()]
            assert new in (fits or [word]) if hide else new == word
            replaced += new != word
            at += len(cut)
    assert replaced > 3


def test_long_and_empty_sentences(decided):
    sentences = [Sentence(("never",) * 300), Sentence(()), Sentence(("never",))]
    twins = rewritten(Augmenter.load(str(decided)), sentences)
    assert [len(twin) for twin in twins] == [300, 0, 1]
    changed = [k for k, word in enumerate(twins[0]) if word != "never"]
    assert len(changed) > 20
    assert max(changed) > 250  # every window is read


def test_annotations_and_text_are_left_behind(decided):
    sentence = Sentence(("Ada", "."), (Span(0, 1, "PER"),), text="Ada.", offsets=((0, 3), (3, 4)))
    (twin,) = Augmenter.load(str(decided)).rewrite([sentence])
    assert (twin.spans, twin.text, twin.offsets) == ((), None, None)
    assert twin.problem() is None


def test_chinese(tiny_mlm, tiny_chinese):
    sentences = tiny_chinese * 8
    twins = rewritten(Augmenter.load(str(tiny_mlm)), sentences)
    assert [len(twin) for twin in twins] == [len(s.words) for s in sentences]
    assert changes(sentences, twins)


def test_an_encoder_without_the_head(tiny_encoder):
    with pytest.raises(InputError, match="has no masked-language-model head: its weights lack 'cls"):
        Augmenter.load(str(tiny_encoder))


def test_a_model_with_more_rows_than_pieces(tmp_path, tiny_mlm, tiny_sentences):
    model = AutoModelForMaskedLM.from_pretrained(tiny_mlm)
    model.resize_token_embeddings(model.config.vocab_size + 40)
    model.get_output_embeddings().bias.data[-40:] = 100.0
    model.save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(tiny_mlm).save_pretrained(tmp_path)
    assert changes(tiny_sentences, rewritten(Augmenter.load(str(tmp_path)), tiny_sentences))


@pytest.mark.parametrize(
    ("name", "said"),
    [("no/such/folder", "no augmenter folder"), ("nothing-of-that-name", "cannot load the augmenter")],
)
def test_no_such_model(name, said):
    with pytest.raises(InputError, match=rf"{said} '{name}'.*; name another with method\.augmenter"):
        Augmenter.load(name)
