"""Short quotations of typed text, for use inside a sentence."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from dmlviz.base.words import _


def excerpt(text: str, width: int = 60) -> str:
    """The text on one line, in quotation marks, shortened to about ``width`` characters.

    >>> excerpt("1,   2\\n3")
    '"1, 2 3"'
    >>> excerpt("0123456789", width=5)
    '"0123…"'
    """
    line = one_line(text, 4 * width)
    whole = len(text) <= 4 * width and len(line) <= width
    return f'"{line}"' if whole else f'"{line[: width - 1]}…"'


def one_line(text: str, width: int = 240) -> str:
    """The beginning of a text on one line, at most ``width`` characters.

    Invisible characters, terminal commands, marks that change the reading direction, and lone
    surrogates are replaced by a mark.

    >>> one_line(" a\\n\\n b\\x1b[31m")
    'a b\ufffd[31m'
    """
    # Cut before joining: a malicious text can be a megabyte of blanks.
    return visible(" ".join(text[:width].split()))


def visible(text: str) -> str:
    """The text with its lines, and with a mark for every other sign that :func:`one_line` replaces.

    >>> visible("a\\x1b[31m")
    'a\ufffd[31m'
    """
    return "".join(sign if sign.isprintable() or sign == "\n" else "\ufffd" for sign in text)


def _beginning(value: object, most: int) -> str:
    """What Python prints of a value; of lists within lists, which can be endless, the beginning."""
    text = ""
    for piece in _printed(value):
        text += piece
        if len(text) > most:
            break
    return text


def _printed(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        yield "{"
        for number, (key, item) in enumerate(value.items()):
            yield f"{', ' if number else ''}{key!r}: "
            yield from _printed(item)
        yield "}"
        return
    if not isinstance(value, list | tuple):
        yield repr(value)
        return
    start, end = "[]" if isinstance(value, list) else "()"
    yield start
    for number, item in enumerate(value):
        yield ", " if number else ""
        yield from _printed(item)
    yield f",{end}" if isinstance(value, tuple) and len(value) == 1 else end


def short_text(value: object, width: int = 60) -> str:
    """Any value as a short text: numbers as they are, texts quoted, the rest as Python prints it.

    >>> short_text(3), short_text("three"), short_text(10**5000)
    ('3', '"three"', 'a number of 16,610 bits')
    """
    if isinstance(value, str):
        return excerpt(value, width)
    # Python refuses to print integers of thousands of digits, wherever they are
    if isinstance(value, int) and abs(value) >= 10**width:
        return _("a number of {bits:,} bits").format(bits=value.bit_length())
    try:
        text = str(value) if _is_plain(value) else _beginning(value, 4 * width)
    except ValueError:
        return _("a value of type {name}").format(name=type(value).__name__)
    return text if len(text) <= width else excerpt(text, width)


def _is_plain(value: object) -> bool:
    """Whether this is one number, or one element of an array."""
    if isinstance(value, int | float):
        return True
    # what refuses an option of the command line needs no arrays
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic)
