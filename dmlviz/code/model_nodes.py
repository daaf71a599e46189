"""Nodes of any opset in the newest form, as :mod:`dmlviz.code.onnx` reads them.

Source: "Changelog" at onnx.ai/onnx/operators.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.code import rules
from dmlviz.code.model_file import FileNode
from dmlviz.code.onnx import FUNCTIONS
from dmlviz.code.refusals import CodeRefused
from dmlviz.tensors import short_text
from dmlviz.tensors.types import Array

CONTROLS: Mapping[str, tuple[int, ...]] = {
    "Compress": (1,),
    "CenterCropPad": (1,),
    "Expand": (1,),
    "Gather": (1,),
    "GatherElements": (1,),
    "GatherND": (1,),
    "Pad": (1, 2, 3),
    "Reshape": (1,),
    "Resize": (1, 2, 3),
    "ReverseSequence": (1,),
    "ScatterElements": (1,),
    "ScatterND": (1,),
    "Slice": (1, 2, 3, 4),
    "Split": (1,),
    "Squeeze": (1,),
    "Tile": (1,),
    "Trilu": (1,),
    "Unsqueeze": (1,),
    "Where": (0,),
}
"""By the operator, which inputs say where elements go; the others have elements that move."""

Input = str | Array | None


@dataclass(frozen=True, eq=False)
class Move:
    """A node of the newest form.

    Attributes:
        op_type: ONNX's name.
        inputs: names of tensors, constants, and None for one that is left out.
        attributes: by ONNX's names.
        outputs: names of tensors; an empty name for one that nobody takes.
    """

    op_type: str
    inputs: tuple[Input, ...]
    attributes: Mapping[str, Any]
    outputs: tuple[str, ...]


def moves(op_type: str) -> bool:
    """Whether an operator only moves elements, if its settings are those that do."""
    older = op_type in ("Scatter", "Upsample", "Dropout")
    function = FUNCTIONS.get(f"onnx.{op_type}")
    refuses = function in (None, rules.computes, rules.by_values)
    return older or not (refuses or op_type == "Shape")


def newest(node: FileNode, opset: int) -> Move:
    """A node in the newest form.

    Args:
        node: a node of ONNX's own domain.
        opset: of the model.

    Raises:
        CodeRefused: it has an attribute that its operator does not have.
    """
    inputs = tuple(name or None for name in node.inputs)
    move = Move(node.op_type, inputs, node.attributes, node.outputs)
    change = _OLDER.get(node.op_type)
    if change is not None:
        move = change(move, opset)
    for name, value in move.attributes.items():
        if moves(move.op_type) and (name not in _parameters(move.op_type) or value is None):
            raise CodeRefused(
                "name", _("The attribute {name} is not read here.").format(name=short_text(name))
            )
    return move


def default(op_type: str, attribute: str) -> Any:
    """The value of an attribute that is left out."""
    return _parameters(op_type)[attribute].default


@cache
def _parameters(op_type: str) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(FUNCTIONS[f"onnx.{op_type}"]).parameters


def _with(move: Move, opset: int, until: int, *names: str) -> Move:
    """Attributes that became inputs with an opset, as inputs; those that are missing left out."""
    if opset >= until or not {*names} & move.attributes.keys():
        return move
    values = tuple(
        np.asarray(move.attributes[name]) if name in move.attributes else None for name in names
    )
    rest = {name: value for name, value in move.attributes.items() if name not in names}
    return replace(move, inputs=(*move.inputs, *values), attributes=rest)


def _pad(move: Move, opset: int) -> Move:
    attributes = dict(move.attributes)
    if "paddings" in attributes:
        attributes["pads"] = attributes.pop("paddings")
    return _with(replace(move, attributes=attributes), opset, 11, "pads", "value")


def _split(move: Move, opset: int) -> Move:
    move = _with(move, opset, 13, "split")
    if len(move.inputs) < 2 or move.inputs[1] is None:
        return replace(move, attributes={"num_outputs": len(move.outputs), **move.attributes})
    return move


def _tile(move: Move, opset: int) -> Move:
    if opset < 6:
        raise CodeRefused("name", _("Tile is read from opset 6 on."))
    return move


def _concat(move: Move, opset: int) -> Move:
    return replace(move, attributes={"axis": 1, **move.attributes})


def _scatter(move: Move, opset: int) -> Move:
    return replace(move, op_type="ScatterElements")


def _upsample(move: Move, opset: int) -> Move:
    move = _with(move, opset, 9, "scales")
    x, scales = (*move.inputs, None)[:2]
    older = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    return Move("Resize", (x, None, scales), {**move.attributes, **older}, move.outputs)


def _resize(move: Move, opset: int) -> Move:
    return _upsample(move, opset) if opset < 11 else move


def _dropout(move: Move, opset: int) -> Move:
    training = len(move.inputs) > 2 and move.inputs[2] is not None
    training = training or (opset < 7 and not move.attributes.get("is_test", 0))
    if training or any(move.outputs[1:]):
        raise CodeRefused("computes", _("Dropout in training computes new values."))
    return Move("Identity", move.inputs[:1], {}, move.outputs)


_OLDER: Mapping[str, Callable[[Move, int], Move]] = {
    "Concat": _concat,
    "Dropout": _dropout,
    "Pad": _pad,
    "Reshape": lambda move, opset: _with(move, opset, 5, "shape"),
    "Resize": _resize,
    "Scatter": _scatter,
    "Slice": lambda move, opset: _with(move, opset, 10, "starts", "ends", "axes"),
    "Split": _split,
    "Squeeze": lambda move, opset: _with(move, opset, 13, "axes"),
    "Tile": _tile,
    "Unsqueeze": lambda move, opset: _with(move, opset, 13, "axes"),
    "Upsample": _upsample,
}
