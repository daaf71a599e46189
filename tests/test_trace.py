"""Two runs, one against the other; nothing is taken for true that an engine says."""

import dataclasses

import numpy as np
import pytest

import dmlviz
from dmlviz.engines import ENGINES, trace
from dmlviz.engines.numpy import NumpyEngine
from dmlviz.tensors import DATA_TYPES

TILE = dmlviz.Tile((2, 3))
X = np.arange(35, dtype=np.float32).reshape(5, 7)


class Altered(NumpyEngine):
    """NumPy's engine, but for one change; the second run of two is that on the indices."""

    def __init__(self, change, run):
        self.change, self.which, self.runs = change, run, 0

    def run(self, operator, x, form=""):
        self.runs += 1
        ran = super().run(operator, x)
        if self.runs != self.which:
            return ran
        return dataclasses.replace(ran, outputs={"OutputTensor": self.change(ran.output.copy())})


@pytest.fixture
def altered(monkeypatch):
    def make(change, run):
        found = Altered(change, run)
        monkeypatch.setitem(ENGINES, "altered", found)
        return found

    return make


def put(flat, value):
    def change(output):
        output.ravel()[flat] = value
        return output

    return change


def test_a_run():
    found = dmlviz.run(TILE, X)
    assert found.operator is TILE
    assert found.engine == "numpy"
    assert found.data_type == "FLOAT32"
    assert found.source.dtype == np.int64
    assert found.source[9, 20] == 4 * 7 + 6
    assert found.agrees
    assert found.check() == "NumPy: 210 elements, each equal to its source."


def test_check_in_words():
    one = dmlviz.run(dmlviz.Tile((1,)), np.zeros(1))
    assert one.check() == "NumPy: 1 element, equal to its source."
    padded = dmlviz.run(dmlviz.Padding("CONSTANT", (2,), (1,)), np.zeros(1_200))
    assert padded.check() == (
        "NumPy: 1,203 elements, 1,200 equal to their source and 3 to the padding value."
    )


def test_a_wrong_value_is_found(altered):
    altered(put(23, 99), run=1)
    found = dmlviz.run(TILE, X, engine="altered")
    assert not found.agrees
    assert found.differing.tolist() == [23]
    assert found.check() == "NumPy: 1 of 210 elements differ from their source, first at [1, 2]."


@pytest.mark.parametrize("index", [0, -1, -2, 35, 2**40, -(2**63)])
def test_a_wrong_index_is_found(altered, index):
    altered(put(23, index), run=2)
    found = dmlviz.run(TILE, X, engine="altered")
    assert found.differing.tolist() == [23]
    assert found.source.ravel()[23] == index


@pytest.mark.parametrize("index", [-1, -2, 35])
def test_an_index_of_nothing_is_found_whatever_the_value(altered, index):
    altered(put(3, index), run=2)
    found = dmlviz.run(dmlviz.Tile((2, 1)), np.zeros((5, 7)), engine="altered")
    assert found.differing.tolist() == [3]


def test_a_wrong_padding_value_is_found(altered):
    altered(put(0, 8), run=1)
    x = np.zeros(3, np.int8)
    found = dmlviz.run(dmlviz.Padding("CONSTANT", (2,), (0,), 9), x, engine="altered")
    assert found.differing.tolist() == [0]


def test_a_changed_bit_of_a_nan_is_found(altered):
    x = np.array([0x7C01, 0x8000], np.uint16).view(np.float16)
    quiet = np.uint16(0x0200)
    altered(lambda out: (out.view(np.uint16) | quiet * np.isnan(out)).view(np.float16), run=1)
    found = dmlviz.run(dmlviz.Tile((2,)), x, engine="altered")
    assert found.differing.tolist() == [0, 2]
    altered(lambda out: out + np.float16(0), run=1)
    assert dmlviz.run(dmlviz.Tile((2,)), x[1:], engine="altered").differing.tolist() == [0, 1]


@pytest.mark.parametrize("run", [1, 2])
@pytest.mark.parametrize("change", [lambda o: o[:-1], lambda o: o.T, lambda o: o[None], np.ravel])
def test_wrong_sizes_are_refused(altered, change, run):
    altered(change, run)
    with pytest.raises(dmlviz.Error, match="the engine returned sizes") as caught:
        dmlviz.run(TILE, X, engine="altered")
    assert caught.value.field == "output"


@pytest.mark.parametrize("dtype", [np.float64, np.int32, np.float16])
def test_a_wrong_type_is_refused(altered, dtype):
    altered(lambda out: out.astype(dtype), run=1)
    with pytest.raises(dmlviz.Error):
        dmlviz.run(TILE, X, engine="altered")


@pytest.mark.parametrize(
    ("operator", "x"),
    [
        (dmlviz.Tile((2**32 - 1, 2**32 - 1)), np.zeros((1, 1), np.uint8)),
        (dmlviz.Tile((2**26, 1)), np.zeros((1, 2), np.uint8)),
        (dmlviz.Padding("EDGE", (2**31,), (2**31 - 2,)), np.zeros(1, np.float64)),
        (dmlviz.Padding("WRAP", (2**26,), (0,)), np.zeros(1, np.int8)),
    ],
)
def test_too_large_is_said_before_anything_runs(altered, operator, x):
    engine = altered(lambda out: out, run=1)
    with pytest.raises(dmlviz.TooLarge, match="the limit is 67,108,864") as caught:
        dmlviz.run(operator, x, engine="altered")
    assert caught.value.field == "output_sizes"
    assert engine.runs == 0


def test_too_large_an_input(altered, monkeypatch):
    engine = altered(lambda out: out, run=1)
    monkeypatch.setattr(trace, "RUN_LIMIT", 34)
    with pytest.raises(dmlviz.TooLarge, match="35 elements; the limit is 34") as caught:
        dmlviz.run(TILE, X, engine="altered")
    assert caught.value.field == "sizes"
    assert engine.runs == 0


def test_refused_before_anything_runs(altered):
    engine = altered(lambda out: out, run=1)
    with pytest.raises(dmlviz.Refused):
        dmlviz.run(dmlviz.Tile((2, 0)), X, engine="altered")
    assert engine.runs == 0


def test_arrays_are_read_only_and_nobody_elses():
    x = X.copy()
    found = dmlviz.run(dmlviz.DepthToSpace(1), x.reshape(1, 1, 5, 7))
    for array in (found.x, found.output, found.source, found.differing):
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        assert not np.shares_memory(array, x)
    x[:] = -1
    assert found.x[0, 0, 4, 6] == found.output[0, 0, 4, 6] == 34


@pytest.mark.parametrize("name", DATA_TYPES)
def test_the_other_byte_order(name):
    dtype = DATA_TYPES[name].dtype
    found = dmlviz.run(TILE, np.arange(35).reshape(5, 7).astype(dtype.newbyteorder(">")))
    assert found.x.dtype == found.output.dtype == dtype
    assert found.x.dtype.isnative
    assert found.agrees
    assert found.output[9, 20] == 34


@pytest.mark.parametrize(
    "x", [X[:, ::-2], X.T, np.asfortranarray(X), np.broadcast_to(X[0], (3, 7))]
)
def test_not_contiguous(x):
    found = dmlviz.run(TILE, x)
    assert found.agrees
    np.testing.assert_array_equal(found.output, np.tile(x, (2, 3)))
    np.testing.assert_array_equal(x.ravel()[found.source], found.output)


def test_lists():
    whole = dmlviz.run(TILE, [[1, 2], [3, 4]])
    assert (whole.data_type, whole.output.shape) == ("INT64", (4, 6))
    assert dmlviz.run(TILE, [[1.5]]).data_type == "FLOAT64"


@pytest.mark.parametrize(
    ("x", "field", "words"),
    [
        ([[1, 2], [3]], "x", "a ragged list is not a tensor"),
        ([[True]], "data_type", "NumPy's bool is not one of DirectML's data types: FLOAT64,"),
        (np.zeros((2, 2), np.complex64), "data_type", "complex64"),
        ([["a"]], "data_type", "is not one of"),
        ([[None]], "data_type", "object"),
        (None, "x", "InputTensor is missing"),
        ([[2**70]], "data_type", "object"),
        (np.zeros((2, 2), "datetime64[s]"), "data_type", "datetime64"),
        (np.float32(3), "sizes", "{} has 0 dimensions"),
        (3, "sizes", "{} has 0 dimensions"),
        ([], "sizes", "dimension 0 has size 0"),
        (np.zeros((2, 0)), "sizes", "dimension 1 has size 0"),
        (np.zeros((1,) * 9), "sizes", "9 dimensions"),
        (np.zeros(3), "repeats", "{2, 3} are 2 numbers; the input has 1 dimensions"),
    ],
)
def test_inputs_that_are_no_tensor(x, field, words):
    with pytest.raises(dmlviz.Error) as caught:
        dmlviz.run(TILE, x)
    assert caught.value.field == field
    assert words in str(caught.value)
