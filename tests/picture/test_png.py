import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import dmlviz
from dmlviz.picture import exports
from dmlviz.picture.board import board, rgb
from dmlviz.picture.moment import moment
from dmlviz.picture.palettes import DARK, LIGHT
from dmlviz.picture.svg import png_file
from tests import strategies
from tests.thorough import tries

WIDTH = 640


def opened(data):
    with Image.open(io.BytesIO(data)) as image:
        image.load()
        return image


def test_pixels_written_without_pillow_are_read_by_it():
    given = np.random.default_rng(1).integers(0, 256, (3, 5, 4), np.uint8)
    image = opened(png_file(given))
    assert image.mode == "RGBA"
    assert np.array_equal(np.asarray(image), given)


def pixels(scene, step=None, **options):
    return np.asarray(opened(exports.png(scene, step, width=WIDTH, **options)))


def corner(picture, of, cells, i):
    """The colour of a cell off its middle, where the number is, and off its patterns."""
    wide, high = of.square
    shift = of.at.gap // 2
    return picture[
        int(cells.y[i]) + shift + high - high // 5, int(cells.x[i]) + shift + wide - wide // 5
    ]


def colors_of(picture, of, cells):
    return np.array([corner(picture, of, cells, i) for i in range(cells.x.size)])


@pytest.fixture
def tile():
    example = dmlviz.Tile.examples()[0]
    return dmlviz.scene(dmlviz.run(example.operator, example.x))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_at_the_end_every_cell_has_the_colour_of_its_source(tile, dark):
    of = board(tile, dark, WIDTH)
    picture = pixels(tile, dark=dark)
    before = colors_of(picture, of, of.input)
    assert len(np.unique(before, axis=0)) == 6
    after = colors_of(picture, of, of.output)
    assert np.array_equal(after, before[tile.trace.source.ravel()])
    assert np.array_equal(picture[0, 0], rgb((DARK if dark else LIGHT).paper))


def test_at_the_beginning_every_place_is_empty(tile):
    of = board(tile, False, WIDTH)
    picture = pixels(tile, 0)
    assert (colors_of(picture, of, of.output) == rgb(LIGHT.slot)).all()
    assert not (colors_of(picture, of, of.input) == rgb(LIGHT.slot)).all(axis=1).any()


def test_half_way_squares_are_between_input_and_output_and_their_places_empty():
    # one row, so that the way is straight and nothing lands on it
    scene = dmlviz.scene(dmlviz.run(dmlviz.Tile((1, 1)), np.array([[1, 2]], np.int32)))
    of = board(scene, False, WIDTH)
    start, half, end = (pixels(scene, t) for t in (0, 0.5, 1))
    assert (colors_of(half, of, of.output) == rgb(LIGHT.slot)).all()
    now = moment(of, 0.5)
    assert now.flying.tolist() == [0, 1]
    assert (of.input.x < now.x).all()
    assert (now.x < of.output.x).all()
    wide, high = of.square
    for i, x, y in zip(now.flying, now.x, now.y, strict=True):
        there = slice(int(y) + 6, int(y) + high - 6), slice(int(x) + 6, int(x) + wide - 6)
        color = of.input.color[i]
        assert (half[there] == color).all(axis=2).mean() > 0.6
        assert not (start[there] == color).all(axis=2).any()
        assert not (end[there] == color).all(axis=2).any()


def test_numbers_are_written_in_cells(tile):
    of = board(tile, False, WIDTH)
    picture = pixels(tile)
    wide, high = of.square
    for i in range(54):
        x, y = int(of.output.x[i]) + 1, int(of.output.y[i]) + 1
        cell = picture[y : y + high, x : x + wide]
        assert (cell == rgb(LIGHT.ink)).all(axis=2).any(), i


def test_padding_values_have_a_pattern(padded):
    scene = dmlviz.scene(padded())
    of = board(scene, False, 1280)
    picture = np.asarray(opened(exports.png(scene)))
    wide, high = of.square
    for i, source in enumerate(scene.trace.source.ravel().tolist()):
        x, y = int(of.output.x[i]) + of.at.gap // 2, int(of.output.y[i]) + of.at.gap // 2
        cell = picture[y : y + high // 3, x : x + wide // 3].astype(int)
        near = np.abs(cell - rgb(LIGHT.hatch)).sum(axis=2).min()
        assert (near < 60) == (source < 0), i


def test_growing_padding_values_are_smaller_than_their_places(padded):
    scene = dmlviz.scene(padded())
    of = board(scene, False, 1280)
    step = next(k for k in range(len(scene.steps)) if (of.source[of.step_of == k] < 0).any())
    now = moment(of, step + 0.5)
    assert now.growing.size
    picture = np.asarray(opened(exports.png(scene, step + 0.5)))
    x, y = int(of.output.x[now.growing[0]]), int(of.output.y[now.growing[0]])
    wide, high = of.square
    assert np.array_equal(picture[y + 2, x + 2], rgb(LIGHT.slot))
    # above the number, below the pattern
    assert np.array_equal(picture[y + high // 2 + 1, x + 1 + wide // 3], rgb(LIGHT.padding))


def test_elements_that_differ_are_struck(tile):
    trace = replace(tile.trace, differences={"OutputTensor": np.array([0])})
    of = board(replace(tile, trace=trace), False, WIDTH)
    picture = pixels(replace(tile, trace=trace))
    wide = of.square[0]
    edge = [picture[int(of.output.y[i]) + 2, int(of.output.x[i]) + wide - 1] for i in (0, 1)]
    assert edge[0].tolist() == rgb(LIGHT.accent).tolist()
    assert edge[1].tolist() != rgb(LIGHT.accent).tolist()


def test_sources_outside_the_input_come_from_nowhere(tile):
    source = tile.trace.source.copy()
    source.flat[:3] = 6, -7, 2**62
    wrong = {"OutputTensor": np.arange(3)}
    trace = replace(tile.trace, sources={"OutputTensor": source}, differences=wrong)
    broken = replace(tile, trace=trace)
    assert moment(board(broken, False, WIDTH), 0.5).growing.tolist() == [0, 1, 2]
    for t in (0.5, None):
        assert pixels(broken, t).shape == pixels(tile, t).shape


def test_pictures_of_one_scene_are_of_one_size_and_told_in_words(tile):
    images = [opened(exports.png(tile, t)) for t in (0, 0.5, 2, None)]
    assert len({image.size for image in images}) == 1
    assert images[0].width == 1280
    assert "output of sizes {1, 1, 6, 9}" in images[0].text["Description"]


@pytest.mark.parametrize("step", [-1, 5.01, float("nan"), float("inf"), "1", True])
def test_moments_that_do_not_exist(tile, step):
    with pytest.raises(dmlviz.Error, match="it must be from 0 to 5") as found:
        exports.png(tile, step)
    assert found.value.field == "step"


@pytest.mark.parametrize("width", [0, -5, 239, 4097, 10**9, 640.5, True])
def test_widths_that_are_not_possible(tile, width):
    for export in (exports.png, exports.svg, exports.gif):
        with pytest.raises(dmlviz.Error, match="a picture must be 240 to 4,096 pixels") as found:
            export(tile, width=width)
        assert found.value.field == "width"


@pytest.mark.parametrize(
    "sizes",
    [(16384, 1), (1, 1, 8192, 2), (2, 8192), (16384,), (16384, 1, 1), (128, 128), (1,) * 8],
    ids=str,
)
@pytest.mark.slow
def test_the_largest_tensors_make_pictures_of_bounded_size(sizes):
    x = np.arange(np.prod(sizes), dtype=np.int32).reshape(sizes)
    scene = dmlviz.scene(dmlviz.run(dmlviz.Tile((1,) * len(sizes)), x))
    image = opened(exports.png(scene, width=WIDTH))
    assert image.width * image.height < 17_000_000
    of = board(scene, False, WIDTH)
    picture = np.asarray(image)
    seen = picture[of.output.y + of.at.gap // 2, of.output.x + of.at.gap // 2]
    assert np.array_equal(seen, of.output.color)


@pytest.mark.parametrize("sizes", [(16384, 1), (1, 1, 128, 128), (64, 256)], ids=str)
def test_the_widest_pictures_are_of_bounded_size(sizes):
    x = np.zeros(sizes, np.int8)
    of = board(dmlviz.scene(dmlviz.run(dmlviz.Tile((1,) * len(sizes)), x)), False, 4096)
    assert of.width * of.height < 17_000_000


@settings(max_examples=tries(25))
@given(strategies.runs(), st.floats(0, 1), st.booleans())
def test_whatever_the_stage_can_draw(run, part, dark):
    operator, x = run
    scene = dmlviz.scene(dmlviz.run(operator, x))
    data = exports.png(scene, part * len(scene.steps), dark=dark, width=400)
    assert opened(data).width >= 400


@pytest.mark.slow
@pytest.mark.parametrize("data_type", list(strategies.DATA_TYPES))
@pytest.mark.parametrize("rank", range(1, 9))
def test_every_data_type_and_rank(data_type, rank):
    sizes = (3, 2, 2, 1, 2, 1, 1, 2)[:rank]
    x = np.arange(np.prod(sizes)).astype(strategies.DATA_TYPES[data_type].dtype).reshape(sizes)
    scene = dmlviz.scene(dmlviz.run(dmlviz.Tile((2,) + (1,) * (rank - 1)), x))
    of = board(scene, False, WIDTH)
    picture = pixels(scene)
    before = colors_of(picture, of, of.input)
    assert len(np.unique(before, axis=0)) == x.size
    assert np.array_equal(colors_of(picture, of, of.output), before[scene.trace.source.ravel()])
