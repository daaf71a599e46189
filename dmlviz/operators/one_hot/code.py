"""OneHot in other dialects."""

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
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.operators.one_hot.layout import Layout
from dmlviz.words import _


def one_hot_snippets(case: Case, layout: Layout, graph: Graph) -> tuple[Snippet, ...]:
    """Code that makes one-hot sequences, in every dialect.

    Args:
        case: the tensors.
        layout: the positions of inputs and outputs.
        graph: the same in ONNX's plainest operators.
    """
    along = [1] * len(layout.indices)
    along[layout.axis] = layout.depth
    return (
        directml_snippet(case, {"Axis": str(layout.axis)}, ""),
        onnx_snippet(
            case,
            nodes_of(graph),
            graph.opset,
            note=_(
                "ONNX has OneHot too; this gives the same result without the arithmetic on "
                "values that its reference does."
            ),
        ),
        numpy_snippet(
            case,
            [
                *_numpy_places(case, layout),
                f"hot = i == np.arange({layout.depth}).reshape({tuple_text(along)})",
                "y = values.ravel()[hot.astype(np.int64)]",
            ],
            _("For a row of indices of 0 or more, np.eye(depth)[indices] has the same rows."),
        ),
        pytorch_snippet(
            case,
            [
                "i = indices.to(torch.int64)",
                f"i = torch.where(i < 0, i + {layout.depth}, i)",
                f"hot = i == torch.arange({layout.depth}).reshape({commas(along)})",
                "y = values.flatten()[hot.to(torch.int64)]",
            ],
            _(
                "PyTorch's one_hot has the values 0 and 1 only, sequences along a new last "
                "dimension, and refuses indices beyond it."
            ),
        ),
        tensorflow_snippet(
            case,
            [
                "i = tf.cast(indices, tf.int64)",
                f"i = tf.where(i < 0, i + {layout.depth}, i)",
                f"hot = tf.equal(i, tf.reshape(tf.range({layout.depth}, dtype=tf.int64), "
                f"[{commas(along)}]))",
                "y = tf.gather(tf.reshape(values, [-1]), tf.cast(hot, tf.int32))",
            ],
            _(
                "In TensorFlow's one_hot, negative indices turn nothing on; they do not count "
                "from the end."
            ),
        ),
        Snippet("einops", note=_("einops takes no indices: it moves and repeats whole axes.")),
    )


def _numpy_places(case: Case, layout: Layout) -> list[str]:
    if case.inputs[1].data_type.startswith("U"):
        return ["i = indices"]
    return [f"i = np.where(indices < 0, indices + {layout.depth}, indices)"]
