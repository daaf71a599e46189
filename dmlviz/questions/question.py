"""A question with its choices, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dmlviz.operators import Operator
from dmlviz.tensors.types import Array

KINDS = ("sizes", "source", "value", "setting", "refused")
"""The kinds of questions."""

LEVELS = (1, 2, 3)
"""1: up to 32 elements, in order, in one or two dimensions if the operator allows it; 2: four
dimensions, as in the documentation; 3: several dimensions change, elements in any order, and what
is refused depends on feature levels."""


@dataclass(frozen=True)
class Choice:
    """One answer choice.

    Attributes:
        text: the answer.
        why: what is wrong with it, with its own numbers; empty for the right one.
    """

    text: str
    why: str = ""


@dataclass(frozen=True, eq=False)
class Question:
    """One question; exactly one of its choices is right, by the engine.

    Attributes:
        kind: one of :data:`KINDS`.
        level: one of :data:`LEVELS`.
        operator, x: the operator and its input, or inputs by name if there are several; for
            ``refused``, valid ones.
        prompt: the question in words, with all settings.
        choices: two to four, with different texts.
        right: the number of the right one.
        marked: the index of the output cell in question, or None.
        explanation: why the right one is right, with its numbers.
        shows: what can be drawn with the question: ``input``, ``both`` (input and output),
            ``support`` (the operator's table of feature levels) or ``none``.
        output: the name of the output that holds the marked cell, if there can be several.
    """

    kind: str
    level: int
    operator: Operator
    x: Any
    prompt: str
    choices: tuple[Choice, ...]
    right: int
    marked: tuple[int, ...] | None
    explanation: str
    shows: str
    output: str = ""

    @property
    def inputs(self) -> Mapping[str, Array]:
        """Every input by DirectML's name."""
        return self.operator.named_inputs(self.x, "x")
