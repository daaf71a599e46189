"""Excerpts of runs that are too large to draw: a part, with the indices of the whole."""

import json
import math

import numpy as np
import pytest

import dmlviz
from dmlviz.picture.excerpts import WHOLE_LIMIT, excerpt_of
from dmlviz.picture.exports import svg
from dmlviz.picture.payload import payload
from dmlviz.picture.scene import STAGE_LIMIT, scene
from dmlviz.picture.sections import element_lines, move_rows

PATCHES = (
    "b, c, h, w = x.shape\n"
    "x = x.reshape(b, c, h // 16, 16, w // 16, 16)\n"
    "x.permute(0, 2, 4, 3, 5, 1).reshape(b, (h // 16) * (w // 16), -1)"
)
IMAGE = (1, 3, 224, 224)

CODE = (
    (PATCHES, {"x": IMAGE}),
    ("x.flip(3)", {"x": IMAGE}),
    ("F.pad(x, (3, 3, 3, 3), value=7)", {"x": IMAGE}),
    ("torch.roll(x, (-3, -3), (1, 2))", {"x": (1, 56, 56, 96)}),
    ("x[::300, ::300]", {"x": (600, 600)}),
    ("torch.diagonal(x)", {"x": (1000, 1000)}),
    ("torch.cat([x, y], 1)", {"x": (300, 300), "y": (300, 1)}),
    ("torch.cat([x, y], 1)", {"x": (300, 100), "y": (300, 500)}),
    ("x.reshape(-1)", {"x": (400, 400)}),
    ("x, x.T", {"x": (300, 300)}),
    ("x.new_zeros(300, 300), x.T[:2]", {"x": (300, 300)}),
    ("x.expand(500, 500)", {"x": (1, 1)}),
)


def part(array, run, name):
    """The elements of an array that the excerpt has."""
    places = run.places.get(name)
    return array if places is None else array[np.ix_(*places)]


@pytest.mark.parametrize("around", [False, True])
@pytest.mark.parametrize(("text", "tensors"), CODE, ids=range(len(CODE)))
def test_a_part_has_the_elements_and_sources_of_the_whole(text, tensors, around):
    trace = dmlviz.code(text, "torch", **tensors)
    middle = {
        name: tuple(int(0.7 * n) for n in x.shape) for name, x in trace.outputs.items() if around
    }
    run = excerpt_of(trace, middle)
    numbers, start = [], 0
    for name, x in trace.inputs.items():
        own = np.arange(start, start + x.size).reshape(x.shape)
        start += x.size
        np.testing.assert_array_equal(part(x, run, name), run.inputs[name])
        numbers.append(part(own, run, name).ravel())
    line = np.concatenate(numbers)
    for name, x in trace.outputs.items():
        np.testing.assert_array_equal(part(x, run, name), run.outputs[name])
        source = run.sources[name]
        whole = np.where(source < 0, -1, line[source])
        np.testing.assert_array_equal(whole, part(trace.sources[name], run, name))
        if around and name in run.places:
            pairs = zip(middle[name], run.places[name], strict=True)
            assert all(i in places for i, places in pairs)
    sides = [run.inputs, run.outputs]
    assert all(x.size <= WHOLE_LIMIT for side in sides for x in side.values())
    assert run.places
    assert run.agrees


def test_names_are_those_of_the_whole():
    trace = dmlviz.code(PATCHES, "torch", x=IMAGE)
    picture = scene(trace, around={"out": (0, 100, 300)})
    output, side = picture.trace.outputs["out"], picture.output
    places = picture.trace.places["out"]
    assert [side.at(cell)[1] for cell in (0, output.size - 1)] == [
        (0, places[1][0], places[2][0]),
        (0, places[1][-1], places[2][-1]),
    ]
    # every cell's sentence and formula say where it is in the whole
    for cell in range(output.size):
        _tensor, index = side.at(cell)
        due = np.unravel_index(trace.source[index], IMAGE)
        assert picture.input.at(int(picture.source[cell]))[1] == tuple(map(int, due))
        (formula,) = picture.trace.formulas["out"]
        assert f"= x[{', '.join(map(str, due))}]" in formula.numbers(index)
    told = json.dumps(payload(picture))
    assert "{1, 196, 768}" in told
    last = ", ".join(str(own[-1]) for own in places)
    assert element_lines(picture.trace)[0].startswith(f"out[{last}] = ")
    rows = move_rows(picture.trace)
    assert rows[0]["Output element"] == f"[0, {places[1][0]}, {places[2][0]}]"
    assert [step.title for step in picture.steps[:2]] == [
        f"out[:, {places[1][0]}, :]",
        f"out[:, {places[1][1]}, :]",
    ]


def test_a_picture_says_what_it_leaves_out():
    picture = scene(dmlviz.code("x.flip(3)", "torch", x=IMAGE))
    assert "150,528 elements, each equal to its source. The picture is an excerpt: " in (
        picture.check()
    )
    drawn = f"{picture.trace.output.size:,} of 150,528 of out"
    assert drawn in picture.check()
    sizes = ", ".join(map(str, picture.trace.x.shape))
    assert f"{{{sizes}}} of {{1, 3, 224, 224}}" in svg(picture)
    # the labels of columns are indices of the whole
    assert ">223<" in svg(picture)


def test_a_call_is_drawn_in_part_as_well():
    trace = dmlviz.code(PATCHES, "torch", x=IMAGE)
    for step in trace.steps:
        run = scene(step.trace).trace
        assert run.places
        assert run.agrees
        for name, x in run.outputs.items():
            np.testing.assert_array_equal(part(step.trace.outputs[name], run, name), x)


def test_what_can_be_drawn_is_whole():
    side = math.isqrt(STAGE_LIMIT)
    assert scene(dmlviz.code("x.T", x=(side, side))).trace.places == {}
    assert scene(dmlviz.code("x.T", x=(side, side + 1))).trace.places


def test_an_element_that_differs_is_among_those_of_the_part():
    trace = dmlviz.code("x.flip(0)", "torch", x=(70_000,))
    wrong = {"out": np.array([1, 69_999])}
    broken = type(trace)(**{**vars_of(trace), "differences": wrong})
    run = excerpt_of(broken)
    assert run.differing.tolist() == [1]
    assert not run.agrees
    assert "2 of 70000 elements differ" in run.check()


def vars_of(trace):
    """The attributes with which a run is made."""
    return {name: getattr(trace, name) for name in trace.__dataclass_fields__}
