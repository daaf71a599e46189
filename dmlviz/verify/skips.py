"""Examples that a page leaves out: ``dmlviz: skip (reason)`` in a comment before them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dmlviz.tensors import one_line
from dmlviz.verify.examples import PageExample

# comments of HTML and Markdown, MDX, AsciiDoc, reStructuredText and code
_MARK = re.compile(
    r"(?:<!--|\{/\*|//|\.\.|#)?[ \t]{0,9}\bdmlviz:[ \t]{0,9}skip[ \t]{0,9}"
    r"\(([^()\r\n]{1,200})\)(?:[ \t]{0,9}(?:-->|\*/\}))?"
)


@dataclass(frozen=True)
class Skip:
    """One comment.

    Attributes:
        line: of the page, from 1.
        reason: what it says.
    """

    line: int
    reason: str


def take_skips(page: str) -> tuple[str, tuple[Skip, ...]]:
    """The page with blanks in place of the comments, and what they say.

    >>> take_skips("a\\n<!-- dmlviz: skip (see issue 12) -->")[1]
    (Skip(line=2, reason='see issue 12'),)
    """
    if "dmlviz:" not in page:
        return page, ()
    skips = []
    line, at = 1, 0
    for found in _MARK.finditer(page):
        line += page.count("\n", at, found.start())
        at = found.start()
        skips.append(Skip(line, one_line(found[1])))
    return _MARK.sub(lambda found: " " * len(found[0]), page), tuple(skips)


def with_skips(examples: Sequence[PageExample], skips: Sequence[Skip]) -> tuple[PageExample, ...]:
    """The examples; the one after each comment knows the reason.

    Args:
        examples: in the page's order.
        skips: of the same page.
    """
    starts = [example.line for example in examples]
    found = list(examples)
    for skip in skips:
        at = bisect_left(starts, skip.line)
        if at < len(found):
            found[at] = replace(found[at], skipped=skip.reason)
    return tuple(found)
