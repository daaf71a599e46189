"""SliceGrad in other dialects."""

from __future__ import annotations

from collections.abc import Sequence

from dmlviz.movement.graphs import FLOW
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
    commas,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
    tuple_text,
)
from dmlviz.operators.code.directml import directml_snippet
from dmlviz.operators.code.onnx import NodeText, onnx_snippet
from dmlviz.operators.walks import Walk, at_once
from dmlviz.words import _

# PyTorch copies these, but not every version reverses them
_PYTORCH_SELECTS = ("UINT16", "UINT32", "UINT64")


def slice_grad_snippets(case: Case, walks: Sequence[Walk]) -> tuple[Snippet, ...]:
    """Code that puts elements back, in every dialect.

    Args:
        case: the tensors.
        walks: the places of each dimension's elements.
    """
    return (
        _directml(case, walks),
        _onnx(case, walks),
        _numpy(case, walks),
        _pytorch(case, walks),
        _tensorflow(case, walks),
        Snippet("einops", note=_("einops makes no zeros: it moves and repeats whole axes.")),
    )


def _directml(case: Case, walks: Sequence[Walk]) -> Snippet:
    fields: dict[str, str | Sequence[int]] = {
        "DimensionCount": str(len(walks)),
        "InputWindowOffsets": [walk.offset for walk in walks],
        "InputWindowSizes": [walk.window for walk in walks],
        "InputWindowStrides": [walk.stride for walk in walks],
    }
    return directml_snippet(case, fields, "", signed=("InputWindowStrides",))


def _onnx(case: Case, walks: Sequence[Walk]) -> Snippet:
    note = _(
        "ONNX has no such operator: a 0 is added after each dimension's elements, and "
        "places that get no element take that 0."
    )
    nodes, before, flow = [], [], list(case.sizes)
    for d, (walk, out) in enumerate(zip(walks, case.output_sizes, strict=True)):
        if walk.whole(out):
            continue
        slab = [1 if e == d else n for e, n in enumerate(flow)]
        first = min(walk.places)
        ends = f"{first}:{max(walk.places) + 1}:{walk.step}"
        order = f"np.arange({walk.count})" + ("[::-1]" if walk.stride < 0 else "")
        before += [f"i{d} = np.full({out}, {flow[d]})", f"i{d}[{ends}] = {order}"]
        zeros = f"np.zeros({tuple_text(slab)}, dtype=np.{case.dtype})"
        nodes += [
            NodeText("Concat", (FLOW, f"zeros{d}"), {f"zeros{d}": zeros}, {"axis": str(d)}),
            NodeText("Gather", (FLOW, f"at{d}"), {f"at{d}": f"i{d}"}, {"axis": str(d)}),
        ]
        flow[d] = out
    return onnx_snippet(case, nodes or [NodeText("Identity")], before=before, note=note)


def _numpy(case: Case, walks: Sequence[Walk]) -> Snippet:
    lines = [
        f"z = np.zeros({tuple_text(case.output_sizes)}, dtype=x.dtype)",
        f"z[{at_once(walks)}] = x",
        "y = z",
    ]
    return numpy_snippet(case, lines)


def _pytorch(case: Case, walks: Sequence[Walk]) -> Snippet:
    back = [d for d, walk in enumerate(walks) if walk.stride < 0]
    turned, note = [], ""
    if back and case.data_type in _PYTORCH_SELECTS:
        note = _("PyTorch takes no negative step, so indices are selected.")
        for d in back:
            places = f"torch.arange({walks[d].count - 1}, -1, -1)"
            turned.append(call("x = x.index_select", str(d), places))
    elif back:
        note = _("PyTorch takes no negative step, so the elements are reversed first.")
        turned.append(f"x = x.flip({back})")
    ranges = ", ".join(
        f"{min(walk.places)}:{max(walk.places) + 1}" + (f":{walk.step}" if walk.step != 1 else "")
        for walk in walks
    )
    lines = [
        *turned,
        f"z = torch.zeros({tuple_text(case.output_sizes)}, dtype=x.dtype)",
        f"z[{ranges}] = x",
        "y = z",
    ]
    return pytorch_snippet(case, lines, note)


def _tensorflow(case: Case, walks: Sequence[Walk]) -> Snippet:
    ends, mask = [], 0
    for d, walk in enumerate(walks):
        last = walk.places[-1]
        ends.append(last + (1 if walk.stride > 0 else -1))
        if ends[-1] < 0:
            # -1 would be the last index
            mask |= 1 << d
    arguments = [
        f"shape=[{commas(case.output_sizes)}]",
        f"begin=[{commas([walk.start for walk in walks])}]",
        f"end=[{commas(ends)}]",
        f"strides=[{commas([walk.stride for walk in walks])}]",
        *([f"end_mask={mask}"] if mask else []),
        "dy=x",
    ]
    return tensorflow_snippet(case, [call("y = tf.raw_ops.StridedSliceGrad", *arguments)])
