"""Facts about a state, by name: the engine answers, so that no numbers are typed by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dmlviz.base.cache import cached
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace, run
from dmlviz.movement import VALUES
from dmlviz.movement.steps import Step
from dmlviz.operators import Operator
from dmlviz.operators.feature_levels import FEATURE_LEVELS
from dmlviz.states import State
from dmlviz.states.code import CODE
from dmlviz.states.pages import AnyState, operator_state, read_any_link
from dmlviz.teaching.code_facts import CodeFacts
from dmlviz.teaching.fact_texts import (
    CALCULATION,
    calculated,
    check_length,
    element_index,
    filled,
    print_values,
    unknown_fact,
)
from dmlviz.tensors import print_sizes
from dmlviz.tensors.numbering import differing_elements, print_all_sizes, print_cell, sizes_by_name
from dmlviz.tensors.types import Array

_INDEX = r"\[\s*([0-9:]+(?:\s*,\s*[0-9:]+)*)\s*\]"
_TENSOR = r"[A-Z][A-Za-z]*Tensor(?:s\[[0-9]+\])?"
_ELEMENTS = re.compile(rf"(out|in|other|(?:other )?{_TENSOR}){_INDEX}")
_WHOLE = re.compile(rf"(?:other )?{_TENSOR}")
_OF_OUT = re.compile(rf"(source(?:\[[0-9]\])?|constants|step|remark) of out{_INDEX}")
_COPY = re.compile(rf"(other )?copy(?:\[([0-9])\])? of (?:in|({_TENSOR})){_INDEX}")
_COPIES = re.compile(rf"copies of (?:in|({_TENSOR})){_INDEX}")
_SIZE = re.compile(rf"(?:(input|other) )?sizes(?: of ({_TENSOR}))?(?:\[([0-9]:?)\])?")
_TITLE = re.compile(r"title of (step|part) ([0-9]+)")
_SETTING = re.compile(r"([a-z_]+)(?:\[([0-9])\])?")


class Facts:
    """The facts of one state.

    Args:
        state: from a link; the operator can refuse it.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.operator: Operator = state.operator()

    @property
    def trace(self) -> Trace:
        """The run.

        Raises:
            Error: the operator or the engine refuses it.
        """
        return _trace(self.state)

    @property
    def problems(self) -> list[Problem]:
        """Why the state is refused; empty if it is not."""
        return self.state.problems()

    def __call__(self, fact: str) -> str:
        """The answer as text.

        Args:
            fact: one of

                * ``out[0, 0, 2, 3]``, ``in[...]``: a value; ``other[...]`` one of the operator
                  to compare it with; ``:`` means a whole dimension; ``out`` and
                  ``in`` for all values;
                * ``source of out[...]``: ``in[...]`` or ``the padding value``; ``source[1] of
                  out[...]``: its index in dimension 1; with ``:``, those of several elements;
                * ``copy of in[...]``, ``copy of UpdatesTensor[...]``: the first output element that
                  copies it; ``copy[1] of in[...]``: its index in dimension 1; ``other copy of
                  in[...]``: with the operator to compare it with;
                * ``IndicesTensor[...]``: the same for a tensor by DirectML's name, and
                  ``other OutputTensors[0][...]`` for an output of the other operator; without an
                  index all values;
                * ``copies of in[...]``: how many output elements copy it;
                * ``step of out[...]``, ``steps``, ``title of step 2``, ``title of part 2``: of the
                  parts of the NumPy rule;
                * ``remark of out[...]``: the remark next to its formula;
                * ``sizes``, ``input sizes``, ``other sizes``, ``sizes of IndicesTensor``, one of
                  them, such as ``sizes[2]``, and all from one on: ``sizes[1:]``;
                * ``rank``, ``elements``, ``input elements``, ``data type``, ``feature_level``;
                * ``constants``: how many output elements have no source; ``constants of
                  out[...]``: how many of these; ``not copied``: how many input elements none
                  copies; ``values not copied`` and ``indices not copied``: those elements, and
                  their flat indices;
                * ``differing``: how many elements differ from those of the other operator;
                * ``refused``: the field that is refused, or ``nothing``; ``message``: why;
                * ``accepted from``: the first feature level that accepts it, or ``no level``;
                * a setting, such as ``order`` or ``repeats[2]``;
                * ``repeats[0] · repeats[1]``, ``sizes[1] − 1``: the sum, difference or product of
                  whole numbers; of several, from left to right.

                With `` at /tile?...`` after it, the same for another state.

        Raises:
            Error: there is no such fact, or the state does not have it.
        """
        fact, at, link = fact.strip().partition(" at /")
        if at:
            return facts_of(f"/{link}")(fact)
        check_length(fact)
        plain = self._plain().get(fact)
        if plain is not None:
            return plain()
        if _WHOLE.fullmatch(fact):
            return print_values(self._tensor(fact))
        if match := _ELEMENTS.fullmatch(fact):
            return self._elements(match[1], match[2])
        if match := _OF_OUT.fullmatch(fact):
            return self._of_out(match[1], match[2])
        if match := _COPY.fullmatch(fact):
            trace = self._other if match[1] else self.trace
            return self._copy(trace, match[3] or "", match[4], match[2])
        if match := _COPIES.fullmatch(fact):
            return self._copies(match[1] or "", match[2])
        if match := _SIZE.fullmatch(fact):
            return self._sizes(match[1] or "", match[2] or "", match[3] or "")
        if match := _TITLE.fullmatch(fact):
            parts = self.operator.rule_parts(self.trace.inputs)
            return (self._steps if match[1] == "step" else parts)[int(match[2]) - 1].title
        if CALCULATION.fullmatch(fact):
            return calculated(fact, self)
        if match := _SETTING.fullmatch(fact):
            return self._setting(match[1], match[2])
        raise unknown_fact(fact)

    def _plain(self) -> dict[str, Callable[[], str]]:
        return {
            "out": lambda: print_values(self._tensor("out")),
            "in": lambda: print_values(self._tensor("in")),
            "sizes": lambda: print_all_sizes(sizes_by_name(self.trace.outputs)),
            "input sizes": lambda: print_sizes(self.state.sizes),
            "rank": lambda: str(len(self.state.sizes)),
            "elements": lambda: str(_size(self.trace.outputs)),
            "input elements": lambda: str(_size(self._inputs)),
            "data type": lambda: self.state.tensors.data_type or self.operator.values_type({}),
            "feature_level": lambda: self.state.view.feature_level or FEATURE_LEVELS[-1],
            "steps": lambda: str(len(self._steps)),
            "constants": lambda: str(
                sum(int((source < 0).sum()) for source in self.trace.sources.values())
            ),
            "not copied": lambda: str(self._not_copied.size),
            "indices not copied": lambda: print_values(self._not_copied),
            "values not copied": lambda: print_values(
                np.concatenate([x.ravel() for x in self._values.values()])[self._not_copied]
            ),
            "differing": lambda: str(
                len(differing_elements(self.trace.outputs, self._other.outputs))
            ),
            "refused": lambda: self.problems[0].field if self.problems else "nothing",
            "message": lambda: " ".join(problem.message for problem in self.problems),
            "accepted from": self._accepted_from,
        }

    def _sizes(self, side: str, name: str, dimension: str) -> str:
        if name:
            sizes = self._tensor(f"other {name}" if side == "other" else name).shape
        elif side == "input":
            sizes = self.state.sizes
        else:
            sizes = (self._other if side else self.trace).output.shape
        if dimension.endswith(":"):
            return print_sizes(sizes[int(dimension[:-1]) :])
        return str(sizes[int(dimension)]) if dimension else print_sizes(sizes)

    def _copy(self, trace: Trace, name: str, index: str, dimension: str | None) -> str:
        flat = np.flatnonzero(trace.source.ravel() == self._number(name, index))
        if not flat.size:
            raise unknown_fact(f"copy of {name or 'in'}[{index}]")
        at = np.unravel_index(int(flat[0]), trace.source.shape)
        if dimension is not None:
            return str(at[int(dimension)])
        return print_cell(int(flat[0]), {"out": trace.source}, "out")

    def _copies(self, name: str, index: str) -> str:
        number = self._number(name, index)
        return str(sum(int((source == number).sum()) for source in self.trace.sources.values()))

    def _number(self, name: str, index: str) -> int:
        """The number of an input element, counted through all tensors whose elements move.

        Args:
            name: of its tensor; empty for the first.
            index: of the element.
        """
        names = list(self._values)
        name = name or names[0]
        if name not in names or ":" in index:
            raise unknown_fact(f"{name}[{index}]")
        array = self._values[name]
        first = sum(self._values[other].size for other in names[: names.index(name)])
        return first + int(np.ravel_multi_index(element_index(index, array), array.shape))

    @property
    def _inputs(self) -> dict[str, Array]:
        return self.state.inputs()

    @property
    def _values(self) -> dict[str, Array]:
        role = self.operator.role
        return {name: x for name, x in self._inputs.items() if role(name) == VALUES}

    @property
    def _not_copied(self) -> Array:
        """The flat indices, through all ``values`` inputs, that are no source; ascending."""
        every = np.arange(sum(x.size for x in self._values.values()))
        sources = (source.ravel() for source in self.trace.sources.values())
        return np.setdiff1d(every, np.concatenate([*sources]))

    @property
    def _steps(self) -> tuple[Step, ...]:
        return self.operator.moves(self.trace.inputs).steps

    @property
    def _other(self) -> Trace:
        if self.state.second() is None:
            raise Error(_("{link} compares nothing.").format(link=self.state.address()))
        return _trace(self.state, second=True)

    def _elements(self, side: str, index: str) -> str:
        array = self._tensor(side)
        return print_values(np.asarray(array[element_index(index, array)]))

    def _tensor(self, name: str) -> Array:
        if name == "in":
            return self._inputs[self.state.cls.first_input()]
        if name == "other":
            return self._other.output
        if name in self.state.tensors:
            return self._inputs[name]
        of_other, _space, output = name.rpartition(" ")
        trace = self._other if of_other else self.trace
        if name == "out" and len(trace.outputs) == 1:
            return trace.output
        if output not in trace.outputs:
            raise unknown_fact(name)
        return trace.outputs[output]

    def _of_out(self, what: str, index: str) -> str:
        at = element_index(index, self.trace.output)
        if what == "step":
            steps = self.operator.moves(self.trace.inputs)
            flat = int(np.ravel_multi_index(at, self.trace.output.shape))
            return str(int(steps.step_of[flat]) + 1)
        if what == "remark":
            return " ".join(self.operator.remarks(self.trace.inputs, at))
        sources = np.ravel(self.trace.source[at])
        if what == "constants":
            return str(int((sources < 0).sum()))
        return ", ".join(self._source(int(source), what[len("source[") : -1]) for source in sources)

    def _source(self, source: int, dimension: str) -> str:
        """The index of an input element, or one of its numbers."""
        if source < 0:
            return _("the padding value")
        if not dimension:
            return print_cell(source, self._values, "in")
        sizes = next(iter(self._values.values())).shape
        return str(np.unravel_index(source, sizes)[int(dimension)])

    def _setting(self, name: str, dimension: str | None) -> str:
        parameters = {p.name: p for p in self.operator.parameters()}
        if name not in parameters:
            raise unknown_fact(name)
        value = getattr(self.operator, name)
        if isinstance(value, tuple) and dimension is not None:
            return str(value[int(dimension)])
        return parameters[name].spell(value)

    def _accepted_from(self) -> str:
        state = self.state
        for level in FEATURE_LEVELS:
            if not replace(state, view=replace(state.view, feature_level=level)).problems():
                return level
        return _("no level")


@cached(megabytes=8, words=False)
def _trace(state: State, *, second: bool = False) -> Trace:
    """The run of a state's operator, or of the one to compare it with."""
    runs = state.second() if second else state
    assert runs is not None
    return run(runs.operator(), state.inputs(), state.view.engine)


@cached(megabytes=4, words=False)
def state_of(link: str) -> AnyState:
    """The state that a link of a preset, of a lesson or of the glossary opens.

    Raises:
        Error: a part of the link is not possible.
    """
    opened = read_any_link(link)
    for problem in opened.problems:
        raise Error(problem.message, problem.field)
    assert opened.state is not None  # there was no problem
    return opened.state


def operator_state_of(link: str) -> State:
    """As :func:`state_of`, of a link to an operator's page."""
    return operator_state(state_of(link))


def operator_keys(links: Iterable[str]) -> tuple[str, ...]:
    """The keys of the operators that links open, each once and in order; code has none."""
    return tuple(dict.fromkeys(key for link in links for key in state_of(link).operators))


def facts_of(link: str) -> Facts | CodeFacts:
    """The facts of the state that a link opens.

    Raises:
        Error: a part of the link is invalid.
    """
    return facts_on(state_of(link))


_FACTS: Mapping[str, Callable[[Any], Facts | CodeFacts]] = {
    CODE: lambda state: CodeFacts(state, facts_of)
}
"""What facts are made of, by the key of a page; all others are an operator's."""


def facts_on(state: AnyState) -> Facts | CodeFacts:
    """The facts of a state."""
    return _FACTS.get(state.key, Facts)(state)


def fill(text: str, link: str) -> str:
    """The text with ``{out[0, 0, 2, 3]}`` and other fields filled in by the engine.

    Sizes such as ``{1, 1, 2, 3}`` stay: fields begin with a letter.

    Raises:
        Error: the state has no answer for a field.

    >>> fill("{1, 3} has {out[0, 4]} there.", "/tile?sizes=1,3&values=count-1&repeats=1,2")
    '{1, 3} has 2 there.'
    """
    return filled(text, facts_of(link))


def _size(tensors: Mapping[str, Array]) -> int:
    return sum(array.size for array in tensors.values())
