"""Which parts of a Markdown page may hold HTML: what is code shows its signs as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.backticks import backtick
from markdown_it.rules_inline.escape import escape
from markdown_it.token import Token

LINES_LIMIT = 50_000
"""The most lines of a page whose Markdown is read; the HTML of a longer one stays in its text."""

_LETTER = re.compile(r"[^\n]")
_READ = ("inline", "html_block", "code_block")


@dataclass(frozen=True)
class Part:
    """Lines of a page that may hold HTML; no tag goes on from one part into the next.

    Attributes:
        start: offset in the page.
        text: as long as the lines; code in it is made unreadable.
        hiding: whether comments and scripts in it hide their contents.
    """

    start: int
    text: str
    hiding: bool


def parts(page: str) -> Iterator[Part]:
    """The parts of a page with a "<" that may begin a tag, in order."""
    lines = page.split("\n")
    if len(lines) > LINES_LIMIT:
        return
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    state = _Blocks(page, _blocks(), {}, [])
    _blocks().block.tokenize(state, 0, state.lineMax)
    for token in state.tokens:
        if token.type not in _READ or token.map is None:
            continue
        first, last = token.map
        if token.type == "inline":
            text = _shown(token, lines[first:last])
        else:
            text = "\n".join(lines[first:last])
        if "<" in text:
            # copied text and HTML are often indented so far that Markdown takes them for code
            yield Part(starts[first], text, token.type != "code_block")


class _Blocks(StateBlock):
    """Keeps of a page's blocks those that are read: a megabyte can be half a million."""

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        if self.tokens and (
            self.tokens[-1].type not in _READ or "<" not in self.tokens[-1].content
        ):
            self.tokens.pop()
        return super().push(ttype, tag, nesting)


def _shown(token: Token, lines: list[str]) -> str:
    """The lines of a paragraph or heading, without what Markdown shows as it is."""
    spans = _verbatim(token.content) if re.search(r"[`\\]", token.content) else []
    if spans:
        content = token.content
        for start, end in reversed(spans):
            content = content[:start] + _LETTER.sub("+", content[start:end]) + content[end:]
        lines = [_replaced(*some) for some in _aligned(lines, token.content, content)]
    return "\n".join(lines)


def _aligned(lines: list[str], before: str, after: str) -> Iterator[tuple[str, str, str]]:
    """Each line of the page with the text that Markdown read, and what it was turned into."""
    old, new = before.split("\n"), after.split("\n")
    for number, line in enumerate(lines):
        yield (line, old[number], new[number]) if number < len(old) else (line, "", "")


def _replaced(line: str, old: str, new: str) -> str:
    if old == new:
        return line
    # Markdown takes quote marks, indents and trailing blanks away
    at = line.rfind(old)
    return _LETTER.sub("+", line) if at < 0 else line[:at] + new + line[at + len(old) :]


def _verbatim(content: str) -> list[tuple[int, int]]:
    """Code spans and escaped signs."""
    found: dict[str, Any] = {"spans": []}
    _inlines().inline.parse(content, _inlines(), found, [])
    spans: list[tuple[int, int]] = found["spans"]
    return spans


@cache
def _blocks() -> MarkdownIt:
    reader = MarkdownIt("zero", {"html": True})
    rules = ["code", "fence", "blockquote", "list", "hr", "html_block", "heading", "lheading"]
    return reader.enable(rules)


@cache
def _inlines() -> MarkdownIt:
    reader = MarkdownIt("zero")
    reader.inline.ruler.at("backticks", _noting_code)
    reader.inline.ruler.at("escape", _noting_escapes)
    reader.enable(["backticks", "escape"])
    return reader


def _noting_code(state: StateInline, silent: bool) -> bool:
    start, tokens = state.pos, len(state.tokens)
    taken = backtick(state, silent)
    # a lone back quote is taken as text, without a token
    if taken and any(token.type == "code_inline" for token in state.tokens[tokens:]):
        state.env["spans"].append((start, state.pos))
    return taken


def _noting_escapes(state: StateInline, silent: bool) -> bool:
    start = state.pos
    taken = escape(state, silent)
    if taken:
        state.env["spans"].append((start, state.pos))
    return taken
