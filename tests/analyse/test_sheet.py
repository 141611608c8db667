import json

import pytest

from gleanner.analyse.sheet import Column, Sheet, deviation

SHEET = Sheet((Column("what"), Column("share", "%"), Column("count", ",")), [("a|b, c", 0.12345, 1200), ("d", None, 3)])


def test_for_people():
    assert SHEET.markdown() == (
        "| what | share (%) | count |\n|---|---:|---:|\n| a\\|b, c | 12.35 | 1,200 |\n| d |  | 3 |\n"
    )


def test_for_programs():
    assert SHEET.csv() == 'what,share,count\n"a|b, c",0.12345,1200\nd,,3\n'
    assert json.loads(SHEET.json()) == [
        {"what": "a|b, c", "share": 0.12345, "count": 1200},
        {"what": "d", "share": None, "count": 3},
    ]


def test_one_seed_has_no_deviation():
    assert deviation([0.5]) is None
    assert deviation([1.0, 3.0]) == pytest.approx(2**0.5)
