"""Colors of exported pictures, beside the player's."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.picture.board import board
from dmlviz.picture.coloring import brightest, coloring, levels, modes, plane_letters
from dmlviz.picture.moment import moment
from dmlviz.picture.palettes import DARK, LIGHT
from dmlviz.picture.payload import payload
from dmlviz.states import COLORS
from tests.several import chained, picked

HERE = Path(__file__).resolve().parents[1] / "js"


def photo(sizes=(1, 3, 4, 6), dtype=np.uint8, most=255):
    values = np.random.default_rng(7).integers(0, most + 1, sizes)
    return (values / most if np.dtype(dtype).kind == "f" else values).astype(dtype)


def scenes():
    """Pictures on either side or on none, whole and in part, with padding and with control."""
    runs = [
        dmlviz.run(dmlviz.Tile((1, 2, 1, 2)), photo()),
        dmlviz.run(dmlviz.SpaceToDepth(2, "DEPTH_COLUMN_ROW"), photo(dtype=np.float32)),
        dmlviz.run(dmlviz.DepthToSpace(2, "COLUMN_ROW_DEPTH"), photo((1, 12, 2, 2))),
        dmlviz.run(dmlviz.Padding("CONSTANT", (0, 0, 1, 2), (0, 0, 0, 1), 9), photo(most=99)),
        dmlviz.run(dmlviz.Tile((2, 1, 1)), photo((3, 1, 2), np.int16)),
        dmlviz.run(dmlviz.Tile((2,)), np.array([-1, 5, 7], np.int8)),
        chained((1, 3, 2, 2), (1, 3, 2, 1), axis=3),
        picked((3, 3, 4), (2, 0, 2), 1),
    ]
    return [dmlviz.scene(run) for run in runs]


def source_of(scene):
    source = scene.source
    return np.where(source < scene.values.size, source, -1)


def test_python_and_javascript_agree_on_every_color(node):
    cases = list(itertools.product(scenes(), COLORS, (LIGHT, DARK)))
    asked = [
        {"payload": payload(scene), "mode": mode, "theme": "dark" if palette is DARK else "light"}
        for scene, mode, palette in cases
    ]
    answers = json.loads(node(HERE / "check_colors.mjs", text=json.dumps(asked)))
    tinted = 0
    for (scene, mode, palette), theirs in zip(cases, answers, strict=True):
        ours = coloring(scene, source_of(scene), mode, palette)
        assert modes(scene) == theirs["modes"]
        apart = np.abs(ours.color.astype(int) - theirs["css"]).max()
        # the scale of values is rounded before it is mixed
        assert apart <= (mode == "value" or mode not in modes(scene)), (mode, scene.trace.operator)
        assert ours.ink.tolist() == theirs["inks"]
        assert ["RGB"[c] if c >= 0 else "" for c in ours.channel] == theirs["letters"]
        if theirs["levels"]:
            assert levels(scene).tolist() == theirs["levels"]
        tinted += ours.tinted
    assert tinted > 8


def test_planes_are_named_by_what_they_hold():
    scene = dmlviz.scene(dmlviz.run(dmlviz.SpaceToDepth(2, "DEPTH_COLUMN_ROW"), photo()))
    source = source_of(scene)
    found = plane_letters(scene, source, coloring(scene, source, "planes", LIGHT).channel)
    assert found == [("R", "G", "B"), tuple("RGBRGBRGBRGB")]
    # a transposed picture mixes its channels in every plane
    swapped = dmlviz.scene(dmlviz.run(dmlviz.Tile((1, 1, 1)), photo((2, 3, 4))))
    mixed = plane_letters(swapped, np.arange(24)[::-1], np.tile([0, 1, 2], 8))
    assert mixed[1] == ("", "")


@pytest.mark.parametrize(
    ("dtype", "most", "full", "limit"),
    [
        (np.uint8, 99, None, 99.0),
        (np.uint8, 99, 255.0, 255.0),
        (np.uint8, 1, 255.0, 255.0),
        (np.float32, 1, None, 1.0),
        (np.uint8, 255, None, 255.0),
    ],
)
def test_a_dark_picture_of_the_learner_stays_dark(dtype, most, full, limit):
    x = photo(dtype=dtype, most=most)
    trace = dmlviz.run(dmlviz.Tile((1, 1, 1, 2)), x)
    scene = dmlviz.scene(trace, full=full)
    assert brightest(scene) == limit
    assert levels(scene).max() == pytest.approx(x.max() / limit)
    assert payload(scene)["rgb"] == limit
    assert scene.digest != dmlviz.scene(trace, full=200.0).digest


@pytest.mark.parametrize("dark", [False, True])
def test_composed_pictures_fill_as_elements_land(dark):
    x = photo()
    scene = dmlviz.scene(dmlviz.run(dmlviz.Tile((1, 1, 1, 2)), x))
    of = board(scene, dark, 640, colors="planes")
    first, second = of.composed
    pixels = x[0].transpose(1, 2, 0)
    start, halfway, end = (
        second.landed_pixels(moment(of, step).landed) for step in (0, 1.5, len(of.steps))
    )
    assert np.array_equal(first.landed_pixels(moment(of, 0).landed)[..., :3], pixels)
    assert not start[..., 3].any()
    assert halfway[:, :6, 3].all()
    assert not halfway[:, 6:, 3].any()
    assert np.array_equal(end[..., :3], np.concatenate([pixels, pixels], axis=1))
    assert of.at.height <= second.top
    assert second.top + second.high < of.caption.top
    assert second.left + second.wide <= of.width


def test_nothing_is_composed_of_other_colors_or_of_one_channel():
    for x, colors in ((photo(), "value"), (photo(), "picture"), (photo((1, 1, 4, 4)), "planes")):
        of = board(
            dmlviz.scene(dmlviz.run(dmlviz.Tile((1, 1, 1, 2)), x)), False, 640, colors=colors
        )
        assert of.composed == ()
        assert of.caption.top == of.at.height
