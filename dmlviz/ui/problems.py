"""Sentences about what is wrong, each beside the widget that it came from."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dmlviz.errors import Problem
from dmlviz.ui.text import plain

Place = str
"""The field that a place on the page is for."""


class Notices:
    """Keeps a place under each widget, and fills it once everything has been read."""

    def __init__(self) -> None:
        self._places: dict[Place, st.delta_generator.DeltaGenerator] = {}
        self._found: list[Problem] = []

    def place(self, *fields: Place) -> None:
        """A place for the sentences about these fields, here."""
        container = st.container()
        for field in fields:
            self._places[field] = container

    def add(self, problems: Sequence[Problem]) -> None:
        """Put each sentence into its place, or the last one where it has none."""
        for problem in problems:
            self._found.append(problem)
            place = self._places.get(problem.field)
            # a field without a widget of its own: the sentence still has to be seen
            (place or st.container()).error(plain(problem.message), icon=":material/error:")

    @property
    def clear(self) -> bool:
        """Whether nothing was wrong."""
        return not self._found

    @property
    def found(self) -> tuple[Problem, ...]:
        """All problems, as they came."""
        return tuple(self._found)
