"""What DirectML itself answered, for machines that have none: read from recordings."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from dmlviz.errors import Error
from dmlviz.operators import Operator, operator_from_desc
from dmlviz.tensors import DATA_TYPES

Array = np.ndarray[Any, Any]

FILE = Path(__file__).resolve().parents[2] / "assets" / "recordings" / "directml-1.15.4.json"


@dataclass(frozen=True, eq=False)
class Recorded:
    """A recorded answer.

    Attributes:
        version: DirectML's.
        output: what it gave; None where it refused.
        refusal: the call and the result code; empty where it answered.
    """

    version: str
    output: Array | None
    refusal: str


def recorded(operator: Operator, x: Array) -> Recorded | None:
    """What DirectML answered to exactly this, if it was ever asked."""
    return _answers().get(_key(operator, x))


@cache
def _answers() -> dict[Any, Recorded]:
    book = json.loads(FILE.read_text(encoding="utf-8"))
    answers = {}
    for case in book["cases"]:
        dtype = DATA_TYPES[case["data_type"]].dtype
        x = np.array(case["input"], dtype).reshape(case["input_sizes"])
        try:
            operator = operator_from_desc(case["operator"], case["desc"])
            due = operator.sizes_after(x.shape) if not operator.problems(x.shape, None) else None
        except Error:
            continue
        if "output" in case:
            output = np.array(case["output"], dtype).reshape(case["output_sizes"])
            answers[_key(operator, x)] = Recorded(book["directml_version"], output, "")
        elif due is None:
            # refusals of a wrong output tensor are no answers to a state that can be set here
            error = case["error"]
            answers[_key(operator, x)] = Recorded(
                book["directml_version"], None, f"{error['call']}: {error['hresult']}"
            )
    return answers


def _key(operator: Operator, x: Array) -> Any:
    return (repr(operator), x.dtype.str, x.shape, x.tobytes())
