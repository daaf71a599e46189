"""Strided in other dialects."""

from __future__ import annotations

from dmlviz.movement.graphs import Graph
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
    commas,
    einops_snippet,
    numpy_snippet,
    plain_names,
    pytorch_snippet,
    tensorflow_snippet,
    tuple_text,
)
from dmlviz.operators.code.directml import directml_snippet
from dmlviz.operators.code.onnx import NodeText, nodes_of, onnx_snippet
from dmlviz.operators.slots import BufferDesc
from dmlviz.operators.strided.view import Dense, dense
from dmlviz.words import _


def strided_snippets(case: Case, told: BufferDesc, written: Graph | None) -> tuple[Snippet, ...]:
    """Code that reads memory with strides, in every dialect.

    Args:
        case: the tensors.
        told: the tensor laid over memory.
        written: the same in ONNX's own operators; None where it has none.
    """
    found = dense(told, case.sizes[0])
    return (
        directml_snippet(
            case,
            {"ScaleBias": "nullptr"},
            _("The operator only copies: the strides of InputTensor do it all."),
        ),
        _onnx(case, told, written),
        _numpy(case, told, found),
        _pytorch(case, told, found),
        _tensorflow(case, told, found),
        _einops(case, found),
    )


def _places(told: BufferDesc) -> list[str]:
    """The NumPy lines that make each element's place in memory."""
    sizes, strides = tuple_text(told.sizes), tuple_text(told.strides)
    return [f"places = sum(i * s for i, s in zip(np.indices({sizes}), {strides}))"]


def _onnx(case: Case, told: BufferDesc, written: Graph | None) -> Snippet:
    if written is not None:
        return onnx_snippet(case, nodes_of(written), written.opset)
    node = NodeText(
        "Gather",
        (case.inputs[0].name, "places"),
        {"places": "np.asarray(places, np.int64)"},
        {"axis": "0"},
    )
    note = _("ONNX has no strides: its tensors have no gaps. Gather names each element.")
    return onnx_snippet(case, [node], 13, _places(told), note)


def _numpy(case: Case, told: BufferDesc, found: Dense | None) -> Snippet:
    note = _("as_strided handles any strides; NumPy counts them in bytes, not in elements.")
    sizes, count = told.sizes, case.sizes[0]
    step, window = told.strides[0], sizes[-1]
    if found is not None:
        text = f"x.reshape({commas(found.memory)})"
        text += f".transpose({commas(found.perm)})" if found.turned else ""
        if found.repeated:
            text = f"np.broadcast_to({text}, {tuple_text(sizes)})"
        return numpy_snippet(case, [f"y = {text}"], note)
    if len(sizes) == 1 and step and len(range(0, count, step)) == sizes[0]:
        return numpy_snippet(case, [f"y = x[::{step}]"], note)
    rows = len(sizes) == 2 and told.strides[1] == 1 and step > 0 and window <= count
    if rows and window <= step and sizes[0] * step <= count:
        # rows with a gap after each of them
        whole = "x" if sizes[0] * step == count else f"x[:{sizes[0] * step}]"
        text = f"{whole}.reshape({sizes[0]}, {step})[:, :{window}]"
        return numpy_snippet(case, [f"y = {text}"], note)
    if rows and len(range(0, count - window + 1, step)) == sizes[0]:
        every = f"[::{step}]" if step > 1 else ""
        text = f"np.lib.stride_tricks.sliding_window_view(x, {window}){every}"
        return numpy_snippet(case, [f"y = {text}"], note)
    strides = f"[s * x.itemsize for s in {tuple_text(told.strides)}]"
    lines = call("y = np.lib.stride_tricks.as_strided", "x", tuple_text(sizes), strides)
    return numpy_snippet(case, [lines], _("NumPy counts strides in bytes, not in elements."))


def _pytorch(case: Case, told: BufferDesc, found: Dense | None) -> Snippet:
    note = _("as_strided handles any strides; they count elements, like DirectML's.")
    if found is None:
        sizes, strides = tuple_text(told.sizes), tuple_text(told.strides)
        return pytorch_snippet(case, [call("y = torch.as_strided", "x", sizes, strides)])
    text = f"x.reshape({commas(found.memory)})"
    text += f".permute({commas(found.perm)})" if found.turned else ""
    text += f".expand({commas(found.sizes)})" if found.repeated else ""
    return pytorch_snippet(case, [f"y = {text}"], note)


def _tensorflow(case: Case, told: BufferDesc, found: Dense | None) -> Snippet:
    if found is None:
        first, *rest = (
            f"tf.range({n})[{', '.join([':', *['None'] * (len(told.sizes) - d - 1)])}] * {s}"
            for d, (n, s) in enumerate(zip(told.sizes, told.strides, strict=True))
        )
        lines = [f"places = {first}", *(f"places = places + {term}" for term in rest)]
        note = _("TensorFlow's tensors have no strides; gather names each element.")
        return tensorflow_snippet(case, [*lines, "y = tf.gather(x, places)"], note)
    text = f"tf.reshape(x, [{commas(found.memory)}])"
    text = f"tf.transpose({text}, [{commas(found.perm)}])" if found.turned else text
    text = f"tf.broadcast_to({text}, [{commas(found.sizes)}])" if found.repeated else text
    return tensorflow_snippet(case, [f"y = {text}"])


def _einops(case: Case, found: Dense | None) -> Snippet:
    if found is None:
        note = _("einops moves and repeats whole axes; these strides leave out or mix elements.")
        return Snippet("einops", note=note)
    names = plain_names(len(found.sizes))
    moved = [d for d, n in zip(found.order, found.memory, strict=True) if n > 1]
    left = " ".join(names[d] for d in moved) or "1"
    kept = {d for d, n in enumerate(found.once) if n > 1}
    shown = {d for d, n in enumerate(found.sizes) if n > 1}
    right = " ".join(names[d] if d in shown else "1" for d in range(len(names)))
    lengths = {names[d]: found.sizes[d] for d in sorted(shown) if d not in kept or d in moved[1:]}
    pattern = f"({left}) -> {right}" if len(moved) > 1 else f"{left} -> {right}"
    return einops_snippet(case, "repeat" if found.repeated else "rearrange", pattern, lengths)
