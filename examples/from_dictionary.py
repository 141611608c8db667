"""From a dictionary and raw text to a model: what `gleanner demo` does, in Python.

python examples/from_dictionary.py model
"""

import sys
from dataclasses import replace

from gleanner import Corpus, DictionaryAnnotator, annotate, demo_data, evaluate, train
from gleanner.data.text import sentences


def main(output: str) -> None:
    """Trains, and compares with the dictionary alone."""
    # Your own: DictionaryAnnotator.read("terms.tsv"), and gleanner.read("articles.txt") for sentences.
    names = DictionaryAnnotator.read(demo_data.dictionary_path())
    raw = [sentence for _, sentence in sentences(demo_data.raw())]
    silver = Corpus(list(annotate(raw, names)))
    print("silver:", sum(len(sentence.entities) for sentence in silver), "entities in", len(raw), "sentences")

    trained = train(
        silver,
        demo_data.dev(),
        method="negative-sampling",
        encoder="minilm",
        output=output,
        settings={"training.epochs": 5},
    )

    test = list(demo_data.test())
    bare = [replace(sentence, spans=()) for sentence in test]
    for name, predicted in (("dictionary", annotate(bare, names)), ("model", trained.tagger.annotate(bare))):
        score = evaluate(test, predicted).micro
        print(f"{name:10}  P {score.precision:6.2%}  R {score.recall:6.2%}  F1 {score.f1:6.2%}")


if __name__ == "__main__":
    main(sys.argv[1])
