import numpy as np
import pytest

import dmlviz
from dmlviz.documents import RECORDED, available, built_in, read_document, verify
from tests.documents.pages import TILE


def verdict(page, engine="numpy"):
    (found,) = verify(read_document(page), (engine,))
    return found


def test_match():
    found = verdict(TILE)
    assert (found.engine, found.status, found.message) == (
        "numpy",
        "match",
        "12 elements, all equal.",
    )
    assert found.first_difference is None
    assert found.differing == ()
    np.testing.assert_array_equal(found.actual, found.example.expected, strict=True)
    assert found.trace.engine == "numpy"


def test_mismatch():
    found = verdict(TILE.replace("[[1, 2, 3, 1, 2, 3]", "[[1, 2, 9, 1, 2, 8]"))
    assert found.status == "mismatch"
    assert found.differing == (2, 5)
    first = found.first_difference
    assert (first.index, first.expected, first.actual, first.line) == ((0, 2), "9", "3", 7)
    assert found.message == (
        "line 7: out[0, 2] is 9 on the page, 3 by the engine; 2 of 12 elements differ."
    )


def test_every_engine_has_its_own_verdict():
    names = available()
    page = built_in()[0].text
    found = verify(read_document(page), names)
    assert tuple(v.engine for v in found) == names
    assert names[0] == "numpy"
    assert names[-1] == RECORDED
    altered = page.replace("[[[[1, 2, 3, 1, 2, 3, 1, 2, 3],", "[[[[1, 2, 3, 1, 2, 3, 1, 2, 4],")
    assert altered != page
    for engine in verify(read_document(altered), names):
        assert engine.status == "mismatch"
        assert engine.differing == (8,)
        assert engine.first_difference.index == (0, 0, 0, 8)


def test_recorded_is_left_out_where_directml_was_never_asked():
    assert verify(read_document(TILE), (RECORDED,)) == ()
    assert verdict(built_in()[0].text, RECORDED).trace is None


def test_an_engine_that_there_is_not():
    with pytest.raises(dmlviz.EngineUnavailable):
        verify(read_document(TILE), ("numpie",))


def test_output_sizes_that_the_parameters_do_not_give():
    found = verdict(TILE.replace("{1, 2}", "{2, 1}"))
    assert found.status == "mismatch"
    assert found.message == (
        "line 6: the page's output has sizes {2, 6}, but input and parameters give {4, 3}."
    )
    first = found.first_difference
    assert (first.index, first.expected, first.actual, first.line) == ((2, 0), "", "1", 0)
    assert found.differing == tuple(range(6, 12))
    assert found.actual.shape == (4, 3)


def test_output_of_another_rank():
    found = verdict(TILE.replace("{2, 6}", "{1, 2, 6}"))
    assert found.status == "mismatch"
    assert "sizes {1, 2, 6}, but input and parameters give {2, 6}" in found.message
    assert (found.first_difference, found.differing) == (None, ())


@pytest.mark.parametrize("repeats", ["{2147483647, 1}", "{65536, 65536}", "{1, 4000}"])
def test_outputs_far_from_the_pages_sizes_are_not_worked_out(repeats):
    found = verdict(TILE.replace("{1, 2}", repeats))
    assert found.status == "mismatch"
    assert found.actual is None
    assert "but input and parameters give" in found.message


@pytest.mark.parametrize(
    ("repeats", "message"),
    [
        ("{1, 0}", "line 2: repeats: 0 in dimension 1 is not possible"),
        ("{1, 1, 2}", "line 2: repeats: "),
        ("{1, 4294967296}", "line 2: repeats: 4294967296 in dimension 1 is not possible"),
    ],
)
def test_refused(repeats, message):
    found = verdict(TILE.replace("{1, 2}", repeats))
    assert found.status == "refused"
    assert found.message.startswith(message), found.message
    assert found.actual is None


def test_refused_by_a_parameter_that_is_not_the_first():
    page = built_in()[3].text
    altered = page.replace("EndPadding: {0, 0, 3, 4}", "EndPadding: {0, 0, 3, 4, 0}", 1)
    line = altered[: altered.index("EndPadding: {0, 0, 3, 4, 0}")].count("\n") + 1
    found = verify(read_document(altered))
    assert [v.status for v in found] == ["refused", "match", "match", "match"]
    assert found[0].message.startswith(f"line {line}: end_padding: ")


def test_unreadable():
    found = verdict(TILE.replace("[[1, 2, 3],", "[[1, 2, x],"))
    assert found.status == "unreadable"
    assert found.message == 'line 4: InputTensor: "x" at [0, 2] is not a number.'
    assert (found.actual, found.trace) == (None, None)


def test_a_contradiction_counts_before_what_follows_from_it():
    found = verdict(TILE.replace("[[1, 2, 3],\n [4, 5, 6]]", "[1, 2, 3]"))
    assert found.status == "mismatch"
    assert found.message == "line 3: InputTensor: Sizes say {2, 3}, but the values are 3."


FLOATS = "NaN, Infinity, -Infinity, -0, 0, 0.1"


def floats(given, expected):
    return verdict(
        "DML_TILE_OPERATOR_DESC\nRepeats: {1}\n"
        f"InputTensor: (Sizes:{{6}}, DataType:FLOAT32) [{given}]\n"
        f"OutputTensor: (Sizes:{{6}}, DataType:FLOAT32) [{expected}]\n"
    )


def test_values_are_compared_bit_by_bit():
    assert floats(FLOATS, FLOATS).status == "match"
    assert floats(FLOATS, FLOATS.replace("-0", "0")).differing == (3,)
    assert floats(FLOATS, FLOATS.replace("NaN", "1")).differing == (0,)
    assert floats(FLOATS, FLOATS.replace("-Infinity", "Infinity")).differing == (2,)
    found = floats(FLOATS, FLOATS.replace("0.1", "0.10000001"))
    assert found.status == ("match" if np.float32(0.10000001) == np.float32(0.1) else "mismatch")
