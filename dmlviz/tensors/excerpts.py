"""Short quotations of what somebody typed, for use inside a sentence."""

from __future__ import annotations


def excerpt(text: str, width: int = 60) -> str:
    """The text on one line, in quotation marks, shortened to about ``width`` characters.

    >>> excerpt("1,   2\\n3")
    '"1, 2 3"'
    >>> excerpt("0123456789", width=5)
    '"0123…"'
    """
    # Cut before joining: a hostile text may be a megabyte of blanks.
    line = " ".join(text[: 4 * width].split())
    whole = len(text) <= 4 * width and len(line) <= width
    return f'"{line}"' if whole else f'"{line[: width - 1]}…"'
