"""What can go wrong, as values and as one family of exceptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Problem:
    """One reason why an operator cannot run as it is set.

    Attributes:
        field: the name of the setting, as the Python classes spell it
            (``"repeats"``, ``"sizes"``, ``"data_type"``, ...).
        message: one sentence that names the field, the value and the rule.
        source: where the rule is written, e.g. ``"DML_TILE_OPERATOR_DESC, Repeats"``.
    """

    field: str
    message: str
    source: str

    def within(self, tensor: str) -> Problem:
        """The same of a further input tensor: ``sizes`` becomes ``IndicesTensor.sizes``.

        >>> Problem("sizes", "sizes: {0} is none.", "").within("IndicesTensor")
        Problem(field='IndicesTensor.sizes', message='IndicesTensor.sizes: {0} is none.', source='')
        """
        return replace(
            self,
            field=f"{tensor}.{self.field}" if self.field else tensor,
            message=said_of(tensor, self.field, self.message),
        )


def said_of(tensor: str, field: str, message: str) -> str:
    """A sentence about a field, as one about that field of a further tensor."""
    rest = message.removeprefix(f"{field}:")
    return f"{tensor}.{field}:{rest}" if field and rest != message else f"{tensor}: {message}"


class Error(ValueError):
    """Something the user gave cannot be used; the message says which, what and why.

    Attributes:
        field: the setting the sentence is about, so that it can be shown beside it.
    """

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class LiteralError(Error):
    """A text is not the tensor it should be.

    Attributes:
        offset: how many characters of the text come before what is wrong, where that is known.
        rule: the message without field, line and column, for who counts lines otherwise.
    """

    offset: int | None = None
    rule: str = ""


class Refused(Error):
    """The operator's own rules refuse these settings.

    Attributes:
        problems: every reason, the first of which is the message.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(" ".join(p.message for p in problems), problems[0].field)
        self.problems = tuple(problems)


class TooLarge(Error):
    """A tensor has more elements than may be allocated or drawn; nothing was allocated."""


class EngineUnavailable(Error):
    """The engine asked for cannot run on this machine; the message says why."""


class EngineRefused(Error):
    """The engine ran and said no; the message holds its own words."""


class EngineLost(EngineRefused):
    """The engine can run nothing more in this process; a new process may."""
