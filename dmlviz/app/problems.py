"""Sentences about problems, each beside its widget."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dmlviz.app.text import plain
from dmlviz.errors import Problem

Place = str
"""The field that a place on the page belongs to."""


class Notices:
    """Keeps a place under each widget, and fills it after all widgets have been read."""

    def __init__(self) -> None:
        self._places: dict[Place, st.delta_generator.DeltaGenerator] = {}
        self._found: list[Problem] = []

    def place(self, *fields: Place) -> None:
        """Make a place here for sentences about these fields."""
        container = st.container()
        for field in fields:
            self._places[field] = container

    def add(self, problems: Sequence[Problem]) -> None:
        """Put each sentence into its place, or into the last place if it has none."""
        for problem in problems:
            self._found.append(problem)
            place = self._places.get(problem.field)
            # a field without its own widget; the sentence must still be visible
            (place or st.container()).error(plain(problem.message), icon=":material/error:")

    @property
    def clear(self) -> bool:
        """Whether there are no problems."""
        return not self._found

    @property
    def found(self) -> tuple[Problem, ...]:
        """All problems, in the order in which they were added."""
        return tuple(self._found)
