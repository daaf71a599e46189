"""DiagonalMatrix in other dialects."""

from __future__ import annotations

import math

import numpy as np

from dmlviz.movement.graphs import Graph
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
    value_text,
)
from dmlviz.operators.code.directml import directml_snippet, float_text
from dmlviz.operators.code.onnx import NodeText, nodes_of, onnx_snippet
from dmlviz.operators.diagonal_matrix.strip import Strip
from dmlviz.words import _

_UNION = {"FLOAT32": "Float32", "FLOAT64": "Float64", "FLOAT16": "UInt16"}


def diagonal_snippets(
    case: Case, strip: Strip, value: np.generic, written: Graph | None
) -> tuple[Snippet, ...]:
    """Code that fills diagonals, in every dialect.

    Args:
        case: the tensors.
        strip: the diagonals.
        value: what fills.
        written: ONNX's own operator; None if it has none.
    """
    return (
        _directml(case, strip, value),
        _onnx(case, strip, value, written),
        numpy_snippet(case, _numpy(case, strip, value)),
        pytorch_snippet(case, _pytorch(case, strip, value)),
        tensorflow_snippet(
            case,
            [
                f"d = tf.range({case.sizes[-1]}) - tf.range({case.sizes[-2]})[:, None]",
                f"y = tf.where({_inside(strip)}, tf.constant({_tf_value(value)}, x.dtype), x)",
            ],
            _("Where Value is 0, tf.linalg.band_part keeps a band that has the main diagonal."),
        ),
        Snippet("einops", note=_("einops fills nothing: it moves and repeats whole axes.")),
    )


def _inside(strip: Strip) -> str:
    sign = "|" if strip.inverted else "&"
    return f"(d >= {strip.begin}) {sign} (d < {strip.end})"


def _tf_value(value: np.generic) -> str:
    return value_text(value)


def _directml(case: Case, strip: Strip, value: np.generic) -> Snippet:
    kind, note = case.data_type, ""
    member = _UNION.get(kind, kind.replace("UINT", "UInt").replace("INT", "Int"))
    if kind == "FLOAT16":
        text = f"0x{int(np.array(value).view(np.uint16)):04x}"
        note = _("DirectML's union has no FLOAT16: these are the bits of {value}.").format(
            value=value_text(value)
        )
    elif kind == "FLOAT32":
        text = float_text(float(np.array(value)))
    elif kind == "FLOAT64":
        number = float(np.array(value))
        text = repr(number) if math.isfinite(number) else float_text(number)
    elif kind in ("INT64", "UINT64"):
        low = int(np.array(value)) == -(1 << 63)
        text = "INT64_MIN" if low else f"{int(np.array(value))}{'ULL' if kind[0] == 'U' else 'LL'}"
    else:
        text = str(int(np.array(value)))
    fields = {
        "ValueDataType": f"DML_TENSOR_DATA_TYPE_{kind}",
        f"Value.{member}": "INT32_MIN" if text == str(-(1 << 31)) else text,
        "DiagonalFillBegin": _bound(strip.begin),
        "DiagonalFillEnd": _bound(strip.end),
    }
    return directml_snippet(case, fields, note)


def _bound(number: int) -> str:
    return "INT32_MIN" if number == -(1 << 31) else str(number)


def _onnx(case: Case, strip: Strip, value: np.generic, written: Graph | None) -> Snippet:
    if written is not None:
        return onnx_snippet(case, nodes_of(written), written.opset)
    rows, columns = case.sizes[-2:]
    before = [
        f"d = np.arange({columns}) - np.arange({rows})[:, None]",
        f"inside = {_inside(strip)}",
    ]
    constants = {
        "inside": "inside",
        "value": f"np.array({value_text(value)}, dtype=np.{case.dtype})",
    }
    node = NodeText("Where", ("inside", "value", case.inputs[0].name), constants)
    return onnx_snippet(case, [node], 13, before)


def _numpy(case: Case, strip: Strip, value: np.generic) -> list[str]:
    if _is_zero(value):
        if (k := strip.upper(case.sizes)) is not None:
            return [f"y = np.triu(x, {k})"]
        if (k := strip.lower(case.sizes)) is not None:
            return [f"y = np.tril(x, {k})"]
    rows, columns = case.sizes[-2:]
    return [
        f"d = np.arange({columns}) - np.arange({rows})[:, None]",
        f"y = np.where({_inside(strip)}, np.{case.dtype}({value_text(value)}), x)",
    ]


def _pytorch(case: Case, strip: Strip, value: np.generic) -> list[str]:
    rows, columns = case.sizes[-2:]
    filled = f"torch.full_like(x, {value_text(value)})"
    return [
        f"d = torch.arange({columns}) - torch.arange({rows})[:, None]",
        f"y = torch.where({_inside(strip)}, {filled}, x)",
    ]


def _is_zero(value: np.generic) -> bool:
    # -0.0 is a different value
    return not np.array(value).tobytes().strip(b"\0")
