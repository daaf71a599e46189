import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dmlviz
from dmlviz.operators import Step
from dmlviz.picture import exports
from dmlviz.picture.palettes import DARK, LIGHT
from dmlviz.picture.scene import labels
from tests import strategies
from tests.several import picked

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text):
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    return root


def group(root, name):
    (found,) = (part for part in root if part.get("id") == name)
    return found


def texts(part):
    return ["".join(text.itertext()) for text in part.iter(f"{SVG}text")]


def squares(part):
    """Left edge and colour of every square, whether it is an element or a part of a path."""
    found = [(float(rect.get("x")), rect.get("fill")) for rect in part.findall(f"{SVG}rect")]
    for path in part.findall(f"{SVG}path"):
        if path.get("fill", "none") not in ("none", LIGHT.ink, DARK.ink):
            found += [
                (float(x), path.get("fill"))
                for x in re.findall(r"M(\S+) \S+?h\d+v\d+h", path.get("d"))
            ]
    return found


def fills(part):
    return [color for _left, color in squares(part)]


@pytest.fixture
def padding():
    example = dmlviz.Padding.examples()[0]
    return dmlviz.scene(dmlviz.run(example.operator, example.x))


def test_it_holds_every_label_and_the_words_round_them(padding):
    root = parsed(exports.svg(padding))
    assert texts(group(root, "input")) == labels(padding.trace.x)
    assert texts(group(root, "output")) == labels(padding.trace.output)
    everything = texts(root)
    for words in ("Input{1, 1, 4, 4} FLOAT32", "Output{1, 1, 8, 10} FLOAT32", "[0, 0, :, :]"):
        assert words in everything
    assert texts(group(root, "caption"))[0] == "Step 5 of 5"


def test_it_is_told_in_words(padding):
    root = parsed(exports.svg(padding, 1))
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text.startswith(padding.steps[0].title)
    assert "output of sizes {1, 1, 8, 10}" in root.find(f"{SVG}desc").text


def test_copies_have_their_sources_colours_and_padding_values_a_pattern(padding):
    root = parsed(exports.svg(padding))
    before, after = fills(group(root, "input")), fills(group(root, "output"))
    source = padding.trace.source.ravel().tolist()
    assert after == [LIGHT.padding if s < 0 else before[s] for s in source]
    strokes = group(root, "output").findall(f"{SVG}path")
    assert len(strokes) == source.count(-1)


def test_what_is_not_finite_has_dots_wherever_it_lands():
    x = np.array([np.nan, 1, np.inf, -np.inf, 0], np.float32)
    root = parsed(exports.svg(dmlviz.scene(dmlviz.run(dmlviz.Tile((2,)), x))))
    for name, copies in (("input", 1), ("output", 2)):
        boxes = group(root, name).findall(f"{SVG}rect")
        dots = [path.get("d").split("M")[1:] for path in group(root, name).findall(f"{SVG}path")]
        assert [len(marks) for marks in dots] == [4] * 3 * copies
        strange = [
            box
            for box, finite in zip(boxes, np.isfinite(np.tile(x, copies)), strict=True)
            if not finite
        ]
        for box, marks in zip(strange, dots, strict=True):
            left, top, wide, high = (float(box.get(k)) for k in ("x", "y", "width", "height"))
            for mark in marks:
                at_x, at_y = (float(n) for n in mark.split("h")[0].split())
                assert left < at_x < left + wide
                assert top + high / 2 < at_y < top + high


def test_what_flies_is_between(padding):
    root = parsed(exports.svg(padding, 0.5, dark=True))
    assert set(fills(group(root, "output"))) == {DARK.slot}
    flying = group(root, "flight").findall(f"{SVG}rect")
    assert len(flying) == 16
    inside = [left for left, _color in squares(group(root, "input"))]
    outside = [left for left, _color in squares(group(root, "output"))]
    for rect in flying:
        assert min(inside) < float(rect.get("x")) < max(outside)


def test_words_are_no_markup(padding):
    hostile = Step(
        "<script>alert(1)</script>", "\"&quot;' ]]> <!-- \x00\x1b\ud800 &amp; \U0001f600"
    )
    scene = replace(padding, steps=(hostile, *padding.steps[1:]))
    root = parsed(exports.svg(scene, 1).encode("utf-8"))
    assert not root.findall(".//script")
    assert not root.findall(f".//{SVG}script")
    shown = " ".join(texts(group(root, "caption")))
    assert "<script>alert(1)</script>" in shown
    assert "\"&quot;' ]]> <!-- \ufffd\ufffd\ufffd &amp; \U0001f600" in shown


def test_it_refers_to_nothing_outside(padding):
    text = exports.svg(padding, 2.5)
    assert text.count("http") == 1
    assert "href" not in text
    assert "url(" not in text


@settings(max_examples=20)
@given(strategies.runs(), st.floats(0, 1))
def test_whatever_the_stage_can_draw(run, part):
    operator, x = run
    scene = dmlviz.scene(dmlviz.run(operator, x))
    root = parsed(exports.svg(scene, part * len(scene.steps), width=400))
    assert len(fills(group(root, "input"))) == x.size


def test_small_cells_have_no_numbers():
    x = np.arange(4096, dtype=np.int16).reshape(64, 64)
    scene = dmlviz.scene(dmlviz.run(dmlviz.Tile((1, 1)), x))
    root = parsed(exports.svg(scene))
    assert texts(group(root, "input")) == []
    assert len(fills(group(root, "output"))) == 4096


def test_a_control_tensor_has_a_dashed_line_round_it():
    root = parsed(exports.svg(dmlviz.scene(picked((3, 4), (2, 0), 0)), 1))
    inputs = group(root, "input")
    dashed = [e for e in inputs.iter() if "stroke-dasharray" in e.attrib]
    assert len(dashed) == 1
    assert texts(inputs) == [*map(str, range(1, 13)), "2", "0"]
    assert "InputTensor {3, 4} FLOAT32, IndicesTensor {1, 2} INT64" in root.findtext(f"{SVG}desc")
