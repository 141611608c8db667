import pytest
import torch

from gleanner.model.choices import BiLSTMOptions, FlatOptions, LexiconOptions
from gleanner.model.config import TaggerConfig
from gleanner.model.examples import encode
from gleanner.model.tagger import Tagger
from gleanner.training import encoders
from gleanner.training.settings import Settings

WAYS = {"lebert": "adapter", "bert_word": "attention"}


@pytest.fixture(scope="session")
def make_tagger(tiny_encoder, tiny_sentences, tiny_chinese):
    """make_tagger("bilstm", "crf") is a model with random weights, the same at each call: it finds much, all of it wrong."""

    def make(encoder, head, **settings):
        with torch.random.fork_rng():
            torch.manual_seed(1)
            given = Settings(
                encoder=encoder if encoder in ("bilstm", "flat") else str(tiny_encoder),
                bilstm=BiLSTMOptions(word_size=8, char_size=4, hidden=8),
                flat=FlatOptions(heads=2, head_size=8, feed_forward=16, char_size=8),
                lexicon=LexiconOptions(way=WAYS.get(encoder), size=6 if encoder in ("flat", *WAYS) else 50),
            )
            assert encoders.kind_of(given) == encoder
            examples = encode(tiny_sentences + tiny_chinese)
            reader = encoders.build(encoder, given, examples, settings.get("pooling", "first"))
            config = TaggerConfig(labels=("O", "LOC", "PER"), head=head, encoder=encoder, max_width=4, **settings)
            tagger = Tagger(config, reader)
            for parameter in tagger.head.parameters():
                torch.nn.init.normal_(parameter, std=0.5)
        tagger.precision = "fp32"
        return tagger.eval()

    return make
