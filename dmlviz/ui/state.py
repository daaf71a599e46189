"""Where a page keeps what a person has set: in widgets, by keys that start with the page."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

import numpy as np
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dmlviz.links import LINK_LIMIT
from dmlviz.operators import Operator
from dmlviz.operators.settings import MOST_TYPED
from dmlviz.scene import DIRECTIONS
from dmlviz.states import (
    MOST_NUMBER,
    PLAYER_WORDS,
    Opened,
    State,
    View,
    first_state,
    printed_own,
    read_words,
    settings_of,
    value_options,
)
from dmlviz.states.settings import Settings
from dmlviz.tensors import (
    MAX_RANK,
    PICTURES,
    data_type_of,
    print_literal,
    print_sizes,
    read_sizes,
)
from dmlviz.ui.address import address_words, go
from dmlviz.words import language

__all__ = ["KEEP", "MOST_NUMBER", "STAYED", "PageState"]

Array = np.ndarray[Any, Any]

KEEP: Any = "session"
"""``persist_state`` of every widget: what is set survives a visit to another page."""

STAYED = "stayed"
"""Whether the page that runs is the one that ran before."""

_PAST = 20
"""How many addresses of a page are remembered."""


class PageState:
    """The keys of one operator's page."""

    def __init__(self, cls: type[Operator], part: str = "") -> None:
        self.cls = cls
        self.part = part

    def second(self) -> PageState:
        """The keys of the operator that this one is compared with."""
        return PageState(self.cls, "b")

    def key(self, name: str, part: int | str = "") -> str:
        """The key of a widget; ``part`` for one of several of a name."""
        prefix = self.cls.key.replace("-", "_") + (f"_{self.part}" if self.part else "")
        return f"{prefix}_{name}_{part}" if part != "" else f"{prefix}_{name}"

    def get(self, name: str, default: Any = None) -> Any:
        """What a widget of this page holds now."""
        return st.session_state.get(self.key(name), default)

    def set(self, name: str, value: Any) -> None:
        """Set a widget; only before it is drawn, or in a callback."""
        st.session_state[self.key(name)] = value

    def begin(self) -> None:
        """The documentation example on the first visit; a link's state whenever one was opened.

        Streamlit's binding of a parameter to a widget drops without a word what the widget
        cannot hold, and names parameters by widgets' keys; so the page reads and writes
        ``st.query_params`` itself.
        """
        query, words = address_words(), _words()
        if self.key("sizes") not in st.session_state and not query:
            self.load(0)
            self._remember({}, first_state(self.cls.key))
        elif self._is_new(words):
            self.open(query)
        spoken, asked = self.get("told", ("", {}))
        if self.get("link_problems") and spoken != language():
            self._tell(asked, read_words(self.cls.key, asked))

    def _is_new(self, words: dict[str, str]) -> bool:
        """Whether somebody has opened an address with these words, just now."""
        if self.key("sizes") not in st.session_state:
            return True
        if words == self.get("link"):
            return False
        if by_history():
            return True
        # a change may be on its way before the address of the last one has arrived
        late = st.session_state.get(STAYED, False) and words in self.get("past", ())
        # without words the page is only visited again
        return bool(words) and not late

    def _remember(self, words: dict[str, str], state: State) -> None:
        """That the address has these words, which mean this state."""
        self.set("link", words)
        self.set("linked", state)
        self.set("past", [*self.get("past", ()), words][-_PAST:])

    def follow(self, state: State) -> None:
        """Make the address that of the state, unless it already means it."""
        if state == self.get("linked") and _words() == self.get("link"):
            return
        if state != self.get("linked"):
            # somebody has gone on from there
            self.set("link_problems", [])
        self._remember(state.words(), state)
        # the player's words are its own: it puts them back where they belong
        go(state.words())

    def now(
        self, operator: Operator, sizes: tuple[int, ...], x: Array | None, view: View
    ) -> State | None:
        """The state that the widgets describe, as far as the server keeps it, or None.

        Args:
            operator: what the widgets describe.
            sizes: of the input.
            x: the input, or None where the values are being mended.
            view: how it is looked at.
        """
        values = str(self.get("values"))
        if values == "own" and (x is None or x.size > LINK_LIMIT):
            return None
        return State(
            self.cls.key,
            sizes,
            str(self.get("data_type")),
            values,
            literal=printed_own(x) if values == "own" and x is not None else "",
            seed=int(self.get("seed") or 0) if values == "random" else 0,
            picture=str(self.get("picture") or next(iter(PICTURES))) if values == "picture" else "",
            settings=settings_of(operator),
            view=view,
        )

    def reset(self) -> None:
        """The documentation example, and no feature level that might refuse it."""
        self.put(first_state(self.cls.key))
        self.set("link_problems", [])

    def take(self, state: State) -> None:
        """A state as a link would open it, its view included; in a callback."""
        self.put(state)
        self.set("link_problems", [])
        self.set("view", state.view)
        self.set("opened", self.get("opened", 0) + 1)

    def load(self, number: int) -> None:
        """A documentation example: sizes, data type, values and settings."""
        example = self.cls.examples()[number]
        self._set_sizes(example.x.shape)
        self.set("data_type", data_type_of(example.x.dtype))
        self.set("values", f"example-{number}")
        self.apply(settings_of(example.operator))

    def _set_sizes(self, sizes: tuple[int, ...]) -> None:
        """The input's sizes, for which settings follow."""
        self.set("sizes", print_sizes(sizes).strip("{}"))
        self.set("fitted", sizes)
        self.second().set("fitted", sizes)

    def fit(self, sizes: tuple[int, ...]) -> None:
        """Let the settings follow the input's sizes, before their widgets are drawn."""
        before = tuple(self.get("fitted", sizes))
        self.set("fitted", sizes)
        if before == sizes:
            return
        values = {}
        for parameter in self.cls.parameters():
            if parameter.ranked:
                held = [self.get(f"{parameter.name}_{d}") for d in range(len(sizes))]
                numbers = tuple(takewhile(lambda number: number is not None, held))
                # a box that was emptied stays so
                if len(numbers) >= min(len(before), len(sizes)):
                    values[parameter.name] = numbers
        for name, numbers in self.cls.fitted(values, sizes, before).items():
            for d, number in enumerate(numbers):
                self.set(f"{name}_{d}", number)

    def apply(self, settings: Settings) -> None:
        """An operator's settings."""
        texts = dict(settings)
        for parameter in self.cls.parameters():
            if parameter.name not in texts:
                continue
            value = parameter.read(texts[parameter.name])
            if parameter.ranked:
                for d, number in enumerate(value):
                    st.session_state[self.key(parameter.name, d)] = number
            else:
                text = texts[parameter.name]
                self.set(parameter.name, text if parameter.typed else value)

    def open(self, query: Mapping[str, str]) -> None:
        """The state that a link names; what no widget can hold is left out and reported."""
        opened = read_words(self.cls.key, query)
        assert opened.state is not None  # the page is there
        self.put(opened.state)
        for name, text in opened.typed.items():
            self.set(name, text[:MOST_TYPED] if name == "padding_value" else text)
        if "sizes" in query and "sizes" not in opened.typed:
            self.set("sizes", query["sizes"].strip())
        self._tell(query, opened)
        self._remember(_words(), opened.state.without_player())
        self.set("view", opened.state.view)
        self.set("opened", self.get("opened", 0) + 1)

    def _tell(self, query: Mapping[str, str], opened: Opened) -> None:
        """Keep what is to be said of an address, and the address, to say it in other words."""
        # what stands in a widget has its sentence there
        told = [p.message for p in opened.problems if p.field not in opened.typed]
        self.set("link_problems", told)
        self.set("told", (language(), query))

    def put(self, state: State) -> None:
        """Everything that the widgets can hold of a state, into them."""
        view = state.view
        self._set_sizes(state.sizes)
        self.set("data_type", state.data_type)
        self.set("values", state.values)
        self.set("seed", state.seed)
        self.set("picture", state.picture or next(iter(PICTURES)))
        for parameter in self.cls.parameters():
            if parameter.ranked:
                for d, number in enumerate(parameter.neutral((1,) * MAX_RANK)):
                    st.session_state[self.key(parameter.name, d)] = number
        # what is hidden by the other settings has to hold something too
        self.apply(first_state(self.cls.key).settings)
        self.apply(state.settings)
        if state.values == "own" and state.literal:
            self.set("literal", print_literal(state.x()))
        self.set("feature_level", view.feature_level)
        self.set("engine", view.engine)
        for d in range(MAX_RANK):
            self.set_direction(d, dict(view.directions).get(d, "auto"))
        self.set("compare", view.compare is not None)
        self.set("predict", view.predict)
        other = self.second()
        other.set("begun", view.compare is not None)
        if view.compare is not None:
            other.apply(view.compare)

    def set_direction(self, d: int, direction: str) -> None:
        """Where the planes of an outer dimension go."""
        st.session_state[self.key("direction", d)] = direction

    def directions(self, rank: int) -> tuple[tuple[int, str], ...]:
        """For the outer dimensions, where their planes go if not by themselves."""
        chosen = ((d, self.get(f"direction_{d}", "auto")) for d in range(rank - 2))
        return tuple((d, way) for d, way in chosen if way in DIRECTIONS[1:])

    def value_options(self) -> tuple[str, ...]:
        """The starting values that this page offers."""
        return value_options(self.cls)

    def fill_own(self, values: Any) -> None:
        """Put values into the text of own values, as the documentation prints them."""
        self.set("literal", print_literal(values))
        self.set("values", "own")

    def sizes(self) -> tuple[int, ...]:
        """The sizes as typed.

        Raises:
            Error: they are none.
        """
        return read_sizes(str(self.get("sizes", "")))


def by_history() -> bool:
    """Whether the browser's back or forward button brought the address."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _words() -> dict[str, str]:
    """The words of the address that are not the player's own."""
    query = address_words()
    return {name: text for name, text in query.items() if name not in PLAYER_WORDS}
