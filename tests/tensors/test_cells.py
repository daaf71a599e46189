import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlviz.base.errors import Error, LiteralError
from dmlviz.tensors import DATA_TYPES, print_value, read_number

INTEGERS = [name for name, kind in DATA_TYPES.items() if kind.is_integer]
FLOATS = ["FLOAT16", "FLOAT32", "FLOAT64"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3), ("+3", 3), (" 3 ", 3), ("003", 3), ("3.", 3), ("3.0", 3), ("0.3e1", 3),
        ("30e-1", 3), ("0x1F", 31), ("0X1f", 31), ("0x1Fu", 31), ("1_00", 100), ("5u", 5),
        ("5UL", 5), ("5ull", 5), ("5.0f", 5), ("0e999999999999", 0), ("1e2", 100),
    ],
)  # fmt: skip
@pytest.mark.parametrize("data_type", DATA_TYPES)
def test_every_type_reads_small_whole_numbers(text, value, data_type):
    number = read_number(text, data_type, (0,))
    assert number == value
    assert number.dtype == DATA_TYPES[data_type].dtype


@pytest.mark.parametrize(
    ("text", "value"),
    [(".5", 0.5), ("-.5", -0.5), ("1.5e+1F", 15.0), ("\N{MINUS SIGN}0.25", -0.25)],
)
@pytest.mark.parametrize("data_type", FLOATS)
def test_floats(text, value, data_type):
    assert read_number(text, data_type, (0,)) == value


@pytest.mark.parametrize("data_type", INTEGERS)
def test_integers_are_exact_to_both_ends(data_type):
    kind = DATA_TYPES[data_type]
    for edge in (kind.lowest, kind.highest):
        assert int(read_number(str(edge), data_type, (0,))) == edge
        assert int(read_number(f"{edge}.000", data_type, (0,))) == edge
    for beyond in (kind.lowest - 1, kind.highest + 1):
        with pytest.raises(LiteralError, match=f"holds {kind.lowest} to {kind.highest}"):
            read_number(str(beyond), data_type, (0, 2))


@pytest.mark.parametrize("text", ["1e999999999", "-1e999999999999999999999", "9" * 1000])
@pytest.mark.parametrize("data_type", DATA_TYPES)
def test_huge_numbers_cost_nothing(text, data_type):
    with pytest.raises(LiteralError, match="is outside"):
        read_number(text, data_type, (0,))


@pytest.mark.parametrize(
    ("text", "data_type", "words"),
    [
        ("3.5", "INT32", "3.5 at [0, 2] is not a whole number, as INT32 requires"),
        ("1e-999999999", "INT32", "not a whole number"),
        ("1e-9999999999999999999", "UINT8", "not a whole number"),
        ("nan", "UINT8", "nan at [0, 2] is not a whole number"),
        ("-Infinity", "INT64", "not a whole number"),
        ("True", "INT8", "is a Boolean, not a number"),
        ("false", "FLOAT32", "is a Boolean, not a number"),
        ("...", "FLOAT32", "shortened"),
        ("", "FLOAT32", "empty"),
        ("foo", "FLOAT32", '"foo" at [0, 2] is not a number'),
        ("1__0", "INT32", "not a number"),
        ("_1", "INT32", "not a number"),
        ("0x", "INT32", "not a number"),
        ("0x1.8p3", "FLOAT32", "not a number"),
        ("1 2", "INT32", "not a number"),
        ("٣", "INT32", "not a number"),
        ("--1", "INT32", "not a number"),
        ("{value}", "INT32", "not a number"),
        ("1" * 2000, "FLOAT32", "2,000 characters"),
        ("16777217", "FLOAT32", "FLOAT32 would keep 16777216"),
        ("3.14159265358979", "FLOAT32", "FLOAT32 would keep 3.1415927"),
        ("0.1000000001", "FLOAT32", "FLOAT32 would keep 0.1"),
        ("2049", "FLOAT16", "FLOAT16 would keep 2048"),
        ("1e-999999999", "FLOAT64", "FLOAT64 would keep 0"),
        ("65520", "FLOAT16", "finite values are -65504 to 65504"),
        ("3.5e38", "FLOAT32", "3.4028235e+38"),
        ("1e309", "FLOAT64", "1.7976931348623157e+308"),
        ("9007199254740993", "FLOAT64", "would keep 9007199254740992"),
    ],
)
def test_refusals(text, data_type, words):
    with pytest.raises(LiteralError) as caught:
        read_number(text, data_type, (0, 2))
    assert words in str(caught.value)
    assert caught.value.field == "values"
    assert "[0, 2]" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "data_type"),
    [
        ("0.1", "FLOAT16"), ("0.1", "FLOAT32"), ("0.1", "FLOAT64"), ("65504", "FLOAT16"),
        ("65500", "FLOAT16"), ("16777216", "FLOAT32"), ("1073741952", "FLOAT32"),
        ("0.10000000149011612", "FLOAT32"), ("0.10000000149", "FLOAT32"), ("1.192e-07", "FLOAT16"), ("3.1415927", "FLOAT32"), ("3.4028235e38", "FLOAT32"), ("1e-45", "FLOAT32"),
        ("5e-324", "FLOAT64"), ("6e-08", "FLOAT16"), ("0.100000001490116119384765625", "FLOAT32"),
    ],
)  # fmt: skip
def test_floats_that_keep_what_was_typed(text, data_type):
    read_number(text, data_type, (0,))


def test_signs_of_zero_and_specials():
    assert math.copysign(1, read_number("-0", "FLOAT16", (0,))) == -1
    assert read_number("-0", "INT8", (0,)) == 0
    assert np.isnan(read_number("NaN", "FLOAT16", (0,)))
    assert read_number("-inf", "FLOAT32", (0,)) == -np.inf
    assert read_number("+Infinity", "FLOAT64", (0,)) == np.inf


def test_every_float16_reads_back():
    for value in np.arange(2**16, dtype=np.uint16).view(np.float16):
        if np.isfinite(value):
            for text in (print_value(value), str(value)):
                assert read_number(text, "FLOAT16", (0,)).tobytes() == value.tobytes()


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_every_float32_reads_back(number):
    value = np.float32(number)
    for text in (print_value(value), repr(number)):
        assert read_number(text, "FLOAT32", (0,)).tobytes() == value.tobytes()


@given(
    st.text(max_size=20) | st.text("0123456789eE+-._xXfulnaiNI", max_size=20),
    st.sampled_from(list(DATA_TYPES)),
)
def test_hostile_cells(text, data_type):
    try:
        number = read_number(text, data_type, (1, 3))
    except Error as error:
        assert error.field == "values"
        return
    assert number.dtype == DATA_TYPES[data_type].dtype
