"""Other sizes that are accepted: prime, different, and as many as can change."""

import math

import pytest

from dmlviz.code.other_sizes import LIMIT, OTHERS, other_sizes


def found(sizes, accepts, **more):
    return other_sizes(sizes, lambda of: of if accepts(of) else None, **more)


def test_sizes_that_are_free_become_different_primes():
    one, two, *_rest = found({"x": (1, 1, 2, 2)}, lambda _of: True)
    for other in (one, two):
        assert len({*other["x"]}) == 4
        assert all(n > 1 and all(n % k for k in range(2, n)) for n in other["x"])
    assert all(a != b for a, b in zip(one["x"], two["x"], strict=True))


def test_the_neighbors_of_the_sizes_are_tried():
    others = [of["x"] for of in found({"x": (4, 6)}, lambda _of: True)]
    assert {(5, 7), (3, 5)} <= {*others}
    assert len(others) == len({*others}) == OTHERS


@pytest.mark.parametrize(
    ("sizes", "accepts", "changed"),
    [
        ((2, 8, 3), lambda x: x[1] % 4 == 0, (0, 1, 2)),
        ((3, 3), lambda x: x[0] == x[1], (0, 1)),
        ((4, 3, 4), lambda x: x[0] == x[2] and x[1] == 3, (0, 2)),
        ((1, 5), lambda x: x[0] == 1, (1,)),
        ((2, 12), lambda x: x == (2, 12), ()),
        ((6, 4), lambda x: x[0] * x[1] == 24, ()),
    ],
)
def test_what_cannot_change_stays(sizes, accepts, changed):
    others = [of["x"] for of in found({"x": sizes}, lambda of: accepts(of["x"]))]
    assert all(map(accepts, others))
    pairs = (enumerate(zip(sizes, other, strict=True)) for other in others)
    assert {d for every in pairs for d, (n, m) in every if n != m} == {*changed}


@pytest.mark.parametrize(
    ("sizes", "accepts", "most"),
    [
        # each set at once
        ((2, 8, 3), lambda _x: True, OTHERS + 2),
        # the first set place after place, the others as that one
        ((2, 8, 3), lambda x: x[1] % 4 == 0, OTHERS + 8),
        # what stays is given up
        ((2, 12), lambda x: x == (2, 12), 24),
        ((6, 5), lambda x: x[1] == 5, OTHERS + 12),
    ],
)
def test_sizes_are_tried_once_and_as_they_could_change_before(sizes, accepts, most):
    tried = []
    found({"x": sizes}, lambda of: tried.append(of["x"]) or accepts(of["x"]))
    assert len(tried) == len({*tried}) <= most


def test_a_size_of_1_becomes_no_number_of_the_code():
    others = found({"x": (1, 3)}, lambda of: of["x"][1] == 3, text="x.expand(5, 3)")
    assert not {1, 3, 5} & {of["x"][0] for of in others}
    # nor does another size become 1
    assert all(1 not in of["x"] for of in found({"x": (2, 2)}, lambda _of: True))


def test_tensors_whose_sizes_must_be_equal():
    others = found({"x": (2, 3), "y": (2, 3)}, lambda of: of["x"] == of["y"])
    assert others
    assert all(of["x"] == of["y"] != (2, 3) for of in others)


def test_there_is_room_for_the_numbers_of_the_code():
    first, second, *_rest = found({"x": (10,)}, lambda _of: True, text="np.pad(x, (50, 2))")
    assert first["x"][0] > 100
    assert second["x"][0] < 10


@pytest.mark.parametrize("rank", range(1, 9))
def test_the_elements_are_bounded(rank):
    others = found({"x": (2,) * rank}, lambda _of: True, others=4)
    assert len(others) >= 2
    assert all(math.prod(of["x"]) <= LIMIT for of in others)
