"""Problems as values, and one family of exceptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field as field_
from dataclasses import replace

from dmlviz.base.deferred import dataclass


@dataclass(frozen=True)
class Place:
    """A part of a code; lines and columns count from 1, columns in characters.

    Attributes:
        line, column: of its first character.
        end_line, end_column: after its last character.
    """

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class Problem:
    """One reason why an operator cannot run with its settings.

    Attributes:
        field: the name of the setting in the Python classes
            (``"repeats"``, ``"sizes"``, ``"data_type"``, ...).
        message: one sentence that names the field, the value and the rule.
        source: where the rule is written, e.g. ``"DML_TILE_OPERATOR_DESC, Repeats"``.
        place: the part of a code that breaks it, if there is one.
    """

    field: str
    message: str
    source: str
    place: Place | None = field_(default=None, repr=False)

    def within(self, tensor: str) -> Problem:
        """The same problem for another input tensor: ``sizes`` becomes ``IndicesTensor.sizes``.

        >>> Problem("sizes", "sizes: {0} is none.", "").within("IndicesTensor")
        Problem(field='IndicesTensor.sizes', message='IndicesTensor.sizes: {0} is none.', source='')
        """
        return replace(
            self,
            field=f"{tensor}.{self.field}" if self.field else tensor,
            message=of_tensor(tensor, self.field, self.message),
        )

    def renamed(self, field: str) -> Problem:
        """The same problem with another field.

        >>> Problem("sizes", "sizes: {0} is none.", "").renamed("shape")
        Problem(field='shape', message='shape: {0} is none.', source='')
        """
        rest = self.message.removeprefix(f"{self.field}:")
        return replace(self, field=field, message=f"{field}:{rest}")


def of_tensor(tensor: str, field: str, message: str) -> str:
    """Turn a sentence about a field into one about that field of another tensor."""
    rest = message.removeprefix(f"{field}:")
    return f"{tensor}.{field}:{rest}" if field and rest != message else f"{tensor}: {message}"


def with_label(message: str, field: str, label: str) -> str:
    """A sentence that begins with a field, beginning with what a page calls that field.

    >>> with_label("data_type: it must be a type.", "data_type", "Data type")
    'Data type: it must be a type.'
    """
    return label + message.removeprefix(field) if message.startswith(f"{field}: ") else message


class Error(ValueError):
    """The user's input is invalid; the message names the field, the value and the rule.

    Attributes:
        field: the setting that the message is about, so that a page can show it there.
    """

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class LiteralError(Error):
    """A text is not a valid tensor.

    Attributes:
        offset: how many characters of the text come before the error, if known.
        rule: the message without field, line and column, for callers that count lines differently.
    """

    offset: int | None = None
    rule: str = ""


class Refused(Error):
    """These settings break the operator's rules.

    Attributes:
        problems: every reason; the first one is the message.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(" ".join(p.message for p in problems), problems[0].field)
        self.problems = tuple(problems)


class TooLarge(Error):
    """A tensor exceeds the limit of elements to allocate or draw; nothing was allocated."""


class EngineUnavailable(Error):
    """The requested engine cannot run on this machine; the message says why."""


class EngineRefused(Error):
    """The engine ran and reported an error; the message quotes it."""


class EngineLost(EngineRefused):
    """The engine cannot run again in this process; it might run in a new one."""
