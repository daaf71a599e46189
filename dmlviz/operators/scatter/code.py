"""Scatter in other dialects."""

from __future__ import annotations

from dmlviz.movement.graphs import Graph
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
    commas,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.code.directml import directml_snippet
from dmlviz.operators.code.indices import (
    einops_indices,
    numpy_indices,
    onnx_indices_note,
    whole_indices,
)
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.words import _


def scatter_snippets(case: Case, axis: int, graph: Graph) -> tuple[Snippet, ...]:
    """Code that writes updates over a copy, in every dialect.

    Args:
        case: the tensors.
        axis: the dimension in which an index replaces the update's own.
        graph: the same in ONNX.
    """
    indices, note = numpy_indices(case)
    mod = f" % {case.sizes[axis]}"
    torch_note = _(
        "torch.scatter takes dim, index, src in this order and counts no index from the end; "
        "scatter_add adds, this one overwrites."
    )
    put = call("np.put_along_axis", "out", indices, "updates", f"axis={axis}")
    return (
        directml_snippet(case, {"Axis": str(axis)}, ""),
        onnx_snippet(case, nodes_of(graph), graph.opset, note=onnx_indices_note(case)),
        numpy_snippet(case, ["out = x.copy()", put, "y = out"], note),
        pytorch_snippet(
            case,
            [
                f"i = {whole_indices('pytorch')}{mod}",
                call("y = torch.scatter", "x", str(axis), "i", "updates"),
            ],
            torch_note,
        ),
        tensorflow_snippet(
            case,
            [
                f"i = {whole_indices('tensorflow')}{mod}",
                f"ranges = [tf.range(n, dtype=tf.int64) for n in [{commas(case.inputs[1].sizes)}]]",
                'at = tf.meshgrid(*ranges, indexing="ij")',
                f"at[{axis}] = i",
                "y = tf.tensor_scatter_nd_update(x, tf.stack(at, axis=-1), updates)",
            ],
            _("TensorFlow places elements by all their coordinates."),
        ),
        einops_indices(),
    )
