"""Unfold in other dialects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dmlviz.movement.graphs import FLOW
from dmlviz.operators.code.base import (
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
from dmlviz.operators.code.onnx import NodeText, onnx_snippet
from dmlviz.operators.unfold.slides import LEADING, Slide, interleaved
from dmlviz.words import _

# F.unfold has kernels for these in every version
_PYTORCH_UNFOLDS = ("FLOAT32", "FLOAT64")


def unfold_snippets(
    case: Case, slides: Sequence[Slide], fields: Mapping[str, Any]
) -> tuple[Snippet, ...]:
    """Code that makes columns of windows, in every dialect.

    Args:
        case: the tensors.
        slides: of the spatial dimensions.
        fields: DirectML's, by name.
    """
    spelled = {name: str(v) if isinstance(v, int) else v for name, v in fields.items()}
    return (
        directml_snippet(case, spelled, ""),
        _onnx(case, slides),
        _numpy(case, slides),
        _pytorch(case, slides),
        _tensorflow(case, slides),
        _einops(case, slides),
    )


def _places(slides: Sequence[Slide], module: str) -> Iterator[str]:
    """The lines that make ``at2`` and so on: the index of each place in each window."""
    for d, slide in enumerate(slides, LEADING):
        far = "" if slide.dilation == 1 else f" * {slide.dilation}"
        apart = "" if slide.stride == 1 else f" * {slide.stride}"
        taps = f"{module}({slide.window})[:, None]{far}"
        start = f" - {slide.start}" if slide.start else ""
        yield f"at{d} = {taps} + {module}({slide.count}){apart}{start}"


def _outside(slide: Slide) -> bool:
    return bool(slide.zeros(0) or slide.zeros(slide.count - 1))


def _zeros(flow: Sequence[int], d: int) -> str:
    """The sizes of one layer of zeros after dimension ``d``."""
    return tuple_text([1 if e == d else n for e, n in enumerate(flow)])


def _onnx(case: Case, slides: Sequence[Slide]) -> Snippet:
    note = _(
        "ONNX has no such operator (Col2Im is the way back, and adds up): a Gather for "
        "each dimension takes the places of all windows; a 0 is added for places outside."
    )
    before, nodes, flow = list(_places(slides, "np.arange")), [], list(case.sizes)
    for d, slide in reversed(list(enumerate(slides, LEADING))):
        if _outside(slide):
            before.append(
                f"at{d} = np.where((at{d} < 0) | (at{d} > {slide.size - 1}), {slide.size}, at{d})"
            )
            zeros = f"np.zeros({_zeros(flow, d)}, dtype=np.{case.dtype})"
            attributes = {"axis": str(d)}
            node = NodeText("Concat", (FLOW, f"zeros{d}"), {f"zeros{d}": zeros}, attributes)
            nodes.append(node)
        nodes.append(NodeText("Gather", (FLOW, f"i{d}"), {f"i{d}": f"at{d}"}, {"axis": str(d)}))
        flow[d : d + 1] = [slide.window, slide.count]
    nodes += [
        NodeText("Transpose", attributes={"perm": str(list(interleaved(len(slides))))}),
        NodeText("Reshape", (FLOW, "shape"), {"shape": f"np.array([{commas(case.output_sizes)}])"}),
    ]
    return onnx_snippet(case, nodes, before=before, note=note)


def _numpy(case: Case, slides: Sequence[Slide]) -> Snippet:
    lines, data = [], "x"
    if _padded(slides):
        pairs = [(0, 0)] * LEADING + [(slide.start, slide.end) for slide in slides]
        lines.append(f"p = np.pad(x, {pairs})")
        data = "p"
    extents = tuple_text([slide.extent for slide in slides])
    axes = tuple_text(range(LEADING, LEADING + len(slides)))
    view = "v = np.lib.stride_tricks.sliding_window_view"
    lines.append(call(view, data, extents, f"axis={axes}"))
    steps = [slide.stride for slide in slides] + [slide.dilation for slide in slides]
    if set(steps) != {1}:
        lines.append(f"v = v[:, :, {', '.join(f'::{step}' for step in steps)}]")
    lines.append(_in_order("v", "transpose", case, len(slides)))
    return numpy_snippet(case, lines)


def _pytorch(case: Case, slides: Sequence[Slide]) -> Snippet:
    even = all(slide.start == slide.end for slide in slides)
    if len(slides) == 2 and even and case.data_type in _PYTORCH_UNFOLDS:
        given = {
            "dilation": [slide.dilation for slide in slides],
            "padding": [slide.start for slide in slides],
            "stride": [slide.stride for slide in slides],
        }
        options = [f"{name}={tuple_text(numbers)}" for name, numbers in given.items()]
        window = tuple_text([slide.window for slide in slides])
        return pytorch_snippet(case, [call("y = F.unfold", "x", window, *options)], functional=True)
    lines, data = [], "x"
    if _padded(slides):
        pads = [n for slide in reversed(slides) for n in (slide.start, slide.end)]
        lines.append(f"v = F.pad(x, {tuple_text(pads)})")
        data = "v"
    for d, slide in enumerate(slides, LEADING):
        lines.append(f"v = {data}.unfold({d}, {slide.extent}, {slide.stride})")
        data = "v"
    far = [slide.dilation for slide in slides]
    if set(far) != {1}:
        lines.append(f"v = v[..., {', '.join(f'::{step}' for step in far)}]")
    lines.append(_in_order("v", "permute", case, len(slides)))
    note = _(
        "F.unfold takes float images of four dimensions with the same padding at both ends; here "
        "Tensor.unfold makes a dimension of windows from each spatial one."
    )
    return pytorch_snippet(case, lines, note, functional=True)


def _tensorflow(case: Case, slides: Sequence[Slide]) -> Snippet:
    lines, flow, data = list(_places(slides, "tf.range")), list(case.sizes), "x"
    for d, slide in reversed(list(enumerate(slides, LEADING))):
        if _outside(slide):
            outside = f"(at{d} < 0) | (at{d} > {slide.size - 1})"
            lines.append(f"at{d} = tf.where({outside}, {slide.size}, at{d})")
            zeros = f"tf.zeros({_zeros(flow, d)}, tf.{case.dtype})"
            lines.append(f"v = tf.concat([{data}, {zeros}], axis={d})")
            data = "v"
        lines.append(f"v = tf.gather({data}, at{d}, axis={d})")
        data = "v"
        flow[d : d + 1] = [slide.window, slide.count]
    lines.append(f"v = tf.transpose(v, {list(interleaved(len(slides)))})")
    lines.append(f"y = tf.reshape(v, [{commas(case.output_sizes)}])")
    note = _(
        "tf.image.extract_patches takes channels last and keeps those of each place "
        "together; here the rows of a channel stay together."
    )
    return tensorflow_snippet(case, lines, note)


def _einops(case: Case, slides: Sequence[Slide]) -> Snippet:
    side_by_side = all(
        (slide.stride, slide.dilation, slide.padded) == (slide.window, 1, slide.size)
        and slide.count * slide.window == slide.size
        for slide in slides
    )
    if not side_by_side:
        note = _(
            "einops moves every element once: it makes columns only from windows that are "
            "side by side and cover everything."
        )
        return Snippet("einops", note=note)
    axes = range(len(slides))
    split = " ".join(f"(b{d} w{d})" for d in axes)
    rows, columns = (" ".join(f"{name}{d}" for d in axes) for name in "wb")
    lengths = {f"w{d}": slide.window for d, slide in enumerate(slides)}
    pattern = f"n c {split} -> n (c {rows}) ({columns})"
    return einops_snippet(case, "rearrange", pattern, lengths)


def _padded(slides: Sequence[Slide]) -> bool:
    return any(slide.start or slide.end for slide in slides)


def _in_order(data: str, transpose: str, case: Case, spatial: int) -> str:
    """Windows before places, swapped, and everything in three dimensions."""
    first = LEADING + spatial
    order = (0, 1, *range(first, first + spatial), *range(LEADING, first))
    return f"y = {data}.{transpose}({commas(order)}).reshape({commas(case.output_sizes)})"
