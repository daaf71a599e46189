"""What the widgets of the page for code describe: read once, before any of them is drawn."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dmlviz.app.described import PageDescription
from dmlviz.app.state import PageState, own_picture
from dmlviz.code import library_of
from dmlviz.code.inputs import INPUT_LIMIT
from dmlviz.code.libraries import library_beside
from dmlviz.errors import Error, Problem
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states.code import CODE, CodeState, chooses, fitted
from dmlviz.states.code_reading import OpenedCode, read_code_parameters
from dmlviz.states.inputs import InputState
from dmlviz.teaching.code_presets import usual_code
from dmlviz.tensors import (
    GO_ON,
    PICTURES,
    STARTING_VALUES,
    check_element_count,
    print_sizes,
)
from dmlviz.tensors.types import Sizes

_SOURCE = "dmlviz"

FITTED = "fitted"
"""Names of tensors, each with the sizes that it had and has since the code changed."""


class CodePage(PageState):
    """The keys of the page: every tensor has its own, by the name in the code."""

    of_code = True

    def page(self) -> CodePage:
        """The keys of the whole page."""
        return CodePage(self.cls)

    def of(self, name: str) -> CodePage:
        """The keys of a tensor's widgets."""
        return CodePage(self.cls, name)

    def names(self) -> tuple[str, ...]:
        """The tensors that the code takes."""
        return tuple(st.session_state.get(f"{CODE}_names", ()))

    def data_type(self) -> str:
        """The data type of all tensors whose elements move."""
        return str(self.page().get("data_type"))

    def value_options(self) -> tuple[str, ...]:
        """The starting values that are offered for this tensor."""
        further = self.names()[:1] != (self.part,)
        return (*((GO_ON,) if further else ()), *STARTING_VALUES, "own")

    @property
    def chosen_by(self) -> bool:
        """Whether this tensor only chooses elements."""
        return bool(self.get("chooses"))

    def text(self, prefix: str = "") -> str:
        """The code as typed; that of B with the prefix ``b_``."""
        return str(self.get(f"{prefix}text", ""))

    def tensor(self, sizes: Sizes) -> InputState:
        """This tensor as its widgets describe it."""
        if self.chosen_by:
            return InputState(sizes, "", "own", str(self.get("literal", "")))
        return self.input_state(sizes)

    def library(self, text: str) -> str:
        """The chosen library as :class:`CodeState` has it: empty if it is the one to guess."""
        library = str(self.get("library", ""))
        return "" if library == library_of(text) else library

    def second_library(self, text: str) -> str:
        """The same of B, whose guess depends on the library of A."""
        library = str(self.get("b_library", ""))
        return "" if library == library_beside(text, str(self.get("library"))) else library

    def tensors(self) -> tuple[tuple[str, InputState], ...]:
        """All tensors as their widgets describe them, but those with invalid sizes."""
        tensors = []
        for name in self.names():
            with suppress(Error):
                tensors.append((name, self.of(name).tensor(self.of(name).sizes())))
        return tuple(tensors)

    def typed_sizes(self) -> frozenset[str]:
        """The names of the tensors whose sizes a reader has typed."""
        names: frozenset[str] = st.session_state.get(f"{CODE}_typed", frozenset())
        return names

    def keep_sizes(self, names: Collection[str]) -> None:
        """Let the sizes of these tensors stay when the code changes."""
        st.session_state[f"{CODE}_typed"] = frozenset(names)

    def read(self, query: Mapping[str, str]) -> OpenedCode:
        """What an address says in this session."""
        return read_code_parameters(query, usual_code(), own_picture())

    def open(self, query: Mapping[str, str]) -> None:
        """Load a link's state."""
        opened = self.read(query)
        self.put(opened.state)
        self.address.open(opened.state.without_player(), opened.problems)
        self.show_view(opened.state.view)

    def reset(self) -> None:
        """Load what a new page shows."""
        self.take(usual_code())

    def take(self, state: CodeState) -> None:  # type: ignore[override]  # another page's state
        """Load a state and its view as a link does; call in a callback."""
        self.put(state)
        self.keep_sizes(())
        self.address.change(messages=())
        self.show_view(state.view)

    def put(self, state: CodeState) -> None:  # type: ignore[override]
        """Put a state into the widgets; only before they are drawn, or in a callback."""
        self.set("text", state.code)
        self.set("library", state.reads_as)
        self.set("chosen", bool(state.library))
        self.set("call", state.call)
        self.set(FITTED, ())
        self.set("compare", bool(state.compare))
        self.set("b_text", state.compare)
        second = state.second()
        self.set("b_library", (second or state).reads_as)
        self.set("b_chosen", bool(state.compare_library))
        self.put_view(state.view)
        self.put_tensors(state.tensors)

    def put_tensors(self, tensors: tuple[tuple[str, InputState], ...]) -> None:
        """Put tensors into their widgets."""
        st.session_state[f"{CODE}_names"] = tuple(name for name, _tensor in tensors[:INPUT_LIMIT])
        self.set("data_type", next((g.data_type for _n, g in tensors if g.data_type), "FLOAT32"))
        for name, tensor in tensors[:INPUT_LIMIT]:
            keys = self.of(name)
            keys.set("sizes", print_sizes(tensor.sizes).strip("{}"))
            keys.set("chooses", chooses(tensor))
            keys.set("values", tensor.values)
            keys.set("seed", tensor.seed)
            keys.set("picture", tensor.picture or next(iter(PICTURES)))
            if tensor.values == "own":
                keys.set("literal", tensor.literal)

    def refit(self, fixed: Collection[str]) -> None:
        """Let the tensors follow the code, but for some sizes; all calls are on the stage."""
        text = self.text()
        self.put_tensors(fitted(text, self.library(text), self.tensors(), fixed))
        self.set("call", 0)


@dataclass(frozen=True)
class DescribedCode(PageDescription):
    """What the widgets of the page describe.

    Attributes:
        state: as of :class:`PageDescription`, and None while sizes or values are invalid.
        refused: why the code is refused, or None.
        second_refused: why the code to compare it with is refused, or None.
        boxes: how many lines each code has, and its library.
    """

    state: CodeState | None = None
    refused: Error | None = None
    second_refused: Error | None = None
    boxes: tuple[Any, ...] = ()

    @property
    def complete(self) -> bool:
        """As of :class:`PageDescription`: no code is refused."""
        return super().complete and self.refused is None and self.second_refused is None

    @property
    def outline(self) -> tuple[Any, ...]:
        """How high the boxes of codes are, their libraries, and which tensors there are."""
        tensors = () if self.state is None else self.state.tensors
        return (self.boxes, *((name, chooses(tensor)) for name, tensor in tensors))


def describe_code(page: CodePage) -> DescribedCode:
    """What the widgets describe, before they are drawn."""
    text, other = page.text(), page.text("b_") if page.get("compare") else ""
    libraries = (page.get("library"), page.get("b_library"))
    described = DescribedCode(boxes=(text.count("\n"), other.count("\n"), *libraries))
    sizes, problems = _sizes(page)
    if problems:
        return replace(described, sizes=sizes, problems=problems)
    tensors = tuple((name, page.of(name).tensor(of)) for name, of in sizes.items())
    state = CodeState(text, page.library(text), tensors, page.get("call", 0), page.view())
    if other.strip():
        library = page.second_library(other)
        state = replace(state, call=0, compare=other, compare_library=library)
    try:
        arrays = state.arrays()
        described = replace(described, sizes=sizes, inputs=arrays, state=state.printed())
    except Error as error:
        part = error.field.rpartition(".")[0]
        field = page.of(part).field("literal" if page.of(part).get("values") == "own" else "values")
        field = field if part in page.names() else error.field
        return replace(described, sizes=sizes, problems=(Problem(field, str(error), _SOURCE),))
    for name, x in arrays.items():
        page.of(name).set("last", x)
    return _drawn(described, state)


def _sizes(page: CodePage) -> tuple[dict[str, Sizes], tuple[Problem, ...]]:
    """The valid sizes of every tensor, and what is wrong with the others."""
    sizes: dict[str, Sizes] = {}
    problems: list[Problem] = []
    for name in page.names():
        keys = page.of(name)
        try:
            of = keys.sizes()
            check_element_count(of, STAGE_LIMIT, "sizes")
            sizes[name] = of
        except Error as error:
            problems.append(keys.problem(Problem("sizes", str(error), _SOURCE)))
    return sizes, tuple(problems)


def _drawn(described: DescribedCode, state: CodeState) -> DescribedCode:
    """The same with its pictures, or with why there are none."""
    try:
        described = replace(described, drawn=state.picture())
    except Error as error:
        described = replace(described, refused=error)
    try:
        if described.drawn is not None:
            return replace(described, other=state.second_picture())
        # B may be refused as well, at its own place
        second = state.second()
        if second is not None:
            second.chain()
    except Error as error:
        return replace(described, second_refused=error)
    return described
