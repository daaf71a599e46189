"""Kinds of setting: what they read, and what they become for an input of other sizes."""

import pytest

import dmlviz
from dmlviz import GatherND, Slice, SliceGrad, Split, TopK, Unfold
from dmlviz.base.spelling import print_setting
from dmlviz.operators.per_dimension import Extent, IndexPerDimension, PerDimension, Stride
from dmlviz.operators.settings import Axis, Choice, Count, Dice, Numbers

AXIS = Axis("axis", "Axis", "")
PARTS = Numbers("parts", "Parts", "")


def test_an_axis_is_one_of_the_dimensions():
    assert AXIS.read("0") == 0
    assert AXIS.options((2, 3, 5)) == (0, 1, 2)
    assert AXIS.options(()) == tuple(range(8))
    assert AXIS.neutral((2, 3)) == 0
    assert list(AXIS.refused(0, (2, 3))) == [2]
    with pytest.raises(dmlviz.Error, match='axis: "last" is not a whole number from 0 to 65,536'):
        AXIS.read("last")


@pytest.mark.parametrize(("value", "fitted"), [(0, 0), (2, 1), (3, 3)])
def test_an_axis_that_was_possible_stays_possible(value, fitted):
    assert AXIS.fitted(value, (5, 7), (2, 3, 5)) == fitted


@pytest.mark.parametrize(
    ("value", "sizes", "before", "fitted"),
    [
        (0, (1, 5, 3), (5, 3), 1),
        (1, (1, 1, 5, 3), (5, 3), 3),
        (2, (5, 3), (1, 5, 3), 1),
        (0, (5, 3), (1, 5, 3), 0),
        (1, (5, 3, 1), (5, 3), 1),
        (0, (5, 4), (5, 3), 0),
    ],
)
def test_an_axis_follows_when_leading_dimensions_come_or_go(value, sizes, before, fitted):
    assert AXIS.fitted(value, sizes, before) == fitted


def test_what_does_nothing_is_not_asked_about():
    sizes = Choice("block_size", "BlockSize", "", offered=lambda sizes: (1, 2), initial=2, idle=1)
    dice = Dice("1")
    assert {sizes.drawn((4, 4), [0], lambda n: n, dice) for _ in range(20)} == {2}
    assert {AXIS.drawn((4, 4), [1], lambda n: n, dice) for _ in range(20)} == {1}
    assert {AXIS.drawn((4, 4), [], lambda n: n, dice) for _ in range(40)} == {0, 1}


def test_numbers_are_read_as_they_are_written():
    assert PARTS.typed
    assert PARTS.read("2, 1,3") == (2, 1, 3)
    assert PARTS.read(print_setting((2, 1, 3))) == (2, 1, 3)
    assert PARTS.spell((2, 1, 3)) == "{2, 1, 3}"
    assert PARTS.neutral((5,)) == (1,)
    assert list(PARTS.nearby((2, 1), ())) == [(1, 2), (1, 2)]
    assert list(PARTS.refused((2, 1), ())) == [(3, 1), (2, 2)]


@pytest.mark.parametrize("text", ["", "0", "2,,1", "1.5", "-1", "1,1,1,1,1,1,1,1,1", "x" * 9999])
def test_what_are_no_numbers(text):
    with pytest.raises(dmlviz.Error, match=r"parts: .* 1 to 8 whole numbers from 1 to 65,536\."):
        PARTS.read(text)


def test_a_count_is_a_whole_number_of_its_own():
    count = Count("k", "K", "", most=lambda sizes: max(sizes))
    assert (count.read("7"), count.neutral((3,))) == (7, 1)
    assert list(count.nearby(2, (3, 2))) == [3, 1]
    assert list(count.nearby(3, (3, 2))) == [2]
    assert list(count.refused(2, (3, 2))) == [0, 4]
    assert {count.drawn((3, 2), [0], lambda n: n, Dice(str(k))) for k in range(40)} == {1, 2, 3}
    assert count.probed((9, 9), (2, 3), 0) == (2, 3)
    with pytest.raises(dmlviz.Error, match='k: "0" is not a whole number from 1 to 65,536'):
        count.read("0")


def test_numbers_for_all_dimensions_but_the_first():
    spatial = PerDimension("window_sizes", "WindowSizes", "", least=1, usual=1, skip=2)
    assert list(spatial.dimensions((1, 3, 5, 7))) == [2, 3]
    assert spatial.neutral((1, 3, 5, 7)) == (1, 1)
    assert spatial.neutral((1, 3)) == spatial.read("") == ()
    assert spatial.fitted((3, 2), (1, 3, 5), (1, 3, 5, 7)) == (3,)
    assert spatial.fitted((3,), (1, 3, 5, 7), (1, 3, 5)) == (3, 1)
    assert list(spatial.nearby((3, 1), (1, 3, 5, 7))) == [(4, 1), (2, 1)]
    assert list(spatial.refused((3, 1), (1, 3, 5, 7))) == [(0, 1), (3, 0), (1,)]
    assert spatial.probed((1, 3, 5, 7), (11, 13, 17), 0) == ((11, 13),)
    drawn = spatial.drawn((1, 3, 5, 7), [1, 3], lambda n: 9, Dice("2"))
    assert drawn[0] == 1
    with pytest.raises(dmlviz.Error, match="one for each of 1 to 6 dimensions"):
        spatial.read("1,1,1,1,1,1,1")


def test_places_and_extents_of_the_last_dimensions():
    place = IndexPerDimension("start", "Start", "", skip=1)
    assert list(place.refused((0,), (4, 5))) == [(-1,), (5,)]
    assert place.probed((8, 9), (), 1) == ((0,),)
    extent = Extent("count", "Count", "", least=1, skip=1)
    assert extent.neutral((4, 5)) == (5,)
    assert extent.fitted((5,), (4, 9), (4, 5)) == (9,)
    assert extent.fitted((3,), (4, 9), (4, 5)) == (3,)
    apart = Stride("stride", "Stride", "", least=1, skip=1)
    assert not apart.signed
    assert apart.drawn((4, 5), [1], lambda n: 9, Dice("1"))[0] >= 1


COUNTED, INDICES = GatherND.parameters()[:2]


def test_dimensions_of_gather_nd_are_those_of_its_tensors():
    assert COUNTED.options((1, 5, 3)) == (2, 3)
    assert COUNTED.options((1, 1)) == (1, 2)
    assert COUNTED.options((5,)) == (1,)
    assert COUNTED.options(()) == tuple(range(1, 9))
    assert INDICES.options((5, 3)) == (1, 2)
    assert COUNTED.fitted(2, (2, 5, 3), (5, 3)) == 3
    assert COUNTED.fitted(2, (1, 5, 3), (1, 1, 5, 3)) == 2
    assert COUNTED.fitted(3, (5, 3), (1, 1, 5, 3)) == 2


@pytest.mark.parametrize(
    ("cls", "before", "sizes", "settings", "due"),
    [
        # the whole of a dimension stays the whole of it
        (Slice, (4,), (9,), [(0,), (4,), (-1,), (0,)], [(0,), (9,), (-1,), (0,)]),
        (Slice, (4,), (9,), [(1,), (3,), (2,), (2,)], [(1,), (3,), (2,), (2,)]),
        # what no longer fits is cut off at the end
        (Slice, (7,), (4,), [(1,), (4,), (-1,), (4,)], [(1,), (3,), (-1,), (0,)]),
        (Slice, (7,), (2,), [(5,), (2,), (1,), (0,)], [(1,), (1,), (1,), (0,)]),
        # another rank
        (Slice, (4,), (4, 5), [(1,), (2,), (2,), (0,)], [(1, 0), (2, 5), (2, 1), (0, 0)]),
        (Slice, (4, 5), (4,), [(1, 0), (2, 5), (2, 1), (0, 0)], [(1,), (2,), (2,), (0,)]),
        # a stride that is not possible stays for its sentence
        (Slice, (4,), (9,), [(0,), (4,), (0,), (0,)], [(0,), (9,), (0,), (0,)]),
        (Split, (3, 7), (3, 9), [1, (2, 5)], [1, (2, 7)]),
        (Split, (3, 7), (3, 4), [1, (2, 5)], [1, (2, 2)]),
        (Split, (3, 7), (3, 2), [1, (2, 5)], [1, (2,)]),
        (Split, (3, 7), (9,), [1, (2, 5)], [0, (2, 7)]),
        (Split, (3, 7), (4, 7), [1, (2, 5)], [1, (2, 5)]),
        # what did not add up stays for its sentence
        (Split, (3, 7), (3, 9), [1, (2, 2)], [1, (2, 2)]),
        (Split, (3, 7), (3, 9), [5, (2, 2)], [5, (2, 2)]),
        (SliceGrad, (3,), (9,), [(1,), (5,), (-2,), (7,)], [(1,), (17,), (-2,), ()]),
        (SliceGrad, (3,), (2,), [(1,), (5,), (-2,), (7,)], [(1,), (5,), (-2,), (7,)]),
        (TopK, (3, 4), (3, 2), [1, 4], [1, 2]),
        (TopK, (3, 4), (3, 2), [1, 9], [1, 9]),
        (Unfold, (1, 2, 5, 3), (1, 2, 5), [(2, 3), (2, 1), (1, 2), (1, 0), (0, 3)], [(2,), (2,), (1,), (1,), (0,)]),
        (Unfold, (1, 2, 5, 3), (1, 2, 5, 3, 4), [(2, 3), (2, 1), (1, 2), (1, 0), (0, 3)], [(2, 3, 1), (2, 1, 1), (1, 2, 1), (1, 0, 0), (0, 3, 0)]),
    ],
)  # fmt: skip
def test_settings_follow_the_sizes(cls, before, sizes, settings, due):
    values = {kind.name: value for kind, value in zip(cls.parameters(), settings, strict=False)}
    assert cls(**cls.fitted(values, sizes, before)) == cls(*due)


@pytest.mark.parametrize("sizes", [(9,), (3, 4)])
def test_a_gradient_still_fits_in_its_output(sizes):
    values = SliceGrad((1,), (5,), (-2,), (7,)).settings
    assert SliceGrad(**SliceGrad.fitted(values, sizes, (3,))).problems(sizes, None) == []
