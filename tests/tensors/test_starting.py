import numpy as np
import pytest

from dmlviz.base.errors import Error, TooLarge
from dmlviz.tensors import DATA_TYPES, PICTURES, STARTING_VALUES, draw, print_value, start


@pytest.mark.parametrize("data_type", DATA_TYPES)
@pytest.mark.parametrize("name", STARTING_VALUES)
@pytest.mark.parametrize("sizes", [(7,), (2, 3), (2, 3, 5), (1, 2, 3, 5), (2,) * 8])
def test_every_start_in_every_type(name, sizes, data_type):
    values = start(name, sizes, data_type)
    assert values.shape == sizes
    assert values.dtype == DATA_TYPES[data_type].dtype
    assert not values.flags.writeable
    assert values.flags.c_contiguous
    assert max(len(print_value(v)) for v in values.flat) <= 4


def test_titles():
    assert list(STARTING_VALUES) == ["count-0", "count-1", "channel", "random", "picture"]
    assert len({title() for title in STARTING_VALUES.values()}) == 5


@pytest.mark.parametrize(
    ("data_type", "last"), [("INT8", 127), ("UINT8", 255), ("FLOAT16", 2048), ("INT16", 32767)]
)
@pytest.mark.parametrize("first", [0, 1])
def test_counting_starts_again_where_the_type_ends(data_type, last, first):
    values = start(f"count-{first}", (65_536,), data_type).astype(int).tolist()
    assert values[0] == first
    turn = values.index(last)
    assert values[: turn + 1] == list(range(first, last + 1))
    assert values[turn + 1 : turn + 3] == [first, first + 1]


def test_a_channel_is_its_number():
    values = start("channel", (2, 5, 3, 2), "INT32")
    assert (values == np.arange(5).reshape(1, 5, 1, 1)).all()
    assert (start("channel", (2, 3, 5, 2, 7), "INT32")[1, 2, :, 1, 3] == np.arange(5)).all()
    assert start("channel", (3, 2), "FLOAT32").tolist() == [[0, 0], [1, 1], [2, 2]]
    assert start("channel", (3,), "UINT8").tolist() == [0, 1, 2]
    assert start("channel", (130, 1, 1), "INT8")[126:, 0, 0].tolist() == [126, 127, 0, 1]


def test_random_numbers_are_small_and_stay():
    few, many = start("random", (7,), "INT8", seed=3), start("random", (11, 13), "INT8", seed=3)
    assert few.tolist() == many.ravel()[:7].tolist()
    assert few.tolist() == start("random", (7,), "INT64", seed=3).tolist()
    assert few.tolist() != start("random", (7,), "INT8", seed=4).tolist()
    large = start("random", (65_536,), "INT16")
    assert (large.min(), large.max()) == (-99, 99)
    large = start("random", (65_536,), "UINT64")
    assert (large.min(), large.max()) == (0, 99)
    large = start("random", (65_536,), "FLOAT64")
    assert (large.min(), large.max()) == (-9.9, 9.9)


def test_the_first_picture_unless_another_is_named():
    assert (start("picture", (4, 5), "INT8") == draw(next(iter(PICTURES)), (4, 5), "INT8")).all()
    assert (start("picture", (4, 5), "INT8", picture="key") == draw("key", (4, 5), "INT8")).all()


@pytest.mark.parametrize("name", STARTING_VALUES)
def test_too_large_is_told_before_anything_is_allocated(name):
    with pytest.raises(TooLarge, match="4,194,304"):
        start(name, (2**32 - 1,) * 8, "FLOAT64")
    with pytest.raises(TooLarge, match="4,194,305"):
        start(name, (4_194_305,), "UINT8")


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: start("zeros", (2,), "INT8"), "starting_values"),
        (lambda: start("count-0", (2, 0), "INT8"), "sizes"),
        (lambda: start("count-0", (2,), "BOOL"), "data_type"),
        (lambda: start("random", (2,), "INT8", seed=-1), "seed"),
        (lambda: start("random", (2,), "INT8", seed=True), "seed"),
        (lambda: start("picture", (2,), "INT8", picture="dog"), "picture"),
    ],
)
def test_refusals_name_their_field(call, field):
    with pytest.raises(Error) as caught:
        call()
    assert caught.value.field == field
