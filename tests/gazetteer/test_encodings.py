import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner.gazetteer.encodings import faults, form, visible

GOOD = (
    "aspirin",
    "Sjögren's syndrome",
    "TNFα",
    "β-carotene",
    "αvβ3",
    "CORAÇÃO",
    "São Paulo",
    "Ångström (5 µm) – “x”",
    "Достоевский",
    "北京大学",
    "東京 タワー",
    "می‌خواهم",  # a joiner where it belongs
    "👩‍🔬",
    "é",
    "ภาษาไทย",
    "שלום",
)


@pytest.mark.parametrize("text", GOOD)
def test_nothing_is_wrong_with_good_terms(text):
    assert list(faults(text)) == []


@pytest.mark.parametrize("text", ["SjÃ¶gren", "FranÃ§ois", "donâ€™t", "Ã\x81lvaro", "åŒ—äº¬", "10 Âµg"])
def test_text_that_was_decoded_wrongly(text):
    assert any("decoded wrongly" in fault for fault in faults(text))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("caf\ufffd", "was lost"),
        ("锟斤拷", "was lost"),
        ("a\x07b", "a control character: U+0007"),
        ("a\u200bb", "an invisible character: U+200B"),
        ("as\u00adpirin", "an invisible character: U+00AD"),
        ("aspi\u200crin", "an invisible character: U+200C"),
        ("\u202eabc", "direction of writing: U+202E"),
        ("\ue000", "without a meaning: U+E000"),
        ("\u0410spirin", "mixes letters that look alike: Cyrillic (А) and Latin (s)"),
        ("Vi\u03bfxx", "Latin (V) and Greek (ο)"),
    ],
)
def test_each_fault_is_named(text, fault):
    (found,) = faults(text)
    assert fault in found


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), max_size=8))
def test_what_was_decoded_wrongly_is_found_whenever_it_can_be(text):
    try:
        damaged = text.encode().decode("cp1252")
    except UnicodeDecodeError:
        return
    if not text.isascii():
        assert (
            any("decoded wrongly" in fault or "mixes" in fault for fault in faults(damaged))
            or not damaged.isprintable()
        )


@given(st.text())
def test_any_text_is_looked_at_and_shown_harmlessly(text):
    list(faults(text))
    assert form(text) in (None, "NFC", "NFD")
    assert visible(text).isprintable()
