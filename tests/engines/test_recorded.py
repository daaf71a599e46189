"""What DirectML 1.15.4 answered is found by the state alone, and nothing else is."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz.engines import recorded as module
from dmlviz.engines.recorded import recorded
from dmlviz.operators import OPERATORS
from dmlviz.tensors import DATA_TYPES
from tests.every import every
from tests.one_input import applied
from tests.strategies import bits, runs

FILE = Path(__file__).resolve().parents[2] / "assets" / "recordings" / "directml-1.15.4.json"
CASES = json.loads(FILE.read_text(encoding="utf-8"))["cases"]
ANSWERED = {case["id"]: case for case in CASES if "output" in case}
REFUSED = {case["id"]: case for case in CASES if "error" in case}
RECORDED = {
    case["operator"]
    for path in FILE.parent.glob("directml-*.json")
    for case in json.loads(path.read_text(encoding="utf-8"))["cases"]
}
# DirectML was told a wrong output there, which no state of ours can say
NOT_A_STATE = {
    "refused-tile-wrong-output-size",
    "refused-tile-output-rank",
    "refused-tile-data-types-differ",
    "refused-depth-to-space1-wrong-output",
    "refused-padding-wrong-output-size",
    "refused-padding-data-types-differ",
}


def tensor(case, part="input"):
    dtype = DATA_TYPES[case["data_type"]].dtype
    return np.array(case[part], dtype).reshape(case[f"{part}_sizes"])


def operator_of(case):
    return dmlviz.operator_from_desc(case["operator"], case["desc"])


@every("name", ANSWERED)
def test_answer(name):
    case = ANSWERED[name]
    found = recorded(operator_of(case), tensor(case))
    assert found.version == "1.15.4"
    assert found.refusal == ""
    np.testing.assert_array_equal(found.output, tensor(case, "output"), strict=True)


@pytest.mark.parametrize("name", sorted(REFUSED.keys() - NOT_A_STATE))
def test_refusal(name):
    case = REFUSED[name]
    try:
        operator = operator_of(case)
    except dmlviz.Error:
        return  # no state of ours either
    found = recorded(operator, tensor(case))
    assert found.version == "1.15.4"
    assert found.output is None
    assert found.refusal == "IDMLDevice::CreateOperator: 0x80070057"


@pytest.mark.parametrize("name", sorted(NOT_A_STATE))
def test_a_refusal_of_a_wrong_output_is_no_answer_to_the_right_one(name):
    case = REFUSED[name]
    found = recorded(operator_of(case), tensor(case))
    assert found is None or found.output is not None


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_documentation_examples(cls):
    for example in cls.examples():
        found = recorded(example.operator, example.x)
        if cls is dmlviz.SpaceToDepth:
            continue  # its page's inputs were recorded as DepthToSpace's outputs
        if cls.operator_type not in RECORDED:
            continue  # DirectML was never asked
        if "dml-strides" in example.source or example.source.endswith("description"):
            continue  # its page has no tensors; another one has some, and names no operator
        assert found is not None
        for name, output in dmlviz.run(example.operator, example.x).outputs.items():
            np.testing.assert_array_equal(found.outputs[name], output)


def test_never_asked():
    case = ANSWERED["tile-documentation-example"]
    operator, x = operator_of(case), tensor(case)
    assert recorded(operator, x) is not None
    assert recorded(operator, x + 1) is None
    assert recorded(operator, x.astype(np.float64)) is None
    assert recorded(operator, x.view(np.int32)) is None
    assert recorded(operator, x.reshape(1, 1, 3, 2)) is None
    assert recorded(dmlviz.Tile((1, 1, 3, 4)), x) is None
    assert recorded(dmlviz.DepthToSpace(1), x) is None


def test_a_negative_zero_is_another_question(monkeypatch, tmp_path):
    case = {
        "operator": "DML_OPERATOR_PADDING",
        "desc": {
            "PaddingMode": "CONSTANT",
            "PaddingValue": 0,
            "StartPadding": [1],
            "EndPadding": [0],
        },
        "data_type": "FLOAT32",
        "input_sizes": [2],
        "input": [0, 1],
        "output_sizes": [3],
        "output": [0, 0, 1],
    }
    file = tmp_path / "directml-book.json"
    file.write_text(json.dumps({"directml_version": "1.15.4", "cases": [case]}), encoding="utf-8")
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    module._answers.cache_clear()
    try:
        operator, x = operator_of(case), tensor(case)
        assert recorded(operator, x) is not None
        assert recorded(operator, np.array([-0.0, 1], np.float32)) is None
        assert recorded(replace(operator, padding_value=-0.0), x) is None
    finally:
        module._answers.cache_clear()


@given(runs())
def test_random_states_have_no_answer_or_the_right_one(run):
    operator, x = run
    found = recorded(operator, x)
    if found is not None:
        np.testing.assert_array_equal(bits(found.output), bits(applied(operator, x)), strict=True)
