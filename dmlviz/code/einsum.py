"""Einsum of one tensor that adds nothing: a diagonal, and other orders of its axes.

Source of the rule: NumPy's and PyTorch's einsum, which the tests run.
"""

from __future__ import annotations

from typing import Any

from dmlviz.base.words import _
from dmlviz.code import rules
from dmlviz.code.arguments import as_tensor
from dmlviz.code.builder import Builder
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor
from dmlviz.tensors import short_text

ELLIPSIS = "..."


def einsum(b: Builder, equation: Any, /, *operands: Any) -> Tensor:
    """An einsum that only moves elements, such as ``ijk->kij``, ``ii->i`` or ``...ij->...ji``.

    Raises:
        CodeRefused: it multiplies or adds, or does not fit the tensor.
    """
    text = equation.replace(" ", "") if isinstance(equation, str) else ""
    left, arrow, right = text.partition("->")
    if not arrow:
        # letters that occur twice are summed over
        once = sorted({x for x in left.replace(ELLIPSIS, "") if left.count(x) == 1})
        right = ELLIPSIS * (ELLIPSIS in left) + "".join(once)
    from_axes, to_axes = _axes(left), _axes(right)
    moves = len(operands) == 1 and None not in (from_axes, to_axes)
    if not moves or set(from_axes or ()) != set(to_axes or ()):
        message = _("einsum computes new values, unless it only moves the elements of one tensor.")
        raise CodeRefused("computes", message)
    assert from_axes is not None
    assert to_axes is not None
    x = as_tensor(b, operands[0])
    named = len(from_axes) - (ELLIPSIS in from_axes)
    if (
        len(to_axes) != len({*to_axes})
        or named > x.rank
        or (ELLIPSIS not in from_axes and named < x.rank)
    ):
        message = _("{equation} has {count} axes, the tensor {rank}.").format(
            equation=short_text(equation), count=named, rank=x.rank
        )
        raise CodeRefused("argument", message)
    # each axis of the ellipsis gets a name of its own
    rest = [f"{ELLIPSIS}{n}" for n in range(x.rank - named)]
    axes = [name for axis in from_axes for name in (rest if axis == ELLIPSIS else [axis])]
    for name in dict.fromkeys(axes):
        while axes.count(name) > 1:
            one = axes.index(name)
            two = axes.index(name, one + 1)
            if x.sizes[one] != x.sizes[two]:
                message = _("{equation}: {name} has size {one} and size {two}.").format(
                    equation=short_text(equation), name=name, one=x.sizes[one], two=x.sizes[two]
                )
                raise CodeRefused("sizes", message)
            x = rules.diagonal(b, x, 0, one, two)
            # the diagonal is the last axis
            axes = [axis for d, axis in enumerate(axes) if d not in (one, two)] + [name]
    order = [name for axis in to_axes for name in (rest if axis == ELLIPSIS else [axis])]
    return b.transpose(x, [axes.index(name) for name in order])


def _axes(term: str) -> list[str] | None:
    """The letters of a term, with its ellipsis as one; None if it is not one."""
    before, ellipsis, after = term.partition(ELLIPSIS)
    if not (before + after or ellipsis) or not (before + after + "a").isalpha():
        return None
    return [*before, *([ELLIPSIS] if ellipsis else []), *after]
