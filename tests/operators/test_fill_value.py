"""The two operators without inputs: what laws for all operators do not say of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz.operators import FillValueConstant, FillValueSequence
from dmlviz.picture.scene import check_stage
from dmlviz.states import read_link
from dmlviz.tensors import DATA_TYPES

WHOLE = [kind for kind in FillValueSequence.support[-1].data_types if "INT" in kind]
SIZES = (1, 2, 3, 4)
ENGINES = [engine.name for engine in dmlviz.engines() if engine.available]


def elements(operator, engine="numpy"):
    trace = dmlviz.run(operator, engine=engine)
    assert trace.agrees
    assert (trace.source == -1).all()
    return trace.output.ravel().tolist()


@pytest.mark.parametrize("engine", ["numpy", "onnxruntime"])
@pytest.mark.parametrize("data_type", WHOLE)
@given(st.data())
def test_whole_numbers_wrap_around_at_the_end_of_their_type(engine, data_type, data):
    if engine not in ENGINES:
        pytest.skip(f"{engine} is not here")
    info = np.iinfo(DATA_TYPES[data_type].dtype)
    start = data.draw(st.integers(int(info.min), int(info.max)))
    least = int(info.min) or -((int(info.max) + 1) // 2)
    delta = data.draw(st.integers(least, int(info.max)))
    span, low = int(info.max) - int(info.min) + 1, int(info.min)
    due = [(start + k * delta - low) % span + low for k in range(24)]
    assert elements(FillValueSequence(SIZES, data_type, start, delta), engine) == due


def test_floats_are_rounded_after_the_product_and_after_the_sum():
    found = elements(FillValueSequence(SIZES, "FLOAT32", 0.3, 0.7))
    start, delta = np.float32(0.3), np.float32(0.7)
    due = [float(start + np.float32(k) * delta) for k in range(24)]
    assert due != [float(np.float32(float(start) + k * float(delta))) for k in range(24)]
    assert found == due
    # FLOAT16 is calculated in FLOAT32 and rounded once: 2049 is none of its numbers
    assert elements(FillValueSequence((1, 1, 1, 3), "FLOAT16", 2047, 1)) == [2047, 2048, 2048]


@pytest.mark.parametrize(("data_type", "value"), [("INT64", -(1 << 63)), ("UINT64", (1 << 64) - 1)])
def test_a_value_of_64_bits_is_exact(data_type, value):
    operator = FillValueConstant((2,), data_type, value)
    assert elements(operator) == [value, value]
    opened = read_link(dmlviz.link(operator))
    assert opened.problems == ()
    assert opened.state.operator() == operator
    assert dmlviz.operator_from_desc(operator.operator_type, operator.desc) == operator


def test_an_input_is_refused():
    with pytest.raises(dmlviz.Error, match="there are no input tensors"):
        dmlviz.run(FillValueConstant((2,), "INT8", 1), np.int8([1]))


def test_what_is_too_large_is_refused_before_it_is_made():
    operator = FillValueConstant((65_536,) * 8, "INT8", 1)
    with pytest.raises(dmlviz.TooLarge):
        dmlviz.run(operator)
    with pytest.raises(dmlviz.TooLarge):
        check_stage({}, operator.outputs_after({}))


def test_a_movement_goes_on_from_constants():
    made = dmlviz.run(FillValueSequence((1, 1, 1, 3), "INT32", 3, 2)).movement
    tiled = dmlviz.run(dmlviz.Tile((1, 1, 1, 2)), np.int32([[[[1, 2, 3]]]])).movement
    both = made.then(tiled)
    (output,) = both.moved({}).values()
    assert output.ravel().tolist() == [3, 5, 7, 3, 5, 7]
    assert made.inverse() is None
