"""Every case that DirectML 1.15.4 itself answered."""

import json
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.tensors import DATA_TYPES, data_type_of

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "assets" / "recordings" / "directml-1.15.4.json"
SHARED = ROOT.parent / "shared" / "recordings" / FILE.name
CASES = json.loads(FILE.read_text(encoding="utf-8"))["cases"]
ANSWERED = {case["id"]: case for case in CASES if "output" in case}
REFUSED = {case["id"]: case for case in CASES if "error" in case}

# DirectML is told the output's sizes and type; we work them out, so that nobody can be wrong.
WRONG_SIZES = {
    "refused-tile-wrong-output-size": (2, 6),
    "refused-tile-output-rank": (2, 6),
    "refused-depth-to-space1-wrong-output": (1, 1, 2, 2),
    "refused-padding-wrong-output-size": (5,),
}
WRONG_TYPES = {"refused-tile-data-types-differ", "refused-padding-data-types-differ"}
OURS_TO_REFUSE = sorted(REFUSED.keys() - WRONG_SIZES.keys() - WRONG_TYPES)


def operator(case):
    return dmlviz.operator_from_desc(case["operator"], case["desc"])


def tensor(case, part):
    dtype = DATA_TYPES[case["data_type"]].dtype
    return np.array(case[part], dtype).reshape(case[f"{part}_sizes"])


def test_the_file_is_the_one_that_was_recorded():
    if not SHARED.exists():
        pytest.skip(f"{SHARED} is not here to compare with")
    assert FILE.read_bytes() == SHARED.read_bytes()


def test_nothing_is_left_out():
    assert (len(CASES), len(ANSWERED), len(REFUSED)) == (303, 284, 19)
    assert len(OURS_TO_REFUSE) == 13


@pytest.mark.parametrize("name", ANSWERED)
def test_answer(name):
    case = ANSWERED[name]
    x, due = tensor(case, "input"), tensor(case, "output")
    what = operator(case)
    assert what.output_sizes(x.shape) == due.shape
    trace = dmlviz.run(what, x)
    np.testing.assert_array_equal(trace.output, due, strict=True)
    assert trace.agrees
    source = trace.source.ravel()
    expected = x.ravel()[source]
    if (source < 0).any():
        assert case["desc"]["PaddingMode"] == "CONSTANT"
        value = np.float32(case["desc"]["PaddingValue"])
        expected[source == -1] = np.trunc(value) if x.dtype.kind in "iu" else value
    np.testing.assert_array_equal(expected.reshape(due.shape), due, strict=True)


@pytest.mark.parametrize("name", OURS_TO_REFUSE)
def test_refusal(name):
    case = REFUSED[name]
    try:
        found = operator(case).problems(case["input_sizes"], case["data_type"])
    except dmlviz.Error as error:
        assert error.field
        assert str(error)
    else:
        assert found
        assert all(problem.message.startswith(f"{problem.field}: ") for problem in found)


@pytest.mark.parametrize(("name", "ours"), WRONG_SIZES.items())
def test_wrong_output_sizes_cannot_be_said(name, ours):
    case = REFUSED[name]
    assert operator(case).output_sizes(case["input_sizes"]) == ours
    assert ours != tuple(case["output_sizes"])


@pytest.mark.parametrize("name", sorted(WRONG_TYPES))
def test_differing_types_cannot_be_said(name):
    case = REFUSED[name]
    trace = dmlviz.run(operator(case), tensor(case, "input"))
    assert data_type_of(trace.output) == case["data_type"] != case["output_data_type"]
