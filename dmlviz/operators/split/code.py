"""Split in other dialects."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from dmlviz.movement.graphs import Graph
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    all_made,
    call,
    commas,
    einops_axes,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.code.directml import directml_snippet
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.words import _


def split_snippets(
    case: Case, axis: int, parts: Sequence[int], graph: Graph
) -> tuple[Snippet, ...]:
    """Code that splits a tensor, in every dialect.

    Args:
        case: the tensors.
        axis: the dimension that is cut.
        parts: how long each part is.
        graph: the same in ONNX.
    """
    listed = f"[{commas(parts)}]"
    cuts = f"[{commas(list(accumulate(parts))[:-1])}]"
    shapes = f"[{', '.join(f'({part},)' for part in parts)}]"
    return (
        directml_snippet(case, {"Axis": str(axis)}, ""),
        onnx_snippet(case, nodes_of(graph), graph.opset),
        numpy_snippet(
            case,
            [call("y = np.split", "x", cuts, f"axis={axis}")],
            _("NumPy takes the places to cut at, not the sizes of the parts."),
        ),
        pytorch_snippet(case, [call("y = torch.split", "x", listed, f"dim={axis}")]),
        tensorflow_snippet(case, [call("y = tf.split", "x", listed, f"axis={axis}")]),
        Snippet(
            "einops",
            "import numpy as np\nfrom einops import unpack",
            all_made("numpy", case),
            call("y = unpack", "x", shapes, f'"{einops_axes(len(case.sizes), axis)}"'),
        ),
    )
