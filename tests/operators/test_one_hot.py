"""OneHot: ONNX's own form, and laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import OneHot
from dmlviz.tensors import DATA_TYPES
from tests.strategies import bits, several, tensors


def test_the_size_of_an_output_is_its_depth():
    assert OneHot(1, 5).with_output_sizes({"OutputTensor": (3, 7)}) == OneHot(1, 7)


def test_onnx_has_its_own_for_a_few_types():
    for name, known in DATA_TYPES.items():
        for sizes, indices in (((2,), [1]), ((1, 2), [[1], [-1]])):
            values = np.array([3, 7], known.dtype).reshape(sizes)
            inputs = {"ValuesTensor": values, "IndicesTensor": np.array(indices, np.int32)}
            operator = OneHot(len(sizes) - 1, 3)
            due = dmlviz.run(operator, inputs)
            found = dmlviz.run(operator, inputs, "onnxruntime")
            np.testing.assert_array_equal(found.output, due.output, strict=True)
            own = name in ("FLOAT32", "INT64")
            assert found.ran.form == ("native" if own else "lowered")
            if own or name == "FLOAT16":
                assert dmlviz.run(operator, inputs, "onnxruntime", "native").agrees
            else:
                with pytest.raises(dmlviz.EngineRefused):
                    dmlviz.run(operator, inputs, "onnxruntime", "native")


@given(several(OneHot))
def test_each_sequence_has_its_place_on_alone(state):
    operator, inputs = state
    source = dmlviz.run(operator, inputs).source
    places = inputs["IndicesTensor"].astype(np.int64)
    on = np.take_along_axis(source, places, operator.axis)
    assert (on == 1).all()
    assert source.sum() == places.size


@given(tensors((1, 2)), st.integers(2, 11))
def test_all_indices_in_order_are_the_identity_matrix(values, depth):
    inputs = {"ValuesTensor": values, "IndicesTensor": np.arange(depth).reshape(depth, 1)}
    trace = dmlviz.run(OneHot(1, depth), inputs)
    np.testing.assert_array_equal(trace.source, np.eye(depth, dtype=np.int64))
    turned = {"ValuesTensor": values, "IndicesTensor": np.arange(depth).reshape(1, depth)}
    np.testing.assert_array_equal(
        bits(dmlviz.run(OneHot(0, depth), turned).output), bits(trace.output), strict=True
    )
