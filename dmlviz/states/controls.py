"""The parts of a form as data: a page draws them, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from dmlviz.tensors.types import Sizes


@dataclass(frozen=True)
class FormControl:
    """One control of a form.

    Attributes:
        kind: ``menu``, ``switch``, ``text``, ``lines``, ``number``, ``slider``,
            ``grid`` or ``file``, which takes a picture.
        options: of a menu, the values to choose from.
        titles: what people read for each of the options; none if they are the options themselves.
            Of a file, what its button says, and what is said of a file that is no picture. Of a
            slider, its name in a row of several; none if that is its dimension.
        least, most, step: of a number or slider; ``most`` pixels of the longer side of a picture.
        sizes: of the tensor in a grid.
    """

    kind: str
    options: tuple[str | int, ...] = ()
    titles: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    step: float | None = None
    sizes: Sizes = ()

    def data(self) -> dict[str, Any]:
        """What a page's script reads; what is not set is left out."""
        return {name: value for name, value in vars(self).items() if value not in ((), None)}


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
        later: of a grid, makes the texts of its elements, which few open; none if they are invalid.
    """

    name: str
    label: str
    help: str
    controls: tuple[FormControl, ...]
    ranked: bool = False
    values: tuple[str, ...] = ()
    problem: str = ""
    later: Callable[[], tuple[str, ...]] | None = field(default=None, repr=False, compare=False)

    def data(self) -> dict[str, Any]:
        """What a page's script reads."""
        data = {**vars(self), "controls": [control.data() for control in self.controls]}
        later = data.pop("later")
        return data if later is None else data | {"values": later()}

    def with_values(self, values: tuple[str, ...], problem: str = "") -> FormField:
        """The same row with other texts in its controls, and why they are refused."""
        return replace(self, values=values, problem=problem)


@dataclass(frozen=True)
class FormGroup:
    """Fields below a heading.

    Attributes:
        title: the heading; empty if it has none.
        fields: its rows.
    """

    title: str
    fields: tuple[FormField, ...]

    def data(self) -> dict[str, Any]:
        """What a page's script reads."""
        rows = [row.data() for row in self.fields]
        # a grid of invalid elements cannot be drawn
        return {"title": self.title, "fields": [row for row in rows if row["values"]]}
