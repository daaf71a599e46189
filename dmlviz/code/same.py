"""What a movement is the same as: operators, einops patterns, one line, the fewest calls.

Nothing is returned before it gives exactly the same: an operator is run, a line is read, and all
sources and constants are compared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.base.addresses import write_link
from dmlviz.base.errors import Error
from dmlviz.code.address import code_parameters
from dmlviz.code.chain import Chain, read
from dmlviz.code.equal_operators import equal_operators
from dmlviz.code.forms import Calls, CodeLine, Pattern, written
from dmlviz.code.maps import Map, Work
from dmlviz.code.recognizing import ENOUGH, recognized
from dmlviz.code.refusals import CodeRefused
from dmlviz.engines.trace import Trace, run
from dmlviz.operators import Operator, operator_class
from dmlviz.states.links import link
from dmlviz.tensors.types import Array, Sizes

KINDS = ("call", "nothing", "operator", "pattern", "line", "chain")
"""The kinds of what is the same, in the order in which they are listed."""

PART_LIMIT = 8
"""The limit of calls of a chain whose parts are recognized."""


PARTS_WORK = 1_000_000
"""The limit of elements that the search for all parts of a chain looks at."""

_INPUT, _INDICES, _UPDATES = "InputTensor", "IndicesTensor", "UpdatesTensor"


@dataclass(frozen=True)
class Same:
    """Something that does exactly the same.

    Attributes:
        kind: ``call`` for an operator's own call in a library, ``nothing`` if every element
            stays, ``operator``, ``pattern`` of einops, ``line`` of a library, or ``chain`` for
            lines with fewer calls than the code.
        text: the operator with its settings as in Python, or the code.
        link: an address, relative to the app's root, that opens it.
        library: of code, a key of :data:`dmlviz.code.libraries.LIBRARIES`.
        calls: how many calls and subscripts it has.
        any_indices: of an operator, whether it does the same with other indices of the code, too.
    """

    kind: str
    text: str
    link: str
    library: str = ""
    calls: int = 1
    any_indices: bool = False


_SHORT = 60
"""The characters that a line may always have."""


def same_as(chain: Chain) -> tuple[Same, ...]:
    """What a chain with one output is the same as, the shortest of each kind first.

    Args:
        chain: what the code describes; one with several inputs whose elements move can only be the
            same as an operator with indices.
    """
    if len(chain.outputs) != 1:
        return ()
    indexed = tuple(
        Same("operator", _python(trace.operator), link(trace), any_indices=every)
        for trace, every in indexed_operators(chain)
    )
    every = (*indexed, *_same_from_one(chain))
    # what is longer by far explains nothing
    most = max(2 * len(chain.text), _SHORT)
    short = tuple(one for one in every if one.kind == "operator" or len(one.text) <= most)
    return short or every


def _same_from_one(chain: Chain) -> tuple[Same, ...]:
    """What a chain with one input is the same as, apart from its indices."""
    if len(chain.inputs) != 1:
        return ()
    ((name, sizes),) = chain.inputs.items()
    (output,) = chain.outputs.values()
    valued = chain.valued(chain.maps[output])
    if valued is None:
        return ()
    shapes = tuple(dict.fromkeys(chain.sizes[tensor] for tensor in chain.tensors))
    whole = [*same_movement(Map(sizes, *valued), name, shapes)]
    fewest = min((one.calls for one in whole), default=len(chain.operations))
    if fewest > ENOUGH:
        shorter = shortest(chain)
        if shorter is not None and shorter.calls < fewest:
            whole.append(shorter)
    return tuple(whole)


def same_as_run(trace: Trace) -> tuple[Same, ...]:
    """What an operator's run with one output is the same as, the operator itself left out.

    Args:
        trace: a run; its inputs of indices are constants here. One with several inputs whose
            elements move is the same as nothing, nor is one whose values say where they move.
    """
    movement = trace.movement
    # an operator that names indices finds them in the values
    by_values = bool(trace.operator.index_slots())
    if by_values or len(movement.inputs) != 1 or len(movement.outputs) != 1:
        return ()
    (sizes,), (output,) = movement.inputs.values(), movement.outputs.values()
    source, values = output.source, tuple[Any, ...]()
    if output.constants is not None and (source < 0).any():
        numbers, places = np.unique(output.constants[source < 0], return_inverse=True)
        if not np.isfinite(numbers.astype(np.float64)).all():
            return ()
        values = tuple(n if n != int(n) else int(n) for n in numbers.tolist())
        source = source.copy()
        source[source < 0] = -1 - places.ravel()
    itself = f"{type(trace.operator).__name__}("
    every = same_movement(Map(sizes, source, values))
    return tuple(one for one in every if not one.text.startswith(itself))


def same_movement(movement: Map, name: str = "x", shapes: Sequence[Sizes] = ()) -> Iterator[Same]:
    """What a movement from one tensor is the same as.

    Args:
        movement: the movement.
        name: of the tensor, in code.
        shapes: sizes that it may go through.
    """
    if movement.stays:
        yield Same("nothing", name, _address(name, name, movement.sizes, "numpy"), "numpy", 0)
        return
    for trace in equal_operators(movement):
        yield Same("operator", _python(trace.operator), link(trace))
    for text in _calls_of_torch(movement, name):
        if _gives(text, movement, "torch", name):
            yield Same("line", text, _address(text, name, movement.sizes, "torch"), "torch")
            break
    for calls in recognized(movement, shapes):
        lines = [
            (library, line)
            for library in ("numpy", "torch")
            if (line := _line(movement, calls, library, name)) is not None
        ]
        if len({line.text for _library, line in lines}) == 1:
            del lines[1:]
        for library, line in lines:
            if _is_pattern(calls, line):
                address = _address(line.text, name, movement.sizes, "einops")
                yield Same("pattern", line.text, address, "einops", line.calls)
                break
            address = _address(line.text, name, movement.sizes, library)
            yield Same("line", line.text, address, library, line.calls)
        if lines:
            return


def _python(operator: Operator) -> str:
    """The operator in Python, without the settings that are left open."""
    settings = {
        name: getattr(operator, name)
        for name, setting in operator.declared.items()
        if not setting.tensor or not setting.left_open(getattr(operator, name))
    }
    arguments = ", ".join(f"{name}={value!r}" for name, value in settings.items())
    return f"{type(operator).__name__}({arguments})"


def _calls_of_torch(movement: Map, name: str) -> Iterator[str]:
    """Calls of PyTorch with a name of their own, whose sizes fit."""
    sizes, out = movement.sizes, movement.source.shape
    if not 3 <= len(sizes) == len(out) or movement.has_constants:
        return
    if out[-1] > sizes[-1] and out[-1] % sizes[-1] == 0:
        yield f"F.pixel_shuffle({name}, {out[-1] // sizes[-1]})"
    if out[-1] < sizes[-1] and sizes[-1] % out[-1] == 0:
        yield f"F.pixel_unshuffle({name}, {sizes[-1] // out[-1]})"
    if out == sizes:
        channels = sizes[1]
        for groups in range(2, channels):
            if channels % groups == 0:
                yield f"nn.ChannelShuffle({groups})({name})"


def _is_pattern(calls: Calls, line: CodeLine) -> bool:
    return len(calls) == 1 and isinstance(calls[0], Pattern) and "'" in line.text


def _line(movement: Map, calls: Calls, library: str, name: str) -> CodeLine | None:
    """The calls in a library, if it gives exactly the movement."""
    line = written(calls, movement.sizes, library, name)
    return line if line is not None and _gives(line.text, movement, library, name) else None


def _gives(text: str, movement: Map, library: str, name: str) -> bool:
    """Whether code is exactly the movement."""
    try:
        chain = read(text, {name: movement.sizes}, library=library)
    except CodeRefused:
        return False
    (output,) = chain.outputs.values()
    valued = chain.valued(chain.maps[output])
    return valued is not None and _is_movement(movement, *valued)


def _is_movement(movement: Map, source: Array, values: tuple[Any, ...]) -> bool:
    """Whether sources and constants are those of a movement."""
    due = movement.source
    if source.shape != due.shape or not np.array_equal(np.maximum(source, -1), np.maximum(due, -1)):
        return False
    pairs = np.unique(np.stack([source[source < 0], due[due < 0]]), axis=1).T
    return all(values[-1 - one] == movement.value(two) for one, two in pairs.tolist())


def _address(text: str, name: str, sizes: Sizes, library: str) -> str:
    return write_link("code", code_parameters(text, library, {name: sizes}))


# ---- the fewest calls


@dataclass(frozen=True)
class _Part:
    """A part of a chain as lines, from a tensor on."""

    first: int
    calls: int
    text: str


def shortest(chain: Chain) -> Same | None:
    """Lines with fewer calls than the code: its parts are recognized, and the best are chosen.

    Args:
        chain: from one input to one output.

    Returns:
        The lines, in the code's library; None if there are none with fewer calls.
    """
    tensors = _passed(chain)
    count = len(tensors) - 1
    if not 2 <= count <= PART_LIMIT:
        return None
    library = "torch" if chain.library == "torch" else "numpy"
    ((name, sizes),) = chain.inputs.items()
    shapes = tuple(dict.fromkeys(chain.sizes[tensor] for tensor in tensors))
    work = Work(PARTS_WORK)
    best: list[_Part | None] = [_Part(0, 0, "")]
    costs: list[float] = [0]
    for j in range(1, count + 1):
        best.append(None)
        costs.append(math.inf)
        for i in range(j):
            # every part that moves something has a call
            if costs[i] + 1 > costs[j]:
                continue
            line = _part(
                chain, tensors[i], tensors[j], library, name, shapes if j - i > 1 else (), work
            )
            if line is not None and costs[i] + line.calls < costs[j]:
                costs[j] = costs[i] + line.calls
                best[j] = _Part(i, line.calls, line.text)
    if costs[count] >= len(chain.operations):
        return None
    lines: list[str] = []
    j = count
    while j:
        part = best[j]
        assert part is not None
        if part.calls:
            lines.append(f"{name} = {part.text}")
        j = part.first
    text = "\n".join(lines[::-1]) or name
    again = read(text, {name: sizes}, library=library)
    movement = Map(sizes, *_valued(chain, next(iter(chain.outputs.values()))))
    (output,) = again.outputs.values()
    if not _is_movement(movement, *_valued(again, output)):
        return None
    address = _address(text, name, sizes, library)
    return Same("chain", text, address, library, int(costs[count]))


def _valued(chain: Chain, tensor: str) -> tuple[Array, tuple[Any, ...]]:
    valued = chain.valued(chain.maps[tensor])
    assert valued is not None
    return valued


def _passed(chain: Chain) -> list[str]:
    """The tensors that every element passes on its way, from the input to the output."""
    (name,) = chain.inputs
    (output,) = chain.outputs.values()
    passed = [name]
    for tensor in chain.tensors:
        if tensor == output or chain.numbers_between(tensor, output) is not None:
            passed.append(tensor)
        if tensor == output:
            return passed
    return passed if output in passed else []


def _part(
    chain: Chain,
    first: str,
    last: str,
    library: str,
    name: str,
    shapes: Sequence[Sizes],
    work: Work,
) -> CodeLine | None:
    """The calls from one tensor to another in a line."""
    numbers = chain.numbers_between(first, last)
    valued = None if numbers is None else chain.valued(numbers)
    if valued is None:
        return None
    movement = Map(chain.sizes[first], *valued, work)
    for calls in recognized(movement, shapes):
        line = _line(movement, calls, library, name)
        if line is not None:
            return line
    return None


def indexed_operators(chain: Chain) -> Iterator[tuple[Trace, bool]]:
    """Runs of operators whose outputs are the code's, up to leading dimensions of size 1.

    Args:
        chain: code with one output, one tensor of indices, and one tensor of values or two.

    Yields:
        A run, and whether the operator does the same with other indices, too.
    """
    if len(chain.controls) != 1 or chain.arrays.keys() != chain.controls.keys():
        return
    ((name, indices),) = chain.controls.items()
    (output,) = chain.outputs.values()
    if chain.computing or indices.dtype.kind not in "iu" or not 1 <= len(chain.inputs) <= 2:
        return
    if not indices.ndim or (chain.maps[output] < 0).any():
        return
    counted = _counted(chain.inputs)
    for operator, order, of_indices in _proposals(chain, indices):
        values = [counted[one] for one in order]
        trace = _equal_run(operator, values, indices, of_indices, chain)
        if trace is not None:
            others = (_with_indices(chain, name, other) for other in _others(chain, indices))
            every = (
                _equal_run(operator, values, other, of_indices, again)
                for other, again in others
                if again is not None
            )
            yield trace, None not in every


def _counted(inputs: Mapping[str, Sizes]) -> dict[str, Array]:
    """A tensor for each input, counted on from 1 through all of them; FLOAT32."""
    counted, start = {}, 1
    for name, sizes in inputs.items():
        count = math.prod(sizes)
        counted[name] = np.arange(start, start + count, dtype=np.float32).reshape(sizes)
        start += count
    return counted


def _proposals(chain: Chain, indices: Array) -> Iterator[tuple[Operator, tuple[str, ...], Sizes]]:
    """Operators, the code's names of their tensors of values, and the sizes of their indices."""
    names, sizes, rank = (*chain.inputs,), (*chain.inputs.values(),), indices.ndim
    if len(names) == 1:
        (of,) = sizes
        # the operator's tensors have equally many dimensions: x has more leading ones
        leading = _rank(chain, rank) - len(of)
        for axis in range(len(of)):
            yield _operator("gather", leading + axis, rank), names, indices.shape
        for axis in range(len(of)) if rank == len(of) else ():
            yield _operator("gather-elements", axis), names, indices.shape
        for batch in range(min(rank, len(of))):
            yield _operator("gather-nd", len(of), rank, batch), names, indices.shape
        return
    for order, of in ((names, sizes[0]), (names[::-1], sizes[1])):
        for axis in range(len(of)) if rank == len(of) else ():
            yield _operator("scatter", axis), order, indices.shape
        yield _operator("scatter-nd", len(of), rank), order, indices.shape
        # x[i] = u has an index for each slice: a tuple of one
        yield _operator("scatter-nd", len(of), rank + 1), order, (*indices.shape, 1)


def _operator(key: str, *settings: int) -> Operator:
    cls = operator_class(key)
    return cls(*settings)


def _equal_run(
    operator: Operator, values: list[Array], indices: Array, of_indices: Sizes, chain: Chain
) -> Trace | None:
    """The operator's run, if its output is the code's."""
    tensors = [values[0], indices.reshape(of_indices), *values[1:]]
    rank = _rank(chain, *(tensor.ndim for tensor in tensors))
    if rank > 8:
        return None
    ranked = [x.reshape((1,) * (rank - x.ndim) + x.shape) for x in tensors]
    inputs = dict(zip((_INPUT, _INDICES, _UPDATES), ranked, strict=False))
    try:
        trace = run(operator, inputs, "numpy")
    except Error:
        return None
    (output,) = chain.outputs.values()
    # elements are counted from 1, their sources from 0
    due = chain.maps[output] + 1
    same = _short(due.shape) == _short(trace.output.shape)
    if not trace.agrees or not same or not np.array_equal(trace.output.ravel(), due.ravel()):
        return None
    return trace


def _rank(chain: Chain, *others: int) -> int:
    """The most dimensions of a tensor of the code."""
    (output,) = chain.outputs.values()
    return max(chain.maps[output].ndim, *map(len, chain.inputs.values()), *others)


def _short(sizes: Sizes) -> Sizes:
    """Sizes without the leading ones."""
    return sizes[next((d for d, n in enumerate(sizes) if n > 1), len(sizes)) :]


def _others(chain: Chain, indices: Array) -> Iterator[Array]:
    """Other indices that the code may take: the same ones elsewhere, and others where it reads."""
    yield from (np.flip(indices, axis) for axis in range(indices.ndim))
    if len(chain.inputs) == 1:
        yield np.zeros_like(indices)
        yield np.abs(indices.astype(np.int64) - 1).astype(indices.dtype)


def _with_indices(chain: Chain, name: str, indices: Array) -> tuple[Array, Chain | None]:
    """Other indices and the code with them; None if it refuses them."""
    sizes = {**chain.inputs, name: indices.shape}
    try:
        again = read(chain.text, sizes, {name: indices}, chain.library, chain.data_type)
    except Error:
        return indices, None
    (output,) = again.outputs.values()
    return indices, None if (again.maps[output] < 0).any() else again
