"""ScatterND in other dialects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
from dmlviz.operators.code.indices import einops_indices
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.operators.code.tuples import (
    numpy_tuples,
    onnx_tuples_note,
    pytorch_tuples,
    tensorflow_tuples,
)
from dmlviz.operators.tuples import Tuples
from dmlviz.words import _


def scatter_nd_snippets(
    case: Case, desc: Mapping[str, Any], tuples: Tuples, graph: Graph
) -> tuple[Snippet, ...]:
    """Code that writes updates where tuples point, in every dialect.

    Args:
        case: the tensors.
        desc: the structure's members other than its tensors.
        tuples: what they select.
        graph: the same in ONNX.
    """
    ranked = tuples.exact != tuples.output
    counted = tuples.inner != tuples.sizes
    updates = f"updates.reshape({tuple_text(tuples.exact)})" if ranked else "updates"
    inner = f".reshape({commas(tuples.inner)})" if counted else ""
    back = f".reshape({commas(tuples.sizes)})" if counted else ""
    tf_updates = f"tf.reshape(updates, [{commas(tuples.exact)}])" if ranked else "updates"
    put = f"out[tuple(i)] = {updates}"
    return (
        directml_snippet(case, {name: str(value) for name, value in desc.items()}, ""),
        onnx_snippet(case, nodes_of(graph), graph.opset, note=onnx_tuples_note(case)),
        numpy_snippet(
            case,
            [*numpy_tuples(tuples), f"out = x.copy(){inner}", put, f"y = out{back}"],
            _("An array of tuples would name rows: NumPy wants one array for each dimension."),
        ),
        pytorch_snippet(
            case,
            [*pytorch_tuples(tuples), f"out = x.clone(){inner}", put, f"y = out{back}"],
            _("torch.scatter is DirectML's Scatter; use indexing or index_put for tuples."),
        ),
        tensorflow_snippet(
            case,
            [
                *tensorflow_tuples(tuples, "x"),
                f"y = tf.tensor_scatter_nd_update(x, i, {tf_updates})",
                *([f"y = tf.reshape(y, [{commas(tuples.sizes)}])"] if counted else []),
            ],
            _(
                "tf.scatter_nd is another operator: it starts from zeros and adds updates that "
                "go to the same place."
            ),
        ),
        einops_indices(),
    )
