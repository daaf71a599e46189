"""Where an output element comes from, as arithmetic and in words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.movement.expressions import NO_TABLES, Expr, Tables, names_of
from dmlviz.tensors.numbering import print_element

POSITION = "position"
"""What begins the name of a table that says where an index tensor has a number; -1 is nowhere."""


def position_axis(table: str) -> int:
    """The dimension of the index tensor along which a table has positions.

    >>> position_axis("position(idx)"), position_axis("position(idx, 1)")
    (0, 1)
    """
    return int(table.rstrip(")").partition(", ")[2] or 0)


@dataclass(frozen=True)
class Range:
    """Where a formula holds: for values from ``start`` to ``stop - 1``.

    Attributes:
        value: an expression over the output indices, such as one of them.
        start, stop: the first value, and the number after the last one.
    """

    value: Expr
    start: int
    stop: int


@dataclass(frozen=True)
class Condition:
    """That a value is in bounds.

    Attributes:
        value: an expression over the output indices.
        low, high: the smallest and the largest number that it may be; None without this bound.
    """

    value: Expr
    low: int | None
    high: int | None

    @property
    def plain(self) -> Condition:
        """The same of a value to which no number is added: ``h < 1`` for ``h − 1 < 0``."""
        if self.value.op not in ("add", "sub"):
            return self
        value, other = self.value.args
        if not isinstance(value, Expr) or not isinstance(other, Expr) or other.op != "const":
            return self
        by = int(other.args[0]) * (1 if self.value.op == "add" else -1)  # type: ignore[arg-type]
        low, high = (None if n is None else n - by for n in (self.low, self.high))
        return Condition(value, low, high).plain

    def renamed(self, tensors: Mapping[str, str]) -> Condition:
        """The same with other names for the tables."""
        return Condition(self.value.renamed(tensors), self.low, self.high)

    @property
    def opposite(self) -> Condition:
        """That the value is beyond the only bound."""
        if self.high is None:
            assert self.low is not None
            return Condition(self.value, None, self.low - 1)
        return Condition(self.value, self.high + 1, None)

    def on(self, indices: Sequence[Any], tables: Tables) -> Any:
        """Whether it holds for each output element, as :meth:`Expr.on`."""
        value = self.value.on(indices, tables)
        low = True if self.low is None else value >= self.low
        return low & (True if self.high is None else value <= self.high)

    def show(self, names: Sequence[str]) -> str:
        """It as Python says it, with the letters of the output's dimensions.

        >>> from dmlviz.movement.expressions import index
        >>> [Condition(index(0), low, 3).show("h") for low in (None, 1, 3)]
        ['h < 4', '1 <= h <= 3', 'h == 3']
        """
        text = self.value.show(names)
        text = f"({text})" if self.value.op in ("below", "same") else text
        if self.low == self.high:
            return f"{text} == {self.low}"
        if self.low is None:
            assert self.high is not None
            return f"{text} < {self.high + 1}"
        return (
            f"{text} >= {self.low}" if self.high is None else f"{self.low} <= {text} <= {self.high}"
        )


@dataclass(frozen=True)
class ConstantPart:
    """Output elements that are constants.

    Attributes:
        values: the constant; several, of which ``at`` chooses; none if they are too many to write.
        at: the place in a list of several, as an expression over the output indices.
        ways: conditions, of which all of at least one group hold.
    """

    values: tuple[str, ...]
    at: Expr | None
    ways: tuple[tuple[Condition, ...], ...]

    def renamed(self, tensors: Mapping[str, str]) -> ConstantPart:
        """The same with other names for the tables."""
        ways = (tuple(each.renamed(tensors) for each in way) for way in self.ways)
        return ConstantPart(self.values, self.at, tuple(ways))

    def show(self, names: Sequence[str]) -> str:
        """What stands before the rest of a formula: ``0 if h < 1 else ``."""
        text = self.values[0] if self.values else constant_words()
        if self.at is not None:
            text = f"[{', '.join(self.values)}][{self.at.show(names)}]"
        ways = (" and ".join(each.show(names) for each in way) for way in self.ways)
        return f"{text} if {' or '.join(ways)} else "

    def holds(self, index: Sequence[int], tables: Tables) -> bool:
        """Whether the output element at ``index`` is one of them."""
        return any(all(each.on(index, tables) for each in way) for way in self.ways)

    def value(self, index: Sequence[int]) -> str:
        """The constant of the output element at ``index``."""
        if not self.values:
            return constant_words()
        return self.values[0 if self.at is None else self.at.evaluate(index)]


@dataclass(frozen=True)
class Formula:
    """Where an output element comes from, as one expression per input dimension.

    Attributes:
        sizes: of the input.
        output_sizes: of the output.
        source: expressions over the output indices.
        missing: what the element holds if the source is outside the input, in words.
        tensor, output: the names of input and output.
        where: the output elements that it holds for: those in all ranges.
        tables: the control tensors to look up, by name.
        letters: of the output's dimensions; empty for those of an image.
        written: for the name of a table that the code says, the name of the index tensor or the
            mask and its elements, in which an index can count from the end.
        constants: what elements without a source are, the first part that holds, where their
            values are known.
        inside: the source without the branches that lead outside the input; empty if none do.
        values_of: the names of tensors for whose values alone it holds.
        unnamed: the tables that the code does not name, which stand behind the formula.
    """

    sizes: tuple[int, ...]
    output_sizes: tuple[int, ...]
    source: tuple[Expr, ...]
    missing: str = ""
    tensor: str = "in"
    output: str = "out"
    where: tuple[Range, ...] = ()
    tables: Tables = field(default_factory=lambda: NO_TABLES)
    letters: tuple[str, ...] = ()
    written: Mapping[str, tuple[str, np.ndarray[Any, Any]]] = field(default_factory=dict)
    constants: tuple[ConstantPart, ...] = ()
    inside: tuple[Expr, ...] = ()
    values_of: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()

    def holds(self, index: Sequence[int]) -> bool:
        """Whether this is the formula of the output element at ``index``."""
        return all(
            each.start <= each.value.evaluate(index, self.tables) < each.stop for each in self.where
        )

    def holds_for_each(self, indices: Sequence[Any]) -> Any:
        """Whether it is the formula of each output element; bool, of the output's sizes.

        Args:
            indices: for each dimension of the output, an array that can be broadcast.
        """
        holds = np.ones(np.broadcast_shapes(*map(np.shape, indices)), bool)
        for each in self.where:
            value = each.value.on(indices, self.tables)
            holds &= (value >= each.start) & (value < each.stop)
        return holds

    @property
    def names(self) -> tuple[str, ...]:
        """The letters of the output's dimensions."""
        return self.letters or names_of(len(self.output_sizes))

    def symbolic(self) -> str:
        """``out[n, c, h, w] = in[...]`` in letters."""
        names = self.names
        source = print_element(self.tensor, (e.show(names) for e in self.inside or self.source))
        text = f"{print_element(self.output, names)} = {self.before}{source}"
        for each in self.where:
            if (element := self._index_element(each.value)) is not None:
                place, number = element
                text = text.replace(each.value.show(names), "k")
                words = no_place_words() if each.start < 0 else place_words()
                text = words.format(text=text, place=place, number=number)
                continue
            text = where_words().format(
                text=text, letter=each.value.show(names), start=each.start, last=each.stop - 1
            )
        return text + self.after

    @property
    def before(self) -> str:
        """The constants and their conditions in letters, which stand before the source."""
        return "".join(part.show(self.names) for part in self.constants)

    @property
    def after(self) -> str:
        """What stands behind: the tables without a name, and for which values it holds."""
        shown = (*(self.inside or self.source), *(c.value for c in self.conditions))
        looked = {name for each in shown for name in each.tensors}
        tables = (f", {n} = {self.tables[n].tolist()}" for n in self.unnamed if n in looked)
        text = "".join(tables)
        if self.values_of:
            text += values_words().format(names=", ".join(self.values_of))
        return text

    def renamed(self, output: str, tables: Mapping[str, str]) -> Formula:
        """The same with another name for the output, and for some tables."""
        return replace(
            self,
            output=output,
            source=tuple(each.renamed(tables) for each in self.source),
            inside=tuple(each.renamed(tables) for each in self.inside),
            constants=tuple(each.renamed(tables) for each in self.constants),
            where=tuple(replace(each, value=each.value.renamed(tables)) for each in self.where),
            tables={tables.get(name, name): table for name, table in self.tables.items()},
            unnamed=tuple(tables.get(name, name) for name in self.unnamed),
        )

    @property
    def conditions(self) -> list[Condition]:
        """The conditions of all constants."""
        return [each for part in self.constants for way in part.ways for each in way]

    def looked(self, index: Sequence[int]) -> list[str]:
        """Each element of a control tensor that it looks up for one element, with its number."""
        shown = [str(i) for i in index]
        looks = dict.fromkeys(look for each in self.source for look in each.looks)
        return [f"{look.show(shown)} = {look.evaluate(index, self.tables)}" for look in looks]

    def numbers(self, index: Sequence[int]) -> str:
        """The same with one element's numbers, fully evaluated; see :meth:`Expr.settled`."""
        shown = [str(i) for i in index]
        left = print_element(self.output, shown)
        part = next((one for one in self.constants if one.holds(index, self.tables)), None)
        if part is not None:
            return f"{left} = {part.value(index)}: {self.missing}"
        put = [e.settled(index, self.tables).show(shown) for e in self.source]
        coordinates = [e.evaluate(index, self.tables) for e in self.source]
        each_index = zip(coordinates, self.sizes, strict=True)
        outside = next((d for d, (i, n) in enumerate(each_index) if not 0 <= i < n), None)
        if outside is not None:
            # no element has that index, so none is named
            i = coordinates[outside]
            side = "none" if put[outside] in _NONE else _side(i, len(put))
            return left + outside_words()[side].format(
                index=str(i) if put[outside] == str(i) else f"{put[outside]} = {i}",
                last=self.sizes[outside] - 1,
                d=outside,
                missing=self.missing,
            )
        source, worked = (print_element(self.tensor, at) for at in (put, coordinates))
        for each in self.where:
            if self._index_element(each.value) is not None:
                source = source.replace(each.value.show(shown), "k")
        return f"{left} = {source}" + (f" = {worked}" if source != worked else "")

    def _index_element(self, value: Expr) -> tuple[str, str] | None:
        """The element of an index tensor that a position is of, and the number that it holds.

        None if the value is no position.
        """
        name = str(value.args[0]) if value.op == "look" else ""
        if not name.startswith(POSITION):
            return None
        at = [arg.show(self.names) for arg in value.args if isinstance(arg, Expr)]
        axis = position_axis(name)
        inner = ("k" if d == axis else letter for d, letter in enumerate(at))
        return print_element(self.written[name][0], inner), at[axis]

    def locate(self, index: Sequence[int]) -> tuple[int, ...] | None:
        """The input element that the output element at ``index`` is a copy of, if there is one."""
        coordinates = tuple(e.evaluate(index, self.tables) for e in self.source)
        inside = all(0 <= i < n for i, n in zip(coordinates, self.sizes, strict=True))
        return coordinates if inside else None


def constant_words() -> str:
    """What stands in a formula for constants that differ."""
    return _("a constant")


def values_words() -> str:
    """The words for a formula of some values only."""
    return _(", for these values of {names}")


_NONE = ("-1", "max(-1, -1)")
"""What formulas say where there is no source: no index that somebody counts to."""


def outside_words() -> dict[str, str]:
    """The sentences about an index that the input does not have, by side and by its dimensions.

    They stand behind the output element: before the first index or past the last one, of a row or,
    ``in``, of one dimension among several; ``none``: the formula says -1 for no element at all.
    """
    return {
        "none": _(": {missing}"),
        "before": _(": index {index} is before the first index, 0, so {missing}"),
        "past": _(": index {index} is past the last index, {last}, so {missing}"),
        "before-in": _(
            ": in dimension {d} index {index} is before the first index, 0, so {missing}"
        ),
        "past-in": _(
            ": in dimension {d} index {index} is past the last index, {last}, so {missing}"
        ),
    }


def _side(i: int, rank: int) -> str:
    """Which of :func:`outside_words` is about the index ``i``, which is outside."""
    return ("before" if i < 0 else "past") + ("-in" if rank > 1 else "")


def place_words() -> str:
    """The words for the output elements whose place an index tensor holds."""
    return _("{text} where {place} = {number}")


def no_place_words() -> str:
    """The words for the output elements whose place an index tensor does not hold."""
    return _("{text} where no {place} is {number}")


def where_words() -> str:
    """The words for the output elements that a formula holds for."""
    return _("{text} for {letter} from {start} to {last}")


class Lettered(ABC):
    """The letters of an operator's dimensions, for its formulas."""

    @abstractmethod
    def outputs_after(self, sizes: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
        """The sizes of every output by name, for valid inputs."""

    def letters(self, sizes: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[str, ...]]:
        """The letters of every tensor's dimensions, by name, for valid inputs.

        They are those of an image (n, c, h, w) where the operator does not declare other meanings:
        i, j and so on count indices, and 0 is a dimension of size 1 that means nothing.

        Args:
            sizes: of every input, by name.
        """
        return {
            name: names_of(len(of)) for name, of in {**sizes, **self.outputs_after(sizes)}.items()
        }


@dataclass(frozen=True)
class Beyond:
    """Sentences for elements that are outside the input along one dimension.

    Attributes:
        dimension: its number.
        start, size: elements ``start`` to ``start + size - 1`` of the output are inside.
        period: how many places one fold has; 0 if nothing folds.
        before, behind: sentences with ``{distance}``, and with ``{fold}`` if the mode folds.
    """

    dimension: int
    start: int
    size: int
    period: int
    before: str
    behind: str

    def sentence(self, index: int) -> str:
        """The sentence for the element at ``index``; empty if it is inside."""
        distance = max(self.start - index, index - self.start - self.size + 1)
        if distance <= 0:
            return ""
        side = self.before if index < self.start else self.behind
        fold = (distance - 1) // self.period + 1 if self.period else 0
        return side.format(distance=distance, fold=fold)
