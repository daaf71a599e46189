"""Two codes: the first element that differs, the calls that agree, one result made of the other."""

import numpy as np
import pytest

from dmlviz.base.errors import Error
from dmlviz.code import compared, read
from dmlviz.code.comparing import comparison_lines
from tests.code.chains import chains


def comparison(one, two, library=None, **sizes):
    return compared(*(read(text, sizes, library=library) for text in (one, two)))


def test_two_turns():
    both = comparison("np.rot90(x)", "np.rot90(x, -1)", x=(3, 4))
    assert not both.same
    assert (both.difference.at, both.difference.count, both.sources) == ((0, 0), 12, (3, 8))
    assert (both.agreeing, both.first_only, both.second_only) == (0, 0, 0)
    assert "A[::-1, ::-1]" in {one.text for one in both.second_of_first}


def test_calls_that_agree():
    both = comparison(
        "x = x.reshape(2, 3, 4)\nx = x.permute(0, 2, 1)\nx[:, 1:]",
        "x = x.reshape(2, 3, 4)\nx = x.permute(0, 2, 1)\nx[:, :-1]",
        x=(2, 12),
    )
    assert both.agreeing == 2
    assert both.difference.at == (0, 0, 0)
    assert both.sources == (1, 0)
    assert (both.first_only, both.second_only) == (6, 6)
    assert both.second_of_first == ()


def test_the_first_element_is_the_first_in_row_major_order():
    both = comparison("np.pad(x, 2, mode='reflect')", "np.pad(x, 2, mode='symmetric')", x=(3, 4))
    one, two = (np.pad(np.arange(12).reshape(3, 4), 2, mode=m) for m in ("reflect", "symmetric"))
    differing = np.argwhere(one != two)
    assert both.difference.at == tuple(differing[0])
    assert both.difference.count == len(differing)


def test_constants_differ_too():
    both = comparison("np.pad(x, 1)", "np.pad(x, 1, constant_values=5)", x=(2, 2))
    assert (both.difference.count, both.sources) == (12, (-1, -1))
    assert comparison("np.pad(x, 1)", "np.pad(np.pad(x, 1), 0)", x=(2, 2)).same


def test_other_sizes():
    both = comparison("x.T", "x.reshape(-1)", x=(2, 3))
    assert (both.same, both.difference, both.sources) == (False, None, None)
    assert both.first_sizes == ((3, 2),)
    assert both.second_sizes == ((6,),)
    assert "rearrange(A, 'h w -> (w h)')" in {one.text for one in both.second_of_first}


@pytest.mark.parametrize(
    ("one", "two", "due"),
    [
        ("x.T", "x[::-1]", ["The first calls already give different tensors."]),
        (
            "x.T[:2]",
            "x.T[1:]",
            [
                "The first call gives the same tensor in both.",
                "Input elements in A only: 2; in B only: 2.",
            ],
        ),
        (
            "x.T.T[:1]",
            "x.T.T[1:]",
            [
                "The first 2 calls give the same tensors in both.",
                "Input elements in A only: 3; in B only: 3.",
            ],
        ),
    ],
)
def test_what_two_codes_have_in_common_is_said(one, two, due):
    lines = comparison_lines(comparison(one, two, x=(2, 3)))
    assert len(lines) == len(due)
    assert all(line.startswith(start) for line, start in zip(lines, due, strict=True))


def test_several_outputs():
    both = comparison("a, b = np.split(x, 2)", "b, a = np.split(x, 2)\na, b", x=(4, 2))
    assert both.difference.output == "a"
    assert both.second_of_first == ()


def test_other_inputs_are_refused():
    one, two = (read("x.T", {"x": sizes}) for sizes in ((2, 3), (3, 2)))
    with pytest.raises(Error, match=r"inputs: .*2, 3.*3, 2"):
        compared(one, two)


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_chains_that_differ_in_the_last_call(library):
    pytest.importorskip(library)
    count = 0
    for sizes, code, due in chains(library, 40, seed=5):
        if due is None or due.ndim == 0:
            continue
        one = read(code, {"x": sizes}, library=library)
        if (one.maps[one.outputs["out"]] < 0).any():
            continue  # a constant can be equal to an element
        turned = "x[::-1]" if library == "numpy" else "x.flip(0)"
        two = read(f"{code}\nx = {turned}", {"x": sizes}, library=library)
        both = compared(one, two)
        differing = np.argwhere(due != due[::-1])
        if not len(differing):
            continue
        count += 1
        assert both.agreeing >= len(one.operations)
        assert both.difference.at == tuple(differing[0])
        assert both.difference.count == len(differing)
        assert bool(both.second_of_first) == (np.unique(due).size == due.size)
    assert count > 5
