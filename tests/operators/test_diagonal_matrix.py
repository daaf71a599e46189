"""DiagonalMatrix: DirectML's examples and answers, triangles, what is refused, laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import DiagonalMatrix, operator_from_desc
from dmlviz.tensors import DATA_TYPES
from tests.one_input import moves, snippet
from tests.operators import recordings
from tests.strategies import bits, tensors
from tests.test_recordings import REFUSED_WITH_REASON

KIND = DiagonalMatrix.operator_type
CASES = recordings.cases(recordings.own("diagonal-matrix"), "DML_OPERATOR_DIAGONAL_MATRIX")
X = np.arange(1, 36).reshape(5, 7)
MATRICES = st.tuples(st.integers(1, 3), st.integers(1, 7), st.integers(1, 7))


def test_directml_drops_a_fraction_that_is_refused_here():
    fractions = [case for case in CASES if case["desc"]["Value"] % 1]
    assert len(fractions) == 2
    for case in fractions:
        assert int(case["desc"]["Value"]) in case["outputs"][0]["values"]
        assert case["id"] in REFUSED_WITH_REASON


def test_onnx_has_triangles_of_zeros():
    for name, known in DATA_TYPES.items():
        x = X.astype(known.dtype)
        for operator in (DiagonalMatrix(0, -9, 2), DiagonalMatrix(0, -1, 9)):
            own = name in ("FLOAT64", "FLOAT32", "INT64")
            found = dmlviz.run(operator, x, "onnxruntime")
            assert found.ran.form == ("native" if own else "lowered")
            assert found.agrees
            np.testing.assert_array_equal(found.output, dmlviz.run(operator, x).output)
    for operator in (
        DiagonalMatrix(7, -9, 2),
        DiagonalMatrix(0, 0, 2),
        DiagonalMatrix(-0.0, -9, 2),
    ):
        with pytest.raises(dmlviz.EngineRefused, match="ONNX has no operator"):
            dmlviz.run(operator, X.astype(np.float32), "onnxruntime", "native")


@given(MATRICES, st.integers(-9, 9), st.integers(-9, 9), st.data())
def test_it_is_the_rule_of_the_page(sizes, begin, end, data):
    x = data.draw(tensors(sizes))
    output = dmlviz.run(DiagonalMatrix(3, begin, end), x).output
    for at in np.ndindex(sizes):
        top = at[-1] - at[-2]
        filled = (end >= begin) ^ (top >= begin) ^ (top < end)
        due = np.array(3, x.dtype) if filled else x[at]
        assert bits(np.asarray(output[at])) == bits(np.asarray(due))


@given(MATRICES, st.integers(-9, 9), st.data())
def test_triangles_are_numpys(sizes, k, data):
    x = data.draw(tensors(sizes))
    upper, lower = DiagonalMatrix(0, -99, k), DiagonalMatrix(0, k + 1, 99)
    np.testing.assert_array_equal(bits(dmlviz.run(upper, x).output), bits(np.triu(x, k)))
    np.testing.assert_array_equal(bits(dmlviz.run(lower, x).output), bits(np.tril(x, k)))


@given(MATRICES, st.integers(-9, 9), st.integers(-9, 9))
def test_exchanged_bounds_fill_everything_else(sizes, begin, end):
    x = np.zeros(sizes)
    one, other = DiagonalMatrix(1, begin, end), DiagonalMatrix(1, end, begin)
    filled = dmlviz.run(one, x).output + dmlviz.run(other, x).output
    assert (filled == (0 if begin == end else 1)).all()


def test_refusals():
    def message(operator, kind="FLOAT32", sizes=(4, 5), level=None):
        return [p.message for p in operator.problems(sizes, kind, level)]

    [told] = message(DiagonalMatrix(0, 2**31, 0))
    assert told.startswith("diagonal_fill_begin: 2147483648 is invalid")
    [told] = message(DiagonalMatrix(0, 0, -(2**31) - 1))
    assert told.startswith("diagonal_fill_end: -2147483649")
    for value, kind in ((0.5, "INT8"), (300, "UINT8"), (-1, "UINT64"), (float("nan"), "INT32")):
        [told] = message(DiagonalMatrix(value, 0, 1), kind)
        assert told.startswith("value: ")
        assert f"{kind} holds whole numbers" in told
    assert message(DiagonalMatrix(1e6, 0, 1), "FLOAT16") == [
        "value: 1000000 is out of range for FLOAT16."
    ]
    assert message(DiagonalMatrix(float("-inf"), 0, 1), "FLOAT16") == []
    assert "takes 2 to 4" in message(DiagonalMatrix(0, 0, 1), sizes=(5,))[0]
    assert "it was added in feature level 5_1" in message(DiagonalMatrix(0, 0, 1), level="5_0")[0]
    with pytest.raises(dmlviz.Error, match='value: "x" is not a number'):
        DiagonalMatrix("x", 0, 1)
    desc = DiagonalMatrix(0, 0, 1).desc
    for name in ("INT8", "DML_TENSOR_DATA_TYPE_INT8", 8):
        assert operator_from_desc(KIND, {**desc, "ValueDataType": name}) == DiagonalMatrix(0, 0, 1)
    with pytest.raises(dmlviz.Error, match='ValueDataType is "FLOAT7"'):
        operator_from_desc(KIND, {**desc, "ValueDataType": "FLOAT7"})


def test_the_formula_says_where_nothing_is_copied():
    assert DiagonalMatrix(7, 0, 2).explain((3, 4), (1, 2)) == (
        "out[h, w] = in[h, max(w if w − h < 0 else -1, w if 1 < w − h else -1)]\n"
        "out[1, 2] = in[1, max(2 if 2 − 1 < 0 else -1, 2 if 1 < 2 − 1 else -1)] = in[1, -1], "
        "and index -1 is outside 0 to 3 in dimension 1: it is Value, 7; no input element is its "
        "source."
    )


def test_steps_go_diagonal_by_diagonal():
    steps = moves(DiagonalMatrix(7, 0, 2), (2, 3, 4))
    assert [(step.title, step.caption) for step in steps.steps] == [
        ("in", "12 elements stay where they are: w − h is -2 to 3."),
        ("w − h = 0", "Diagonal 0 is filled with 7: 6 elements, column minus row is 0."),
        ("w − h = 1", "Diagonal 1 is filled with 7: 6 elements, column minus row is 1."),
    ]
    many = moves(DiagonalMatrix(7, -99, 99), (9, 9))
    assert len(many.steps) == 8
    assert many.steps[-1].caption == "So are the other 10 diagonals, up to 8: 53 elements become 7."


def test_misreadings():
    found = {m.key: m for m in DiagonalMatrix(0, -9, 1).misreadings((2, 3))}
    assert found["turned-round"].source.tolist() == [0, -1, -1, 3, 4, -1]
    assert found["below"].source.tolist() == [-1, -1, -1, 3, -1, -1]
    assert found["end"].source.tolist() == [-1, -1, 2, -1, -1, -1]
    assert found["transposed"].output_sizes == (3, 2)
    assert found["square"].output_sizes == (2, 2)


def test_code():
    def piece(operator, dialect, kind="FLOAT32"):
        return snippet(operator, (5, 7), dialect, kind).body

    assert piece(DiagonalMatrix(0, -9, 1), "numpy") == "y = np.triu(x, 1)"
    assert piece(DiagonalMatrix(0, 2, 9), "numpy") == "y = np.tril(x, 1)"
    assert piece(DiagonalMatrix(7, 0, 2), "numpy") == (
        "d = np.arange(7) - np.arange(5)[:, None]\n"
        "y = np.where((d >= 0) & (d < 2), np.float32(7.0), x)"
    )
    assert "Value.Float32 = 7.0f;" in piece(DiagonalMatrix(7, 0, 2), "directml")
    assert "Value.UInt16 = 0x4700;" in piece(DiagonalMatrix(7, 0, 2), "directml", "FLOAT16")
    assert "Value.Int64 = 7LL;" in piece(DiagonalMatrix(7, 0, 2), "directml", "INT64")
    assert '"Trilu"' in piece(DiagonalMatrix(0, -9, 1), "onnx")
    assert '"Where"' in piece(DiagonalMatrix(7, 0, 2), "onnx")
