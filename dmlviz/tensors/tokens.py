"""The text of a tensor, cut into brackets, separators, calls and words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

CLOSING = {"[": "]", "{": "}", "(": ")"}

# One scan from left to right that backtracks over at most one token, so that the
# time is linear in the text. A call is a name that wraps values and adds no dimension.
_TOKEN = re.compile(
    r"""
    (?P<call>  (?: (?:np|numpy|jnp|torch|tf) \. )?
               (?: array | asarray | tensor | Tensor | constant
                 | (?:u?int|float)(?:8|16|32|64) ) [ ]? \( )
  | (?P<dtype> dtype [ ]? = [ ]? (?:[a-z]{1,9}\.)? ['"]? [<>=|]? [A-Za-z]\w{0,29} ['"]? )
  | (?P<open>  [\[{(] )
  | (?P<close> [\]})] )
  | (?P<comma> , )
  | (?P<semicolon> ; )
  | (?P<line>  \r\n? | \n )
  | (?P<word>  [^\s\[\](){},;]+ )
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A piece of the text.

    Attributes:
        kind: ``call``, ``dtype``, ``open``, ``close``, ``comma``, ``semicolon``, ``line`` or
            ``word``.
        text: the piece.
        offset: how many characters come before it.
    """

    kind: str
    text: str
    offset: int


def tokens(text: str, start: int = 0) -> Iterator[Token]:
    """The pieces of the text from ``start`` on, without the blanks between them.

    >>> [token.text for token in tokens("[[1, .5f]]")]
    ['[', '[', '1', ',', '.5f', ']', ']']
    """
    for found in _TOKEN.finditer(text, start):
        yield Token(str(found.lastgroup), found.group(), found.start())


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Where an offset is, as an editor counts: from line 1, column 1.

    >>> line_and_column("[1,\\n 2}", 6)
    (2, 3)
    """
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1
