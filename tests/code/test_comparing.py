"""Two codes: the first element that differs, the calls that agree, one result made of the other."""

import itertools
from importlib.util import find_spec

import numpy as np
import pytest

from dmlviz.base.errors import Error
from dmlviz.code import compared, read
from dmlviz.code.comparing import comparison_lines, result_words
from tests.code.chains import as_library, chains, names_of


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


def check_lines(every, start, due):
    """That each line makes the second result of the first, run by the library itself."""
    for one in every:
        if one.kind != "operator" and (one.library != "torch" or find_spec("torch")):
            names = names_of(one.library)
            scope = {**names, "A": as_library(np.asarray(start), names)}
            np.testing.assert_array_equal(np.asarray(eval(one.text, scope)), due)


REPEATS = [
    *("np.tile(x, ({k}, 1))", "np.tile(x, (1, {k}))", "np.tile(x, ({k}, {k}))"),
    *("np.repeat(x, {k}, axis=0)", "np.repeat(x, {k}, axis=1)", "np.concatenate([x] * {k}, 1)"),
    "np.repeat(np.repeat(x, {k}, axis=0), {k}, axis=1)",
]


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3])
def test_results_of_repeated_elements(k):
    x = np.arange(1, 13).reshape(3, 4)
    for one, two in itertools.permutations(REPEATS, 2):
        both = comparison(one.format(k=k), two.format(k=k), "numpy", x=x.shape)
        start, due = (eval(code.format(k=k), {"np": np, "x": x}) for code in (one, two))
        lines = [line for line in both.second_of_first if line.kind != "operator"]
        check_lines(lines, start, due)
        # the axes of copies are regrouped, whatever the sizes are
        if start.size == due.size and not both.same:
            assert lines, (one, two)
            assert lines[0].any_sizes, (one, two)


@pytest.mark.parametrize(
    ("one", "two", "line"),
    [
        ("x.repeat(2)", "x.repeat_interleave(2)", "rearrange(A, '(w1 w2) -> (w2 w1)', w1=2)"),
        ("x.repeat_interleave(2)", "x.repeat(2)", "rearrange(A, '(w1 w2) -> (w2 w1)', w2=2)"),
        ("x.tile(3)", "x.repeat_interleave(3)", "rearrange(A, '(w1 w2) -> (w2 w1)', w1=3)"),
    ],
)
def test_repeat_or_repeat_interleave(one, two, line):
    both = comparison(one, two, "torch", x=(4,))
    assert [(str(same), same.any_sizes) for same in both.second_of_first] == [(line, True)]


def test_constants_of_the_first_result_are_used():
    both = comparison("np.pad(x, 1)", "np.pad(x, 1).T", x=(2, 3))
    assert str(both.second_of_first[0]) == "A.T"
    both = comparison("np.pad(x, 1)", "np.pad(x.T, 2)", x=(2, 3))
    assert str(both.second_of_first[0]) == "np.pad(A[1:-1, 1:-1].T, 2)"
    check_lines(
        both.second_of_first, np.pad([[1, 2, 3], [4, 5, 6]], 1), np.pad([[1, 4], [2, 5], [3, 6]], 2)
    )
    # an element that is missing in A is in no line
    assert comparison("x[1:]", "x[::-1]", x=(3, 2)).second_of_first == ()


def test_what_only_these_sizes_make_of_the_first_says_so():
    both = comparison("np.repeat(x, 2)", "np.tile(x, 2)", x=(2,))
    assert result_words(both) == "B is the result of A after this:"
    both = comparison("x", "x[[2, 1, 0]]", x=(3,))
    assert "A[2::-1]" in map(str, both.second_of_first)
    assert {one.any_sizes for one in both.second_of_first} == {True}
    both = comparison("x", "np.roll(x, len(x) // 2)", x=(4,))
    assert {one.any_sizes for one in both.second_of_first} == {False}
    assert result_words(both) == "With these sizes only, B is the result of A after this:"


def test_several_outputs():
    both = comparison("a, b = np.split(x, 2)", "b, a = np.split(x, 2)\na, b", x=(4, 2))
    assert both.difference.output == "a"
    assert both.second_of_first == ()


def test_other_inputs_are_refused():
    one, two = (read("x.T", {"x": sizes}) for sizes in ((2, 3), (3, 2)))
    with pytest.raises(Error, match=r"inputs: .*2, 3.*3, 2"):
        compared(one, two)


@pytest.mark.slow
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
        assert both.second_of_first
        check_lines(both.second_of_first, due, due[::-1])
    assert count > 5
