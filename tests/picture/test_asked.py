"""Pictures of questions show the inputs, and nothing of the output."""

import re
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

from dmlviz.picture.exports import inputs_font, inputs_svg, stills, svg_size
from dmlviz.picture.palettes import DARK, LIGHT
from dmlviz.teaching.presets import presets
from tests.limits import DIGIT

PICTURED = [preset for preset in presets() if preset.pictured]
X = {"InputTensor": np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3)}
SVG = "{http://www.w3.org/2000/svg}"


def box(root):
    return [float(n) for n in root.attrib["viewBox"].split()]


@pytest.mark.parametrize("preset", PICTURED, ids=lambda preset: preset.key)
def test_every_question_fits_on_a_card(preset):
    shown = stills(preset.inputs, controls=preset.state.cls.controls_among(preset.inputs))
    sizes = [box(fromstring(one.drawing))[2:] for one in shown]
    assert sum(wide for wide, _high in sizes) + 8 * len(sizes) <= 191
    assert max((high for _wide, high in sizes), default=0) <= 121
    names = list(preset.inputs)
    assert [one.name for one in shown] == (names if len(names) > 1 else [""] * len(names))
    assert len(fromstring(inputs_svg(preset.inputs)).findall(f"{SVG}svg")) == len(shown)


@pytest.mark.parametrize("width", [0, 480])
@pytest.mark.parametrize("dark", [False, True])
def test_the_input_and_a_question_mark(width, dark):
    root = fromstring(inputs_svg(X, dark=dark, width=width, title="Input"))
    texts = ["".join(found.itertext()) for found in root.iter(f"{SVG}text")]
    assert [text for text in texts if re.fullmatch("[1-6]", text)][-6:] == list("123456")
    assert any(text.startswith("Input") for text in texts) is bool(width)
    (asked,) = root.findall(f"{SVG}g")
    assert asked.attrib["stroke"] == (DARK if dark else LIGHT).line
    assert asked.find(f"{SVG}rect") is not None
    # nothing reaches beyond the paper
    left = float(re.match(r"translate\(([\d.]+)", asked.attrib["transform"])[1])
    assert left + 36 + 12 + 48 < box(root)[2]


def test_planes_lie_as_wide_as_their_place():
    wide = fromstring(inputs_svg({"InputTensor": np.zeros((1, 8, 2, 3), np.int8)}, width=480))
    _x, _y, width, height = box(wide)
    assert width > height


@pytest.mark.parametrize(("width", "columns"), [(300, 1), (480, 4)])
def test_several_inputs_stand_below_each_other(width, columns):
    inputs = {
        "InputTensor": np.ones((5, columns), np.float32),
        "IndicesTensor": np.arange(5 * columns).reshape(5, columns),
    }
    root = fromstring(inputs_svg(inputs, width=width))
    first, second = root.findall(f"{SVG}svg")
    assert float(second.attrib["y"]) >= float(first.attrib["height"])
    left, top = re.match(
        r"translate\(([\d.]+) ([\d.]+)\)", root.find(f"{SVG}g").attrib["transform"]
    ).groups()
    # the question mark of a narrow picture is smaller
    assert float(left) + (36 + 12 + 48) * (0.6 if width < 400 else 1) < box(root)[2]
    assert 24 < float(top) < box(root)[3] - 24


def test_a_narrow_picture_has_digits_rather_than_a_question_mark():
    inputs = {"InputTensor": np.arange(15).reshape(5, 3), "IndicesTensor": np.array([[4, 1]])}
    for width, tall, mark in ((360, 200, False), (360, 0, True), (760, 200, True)):
        drawing = inputs_svg(inputs, width=width, tall=tall)
        assert (fromstring(drawing).find(f"{SVG}g") is not None) == mark, (width, tall)
        font = inputs_font(inputs, width=width, tall=tall)
        sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', drawing)]
        assert min(abs(size - font) for size in sizes) < 0.01
    assert svg_size(inputs_svg(inputs, width=360, tall=200))[0] <= 360
    # one row of forty columns has no room for digits
    assert inputs_font({"InputTensor": np.arange(40)}, width=360) == 0


@pytest.mark.parametrize("width", [0, 480])
def test_inputs_share_their_colors(width):
    inputs = {"First": np.arange(1, 4), "Second": np.arange(4, 7), "Indices": np.array([900])}
    root = fromstring(inputs_svg(inputs, width=width, controls={"Indices"}))
    alone = fromstring(inputs_svg({"First": np.arange(1, 7)}, width=width))
    both, one = (
        {box.get("fill", "none") for box in drawing.iter(f"{SVG}rect")} - {"none"}
        for drawing in (root, alone)
    )
    assert both == one
    assert len(both) == 6


@pytest.mark.parametrize("preset", PICTURED, ids=lambda preset: preset.key)
@pytest.mark.parametrize("room", [(590, 470), (350, 285)])
def test_a_room_is_filled_and_left_by_nothing(preset, room):
    """The whole picture fits where cells are as small as can be; else it has the largest cells."""
    title = "Input" if len(preset.inputs) == 1 else ""
    drawing = inputs_svg(preset.inputs, width=room[0], tall=room[1], title=title)
    wide, high = svg_size(drawing)
    boxes = [box for box in fromstring(drawing).iter(f"{SVG}rect") if "rx" not in box.attrib]
    cell = max((float(box.attrib["width"]) for box in boxes), default=0)
    if cell > 4:
        assert wide <= room[0] + 1
        assert high <= room[1] + 1
    # letters have one size everywhere
    sizes = {float(size) for part in fromstring(drawing).iter() if (size := part.get("font-size"))}
    assert min(sizes, default=DIGIT) >= DIGIT
    # with larger cells, nothing of a cell's size would be left
    if boxes and 4 < cell < 56:
        assert wide + max(cell, 12) > room[0] * 0.8 or high + 2 * cell > room[1] * 0.8


@pytest.mark.parametrize("width", [0, 480])
def test_what_only_says_where_elements_go_has_no_colors(width):
    """One-color cells and a dashed line, as on the stage: a color would look like a value's."""
    (preset,) = [one for one in PICTURED if one.key == "gather-first"]
    controls = preset.state.cls.controls_among(preset.inputs)
    assert controls == {"IndicesTensor"}
    for dark, palette in ((False, LIGHT), (True, DARK)):
        drawing = inputs_svg(preset.inputs, dark=dark, width=width, controls=controls)
        values, indices = fromstring(drawing).findall(f"{SVG}svg")
        boxes = [list(root.iter(f"{SVG}rect")) for root in (values, indices)]
        assert len({box.attrib["fill"] for box in boxes[0]} - {"none"}) > 2
        assert {box.attrib["fill"] for box in boxes[1]} == {"none"}
        (around,) = [box for box in boxes[1] if "stroke-dasharray" in box.attrib]
        assert around.attrib["stroke"] == palette.line
        assert len(boxes[1]) == preset.inputs["IndicesTensor"].size + 1
