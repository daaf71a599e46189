"""Facts about a state of an operator's page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from dmlviz.base.cache import cached
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace, run
from dmlviz.movement import VALUES
from dmlviz.movement.steps import Part, Step
from dmlviz.operators import Operator
from dmlviz.operators.feature_levels import FEATURE_LEVELS
from dmlviz.states import State
from dmlviz.teaching.fact_texts import element_index, print_values, unknown_fact
from dmlviz.teaching.state_facts import StateFacts, count, fact, one_of
from dmlviz.tensors.numbering import differing_elements
from dmlviz.tensors.types import Array, Sizes


class OperatorFacts(StateFacts):
    """The facts of a state of an operator; see :class:`StateFacts`."""

    alone = ("in", "out")
    state: State

    @property
    def operator(self) -> Operator:
        """The operator with its settings."""
        return self.state.operator()

    @property
    def trace(self) -> Trace:
        """As of :class:`StateFacts`."""
        return _trace(self.state)

    def tensor(self, name: str) -> Array:
        """As of :class:`StateFacts`; ``other`` is the output of the run to compare it with."""
        if name == "other":
            return self.second().trace.output
        if name == "in":
            name = self.state.cls.first_input()
        if name in self.state.tensors:
            return self.state.inputs()[name]
        return self._of_outputs(self.trace.outputs, name)

    def sources(self, name: str) -> Array:
        """As of :class:`StateFacts`."""
        return self._of_outputs(self.trace.sources, name)

    def _of_outputs(self, arrays: Mapping[str, Array], name: str) -> Array:
        if name == "out" and len(arrays) == 1:
            return next(iter(arrays.values()))
        if name not in arrays:
            raise unknown_fact(name)
        return arrays[name]

    def moving(self) -> Mapping[str, Array]:
        """As of :class:`StateFacts`."""
        role = self.operator.role
        return {name: x for name, x in self.state.inputs().items() if role(name) == VALUES}

    def second(self) -> OperatorFacts:
        """As of :class:`StateFacts`."""
        second = self.state.second()
        if second is None:
            raise Error(_("{link} compares nothing.").format(link=self.state.address()))
        return OperatorFacts(second)

    def sizes_of(self, tensor: str) -> Sizes:
        """As of :class:`StateFacts`; those of the first input also where it is refused."""
        return self.state.sizes if tensor == "input" else super().sizes_of(tensor)

    @fact("input elements")
    def _input_elements(self) -> int:
        """How many elements the inputs have."""
        return count(self.state.inputs())

    @fact("data type")
    def _data_type(self) -> str:
        """The type of the values."""
        return self.state.tensors.data_type or self.operator.values_type({})

    @fact("feature_level")
    def _feature_level(self) -> str:
        """The feature level at which the operator runs."""
        return self.state.view.feature_level or FEATURE_LEVELS[-1]

    @fact("accepted from")
    def _accepted_from(self) -> str:
        """The first feature level that accepts the state, or `no level`."""
        state = self.state
        for level in FEATURE_LEVELS:
            if not replace(state, view=replace(state.view, feature_level=level)).problems():
                return level
        return _("no level")

    @fact("refused")
    def _refused(self) -> str:
        """The field that is refused, or `nothing`."""
        return self.problems[0].field if self.problems else "nothing"

    @fact("steps")
    def _steps(self) -> int:
        """How many steps the rule has."""
        return len(self.operator.moves(self.trace.inputs).steps)

    @fact("title of step {number}")
    def _title_of_step(self, number: str) -> str:
        """The title of a step."""
        return _titled(self.operator.moves(self.trace.inputs).steps, number)

    @fact("title of part {number}")
    def _title_of_part(self, number: str) -> str:
        """The title of a part of the NumPy rule."""
        return _titled(self.operator.rule_parts(self.trace.inputs), number)

    @fact("step of out{index}")
    def _step(self, index: str) -> int:
        """The number of the step in which an element moves."""
        moves, sizes = self.operator.moves(self.trace.inputs), self.trace.output.shape
        at = element_index(index, self.trace.output)
        return int(moves.step_of[int(np.ravel_multi_index(at, sizes))]) + 1

    @fact("remark of out{index}")
    def _remark(self, index: str) -> str:
        """The remark beside an element's formula."""
        at = element_index(index, self.trace.output)
        return " ".join(self.operator.remarks(self.trace.inputs, at))

    @fact("constants of out{index}")
    def _constants_of(self, index: str) -> int:
        """How many of some output elements have no source."""
        source = self.trace.source
        return int((source[element_index(index, source)] < 0).sum())

    @fact("indices not copied")
    def _indices_not_copied(self) -> str:
        """The flat indices of the input elements that none copies."""
        return print_values(self.not_copied)

    @fact("values not copied")
    def _values_not_copied(self) -> str:
        """The values of these elements."""
        every = np.concatenate([x.ravel() for x in self.moving().values()])
        return print_values(every[self.not_copied])

    @fact("differing")
    def _differing(self) -> int:
        """How many elements differ from those of the run to compare it with."""
        return len(differing_elements(self.trace.outputs, self.second().trace.outputs))

    def values_of(self, name: str, index: str) -> str:
        """As of :class:`StateFacts`, or a setting, such as ``order`` or ``repeats[2]``."""
        settings = {one.name: one for one in self.operator.parameters()}
        if name not in settings:
            return super().values_of(name, index)
        value = getattr(self.operator, name)
        return one_of(value, index) if index else settings[name].spell(value)


def _titled(parts: Sequence[Step | Part], number: str) -> str:
    if not 0 < int(number) <= len(parts):
        raise unknown_fact(f"title of {number}")
    return parts[int(number) - 1].title


@cached(megabytes=8, words=False)
def _trace(state: State) -> Trace:
    return run(state.operator(), state.inputs(), state.view.engine)
