"""A page as plain text that still knows its lines: HTML is taken away, never rendered.

Code in Markdown shows its signs as they are, so only the other parts of a page may hold HTML.
There Python's own parser finds the tags, and this module decides: a "<" is more often a sign than
a tag on pages about arrays, as in ``i <n`` and ``vector<UINT>``.  So only what is beyond doubt
counts as HTML: a known element, attributes that HTML has, an end.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from html.parser import HTMLParser
from itertools import accumulate
from typing import Any, Literal

import numpy as np
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.backticks import backtick
from markdown_it.rules_inline.escape import escape
from markdown_it.token import Token

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.base.words import _

PAGE_LIMIT = 1 << 22
"""The most bytes that a page may have."""

TYPED_LIMIT = 1 << 20
"""The most characters of a page that is pasted into a box; a file has more."""

# a whole page of HTML says so, or begins with a block of it and has none of Markdown's code
_LEADING = r"(?:\s|<\?[^>]*+>|(?><!--.*?-->))*+"
_DOCUMENT = regex(rf"{_LEADING}<(?:!doctype|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_FRAGMENT = regex(
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
_INVISIBLE = (*range(9), *range(11, 32), *range(127, 160), *range(0x202A, 0x202F))
_PLAIN |= {sign: ord(" ") for sign in (*map(ord, _BLANKS), *_INVISIBLE, *range(0x2066, 0x206A))}
# what Markdown's writers put before a sign, and what no reader sees
_ESCAPE = regex(r"\\(?=[_*\[\]{}()|#+=:.\"'~-])|\\(?=\n)|\u00ad")
# halves of a letter, which no file can hold
_HALVES = regex("[\ud800-\udfff]")


@dataclass(frozen=True)
class PageText:
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
        Error: there are more than 4,194,304 bytes, or they are no text (field ``page``).
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


def text_of(page: str | bytes) -> str:
    """The page as text, with replacement characters where its bytes are none."""
    if isinstance(page, str):
        return page
    try:
        return decode(page)
    except Error:
        return page.decode(errors="replace")


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


def plain(page: str) -> PageText:
    """The page without HTML; scripts and styles are left out, blocks begin lines.

    Args:
        page: at most 4,194,304 characters.

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
    return PageText(text, tuple(starts), tuple(lines))


def _cuts(page: str) -> Iterator[Cut]:
    """What is HTML on a page, in order."""
    if "<" not in page or ">" not in page:
        return
    if html_text(page):
        yield from _html_cuts(page)
        return
    for part in _html_lines(page):
        for cut in _html_cuts(part.text, hiding=part.hiding):
            yield Cut(part.start + cut.start, part.start + cut.end, cut.element)


def html_text(page: str) -> bool:
    """Whether a page is HTML as a whole, and not words or Markdown with HTML in it."""
    return bool(_DOCUMENT.match(page) or ("`" not in page and _FRAGMENT.match(page)))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub("", _without_entities(text))


def _without_entities(text: str) -> str:
    if "&" not in text:
        return text
    # an entity may stand for a new line, which is none in the page
    parts = (" ".join(html.unescape(part).splitlines()) for part in text.split("\n"))
    return "\n".join(parts)


LINES_LIMIT = 50_000
"""The most lines of a page whose Markdown is read; the HTML of a longer one stays in its text."""

_LETTER = regex(r"[^\n]")
_READ = ("inline", "html_block", "code_block")


@dataclass(frozen=True)
class _HtmlLines:
    """Lines of a page that may hold HTML; no tag goes on from one part into the next.

    Attributes:
        start: offset in the page.
        text: as long as the lines; code in it is made unreadable.
        hiding: whether comments and scripts in it hide their contents.
    """

    start: int
    text: str
    hiding: bool


def _html_lines(page: str) -> Iterator[_HtmlLines]:
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
            text = _without_verbatim(token, lines[first:last])
        else:
            text = "\n".join(lines[first:last])
        if "<" in text:
            # copied text and HTML are often indented so far that Markdown takes them for code
            yield _HtmlLines(starts[first], text, token.type != "code_block")


class _Blocks(StateBlock):
    """Keeps of a page's blocks those that are read: a megabyte can be half a million."""

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        if self.tokens and (
            self.tokens[-1].type not in _READ or "<" not in self.tokens[-1].content
        ):
            self.tokens.pop()
        return super().push(ttype, tag, nesting)


def _without_verbatim(token: Token, lines: list[str]) -> str:
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
    state: dict[str, Any] = {"spans": []}
    _inlines().inline.parse(content, _inlines(), state, [])
    spans: list[tuple[int, int]] = state["spans"]
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


# fmt: off
_ELEMENTS = frozenset((
    "a", "abbr", "acronym", "address", "area", "article", "aside", "audio", "b", "base", "bdi",
    "bdo", "big", "blockquote", "body", "br", "button", "canvas", "caption", "center", "circle",
    "cite", "code", "col", "colgroup", "data", "datalist", "dd", "del", "details", "dfn", "dialog",
    "div", "dl", "dt", "em", "embed", "fieldset", "figcaption", "figure", "font", "footer", "form",
    "g", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "i", "iframe", "img",
    "input", "ins", "kbd", "label", "legend", "li", "link", "main", "map", "mark", "math", "menu",
    "meta", "nav", "nobr", "noscript", "object", "ol", "optgroup", "option", "p", "param", "path",
    "picture", "polygon", "pre", "progress", "q", "rect", "rp", "rt", "ruby", "s", "samp",
    "script", "section", "select", "slot", "small", "source", "span", "strike", "strong", "style",
    "sub", "summary", "sup", "svg", "symbol", "table", "tbody", "td", "template", "textarea",
    "tfoot", "th", "thead", "time", "title", "tr", "track", "tt", "u", "ul", "use", "var", "video",
    "wbr",
))
_WITHOUT_VALUE = frozenset((
    "allowfullscreen", "async", "autofocus", "autoplay", "border", "checked", "compact",
    "controls", "crossorigin", "default", "defer", "disabled", "download", "formnovalidate",
    "hidden", "inert", "ismap", "itemscope", "loop", "multiple", "muted", "nomodule", "noshade",
    "novalidate", "nowrap", "open", "playsinline", "readonly", "required", "reversed", "selected",
    "translate",
))
# fmt: on
# what word processors (o:p) and sites (local-time) name themselves
_OWN_ELEMENT = regex(r"[a-z]\d?:[a-z]+|[a-z]{2,}(?:-[a-z]+)+")
_LONGEST_TAG = 3_000
_BLANK_LINE = regex(r"\n[ \t]*\n")
_HIDDEN = ("script", "style", "template", "noscript")


@dataclass(frozen=True)
class Cut:
    """A piece of a text that is HTML and not words.

    Attributes:
        start, end: offsets.
        element: what the tag begins or ends; empty for a comment or what a browser hides.
    """

    start: int
    end: int
    element: str


def _html_cuts(text: str, *, hiding: bool = True) -> list[Cut]:
    """Tags, comments and hidden elements, in order; what is never closed hides nothing.

    Args:
        text: HTML, or words with HTML among them.
        hiding: whether comments, scripts and the like go with their contents.

    >>> _html_cuts("a<br>b, i <n")
    [Cut(start=1, end=5, element='br')]
    """
    if "<" not in text:
        return []
    reader = _TagParser(text, hiding)
    # no tag ends after the last ">"; entities do not matter here
    reader.feed(text[: text.rfind(">") + 1].replace("&", "+"))
    reader.close()
    return reader.cuts


class _TagParser(HTMLParser):
    def __init__(self, text: str, hiding: bool) -> None:
        super().__init__(convert_charrefs=False)
        self.text = text
        self.hiding = hiding
        self.cuts: list[Cut] = []
        self.starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        # the hidden element that is open: its name, depth, and how many cuts came before it
        self.hidden = ("", 0, 0)
        self.comments = True

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self._start(tag, attrs, opens=True)

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self._start(tag, attrs, opens=False)

    def handle_endtag(self, tag: str) -> None:
        if not _is_element(tag):
            return
        start = self._at()
        self.cuts.append(Cut(start, self.text.find(">", start) + 1, tag))
        name, depth, before = self.hidden
        if tag != name:
            return
        self.hidden = (name, depth - 1, before) if depth > 1 else ("", 0, 0)
        if depth == 1:
            first, last = self.cuts[before], self.cuts[-1]
            self.cuts[before:] = [Cut(first.start, last.end, "")]

    def handle_decl(self, decl: str) -> None:
        start = self._at()
        self.cuts.append(Cut(start, self.text.find(">", start) + 1, ""))

    # The parser's own reading of what follows takes whatever comes for a comment, raises, or
    # looks through the rest of the text again and again.

    def parse_comment(self, i: int, report: bool = True) -> int:
        end = self.rawdata.find("-->", i + 2) if self.comments else -1
        if end < 0 or not self.hiding:
            self.comments = end >= 0
            return i + 4
        start = self._at()
        self.cuts.append(Cut(start, start + end + 3 - i, ""))
        return end + 3

    def parse_html_declaration(self, i: int) -> int:
        if self.rawdata[i : i + 9].lower() == "<!doctype":
            return super().parse_html_declaration(i)
        return i + 2

    def parse_pi(self, i: int) -> int:
        if self.rawdata[i : i + 5].lower() == "<?xml":
            return super().parse_pi(i)
        return i + 2

    def handle_pi(self, data: str) -> None:
        self.handle_decl(data)

    def _start(self, tag: str, attrs: Sequence[tuple[str, str | None]], *, opens: bool) -> None:
        whole = self.get_starttag_text() or ""
        if not _is_element(tag) or not _is_tag(whole, attrs):
            return
        name, depth, before = self.hidden
        begins = not name and (tag in _HIDDEN or _is_original(tag, attrs))
        if opens and self.hiding and (tag == name or begins):
            self.hidden = (tag, depth + 1, before if name else len(self.cuts))
        start = self._at()
        self.cuts.append(Cut(start, start + len(whole), tag))

    def _at(self) -> int:
        line, column = self.getpos()
        return self.starts[line - 1] + column


def _is_original(tag: str, attributes: Sequence[tuple[str, str | None]]) -> bool:
    """Whether a tag begins what a translated page shows in the language that it comes from."""
    return tag == "span" and "sxs-lookup" in (dict(attributes).get("class") or "").split()


def _is_element(name: str) -> bool:
    return name in _ELEMENTS or _OWN_ELEMENT.fullmatch(name) is not None


def _is_tag(whole: str, attributes: Sequence[tuple[str, str | None]]) -> bool:
    """Whether a tag's attributes are such as HTML has; ``a<b and c > 2`` is none."""
    if len(whole) > _LONGEST_TAG or _BLANK_LINE.search(whole):
        return False
    return all(
        value is not None or name in _WITHOUT_VALUE or name.startswith("data-")
        for name, value in attributes
    )
