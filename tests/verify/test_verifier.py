import re

import numpy as np
import pytest

import dmlviz
from dmlviz.verify import (
    PAGE_LIMIT,
    RECORDED,
    available,
    built_in,
    read_document,
    verifier,
    verify,
)
from tests.verify.pages import TILE


def verdict(page, engine="numpy"):
    (found,) = verify(read_document(page), (engine,))
    return found


def page_of(key):
    return next(page.text for page in built_in() if page.key == key)


def test_match():
    found = verdict(TILE)
    assert (found.engine, found.status, found.message) == (
        "numpy",
        "match",
        "12 elements, all equal.",
    )
    assert found.first_difference is None
    assert found.differing == {}
    np.testing.assert_array_equal(found.actual, found.example.expected, strict=True)
    assert (found.differing_count, found.sizes) == (0, {"OutputTensor": (2, 6)})


def test_mismatch():
    found = verdict(TILE.replace("[[1, 2, 3, 1, 2, 3]", "[[1, 2, 9, 1, 2, 8]"))
    assert found.status == "mismatch"
    assert (found.differing, found.differing_count) == ({"OutputTensor": (2, 5)}, 2)
    first = found.first_difference
    assert (first.index, first.expected, first.actual, first.line) == ((0, 2), "9", "3", 7)
    assert found.message == (
        "line 7: out[0, 2] is 9 on the page, but the engine gives 3; 2 of 12 elements differ."
    )


def test_every_engine_has_its_own_verdict():
    names = available()
    page = page_of("tile")
    found = verify(read_document(page), names)
    assert tuple(v.engine for v in found) == names
    assert names[0] == "numpy"
    assert names[-1] == RECORDED
    altered = page.replace("[[[[1, 2, 3, 1, 2, 3, 1, 2, 3],", "[[[[1, 2, 3, 1, 2, 3, 1, 2, 4],")
    assert altered != page
    for engine in verify(read_document(altered), names):
        assert engine.status == "mismatch"
        assert engine.differing == {"OutputTensor": (8,)}
        assert engine.first_difference.index == (0, 0, 0, 8)


def test_recorded_is_left_out_where_directml_was_never_asked():
    assert verify(read_document(TILE), (RECORDED,)) == ()
    assert verdict(page_of("tile"), RECORDED).status == "match"


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
    assert found.differing == {"OutputTensor": tuple(range(6, 12))}
    assert found.actual.shape == (4, 3)


def test_output_of_another_rank():
    found = verdict(TILE.replace("{2, 6}", "{1, 2, 6}"))
    assert found.status == "mismatch"
    assert "sizes {1, 2, 6}, but input and parameters give {2, 6}" in found.message
    assert (found.first_difference, found.differing) == (None, {})


@pytest.mark.parametrize("repeats", ["{2147483647, 1}", "{65536, 65536}", "{1, 4000}"])
def test_outputs_far_from_the_pages_sizes_are_not_worked_out(repeats):
    found = verdict(TILE.replace("{1, 2}", repeats))
    assert found.status == "mismatch"
    assert found.actual is None
    assert "but input and parameters give" in found.message


@pytest.mark.parametrize(
    ("repeats", "message"),
    [
        ("{1, 0}", "line 2: Repeats: 0 in dimension 1 is invalid"),
        ("{1, 1, 2}", "line 2: Repeats: "),
        ("{1, 4294967296}", "line 2: Repeats: 4294967296 in dimension 1 is invalid"),
    ],
)
def test_refused(repeats, message):
    found = verdict(TILE.replace("{1, 2}", repeats))
    assert found.status == "refused"
    assert found.message.startswith(message), found.message
    assert found.actual is None


def test_refused_by_a_parameter_that_is_not_the_first():
    page = page_of("padding")
    altered = page.replace("EndPadding: {0, 0, 3, 4}", "EndPadding: {0, 0, 3, 4, 0}", 1)
    line = altered[: altered.index("EndPadding: {0, 0, 3, 4, 0}")].count("\n") + 1
    found = verify(read_document(altered))
    assert [v.status for v in found] == ["refused", "match", "match", "match"]
    assert found[0].message.startswith(f"line {line}: EndPadding: ")


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("BlockSize", "3", "BlockSize: 3 does not fit {1, 8, 2, 3}; "),
        ("BlockSize", "0", "BlockSize: 0 is invalid; "),
        ("Order", "Row_Depth", 'Order: "Row_Depth" is unknown; use '),
        ("Order", "DML_DEPTH_SPACE_ORDER_X", 'Order: "DML_DEPTH_SPACE_ORDER_X" is unknown; '),
    ],
)
def test_messages_name_what_the_page_wrote(field, value, message):
    page = page_of("depth-to-space")
    altered = re.sub(rf"(?m)^{field}: .*$", f"{field}: {value}", page, count=1)
    line = altered[: altered.index(f"{field}: {value}")].count("\n") + 1
    found = verify(read_document(altered))[0]
    assert found.status == "refused"
    assert found.message.startswith(f"line {line}: {message}"), found.message


def test_one_line_number_where_several_parameters_are_wrong():
    page = page_of("depth-to-space").replace("BlockSize: 2", "BlockSize: 0", 1)
    page = re.sub(r"(?m)^Order: .*$", "Order: X", page, count=1)
    (first, _second) = verify(read_document(page))
    assert "is unknown" not in first.message
    assert len(re.findall(r"line \d", first.message)) == 1


def test_unreadable():
    found = verdict(TILE.replace("[[1, 2, 3],", "[[1, 2, x],"))
    assert found.status == "unreadable"
    assert found.message == 'line 4: InputTensor: "x" at [0, 2] is not a number.'
    assert (found.actual, found.sizes) == (None, {})


def test_a_contradiction_counts_before_what_follows_from_it():
    found = verdict(TILE.replace("[[1, 2, 3],\n [4, 5, 6]]", "[1, 2, 3]"))
    assert found.status == "mismatch"
    assert found.message == "line 3: InputTensor: Sizes say {2, 3}, but the values are 3."


def test_a_hundred_differences_are_listed_and_all_are_counted():
    rows = ", ".join("9" for _ in range(300))
    found = verdict(
        "DML_TILE_OPERATOR_DESC\nRepeats: {300}\nInputTensor: (Sizes:{1}, DataType:INT8) [1]\n"
        f"OutputTensor: (Sizes:{{300}}, DataType:INT8) [{rows}]\n"
    )
    assert found.differing == {"OutputTensor": tuple(range(100))}
    assert found.differing_count == 300
    assert found.message.endswith("300 of 300 elements differ.")


def test_work_is_bounded_for_the_page(monkeypatch):
    # each example takes 6 elements and gives 12
    monkeypatch.setattr(verifier, "WORK_LIMIT", 18 * 3 + 17)
    document = read_document(TILE * 5 + TILE.replace("{1, 2}", "{2, 1}"))
    found = verify(document, ("numpy", "onnxruntime"))
    by_engine = [[v.status for v in found if v.engine == e] for e in ("numpy", "onnxruntime")]
    assert by_engine == [["match"] * 3 + ["unreadable"] * 3] * 2
    assert found[-1].message == (
        "line 42: not run; earlier examples used up the page's limit of 71 elements."
    )
    assert found[-1].actual is None


def test_after_the_limit_nothing_is_run_however_small(monkeypatch):
    monkeypatch.setattr(verifier, "WORK_LIMIT", 17)
    small = "Repeats: {1}\nInputTensor: (Sizes:{1}, DataType:INT8) [1]\n"
    small += "OutputTensor: (Sizes:{1}, DataType:INT8) [1]\n"
    assert [v.status for v in verify(read_document(TILE + small))] == ["unreadable"] * 2


def test_a_page_of_the_greatest_length_that_is_right_is_run_to_its_end():
    ones = "1," * 29_999 + "1"
    one = "Repeats: {{{n}}}\nInputTensor: (Sizes:{{{x}}}, DataType:UINT8) [{a}]\n"
    one += "OutputTensor: (Sizes:{{30000}}, DataType:UINT8) [{b}]\n"
    page = "DML_TILE_OPERATOR_DESC\n" + one.format(n=1, x=30_000, a=ones, b=ones) * 34
    assert 0.9 * PAGE_LIMIT < len(page) <= PAGE_LIMIT
    assert [v.status for v in verify(read_document(page))] == ["match"] * 34


def test_outputs_are_kept_up_to_a_number_of_bytes(monkeypatch):
    monkeypatch.setattr(verifier, "KEPT_LIMIT", 2 * 12 * 4)
    found = verify(read_document(TILE * 2 + TILE.replace(" [4, 5, 6, 4", " [4, 5, 6, 9")))
    assert [v.status for v in found] == ["match", "match", "mismatch"]
    assert [v.actual is None for v in found] == [False, False, True]
    assert found[2].differing == {"OutputTensor": (9,)}
    assert found[2].sizes == {"OutputTensor": (2, 6)}


FLOATS = "NaN, Infinity, -Infinity, -0, 0, 0.1"


def floats(given, expected):
    return verdict(
        "DML_TILE_OPERATOR_DESC\nRepeats: {1}\n"
        f"InputTensor: (Sizes:{{6}}, DataType:FLOAT32) [{given}]\n"
        f"OutputTensor: (Sizes:{{6}}, DataType:FLOAT32) [{expected}]\n"
    )


def test_values_are_compared_bit_by_bit():
    assert floats(FLOATS, FLOATS).status == "match"
    assert floats(FLOATS, FLOATS.replace("-0", "0")).differing == {"OutputTensor": (3,)}
    assert floats(FLOATS, FLOATS.replace("NaN", "1")).differing == {"OutputTensor": (0,)}
    assert floats(FLOATS, FLOATS.replace("-Infinity", "Infinity")).differing == {
        "OutputTensor": (2,)
    }
    found = floats(FLOATS, FLOATS.replace("0.1", "0.10000001"))
    assert found.status == ("match" if np.float32(0.10000001) == np.float32(0.1) else "mismatch")
