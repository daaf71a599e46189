"""Tensors of indices in other dialects."""

from __future__ import annotations

from dmlviz.base.words import _
from dmlviz.operators.code.base import Case, Snippet


def indices_type(case: Case) -> str:
    """The data type of IndicesTensor, the second input."""
    return case.inputs[1].data_type


def onnx_indices_note(case: Case) -> str:
    """The note if ONNX does not take the type."""
    if not indices_type(case).startswith("U"):
        return ""
    return _("ONNX takes indices as INT32 or INT64 only, so unsigned ones are cast first.")


def numpy_indices(case: Case) -> tuple[str, str]:
    """The indices in a form that NumPy takes, and a note on it."""
    if indices_type(case) != "UINT64":
        return "indices", ""
    return "indices.astype(np.int64)", _("NumPy takes no UINT64 as an index.")


def whole_indices(dialect: str) -> str:
    """The indices as signed 64-bit numbers, in PyTorch or TensorFlow."""
    return {
        "pytorch": "indices.to(torch.int64)",
        "tensorflow": "tf.cast(indices, tf.int64)",
    }[dialect]


def from_front_lines(case: Case, indices: str, size: object) -> list[str]:
    """The lines that make ``i``, indices counted from the front.

    Args:
        case: the tensors; unsigned indices count from the front already.
        indices: the expression of the indices as signed numbers.
        size: of the dimension that they count along, or a list for tuples.
    """
    if indices_type(case).startswith("U"):
        return [f"i = {indices}"]
    return ["# " + _("negative indices count from the end"), f"i = {indices} % {size}"]


def einops_indices() -> Snippet:
    """einops has no way."""
    return Snippet("einops", note=_("einops takes no indices: it moves and repeats whole axes."))
