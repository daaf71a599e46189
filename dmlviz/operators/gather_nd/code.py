"""GatherND in other dialects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
from dmlviz.operators.code.indices import einops_indices
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.operators.code.tuples import (
    as_ranked,
    counted_input,
    numpy_tuples,
    onnx_tuples_note,
    pytorch_tuples,
    tensorflow_tuples,
)
from dmlviz.operators.tuples import Tuples
from dmlviz.words import _


def gather_nd_snippets(
    case: Case, desc: Mapping[str, Any], tuples: Tuples, graph: Graph
) -> tuple[Snippet, ...]:
    """Code that gathers by tuples, in every dialect.

    Args:
        case: the tensors.
        desc: the structure's members other than its tensors.
        tuples: what they select.
        graph: the same in ONNX.
    """
    x = counted_input(tuples)
    batches = f", batch_dims={tuples.batches}" if tuples.batches else ""
    return (
        directml_snippet(case, {name: str(value) for name, value in desc.items()}, ""),
        onnx_snippet(case, nodes_of(graph), graph.opset, note=onnx_tuples_note(case)),
        numpy_snippet(
            case,
            [*numpy_tuples(tuples), as_ranked(f"y = {x}[(*batch, *i)]", tuples)]
            if tuples.batches
            else [*numpy_tuples(tuples), as_ranked(f"y = {x}[tuple(i)]", tuples)],
            _("An array of tuples would take rows: NumPy wants one array for each dimension."),
        ),
        pytorch_snippet(
            case,
            [*pytorch_tuples(tuples), as_ranked(f"y = {x}[(*batch, *i)]", tuples)]
            if tuples.batches
            else [*pytorch_tuples(tuples), as_ranked(f"y = {x}[tuple(i)]", tuples)],
            _("torch.gather is DirectML's GatherElements; use indexing for tuples."),
        ),
        tensorflow_snippet(
            case,
            [
                *tensorflow_tuples(tuples, "x"),
                f"y = tf.gather_nd(x, i{batches})",
                *(
                    [call("y = tf.reshape", "y", f"[{commas(tuples.output)}]")]
                    if tuples.exact != tuples.output
                    else []
                ),
            ],
            _(
                "tf.gather_nd takes no negative indices, so that mod counts them from the end. Out "
                "of range it stops on a CPU and gives 0 on a GPU; DirectML reads another element."
            ),
        ),
        einops_indices(),
    )
