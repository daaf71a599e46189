"""ReverseSubsequences in other dialects."""

from __future__ import annotations

from dmlviz.movement.graphs import Graph
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    commas,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.code.directml import directml_snippet
from dmlviz.operators.code.onnx import NodeText, nodes_of, onnx_snippet
from dmlviz.operators.reverse_subsequences.turning import LENGTHS
from dmlviz.words import _


def reverse_snippets(case: Case, axis: int, native: Graph | None) -> tuple[Snippet, ...]:
    """Code that reverses subsequences, in every dialect.

    Args:
        case: the tensors.
        axis: what is reversed.
        native: the same in ONNX, if it has an operator for it.
    """
    return (
        directml_snippet(case, {"Axis": str(axis)}, ""),
        _native(case, native) if native else _onnx(case, axis),
        _numpy(case, axis),
        _pytorch(case, axis),
        _tensorflow(case, axis),
        Snippet("einops", note=_("einops takes no lengths: it moves and repeats whole axes.")),
    )


def _shape(case: Case, axis: int) -> str:
    """The sizes of the indices along the axis, as Python's arguments."""
    return commas([n if d == axis else 1 for d, n in enumerate(case.sizes)])


def _native(case: Case, graph: Graph) -> Snippet:
    note = _(
        "On the CPU, ONNX Runtime up to 1.24.4 returns zeros instead of the elements for "
        "a length of 0."
    )
    return onnx_snippet(case, nodes_of(graph), graph.opset, note=note)


def _onnx(case: Case, axis: int) -> Snippet:
    note = _(
        "ONNX's ReverseSequence has one length for each batch, not one for each "
        "sequence, so the indices are computed and gathered."
    )
    numbers = {
        "places": f"np.arange({case.sizes[axis]}, dtype=np.int64).reshape({_shape(case, axis)})",
        "one": "np.array(1, dtype=np.int64)",
    }
    nodes = [
        NodeText("Cast", (LENGTHS,), attributes={"to": "7"}, outputs=("lengths",)),
        NodeText("Sub", ("lengths", "one"), numbers, outputs=("last",)),
        NodeText("Sub", ("last", "places"), outputs=("turned",)),
        NodeText("Less", ("places", "lengths"), outputs=("inside",)),
        NodeText("Where", ("inside", "turned", "places"), outputs=("indices",)),
        NodeText("GatherElements", ("x", "indices"), attributes={"axis": str(axis)}),
    ]
    return onnx_snippet(case, nodes, note=note)


def _numpy(case: Case, axis: int) -> Snippet:
    n = case.sizes[axis]
    lines = [
        f"i = np.arange({n}).reshape({_shape(case, axis)})",
        "n = sequencelengths.astype(np.int64)",
        f"y = np.take_along_axis(x, np.where(i < n, n - 1 - i, i), axis={axis})",
    ]
    return numpy_snippet(case, lines)


def _pytorch(case: Case, axis: int) -> Snippet:
    lines = [
        f"i = torch.arange({case.sizes[axis]}).reshape({_shape(case, axis)})",
        "n = sequencelengths.to(torch.int64)",
        "along = torch.where(i < n, n - 1 - i, i)",
        "places = torch.arange(x.numel()).reshape(x.shape)",
        f"places = places.gather({axis}, along).flatten()",
        "y = x.flatten().index_select(0, places).reshape(x.shape)",
    ]
    note = _("torch.gather does not take every unsigned type, so places are gathered.")
    return pytorch_snippet(case, lines, note if case.data_type in _NOT_GATHERED else "")


_NOT_GATHERED = ("UINT16", "UINT32", "UINT64")


def _tensorflow(case: Case, axis: int) -> Snippet:
    rank, n = len(case.sizes), case.sizes[axis]
    order = [d for d in range(rank) if d != axis]
    back = [order.index(d) if d != axis else rank - 1 for d in range(rank)]
    there = [case.sizes[d] for d in order]
    moved = axis != rank - 1
    lines = [
        *([f"x = tf.transpose(x, [{commas([*order, axis])}])"] if moved else []),
        f"rows = tf.reshape(x, [-1, {n}])",
        "lengths = tf.reshape(tf.cast(sequencelengths, tf.int64), [-1])",
        "y = tf.reverse_sequence(rows, lengths, seq_axis=1, batch_axis=0)",
        f"y = tf.reshape(y, [{commas([*there, n])}])",
        *([f"y = tf.transpose(y, [{commas(back)}])"] if moved else []),
    ]
    return tensorflow_snippet(case, lines)
