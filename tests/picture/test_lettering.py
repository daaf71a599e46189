import numpy as np
import pytest

import dmlviz
from dmlviz.base.words import language, speaking
from dmlviz.picture import exports, lettering
from dmlviz.picture.lettering import can_write, check_font, families, files_for, length, wrap
from dmlviz.picture.raster import raster
from dmlviz.picture.words import legible


def inked(text, size=40, bold=False):
    """Where resvg puts ink for a line that begins at (50, 100)."""
    weight = "600" if bold else "400"
    drawn = raster(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="900" height="160" '
        f'font-family="{families()}"><rect width="900" height="160" fill="#fff"/>'
        f'<text x="50" y="100" font-size="{size}" font-weight="{weight}">{text}</text></svg>'
    )
    return drawn[:, :, 0] < 128


@pytest.mark.parametrize("text", ["0", "-1.25e-7", "NaN", "Input {1, 2}", "a × b − c…", "∞"])
@pytest.mark.parametrize("bold", [False, True])
def test_a_line_is_as_long_as_said(text, bold):
    columns = np.flatnonzero(inked(text, 40, bold).any(axis=0))
    assert columns[0] >= 50
    assert columns[-1] <= 50 + length(text, 40, bold)
    assert columns[-1] - columns[0] == pytest.approx(length(text, 40, bold), abs=8)


@pytest.mark.parametrize("bold", [False, True])
def test_without_pillow_a_line_is_as_long_as_its_letters(bold, monkeypatch):
    printable = [chr(code) for code in range(0x20, 0x7F)]
    due = [length(letter, 1000, bold) for letter in printable]
    words = length("The 2nd output of GatherND", 40, bold)
    monkeypatch.setattr(lettering, "_measures", lambda: False)
    assert [length(letter, 1000, bold) for letter in printable] == pytest.approx(due, abs=9)
    assert length("The 2nd output of GatherND", 40, bold) == pytest.approx(words, rel=0.03)
    assert length("텐서", 40, bold) == 80


def test_bold_has_more_ink():
    assert inked("18", bold=True).sum() > 1.15 * inked("18").sum()


def test_digits_stand_on_the_baseline_and_are_as_high_as_said():
    rows = np.flatnonzero(inked("0123456789", 100).any(axis=1))
    assert rows[-1] == pytest.approx(100, abs=3)
    assert rows[-1] - rows[0] == pytest.approx(100 * lettering.CAP, abs=4)


@pytest.fixture
def no_other_fonts(monkeypatch):
    """A machine that has no fonts but the one that comes along."""
    monkeypatch.setattr(lettering, "_ELSEWHERE", ())
    lettering._file_of.cache_clear()
    yield
    lettering._file_of.cache_clear()


@pytest.mark.usefixtures("no_other_fonts")
def test_a_character_that_no_font_has_does_no_harm():
    assert files_for("\U0001f600") == files_for("")
    assert inked("1\U0001f6002").any()


def small_scene():
    return dmlviz.scene(dmlviz.run(dmlviz.Tile((2,)), np.array([1, 2])))


@pytest.mark.usefixtures("no_other_fonts")
def test_a_language_that_no_font_can_write_is_english():
    english = small_scene()
    with speaking("ko"):
        korean = small_scene()
        assert korean.steps[0].caption != english.steps[0].caption
        pictures = exports.png(korean, 1, width=480), exports.gif(korean, width=240)
        assert language() == "ko"
    assert pictures == (exports.png(english, 1, width=480), exports.gif(english, width=240))


def test_korean_is_written_where_a_font_has_it():
    if not can_write("한국어"):
        pytest.skip("no font here has Korean letters: fonts-noto-cjk has")
    with speaking("ko"):
        scene = small_scene()
        with legible(scene, None) as told:
            assert told is scene
        drawn = exports.png(scene, 1, width=480)
    assert drawn != exports.png(small_scene(), 1, width=480)
    assert inked("한").any()
    assert not np.array_equal(inked("한"), inked("국"))


def test_wrapping():
    text = "The 6 elements of the input keep their places: copy 1 of 9."
    lines = wrap(text, 20, 200)
    assert " ".join(lines) == text
    assert len(lines) > 2
    assert all(length(line, 20) <= 200 for line in lines)
    assert wrap("", 20, 200) == []
    assert wrap("unbreakable", 20, 5) == ["unbreakable"]


@pytest.mark.parametrize("font", ["no-such-font.ttf", __file__, "", "\x00"])
def test_fonts_that_cannot_be_read(font):
    with pytest.raises(dmlviz.Error, match="cannot read the font file") as found:
        check_font(font)
    assert found.value.field == "font"
    scene = dmlviz.scene(dmlviz.run(dmlviz.Tile((1,)), np.array([1])))
    with pytest.raises(dmlviz.Error):
        exports.png(scene, font=font)
