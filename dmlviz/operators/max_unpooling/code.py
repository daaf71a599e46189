"""MaxUnpooling in other dialects."""

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
from dmlviz.tensors import element_count
from dmlviz.words import _


def max_unpooling_snippets(case: Case, graph: Graph) -> tuple[Snippet, ...]:
    """Code that writes elements into zeros, in every dialect.

    Args:
        case: the tensors.
        graph: the same in ONNX.
    """
    out, count = case.output_sizes, element_count(case.output_sizes)
    indices, note = numpy_indices(case)
    return (
        directml_snippet(case, {}, ""),
        onnx_snippet(case, nodes_of(graph), graph.opset, note=onnx_indices_note(case)),
        numpy_snippet(
            case,
            [
                f"flat = np.zeros({count}, x.dtype)",
                f"flat[{indices}.ravel()] = x.ravel()",
                f"y = flat.reshape({commas(out)})",
            ],
            note,
        ),
        pytorch_snippet(
            case,
            [
                f"flat = torch.zeros({count}, dtype=x.dtype)",
                f"i = {whole_indices('pytorch')}.flatten()",
                call("y = flat.scatter", "0", "i", "x.flatten()") + f".reshape({commas(out)})",
            ],
            _("torch.nn.MaxUnpool2d counts the indices of each plane from 0 again."),
        ),
        tensorflow_snippet(
            case,
            [
                f"flat = tf.zeros([{count}], x.dtype)",
                f"i = tf.reshape({whole_indices('tensorflow')}, [-1, 1])",
                "flat = tf.tensor_scatter_nd_update(flat, i, tf.reshape(x, [-1]))",
                f"y = tf.reshape(flat, [{commas(out)}])",
            ],
            _("TensorFlow has pooling with indices, but no way back from it."),
        ),
        einops_indices(),
    )
