"""Records with labels: what `json` would write, what the core reads back, and the same share wherever it is drawn."""

import json
import re
from collections import Counter
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner import Sentence, Span, read
from gleanner.engine.inputs import Block
from gleanner.gazetteer.annotating import Annotating, line
from gleanner.gazetteer.passage import Label

TEXT = "Ada saw Bath. Nobody saw “Ada” \\ there.\n\nBath was naïve."


class Capitals:
    name = "capitals"

    def __call__(self, passages):
        return [
            [Label(*m.span(), "NAME", "rule:capitals") for m in re.finditer(r"\b(Ada|Bath)\b", passage.text)]
            for passage in passages
        ]


@dataclass(frozen=True)
class Recipe:
    fingerprint: str = "capitals"

    def annotator(self):
        return Capitals()


def made(block, **options):
    return Annotating(Recipe(), **options).start()(block)


def test_text_becomes_records_that_the_core_reads(tmp_path):
    result = made(Block(0, 0, 0, TEXT))
    (tmp_path / "out.jsonl").write_bytes(result.lines)
    found = list(read(tmp_path / "out.jsonl"))
    assert [s.text for s in found] == ["Ada saw Bath.", "Nobody saw “Ada” \\ there.", "Bath was naïve."]
    assert [[s.phrase(span) for span in s.spans] for s in found] == [["Ada", "Bath"], ["Ada"], ["Bath"]]
    assert {span.source for s in found for span in s.spans} == {"rule:capitals"}
    assert not any(s.complete for s in found)
    assert (result.records, result.counts) == (3, Counter(NAME=4))


def test_sentences_keep_their_words_and_labels(tmp_path):
    given = Sentence(("Ada", "saw", "Bath"), (Span(0, 1, "PER", "hand"),), meta={"id": 7})
    result = made(Block(0, 0, 0, sentences=(given,)))
    (tmp_path / "out.jsonl").write_bytes(result.lines)
    (found,) = read(tmp_path / "out.jsonl")
    assert found == replace(given, spans=(*given.spans, Span(2, 3, "NAME", "rule:capitals")))


@given(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.lists(
        st.builds(
            Label,
            st.integers(0, 9),
            st.integers(0, 9),
            st.text(st.characters(exclude_categories=["Cs"])),
            st.text(st.characters(exclude_categories=["Cs"])),
            st.none() | st.floats(0, 1),
        )
    ),
)
def test_a_line_is_what_json_writes(text, labels):
    entities = []
    for label in labels:
        entities.append({"start": label.start, "end": label.end, "label": label.type})
        if label.source:
            entities[-1]["source"] = label.source
        if label.score is not None:
            entities[-1]["score"] = label.score
    assert line(text, labels) == json.dumps({"text": text, "entities": entities}, ensure_ascii=False) + "\n"


@pytest.mark.parametrize(
    "block",
    [
        Block(0, 3, 0, "".join(f"{k} of. " for k in range(1000))),
        Block(0, 3, 0, sentences=tuple(Sentence((f"{k}",)) for k in range(1000))),
    ],
)
def test_a_share(block):
    every, some = made(block), made(block, share=0.4)
    assert every.records == 1000
    assert 330 < some.records < 470
    assert some.lines == made(block, share=0.4).lines != made(block, share=0.4, seed=1).lines


def test_the_fingerprint_tells_what_the_records_depend_on():
    tasks = [Annotating(Recipe()), Annotating(Recipe("b")), Annotating(Recipe(), 0.5), Annotating(Recipe(), 1.0, 1)]
    assert len({task.fingerprint for task in tasks}) == 4
