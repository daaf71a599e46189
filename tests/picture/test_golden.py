"""Pictures beside the ones that were looked at: places, marks, ways of flight, whatever a test
that looks at one thing does not see.

Numbers may be off by half a pixel, pixels by one, so that another FreeType is no fault; after a
change that is meant, see golden_pictures.py.
"""

import io
import re
from itertools import product
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image, ImageSequence

from tests.picture.golden_pictures import ALONE, FILMS, FOLDER, MOMENTS, gif_of, png_of, svg_of

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
MEASURES = {"x", "y", "dx", "width", "height", "font-size", "stroke-width", "d", "viewBox"}
SHADE = 40
"""How different the same edge may be drawn, of 255."""


def elements(text):
    """Every element of an SVG with its words, and its attributes with their numbers apart."""
    for element in ElementTree.fromstring(text).iter():
        words = {name: value for name, value in element.items() if name not in MEASURES}
        numbers = {
            name: (NUMBER.sub("#", value), [float(n) for n in NUMBER.findall(value)])
            for name, value in element.items()
            if name in MEASURES
        }
        yield (element.tag, (element.text or "").strip(), words), numbers


@pytest.mark.parametrize("name", [*MOMENTS, *ALONE])
def test_svg(name):
    due = list(elements((FOLDER / f"{name}.svg").read_text(encoding="utf-8")))
    found = list(elements(svg_of(name)))
    assert [what for what, _numbers in found] == [what for what, _numbers in due]
    for (what, here), (_same, there) in zip(found, due, strict=True):
        assert here.keys() == there.keys(), what
        for key, (form, numbers) in there.items():
            assert here[key] == (form, pytest.approx(numbers, abs=0.5)), (what, key)


def pixels(image):
    return np.asarray(image.convert("RGB")).astype(np.int16)


def strange(one, other):
    """Where a pixel differs from those at its place and beside it in the other picture."""
    assert one.shape == other.shape
    high, wide, _colors = one.shape
    padded = np.pad(other, ((1, 1), (1, 1), (0, 0)), "edge")
    near = [padded[y : y + high, x : x + wide] for y, x in product(range(3), repeat=2)]
    below, above = np.min(near, axis=0), np.max(near, axis=0)
    return ((one < below - SHADE) | (one > above + SHADE)).any(axis=2)


def check_alike(found, due, what):
    """As nearly the same as one sees, in both directions: nothing more, nothing missing."""
    for wrong in (strange(found, due), strange(due, found)):
        rows, columns = wrong.nonzero()
        places = list(zip(columns.tolist(), rows.tolist(), strict=True))
        assert len(places) <= 3, (what, f"{len(places)} pixels differ", places[:10])


@pytest.mark.parametrize("name", MOMENTS)
def test_png(name):
    with Image.open(FOLDER / f"{name}.png") as due, Image.open(io.BytesIO(png_of(name))) as found:
        check_alike(pixels(found), pixels(due), name)


def frames(image):
    """Every frame of a GIF, and how long it is shown."""
    return [(pixels(one), one.info["duration"]) for one in ImageSequence.Iterator(image)]


@pytest.mark.parametrize("name", FILMS)
def test_gif(name):
    with Image.open(FOLDER / f"{name}.gif") as due, Image.open(io.BytesIO(gif_of(name))) as found:
        expected, made = frames(due), frames(found)
    assert [ms for _frame, ms in made] == [ms for _frame, ms in expected]
    for number, ((here, _), (there, _ms)) in enumerate(zip(made, expected, strict=True)):
        check_alike(here, there, f"{name}, frame {number}")


def test_nothing_else_lies_there():
    due = {f"{name}.svg" for name in (*MOMENTS, *ALONE)} | {f"{name}.png" for name in MOMENTS}
    due |= {f"{name}.gif" for name in FILMS}
    assert {file.name for file in FOLDER.iterdir()} == due
