"""Where a page keeps what a person has set: in widgets, by keys that start with the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dmlviz.links import write
from dmlviz.operators import FEATURE_LEVELS, Operator
from dmlviz.operators.parameters import Choice, Parameter, PerDimension
from dmlviz.tensors import (
    DATA_TYPES,
    MAX_RANK,
    STARTING_VALUES,
    data_type_of,
    print_literal,
    print_sizes,
    read_sizes,
)
from dmlviz.words import _

KEEP: Any = "session"
"""``persist_state`` of every widget: what is set survives a visit to another page."""

MOST_LINK = 200_000
MOST_NUMBER = 65_536
"""The largest number that a widget for one dimension takes."""


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
        """The documentation example on the first visit; a link's state whenever one was opened."""
        if self.key("sizes") not in st.session_state:
            self.load(0)
        query = st.query_params.to_dict()
        if query and self.get("link") != query:
            self.set("link", query)
            self.open(query)

    def reset(self) -> None:
        """The documentation example, and no feature level that might refuse it."""
        self.load(0)
        self.set("feature_level", None)
        self.set("link_problems", [])

    def load(self, number: int) -> None:
        """A documentation example: sizes, data type, values and settings."""
        example = self.cls.examples()[number]
        self.set("sizes", print_sizes(example.x.shape).strip("{}"))
        self.set("data_type", data_type_of(example.x.dtype))
        self.set("values", f"example-{number}")
        self.apply(example.operator)

    def apply(self, operator: Operator) -> None:
        """An operator's settings."""
        settings = operator.settings
        for parameter in self.cls.parameters():
            value = settings[parameter.name]
            if isinstance(parameter, PerDimension):
                for d, number in enumerate(value):
                    st.session_state[self.key(parameter.name, d)] = number
            else:
                text = write(value) if isinstance(value, float) else value
                self.set(parameter.name, text)

    def open(self, query: Mapping[str, str]) -> None:
        """The state that a link names; what no widget can hold is left out and reported."""
        problems = []
        example = query.get("values", "")
        if example.startswith("example-") and example in self.value_options():
            self.load(int(example.removeprefix("example-")))
        for name, text in query.items():
            if not self._open_part(name, text):
                problems.append(
                    _("link: {name}={value} is not possible here and was left out.").format(
                        name=name[:40], value=text[:60]
                    )
                )
        self.set("link_problems", problems[:10])

    def _open_part(self, name: str, text: str) -> bool:
        if name in ("sizes", "literal"):
            self.set(name, text[:MOST_LINK])
            return True
        options = {
            "data_type": tuple(DATA_TYPES),
            "values": self.value_options(),
            "feature_level": FEATURE_LEVELS,
        }
        if name in options:
            if text in options[name]:
                self.set(name, text)
            return text in options[name]
        for parameter in self.cls.parameters():
            if parameter.name == name:
                return self._open_parameter(parameter, text)
        return False

    def _open_parameter(self, parameter: Parameter, text: str) -> bool:
        if isinstance(parameter, PerDimension):
            numbers = [_whole(word) for word in text.split(",")[: MAX_RANK + 1]]
            if len(numbers) > MAX_RANK or not all(
                n is not None and parameter.least <= n <= MOST_NUMBER for n in numbers
            ):
                return False
            for d, number in enumerate(numbers):
                st.session_state[self.key(parameter.name, d)] = number
        elif isinstance(parameter, Choice):
            known = parameter.options(())
            number = _whole(text)
            if not all(isinstance(option, int) for option in known):
                if text not in known:
                    return False
                self.set(parameter.name, text)
            elif number is None or not 1 <= number <= MOST_NUMBER:
                return False
            else:
                # one that does not divide is kept, with a sentence under it
                self.set(parameter.name, number)
        else:
            self.set(parameter.name, text[:60])
        return True

    def value_options(self) -> tuple[str, ...]:
        """The starting values that this page offers."""
        examples = tuple(f"example-{i}" for i in range(len(self.cls.examples())))
        return (*examples, *STARTING_VALUES, "own")

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


def _whole(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 11 else None
