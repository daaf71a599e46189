"""A page as plain text that still knows its lines: HTML is taken away, never rendered."""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dmlviz.errors import Error
from dmlviz.verify.markdown import parts
from dmlviz.verify.markup import Cut, cuts
from dmlviz.words import _

PAGE_LIMIT = 1 << 20
"""The most bytes that a page may have."""

# a whole page of HTML says so, or begins with a block of it and has none of Markdown's code
_LEADING = r"(?:\s|<\?[^>]*+>|(?><!--.*?-->))*+"
_DOCUMENT = re.compile(rf"{_LEADING}<(?:!doctype|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_FRAGMENT = re.compile(
    rf"{_LEADING}<(?:article|div|dl|h[1-6]|header|main|nav|ol|p|pre|section|table|title|ul)\b",
    re.IGNORECASE | re.DOTALL,
)
# fmt: off
_LINES = frozenset((
    "address", "article", "aside", "blockquote", "br", "div", "dd", "dl", "dt", "figure",
    "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol",
    "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
))
# fmt: on
_CELLS = frozenset(("td", "th"))

# What translators and word processors put in place of plain signs, one for one; and signs that
# command a terminal or turn the reading direction, which no page needs.
_PLAIN = str.maketrans(
    "：（）｛｝［］，、＝＊－−∗⋅÷“”„‟«»＂｜＋．０１２３４５６７８９",
    ':(){}[],,=*--*·/"""""""|+.0123456789',
)
_BLANKS = "`\u00a0\u2009\u202f\u3000\ufeff\u200b\u200e\u200f\u2028\u2029"
_UNSEEN = (*range(9), *range(11, 32), *range(127, 160), *range(0x202A, 0x202F))
_PLAIN |= {sign: ord(" ") for sign in (*map(ord, _BLANKS), *_UNSEEN, *range(0x2066, 0x206A))}
# what Markdown's writers put before a sign, and what no reader sees
_ESCAPE = re.compile(r"\\(?=[_*\[\]{}()|#+=:.\"'~-])|\\(?=\n)|\u00ad")
# halves of a letter, which no file can hold
_HALVES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Source:
    """A page's words, and where they stood.

    Attributes:
        text: without HTML; back quotes and hard spaces are blanks.
        starts: offsets in ``text`` at which a piece of the page begins.
        lines: the line of the page, from 1, on which each piece begins.
    """

    text: str
    starts: tuple[int, ...]
    lines: tuple[int, ...]

    def line(self, offset: int) -> int:
        """The line of the page, from 1, of a character of ``text``."""
        piece = bisect_right(self.starts, offset) - 1
        before, until = (bisect_left(self._newlines, at) for at in (self.starts[piece], offset))
        return self.lines[piece] + until - before

    def lines_of(self, offsets: Sequence[int]) -> tuple[int, ...]:
        """The lines of many characters, in their order."""
        if not offsets:
            return ()
        starts, lines = self._pieces
        wanted = np.array(offsets, np.int64)
        pieces = np.searchsorted(starts, wanted, "right") - 1
        newlines = self._newlines
        passed = np.searchsorted(newlines, wanted) - np.searchsorted(newlines, starts[pieces])
        return tuple((lines[pieces] + passed).tolist())

    @cached_property
    def _pieces(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        return np.array(self.starts, np.int64), np.array(self.lines, np.int64)

    @cached_property
    def _newlines(self) -> np.ndarray[Any, Any]:
        letters = np.frombuffer(self.text.encode("utf-32-le"), np.uint32)
        return np.flatnonzero(letters == ord("\n"))


def decode(data: bytes) -> str:
    """A page's bytes as text: UTF-8, or UTF-16 with its mark.

    Raises:
        Error: there are more than 1,048,576 bytes, or they are no text (field ``page``).
    """
    if len(data) > PAGE_LIMIT:
        raise too_long(len(data))
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise Error(
            _("page: byte {position} is not UTF-8 text; save the page as UTF-8.").format(
                position=f"{error.start:,}"
            ),
            "page",
        ) from None
    if "\0" in text:
        raise Error(_("page: this is a binary file, not text."), "page")
    return text


def too_long(count: int) -> Error:
    """The refusal of a page of ``count`` bytes or characters."""
    return Error(
        _("page: it has {count} bytes; the limit is {most}.").format(
            count=f"{count:,}", most=f"{PAGE_LIMIT:,}"
        ),
        "page",
    )


def with_newlines(page: str) -> str:
    """The page with one sign at each line's end, as editors count lines.

    A form feed or U+2028, at which ``str.splitlines`` splits too, ends none.

    >>> with_newlines("one\\r\\ntwo\\x0cstill two").split("\\n")
    ['one', 'two\\x0cstill two']
    """
    return page.replace("\r\n", "\n").replace("\r", "\n")


def plain(page: str) -> Source:
    """The page without HTML; scripts and styles are left out, blocks begin lines.

    Args:
        page: at most 1,048,576 characters.

    Raises:
        Error: the page is longer (field ``page``).
    """
    if len(page) > PAGE_LIMIT:
        raise too_long(len(page))
    page = with_newlines(page)
    pieces: list[str] = []
    starts, lines = [0], [1]
    at = length = 0
    line = 1
    for cut in _cuts(page):
        pieces.append(_unescaped(page[at : cut.start]))
        length += len(pieces[-1])
        line += page.count("\n", at, cut.end)
        at = cut.end
        if cut.element in _LINES or cut.element in _CELLS:
            pieces.append("\n" if cut.element in _LINES else " | ")
            length += len(pieces[-1])
        starts.append(length)
        lines.append(line)
    pieces.append(_unescaped(page[at:]))
    text = _HALVES.sub("\ufffd", "".join(pieces).translate(_PLAIN))
    return Source(text, tuple(starts), tuple(lines))


def _cuts(page: str) -> Iterator[Cut]:
    """What is HTML on a page, in order."""
    if "<" not in page or ">" not in page:
        return
    if _DOCUMENT.match(page) or ("`" not in page and _FRAGMENT.match(page)):
        yield from cuts(page)
        return
    for part in parts(page):
        for cut in cuts(part.text, hiding=part.hiding):
            yield Cut(part.start + cut.start, part.start + cut.end, cut.element)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub("", _without_entities(text))


def _without_entities(text: str) -> str:
    if "&" not in text:
        return text
    # an entity may stand for a new line, which is none in the page
    parts = (" ".join(html.unescape(part).splitlines()) for part in text.split("\n"))
    return "\n".join(parts)
