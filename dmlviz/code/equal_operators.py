"""The operators of DirectML that do exactly what a movement does, each run on the same numbers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from dmlviz.base.budget import Budget, Exhausted
from dmlviz.base.errors import Error
from dmlviz.code.maps import Map, equal, padding_starts, spend_trial
from dmlviz.engines.trace import Trace, outputs_of, run
from dmlviz.operators import Operator, operator_class
from dmlviz.operators.mapped import ControlValues, Mapped
from dmlviz.tensors.numbering import distinct
from dmlviz.tensors.types import Array, Sizes

WINDOW_LIMIT = 4
"""The limit of an Unfold's window along one dimension."""

PROPOSING = 2
"""With so many other sizes, an operator must be proposed."""

SAMPLE = 8
"""The limit of elements of an output that are compared before all of them."""

WIDTHS_LIMIT = 4
"""The limit of widths of a padding that are tried."""

Inputs = Array | Mapping[str, Array]


class _Subject:
    """What proposals are made from.

    Attributes:
        movement: the movement.
        strides: how far one step goes in each dimension of the tensor.
        steps: how far the first step goes in each dimension of the output.
    """

    def __init__(self, movement: Map) -> None:
        sizes, source = movement.sizes, movement.source
        self.movement = movement
        self.whole = not movement.has_constants
        self.strides = tuple(math.prod(sizes[d + 1 :]) for d in range(len(sizes)))
        first = int(source.flat[0])
        self.steps = tuple(
            int(source[tuple(int(e == d) for e in range(source.ndim))]) - first if n > 1 else 0
            for d, n in enumerate(source.shape)
        )

    @cached_property
    def x(self) -> Array:
        """A tensor of its sizes, counted from 1; FLOAT32."""
        return np.arange(1, math.prod(self.sizes) + 1, dtype=np.float32).reshape(self.sizes)

    @cached_property
    def sample(self) -> tuple[Array, ...]:
        """The indices of a few elements of the output, the first and the last one among them."""
        source = self.source
        few = np.linspace(0, source.size - 1, min(SAMPLE, source.size)).astype(np.int64)
        return np.unravel_index(few, source.shape)

    @cached_property
    def result(self) -> Array:
        """What an operator that is the movement makes of the tensor."""
        table = np.array([0, *(self.movement.value(-1 - k) for k in range(self._constants))])
        source = self.source
        return np.where(source < 0, table[np.maximum(-source, 0)], source + 1)

    @property
    def _constants(self) -> int:
        return max(0, -int(self.source.min(initial=0)))

    @property
    def sizes(self) -> Sizes:
        return self.movement.sizes

    @property
    def source(self) -> Array:
        return self.movement.source

    @property
    def out(self) -> Sizes:
        out: Sizes = self.movement.source.shape
        return out

    @property
    def ranks_are_equal(self) -> bool:
        return len(self.sizes) == len(self.out)


def equal_operators(movement: Map, *, every: bool = False) -> Iterator[Trace]:
    """Runs of operators whose sources and constants are those of the movement.

    Args:
        movement: from one tensor.
        every: whether to give all settings with which an operator does it, not only the first.
    """
    with suppress(Exhausted):
        for propose in _PROPOSALS if _has_sources(movement) else ():
            for trace in _equal_runs(propose, _Subject(movement)):
                yield trace
                if not every:
                    break


def equal_operators_of_all(
    movement: Map, others: Sequence[Map]
) -> Iterator[tuple[Trace, bool | None]]:
    """Runs of operators that are a movement, whatever its sizes are.

    An operator that is the movement with some sizes only is left out.

    Args:
        movement: from one tensor.
        others: the same with other sizes; empty if it has only these.

    Yields:
        A run on the movement's tensor, and whether the operator with the same settings is the
        others, too: not if its settings follow from the sizes; None without others.
    """
    if not all(map(_has_sources, (movement, *others))):
        return
    subject, *elsewhere = map(_Subject, (movement, *others))
    for propose in _PROPOSALS:
        if not elsewhere:
            yield from ((trace, None) for trace in islice(_equal_runs(propose, subject), 1))
            continue
        # with other sizes less is so by chance: what is nothing there is not looked for here
        operators = every = list(_equal_operators(propose, elsewhere[0]))
        for other in elsewhere[1:] if every else ():
            operators = list(_equal_operators(propose, other, operators))
        held = next(_equal_runs(propose, subject, operators), None) if operators else None
        if held is not None:
            yield held, True
            continue
        modes = {_modes(one) for one in every}
        for other in elsewhere[1:PROPOSING] if modes else ():
            modes &= {_modes(one) for one in _equal_operators(propose, other)}
        follows = (run for run in _equal_runs(propose, subject) if _modes(run.operator) in modes)
        yield from ((trace, False) for trace in islice(follows if modes else (), 1))


def _modes(operator: Operator) -> tuple[str, ...]:
    """The settings that are no numbers: other sizes do not change them."""
    settings = (getattr(operator, name) for name in operator.declared)
    return tuple(value for value in settings if isinstance(value, str))


def _has_sources(movement: Map) -> bool:
    """Whether an operator can be the movement: it has 1 to 8 dimensions, and a source."""
    return 1 <= movement.source.ndim <= 8 and bool((movement.source >= 0).any())


def equal_block_operator(movement: Map) -> Trace | None:
    """The run of the operator between channels and blocks that does what a movement does.

    A movement of three dimensions is that of a batch of one.
    """
    if len(movement.sizes) == movement.source.ndim == 3:
        movement = Map((1, *movement.sizes), movement.source[None])
    if movement.source.ndim != 4 or movement.is_order:
        return None
    with suppress(Exhausted):
        return next(_equal_runs(_blocks, _Subject(movement)), None)
    return None


def _equal_runs(
    propose: Callable[[_Subject], Proposals],
    seen: _Subject,
    operators: Sequence[Operator] | None = None,
) -> Iterator[Trace]:
    """The runs of proposed operators that are the movement.

    Args:
        propose: gives operators, and the tensors that they take.
        seen: the movement.
        operators: those to run instead, on the tensors that are proposed with them, or on one.
    """
    for operator, inputs in _fitting(propose, seen, operators):
        trace = _equal(operator, inputs, seen.movement)
        if trace is not None:
            yield trace


def _equal_operators(
    propose: Callable[[_Subject], Proposals],
    seen: _Subject,
    operators: Sequence[Operator] | None = None,
) -> Iterator[Operator]:
    """The operators of :func:`_equal_runs`: of a movement without constants one run is enough."""
    if seen.whole:
        yield from (operator for operator, _inputs in _fitting(propose, seen, operators))
    else:
        yield from (trace.operator for trace in _equal_runs(propose, seen, operators))


def _fitting(
    propose: Callable[[_Subject], Proposals],
    seen: _Subject,
    operators: Sequence[Operator] | None,
) -> Proposals:
    """The proposals that make of numbers what the movement does."""
    proposals: Iterable[tuple[Operator, Inputs]] = propose(seen)
    if operators is not None:
        proposed = list(proposals)
        proposals = [
            (one, next((inputs for other, inputs in proposed if other == one), seen.x))
            for one in operators
        ]
    for operator, inputs in proposals:
        if _makes(operator, inputs, seen):
            yield operator, inputs


def _makes(operator: Operator, inputs: Inputs, seen: _Subject) -> bool:
    """Whether an operator makes of numbers what the movement does."""
    work, source = seen.movement.work, seen.source
    try:
        if _count_after(operator, inputs) != source.size:
            return False
        named = operator.named_inputs(inputs, "inputs")
        if isinstance(operator, Mapped):
            x = named[operator.values_slot()]
            if operator.shape({name: one.shape for name, one in named.items()}) != source.shape:
                return False
            # a few elements tell most that differ
            at = operator.source(seen.sample, ControlValues(named), x.shape)
            if (_numbers(at, x.shape) != np.maximum(source[seen.sample], -1)).any():
                return False
        spend_trial(work, source.size)
        (made,) = outputs_of(operator, named, "numpy").values()
    except Error:
        return False
    return made.shape == source.shape and bool((made == seen.result).all())


def _numbers(at: Sequence[Any], sizes: Sizes) -> Array:
    """The numbers of elements at these indices; -1 outside."""
    inside: Any = True
    number: Any = 0
    for i, n in zip(at, sizes, strict=True):
        inside = inside & ((i >= 0) & (i < n))
        number = number * n + i
    return np.where(inside, number, -1)


def _count_after(operator: Operator, inputs: Inputs) -> int:
    """How many elements an operator's only output has.

    Raises:
        Error: it cannot take these inputs.
    """
    if isinstance(inputs, Mapping):
        return math.prod(operator.output_sizes({name: x.shape for name, x in inputs.items()}))
    return math.prod(operator.output_sizes(inputs.shape))


def _equal(operator: Operator, inputs: Inputs, movement: Map) -> Trace | None:
    """The operator's run, if it is the movement."""
    trace = run_of_count(operator, inputs, movement.source.size, movement.work)
    if trace is None or not trace.agrees:
        return None
    (made,) = trace.sources.values()
    source = movement.source
    if made.shape != source.shape or not equal(made, np.maximum(source, -1)):
        return None
    constants = [
        bool((trace.output[source == k] == movement.value(k)).all())
        for k in distinct(source[source < 0]).tolist()
    ]
    return trace if all(constants) else None


def run_of_count(operator: Operator, inputs: Inputs, count: int, work: Budget) -> Trace | None:
    """The run of an operator with one output, if that has so many elements.

    An output of another size is never made: indices of a long tensor would make it huge.

    Args:
        operator: what to run.
        inputs: a tensor, or tensors by DirectML's names.
        count: the elements of the output.
        work: what the run is counted in.

    Returns:
        None, too, if the operator cannot take these inputs.

    Raises:
        Exhausted: the work is done.
    """
    try:
        if _count_after(operator, inputs) != count:
            return None
        spend_trial(work, count)
        return run(operator, inputs, "numpy")
    except Error:
        return None


def _operator(key: str, *settings: Any) -> Operator:
    cls: Any = operator_class(key)
    made: Operator = cls(*settings)
    return made


Proposals = Iterator[tuple[Operator, Inputs]]


def _tile(seen: _Subject) -> Proposals:
    pairs = list(zip(seen.sizes, seen.out, strict=False))
    if seen.ranks_are_equal and seen.whole and all(m % n == 0 for n, m in pairs):
        yield _operator("tile", tuple(m // n for n, m in pairs)), seen.x


def _slice(seen: _Subject) -> Proposals:
    if not (seen.ranks_are_equal and seen.whole):
        return
    first = np.unravel_index(int(seen.source.flat[0]), seen.sizes)
    steps = [step // stride or 1 for step, stride in zip(seen.steps, seen.strides, strict=True)]
    ends = [int(a) + (n - 1) * k for a, n, k in zip(first, seen.out, steps, strict=True)]
    if all(0 <= end < n for end, n in zip(ends, seen.sizes, strict=True)):
        offsets = tuple(min(int(a), end) for a, end in zip(first, ends, strict=True))
        windows = tuple(abs(end - int(a)) + 1 for a, end in zip(first, ends, strict=True))
        yield _operator("slice", offsets, windows, tuple(steps)), seen.x


def _blocks(seen: _Subject) -> Proposals:
    if len(seen.sizes) != 4 or len(seen.out) != 4 or not seen.whole:
        return
    (_n, _c, h, _w), (_m, _d, height, _v) = seen.sizes, seen.out
    for key, large, small in (("depth-to-space", height, h), ("space-to-depth", h, height)):
        if large > small and large % small == 0:
            for order in ("DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH"):
                yield _operator(key, large // small, order), seen.x


def _padding(seen: _Subject) -> Proposals:
    if not seen.ranks_are_equal or seen.sizes == seen.out:
        return
    if any(m < n for n, m in zip(seen.sizes, seen.out, strict=True)):
        return
    if not seen.whole:
        first = tuple(int(k) for k in np.argwhere(seen.source >= 0).min(0))
        value = seen.movement.value(int(seen.source.min()))
        yield _operator("padding", "CONSTANT", *_widths(seen, first), value), seen.x
        return
    at = seen.movement.coordinates()
    for name, mode in _MODES:
        options = []
        for d, n in enumerate(seen.sizes):
            line = at[d][tuple(slice(None) if e == d else 0 for e in range(len(seen.out)))]
            options.append(padding_starts(line, n, mode))
        # a width of more than the size mirrors as a smaller one does
        for starts in islice(itertools.product(*options), WIDTHS_LIMIT):
            yield _operator("padding", name, *_widths(seen, starts), 0), seen.x


_MODES = (
    ("EDGE", "edge"),
    ("REFLECTION", "reflect"),
    ("SYMMETRIC", "symmetric"),
    ("WRAP", "wrap"),
)
"""DirectML's modes of padding that copy elements, and NumPy's names for them."""


def _widths(seen: _Subject, starts: Sizes) -> tuple[Sizes, Sizes]:
    after = (m - n - s for n, m, s in zip(seen.sizes, seen.out, starts, strict=True))
    return tuple(starts), tuple(after)


def _slice_grad(seen: _Subject) -> Proposals:
    if not seen.ranks_are_equal or seen.whole:
        return
    places = np.argwhere(seen.source >= 0)
    first, last = places.min(0).tolist(), places.max(0).tolist()
    steps = [(b - a) // max(1, n - 1) or 1 for a, b, n in zip(first, last, seen.sizes, strict=True)]
    windows = tuple(b - a + 1 for a, b in zip(first, last, strict=True))
    if any(
        a + (n - 1) * abs(k) != b for a, b, n, k in zip(first, last, seen.sizes, steps, strict=True)
    ):
        return
    signs = itertools.product(*([1, -1] if n > 1 else [1] for n in seen.sizes))
    for turned in islice(signs, 16):
        strides = tuple(k * sign for k, sign in zip(steps, turned, strict=True))
        yield _operator("slice-grad", tuple(first), windows, strides, seen.out), seen.x


def _resample(seen: _Subject) -> Proposals:
    if not (seen.ranks_are_equal and seen.whole) or seen.sizes == seen.out:
        return
    rank, scales = len(seen.sizes), tuple(m / n for n, m in zip(seen.sizes, seen.out, strict=True))
    for a, b in ((0.0, 0.0), (0.5, -0.5)):
        for direction in ("DECREASING", "INCREASING"):
            offsets = ((a,) * rank, (b,) * rank)
            yield _operator("resample", direction, scales, *offsets, seen.out), seen.x


def _strided(seen: _Subject) -> Proposals:
    if seen.whole and int(seen.source.flat[0]) == 0 and min(seen.steps) >= 0:
        yield _operator("strided", seen.out, seen.steps), seen.x.ravel()


def _reverse(seen: _Subject) -> Proposals:
    if seen.sizes != seen.out or not seen.whole:
        return
    for axis, n in enumerate(seen.sizes):
        if n > 1:
            lengths = np.take(seen.movement.coordinates()[axis], [0], axis) + 1
            tensors = {"InputTensor": seen.x, "SequenceLengthsTensor": lengths.astype(np.uint32)}
            yield _operator("reverse-subsequences", axis), tensors


def _unfold(seen: _Subject) -> Proposals:
    rank = len(seen.sizes) - 2
    if len(seen.out) != 3 or rank not in (1, 2) or seen.sizes[0] != seen.out[0]:
        return
    for window in itertools.product(range(1, WINDOW_LIMIT + 1), repeat=rank):
        if math.prod(window) * seen.sizes[1] != seen.out[1]:
            continue
        for stride, dilation, pad in itertools.product(range(1, 4), range(1, 3), range(3)):
            counts = [
                (n + 2 * pad - dilation * (k - 1) - 1) // stride + 1
                for n, k in zip(seen.sizes[2:], window, strict=True)
            ]
            if min(counts) >= 1 and math.prod(counts) == seen.out[2]:
                every: Any = [(k,) * rank for k in (stride, dilation, pad, pad)]
                yield _operator("unfold", window, *every), seen.x


_PROPOSALS = (
    _tile,
    _slice,
    _blocks,
    _padding,
    _slice_grad,
    _resample,
    _strided,
    _reverse,
    _unfold,
)
