"""Resample in other dialects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlviz.movement.expressions import names_of
from dmlviz.movement.graphs import FLOW, Graph
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
from dmlviz.operators.code.onnx import NodeText, nodes_of, onnx_snippet
from dmlviz.operators.resample.modes import DIRECTION, DOWN, MODE, NEAREST, UP
from dmlviz.operators.resample.ruler import LOOKED_AT, Ruler
from dmlviz.operators.spelling import print_setting
from dmlviz.words import _

Rulers = Sequence[Ruler]


def resample_snippets(case: Case, rulers: Rulers, written: Graph | None) -> tuple[Snippet, ...]:
    """Code that resamples the input, in every dialect.

    Args:
        case: the tensors.
        rulers: one for each dimension.
        written: ONNX's own operator; None if it has none.
    """
    return (
        _directml(case, rulers),
        _onnx(case, rulers, written),
        numpy_snippet(case, _numpy(rulers)),
        _pytorch(case, rulers),
        _tensorflow(case, rulers),
        _einops(case, rulers),
    )


def _directml(case: Case, rulers: Rulers) -> Snippet:
    fields: dict[str, str | Sequence[float]] = {
        "InterpolationMode": f"{MODE}_{NEAREST}",
        "RoundingDirection": f"{DIRECTION}_{UP if rulers[0].up else DOWN}",
        "DimensionCount": str(len(rulers)),
        "Scales": [ruler.scale for ruler in rulers],
        "InputPixelOffsets": [ruler.input_offset for ruler in rulers],
        "OutputPixelOffsets": [ruler.output_offset for ruler in rulers],
    }
    return directml_snippet(case, fields, "")


def _onnx(case: Case, rulers: Rulers, written: Graph | None) -> Snippet:
    if written is not None:
        note = _(
            "ONNX's own evaluator, which runs it here, interpolates between neighbors: next "
            "to NaN or infinity it gives NaN, where runtimes copy."
        )
        floats = case.data_type.startswith("FLOAT")
        return onnx_snippet(case, nodes_of(written), written.opset, note=note if floats else "")
    before, nodes = [], []
    for d, ruler in _changed(rulers):
        before.append(f"i{d} = {_coordinate(ruler, 'np')}")
        indices = f"np.clip(i{d}, 0, {ruler.size - 1}).astype(np.int64)"
        nodes.append(
            NodeText("Gather", (FLOW, f"indices{d}"), {f"indices{d}": indices}, {"axis": str(d)})
        )
    note = _(
        "ONNX's Resize cannot do this: it lacks these offsets or sizes, or needs one "
        "rule for all dimensions."
    )
    return onnx_snippet(case, nodes or [NodeText("Identity")], 13, before, note if nodes else "")


def _numpy(rulers: Rulers) -> list[str]:
    lines, data = [], "x"
    for d, ruler in _changed(rulers):
        if ruler.repeats:
            lines.append(f"y = np.repeat({data}, {ruler.repeats}, axis={d})")
        else:
            lines.append(f"i = {_coordinate(ruler, 'np')}")
            inside = f"np.clip(i, 0, {ruler.size - 1}).astype(np.int64)"
            lines.append(call("y = np.take", data, inside, f"axis={d}"))
        data = "y"
    return lines or ["y = x.copy()"]


def _pytorch(case: Case, rulers: Rulers) -> Snippet:
    changed = _changed(rulers)
    # only floats are interpolated in every version
    spatial = case.data_type == "FLOAT32" and len(rulers) in (3, 4)
    if changed and spatial and all(d > 1 for d, _ruler in changed):
        for mode, point in (("nearest", 0.0), ("nearest-exact", 0.5)):
            if all(_by_sizes(ruler, point) for ruler in rulers[2:]):
                size = tuple_text([ruler.count for ruler in rulers[2:]])
                line = call("y = F.interpolate", "x", f"size={size}", f'mode="{mode}"')
                return pytorch_snippet(case, [line], functional=True)
    lines, data = [], "x"
    for d, ruler in changed:
        if ruler.repeats:
            lines.append(f"y = {data}.repeat_interleave({ruler.repeats}, dim={d})")
        else:
            lines.append(f"i = {_coordinate(ruler, 'torch')}")
            inside = f"i.clamp(0, {ruler.size - 1}).to(torch.int64)"
            lines.append(call(f"y = {data}.index_select", str(d), inside))
        data = "y"
    return pytorch_snippet(case, lines or ["y = x.clone()"])


def _tensorflow(case: Case, rulers: Rulers) -> Snippet:
    changed = _changed(rulers)
    # height and width come before the channels
    if changed and len(rulers) == 4 and all(d in (1, 2) for d, _ruler in changed):
        size = [ruler.count for ruler in rulers[1:3]]
        if all(_by_sizes(ruler, 0.5) for ruler in rulers[1:3]):
            line = call("y = tf.image.resize", "x", f"[{commas(size)}]", 'method="nearest"')
            return tensorflow_snippet(case, [line])
    lines, data = [], "x"
    for d, ruler in changed:
        if ruler.repeats:
            lines.append(call("y = tf.repeat", data, str(ruler.repeats), f"axis={d}"))
        else:
            lines.append(f"i = {_coordinate(ruler, 'tf')}")
            inside = f"tf.cast(tf.clip_by_value(i, 0.0, {ruler.size - 1}.0), tf.int64)"
            lines.append(call("y = tf.gather", data, inside, f"axis={d}"))
        data = "y"
    return tensorflow_snippet(case, lines or ["y = tf.identity(x)"])


def _einops(case: Case, rulers: Rulers) -> Snippet:
    if not all(ruler.repeats for ruler in rulers):
        note = _("einops repeats a whole number of times: here some elements come more often.")
        return Snippet("einops", note=note)
    before = [name.translate(PLAIN_DIGITS) for name in names_of(len(rulers))]
    lengths = {
        f"r{name}": ruler.repeats
        for name, ruler in zip(before, rulers, strict=True)
        if ruler.repeats > 1
    }
    after = [f"({name} r{name})" if f"r{name}" in lengths else name for name in before]
    return einops_snippet(case, "repeat", f"{' '.join(before)} -> {' '.join(after)}", lengths)


def _changed(rulers: Rulers) -> list[tuple[int, Ruler]]:
    return [(d, ruler) for d, ruler in enumerate(rulers) if not ruler.whole]


def _coordinate(ruler: Ruler, library: str) -> str:
    """The rounded places of the output pixels, as an expression in FLOAT."""
    made = {
        "np": f"np.arange({ruler.count}, dtype=np.float32)",
        "torch": f"torch.arange({ruler.count}, dtype=torch.float32)",
        "tf": f"tf.range({ruler.count}, dtype=tf.float32)",
    }[library]
    text = _moved(made, -ruler.output_offset)
    if ruler.scale != 1:
        text = f"({text})" if ruler.output_offset else text
        text = f"{text} / {print_setting(ruler.scale)}"
    text = _moved(text, -ruler.input_offset)
    name = "math.ceil" if library == "tf" and ruler.up else "ceil" if ruler.up else "floor"
    return f"{library}.{name}({text})"


def _moved(text: str, by: float) -> str:
    if not by:
        return text
    return f"{text} {'+' if by > 0 else '-'} {print_setting(abs(by))}"


def _by_sizes(ruler: Ruler, point: float) -> bool:
    """Whether it is what PyTorch and TensorFlow make of the sizes alone.

    Args:
        ruler: of the dimension.
        point: of an output pixel: 0 its start, 0.5 its center.
    """
    if ruler.count > LOOKED_AT:
        return False
    ratio: Any = np.float32(ruler.size) / np.float32(ruler.count)
    at = (np.arange(ruler.count, dtype=np.float32) + np.float32(point)) * ratio
    found = np.minimum(np.floor(at), ruler.size - 1).astype(np.int64)
    return np.array_equal(found, ruler.places)
