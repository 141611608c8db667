import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner.data import blocks
from gleanner.data.json_array import elements
from gleanner.errors import InputError


@given(
    st.lists(st.dictionaries(st.text(max_size=3), st.text(max_size=9) | st.integers(), max_size=3), max_size=6),
    st.sampled_from([None, 1]),
    st.integers(1, 20),
)
def test_elements_are_those_of_the_array(tmp_path_factory, array, indent, chunk):
    path = tmp_path_factory.mktemp("array") / "a.json"
    path.write_text(json.dumps(array, indent=indent), encoding="utf-8-sig")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_BLOCK", chunk)
        assert [element for _, element in elements(path)] == array


def test_an_element_knows_its_line(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('[\n{"a":\n1},\n\n{}, {}]\n')
    assert list(elements(path)) == [(2, {"a": 1}), (5, {}), (5, {})]


@pytest.mark.parametrize(
    ("content", "line", "phrase"),
    [
        ("", 1, "this is not a JSON array"),
        ('{"a": 1}', 1, "this is not a JSON array"),
        ("[\n{},\n{]", 3, "malformed JSON: Expecting property name"),
        ("[{},\n]", 2, "malformed JSON: Expecting value"),
        ('[{"a": "b', 1, "malformed JSON: Unterminated string"),
        ("[{}", 1, "expecting ',' or ']' after an element"),
        ("[{}]\n3", 2, "something follows the end"),
        ('[{},\n"\\ud83d"]', 2, "half of a surrogate pair"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, content, line, phrase):
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(InputError) as error:
        list(elements(path))
    assert phrase in str(error.value)
    assert error.value.line == line


def test_a_byte_that_is_not_utf_8_is_said_with_its_line(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b'[{},\n{"a": "\xff"}]')
    with pytest.raises(InputError, match=r"a\.json:2: byte 0xff is not UTF-8"):
        list(elements(path))


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        list(elements(tmp_path / "none.json"))
