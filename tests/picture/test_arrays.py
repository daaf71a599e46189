import io

import numpy as np
import pytest
from hypothesis import given, settings

import dmlviz
from dmlviz.picture import formats
from tests import several, strategies
from tests.strategies import bits
from tests.thorough import tries


@settings(max_examples=tries(25))
@given(strategies.runs())
def test_npz_is_the_trace_bit_for_bit(run):
    trace = dmlviz.run(*run)
    with np.load(io.BytesIO(formats.npz(trace)), allow_pickle=False) as loaded:
        (x,), (output,) = trace.inputs, trace.outputs
        arrays = {"input": trace.x, "output": trace.output, "source": trace.source}
        names = {"input": x, "output": output, "source": f"{output}.source"}
        # both by the names that a file of several tensors has, and by those from before
        arrays |= {names[name]: array for name, array in arrays.items()}
        assert sorted(loaded) == sorted(arrays)
        for name, due in arrays.items():
            assert loaded[name].dtype == due.dtype
            assert loaded[name].shape == due.shape
            assert np.array_equal(bits(loaded[name]), bits(due))


@settings(max_examples=tries(25))
@given(strategies.tensors())
def test_npy_is_the_array_bit_for_bit(x):
    loaded = np.load(io.BytesIO(formats.npy(x)), allow_pickle=False)
    assert loaded.dtype == x.dtype
    assert loaded.shape == x.shape
    assert np.array_equal(bits(loaded), bits(x))


def test_objects_are_refused():
    with pytest.raises(dmlviz.Error, match="Python objects") as found:
        formats.npy(np.array([{}], dtype=object))
    assert found.value.field == "array"


def test_several_tensors_go_by_name():
    trace = several.picked((3, 4), (2, 0), 0)
    with np.load(io.BytesIO(formats.npz(trace)), allow_pickle=False) as loaded:
        assert sorted(loaded) == [
            *("IndicesTensor", "InputTensor", "OutputTensor"),
            *("OutputTensor.driver", "OutputTensor.source"),
        ]
        assert loaded["IndicesTensor"].tolist() == [[2, 0]]
        assert loaded["OutputTensor.source"].tolist() == [[8, 9, 10, 11], [0, 1, 2, 3]]
        assert loaded["OutputTensor.driver"].tolist() == [[0] * 4, [1] * 4]
    trace = several.cut((1, 3), (1, 2), axis=1)
    with np.load(io.BytesIO(formats.npz(trace)), allow_pickle=False) as loaded:
        assert loaded["OutputTensors[1]"].tolist() == [[2, 3]]
        assert loaded["OutputTensors[1].source"].tolist() == [[1, 2]]
        assert "OutputTensors[1].driver" not in loaded
