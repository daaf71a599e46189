"""Facts about a state of the page for code."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice

import numpy as np

from dmlviz.code import Chain, ChainTrace, CodeRefused
from dmlviz.code.memory import MemoryLayout
from dmlviz.movement import Difference
from dmlviz.states import View
from dmlviz.states.between import BetweenState
from dmlviz.states.code import CodeState
from dmlviz.teaching.fact_texts import element_index, unknown_fact
from dmlviz.teaching.state_facts import StateFacts, fact, one_of
from dmlviz.tensors.numbering import differing_bits, print_element, print_flat_index
from dmlviz.tensors.types import Array


class CodeFacts(StateFacts):
    """The facts of code and its tensors; see :class:`StateFacts`."""

    state: CodeState

    @property
    def trace(self) -> ChainTrace:
        """As of :class:`StateFacts`: the run of the whole code."""
        # the picture of all calls is kept, and has the run
        alone = replace(self.state, call=0, view=View(), compare="", compare_library="")
        trace = alone.scene().trace
        # a call that computes has a picture of its own
        return trace if isinstance(trace, ChainTrace) else alone.trace()

    @property
    def _chain(self) -> Chain:
        return self.trace.chain

    @property
    def _refusal(self) -> CodeRefused | None:
        try:
            self.state.chain()
        except CodeRefused as refused:
            return refused
        return None

    def tensor(self, name: str) -> Array:
        """As of :class:`StateFacts`: any tensor of the chain, also of a call that computes; what
        refused code takes."""
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

    def sources(self, name: str) -> Array:
        """As of :class:`StateFacts`."""
        for sources in (self.trace.sources, self.trace.every.sources):
            if name in sources:
                return sources[name]
        for tensor, run in self.trace.computed.items():
            if name == next(iter(run.outputs)):
                return self.trace.window_numbers(tensor)
        raise unknown_fact(f"source of {name}")

    def moving(self) -> Mapping[str, Array]:
        """As of :class:`StateFacts`."""
        return self.trace.inputs

    def second(self) -> CodeFacts:
        """As of :class:`StateFacts`."""
        second = self.state.second()
        if second is None:
            raise unknown_fact("other")
        return CodeFacts(second)

    @fact("input elements")
    def _input_elements(self) -> int:
        """How many elements the tensors have that the code takes."""
        return sum(map(math.prod, self._chain.taken.values()))

    @fact("calls")
    def _calls(self) -> int:
        """How many calls the code has."""
        return len(self._chain.operations)

    @fact("copying calls")
    def _copying_calls(self) -> str:
        """The names of the calls that make new memory, or `nothing`."""
        return _listed(one.name for one in self._chain.operations if one.copies)

    @fact("formula")
    def _formula(self) -> str:
        """Where each element comes from, as arithmetic."""
        return self._chain.formula

    @fact("steps")
    def _steps(self) -> int:
        """How many steps the movement has."""
        return len(self.state.scene().steps)

    @fact("refused")
    def _refused(self) -> str:
        """The kind of the refusal, or `nothing`."""
        return "nothing" if self._refusal is None else self._refusal.kind

    @fact("differing")
    def _differing(self) -> int:
        """How many elements have other sources than in the code to compare it with."""
        return self._difference.count if self._difference else 0

    @fact("first difference")
    def _first_difference(self) -> str:
        """The first of these elements, such as `out[0, 1]`, or `nothing`."""
        difference = self._difference
        return print_element(difference.output, difference.at) if difference else "nothing"

    @property
    def _difference(self) -> Difference | None:
        both = self.state.comparison()
        if both is None:
            raise unknown_fact("differing")
        return both.difference

    @fact("first difference of {tensor} and {second}")
    def _first_apart(self, tensor: str, second: str) -> str:
        """The first index at which two tensors of equal sizes differ, or `nothing`."""
        places = self._apart(tensor, second)
        return print_flat_index(places[0], self.tensor(tensor).shape) if places else "nothing"

    @fact("differing of {tensor} and {second}")
    def _differing_of(self, tensor: str, second: str) -> int:
        """At how many indices two tensors of equal sizes differ."""
        return len(self._apart(tensor, second))

    def _apart(self, one: str, other: str) -> list[int]:
        a, b = self.tensor(one), self.tensor(other)
        if a.shape != b.shape:
            raise unknown_fact(f"first difference of {one} and {other}")
        places: list[int] = differing_bits(a, b).tolist()
        return places

    @fact("products of {tensor}{index}")
    def _products(self, tensor: str, index: str) -> str:
        """What an element of a convolution's result is the sum of, such as `1·3 + 2·1 = 5`."""
        for run in self.trace.computed.values():
            if tensor in run.operator.computed_slots():
                result = run.outputs[tensor]
                at = element_index(index, result)
                if ":" not in index:
                    number = int(np.ravel_multi_index(at, result.shape))
                    return next(islice(run.calculations(tensor), number, None))
        raise unknown_fact(f"products of {tensor}[{index}]")

    @fact("memory of {tensor}")
    def _memory(self, tensor: str) -> str:
        """The first tensor in whose memory it lies: `x` for a view of x, itself for new memory."""
        return self._layout(tensor).base

    @fact("strides of {tensor}{dimension}")
    def _strides(self, tensor: str, dimension: str) -> str:
        """How far apart neighbors are in memory, in elements, in every dimension or in one."""
        return one_of(self._layout(tensor).strides, dimension)

    @fact("places of {tensor}")
    def _places(self, tensor: str) -> int:
        """How many elements of memory it reads."""
        return self._layout(tensor).places(self.tensor(tensor).shape)

    @fact("views of {tensor}")
    def _views(self, tensor: str) -> str:
        """The outputs in the memory of a tensor, or `nothing`."""
        self._layout(tensor)
        layouts = self._chain.layouts
        return _listed(each for each in self._chain.outputs if layouts[each].base == tensor)

    def _layout(self, tensor: str) -> MemoryLayout:
        layout = self._chain.layouts.get(tensor)
        if layout is None:
            raise unknown_fact(f"memory of {tensor}")
        return layout


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing"


class BetweenFacts(CodeFacts):
    """The facts of what lies between two arrays, which are those of the line that does it."""

    state: BetweenState  # type: ignore[assignment]

    @property
    def trace(self) -> ChainTrace:
        """As of :class:`StateFacts`."""
        return self.state.trace()

    @property
    def _refusal(self) -> CodeRefused | None:
        return None
