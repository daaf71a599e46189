"""Slice in other dialects."""

from __future__ import annotations

from collections.abc import Sequence

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
from dmlviz.operators.walks import Walk, at_once
from dmlviz.words import _

# PyTorch copies these, but not every version reverses them
_PYTORCH_SELECTS = ("UINT16", "UINT32", "UINT64")


def slice_snippets(case: Case, walks: Sequence[Walk], graph: Graph) -> tuple[Snippet, ...]:
    """Code that slices the input, in every dialect.

    Args:
        case: the tensors.
        walks: one for each dimension.
        graph: the same in ONNX.
    """
    return (
        _directml(case, walks),
        _onnx(case, walks, graph),
        _numpy(case, walks),
        _pytorch(case, walks),
        _tensorflow(case, walks),
        Snippet("einops", note=_("einops cuts nothing out: it moves and repeats whole axes.")),
    )


def _directml(case: Case, walks: Sequence[Walk]) -> Snippet:
    fields: dict[str, str | Sequence[int]] = {
        "DimensionCount": str(len(walks)),
        "InputWindowOffsets": [walk.offset for walk in walks],
        "InputWindowSizes": [walk.window for walk in walks],
        "InputWindowStrides": [walk.stride for walk in walks],
    }
    return directml_snippet(case, fields, "", signed=("InputWindowStrides",))


def _onnx(case: Case, walks: Sequence[Walk], graph: Graph) -> Snippet:
    backwards = [walk for walk in walks if walk.stride < 0]
    note = ""
    if any(walk.places[-1] == 0 for walk in backwards):
        note = _(
            "ONNX starts from the end, at the window's last index; ends is one before the "
            "last index taken. Before index 0 that is the smallest INT64, because -1 means "
            "the last index."
        )
    elif backwards:
        note = _(
            "ONNX starts from the end: starts is the window's last index, ends one before the last "
            "index taken."
        )
    return onnx_snippet(case, nodes_of(graph), graph.opset, note=note)


def _numpy(case: Case, walks: Sequence[Walk]) -> Snippet:
    note = ""
    if any(walk.stride < 0 for walk in walks):
        note = _(
            "Range first, then reversed, as in DirectML. In a single slice NumPy starts from "
            "the end: {code}."
        ).format(code=f"x[{at_once(walks)}]")
    ways = [f"::{walk.stride}" if walk.stride != 1 else ":" for walk in walks]
    return numpy_snippet(case, [_window(walks), *_indexed(ways), *_limit(walks)], note)


def _pytorch(case: Case, walks: Sequence[Walk]) -> Snippet:
    back = [d for d, walk in enumerate(walks) if walk.stride < 0]
    ways = [f"::{walk.step}" if walk.step != 1 else ":" for walk in walks]
    note, turned = "", []
    if back and case.data_type in _PYTORCH_SELECTS:
        note = _("PyTorch takes no negative step, so indices are selected.")
        for d in back:
            places = f"torch.arange({walks[d].window - 1}, -1, {walks[d].stride})"
            turned.append(call("y = y.index_select", str(d), places))
            ways[d] = ":"
    elif back:
        note = _("PyTorch takes no negative step, so the window is reversed first.")
        turned.append(f"y = y.flip({back})")
    lines = [_window(walks), *turned, *_indexed(ways), *_limit(walks)]
    return pytorch_snippet(case, lines, note)


def _tensorflow(case: Case, walks: Sequence[Walk]) -> Snippet:
    return tensorflow_snippet(case, [f"y = x[{at_once(walks)}]"])


def _window(walks: Sequence[Walk]) -> str:
    ranges = ", ".join(f"{walk.offset}:{walk.last + 1}" for walk in walks)
    return f"y = x[{ranges}]"


def _indexed(ways: Sequence[str]) -> list[str]:
    """A line for the slices that do not cover the whole dimension."""
    return [f"y = y[{', '.join(ways)}]"] if any(way != ":" for way in ways) else []


def _limit(walks: Sequence[Walk]) -> list[str]:
    """Limited to the output's size."""
    return _indexed([f":{walk.count}" if walk.count < walk.most else ":" for walk in walks])
