import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz import Padding
from dmlviz.tensors import DATA_TYPES
from tests.one_input import formula_of
from tests.strategies import MODES, paddings

# Three letters in a row, 7 places before and 5 behind: every mode folds more than once.
FOLDED = {
    "CONSTANT": "·······abc·····",
    "EDGE": "aaaaaaaabcccccc",
    "REFLECTION": "bcbabcbabcbabcb",
    "SYMMETRIC": "aabccbaabccbaab",
    "WRAP": "cabcabcabcabcab",
}


@pytest.mark.parametrize("mode", MODES)
def test_padding_larger_than_the_input(mode):
    operator = Padding(mode, (7,), (5,))
    trace = dmlviz.run(operator, np.arange(3))
    assert "".join("abc·"[s] for s in trace.source) == FOLDED[mode]
    formula = formula_of(operator, (3,))
    found = [formula.locate((i,)) or (-1,) for i in range(15)]
    assert "".join("abc·"[at] for (at,) in found) == FOLDED[mode]


@pytest.mark.parametrize("mode", MODES[1:])
def test_one_element_is_repeated(mode):
    assert dmlviz.run(Padding(mode, (3,), (4,)), np.array([7])).output.tolist() == [7] * 8


@given(paddings(("CONSTANT",)))
def test_only_the_padding_has_no_source(run):
    operator, x = run
    source = dmlviz.run(operator, x).source
    due = np.full(source.shape, -1)
    body = tuple(slice(s, s + n) for s, n in zip(operator.start_padding, x.shape, strict=True))
    due[body] = np.arange(x.size).reshape(x.shape)
    np.testing.assert_array_equal(source, due)


# PaddingValue


@pytest.mark.parametrize(
    ("value", "data_type", "due"),
    [
        *[(10.6, name, 10) for name in DATA_TYPES if "INT" in name],
        *[(-10.6, name, -10) for name in DATA_TYPES if name.startswith("INT")],
        *[
            (16777217, name, 16777216)
            for name in ("FLOAT64", "FLOAT32", "INT64", "INT32", "UINT64", "UINT32")
        ],
        (-0.9, "UINT8", 0),
        (255.9, "UINT8", 255),
        (-128.9, "INT8", -128),
        (0.1, "FLOAT64", float(np.float32(0.1))),
        (0.1, "FLOAT16", float(np.float16(0.1))),
        (65504, "FLOAT16", 65504),
        (2**63, "UINT64", 2**63),
        (-(2**63), "INT64", -(2**63)),
        (np.inf, "FLOAT16", np.inf),
        (-np.inf, "FLOAT32", -np.inf),
        (np.nan, "FLOAT64", np.nan),
        (np.nan, "FLOAT16", np.nan),
    ],
)
def test_padding_value(value, data_type, due):
    dtype = DATA_TYPES[data_type].dtype
    trace = dmlviz.run(Padding("CONSTANT", (1,), (0,), value), np.zeros(1, dtype))
    assert trace.agrees
    np.testing.assert_array_equal(trace.output, np.array([due, 0], dtype), strict=True)


@pytest.mark.parametrize(
    ("value", "data_type", "words"),
    [
        (300, "UINT8", "300 does not fit; UINT8 holds 0 to 255."),
        (-1, "UINT8", "-1 does not fit; UINT8 holds 0 to 255."),
        (-1, "UINT64", "-1 does not fit"),
        (256, "UINT8", "256 does not fit"),
        (128, "INT8", "INT8 holds -128 to 127."),
        (2**63, "INT64", "does not fit; INT64 holds"),
        (2**63 - 1, "INT64", "does not fit; INT64 holds"),
        (2**31 - 1, "INT32", "does not fit; INT32 holds"),
        (np.nan, "INT32", "NaN cannot become a whole number"),
        (np.inf, "UINT16", "Infinity cannot become a whole number"),
        (-np.inf, "INT8", "-Infinity cannot become a whole number"),
        (1e6, "FLOAT16", "1000000 does not fit; FLOAT16 holds -65504 to 65504."),
        (65520, "FLOAT16", "does not fit"),
        (1e39, "FLOAT64", "1e+39 is too large; DirectML's PaddingValue is a FLOAT"),
        (-1e39, "FLOAT32", "-1e+39 is too large"),
        (1e39, "INT8", "too large"),
        pytest.param(10**400, "FLOAT64", "too large", id="ten to the 400th"),
    ],
)
def test_padding_value_that_does_not_fit(value, data_type, words):
    operator = Padding("CONSTANT", (1,), (0,), value)
    (problem,) = operator.problems((2,), data_type)
    assert problem.field == "padding_value"
    assert words in problem.message
    with pytest.raises(dmlviz.Refused):
        dmlviz.run(operator, np.zeros(2, DATA_TYPES[data_type].dtype))


@pytest.mark.parametrize("value", [300, -1, np.nan, np.inf, 1e39])
@pytest.mark.parametrize("mode", MODES[1:])
def test_padding_value_is_ignored_in_other_modes(mode, value):
    operator = Padding(mode, (1,), (0,), value)
    assert operator.problems((2,), "UINT8") == []
    trace = dmlviz.run(operator, np.array([4, 6], np.uint8))
    assert set(trace.output.tolist()) == {4, 6}
    assert dmlviz.scene(trace).steps
    assert operator.explain((2,), (0,))


@pytest.mark.parametrize("value", ["9", True, None, [1], 1j, b"1"])
def test_padding_value_is_a_number(value):
    with pytest.raises(dmlviz.Error, match="not a number") as caught:
        Padding("CONSTANT", (1,), (0,), value)
    assert caught.value.field == "padding_value"
