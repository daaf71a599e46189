import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlviz.base.errors import Error, TooLarge
from dmlviz.tensors import (
    DIMENSION_MAX,
    check_element_count,
    element_count,
    print_sizes,
    read_sizes,
    sizes_of,
)

SIZES = st.lists(st.integers(1, DIMENSION_MAX), min_size=1, max_size=8).map(tuple)


@pytest.mark.parametrize(
    "text",
    [
        "1, 1, 2, 3",
        "{1, 1, 2, 3}",
        "[1,1,2,3]",
        "(1, 1, 2, 3)",
        "(1, 1, 2, 3,)",
        "1x1x2x3",
        "1 x 1 X 2 x 3",
        "1 1 2 3",
        "1×1×2×3",
        "1*1*2*3",
        "Sizes:{1, 1, 2, 3}",
        "sizes = (1, 1, 2, 3)",
        "  {  1 ,1 , 2,3 } \n",
    ],
)
def test_what_people_type(text):
    assert read_sizes(text) == (1, 1, 2, 3)


def test_one_dimension():
    assert read_sizes("7") == read_sizes("(7,)") == read_sizes("{7}") == (7,)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "whole numbers"),
        ("{}", "whole numbers"),
        ("1,,2", "whole numbers"),
        ("-1, 2", "whole numbers"),
        ("1.5", "whole numbers"),
        ("two", '"two"'),
        ("{1, 2", "whole numbers"),
        ("[1, 2}", "whole numbers"),
        ("٣, ٤", "whole numbers"),
        ("2, 0, 3", "dimension 1 is 0"),
        ("4294967296", "dimension 0 is 4294967296"),
        ("1 " * 9, "9 dimensions"),
        ("1, " * 5000, "whole numbers"),
        ("9" * 900, "4,294,967,295"),
    ],
)
def test_what_is_no_sizes(text, words):
    with pytest.raises(Error) as caught:
        read_sizes(text)
    assert caught.value.field == "sizes"
    assert words in str(caught.value)
    assert len(str(caught.value)) < 220


def test_a_result_may_have_no_dimension():
    assert [read_sizes(text, least_rank=0) for text in ("{}", "( )", "Sizes:{}")] == [()] * 3
    with pytest.raises(Error):
        read_sizes("{}")
    with pytest.raises(Error):
        read_sizes("", least_rank=0)


@given(st.text(max_size=40) | st.text("0123456789{}[](),x ×:Sizes", max_size=40))
def test_hostile_text_is_refused_or_read(text):
    try:
        sizes = read_sizes(text)
    except Error:
        return
    assert sizes_of(sizes) == sizes


@given(SIZES)
def test_printed_sizes_read_back(sizes):
    assert read_sizes(print_sizes(sizes)) == sizes
    assert read_sizes("x".join(map(str, sizes))) == sizes


def test_print_as_documentation_does():
    assert print_sizes((1, 1, 2, 3)) == "{1, 1, 2, 3}"
    assert print_sizes(np.array([5, 7])) == "{5, 7}"


@pytest.mark.parametrize(
    "values",
    [
        [],
        [1] * 9,
        [0],
        [-1],
        [2**32],
        [True, 2],
        [np.True_],
        [2.0],
        ["2"],
        "23",
        [None],
        5,
        None,
        itertools.count(1),
        [10**10_000],
    ],
)
def test_sizes_of_refuses(values):
    with pytest.raises(Error) as caught:
        sizes_of(values)
    assert caught.value.field == "sizes"


def test_sizes_of_gives_python_integers():
    found = sizes_of(np.array([2, 3, 5], np.uint16))
    assert found == (2, 3, 5)
    assert all(type(size) is int for size in found)


def test_element_count_is_exact():
    assert element_count((DIMENSION_MAX,) * 8) == DIMENSION_MAX**8
    assert element_count(np.array([2**31, 2**31, 2**31], np.int64)) == 2**93


def test_too_many_elements_gives_the_real_numbers():
    check_element_count((4, 4096), 16_384)
    with pytest.raises(TooLarge) as caught:
        check_element_count((5, 4096), 16_384, field="repeats")
    assert caught.value.field == "repeats"
    assert "{5, 4096} has 20,480 elements" in str(caught.value)
    assert "16,384" in str(caught.value)
