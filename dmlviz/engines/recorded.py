"""Recorded answers of DirectML, for machines without it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.places import ASSETS
from dmlviz.engines.base import Inputs
from dmlviz.operators import OPERATORS, Operator, operator_from_desc
from dmlviz.operators.slots import descs_of
from dmlviz.tensors import DATA_TYPES, data_type_of
from dmlviz.tensors.types import Array

FOLDER = ASSETS / "recordings"


@dataclass(frozen=True, eq=False)
class Recorded:
    """A recorded answer.

    Attributes:
        version: DirectML's version.
        outputs: the output tensors, by name; empty if it refused.
        refusal: the call and the result code; empty if it answered.
    """

    version: str
    outputs: Mapping[str, Array]
    refusal: str

    @property
    def output(self) -> Array | None:
        """The output, if there is only one; None if it refused."""
        return next(iter(self.outputs.values()), None)


def recorded(operator: Operator, x: Array | Inputs) -> Recorded | None:
    """DirectML's answer to exactly this input, or these inputs by name, if there is a recording."""
    return _answers().get(_key(operator, operator.named_inputs(x, "x")))


@cache
def _answers() -> dict[Any, Recorded]:
    answers = {}
    for path in sorted(FOLDER.glob("directml-*.json")):
        book = json.loads(path.read_text(encoding="utf-8"))
        for case in book["cases"]:
            answer = _answer(book["directml_version"], case)
            if answer is not None:
                answers[answer[0]] = answer[1]
    return answers


def _answer(version: str, case: dict[str, Any]) -> tuple[Any, Recorded] | None:
    """The key of a case and its answer; None if its settings are not available here."""
    inputs, outputs = _tensors(case, "input"), _tensors(case, "output")
    if _otherwise(case["operator"], inputs):
        return None
    try:
        operator = operator_from_desc(case["operator"], case["desc"] | _laid(case))
        operator = operator.with_output_sizes(
            {tensor["name"]: tuple(tensor["sizes"]) for tensor in case.get("outputs", ())}
        ).with_output_types(
            {tensor["name"]: tensor["data_type"] for tensor in case.get("outputs", ())}
        )
        # a recording keeps the structure's order
        inputs = operator.named_inputs(inputs)
        refused = bool(operator.refusals(inputs))
    except Error:
        return None
    if "error" not in case:
        return _key(operator, inputs), Recorded(version, outputs, "")
    if not refused:
        # the output tensor was invalid, which cannot be set here
        return None
    error = case["error"]
    return _key(operator, inputs), Recorded(version, {}, f"{error['call']}: {error['hresult']}")


def _otherwise(operator_type: str, inputs: Inputs) -> bool:
    """Whether this is an older form that behaves differently from these settings for the types."""
    forms = (form for cls in OPERATORS for form in cls.older_forms)
    form = next((form for form in forms if form.operator_type == operator_type), None)
    types = {data_type_of(x.dtype) for x in inputs.values()}
    return form is not None and not types.isdisjoint(form.otherwise)


def _tensors(case: dict[str, Any], side: str) -> dict[str, Array]:
    """Inputs or outputs of a case that have values: a named list, or a single tensor."""
    if f"{side}s" in case:
        listed = [(t["name"], t["data_type"], t) for t in case[f"{side}s"]]
    else:
        only = {"values": case.get(side), "sizes": case.get(f"{side}_sizes")}
        listed = [(f"{side.title()}Tensor", case["data_type"], only)]
    return {
        # a tensor with strides is recorded as its memory
        name: np.array(tensor["values"], DATA_TYPES[kind].dtype).reshape(
            -1 if "strides" in tensor else tensor["sizes"]
        )
        for name, kind, tensor in listed
        if tensor.get("values") is not None
    }


def _laid(case: dict[str, Any]) -> dict[str, Any]:
    """The tensors of a case that have strides, according to its description."""
    return {
        tensor["name"]: {"Sizes": tensor["sizes"], "Strides": tensor["strides"]}
        for tensor in case.get("inputs", ())
        if "strides" in tensor
    }


def _key(operator: Operator, inputs: Inputs) -> Any:
    tensors = tuple((name, a.dtype.str, a.shape, a.tobytes()) for name, a in inputs.items())
    if operator.refusals(inputs):
        return (repr(operator), tensors)
    # output sizes can be given or left to the operator; only the resulting sizes matter
    due = operator.output_descs(descs_of(inputs))
    outputs = {slot.name for slot in operator.output_slots}
    desc = {name: value for name, value in operator.desc.items() if name not in outputs}
    return (operator.operator_type, repr(desc), repr(due), tensors)
