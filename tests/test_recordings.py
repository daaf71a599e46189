"""Every case that DirectML 1.15.4 itself answered, as a whole description and tensors."""

import json
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz import operator_from_desc
from dmlviz.movement import VALUES
from dmlviz.operators.slots import descs_of
from dmlviz.tensors import DATA_TYPES, data_type_of
from tests.every import every
from tests.operators import recordings
from tests.strategies import bits

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
    return operator_from_desc(case["operator"], case["desc"])


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


@every("name", ANSWERED)
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


def case_id(case):
    return case["id"]


FAMILY = [
    case
    for path in sorted(FILE.parent.glob("directml-1.15.4-*.json"))
    for case in json.loads(path.read_text(encoding="utf-8"))["cases"]
]
BEYOND = "is outside |is more than "
REFUSED_WITH_REASON = {
    "gather-out-of-range-int32": BEYOND,
    "gather-elements-out-of-range": BEYOND,
    "gather-nd-out-of-range": BEYOND,
    "scatter-nd-out-of-range": BEYOND,
    "reverse-subsequences-longer-is-clamped": BEYOND,
    "gather-indices-uint64-beyond-32-bits": BEYOND,
    "gather-indices-uint64-largest": BEYOND,
    "gather-nd-indices-int64-beyond-32-bits": BEYOND,
    "one-hot-indices-uint64-beyond-32-bits": r"4294967297 .* the range of 32 bits",
    # a FLOAT, which DirectML truncates; the field here is of the tensor's type
    "diagonal-matrix-truncated": "INT32 holds whole numbers from",
    "diagonal-matrix-truncated-negative": "INT32 holds whole numbers from",
    "resample1-nearest-corner-uint8": "UINT8 is not run as DML_RESAMPLE1, in which DirectML",
    # DirectML refuses these, too, without a reason
    "refused-resample2-nearest-float64": "data_type: FLOAT64",
    "refused-resample2-nearest-int32": "data_type: INT32",
    "refused-upsample-2d-int8": "data_type: INT8",
    "refused-upsample-2d-int32": "data_type: INT32",
    "refused-upsample-2d-int64": "data_type: INT64",
    "refused-upsample-2d-rank-3": "4 numbers; the input has 3 dimensions",
    "refused-upsample-2d-scale-0": "ScaleSize is .*; both numbers must be 1 or more",
}
"""Cases that are refused here, and the reason."""


def outputs_only(case):
    """A description with the sizes of its outputs, but not of inputs without strides."""
    told = [t for t in (*case["inputs"], *case["outputs"]) if "strides" in t]
    told += case["outputs"]
    desc = dict(case["desc"])
    for tensor in told:
        name, bracket, _number = tensor["name"].partition("[")
        sizes = {key.title(): tensor[key] for key in ("sizes", "strides") if key in tensor}
        desc[name] = [*desc.get(name, ()), sizes] if bracket else sizes
    return operator_from_desc(case["operator"], desc)


def whole(case):
    """The inputs of a case, with zeros for one that DirectML may be given as absent."""
    inputs = recordings.tensors(case)
    kind = dmlviz.operators.OPERATORS[0]
    for kind in dmlviz.operators.OPERATORS:
        names = (kind.operator_type, *(form.operator_type for form in kind.older_forms))
        if case["operator"] in names:
            break
    for slot in kind.input_slots:
        if slot.optional and slot.name not in inputs:
            (output,) = case["outputs"]
            dtype = DATA_TYPES[output["data_type"]].dtype
            inputs[slot.name] = np.zeros(output["sizes"], dtype)
    return inputs


@every("case", FAMILY, ids=case_id)
def test_described_with_sizes_of_outputs_only(case):
    """What DirectML answered is answered, or refused with the reason; what it refused, refused."""
    check(case, outputs_only, "numpy", "")


@pytest.mark.parametrize("engine", recordings.ENGINES)
@pytest.mark.parametrize("case", FAMILY, ids=case_id)
def test_each_engine_answers_as_directml_did(case, engine):
    """In every form that it runs bit for bit, whatever its version."""
    if not any(e.name == engine and e.available for e in dmlviz.engines()):
        pytest.skip(f"{engine} is not here")
    check(case, recordings.operator_of, engine, "")
    if engine == "numpy" or "error" in case or case["id"] in REFUSED_WITH_REASON:
        return
    check(case, recordings.operator_of, engine, "lowered")
    operator, inputs = recordings.operator_of(case), whole(case)
    native = operator.native_graph(descs_of(inputs))
    if native and not native.cpu_from and operator.values_type(inputs) in native.cpu_types:
        check(case, recordings.operator_of, engine, "native")


def check(case, describe, engine, form):
    """The engine gives what DirectML gave, bit for bit, or refuses."""
    reason = REFUSED_WITH_REASON.get(case["id"])
    if "error" in case or reason:
        with pytest.raises(dmlviz.Error, match=reason):
            dmlviz.run(describe(case), whole(case), engine)
        return
    trace = dmlviz.run(describe(case), whole(case), engine, form)
    due = recordings.tensors(case, "outputs")
    assert list(trace.outputs) == list(due)
    for name, output in trace.outputs.items():
        np.testing.assert_array_equal(bits(output), bits(due[name]), strict=True)
    assert trace.agrees


# a page cannot be in these states: the settings are refused, or only the output's sizes are wrong,
# or another call fails; DirectML's other rule for 8 bits is not kept as an answer to this one
NOT_OPENED = {
    "refused-upsample-2d-scale-0",
    "refused-unfold-float64",
    "refused-unfold-documentation-example-1-same-rank",
    "resample1-nearest-corner-uint8",
}


@every(
    "case",
    [case for case in FAMILY if case["inputs"] and case["id"] not in NOT_OPENED],
    ids=case_id,
)
def test_what_directml_answered_is_found(case):
    recordings.check_found(case)


def test_the_family_is_what_was_recorded():
    kinds = {case["operator"] for case in FAMILY}
    assert len(FAMILY) >= 217
    if not recordings.SHARED.exists():
        pytest.skip(f"{recordings.SHARED} is not here to compare with")
    recorded = recordings.cases(recordings.SHARED, *kinds)
    assert sorted(FAMILY, key=case_id) == sorted(recorded, key=case_id)


def test_reasons_are_of_cases_that_there_are():
    assert {*REFUSED_WITH_REASON, *NOT_OPENED} <= {case["id"] for case in FAMILY}


@every("case", [case for case in FAMILY if "error" not in case], ids=case_id)
def test_other_output_sizes_are_refused(case):
    """Every output, one larger in each dimension or with one dimension more."""
    if case["id"] in REFUSED_WITH_REASON:
        return
    cls = type(recordings.operator_of(case))
    for k, output in enumerate(case["outputs"]):
        slot = next(s for s in cls.output_slots if s.name == output["name"].partition("[")[0])
        sizes = output["sizes"]
        wrong = [[*sizes[:d], sizes[d] + 1, *sizes[d + 1 :]] for d in range(len(sizes))]
        wrong.append([1, *sizes])
        for other in wrong:
            changed = [*case["outputs"]]
            changed[k] = {**output, "sizes": other}
            try:
                trace = dmlviz.run(outputs_only({**case, "outputs": changed}), whole(case))
            except dmlviz.Error:
                continue
            # a size that is free, or that is not an output's of a slot with its own sizes
            assert slot.name in cls.free_tensors or slot.role != VALUES, (other, trace.operator)
            assert list(trace.outputs[output["name"]].shape) == other
