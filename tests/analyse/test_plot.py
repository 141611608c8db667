import logging
import subprocess
import sys

import pytest

from gleanner import InputError
from gleanner.analyse import plot


def draw(title="", text="a line"):
    def make():
        figure, ((axes,),) = plot.panels(1, 1, (3.0, 2.0))
        plot.curve(axes, [1, 2, 3], [[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]], 0, text)
        axes.set_title(title)
        plot.percent(axes)
        plot.legend(figure, axes)
        return figure

    return make


def test_the_same_data_give_the_same_files(tmp_path):
    first, second = plot.save(draw(), tmp_path / "a"), plot.save(draw(), tmp_path / "b")
    assert [path.name for path in first] == ["a.png", "a.svg"]
    assert first[0].read_bytes().startswith(b"\x89PNG")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_the_users_own_style_does_not_count(tmp_path):
    import matplotlib

    (_, before) = plot.save(draw(), tmp_path / "a")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red"}):
        (_, after) = plot.save(draw(), tmp_path / "b")
        assert matplotlib.rcParams["font.size"] == 30
    assert before.read_bytes() == after.read_bytes()


def test_the_band_is_one_deviation_about_the_mean(tmp_path):
    figure = draw()()
    (axes,) = figure.axes
    assert axes.lines[0].get_ydata().tolist() == pytest.approx([0.2, 0.2, 0.2])
    band = axes.collections[0].get_paths()[0].get_extents()
    assert (band.y0, band.y1) == pytest.approx((0.2 - 0.02**0.5, 0.2 + 0.02**0.5))


def test_a_character_that_no_font_has_is_a_note(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(plot, "_CHINESE", ())
    with caplog.at_level(logging.WARNING, "gleanner"):
        plot.save(draw("李白"), tmp_path / "a")
    assert "boxes stand for them" in caplog.text


def test_without_matplotlib_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"pip install 'gleanner\[report\]', or add --no-plots"):
        plot.require()


def test_matplotlib_is_not_loaded_before_a_figure_is_drawn():
    program = (
        "import sys\n"
        "from gleanner.analyse import bound, confidence, missampling, o_values, sparsity, uncertainty\n"
        "sys.exit('matplotlib' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
