"""Sentences about problems, each beside its widget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dmlviz.app.text import plain
from dmlviz.base.errors import Problem, with_label

Place = str
"""The field that a place on the page belongs to."""


class Notices:
    """Keeps a place under each widget, and fills it after all widgets have been read."""

    def __init__(self) -> None:
        self._places: dict[Place, st.delta_generator.DeltaGenerator] = {}
        self._labels: dict[Place, str] = {}
        self._problems: list[Problem] = []

    def place(self, *fields: Place, label: str = "") -> None:
        """Make a place here for sentences about these fields.

        Args:
            fields: of problems.
            label: what the page calls the first of them; its sentences begin with this.
        """
        container = st.container()
        for field in fields:
            self._places[field] = container
        if label:
            self._labels[fields[0]] = label

    def add(self, problems: Sequence[Problem]) -> None:
        """Put each sentence into its place, or into the last place if it has none."""
        for problem in map(self._labeled, problems):
            self._problems.append(problem)
            place = self._places.get(problem.field)
            # a field without its own widget; the sentence must still be visible
            (place or st.container()).error(plain(problem.message), icon=":material/error:")

    def _labeled(self, problem: Problem) -> Problem:
        """The problem with a sentence that begins as its widget does."""
        label = self._labels.get(problem.field)
        if not label:
            return problem
        return replace(problem, message=with_label(problem.message, problem.field, label))

    @property
    def clear(self) -> bool:
        """Whether there are no problems."""
        return not self._problems

    @property
    def all(self) -> tuple[Problem, ...]:
        """All problems, in the order in which they were added."""
        return tuple(self._problems)
