"""Presets of the page for code, each with one question; the engine fills in the answers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from dmlviz.code import ChainTrace
from dmlviz.code.source import TEXT_LIMIT
from dmlviz.errors import Error
from dmlviz.kept import kept
from dmlviz.operators.texts import translated
from dmlviz.states import View
from dmlviz.states.code import CodeState, fitted, read_code_parameters
from dmlviz.teaching.facts import element_index, filled, print_values, unknown_fact
from dmlviz.tensors import print_sizes
from dmlviz.tensors.numbering import print_cell
from dmlviz.tensors.types import Array

_NAME = re.compile(r"\.?[A-Za-z_][\w.]*(?:\(\))?")
_LAST_CALL = re.compile(r"(\w+)\(")
_FILE = Path(__file__).parent / "code.toml"
_ELEMENTS = re.compile(r"(source of )?(\w+)\[([0-9:]+(?:, [0-9:]+)*)\]")
_COPY = re.compile(r"(copy|copies) of (\w+)\[([0-9]+(?:, [0-9]+)*)\]")
_SIZES = re.compile(r"(?:sizes of (\w+)|(\w+ )?sizes)(?:\[([0-9])\])?")


@dataclass(frozen=True)
class CodePreset:
    """Useful code, and the one question that its picture answers.

    Attributes:
        key: its name among all presets of the page.
        title: a few words, for menus.
        question: one question.
        template: the answer, with placeholders for :class:`CodeFacts`.
        state: what the page opens.
        pictured: whether Home shows it as a card.
    """

    key: str
    title: str
    question: str
    template: str
    state: CodeState
    pictured: bool = False

    @property
    def link(self) -> str:
        """Its address, relative to the app's root."""
        return self.state.address()

    @property
    def refusal(self) -> str:
        """Why the code is refused, if the preset shows that; otherwise empty."""
        try:
            self.state.chain()
        except Error as error:
            return str(error)
        return ""

    @property
    def opens(self) -> bool:
        """Whether there is a picture; if not, the refusal is the answer."""
        return not self.refusal

    @property
    def answer(self) -> str:
        """A few sentences with the numbers on screen; this runs the code."""
        return filled(self.template, CodeFacts(self.state))

    def matches(self, state: CodeState) -> bool:
        """Whether a page asks this question: call, engine and layout do not matter."""
        return replace(state, call=0, view=View()) == replace(self.state, call=0, view=View())


@kept(megabytes=0.5)
def code_presets() -> tuple[CodePreset, ...]:
    """The presets of the page for code, in display order; the first is what a new page shows.

    >>> code_presets()[0].key
    'split-columns'
    """
    return tuple(
        CodePreset(
            text["key"],
            translated(text["title"]),
            translated(text["question"]),
            translated(text["answer"]),
            _state(text["state"]),
            text.get("pictured", False),
        )
        for text in tomllib.loads(_FILE.read_text(encoding="utf-8"))["presets"]
    )


def _state(parameters: dict[str, str]) -> CodeState:
    opened = read_code_parameters(parameters, CodeState(""))
    for problem in opened.problems:
        raise Error(problem.message, problem.field)
    return opened.state


@kept(megabytes=0.1)
def _calls() -> dict[str, CodeState]:
    """For each name of a call, a line to begin with."""
    calls = tomllib.loads(_FILE.read_text(encoding="utf-8"))["calls"]
    return {name: _state(call["state"]) for call in calls for name in call["names"]}


def code_named(text: str) -> CodeState | None:
    """The code that a search asks for: the text itself if it moves elements, or a name's example.

    Args:
        text: what a user typed.

    >>> code_named("x.reshape(2,3,4).permute(0,2,1)").all_sizes
    {'x': (2, 12)}
    >>> code_named("torch.roll").code
    'np.roll(x, 1, axis=1)'
    >>> code_named("softmax") is None
    True
    """
    text = text.strip()[:TEXT_LIMIT]
    state = CodeState(text)
    with suppress(Error):
        state = replace(state, tensors=fitted(text, "", ()))
        if state.tensors and state.chain().operations:
            return state
    if _NAME.fullmatch(text):
        return _calls().get(text.rpartition(".")[2].strip("()").lower())
    # an example of the last call, such as view of x.view(a, b)
    calls = _LAST_CALL.findall(text)
    return _calls().get(calls[-1].lower()) if calls else None


def usual_code() -> CodeState:
    """What a new page for code shows."""
    return code_presets()[0].state


class CodeFacts:
    """The facts of code, by name: the engine answers, so that no numbers are typed by hand.

    Args:
        state: the code and its tensors; the reader can refuse it.
    """

    def __init__(self, state: CodeState) -> None:
        self.state = state
        self._run: ChainTrace | None = None

    def __call__(self, fact: str) -> str:
        """The answer as text.

        Args:
            fact: one of

                * ``out[0, 1, :]``, ``x[...]``, ``t1[...]``: values of a tensor of the chain by its
                  name; ``:`` means a whole dimension; a name alone means all values;
                * ``source of out[...]``: the input element that an output element copies;
                * ``copy of x[...]``: the first output element that copies an input element;
                  ``copies of x[...]``: how many do;
                * ``sizes`` of the output, ``input sizes`` of the first input, ``sizes of a``,
                  ``t1 sizes``; and one of them, such as ``t1 sizes[2]``;
                * ``elements``, ``input elements``: how many; ``constants``: how many output
                  elements have no source; ``not copied``: how many input elements none copies;
                * ``calls``: how many; ``message``: why the code is refused.

        Raises:
            Error: there is no such fact, or the code does not have it.
        """
        plain: dict[str, Callable[[], int | str]] = {
            "elements": lambda: sum(x.size for x in self._trace.outputs.values()),
            "input elements": lambda: sum(x.size for x in self._trace.inputs.values()),
            "constants": lambda: sum(int((s < 0).sum()) for s in self._sources),
            "not copied": lambda: self._not_copied,
            "calls": lambda: len(self._trace.chain.operations),
            "message": lambda: self._message,
        }
        if fact in plain:
            return str(plain[fact]())
        if match := _COPY.fullmatch(fact):
            return self._copies(match[1], match[2], match[3])
        if match := _SIZES.fullmatch(fact):
            return self._sizes(match[1] or (match[2] or "").strip(), match[3])
        if match := _ELEMENTS.fullmatch(fact):
            return self._elements(match[2], match[3], source=bool(match[1]))
        return print_values(self._tensor(fact))

    @property
    def _trace(self) -> ChainTrace:
        self._run = self._run or self.state.trace()
        return self._run

    @property
    def _sources(self) -> list[Array]:
        return list(self._trace.sources.values())

    @property
    def _not_copied(self) -> int:
        every = np.arange(sum(x.size for x in self._trace.inputs.values()))
        copied = np.concatenate([source.ravel() for source in self._sources])
        return int(np.setdiff1d(every, copied).size)

    @property
    def _message(self) -> str:
        try:
            self.state.chain()
        except Error as error:
            return str(error)
        raise unknown_fact("message")

    def _tensor(self, name: str) -> Array:
        trace = self._trace
        for tensors in (trace.outputs, trace.every.outputs, trace.inputs, trace.chain.controls):
            if name in tensors:
                tensor: Array = tensors[name]
                return tensor
        raise unknown_fact(name)

    def _sizes(self, name: str, dimension: str | None) -> str:
        trace = self._trace
        name = {"": next(iter(trace.outputs)), "input": next(iter(trace.inputs))}.get(name, name)
        sizes = self._tensor(name).shape
        return print_sizes(sizes) if dimension is None else str(sizes[int(dimension)])

    def _elements(self, name: str, index: str, *, source: bool) -> str:
        if not source:
            tensor = self._tensor(name)
            return print_values(np.asarray(tensor[element_index(index, tensor)]))
        sources = self._trace.sources[name]
        return print_cell(int(sources[element_index(index, sources)]), self._trace.inputs, "")

    def _copies(self, what: str, name: str, index: str) -> str:
        trace = self._trace
        names = list(trace.inputs)
        if name not in names:
            raise unknown_fact(f"{what} of {name}")
        first = sum(trace.inputs[other].size for other in names[: names.index(name)])
        tensor = trace.inputs[name]
        number = first + int(np.ravel_multi_index(element_index(index, tensor), tensor.shape))
        line = np.concatenate([source.ravel() for source in self._sources])
        cells = np.flatnonzero(line == number)
        if what == "copies":
            return str(cells.size)
        if not cells.size:
            raise unknown_fact(f"{what} of {name}[{index}]")
        return print_cell(int(cells[0]), trace.outputs, "")
