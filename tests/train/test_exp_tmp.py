import time, itertools
from gleanner.api import train
from gleanner.types import Corpus
from gleanner.train.reporter import Silent
import pytest
@pytest.mark.parametrize("enc",["bert","bilstm"])
def test_x(tiny_sentences, tiny_encoder, enc):
    for m in ("plain","negative-sampling","weighted-sampling"):
        for head in ("linear","crf","concat","interaction","biaffine"):
            t=time.time()
            r=train(Corpus(tiny_sentences), tiny_sentences, method=m, encoder=str(tiny_encoder) if enc=="bert" else "bilstm", reporter=Silent(), settings={
              "method.head":head,"training.epochs":12,"training.batch_size":4,"training.encoder_lr":3e-3 if enc=="bert" else 1e-2,"training.head_lr":3e-3 if enc=="bert" else 1e-2,"model.max_width":4, "training.precision":"auto","bilstm.hidden":16,"bilstm.word_size":16,"bilstm.char_size":8})
            print(enc,m,head,[round(h["f1"],2) for h in r.history], round(time.time()-t,1))
