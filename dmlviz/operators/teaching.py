"""What an operator's folder says for teaching: its words, and states worth opening."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from dmlviz.operators.misreadings import Candidate
from dmlviz.tensors import print_value
from dmlviz.words import _

if TYPE_CHECKING:
    from dmlviz.operators.base import Operator
    from dmlviz.operators.other_names import OtherName

Array = np.ndarray[Any, Any]

FAMILIES = ("copy", "rearrange", "pick", "put", "combine", "fill")
"""What operators do, in the order in which they are shown."""


def family_title(family: str) -> str:
    """What a family does, in a few words.

    >>> [family_title(family) for family in FAMILIES][-2:]
    ['Combine and divide', 'Fill']
    """
    told = (
        _("Copy"),
        _("Rearrange"),
        _("Pick by index"),
        _("Put by index"),
        _("Combine and divide"),
        _("Fill"),
    )
    return dict(zip(FAMILIES, told, strict=True))[family]


class Teaching(Protocol):
    """The module ``teaching.py`` of an operator's folder."""

    ICON: str
    """Its sign in the navigation, a name of Material Symbols."""
    FAMILY: str
    """One of :data:`FAMILIES`."""

    @staticmethod
    def title() -> str:
        """What people call it."""

    @staticmethod
    def sentence() -> str:
        """What it does, in one sentence."""

    @staticmethod
    def misread(operator: Any, x: Any) -> Iterable[Candidate]:
        """Wrong outputs that people believe in, for a tensor of indices that nothing refuses.

        An operator that may have several inputs is given them by name: ``values`` numbered one
        tensor after the other, ``control`` as they are.
        """

    @staticmethod
    def presets() -> tuple[Question, ...]:
        """States worth opening, in the order in which to show them."""

    @staticmethod
    def names() -> tuple[OtherName, ...]:
        """What other libraries call it, each with a state in which both do exactly the same."""

    @staticmethod
    def cases() -> tuple[EngineCase, ...]:
        """Runs in which engines agree, refuse, or need another way; there may be none."""


class Run(Protocol):
    """What the reference engine did: see :class:`dmlviz.trace.Trace`."""

    @property
    def operator(self) -> Any:
        """What ran."""

    @property
    def inputs(self) -> Mapping[str, Array]:
        """What it ran on, by DirectML's names."""

    @property
    def outputs(self) -> Mapping[str, Array]:
        """What it gave, by DirectML's names."""

    @property
    def x(self) -> Array:
        """The input, where there is one."""

    @property
    def output(self) -> Array:
        """The output, where there is one."""

    @property
    def source(self) -> Array:
        """Where every element of the output comes from."""


class Opened(Protocol):
    """A preset as a page opens it, for writing its answer: see :class:`dmlviz.presets.Preset`."""

    @property
    def operator(self) -> Any:
        """The operator."""

    @property
    def second(self) -> Any:
        """The operator that it is compared with, or None."""

    @property
    def x(self) -> Array:
        """The input."""

    @property
    def refusal(self) -> str:
        """Why the operator refuses this input; empty where it does not."""

    def trace(self) -> Run:
        """What the operator does here."""

    def second_trace(self) -> Run:
        """What the second operator does here."""


@dataclass(frozen=True, eq=False)
class EngineCase:
    """A run that the page of engines offers.

    Attributes:
        key: its name among all cases.
        title: what is special about it, in a few words.
        operator, x: what runs on what: an array, or a mapping by DirectML's names.
    """

    key: str
    title: str
    operator: Operator
    x: Any

    @property
    def inputs(self) -> Mapping[str, Array]:
        """Every input by name, in the structure's order."""
        return self.operator.named_inputs(self.x, "x")


@dataclass(frozen=True)
class Input:
    """What a further input of an operator is to hold.

    Attributes:
        sizes: rank 1 to 8.
        values: the name of starting values; with ``literal``, always ``own``.
        data_type: one of the eleven, of a ``control`` input; a ``values`` input has that of the
            first.
        literal: own values, one after the other with commas.
    """

    sizes: tuple[int, ...]
    values: str = "own"
    data_type: str = ""
    literal: str = ""


@dataclass(frozen=True)
class Opening:
    """What a page is to show.

    Attributes:
        operator: with its settings; None for the documentation's example.
        sizes: of the input.
        values: the name of starting values; with ``literal``, always ``own``.
        data_type: one of the eleven.
        literal: own values, one after the other with commas.
        picture: for ``picture``, its name.
        compare: a second operator of the same kind.
        view: other parts of a :class:`dmlviz.states.View`, by name.
        more: the further inputs by DirectML's names, in order; sizes to picture are the first's.
    """

    operator: Operator | None = None
    sizes: tuple[int, ...] = ()
    values: str = "count-1"
    data_type: str = "INT32"
    literal: str = ""
    picture: str = ""
    compare: Operator | None = None
    view: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, Input] = field(default_factory=dict)


@dataclass(frozen=True)
class Question:
    """A state worth opening, and the one question that its picture answers.

    Attributes:
        key: its name among all presets; it begins with the operator's key.
        title: a few words, to choose it by.
        question: one question.
        tell: writes the answer from what the engine gave, so that its numbers are those on
            screen.
        opening: what the page shows.
        pictured: whether it is a card on Home, as one or two of an operator are; those compare
            nothing.
    """

    key: str
    title: str
    question: str
    tell: Callable[[Any], str]
    opening: Opening
    pictured: bool = False


def opening(
    operator: Operator,
    sizes: tuple[int, ...],
    values: str = "count-1",
    *,
    data_type: str = "INT32",
    literal: str = "",
    picture: str = "",
    compare: Operator | None = None,
    more: Mapping[str, Input] | None = None,
    **view: Any,
) -> Opening:
    """An :class:`Opening`, its view by keywords."""
    return Opening(
        operator, sizes, values, data_type, literal, picture, compare, view, dict(more or {})
    )


def listed(values: Array | Sequence[Any]) -> str:
    """Values one after the other, as the cells show them.

    >>> listed(np.array([1.0, 2.5], np.float32))
    '1, 2.5'
    """
    return ", ".join(print_value(value) for value in np.asarray(values).flat)
