"""The grammar of facts about a state, and the facts that every kind of state has.

A fact is declared with the texts that ask for it, and says in its docstring what it answers:
:func:`table` lists all that a kind of state has.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from inspect import getdoc
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Problem
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.states.pages import AnyState
from dmlviz.teaching.fact_texts import (
    CALCULATION,
    Answers,
    calculated,
    check_length,
    element_index,
    print_values,
    unknown_fact,
)
from dmlviz.tensors import print_sizes
from dmlviz.tensors.numbering import located, print_all_sizes, print_cell, sizes_by_name
from dmlviz.tensors.types import Array, Sizes

PARTS: Mapping[str, tuple[str, str]] = {
    "{tensor}": (r"(?P<tensor>\w+?Tensors\[[0-9]+\]|\w+)", "a tensor's name"),
    "{second}": (r"(?P<second>\w+)", "the name of another tensor"),
    "{index}": (
        r"\[\s*(?P<index>[0-9:]+(?:\s*,\s*[0-9:]+)*)\s*\]",
        "the index of an element, such as `[0, 2]`; `:` stands for all of a dimension",
    ),
    "{dimension}": (
        r"(?:\[(?P<dimension>[0-9]:?)\])?",
        "nothing, or one dimension, such as `[2]`; `[1:]` means from one on",
    ),
    "{number}": (r"(?P<number>[0-9]{1,6})", "a number, counted from 1"),
}
"""What the texts of facts leave open: the regular expression of each, and what it means."""

_PART = regex(r"(\{\w+\})")


@dataclass(frozen=True)
class Fact:
    """A fact, declared in a class of :class:`StateFacts` with :func:`fact`.

    Attributes:
        texts: that ask for it, with what they leave open in braces: see :data:`PARTS`.
        patterns: each of these as a regular expression.
        answer: a method, which takes what the text left open by name, or "" where it has none.
    """

    texts: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]
    answer: Callable[..., object]

    def left_open(self, asked: str) -> dict[str, str] | None:
        """What a text leaves open, by name; None if it does not ask for this fact."""
        names = {name[1:-1] for text in self.texts for name in _PART.findall(text)}
        for pattern in self.patterns:
            if match := pattern.fullmatch(asked):
                return dict.fromkeys(names, "") | match.groupdict("")
        return None


def fact(*texts: str) -> Callable[[Callable[..., object]], Fact]:
    """Declare a method as the answer to texts."""

    def pattern(text: str) -> re.Pattern[str]:
        parts = _PART.split(text)
        return regex("".join(PARTS[p][0] if p in PARTS else re.escape(p) for p in parts))

    def declared(answer: Callable[..., object]) -> Fact:
        return Fact(texts, tuple(map(pattern, texts)), answer)

    return declared


def declared_facts(kind: type[StateFacts]) -> Iterator[Fact]:
    """The facts of a kind of state: its own first, as a shared one may be any tensor's name."""
    for cls in kind.__mro__:
        yield from (each for each in vars(cls).values() if isinstance(each, Fact))


def table(kind: type[StateFacts]) -> list[tuple[str, str]]:
    """The texts of every fact of a kind of state, and what it answers."""
    return [
        (
            ", ".join(f"`{text}`" for text in each.texts),
            " ".join((getdoc(each.answer) or "").split()),
        )
        for each in declared_facts(kind)
    ]


class StateFacts(ABC):
    """The facts of a state: an engine answers, so that no numbers are typed by hand.

    Args:
        state: from a link; the reader or the operator can refuse it.
        elsewhere: the facts of the state that another link opens; without it there are none.
    """

    alone: tuple[str, str] = ("", "")
    """What the only input and the only output are called in answers."""

    def __init__(self, state: Any, elsewhere: Callable[[str], Answers] | None = None) -> None:
        self.state = state
        self._elsewhere = elsewhere

    @property
    @abstractmethod
    def trace(self) -> Trace:
        """The run.

        Raises:
            Error: the reader, the operator or the engine refuses it.
        """

    @abstractmethod
    def tensor(self, name: str) -> Array:
        """A tensor of the run by its name, or by ``in`` and ``out`` if there is only one.

        Raises:
            Error: there is none of this name.
        """

    @abstractmethod
    def sources(self, name: str) -> Array:
        """The numbers of the input elements that those of a tensor copy; -1 for a constant."""

    @abstractmethod
    def moving(self) -> Mapping[str, Array]:
        """The inputs whose elements move, by name: sources are counted through them."""

    @abstractmethod
    def second(self) -> StateFacts:
        """The facts of the run to compare it with.

        Raises:
            Error: there is none.
        """

    @property
    def problems(self) -> list[Problem]:
        """Why the state is refused; empty if it is not."""
        state: AnyState = self.state
        return [*state.problems(), *state.second_problems()]

    def __call__(self, asked: str) -> str:
        """The answer as text.

        Args:
            asked: a fact of :func:`table`; ``other`` and a fact, of the run to compare it with;
                or the sum, difference or product of whole numbers and facts that are some, such as
                ``sizes[1] − 1``: of several, from left to right. With `` at /tile?...`` after it,
                the same for another state.

        Raises:
            Error: there is no such fact, or the state does not have it.
        """
        asked, at, link = asked.strip().partition(" at /")
        if at:
            if self._elsewhere is None:
                raise unknown_fact(f"{asked} at /{link[:60]}")
            return self._elsewhere(f"/{link}")(asked)
        check_length(asked)
        if CALCULATION.fullmatch(asked):
            return calculated(asked, self)
        if asked.startswith("other "):
            return self.second()(asked.removeprefix("other "))
        for each in declared_facts(type(self)):
            left_open = each.left_open(asked)
            if left_open is not None:
                return str(each.answer(self, **left_open))
        raise unknown_fact(asked)

    @fact("sizes{dimension}", "sizes of {tensor}{dimension}", "{tensor} sizes{dimension}")
    def _sizes(self, tensor: str, dimension: str) -> str:
        """The sizes of the output or of a tensor, or one of them; `input` is the first input."""
        if not tensor and not dimension:
            return print_all_sizes(sizes_by_name(self.trace.outputs))
        return one_of(self.sizes_of(tensor), dimension)

    def sizes_of(self, tensor: str) -> Sizes:
        """The sizes of a tensor; of the first output without a name, of the first input if it is
        ``input``."""
        if tensor in ("", "input"):
            tensors = self.moving() if tensor else self.trace.outputs
            return next(iter(sizes_by_name(tensors).values()))
        sizes: Sizes = self.tensor(tensor).shape
        return sizes

    @fact("rank")
    def _rank(self) -> int:
        """How many dimensions the first input has."""
        return len(self.sizes_of("input"))

    @fact("elements")
    def _elements(self) -> int:
        """How many elements the outputs have."""
        return count(self.trace.outputs)

    @fact("constants")
    def _constants(self) -> int:
        """How many output elements have no source."""
        return sum(int((sources < 0).sum()) for sources in self.trace.sources.values())

    @fact("not copied")
    def _not_copied(self) -> int:
        """How many input elements none copies."""
        return self.not_copied.size

    @property
    def not_copied(self) -> Array:
        """The numbers of the input elements that none copies; ascending."""
        copied = np.concatenate([each.ravel() for each in self.trace.sources.values()])
        return np.setdiff1d(np.arange(count(self.moving())), copied)

    @fact("message")
    def _message(self) -> str:
        """Why the state is refused; empty if it is not."""
        return " ".join(problem.message for problem in self.problems)

    @fact("source{dimension} of {tensor}{index}")
    def _source(self, tensor: str, index: str, dimension: str) -> str:
        """The input element that an element copies, or the padding value; with a dimension, its
        index there; of several elements, those of each."""
        sources, inputs = self.sources(tensor), self.moving()

        def named(number: int) -> str:
            if number < 0:
                return _("the padding value")
            if not dimension:
                return print_cell(number, inputs, self.alone[0])
            return one_of(located(number, inputs)[1], dimension)

        return ", ".join(map(named, np.ravel(sources[element_index(index, sources)]).tolist()))

    @fact("copy{dimension} of {tensor}{index}", "copy{dimension} of {tensor}{index} in {second}")
    def _copy(self, tensor: str, index: str, dimension: str, second: str) -> str:
        """The first output element that copies an input element, or the first in another tensor;
        with a dimension, its index there."""
        tensors = self._searched(second)
        cells = self._copying(tensor, index, tensors)
        if not cells.size:
            raise unknown_fact(f"copy of {tensor}[{index}]")
        if not dimension:
            return print_cell(int(cells[0]), tensors, self.alone[1])
        return one_of(located(int(cells[0]), tensors)[1], dimension)

    @fact("copies of {tensor}{index}", "copies of {tensor}{index} in {second}")
    def _copies(self, tensor: str, index: str, second: str) -> int:
        """How many output elements, or elements of another tensor, copy an input element."""
        return self._copying(tensor, index, self._searched(second)).size

    def _searched(self, name: str) -> dict[str, Array]:
        return {name: self.sources(name)} if name else dict(self.trace.sources)

    def _copying(self, tensor: str, index: str, tensors: Mapping[str, Array]) -> Array:
        """The numbers, through some tensors' sources, of the elements that copy an input's."""
        inputs = self.moving()
        names = list(inputs)
        name = names[0] if tensor == "in" else tensor
        if name not in names or ":" in index:
            raise unknown_fact(f"copies of {tensor}[{index}]")
        first = sum(inputs[other].size for other in names[: names.index(name)])
        at = element_index(index, inputs[name])
        number = first + int(np.ravel_multi_index(at, inputs[name].shape))
        return np.flatnonzero(np.concatenate([each.ravel() for each in tensors.values()]) == number)

    @fact("{tensor}", "{tensor}{index}")
    def _values(self, tensor: str, index: str) -> str:
        """The values of a tensor, or of some of its elements."""
        return self.values_of(tensor, index)

    def values_of(self, name: str, index: str) -> str:
        """The values of a tensor, or of some of its elements; ``index`` is empty for all."""
        array = self.tensor(name)
        return print_values(np.asarray(array[element_index(index, array)]) if index else array)


def count(tensors: Mapping[str, Array]) -> int:
    """How many elements tensors have together."""
    return sum(array.size for array in tensors.values())


def one_of(numbers: Sizes, dimension: str) -> str:
    """All sizes, strides or indices; those from a dimension on; or one of them.

    Raises:
        Error: there is no such dimension.
    """
    if not dimension or dimension.endswith(":"):
        return print_sizes(numbers[int(dimension[:-1] or 0) :])
    if int(dimension) >= len(numbers):
        raise unknown_fact(f"[{dimension}]")
    return str(numbers[int(dimension)])
