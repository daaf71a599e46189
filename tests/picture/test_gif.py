import io
import struct

import numpy as np
import pytest
from PIL import Image, ImageSequence

import dmlviz
from dmlviz.picture import exports
from dmlviz.picture.board import board, rgb
from dmlviz.picture.palettes import LIGHT
from dmlviz.picture.raster import MOST_FRAMES, schedule
from tests.limits import LARGEST_GIF


def frames_of(data):
    """All frames in red, green and blue, and how long each is shown."""
    with Image.open(io.BytesIO(data)) as image:
        assert image.is_animated
        assert image.info["loop"] == 0
        return [
            (np.asarray(frame.convert("RGB")).copy(), frame.info["duration"])
            for frame in ImageSequence.Iterator(image)
        ]


def scene_of(operator, x):
    return dmlviz.scene(dmlviz.run(operator, x))


@pytest.fixture
def pair():
    return scene_of(dmlviz.Tile((1, 2)), np.array([[1, 9]], np.int32))


def test_the_flight_frame_by_frame(pair):
    of = board(pair, False, 960)
    frames = [picture for picture, _ms in frames_of(exports.gif(pair))]
    # the second element, in its first step
    color = of.input.color[1]
    middles = []
    for picture in frames:
        right_of_input = picture[:, int(of.input.x[1]) + of.at.cell[0] :]
        found = np.abs(right_of_input.astype(int) - color).max(axis=2) <= 4
        xs = found.any(axis=0).nonzero()[0]
        if xs.size > of.square[0] + 2:
            break  # the second copy is on its way
        if xs.size >= of.square[0] - 6:
            middles.append(xs.mean())
    assert len(middles) >= 6
    assert middles == sorted(middles)
    assert len(set(middles)) > 5
    shift = int(of.input.x[1]) + of.at.cell[0]
    assert middles[-1] + shift == pytest.approx(of.output.x[1] + of.at.cell[0] / 2, abs=2)


def test_it_begins_empty_and_ends_complete(pair):
    of = board(pair, False, 960)
    frames = frames_of(exports.gif(pair))
    places = [(int(y) + 6, int(x) + 6) for x, y in zip(of.output.x, of.output.y, strict=True)]
    first = np.array([frames[0][0][place] for place in places])
    last = np.array([frames[-1][0][place] for place in places])
    assert np.abs(first - rgb(LIGHT.slot)).max() <= 4
    assert np.abs(last - of.output.color.astype(int)).max() <= 4


def test_it_rests_after_every_step(pair):
    frames = frames_of(exports.gif(pair, seconds_per_step=1.0))
    assert sum(ms for _picture, ms in frames) == pytest.approx(360 + 2 * 1000 + 720, abs=20)
    longest = sorted(ms for _picture, ms in frames)[-3:]
    assert longest[0] > 300
    assert longest[-1] > 1000


def images_of(data):
    """Width, height and whether it has colours of its own, of every image in a GIF file."""
    at = 13 + 3 * 2 ** ((data[10] & 7) + 1)
    found = []
    while data[at] != ord(";"):
        if data[at] == ord("!"):
            at += 2
        else:
            wide, high, flags = struct.unpack_from("<HHB", data, at + 5)
            found.append((wide, high, bool(flags & 128)))
            at += 11
        while data[at]:
            at += data[at] + 1
        at += 1
    assert at == len(data) - 1
    return found


def test_frames_hold_only_what_differs_in_one_palette(pair):
    found = images_of(exports.gif(pair))
    areas = [wide * high for wide, high, _own in found]
    assert max(areas[1:]) < areas[0]
    assert sorted(areas)[len(areas) // 2] < areas[0] / 3
    assert not any(own for _wide, _high, own in found)


def test_progress_goes_from_0_to_1(pair):
    told = []
    exports.gif(pair, width=240, progress=told.append)
    assert told == sorted(told)
    assert 0 < told[0] < 0.2
    assert told[-1] == 1


@pytest.mark.parametrize("steps", [1, 2, 7, 100, 239, 240, 5_000, 16_384])
def test_frames_are_bounded_whatever_the_number_of_steps(steps):
    plan = schedule(steps, 1.2, 15)
    assert len(plan) <= MOST_FRAMES
    moments = [t for t, _ms in plan]
    assert moments == sorted(set(moments))
    assert moments[0] == 0
    assert moments[-1] == steps
    assert all(ms >= 20 and ms % 10 == 0 for _t, ms in plan)
    assert sum(ms for _t, ms in plan) <= 125_000


def test_large_pictures_have_fewer_frames():
    assert len(schedule(1, 10.0, 50, 9)) <= 9
    assert len(schedule(20, 1.0, 50, 9)) <= 9


@pytest.mark.slow
def test_a_movement_of_thousands_of_steps():
    scene = scene_of(dmlviz.DepthToSpace(32), np.arange(1024).reshape(1, 1024, 1, 1))
    assert len(scene.steps) == 1024
    frames = frames_of(exports.gif(scene, width=240))
    assert 100 < len(frames) <= MOST_FRAMES


def test_16384_cells():
    x = np.arange(16_384, dtype=np.float32).reshape(1, 16, 32, 32)
    data = exports.gif(scene_of(dmlviz.DepthToSpace(4), x), width=480)
    assert len(frames_of(data)) > 30
    assert len(data) < LARGEST_GIF


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seconds_per_step", 0),
        ("seconds_per_step", float("nan")),
        ("seconds_per_step", 11),
        ("seconds_per_step", "1"),
        ("frames_per_second", 0),
        ("frames_per_second", 51),
    ],
)
def test_speeds_that_are_not_possible(pair, name, value):
    with pytest.raises(dmlviz.Error, match=f"{name}: .* is invalid") as found:
        exports.gif(pair, **{name: value})
    assert found.value.field == name


def test_dark_and_nan_and_padding(padded):
    x = np.array([[np.nan, np.inf, -np.inf, -0.0]], np.float16)
    for scene in (scene_of(dmlviz.Tile((2, 1)), x), dmlviz.scene(padded())):
        frames = frames_of(exports.gif(scene, dark=True, width=320, frames_per_second=5))
        assert frames[0][0][0, 0].max() < 40


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("side", [4, 64])
def test_frames_look_like_pictures(side, dark):
    """The shared palette has a colour near to whatever is drawn."""
    x = np.arange(side * side, dtype=np.float32).reshape(side, side)
    scene = scene_of(dmlviz.Padding("CONSTANT", (0, 1), (0, 0), 2.5), x)
    frames = frames_of(exports.gif(scene, dark=dark, width=480, frames_per_second=5))
    plan = schedule(len(scene.steps), 1.2, 5)
    ends = np.cumsum([ms for _frame, ms in frames])
    assert ends[-1] == sum(ms for _t, ms in plan)
    begin = 0
    for t, lasts in plan:
        frame = frames[int((ends <= begin).sum())][0]
        with Image.open(io.BytesIO(exports.png(scene, t, dark=dark, width=480))) as image:
            apart = np.abs(np.asarray(image).astype(int) - frame).max(axis=2)
        # numbers that grow are scaled, not written again
        assert (apart > 40).mean() < 0.01
        assert apart.mean() < 2
        begin += lasts
