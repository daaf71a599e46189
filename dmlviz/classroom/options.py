"""What a teacher chooses for a class, as one value: its codec and what each choice may be."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

MOST_DISCUSSION = 600
"""The most seconds of a discussion's clock."""

Nicknames = Literal["none", "teacher", "wall"]
"""Who sees nicknames: nobody can give one, only the teacher does, or the wall shows them too."""

Theme = Literal["screen", "light", "dark"]
"""The wall's colors: those that its screen prefers, or always the same."""


class ClassOptions(Struct, frozen=True):
    """The choices of one class, besides the clock of a vote and who can join.

    Attributes:
        discussion: seconds of the clock that runs during a discussion; 0 for no clock.
        finishes: whether a vote closes a moment after the last device that is here has answered.
        nicknames: who sees them; ``none`` means that nobody can give one.
        theme: the wall's colors.
    """

    discussion: Annotated[int, Meta(ge=0, le=MOST_DISCUSSION)] = 0
    finishes: bool = False
    nicknames: Nicknames = "none"
    theme: Theme = "screen"


USUAL = ClassOptions()
"""The choices of a class whose teacher has chosen nothing."""


def print_options(options: ClassOptions) -> str:
    """The options as the JSON that is stored."""
    return msgspec.json.encode(options).decode()


def read_options(text: str) -> ClassOptions:
    """The options that :func:`print_options` wrote, also in an earlier version."""
    return msgspec.json.decode(text, type=ClassOptions)
