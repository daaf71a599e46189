"""What a movement is the same as: operators, einops patterns, one line, the fewest calls.

Nothing is returned before it gives exactly the same: an operator is run, a line is read, and all
sources and constants are compared.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from dmlviz.base.addresses import write_link
from dmlviz.base.budget import Budget, Exhausted
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.code.address import code_parameters
from dmlviz.code.chain import Chain, read
from dmlviz.code.equal_operators import equal_operators_of_all
from dmlviz.code.forms import (
    LINE_LIBRARIES,
    Calls,
    CodeLine,
    LineLimit,
    Pattern,
    line_libraries,
    made,
    number_styles,
    written,
)
from dmlviz.code.indexed_operators import indexed_operators
from dmlviz.code.layout_text import layout_names
from dmlviz.code.layouts import LAYOUTS
from dmlviz.code.libraries import table_of
from dmlviz.code.maps import TRIAL, WORK_LIMIT, Map, search, spend_trial
from dmlviz.code.other_sizes import other_sizes
from dmlviz.code.reading import sources_of
from dmlviz.code.recognizing import ENOUGH, orders_of_blocks, recognized
from dmlviz.code.source import LAYOUT_TENSOR
from dmlviz.engines.trace import Trace, run
from dmlviz.operators import Operator
from dmlviz.states.links import link
from dmlviz.tensors.sizes import READ_LIMIT
from dmlviz.tensors.types import Sizes

NamedLine = tuple[str, str, CodeLine]
"""A kind, a library and the line."""

KINDS = ("call", "nothing", "operator", "pattern", "line", "layout", "chain")
"""The kinds of what is the same, in the order in which they are listed."""

PART_LIMIT = 8
"""The limit of calls of a chain whose parts are recognized."""


PARTS_WORK = 1_000_000
"""The limit of elements that the search for all parts of a chain looks at."""

SEARCH_WORK = 4 * WORK_LIMIT
"""The limit of elements that the search for all that is the same looks at."""

NAMES_WORK = 2 * SEARCH_WORK
"""The same for the names of all chains of a list."""

LINE_WORK = 300_000
"""The limit of elements that a search for a line looks at, unless it is of a large tensor.

Lines that are found take a fifth of it.
"""

READ_WORK = 1_000_000
"""The limit of elements of all lines that are read to find those that are a movement."""

LARGE_READINGS = 4
"""How many lines are read with the sizes of a movement, however many elements it has."""

DRAWN_LIMIT = 65_536
"""The limit of elements of an operator's page, and of a movement for which lines are only sought
with other sizes, where there are some."""

CALLS_LIMIT = 65_536
"""The limit of elements that code with other sizes takes, times its calls."""

SEARCHES = 16
"""How many times the search for a line may look at every element of a large tensor."""


@dataclass(frozen=True)
class Same:
    """Something that does exactly the same.

    Attributes:
        kind: ``call`` for an operator's own call in a library, ``nothing`` if every element
            stays, ``operator``, ``pattern`` of einops, ``line`` of a library, ``layout`` for the
            name of a layout in memory, or ``chain`` for lines with fewer calls than the code.
        text: the operator with its settings as in Python, or the code.
        link: an address, relative to the app's root, that opens it.
        library: of code, a key of :data:`dmlviz.code.libraries.LIBRARIES`.
        calls: how many calls and subscripts it has.
        any_indices: of an operator, whether it does the same with other indices of the code, too.
        any_sizes: whether it does the same with other sizes, too: it was tried with some; None if
            there are no others that the code accepts.
    """

    kind: str
    text: str
    link: str
    library: str = ""
    calls: int = 1
    any_indices: bool = False
    any_sizes: bool | None = None

    def __str__(self) -> str:
        return self.text


_SHORT = 20
"""The characters that a line may have that is longer than the code."""

_PATTERN = 60
"""The same for a pattern, and for a line with fewer calls than the code."""


def same_as(chain: Chain, work: Budget | None = None) -> tuple[Same, ...]:
    """What a chain with one output is the same as.

    What is the same with other sizes, too, comes first, and what is so with these sizes only, last;
    of lines that hold equally far, those that look like the code first.
    No line has more calls than the code moves elements, and none is longer than it, but for a
    pattern, a line with fewer calls, and a very short one.

    Args:
        chain: what the code describes; one with several inputs whose elements move can only be the
            same as an operator with indices.
        work: what the search is counted in, if it is that for several chains.
    """
    if len(chain.outputs) != 1:
        return ()
    work = work or search(most=SEARCH_WORK)
    others = chains_of_other_sizes(chain, work=work)
    indexed = [
        replace(same, any_indices=one.any_indices, any_sizes=one.any_sizes)
        for one in indexed_operators(chain, others, search(work))
        for same in _operator_same(one.trace)
    ]
    every = [*indexed, *_same_from_one(chain, others, work)]
    every.sort(key=lambda one: (*reach(one), _new_words(one, chain)))
    return tuple(one for one in every if not _is_longer(one, chain))


def _new_words(one: Same, chain: Chain) -> int:
    """For sorting: how many words of a line the code does not have; a name comes after lines."""
    if one.kind == "layout":
        return len(one.text)
    words = [{*re.findall(r"\w+", text)} for text in (one.text, chain.text)]
    return 0 if one.kind == "operator" else len(words[0] - words[1])


def reach(one: Same) -> tuple[bool, bool, bool]:
    """For sorting: what holds farther first, and operators whose settings have sizes last."""
    is_operator = one.kind == "operator"
    holds = one.any_sizes is True or one.any_indices
    return one.any_sizes is False, is_operator and not holds, not is_operator


def _limit_of(chain: Chain) -> LineLimit:
    """The limit of lines that are the same as code."""
    # np.rot90 is one call and two moves
    moves = sum(max(1, len(operation.nodes)) for operation in chain.operations)
    return LineLimit(moves, max(2 * len(chain.text), _PATTERN), line_libraries(chain.library))


def _is_longer(one: Same, chain: Chain) -> bool:
    """Whether it explains nothing, because the code is shorter, or is the same name."""
    if one.kind in ("operator", "nothing"):
        return False
    if one.kind == "layout":
        return one.text == chain.text.strip()
    if one.calls > _limit_of(chain).calls:
        return True
    fewer = one.kind == "pattern" or one.calls < len(chain.operations)
    most = 2 * len(chain.text) if fewer else len(chain.text.strip())
    # a table of the code's own indices says nothing new
    short = 0 if chain.arrays else _SHORT
    return len(one.text) > max(most, _PATTERN if fewer else short)


def same_names(chains: Sequence[Chain]) -> dict[int, str]:
    """What names chains in a list: the first that each is the same as, by the chain's place.

    What is the same only by chance of the sizes is no name. The search ends with its work, so that
    the names are the same on every machine.
    """
    work, names = search(most=NAMES_WORK), dict[int, str]()
    for place, chain in enumerate(chains):
        if work.left["comparisons"] < 0:
            break
        held = (one.text for one in same_as(chain, work) if one.any_sizes is not False)
        if (name := next(held, None)) is not None:
            names[place] = name
    return names


def chains_of_other_sizes(*chains: Chain, work: Budget) -> tuple[Any, ...]:
    """Code read with other sizes that it accepts, its indices and masks as they are.

    Args:
        chains: code on the same tensors, of one output each.
        work: what the readings are counted in.

    Returns:
        For each set of sizes, the chain; of several chains, all of them.
    """
    first = chains[0]
    arrays = {name: array for chain in chains for name, array in chain.arrays.items()}
    free = {name: of for name, of in first.inputs.items() if name not in arrays}
    if not free or any(chain.computing for chain in chains):
        return ()

    def at(sizes: dict[str, Sizes]) -> Any:
        elements = sum(math.prod(of) for of in sizes.values())
        with suppress(Exhausted):
            spend_trial(work, calls * min(elements, DRAWN_LIMIT))
            again = tuple(_again(chain, sizes) for chain in chains)
            if None not in again:
                return again if len(again) > 1 else again[0]
        return None

    calls = sum(len(chain.operations) for chain in chains)
    text = "\n".join(chain.text for chain in chains)
    return other_sizes(free, at, text, limit=CALLS_LIMIT // max(1, calls))


def _again(chain: Chain, sizes: dict[str, Sizes]) -> Chain | None:
    """The same code with other sizes; None if it refuses them, or if nothing is left."""
    shapes = {name: array.shape for name, array in chain.arrays.items()} | sizes
    ordered = {name: shapes[name] for name in chain.order}
    try:
        again = read(
            chain.text, ordered, chain.arrays, chain.library, chain.data_type, chain.numbers
        )
    except Error:
        return None
    (output,) = again.outputs.values()
    takes_them = dict(again.inputs) == {name: shapes[name] for name in chain.inputs}
    return again if takes_them and (again.maps[output] >= 0).any() else None


def _same_from_one(chain: Chain, others: Sequence[Chain], work: Budget) -> list[Same]:
    """What a chain with one input is the same as, apart from its indices."""
    movement = movement_of(chain, work)
    if movement is None:
        return []
    elsewhere = [movement_of(other, work) for other in others]
    moved = [other for other in elsewhere if other is not None]
    ((name, _sizes),) = chain.inputs.items()
    whole = list(same_movement(movement, name, moved, limit=_limit_of(chain)))
    held = [one.calls for one in whole if one.any_sizes is not False]
    fewest = min(held, default=len(chain.operations))
    if fewest > ENOUGH:
        every_chain = (shortest(start, (chain, *others), work) for start in (*others[:1], chain))
        lines = next((one for one in every_chain if one is not None), None)
        if lines is None and others and not any(one.kind != "operator" for one in whole):
            lines = shortest(chain, (chain,), work)
            lines = lines and replace(lines, any_sizes=False)
        if lines is not None and lines.calls < fewest:
            whole.append(lines)
    return whole


def movement_of(chain: Chain, work: Budget | None = None) -> Map | None:
    """A chain from one input to one output as a movement.

    Args:
        chain: what the code describes.
        work: what the search for its calls is a share of.

    Returns:
        None if it has several inputs or outputs, or a constant that is no number.
    """
    if len(chain.inputs) != 1 or len(chain.outputs) != 1:
        return None
    (sizes,), (output,) = chain.inputs.values(), chain.outputs.values()
    valued = chain.valued(chain.maps[output])
    shapes = tuple(dict.fromkeys(chain.sizes[tensor] for tensor in chain.tensors))
    return None if valued is None else Map(sizes, *valued, shapes, search(work))


def same_as_run(trace: Trace) -> tuple[Same, ...]:
    """What an operator's run with one output is the same as, the operator itself left out.

    What holds farther comes first, as in :func:`same_as`; no line has more than two calls.

    Args:
        trace: a run; its inputs of indices are constants here. One with several inputs whose
            elements move is the same as nothing, nor is one whose values say where they move.
    """
    movement, operator = _map_of_run(trace), trace.operator
    if movement is None:
        return ()

    def at(sizes: dict[str, Sizes]) -> Map | None:
        count = math.prod(sizes["x"])
        x = np.arange(1, count + 1, dtype=np.float32).reshape(sizes["x"])
        with suppress(Error):
            return _map_of_run(run(operator, x, trace.engine))
        return None

    alone = isinstance(operator, Operator) and len(trace.inputs) == 1
    others = other_sizes({"x": movement.sizes}, at) if alone else ()
    itself = f"{type(operator).__name__}("
    # more calls than a few are longer than the operator's own
    every = sorted(same_movement(movement, "x", others, limit=LineLimit(ENOUGH)), key=reach)
    return tuple(one for one in every if not one.text.startswith(itself))


def _map_of_run(trace: Trace) -> Map | None:
    """The movement of a run from one tensor to one; None if it is none."""
    movement = trace.movement
    # an operator that names indices finds them in the values
    by_values = bool(trace.operator.index_slots())
    if by_values or len(movement.inputs) != 1 or len(movement.outputs) != 1:
        return None
    (sizes,), (output,) = movement.inputs.values(), movement.outputs.values()
    source, values = output.source, tuple[Any, ...]()
    if output.constants is not None and (source < 0).any():
        numbers, places = np.unique(output.constants[source < 0], return_inverse=True)
        if not np.isfinite(numbers.astype(np.float64)).all():
            return None
        values = tuple(n if n != int(n) else int(n) for n in numbers.tolist())
        source = source.copy()
        source[source < 0] = -1 - places.ravel()
    return Map(sizes, source, values)


def same_movement(
    movement: Map,
    name: str = "x",
    others: Sequence[Map] = (),
    *,
    alone: bool = False,
    limit: LineLimit | None = None,
) -> Iterator[Same]:
    """What a movement from one tensor is the same as.

    Args:
        movement: the movement.
        name: of the tensor, in code.
        others: the same with other sizes; a line that is not all of them is only given where no
            line is.
        alone: whether to leave out operators that take other tensors, lengths or memory, and
            names that are no line.
        limit: of a line; None for none.
    """
    tried = True if others else None
    if movement.stays and all(other.stays for other in others):
        address = line_address(name, {name: movement.sizes}, "numpy")
        yield Same("nothing", name, address, "numpy", 0, any_sizes=tried)
        return
    search = _LineSearch(movement, name, others, limit)
    called, calls = search.called(), search.lines()
    lines = [(*one, tried) for one in (*called, *calls)]
    if not lines:
        lines = [(*one, False) for one in search.lines_of_these_sizes()]
    tried_with = others or _of_pattern(movement, name, calls)
    with suppress(Exhausted):
        for trace, held in equal_operators_of_all(movement, tried_with):
            any_sizes = held if others else None
            if alone and [x.shape for x in trace.inputs.values()] != [movement.sizes]:
                continue
            yield from (replace(same, any_sizes=any_sizes) for same in _operator_same(trace))
    for kind, library, line, any_sizes in lines:
        address = line_address(line.text, {name: movement.sizes}, library)
        yield Same(kind, line.text, address, library, line.calls, any_sizes=any_sizes)
    if not alone:
        yield from _layouts(movement, others)


def _layouts(movement: Map, others: Sequence[Map]) -> Iterator[Same]:
    """The names of layouts in memory that a movement is."""
    if _is_large(movement):
        return
    key, name = LAYOUTS.key, LAYOUT_TENSOR
    with suppress(Exhausted):
        for text in layout_names(movement.sizes, movement.source):
            spend_trial(movement.work, movement.source.size)
            if not _gives(text, movement, key, name):
                continue
            held = all(_gives(text, other, key, name) for other in others)
            address = line_address(text, {name: movement.sizes}, key)
            yield Same("layout", text, address, key, any_sizes=held if others else None)


def _of_pattern(movement: Map, name: str, lines: Sequence[NamedLine]) -> tuple[Map, ...]:
    """What a pattern does with other sizes, if it is a movement for which there are none.

    An operator that is the movement, but not what the pattern says, is so by chance of the sizes.
    """
    if _is_large(movement):
        return ()
    text = next((line.text for kind, _library, line in lines if kind == "pattern"), None)
    if text is None:
        return ()
    chain = read(text, {name: movement.sizes}, library="einops")
    others = chains_of_other_sizes(chain, work=search(movement.work.whole))
    moved = [movement_of(other, movement.work.whole) for other in others]
    return tuple(one for one in moved if one is not None)


def _operator_same(trace: Trace) -> Iterator[Same]:
    """The operator of a run; nothing if the tensors fit in no address.

    One tensor that is larger than what a page takes has none, and no link.
    """
    if len(trace.inputs) == 1 and trace.x.size > DRAWN_LIMIT:
        yield Same("operator", _python(trace.operator), "")
        return
    with suppress(Error):
        yield Same("operator", _python(trace.operator), link(trace))


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


class _LineSearch:
    """A search for lines that are a movement and, where there are others, all of them.

    It begins with the others: their sizes are prime and different, so that less looks alike.
    """

    def __init__(
        self, movement: Map, name: str, others: Sequence[Map], limit: LineLimit | None
    ) -> None:
        self.name, self.others, self.limit = name, others, limit
        # a search without a result leaves nothing of its work for the operators
        self.movement = movement
        # the others are alike: one of them is enough to begin with
        every = others[:1] if others and _is_large(movement) else (*others[:1], movement)
        self.starts = [replace(one, work=self._work_of(one)) for one in every]
        self.work = search(movement.work.whole, READ_WORK)
        self.only: dict[str, tuple[Calls, CodeLine]] = {}

    def _work_of(self, start: Map) -> Budget:
        most = max(LINE_WORK, SEARCHES * start.source.size)
        return search(self.movement.work.whole, most)

    def called(self) -> list[NamedLine]:
        """The call of PyTorch with a name of its own."""
        with suppress(Exhausted):
            for start in self.starts if not _is_large(self.movement) else ():
                for text in _calls_of_torch(start, self.name):
                    if self._gives(text, "torch", (self.movement, *self.others)):
                        return [("line", "torch", CodeLine(text, 1))]
        return []

    def lines(self) -> list[NamedLine]:
        """The first calls that are all movements, in each library.

        Those that are only the movement are kept.
        """
        for propose in (recognized, orders_of_blocks):
            lines = self._first_of(propose)
            if lines or self.only:
                return lines
            # a search that spends its work leaves nothing of it for the other
            self.starts = [replace(one, work=self._work_of(one)) for one in self.starts]
        return []

    def _first_of(self, propose: Callable[[Map, float], Iterator[Calls]]) -> list[NamedLine]:
        most = math.inf if self.limit is None else self.limit.calls
        with suppress(Exhausted):
            for start in self.starts:
                for calls in propose(start, most):
                    lines = list[tuple[str, CodeLine]]()
                    for library in self.limit.libraries if self.limit else LINE_LIBRARIES:
                        line = self._line(calls, start, library, lines)
                        lines += [] if line is None else [line]
                    if lines:
                        return _named_lines(calls, lines)
                    if start is self.starts[-1] and self.only:
                        break
        return []

    def lines_of_these_sizes(self) -> list[NamedLine]:
        """The lines that are only the movement, after a search that found none."""
        if not self.only:
            return []
        calls = next(iter(self.only.values()))[0]
        return _named_lines(calls, [(library, line) for library, (_c, line) in self.only.items()])

    def _line(
        self, calls: Calls, start: Map, library: str, others: Sequence[tuple[str, CodeLine]]
    ) -> tuple[str, CodeLine] | None:
        """Calls in a library, written so that they are all movements.

        What is found in another library in the same words is not read again: it is listed once.
        """
        large = _is_large(self.movement)
        if large and not self.others and not self.movement.has_constants:
            line = written(calls, start.sizes, library, self.name)
            return (library, line) if line and is_made_by(calls, self.movement) else None
        texts = set[str]()
        for style in number_styles(calls):
            line = written(calls, start.sizes, library, self.name, style)
            if line is None or line.text in texts or (self.limit and not self.limit.allows(line)):
                continue
            texts.add(line.text)
            if any(line.text == other.text for _library, other in others):
                return library, line
            if large and not self._gives(line.text, library, self.others):
                # what is small is read first
                continue
            if not self._gives(line.text, library, (self.movement,)):
                continue
            if large or self._gives(line.text, library, self.others):
                return library, line
            if start is self.starts[-1]:
                self.only.setdefault(library, (calls, line))
        return None

    def _gives(self, text: str, library: str, movements: Sequence[Map]) -> bool:
        for movement in movements:
            spend_trial(self.work, min(movement.source.size, READ_WORK // LARGE_READINGS - TRIAL))
            if not _gives(text, movement, library, self.name):
                return False
        return True


def _named_lines(calls: Calls, lines: Sequence[tuple[str, CodeLine]]) -> list[NamedLine]:
    """Lines with their kinds: one if both libraries write it alike."""
    line = lines[0][1]
    if len(calls) == 1 and isinstance(calls[0], Pattern) and "'" in line.text:
        return [("pattern", "einops", line)]
    if len({line.text for _library, line in lines}) == 1:
        lines = lines[:1]
    return [("line", library, line) for library, line in lines]


def _is_large(movement: Map) -> bool:
    """Whether a movement has more elements than are looked at again and again."""
    return max(math.prod(movement.sizes), movement.source.size) > DRAWN_LIMIT


def is_made_by(calls: Calls, movement: Map) -> bool:
    """Whether calls are a movement without constants, by NumPy."""
    if movement.has_constants:
        return False
    numbers = np.arange(math.prod(movement.sizes)).reshape(movement.sizes)
    return movement.is_made(made(calls, [numbers]))


def _gives(text: str, movement: Map, library: str, name: str) -> bool:
    """Whether code is exactly the movement."""
    made = sources_of(text, name, movement.sizes, library)
    return made is not None and movement.is_made(*made)


def line_address(text: str, sizes: Mapping[str, Sizes], library: str) -> str:
    """The address of a line; empty if its tensors are larger than what a page takes."""
    if sum(map(math.prod, sizes.values())) > READ_LIMIT:
        return ""
    return write_link("code", code_parameters(text, library, sizes))


# ---- the fewest calls


@dataclass(frozen=True)
class _Part:
    """A part of a chain as lines, from a tensor on."""

    first: int
    calls: int
    text: str


def shortest(chain: Chain, every: Sequence[Chain] = (), work: Budget | None = None) -> Same | None:
    """Lines with fewer calls than the code: its parts are recognized, and the best are chosen.

    Args:
        chain: from one input to one output.
        every: the code with the sizes with which the lines must be the same, those of the link
            first; the chain alone if it is empty.
        work: what the search is a share of.

    Returns:
        The lines, in the code's library; None if there are none with fewer calls.
    """
    every = every or (chain,)
    lines = _fewest(chain, search(work, PARTS_WORK))
    if lines is None:
        return None
    text, calls = lines
    library = _library(chain)
    ((name, sizes),) = every[0].inputs.items()
    for one in every:
        movement = movement_of(one)
        if movement is None or not _gives(text, movement, library, name):
            return None
    any_sizes = True if len(every) > 1 else None
    address = line_address(text, {name: sizes}, library)
    return Same("chain", text, address, library, calls, any_sizes=any_sizes)


def _library(chain: Chain) -> str:
    return chain.library if table_of(chain.library).line_module else "numpy"


def _fewest(chain: Chain, work: Budget) -> tuple[str, int] | None:
    """The text of the fewest calls, and how many there are; None if they are no fewer."""
    tensors = _passed(chain)
    count = len(tensors) - 1
    if not 2 <= count <= PART_LIMIT:
        return None
    (name,) = chain.inputs
    shapes = tuple(dict.fromkeys(chain.sizes[tensor] for tensor in tensors))
    best: list[_Part | None] = [_Part(0, 0, "")]
    costs: list[float] = [0]
    for j in range(1, count + 1):
        best.append(None)
        costs.append(math.inf)
        for i in range(j):
            # every part that moves something has a call
            if costs[i] + 1 > costs[j]:
                continue
            line = _part(chain, tensors[i], tensors[j], name, shapes if j - i > 1 else (), work)
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
    return "\n".join(lines[::-1]) or name, int(costs[count])


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
    chain: Chain, first: str, last: str, name: str, shapes: tuple[Sizes, ...], work: Budget
) -> CodeLine | None:
    """The calls from one tensor to another in a line."""
    numbers = chain.numbers_between(first, last)
    valued = None if numbers is None else chain.valued(numbers)
    if valued is None:
        return None
    library = _library(chain)
    movement = Map(chain.sizes[first], *valued, shapes, work)
    for calls in recognized(movement):
        line = written(calls, movement.sizes, library, name)
        if line is not None and _gives(line.text, movement, library, name):
            return line
    return None
