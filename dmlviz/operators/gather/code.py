"""Gather in other dialects."""

from __future__ import annotations

from dmlviz.movement.graphs import Graph
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    commas,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
    tuple_text,
)
from dmlviz.operators.code.directml import directml_snippet
from dmlviz.operators.code.indices import (
    einops_indices,
    indices_type,
    numpy_indices,
    onnx_indices_note,
)
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.operators.gather.layout import Layout
from dmlviz.words import _


def gather_snippets(case: Case, layout: Layout, graph: Graph) -> tuple[Snippet, ...]:
    """Code that gathers, in every dialect.

    Args:
        case: the tensors.
        layout: the positions of inputs and outputs.
        graph: the same in ONNX.
    """
    fields = {"Axis": str(layout.axis), "IndexDimensions": str(layout.count)}
    return (
        directml_snippet(case, fields, ""),
        _onnx(case, graph),
        _numpy(case, layout),
        _pytorch(case, layout),
        _tensorflow(case, layout),
        einops_indices(),
    )


def _onnx(case: Case, graph: Graph) -> Snippet:
    return onnx_snippet(case, nodes_of(graph), graph.opset, note=onnx_indices_note(case))


def _numpy(case: Case, layout: Layout) -> Snippet:
    indices, note = numpy_indices(case)
    if layout.inner != layout.indices:
        indices += f".reshape({tuple_text(layout.inner)})"
    lines = [f"y = np.take(x, {indices}, axis={layout.axis})"]
    return numpy_snippet(case, [*lines, *_reshaped(layout)], note)


def _reshaped(layout: Layout) -> list[str]:
    """The line that gives the output the rank of the input."""
    return [f"y = y.reshape({commas(layout.output)})"] if layout.exact != layout.output else []


def _pytorch(case: Case, layout: Layout) -> Snippet:
    note, back = "", ""
    if not indices_type(case).startswith("U"):
        note = _("PyTorch's index_select takes no negative indices; mod counts them from the end.")
        back = f" % {layout.sizes[layout.axis]}"
    lines = [
        f"i = indices.flatten().to(torch.int64){back}",
        f"y = x.index_select({layout.axis}, i).reshape({commas(layout.output)})",
    ]
    return pytorch_snippet(case, lines, note)


def _tensorflow(case: Case, layout: Layout) -> Snippet:
    note, back = "", ""
    if not indices_type(case).startswith("U"):
        note = _("TensorFlow's gather takes no negative indices; mod counts them from the end.")
        back = f" % {layout.sizes[layout.axis]}"
    lines = [
        f"i = tf.reshape(tf.cast(indices, tf.int64), [{commas(layout.inner)}]){back}",
        f"y = tf.gather(x, i, axis={layout.axis})",
    ]
    if layout.exact != layout.output:
        lines.append(f"y = tf.reshape(y, [{commas(layout.output)}])")
    return tensorflow_snippet(case, lines, note)
