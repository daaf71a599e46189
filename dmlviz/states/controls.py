"""The parts of a form as data: a page draws them, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.tensors.types import Sizes


@dataclass(frozen=True)
class FormControl:
    """One control of a form.

    Attributes:
        kind: ``menu``, ``switch``, ``text``, ``number``, ``slider`` (in the app a box for a
            number), ``grid``, ``file``, which takes a picture, or ``lines``: a box whose text the
            browser keeps while no address has it, and offers after a reload.
        options: of a menu, the values to choose from.
        titles: what people read for each of the options; none if they are the options themselves.
            Of a file, what its button says, and what is said of a file that is no picture. Of a
            slider, its name in a row of several; none if that is its dimension.
        accepts_more: whether a menu takes a text that it does not offer, too; what is invalid is
            refused as in a box.
        least, most, step: of a number or slider; ``most`` pixels of the longer side of a picture.
            A number is whole unless its step is a fraction.
        most_characters: of a text or of lines; None for as many as people type.
        sizes: of the tensor in a grid.
    """

    kind: str
    options: tuple[str | int, ...] = ()
    titles: tuple[str, ...] = ()
    accepts_more: bool = False
    least: float | None = None
    most: float | None = None
    step: float | None = None
    most_characters: int | None = None
    sizes: Sizes = ()

    @property
    def is_whole(self) -> bool:
        """Whether its numbers are whole."""
        return self.step is None or self.step % 1 == 0

    def data(self) -> dict[str, Any]:
        """What a page's script reads; what is not set is left out."""
        return {
            name: value
            for name, value in vars(self).items()
            if value not in ((), None) and value is not False
        }


@dataclass(frozen=True)
class FormField:
    """A row of a form.

    Attributes:
        name: of the parameter that it sets.
        label, help: for people; the help may be empty.
        controls: one, or one for each of the numbers of a ranked setting.
        ranked: whether the parameter is a list of numbers.
        values: of the controls, as text; none in a form whose values are kept elsewhere.
        problem: why its text is refused; empty if it is not.
        leads: whether other rows follow a change of it, which hosts then say.
        unavailable: why it has no effect now; empty if it has one.
        later: of a grid, makes the texts of its elements, which few open; none if they are invalid.
        title: the label that says which tensor it is of, where there are several; empty for the
            label itself.
        tensor: of a row of a tensor, its name.
        problems_of: the fields whose problems stand here, besides its own name.
        is_sizes: whether its text is the sizes of its tensor.
        is_number: whether it is a number that code leaves open.
        picture: :data:`PICTURES_ROW` or :data:`OWN_PICTURE_ROW`; empty for any other row.
    """

    name: str
    label: str
    help: str
    controls: tuple[FormControl, ...]
    ranked: bool = False
    values: tuple[str, ...] = ()
    problem: str = ""
    leads: bool = False
    unavailable: str = ""
    later: Callable[[], tuple[str, ...]] | None = field(default=None, repr=False, compare=False)
    title: str = ""
    tensor: str = ""
    problems_of: tuple[str, ...] = ()
    is_sizes: bool = False
    is_number: bool = False
    picture: str = ""

    @property
    def called(self) -> str:
        """How sentences about it begin, on every page."""
        return self.title or self.label

    def texts(self) -> tuple[str, ...]:
        """The texts of its controls, also those of a grid."""
        return self.values if self.values or self.later is None else self.later()

    def data(self) -> dict[str, Any]:
        """What a page's script reads; a row of which nothing special is declared says nothing."""
        special = {"leads": self.leads, "unavailable": self.unavailable}
        return {
            "name": self.name,
            "label": self.label,
            "help": self.help,
            "controls": [control.data() for control in self.controls],
            "ranked": self.ranked,
            "values": self.texts(),
            "problem": self.problem,
            **{name: value for name, value in special.items() if value},
        }

    def with_values(self, values: tuple[str, ...], problem: str = "") -> FormField:
        """The same row with other texts in its controls, and why they are refused."""
        return replace(self, values=values, problem=problem)

    def with_text(self, text: str, problem: str = "") -> FormField:
        """The same row with another text of its parameter, which has all its numbers."""
        return self.with_values(tuple(text.split(",")) if self.ranked else (text,), problem)


def offer_words() -> dict[str, str]:
    """What offers a text of a box that the browser has kept, in the reader's language."""
    return {
        "kept_text": _("Text that you typed here was kept in this tab of your browser:"),
        "use_text": _("Use it"),
        "delete_text": _("Delete it"),
    }


PICTURES_ROW, OWN_PICTURE_ROW = "pictures", "own"
"""What a row says of pictures: it is a menu of them; it is about the reader's own."""

SETTINGS, SECOND = "settings", "second"
"""The parts of a form that hosts draw apart: an operator's settings, and what is compared with."""


@dataclass(frozen=True)
class FormGroup:
    """Fields below a heading.

    Attributes:
        title: the heading; empty if it has none.
        fields: its rows.
        part: :data:`SETTINGS` or :data:`SECOND`; empty for any other group.
    """

    title: str
    fields: tuple[FormField, ...]
    part: str = ""

    def data(self) -> dict[str, Any]:
        """What a page's script reads."""
        rows = [row.data() for row in self.fields]
        # a grid of invalid elements cannot be drawn
        return {"title": self.title, "fields": [row for row in rows if row["values"]]}

    def with_problems(self, refused: Mapping[str, str], problems: Mapping[str, str]) -> FormGroup:
        """The same group with what is wrong with its rows.

        Args:
            refused: texts that stay in their controls although they are no part of the state, by
                the names of their rows.
            problems: a sentence for each row that has a problem, by name.
        """
        rows = (
            row.with_text(refused[row.name]) if row.name in refused else row for row in self.fields
        )
        return replace(self, fields=tuple(_with_problem(row, problems) for row in rows))


def _with_problem(row: FormField, problems: Mapping[str, str]) -> FormField:
    sentences = (problems[name] for name in (row.name, *row.problems_of) if name in problems)
    return replace(row, problem=next(sentences, ""))
