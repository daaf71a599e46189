"""Join in other dialects."""

from __future__ import annotations

from dmlviz.movement.graphs import Graph
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    all_made,
    call,
    einops_axes,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.code.directml import directml_snippet
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.words import _


def join_snippets(case: Case, axis: int, graph: Graph) -> tuple[Snippet, ...]:
    """Code that joins tensors, in every dialect.

    Args:
        case: the tensors.
        axis: the dimension that they are joined along.
        graph: the same in ONNX.
    """
    tensors = f"[{', '.join(x.variable for x in case.inputs)}]"
    return (
        directml_snippet(case, {"Axis": str(axis)}, ""),
        onnx_snippet(case, nodes_of(graph), graph.opset),
        numpy_snippet(case, [call("y = np.concatenate", tensors, f"axis={axis}")]),
        pytorch_snippet(case, [call("y = torch.cat", tensors, f"dim={axis}")]),
        tensorflow_snippet(case, [call("y = tf.concat", tensors, f"axis={axis}")]),
        Snippet(
            "einops",
            "import numpy as np\nfrom einops import pack",
            all_made("numpy", case),
            f'packed, sizes = pack({tensors}, "{einops_axes(len(case.sizes), axis)}")\ny = packed',
            _("pack also returns what unpack needs to separate the tensors again."),
        ),
    )
