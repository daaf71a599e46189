"""Cases of the family's recording, as operators and tensors by name."""

import json
from pathlib import Path

import numpy as np

from dmlviz import operator_from_desc
from dmlviz.engines.recorded import recorded
from dmlviz.tensors import DATA_TYPES
from tests.strategies import bits

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "assets" / "recordings"
SHARED = ROOT.parent / "shared" / "recordings" / "directml-1.15.4-family.json"
ENGINES = ("numpy", "onnxruntime")


def cases(path, *kinds):
    """The cases of these operators; none where the file is not here."""
    if not path.exists():
        return []
    book = json.loads(path.read_text(encoding="utf-8"))
    return [case for case in book["cases"] if case["operator"] in kinds]


def own(key):
    """The file that the project brings along."""
    return FOLDER / f"directml-1.15.4-{key}.json"


def tensors(case, side="inputs"):
    """The tensors of one side by name."""
    return {
        # what has strides gives its memory
        told["name"]: np.array(told["values"], DATA_TYPES[told["data_type"]].dtype).reshape(
            -1 if "strides" in told else told["sizes"]
        )
        for told in case[side]
    }


def described(case):
    """A case's fields, with what has to be said of inputs that have strides."""
    return case["desc"] | {
        told["name"]: {"Sizes": told["sizes"], "Strides": told["strides"]}
        for told in case["inputs"]
        if "strides" in told
    }


def operator_of(case):
    """The operator of a case, described with the sizes of all its tensors.

    Raises:
        Error: they contradict what the operator derives, or it cannot take them.
    """
    desc = dict(case["desc"])
    for told in (*case["inputs"], *case["outputs"]):
        sizes = {"Sizes": told["sizes"]}
        sizes |= {"Strides": told["strides"]} if "strides" in told else {}
        name, bracket, _number = told["name"].partition("[")
        if bracket:
            desc[name] = [*desc.get(name, ()), sizes]
        else:
            desc[name] = sizes
    return operator_from_desc(case["operator"], desc)


def check_found(case):
    """The state alone finds what was recorded."""
    operator = operator_from_desc(case["operator"], described(case)).with_output_sizes(
        {told["name"]: tuple(told["sizes"]) for told in case["outputs"]}
    )
    inputs = tensors(case)
    found = recorded(operator, inputs)
    if "error" in case and operator.refusals(inputs):
        assert found.refusal == "IDMLDevice::CreateOperator: 0x80070057"
        return
    if "error" in case:
        # the output tensor was wrong, which cannot be set here
        assert found is None
        return
    due = tensors(case, "outputs")
    assert list(found.outputs) == list(due)
    for name, output in found.outputs.items():
        np.testing.assert_array_equal(bits(output), bits(due[name]), strict=True)
