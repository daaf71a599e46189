"""Tile in other dialects."""

from __future__ import annotations

from collections.abc import Sequence

from dmlviz.operators.code.base import (
    PLAIN_DIGITS,
    Case,
    Snippet,
    call,
    commas,
    einops_snippet,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
    tuple_text,
)
from dmlviz.operators.code.directml import directml_snippet
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.operators.expressions import names_of
from dmlviz.operators.graphs import Graph
from dmlviz.words import _


def tile_snippets(case: Case, repeats: Sequence[int], graph: Graph) -> tuple[Snippet, ...]:
    """Code that repeats the input, in every dialect.

    Args:
        case: the tensors.
        repeats: how many copies, per dimension.
        graph: the same in ONNX.
    """
    return (
        directml_snippet(case, {"RepeatsCount": str(len(repeats)), "Repeats": repeats}, ""),
        onnx_snippet(case, nodes_of(graph), graph.opset),
        numpy_snippet(case, [call("y = np.tile", "x", tuple_text(repeats))]),
        pytorch_snippet(case, [call("y = torch.tile", "x", tuple_text(repeats))]),
        _tensorflow(case, repeats),
        _einops(case, repeats),
    )


def _tensorflow(case: Case, repeats: Sequence[int]) -> Snippet:
    if case.data_type != "UINT16":
        return tensorflow_snippet(case, [call("y = tf.tile", "x", f"[{commas(repeats)}]")])
    lines, data = [], "x"
    for d, (n, repeat) in enumerate(zip(case.sizes, repeats, strict=True)):
        if repeat > 1:
            lines.append(f"y = tf.gather({data}, tf.range({n * repeat}) % {n}, axis={d})")
            data = "y"
    note = _("tf.tile takes no UINT16 on the CPU, so every repeated dimension is gathered.")
    return tensorflow_snippet(case, lines or ["y = tf.identity(x)"], note)


def _einops(case: Case, repeats: Sequence[int]) -> Snippet:
    before = [name.translate(PLAIN_DIGITS) for name in names_of(len(repeats))]
    after, lengths = [], {}
    for name, repeat in zip(before, repeats, strict=True):
        after.append(f"(r{name} {name})" if repeat > 1 else name)
        if repeat > 1:
            lengths[f"r{name}"] = repeat
    return einops_snippet(case, "repeat", f"{' '.join(before)} -> {' '.join(after)}", lengths)
