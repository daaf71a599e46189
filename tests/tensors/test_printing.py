import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlviz.base.errors import Error
from dmlviz.tensors import (
    DATA_TYPES,
    print_label,
    print_literal,
    print_tensor,
    print_value,
    read_literal,
)


@st.composite
def tensors(draw):
    kind = DATA_TYPES[draw(st.sampled_from(list(DATA_TYPES)))]
    sizes = tuple(draw(st.lists(st.sampled_from([1, 2, 3, 5]), min_size=1, max_size=4)))
    count = int(np.prod(sizes))
    raw = draw(
        st.binary(min_size=count * kind.dtype.itemsize, max_size=count * kind.dtype.itemsize)
    )
    return np.frombuffer(raw, kind.dtype).reshape(sizes)


def same_bits(one, two):
    if one.dtype.kind == "f":
        nan = np.isnan(one)
        if not np.array_equal(nan, np.isnan(two)):
            return False
        one, two = np.where(nan, 0, one), np.where(nan, 0, two)
    return one.dtype == two.dtype and one.shape == two.shape and one.tobytes() == two.tobytes()


@given(tensors())
def test_what_was_printed_reads_back_bit_by_bit(array):
    name = array.dtype.name.upper()
    assert same_bits(read_literal(print_literal(array), name).values, array)
    literal = read_literal(print_tensor("OutputTensor", array), "INT8")
    assert same_bits(literal.values, array)
    assert same_bits(read_literal(print_tensor("X", array.astype(array.dtype.newbyteorder())), name)
                     .values, array)  # fmt: skip


@given(tensors())
def test_what_numpy_and_python_print_reads_back(array):
    name = array.dtype.name.upper()
    for text in (str(array.tolist()), json.dumps(array.tolist())):
        assert same_bits(read_literal(text, name).values, array)
    # NumPy prints eight decimals only, unless told otherwise.
    with np.printoptions(floatmode="unique", threshold=10**6):
        for text in (repr(array), str(array)):
            assert same_bits(read_literal(text, name).values, array)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.float32(1), "1"), (np.float32(-0.0), "-0"), (np.float64(0.0), "0"),
        (np.float32(0.1), "0.1"), (np.float64(0.1), "0.1"), (np.float64(np.float32(0.1)),
        "0.10000000149011612"), (np.float16(65504), "65504"), (np.float16(0.1), "0.1"),
        (np.float32(16777216), "16777216"), (np.float32(1e8), "1e+08"), (np.float64(2**53), "9007199254740992"),
        (np.float32("nan"), "NaN"), (np.float16("inf"), "Infinity"), (np.float64("-inf"), "-Infinity"),
        (np.uint64(2**64 - 1), "18446744073709551615"), (np.int64(-(2**63)), "-9223372036854775808"),
        (np.int8(-7), "-7"), (np.float32(2.5), "2.5"), (3, "3"), (2.0, "2"),
    ],
)  # fmt: skip
def test_values(value, text):
    assert print_value(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.int32(123456), "123456"), (np.int32(1234567), "1.23e6"), (np.int32(-123456), "-1.2e5"),
        (np.uint64(2**64 - 1), "1.8e19"), (np.int64(-(2**63)), "-9e18"),
        (np.float32(1 / 3), "0.3333"), (np.float32(-1 / 3), "-0.333"), (np.float64(1e-7), "1e-07"),
        (np.float64(1.2345e-7), "1.2e-7"), (np.float32(3.1415927), "3.1416"), (np.float32("nan"), "NaN"),
        (np.float64("inf"), "∞"), (np.float64("-inf"), "-∞"), (np.float32(-0.0), "-0"),
    ],
)  # fmt: skip
def test_labels(value, text):
    assert print_label(value) == text


@given(tensors(), st.integers(6, 20))
def test_labels_fit_and_are_near(array, width):
    for value in array.flat:
        label = print_label(value, width)
        assert len(label) <= width + 1  # "-1e-300" is as short as it gets.
        if np.isfinite(value) and abs(float(value)) > 0:
            assert float(label) == pytest.approx(float(value), rel=0.51)


def test_the_style_of_the_documentation():
    array = np.arange(12, dtype=np.uint32).reshape(1, 2, 2, 3)
    assert print_literal(array) == (
        "[[[[ 0,  1,  2],\n"
        "   [ 3,  4,  5]],\n"
        "  [[ 6,  7,  8],\n"
        "   [ 9, 10, 11]]]]"
    )  # fmt: skip
    assert print_literal(np.float32([1, 2.5])) == "[  1, 2.5]"
    assert print_literal(np.array(2.5, np.float32)) == "2.5"
    header = "InputTensor: (Sizes:{1, 1, 2, 3}, DataType:FLOAT32)\n[[[[1, 2, 3],\n   [4, 5, 6]]]]"
    assert print_tensor("InputTensor", np.arange(1, 7, dtype="f4").reshape(1, 1, 2, 3)) == header


@pytest.mark.parametrize("array", [np.zeros((2, 0)), np.zeros((1,) * 9), np.zeros(3, bool)])
def test_what_is_no_tensor_is_not_printed(array):
    with pytest.raises(Error):
        print_literal(array)
