"""Why code is refused: a kind, a place, and one sentence that says what would work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from dmlviz.base.budget import BudgetSpent, budget
from dmlviz.base.errors import Error, Place
from dmlviz.base.words import _
from dmlviz.code.conventions import Conventions
from dmlviz.tensors.sizes import READ_LIMIT

if TYPE_CHECKING:
    from dmlviz.code.code_parts import CodePart, CodeParts, Computing

READING = {"items": 65_536, "expressions": 5_000, "elements": 3 * READ_LIMIT}
"""What reading one text may cost: items of lists that are made or walked, expressions that are
evaluated, each turn of a loop included, and elements of tensors (48 MB of sources): the largest
tensor is copied twice."""

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "syntax": "Python has no such text, or the reader does not take this part of Python",
        "name": "a name, function or method that is not in the tables",
        "computes": "the result holds new values",
        "values": "where elements go depends on values that the reader does not have",
        "sizes": "the sizes do not fit",
        "argument": "an argument does not fit",
        "view": "memory that several tensors share, or that cannot be read in this way",
        "order": "two elements are written to one place",
        "limit": "more than the reader takes",
        "nothing": "no element of an input reaches a result",
    }
)
"""Every kind of refusal, for programs; people read the message."""


class CodeRefused(Error):
    """Code that is not a movement of elements, or that the reader does not take.

    Attributes:
        kind: one of :data:`KINDS`.
        place: the part of the code that is refused; None if it is the code as a whole.
        reading_again: the arguments of :func:`dmlviz.code.code_parts.parts_of` with which the code
            is read around the calls that compute; None where nobody asks for its parts.
    """

    def __init__(self, kind: str, message: str, place: Place | None = None) -> None:
        super().__init__(message, "code")
        self.kind = kind
        self.place = place
        self.reading_again: tuple[Any, ...] | None = None

    @cached_property
    def around(self) -> CodeParts:
        """The code around the calls that compute."""
        # that module needs this one
        from dmlviz.code.code_parts import NO_PARTS, parts_of

        return NO_PARTS if self.reading_again is None else parts_of(*self.reading_again)

    @property
    def parts(self) -> tuple[CodePart, ...]:
        """What of the code moves before and after the calls that compute, in its order.

        There are none if no call computes. Each has a chain and :meth:`CodePart.run`, as the parts
        of a model have.
        """
        return self.around.parts

    @property
    def computing(self) -> tuple[Computing, ...]:
        """The calls of the code that compute, in the order in which they run."""
        return self.around.computing

    @property
    def line(self) -> int:
        """The line, from 1."""
        return self.place.line if self.place else 1

    @property
    def column(self) -> int:
        """The column, from 1."""
        return self.place.column if self.place else 1


class UseDecides(CodeRefused):
    """The first use of names that code leaves open, which decides what they are.

    Attributes:
        names: one, or those of what is calculated of several.
        is_number: whether the use needs a number; otherwise a tensor.
    """

    def __init__(self, names: tuple[str, ...], is_number: bool) -> None:
        super().__init__("name", unknown_name_words(names[0], ()))
        self.names, self.is_number = names, is_number


@contextmanager
def reading() -> Iterator[None]:
    """Open the budget of one text.

    Raises:
        CodeRefused: it is spent outside of any part of the code, or the code is nested too deeply.
    """
    try:
        with budget(**READING):
            yield
    except BudgetSpent as spent:
        raise CodeRefused("limit", str(spent)) from None
    except RecursionError:
        raise CodeRefused("limit", _("The code is nested too deeply.")) from None


def marked_line(text: str, place: Place) -> str:
    """A line of code with a mark under a part of it, in a font whose letters are equally wide."""
    lines = text.replace("\r\n", "\n").split("\n")
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    end = place.end_column if place.end_line == place.line else len(line) + 1
    before = "".join(sign if sign == "\t" else " " for sign in line[: place.column - 1])
    return f"{line}\n{before}{'^' * max(1, end - place.column)}"


def depends_on_values() -> CodeRefused:
    """The refusal of movements that only values decide."""
    return CodeRefused(
        "values",
        _(
            "Where elements go would depend on values; only movements that hold for all values "
            "are shown, or indices and masks whose numbers you enter."
        ),
    )


def sorts_values() -> CodeRefused:
    """The refusal of a function that sorts or searches by values, even of values that are known."""
    return CodeRefused(
        "values",
        _(
            "Functions that sort or search by values are not read. Write the indices as numbers, "
            "or choose with a mask, such as x[x > 5]."
        ),
    )


class NewValues(CodeRefused):
    """The refusal of new values.

    Attributes:
        name: of the function that computes them, if it is known.
    """

    def __init__(self, name: str = "") -> None:
        message = _("This computes new values; only movements are shown.")
        if name:
            message = _("{name} computes new values; only movements are shown.").format(name=name)
        super().__init__("computes", message)
        self.name = name


def computes_values() -> CodeRefused:
    """The refusal of new values."""
    return NewValues()


def index_outside(
    i: int, size: int, conventions: Conventions, *, taken: bool = False
) -> CodeRefused:
    """The refusal of an index that a dimension of this size does not have.

    Args:
        i, size: the index, and the dimension's size.
        conventions: of the library whose code it is.
        taken: whether a call of ``take`` or ``take_along_axis`` has it, not a subscript.
    """
    message = _("Index {i} is outside a dimension of size {size}: {first} to {last}.")
    if conventions.outside is not None:
        message = conventions.outside(taken)
    first = -size if conventions.counts_from_end else 0
    return CodeRefused("sizes", message.format(i=i, size=size, first=first, last=size - 1))


def not_an_order(rank: int, line: str) -> CodeRefused:
    """The refusal of axes that NumPy's transpose does not take, with a line that may be meant."""
    message = _(
        "transpose takes the new order of all {rank} axes, in np.transpose as a tuple. What you "
        "mean may be {line}."
    )
    return CodeRefused("argument", message.format(rank=rank, line=line))


def make_node_words() -> str:
    """What to write instead of ONNX's ``make_node``."""
    return _(
        "make_node is not read. Write ONNX's nodes as calls of op, with their attributes, such as "
        "y = op.Transpose(x, perm=[1, 0])."
    )


def unknown_name_words(name: str, inputs: Iterable[str]) -> str:
    """Why a name is not read, and what to write instead."""
    if name == "print":
        return _("print is not supported: remove it.")
    if name in ("onnx", "helper", "make_node"):
        return make_node_words()
    return _(
        "{name} is not the name of an input, a variable or a library; inputs are {inputs}. "
        "If it is a number, give it on a line before: {name} = 2."
    ).format(name=name, inputs=", ".join(inputs) or "-")
