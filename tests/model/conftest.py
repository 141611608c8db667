import pytest
import torch

from gleanner.model.bilstm import BiLSTM
from gleanner.model.choices import BiLSTMOptions
from gleanner.model.config import TaggerConfig
from gleanner.model.tagger import Tagger
from gleanner.model.transformer import Transformer


@pytest.fixture(scope="session")
def make_tagger(tiny_encoder, tiny_sentences):
    """make_tagger("bilstm", "crf") is a model with random weights, the same at each call: it finds much, all of it wrong."""

    def make(encoder, head, **settings):
        with torch.random.fork_rng():
            torch.manual_seed(1)
            if encoder == "bilstm":
                words = [word for sentence in tiny_sentences for word in sentence.words]
                reader = BiLSTM.build(words, BiLSTMOptions(word_size=8, char_size=4, hidden=8))
            else:
                reader = Transformer.load(str(tiny_encoder), settings.get("pooling", "first"))
            config = TaggerConfig(labels=("O", "LOC", "PER"), head=head, encoder=encoder, max_width=4, **settings)
            tagger = Tagger(config, reader)
            for parameter in tagger.head.parameters():
                torch.nn.init.normal_(parameter, std=0.5)
        tagger.precision = "fp32"
        return tagger.eval()

    return make
