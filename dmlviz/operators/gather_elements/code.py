"""GatherElements in other dialects."""

from __future__ import annotations

from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
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
from dmlviz.operators.graphs import Graph
from dmlviz.words import _


def gather_elements_snippets(case: Case, axis: int, graph: Graph) -> tuple[Snippet, ...]:
    """Code that gathers elements, in every dialect.

    Args:
        case: the tensors.
        axis: the dimension in which an index replaces the element's own.
        graph: the same in ONNX.
    """
    indices, note = numpy_indices(case)
    mod = f" % {case.sizes[axis]}"
    torch_note = _(
        "torch.gather is this operator, not DirectML's Gather; mod counts negative indices from "
        "the end, which it does not take."
    )
    tf_note = _("TensorFlow has this only where it imitates NumPy.")
    return (
        directml_snippet(case, {"Axis": str(axis)}, ""),
        onnx_snippet(case, nodes_of(graph), graph.opset, note=onnx_indices_note(case)),
        numpy_snippet(case, [call("y = np.take_along_axis", "x", indices, f"axis={axis}")], note),
        pytorch_snippet(
            case,
            [
                f"i = {whole_indices('pytorch')}{mod}",
                call("y = torch.gather", "x", str(axis), "i"),
            ],
            torch_note,
        ),
        tensorflow_snippet(
            case,
            [
                f"i = {whole_indices('tensorflow')}{mod}",
                call("y = tf.experimental.numpy.take_along_axis", "x", "i", f"axis={axis}"),
            ],
            tf_note,
        ),
        einops_indices(),
    )
