import numpy as np
import pytest

from dmlviz.base.errors import Error
from dmlviz.tensors import DATA_TYPES, data_type, data_type_of

ELEVEN = [
    "FLOAT64", "FLOAT32", "FLOAT16", "INT64", "INT32", "INT16", "INT8",
    "UINT64", "UINT32", "UINT16", "UINT8",
]  # fmt: skip


def test_exactly_eleven_in_directml_order():
    assert list(DATA_TYPES) == ELEVEN
    assert [t.dtype.name.upper() for t in DATA_TYPES.values()] == ELEVEN


@pytest.mark.parametrize("name", ELEVEN)
def test_every_spelling_and_byte_order(name):
    kind = DATA_TYPES[name]
    assert data_type(name.lower()) is kind
    assert data_type("DML_TENSOR_DATA_TYPE_" + name) is kind
    assert data_type("dml_tensor_data_type_" + name.lower()) is kind
    assert data_type_of(kind.dtype) == name
    assert data_type_of(kind.dtype.newbyteorder(">")) == name
    assert data_type_of(np.zeros((2, 3), kind.dtype)) == name
    assert data_type_of(kind.dtype.type(1)) == name


@pytest.mark.parametrize("code", "lLqQiI")
def test_c_names_for_one_width(code):
    dtype = np.dtype(code)
    sign = "U" if dtype.kind == "u" else ""
    assert data_type_of(dtype) == f"{sign}INT{8 * dtype.itemsize}"


@pytest.mark.parametrize("dtype", [bool, np.complex64, object, "U3", "S2", "M8[s]", "i4,f4"])
def test_other_dtypes_are_named_and_refused(dtype):
    with pytest.raises(Error, match="FLOAT64, FLOAT32, FLOAT16, INT64") as caught:
        data_type_of(np.dtype(dtype))
    assert caught.value.field == "data_type"
    assert np.dtype(dtype).name in str(caught.value)


@pytest.mark.parametrize("name", ["", "FLOAT", "BFLOAT16", "BOOL", "INT4", "x" * 10_000])
def test_unknown_names(name):
    with pytest.raises(Error) as caught:
        data_type(name)
    assert caught.value.field == "data_type"
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("value", [None, 3, "no type at all", [1, 2]])
def test_what_has_no_type_at_all(value):
    with pytest.raises(Error):
        data_type_of(value)


def test_limits_are_exact():
    assert (DATA_TYPES["UINT64"].lowest, DATA_TYPES["UINT64"].highest) == (0, 2**64 - 1)
    assert (DATA_TYPES["INT64"].lowest, DATA_TYPES["INT64"].highest) == (-(2**63), 2**63 - 1)
    assert DATA_TYPES["FLOAT16"].highest == 65504.0
    assert type(DATA_TYPES["INT8"].highest) is int
    assert [t.is_integer for t in DATA_TYPES.values()] == [False] * 3 + [True] * 8


@pytest.mark.parametrize("name", ["FLOAT16", "FLOAT32", "FLOAT64"])
def test_the_last_number_that_counting_reaches(name):
    last = DATA_TYPES[name].highest_count
    kind = DATA_TYPES[name].dtype.type
    assert int(kind(last)) == last
    assert int(kind(last - 1)) == last - 1
    assert int(kind(last + 1)) != last + 1
