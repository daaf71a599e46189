"""Facts about code, by name: the engine and the reader answer, so that no numbers are typed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice

import numpy as np

from dmlviz.base.errors import Problem
from dmlviz.code import Chain, ChainTrace, CodeRefused
from dmlviz.movement import Difference
from dmlviz.states import View
from dmlviz.states.code import CodeState
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
from dmlviz.tensors.numbering import differing_bits, print_cell, print_flat_index, print_index
from dmlviz.tensors.types import Array

_INDEX = r"\[([0-9:]+(?:,\s*[0-9:]+)*)\]"
_ELEMENTS = re.compile(rf"(?:source(?:\[([0-9])\])? of )?(\w+){_INDEX}")
_PRODUCTS = re.compile(rf"products of (\w+){_INDEX}")
_COPY = re.compile(rf"(copy|copies)(?:\[([0-9])\])? of (\w+){_INDEX}(?: in (\w+))?")
_SIZES = re.compile(r"(?:sizes of (\w+)|(\w+ )?sizes)(?:\[([0-9])\])?")
_MEMORY = re.compile(r"(memory|strides|places|views) of (\w+)(?:\[([0-9])\])?")
_APART = re.compile(r"(first difference|differing) of (\w+) and (\w+)")


class CodeFacts:
    """The facts of one state of the page for code.

    Args:
        state: the code and its tensors; the reader can refuse it.
        elsewhere: the facts of the state that another link opens; without it there are none.
    """

    def __init__(self, state: CodeState, elsewhere: Callable[[str], Answers] | None = None) -> None:
        self.state = state
        self._elsewhere = elsewhere

    def __call__(self, fact: str) -> str:
        """The answer as text.

        Args:
            fact: one of

                * ``out[0, 1, :]``, ``x[...]``, ``t1[...]``: values of a tensor of the chain by its
                  name; ``:`` means a whole dimension; a name alone means all values;
                * ``source of out[...]``: the input element that an element copies;
                  ``source[1] of out[...]``: its index in dimension 1;
                * ``copy of x[...]``: the first output element that copies an input element;
                  ``copy[1] of x[...]``: its index in dimension 1; ``copies of x[...]``: how many
                  do; with `` in t1`` after them, those of one tensor of the chain;
                * ``columns[0, :, 2]``: a window of a convolution; ``products of y[0, 0, 0]``: what
                  an element of its result is the sum of, such as ``1·3 + 2·1 = 5``;
                * ``sizes`` of the output, ``input sizes`` of the first input, ``sizes of a``,
                  ``t1 sizes``; and one of them, such as ``t1 sizes[2]``;
                * ``rank`` of the first input; ``elements``, ``input elements``: how many;
                  ``constants``: how many output elements have no source; ``not copied``: how many
                  input elements none copies;
                * ``memory of a``: the first tensor in whose memory it lies: ``x`` for a view of x,
                  ``a`` for new memory; ``strides of a``: in elements, and one of them, such as
                  ``strides of a[0]``; ``places of a``: how many elements of memory it reads;
                  ``views of x``: the outputs in the memory of x, or ``nothing``; ``copying calls``:
                  the names of the calls that make new memory, or ``nothing``;
                * ``first difference of a and b``: the first index at which two tensors of equal
                  sizes differ, or ``nothing``; ``differing of a and b``: at how many they do;
                * ``differing``: how many elements have other sources than in the code to compare
                  it with; ``first difference``: the first of them, such as ``out[0, 1]``;
                * ``other out[0, :]``: any fact about the code to compare it with;
                * ``calls``: how many; ``formula``; ``steps``: of the movement;
                * ``refused``: the kind of the refusal, or ``nothing``; ``message``: why;
                * ``t1 sizes[0] · 3``, ``elements − 1``: as of :class:`dmlviz.teaching.facts.Facts`.

                With `` at /code?...`` after it, the same for another state.

        Raises:
            Error: there is no such fact, or the code does not have it.
        """
        fact, at, link = fact.strip().partition(" at /")
        if at:
            if self._elsewhere is None:
                raise unknown_fact(f"{fact} at /{link[:60]}")
            return self._elsewhere(f"/{link}")(fact)
        check_length(fact)
        if fact.startswith("other ") and (second := self.state.second()) is not None:
            return CodeFacts(second)(fact.removeprefix("other "))
        plain = self._plain().get(fact)
        if plain is not None:
            return str(plain())
        if match := _PRODUCTS.fullmatch(fact):
            return self._products(match[1], match[2])
        if match := _COPY.fullmatch(fact):
            return self._copies(match[1], match[3], match[4], match[5] or "", match[2])
        if match := _SIZES.fullmatch(fact):
            return self._sizes(match[1] or (match[2] or "").strip(), match[3])
        if match := _ELEMENTS.fullmatch(fact):
            source = fact.startswith("source")
            return self._elements(match[2], match[3], match[1], source=source)
        if match := _MEMORY.fullmatch(fact):
            return self._memory(match[1], match[2], match[3])
        if match := _APART.fullmatch(fact):
            return self._apart(match[2], match[3], first=match[1].startswith("first"))
        if CALCULATION.fullmatch(fact):
            return calculated(fact, self)
        return print_values(self._tensor(fact))

    def _plain(self) -> dict[str, Callable[[], int | str]]:
        return {
            "rank": lambda: len(next(iter(self.trace.inputs.values())).shape),
            "elements": lambda: sum(x.size for x in self.trace.outputs.values()),
            "input elements": lambda: sum(map(math.prod, self._chain.taken.values())),
            "constants": lambda: sum(int((s < 0).sum()) for s in self._sources),
            "not copied": lambda: self._not_copied,
            "calls": lambda: len(self._chain.operations),
            "copying calls": lambda: _listed(o.name for o in self._chain.operations if o.copies),
            "formula": lambda: self._chain.formula,
            "steps": lambda: len(self.state.scene().steps),
            "refused": lambda: "nothing" if self._refusal is None else self._refusal.kind,
            "message": lambda: " ".join(problem.message for problem in self.problems),
            "differing": lambda: 0 if self._difference is None else self._difference.count,
            "first difference": self._first_difference,
        }

    @property
    def _difference(self) -> Difference | None:
        both = self.state.comparison()
        if both is None:
            raise unknown_fact("differing")
        return both.difference

    def _first_difference(self) -> str:
        difference = self._difference
        return f"{difference.output}{print_index(difference.at)}" if difference else "nothing"

    @property
    def trace(self) -> ChainTrace:
        """The run of the whole code.

        Raises:
            Error: the reader or the engine refuses it.
        """
        # the picture of all calls is kept, and has the run
        alone = replace(self.state, call=0, view=View(), compare="", compare_library="")
        trace = alone.scene().trace
        # a call that computes has a picture of its own
        return trace if isinstance(trace, ChainTrace) else alone.trace()

    @property
    def problems(self) -> list[Problem]:
        """Why the state is refused; empty if it is not."""
        return [*self.state.problems(), *self.state.second_problems()]

    @property
    def _chain(self) -> Chain:
        return self.trace.chain

    @property
    def _sources(self) -> list[Array]:
        return list(self.trace.sources.values())

    @property
    def _not_copied(self) -> int:
        every = np.arange(sum(x.size for x in self.trace.inputs.values()))
        copied = np.concatenate([source.ravel() for source in self._sources])
        return int(np.setdiff1d(every, copied).size)

    @property
    def _refusal(self) -> CodeRefused | None:
        try:
            self.state.chain()
        except CodeRefused as refused:
            return refused
        return None

    def _tensor(self, name: str) -> Array:
        if self._refusal is not None and name in self.state.tensors:
            return self.state.arrays()[name]
        trace = self.trace
        computed = [run.outputs for run in trace.computed.values()]
        chain = (trace.outputs, trace.every.outputs, trace.inputs, trace.chain.controls)
        for tensors in (*chain, *computed):
            if name in tensors:
                tensor: Array = tensors[name]
                return tensor
        raise unknown_fact(name)

    def _sources_of(self, name: str) -> Array:
        for sources in (self.trace.sources, self.trace.every.sources):
            if name in sources:
                return sources[name]
        for tensor, run in self.trace.computed.items():
            if name == next(iter(run.outputs)):
                return self.trace.window_numbers(tensor)
        raise unknown_fact(f"source of {name}")

    def _sizes(self, name: str, dimension: str | None) -> str:
        trace = self.trace
        name = {"": next(iter(trace.outputs)), "input": next(iter(trace.inputs))}.get(name, name)
        return _one_of(self._tensor(name).shape, dimension)

    def _elements(self, name: str, index: str, dimension: str | None, *, source: bool) -> str:
        tensor = self._sources_of(name) if source else self._tensor(name)
        at = element_index(index, tensor)
        if not source:
            return print_values(np.asarray(tensor[at]))
        numbers = np.ravel(tensor[at]).tolist()
        if min(numbers) < 0:
            raise unknown_fact(f"source of {name}[{index}]")
        inputs = self.trace.inputs
        if dimension is None:
            return ", ".join(print_cell(number, inputs, "") for number in numbers)
        (sizes,) = (x.shape for x in inputs.values())
        return ", ".join(str(np.unravel_index(n, sizes)[int(dimension)]) for n in numbers)

    def _products(self, name: str, index: str) -> str:
        for run in self.trace.computed.values():
            if name in run.operator.computed_slots():
                result = run.outputs[name]
                at = element_index(index, result)
                if ":" not in index:
                    number = int(np.ravel_multi_index(at, result.shape))
                    return next(islice(run.calculations(name), number, None))
        raise unknown_fact(f"products of {name}[{index}]")

    def _copies(self, what: str, name: str, index: str, within: str, dimension: str | None) -> str:
        trace = self.trace
        names = list(trace.inputs)
        if name not in names or ":" in index:
            raise unknown_fact(f"{what} of {name}[{index}]")
        first = sum(trace.inputs[other].size for other in names[: names.index(name)])
        tensor = trace.inputs[name]
        number = first + int(np.ravel_multi_index(element_index(index, tensor), tensor.shape))
        sources = {within: self._sources_of(within)} if within else dict(trace.sources)
        line = np.concatenate([source.ravel() for source in sources.values()])
        cells = np.flatnonzero(line == number)
        if what == "copies":
            return str(cells.size)
        if not cells.size:
            raise unknown_fact(f"{what} of {name}[{index}]")
        if dimension is None:
            return print_cell(int(cells[0]), sources, "")
        (sizes,) = (x.shape for x in sources.values())
        return str(np.unravel_index(int(cells[0]), sizes)[int(dimension)])

    def _memory(self, what: str, name: str, dimension: str | None) -> str:
        layout = self._chain.layouts.get(name)
        if layout is None or (dimension is not None and what != "strides"):
            raise unknown_fact(f"{what} of {name}")
        if what == "memory":
            return layout.base
        if what == "views":
            of = self._chain.layouts
            return _listed(each for each in self._chain.outputs if of[each].base == name)
        if what == "strides":
            return _one_of(layout.strides, dimension)
        return str(layout.places(self._tensor(name).shape))

    def _apart(self, one: str, other: str, *, first: bool) -> str:
        a, b = self._tensor(one), self._tensor(other)
        if a.shape != b.shape:
            raise unknown_fact(f"first difference of {one} and {other}")
        differing = differing_bits(a, b)
        if not first:
            return str(differing.size)
        return print_flat_index(int(differing[0]), a.shape) if differing.size else "nothing"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing"


def _one_of(numbers: tuple[int, ...], dimension: str | None) -> str:
    """All sizes or strides, or one of them."""
    if dimension is None:
        return print_sizes(numbers)
    if int(dimension) >= len(numbers):
        raise unknown_fact(f"[{dimension}]")
    return str(numbers[int(dimension)])
