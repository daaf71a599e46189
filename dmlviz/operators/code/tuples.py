"""Tensors of index tuples in other dialects."""

from __future__ import annotations

from dmlviz.operators.code.base import Case, commas, tuple_text
from dmlviz.operators.code.indices import indices_type, whole_indices
from dmlviz.operators.tuples import Tuples
from dmlviz.words import _


def onnx_tuples_note(case: Case) -> str:
    """The note if ONNX does not take the type."""
    if indices_type(case) == "INT64":
        return ""
    return _("ONNX takes tuples of indices as INT64 only, so others are cast first.")


def counted_input(tuples: Tuples) -> str:
    """The input without the dimensions that do not count, in NumPy and PyTorch."""
    return f"x.reshape({commas(tuples.inner)})" if tuples.inner != tuples.sizes else "x"


def as_ranked(made: str, tuples: Tuples) -> str:
    """A line that makes the output, with all its dimensions."""
    return made if tuples.exact == tuples.output else f"{made}.reshape({commas(tuples.output)})"


def numpy_tuples(tuples: Tuples) -> list[str]:
    """Lines that make ``i``, an array for each dimension, and ``batch`` if there is one."""
    lines = [f"i = np.moveaxis({_counted('indices.astype(np.int64)', tuples)}, -1, 0)"]
    if tuples.batches:
        cells = tuple_text(tuples.cells)
        lines.append(f"batch = np.indices({cells}, sparse=True)[:{tuples.batches}]")
    return lines


def pytorch_tuples(tuples: Tuples) -> list[str]:
    """The same in PyTorch."""
    lines = [f"i = {_counted(whole_indices('pytorch'), tuples)}.unbind(-1)"]
    if tuples.batches:
        ranges = f"torch.arange(n) for n in {tuple_text(tuples.cells)}"
        lines.append(f'batch = torch.meshgrid(*({ranges}), indexing="ij")[:{tuples.batches}]')
    return lines


def tensorflow_tuples(tuples: Tuples, x: str) -> list[str]:
    """Lines that make ``i``, tuples counted from the front, and drop other dimensions of ``x``."""
    lines = []
    if tuples.inner != tuples.sizes:
        lines.append(f"{x} = tf.reshape({x}, [{commas(tuples.inner)}])")
    whole = whole_indices("tensorflow")
    inner = (*tuples.cells, tuples.length)
    if inner != tuples.indices:
        whole = f"tf.reshape({whole}, [{commas(inner)}])"
    return [*lines, f"i = {whole} % [{commas(tuples.named)}]"]


def _counted(indices: str, tuples: Tuples) -> str:
    inner = (*tuples.cells, tuples.length)
    return indices if inner == tuples.indices else f"{indices}.reshape({commas(inner)})"
