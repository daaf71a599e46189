"""Tensors of indices in other dialects."""

from __future__ import annotations

from dmlviz.operators.code.base import Case, Snippet
from dmlviz.words import _


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


def einops_indices() -> Snippet:
    """einops has no way."""
    return Snippet("einops", note=_("einops takes no indices: it moves and repeats whole axes."))
