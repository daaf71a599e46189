"""Where HTML stands in a text: Python's own parser finds the tags, this module decides.

A "<" is more often a sign than a tag on pages about arrays: ``i <n``, ``vector<UINT>``.  So only
what is beyond doubt counts as HTML: a known element, attributes that HTML has, an end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import accumulate

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
_OWN_ELEMENT = re.compile(r"[a-z]\d?:[a-z]+|[a-z]{2,}(?:-[a-z]+)+")
_LONGEST_TAG = 3_000
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_UNSEEN = ("script", "style", "template", "noscript")


@dataclass(frozen=True, slots=True)
class Cut:
    """A piece of a text that is HTML and not words.

    Attributes:
        start, end: offsets.
        element: what the tag begins or ends; empty for a comment or what a browser hides.
    """

    start: int
    end: int
    element: str


def cuts(text: str, *, hiding: bool = True) -> list[Cut]:
    """Tags, comments and unseen elements, in order; what is never closed hides nothing.

    Args:
        text: HTML, or words with HTML among them.
        hiding: whether comments, scripts and the like go with their contents.

    >>> cuts("a<br>b, i <n")
    [Cut(start=1, end=5, element='br')]
    """
    if "<" not in text:
        return []
    reader = _Reader(text, hiding)
    # no tag ends after the last ">"; entities do not matter here
    reader.feed(text[: text.rfind(">") + 1].replace("&", "+"))
    reader.close()
    return reader.found


class _Reader(HTMLParser):
    def __init__(self, text: str, hiding: bool) -> None:
        super().__init__(convert_charrefs=False)
        self.text = text
        self.hiding = hiding
        self.found: list[Cut] = []
        self.starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        # the unseen element that is open: its name, depth, and how many cuts came before it
        self.unseen = ("", 0, 0)
        self.comments = True

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self._start(tag, attrs, opens=True)

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self._start(tag, attrs, opens=False)

    def handle_endtag(self, tag: str) -> None:
        if not _is_element(tag):
            return
        start = self._at()
        self.found.append(Cut(start, self.text.find(">", start) + 1, tag))
        name, depth, before = self.unseen
        if tag != name:
            return
        self.unseen = (name, depth - 1, before) if depth > 1 else ("", 0, 0)
        if depth == 1:
            first, last = self.found[before], self.found[-1]
            self.found[before:] = [Cut(first.start, last.end, "")]

    def handle_decl(self, decl: str) -> None:
        start = self._at()
        self.found.append(Cut(start, self.text.find(">", start) + 1, ""))

    # The parser's own reading of what follows takes whatever comes for a comment, raises, or
    # looks through the rest of the text again and again.

    def parse_comment(self, i: int, report: bool = True) -> int:
        end = self.rawdata.find("-->", i + 2) if self.comments else -1
        if end < 0 or not self.hiding:
            self.comments = end >= 0
            return i + 4
        start = self._at()
        self.found.append(Cut(start, start + end + 3 - i, ""))
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
        name, depth, before = self.unseen
        begins = not name and (tag in _UNSEEN or _is_original(tag, attrs))
        if opens and self.hiding and (tag == name or begins):
            self.unseen = (tag, depth + 1, before if name else len(self.found))
        start = self._at()
        self.found.append(Cut(start, start + len(whole), tag))

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
