"""TopK in other dialects."""

from __future__ import annotations

from dmlviz.movement.graphs import Graph
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.code.directml import directml_snippet
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.operators.top_k.picking import Picking
from dmlviz.words import _


def top_k_snippets(case: Case, picking: Picking, graph: Graph) -> tuple[Snippet, ...]:
    """Code that picks elements and their indices, in every dialect.

    Args:
        case: the tensors.
        picking: the elements to pick.
        graph: the same in ONNX.
    """
    axis, k, index_type = picking.axis, picking.k, case.outputs[1].dtype
    direction = "DECREASING" if picking.largest else "INCREASING"
    fields = {
        "Axis": str(axis),
        "K": str(k),
        "AxisDirection": f"DML_AXIS_DIRECTION_{direction}",
    }
    both = "y = [values, indices]"
    return (
        directml_snippet(case, fields, ""),
        onnx_snippet(
            case, nodes_of(graph), graph.opset, note=_("ONNX's TopK gives its indices as INT64.")
        ),
        numpy_snippet(
            case,
            [
                *_numpy_order(picking),
                call("i = np.take", "order", f"np.arange({k})", f"axis={axis}"),
                call("values = np.take_along_axis", "x", "i", f"axis={axis}"),
                f"indices = i.astype(np.{index_type})",
                both,
            ],
            _("A stable sort leaves equal elements in the order of their indices."),
        ),
        pytorch_snippet(
            case,
            [
                call(
                    "order = torch.sort",
                    "x",
                    f"dim={axis}",
                    f"descending={picking.largest}",
                    "stable=True",
                ),
                f"values = order.values.narrow({axis}, 0, {k})",
                f"indices = order.indices.narrow({axis}, 0, {k}).to(torch.{index_type})",
                both,
            ],
            _("torch.topk does not say which of equal elements it takes; a stable sort does."),
        ),
        tensorflow_snippet(
            case,
            [
                call(
                    "order = tf.argsort",
                    "x",
                    f"axis={axis}",
                    f'direction="{"DESCENDING" if picking.largest else "ASCENDING"}"',
                    "stable=True",
                ),
                f"i = tf.gather(order, tf.range({k}), axis={axis})",
                call("values = tf.experimental.numpy.take_along_axis", "x", "i", f"axis={axis}"),
                f"indices = tf.cast(i, tf.{index_type})",
                both,
            ],
            _("tf.math.top_k takes the largest along the last dimension only."),
        ),
        Snippet("einops", note=_("einops moves whole axes, and does not look at the values.")),
    )


def _numpy_order(picking: Picking) -> list[str]:
    axis = picking.axis
    if not picking.largest:
        return [call("order = np.argsort", "x", f"axis={axis}", 'kind="stable"')]
    last = picking.sizes[axis] - 1
    return [
        call("back = np.argsort", f"np.flip(x, {axis})", f"axis={axis}", 'kind="stable"'),
        f"order = {last} - np.flip(back, {axis})",
    ]
