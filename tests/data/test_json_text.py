import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner.data import blocks, json_text
from gleanner.data.json_text import JsonText
from gleanner.errors import InputError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
)


def taken_apart(text):
    if text.peek() == "{":
        return {key: taken_apart(text) for _, key in text.members()}
    if text.peek() == "[":
        return [value for _, value in text.values()]
    return text.value()[1]


@given(VALUES, st.sampled_from([None, 1]), st.integers(1, 30), st.booleans())
def test_any_json_wherever_blocks_end(tmp_path_factory, value, indent, size, escaped):
    path = tmp_path_factory.mktemp("json") / "a.json"
    path.write_text(json.dumps(value, indent=indent, ensure_ascii=escaped), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_BLOCK", size)
        text = JsonText(path)
        assert taken_apart(text) == value
        text.end()


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ('{"a": 1,\n b: 2}', 2, "malformed JSON: expecting a key in double quotes"),
        ('{"a"\n1}', 2, "malformed JSON: expecting ':' after a key"),
        ('{"a": 1\n"b": 2}', 2, "malformed JSON: expecting ',' or '}' after a value"),
        ('{"a":\n\n', 3, "malformed JSON: Expecting value"),
        ('{"a": ["b,\n"c"]}', 1, "malformed JSON: Invalid control character"),
        ('{\n"a": NaN}', 2, "NaN is not a number of JSON"),
        ('{\n"a": ' + "9" * 5000 + "}", 2, "Exceeds the limit"),
        ('{\n"a": ' + "[" * 100_000 + "]" * 100_000 + "}", 2, "the JSON is nested too deeply"),
        ('{\n"a": "\\ud83d"}', 2, "'\\ud83d' is half of a surrogate pair"),
        ("{}\n{}", 2, "malformed JSON: something follows the end"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, content, line, problem):
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        text = JsonText(path)
        taken_apart(text)
        text.end()
    assert str(caught.value).startswith(f"{path}:{line}: {problem}")


def test_an_error_far_from_the_end_is_told_before_the_rest_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "_BLOCK", 100)
    path = tmp_path / "a.json"
    path.write_bytes(b'["a",\n{b}' + b" " * 1000 + b"\xff")
    with pytest.raises(InputError, match=r"a\.json:2: malformed JSON"):
        list(JsonText(path).values())


def test_a_value_without_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "_BLOCK", 10)
    monkeypatch.setattr(json_text, "LONGEST_LINE", 100)
    path = tmp_path / "a.json"
    path.write_text('["a",\n"' + "b" * 500)
    with pytest.raises(InputError, match=r"a\.json:2: a value of more than 100 characters"):
        list(JsonText(path).values())
