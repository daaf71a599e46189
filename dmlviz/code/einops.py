"""einops: rearrange, repeat, pack and unpack; patterns are read by einops itself.

Source of the rules: einops 0.8.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from einops import EinopsError
from einops.parsing import AnonymousAxis, ParsedExpression

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.words import _, listed
from dmlviz.code import rules
from dmlviz.code.arguments import Named, as_tensor, ints, one_int
from dmlviz.code.arguments import stack as stacked
from dmlviz.code.arguments import tensors as tensor_list
from dmlviz.code.builder import Builder
from dmlviz.code.library import Function, Library, layer
from dmlviz.code.refusals import CodeRefused, computes_values
from dmlviz.code.tensor import Tensor
from dmlviz.tensors import one_line, print_sizes, short_text
from dmlviz.tensors.types import Sizes

PATTERN_LIMIT = 500
"""The limit of characters of a pattern."""

_DOTS = "…"

_REDUCTIONS = ("min", "max", "sum", "mean", "prod", "any", "all")


@dataclass(frozen=True)
class _Side:
    """A side of a pattern for a tensor: the names of axes in each dimension.

    Attributes:
        groups: for each dimension, its axes.
        counts: of axes that are only a number, by name.
    """

    groups: tuple[tuple[str, ...], ...]
    counts: Mapping[str, int]

    @property
    def names(self) -> list[str]:
        """All axes, first to last."""
        return [name for group in self.groups for name in group]


def _sides(kind: str, pattern: Any, rank: int) -> tuple[_Side, _Side]:
    """Both sides of a pattern for a tensor with so many dimensions."""
    text = pattern if isinstance(pattern, str) else ""
    if text.count("->") != 1 or len(text) > PATTERN_LIMIT:
        raise CodeRefused(
            "argument",
            _(
                "A pattern has two sides, such as “h w -> w h”, and at most {most} characters."
            ).format(most=PATTERN_LIMIT),
        )
    try:
        with warnings.catch_warnings():
            # einops warns of axes such as "in"
            warnings.simplefilter("ignore")
            left, right = (ParsedExpression(s, allow_underscore=True) for s in text.split("->"))
    except EinopsError as error:
        raise CodeRefused(
            "argument",
            _("einops refuses the pattern: {reason}").format(reason=one_line(str(error))),
        ) from None
    if left.has_ellipsis_parenthesized or (right.has_ellipsis and not left.has_ellipsis):
        raise CodeRefused(
            "argument", _("“...” must be on both sides, and on the left outside parentheses.")
        )
    if left.has_non_unitary_anonymous_axes or (
        kind != "repeat" and right.has_non_unitary_anonymous_axes
    ):
        raise CodeRefused(
            "argument",
            _("A number other than 1 must be on the right side of a pattern of repeat."),
        )
    dimensions = sum(group != _DOTS for group in left.composition)
    extra = rank - dimensions
    if extra < 0 or (extra and not left.has_ellipsis):
        raise CodeRefused(
            "sizes",
            _("The pattern has {count} dimensions, the tensor {rank}.").format(
                count=dimensions, rank=rank
            ),
        )
    return _side(left, extra), _side(right, extra)


def _side(parsed: Any, extra: int) -> _Side:
    dots = tuple(f"{_DOTS}{k}" for k in range(extra))
    groups: list[tuple[str, ...]] = []
    counts: dict[str, int] = {}
    for group in parsed.composition:
        if group == _DOTS:
            groups += [(name,) for name in dots]
            continue
        names: list[str] = []
        for axis in group:
            if isinstance(axis, AnonymousAxis):
                name = f"#{len(counts)}"
                counts[name] = axis.value
                names.append(name)
            else:
                names += dots if axis == _DOTS else [axis]
        groups.append(tuple(names))
    return _Side(tuple(groups), counts)


def _lengths(side: _Side, sizes: Sizes, lengths: Mapping[str, int]) -> dict[str, int]:
    """The length of every axis of the left side."""
    by_axis: dict[str, int] = {}
    for group, size in zip(side.groups, sizes, strict=True):
        unknown = [name for name in group if name not in lengths]
        rest = math.prod(lengths[name] for name in group if name in lengths)
        if len(unknown) > 1:
            raise CodeRefused(
                "argument",
                _("The lengths of {names} are missing; add one of them, such as {name}=2.").format(
                    names=listed(unknown), name=unknown[0]
                ),
            )
        if rest < 1 or size % rest or (not unknown and size != rest):
            raise CodeRefused(
                "sizes",
                _("A dimension of size {size} does not divide into axes of {rest}.").format(
                    size=size, rest=rest
                ),
            )
        by_axis |= {name: lengths[name] for name in group if name in lengths}
        by_axis |= dict.fromkeys(unknown, size // rest)
    return by_axis


def _moved(b: Builder, kind: str, tensor: Any, pattern: Any, axes: Mapping[str, Any]) -> Tensor:
    """What a pattern makes of a tensor: a reshape, an order of axes, new axes, a reshape."""
    x = stacked(b, tensor, 0) if isinstance(tensor, list | tuple) else as_tensor(b, tensor)
    left, right = _sides(kind, pattern, x.rank)
    lengths = {name: one_int(b, length) for name, length in axes.items()}
    sizes = _lengths(left, x.sizes, lengths)
    _check_names(kind, left, right, lengths)
    lengths = {**lengths, **sizes, **right.counts}
    new = [name for name in right.names if name not in sizes]
    x = b.reshape(x, [sizes[name] for name in left.names])
    x = b.transpose(x, [left.names.index(name) for name in right.names if name in sizes])
    x = b.unsqueeze(x, [d for d, name in enumerate(right.names) if name in new])
    x = b.expand(x, [lengths[name] for name in right.names])
    return b.reshape(x, [math.prod(lengths[name] for name in group) for group in right.groups])


def _check_names(kind: str, left: _Side, right: _Side, lengths: Mapping[str, int]) -> None:
    """Refuse axes that are only on one side, or nowhere."""
    new = set(right.names) - set(left.names) - right.counts.keys()
    gone = set(left.names) - set(right.names)
    if gone and kind == "reduce":
        raise computes_values()
    only = gone if gone else new if kind != "repeat" else new - lengths.keys()
    only |= lengths.keys() - set(left.names) - set(right.names)
    if only:
        raise CodeRefused(
            "argument",
            _("Axis {names} is not on both sides of the pattern, or has no length.").format(
                names=listed(sorted(only))
            ),
        )


def reduced_sizes(sizes: Sizes, pattern: Any, lengths: Mapping[str, int]) -> Sizes:
    """The sizes of what ``reduce`` gives.

    Args:
        sizes: of its tensor.
        pattern: such as ``b c (h p) -> b c h``.
        lengths: of axes, by name.

    Raises:
        CodeRefused: the pattern does not fit.
    """
    left, right = _sides("reduce", pattern, len(sizes))
    every = {**lengths, **_lengths(left, sizes, lengths), **right.counts}
    return tuple(math.prod(every[name] for name in group) for group in right.groups)


def _rearrange(b: Builder, /, tensor: Any, pattern: Any, **axes_lengths: Any) -> Tensor:
    return _moved(b, "rearrange", tensor, pattern, axes_lengths)


def _repeat(b: Builder, /, tensor: Any, pattern: Any, **axes_lengths: Any) -> Tensor:
    return _moved(b, "repeat", tensor, pattern, axes_lengths)


def _reduce(
    b: Builder, /, tensor: Any, pattern: Any, reduction: Any, **axes_lengths: Any
) -> Tensor:
    if not isinstance(reduction, Named) and reduction not in _REDUCTIONS:
        raise rules.unknown_mode(reduction, _REDUCTIONS, "reduction")
    return _moved(b, "reduce", tensor, pattern, axes_lengths)


def _star(pattern: Any) -> tuple[int, int]:
    """How many axes a pattern has before and after its star."""
    names = pattern.split() if isinstance(pattern, str) else []
    if names.count("*") != 1 or len(set(names)) != len(names) or len(names) > 16:
        raise CodeRefused(
            "argument", _("A pattern of pack has one *, such as “h w *”, and other axes once.")
        )
    at = names.index("*")
    return at, len(names) - at - 1


def _pack(b: Builder, tensors: Any, pattern: Any) -> tuple[Tensor, list[Sizes]]:
    before, after = _star(pattern)
    shapes, parts = [], []
    for x in tensor_list(b, tensors):
        if x.rank < before + after:
            raise CodeRefused(
                "sizes",
                _("A tensor of sizes {sizes} has too few dimensions for the pattern.").format(
                    sizes=print_sizes(x.sizes)
                ),
            )
        end = x.rank - after
        shapes.append(x.sizes[before:end])
        sizes = (*x.sizes[:before], math.prod(shapes[-1]), *x.sizes[end:])
        parts.append(b.reshape(x, sizes))
    return b.concat(parts, before), shapes


def _unpack(b: Builder, tensor: Any, packed_shapes: Any, pattern: Any) -> list[Tensor]:
    x = as_tensor(b, tensor)
    before, after = _star(pattern)
    if x.rank != before + after + 1:
        raise CodeRefused(
            "sizes",
            _("The pattern has {count} dimensions, the tensor {rank}.").format(
                count=before + after + 1, rank=x.rank
            ),
        )
    shapes = [list(ints(b, shape)) for shape in _shapes(packed_shapes)]
    counts = [math.prod(shape) for shape in shapes]
    open_ones = [k for k, shape in enumerate(shapes) if -1 in shape]
    if len(open_ones) == 1:
        (k,) = open_ones
        rest = math.prod(n for n in shapes[k] if n != -1)
        counts[k] = x.sizes[before] - sum(c for j, c in enumerate(counts) if j != k)
        shapes[k][shapes[k].index(-1)] = counts[k] // rest if rest > 0 else 0
    parts = b.split(x, counts, before)
    return [
        b.reshape(part, (*x.sizes[:before], *shape, *x.sizes[before + 1 :]))
        for part, shape in zip(parts, shapes, strict=True)
    ]


def _shapes(packed_shapes: Any) -> Sequence[Any]:
    if not isinstance(packed_shapes, list | tuple):
        raise CodeRefused(
            "argument",
            _("{value} is not a list of shapes such as pack returns.").format(
                value=short_text(packed_shapes)
            ),
        )
    return packed_shapes


def _parse_shape(b: Builder, *args: Any, **kwargs: Any) -> Tensor:
    raise CodeRefused("nothing", _("parse_shape gives sizes, not a tensor."))


FUNCTIONS: dict[str, Function] = {
    "einops.rearrange": _rearrange,
    "einops.repeat": _repeat,
    "einops.reduce": _reduce,
    "einops.pack": _pack,
    "einops.unpack": _unpack,
    "einops.einsum": rules.computes,
    "einops.parse_shape": _parse_shape,
    "einops.asnumpy": lambda b, tensor: as_tensor(b, tensor),
    "einops.layers.torch.Rearrange": layer("Rearrange", _rearrange),
}

EINOPS = Library(
    "einops",
    "einops",
    names={
        "einops": "einops",
        **{name: f"einops.{name}" for name in ("rearrange", "repeat", "reduce", "pack", "unpack")},
        "einsum": "einops.einsum",
        "parse_shape": "einops.parse_shape",
        "Rearrange": "einops.layers.torch.Rearrange",
    },
    modules={
        "einops": "einops",
        "einops.layers": "einops.layers",
        "einops.layers.torch": "einops.layers.torch",
    },
    functions=FUNCTIONS,
    signs=regex(r"(?<!\.)\b(rearrange|repeat|reduce|pack|unpack)\(|\beinops\b"),
    has_tensors=False,
)
