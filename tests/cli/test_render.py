from gleanner.cli.render import Mark, counted, marked, note

LABELS = ("LOC", "ORG", "PER")


def test_nested_and_crossing_marks():
    text = "University of Padua, Italy"
    nested = marked(text, [Mark(14, 19, "LOC"), Mark(0, 19, "ORG")], LABELS)
    assert nested.plain == "[University of [Padua LOC] ORG], Italy"
    crossing = marked("a b c", [Mark(0, 3, "LOC"), Mark(2, 5, "PER")], LABELS)
    assert crossing.plain == "[a [b LOC] c PER]"


def test_neighbours_and_text_that_looks_like_markup():
    assert marked("[red]ab", [Mark(5, 6, "PER"), Mark(6, 7, "PER")], LABELS).plain == "[red][a PER][b PER]"


def test_no_marks():
    assert marked("Ada", [], LABELS).plain == "Ada"
    assert marked("", [], LABELS).plain == ""


def test_colours_differ_by_type():
    shown = marked("a b", [Mark(0, 1, "LOC"), Mark(2, 3, "PER")], LABELS)
    styles = {shown.plain[span.start : span.end]: span.style for span in shown.spans}
    assert styles["a"] != styles["b"]


def test_notes_are_one_line(capsys):
    note("a\n  [b]  " + "c" * 300)
    assert capsys.readouterr().err == f"note: a [b] {'c' * 300}\n"


def test_counted():
    assert counted(0, "sentence") == "0 sentences"
