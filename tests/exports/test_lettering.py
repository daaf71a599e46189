import numpy as np
import pytest

import dmlviz
from dmlviz import exports
from dmlviz.exports import lettering
from dmlviz.exports.legible import legible
from dmlviz.exports.lettering import can_write, check_font, length, mask, wrap
from dmlviz.words import language, speaking


@pytest.mark.parametrize("text", ["0", "-1.25e-7", "NaN", "Input {1, 2}", "a × b − c…"])
@pytest.mark.parametrize("bold", [False, True])
def test_ink_is_inside_the_mask_and_as_long_as_said(text, bold):
    drawn = mask(text, 20, bold)
    assert drawn.max() == 255
    assert drawn.shape[1] == pytest.approx(length(text, 20, bold), abs=2)
    assert drawn[0].max() == drawn[-1].max() == 0


def test_bold_has_more_ink():
    assert mask("18", 24, True).sum() > 1.15 * mask("18", 24).sum()


def test_digits_stand_on_the_baseline_and_are_as_high_as_said():
    rows = np.flatnonzero(mask("0123456789", 100).max(axis=1) > 128)
    assert rows[-1] == pytest.approx(100 * lettering.ASCENT, abs=3)
    assert rows[-1] - rows[0] == pytest.approx(100 * lettering.CAP, abs=4)


@pytest.fixture
def no_other_fonts(monkeypatch):
    """A machine that has no fonts but the one that comes along."""
    monkeypatch.setattr(lettering, "_ELSEWHERE", ())
    lettering._piece.cache_clear()
    mask.cache_clear()
    yield
    lettering._piece.cache_clear()
    mask.cache_clear()


@pytest.mark.usefixtures("no_other_fonts")
def test_a_character_that_no_font_has_is_written_otherwise():
    assert np.array_equal(mask("-∞", 20), mask("-inf", 20))
    assert np.array_equal(mask("\U0001f600", 20), mask("?", 20))


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
    assert not np.array_equal(mask("한국어", 20), mask("???", 20))
    assert not np.array_equal(mask("한", 20), mask("국", 20))


def test_what_looks_alike_is_the_same():
    assert np.array_equal(mask("2−1", 20), mask("2-1", 20))


def test_wrapping():
    text = "The 6 elements of the input land where they are: copy 1 of 9."
    lines = wrap(text, 20, 200)
    assert " ".join(lines) == text
    assert len(lines) > 2
    assert all(length(line, 20) <= 200 for line in lines)
    assert wrap("", 20, 200) == []
    assert wrap("unbreakable", 20, 5) == ["unbreakable"]


@pytest.mark.parametrize("font", ["no-such-font.ttf", __file__, "", "\x00"])
def test_fonts_that_cannot_be_read(font):
    with pytest.raises(dmlviz.Error, match="is not a font file") as found:
        check_font(font)
    assert found.value.field == "font"
    scene = dmlviz.scene(dmlviz.run(dmlviz.Tile((1,)), np.array([1])))
    with pytest.raises(dmlviz.Error):
        exports.png(scene, font=font)
