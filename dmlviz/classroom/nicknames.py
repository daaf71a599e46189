"""Nicknames: what a learner can be called in a class that takes them."""

from __future__ import annotations

import unicodedata

from dmlviz.base.errors import Error
from dmlviz.base.words import _

MOST_NICKNAME = 20
"""The most characters of a nickname."""

_MOST_MARKS = 2  # above or below one letter, as Vietnamese has them


def read_nickname(text: str) -> str:
    """A nickname in its normal form, with single spaces; empty for none.

    Raises:
        Error: it is too long, or it has characters that are no part of a name, such as those that
            turn the direction of a line.

    >>> read_nickname("  Ada   L. ")
    'Ada L.'
    """
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    marks = 0
    for letter in name:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks > _MOST_MARKS:
            raise _invalid()
    if len(name) > MOST_NICKNAME or not name.isprintable():
        raise _invalid()
    return name


def _invalid() -> Error:
    sentence = _("nickname: it is one line of at most {most} characters.")
    return Error(sentence.format(most=MOST_NICKNAME))
