"""What a terminal shows."""

import io

from rich.console import Console

from gleanner.training.reporter import Silent, Terminal

PLAIN = {"stage": "member-1", "epoch": 1.0, "loss": 0.5, "seconds": 3.2}
SCORED = PLAIN | {"precision": 0.5, "recall": 1.0, "f1": 2 / 3, "is_best": True, "best": 2 / 3}


def shown(talk, **console):
    out = io.StringIO()
    terminal = Terminal(Console(file=out, width=200, highlight=False, **console))
    talk(terminal)
    return out.getvalue()


def run(terminal):
    terminal.begin("plain", 0, 2)
    terminal.step(1, None, 100.0)
    terminal.step(2, 0.5, 1234.5)
    terminal.evaluated(SCORED)
    terminal.end()


def test_a_file_gets_a_line_an_evaluation():
    assert shown(run) == "  member-1   epoch   1.0   loss 0.5000   dev P 50.00%  R 100.00%  F1 66.67%  best   3 s\n"


def test_without_development_data_there_is_no_score():
    assert shown(lambda terminal: terminal.evaluated(PLAIN)) == "  member-1   epoch   1.0   loss 0.5000   3 s\n"


def test_a_terminal_gets_a_bar():
    text = shown(run, force_terminal=True)
    assert "plain" in text
    assert "2/2" in text
    assert "1,234 words/s" in text


def test_going_on_is_said():
    def talk(terminal):
        terminal.begin("plain", 3, 8)
        terminal.end()

    assert shown(talk) == "plain: going on after step 3 of 8\n"


def test_a_note_is_shown_as_it_is():
    note = "types that training never sees: [bold], [/], LOC"
    assert shown(lambda terminal: terminal.note(note)) == f"note: {note}\n"


def test_an_end_without_a_beginning():
    assert shown(lambda terminal: terminal.end()) == ""


def test_silence(capfd):
    run(Silent())
    Silent().note("anything")
    assert capfd.readouterr() == ("", "")
