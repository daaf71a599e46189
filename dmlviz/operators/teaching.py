"""An operator's teaching material: its texts and useful states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.texts import CaseText, Texts, translated
from dmlviz.tensors import print_value
from dmlviz.words import _

if TYPE_CHECKING:
    from dmlviz.operators.base import Operator
    from dmlviz.operators.other_names import OtherName

Array = np.ndarray[Any, Any]

FAMILIES = ("copy", "rearrange", "pick", "put", "combine", "fill")
"""The families of operators, in display order."""


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

    @property
    def ICON(self) -> str:  # noqa: N802
        """Its icon in the navigation, a name from Material Symbols."""

    @property
    def FAMILY(self) -> str:  # noqa: N802
        """One of :data:`FAMILIES`."""

    def title(self) -> str:
        """Its display name."""

    def sentence(self) -> str:
        """What it does, in one sentence."""

    def misread(self, operator: Any, x: Any) -> Iterable[Candidate]:
        """Plausible wrong outputs, for a valid tensor of indices.

        An operator that can have several inputs gets them by name: ``values`` numbered one
        tensor after the other, ``control`` unchanged.
        """

    def presets(self) -> tuple[Question, ...]:
        """Useful states, in display order."""

    def names(self) -> tuple[OtherName, ...]:
        """Its names in other libraries, each with a state in which both do exactly the same."""

    def cases(self) -> tuple[EngineCase | CaseText, ...]:
        """Runs in which engines agree, refuse, or need a lowering; can be empty."""


class Run(Protocol):
    """What the reference engine did: see :class:`dmlviz.trace.Trace`."""

    @property
    def operator(self) -> Any:
        """The operator that ran."""

    @property
    def inputs(self) -> Mapping[str, Array]:
        """Its inputs, by DirectML's names."""

    @property
    def outputs(self) -> Mapping[str, Array]:
        """Its outputs, by DirectML's names."""

    @property
    def x(self) -> Array:
        """The input, if there is only one."""

    @property
    def output(self) -> Array:
        """The output, if there is only one."""

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
        """The operator to compare it with, or None."""

    @property
    def x(self) -> Array:
        """The input."""

    @property
    def refusal(self) -> str:
        """Why the operator refuses this input; empty if it does not."""

    def trace(self) -> Run:
        """The operator's run."""

    def second_trace(self) -> Run:
        """The second operator's run."""


@dataclass(frozen=True, eq=False)
class EngineCase:
    """A run on the engines page.

    Attributes:
        key: its name among all cases.
        title: its special feature, in a few words.
        operator, x: the operator and its input: an array, or a mapping by DirectML's names.
        trap: an error in versions of a provider, and how dmlviz avoids it; empty if there is none.
    """

    key: str
    title: str
    operator: Operator
    x: Any
    trap: str = ""

    @property
    def inputs(self) -> Mapping[str, Array]:
        """Every input by name, in the structure's order."""
        return self.operator.named_inputs(self.x, "x")


@dataclass(frozen=True)
class Input:
    """The contents of another input of an operator.

    Attributes:
        sizes: rank 1 to 8.
        values: the name of starting values; with ``literal``, always ``own``.
        data_type: one of the eleven, for a ``control`` input; a ``values`` input has that of the
            first.
        literal: own values, one after the other with commas.
    """

    sizes: tuple[int, ...]
    values: str = "own"
    data_type: str = ""
    literal: str = ""


@dataclass(frozen=True)
class Opening:
    """What a page shows.

    Attributes:
        operator: with its settings; None for the documentation's example.
        sizes: of the input.
        values: the name of starting values; with ``literal``, always ``own``.
        data_type: one of the eleven.
        literal: own values, one after the other with commas.
        picture: for ``picture``, its name.
        compare: a second operator of the same kind.
        view: other parts of a :class:`dmlviz.states.View`, by name.
        more: other inputs by DirectML's names, in order; ``sizes`` to ``picture`` are the first's.
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
    """A useful state, and the one question that its picture answers.

    Attributes:
        key: its name among all presets; it begins with the operator's key.
        title: a few words, for menus.
        question: one question.
        tell: writes the answer from the engine's output, so that its numbers are those on
            screen; or a text with placeholders for :class:`dmlviz.teaching.facts.Facts`.
        opening: what the page shows, or a link to it.
        pictured: whether Home shows it as a card: one or two for each operator; those compare
            nothing.
    """

    key: str
    title: str
    question: str
    tell: Callable[[Any], str] | str
    opening: Opening | str
    pictured: bool = False


@dataclass(frozen=True)
class DeclaredTeaching:
    """What an operator's TOML file says, for those who ask for :class:`Teaching`.

    Attributes:
        key: the operator's.
        texts: the file.
    """

    key: str
    texts: Texts

    @property
    def ICON(self) -> str:  # noqa: N802
        """Its icon in the navigation."""
        return self.texts.icon

    @property
    def FAMILY(self) -> str:  # noqa: N802
        """One of :data:`FAMILIES`."""
        return self.texts.family

    def title(self) -> str:
        """Its display name."""
        return translated(self.texts.title)

    def sentence(self) -> str:
        """What it does."""
        return translated(self.texts.sentence)

    def misread(self, operator: Any, x: Any) -> Iterable[Candidate]:
        """Plausible wrong outputs."""
        misread: Iterable[Candidate] = operator.misread(x)
        return misread

    def presets(self) -> tuple[Question, ...]:
        """Useful states, in display order."""
        return tuple(
            Question(
                f"{self.key}-{text.key}",
                translated(text.title),
                translated(text.question),
                translated(text.answer),
                text.link,
                text.pictured,
            )
            for text in self.texts.presets
        )

    def names(self) -> tuple[OtherName, ...]:
        """Its names in other libraries."""
        # other names need the operators' base, which needs this module
        from dmlviz.operators.other_names import OtherName

        return tuple(
            OtherName(text.name, text.link, text.call, text.also, text.dialect)
            for text in self.texts.names
        )

    def cases(self) -> tuple[CaseText, ...]:
        """Runs in which engines agree, refuse, or need a lowering: as links."""
        return self.texts.cases


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
    """An :class:`Opening` with its view as keyword arguments."""
    return Opening(
        operator, sizes, values, data_type, literal, picture, compare, view, dict(more or {})
    )


def listed(values: Array | Sequence[Any]) -> str:
    """Values one after the other, as in the cells.

    >>> listed(np.array([1.0, 2.5], np.float32))
    '1, 2.5'
    """
    return ", ".join(print_value(value) for value in np.asarray(values).flat)
