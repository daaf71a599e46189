"""What stands in or beside an example and was not understood: it counts against the page.

A parameter in a spelling that is not read, a tensor without its label, a line of signs below a
value: a page is right only if nothing of its examples was passed over.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from dmlviz.tensors.excerpts import excerpt
from dmlviz.verify.findings import Finding
from dmlviz.verify.likeness import is_alike
from dmlviz.verify.naming import MEMBERS, TENSOR
from dmlviz.verify.text import Source
from dmlviz.words import _


@dataclass(frozen=True)
class UnknownTensor:
    """A tensor, as text, under a name that no operator here has: see :class:`Block`."""

    label: str
    start: int
    end: int
    line: int


@dataclass(frozen=True)
class Stray:
    """Something that may belong to an example and cannot be read.

    Attributes:
        finding: where it stands and what it is.
        is_tensor: whether it is a whole tensor; else it is about a parameter.
        beside: whether it touches a parameter or a tensor; else it counts inside an example only.
        title: the heading right before it, if there is one.
        tensor: the tensor, where it has the name of one.
    """

    finding: Finding
    is_tensor: bool
    beside: bool
    title: str = ""
    tensor: UnknownTensor | None = None

    @property
    def line(self) -> int:
        """Of the page, from 1."""
        return self.finding.line


@dataclass(frozen=True)
class Taken:
    """Where something that was understood stands.

    Attributes:
        start, end: offsets.
        is_tensor: whether it is a tensor.
        is_output: whether it ends an example.
    """

    start: int
    end: int
    is_tensor: bool
    is_output: bool


# signs of a list or a quotation, or wrong ones, but not those of a heading
_LEAD = r"^(?![ \t]{0,3}#{1,6}[ \t])[^\w\n]{0,20}"
_SIGN = r"[\"'*_ \t]{0,5}[:=](?!=)"


@cache
def _line(names: tuple[str, ...]) -> re.Pattern[str]:
    """A line that may be a parameter, of these or with a typing error."""
    # BlockSize as Blocksize, block size, block_size
    loose = "|".join(
        re.sub(r"(?<=[a-z])(?=[A-Z])", "[ _-]?", name)
        for name in sorted(names, key=len, reverse=True)
    )
    other = r"(?P<other>(?=\S{0,40}[^\W\d])\S{3,40})"
    return re.compile(
        rf"{_LEAD}(?:(?P<known>(?i:{loose})){_SIGN}|{other}{_SIGN}"
        r"|(?P<bare>\S{4,30})[ \t]{1,5}(?=[^\w\s]{0,3}(?:\d|DML_)))"
        r"|^[ \t]{0,20}(?P<signs>[*/×·+^%][ \t]{0,20}[0-9.][0-9.()*/×·+^%, \t-]{0,80})$",
        re.MULTILINE,
    )


_VALUE = re.compile(
    rf"[ \t]{{0,20}}[^\w\s]{{0,3}}(?:\d|DML_[A-Z_]{{0,30}}?(?:{'|'.join(MEMBERS)})\b"
    rf"|(?:{'|'.join(MEMBERS)})\b)"
)
_HEADER = re.compile(
    r"\(\s{0,9}(?:Sizes\s{0,9}[:=]\s{0,9}[{\[(]?\s{0,9}\d|DataType\s{0,9}[:=]\s{0,9}[A-Z]+\d)",
    re.IGNORECASE,
)
_NESTED = re.compile(
    r"^[ \t>]{0,20}(?:[^\W\d][\w \t*]{0,40}[:=][ \t]{0,20})?"
    r"(?P<values>[\[{])\s{0,9}[\[{][\s\[{]{0,20}[-+.]?\d[^\[\]{}\n]{0,80}[,\]}]",
    re.MULTILINE,
)
# a tensor as LaTeX sets it
_MATRIX = re.compile(
    rf"{TENSOR}[\s$*_}}]{{0,9}}[:=][\s$]{{0,20}}(?P<matrix>\\begin\{{[a-zA-Z]{{1,20}}\*?\}})"
)
# the word before a tensor, however it is set
_NAME = re.compile(r"([^\W\d][\w \t\[\]-]{0,60})[*_\"']{0,3}[ \t]{0,9}[:=][*_\"']{0,3}\s{0,9}$")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_TOUCHING = re.compile(r"[ \t,;.|*_]{0,40}\n?[ \t>*+\-\"'|]{0,20}")
_WORDS = re.compile(r"[^\W\d]")
# how alike two names are of which one may be the other with a typing error
_ALIKE = 0.8


def strays(
    source: Source, taken: Sequence[Taken], names: tuple[str, ...]
) -> list[tuple[int, int, Stray]]:
    """All of them, with their offsets, in order.

    Args:
        source: the page.
        taken: what was understood, in order.
        names: of the parameters that the page may have.
    """
    found = [*_tensors(source, taken), *_lines(source, taken, names)]
    return sorted(found, key=lambda stray: stray[0])


def _tensors(source: Source, taken: Sequence[Taken]) -> Iterator[tuple[int, int, Stray]]:
    text = source.text
    first = next((t.end for t in taken if t.is_tensor), len(text))
    headers = [m.start() for m in _HEADER.finditer(text)]
    nested = [m.start("values") for m in _NESTED.finditer(text, first)]
    gaps = _Gaps(taken, len(text))
    for found in _MATRIX.finditer(text) if "\\begin{" in text else ():
        message = _("{text} of LaTeX could not be read; write the values in brackets.")
        told = message.format(text=excerpt(found["matrix"]))
        finding = Finding(source.line(found.start("matrix")), told, "tensor-text")
        yield found.start(), found.end(), Stray(finding, True, True)
    until = 0
    for place in sorted((*headers, *nested)):
        before, after = gaps.around(place)
        if place < max(until, before.end):
            continue
        # what goes on without a word between is more of the tensor before
        if before.is_tensor and place - before.end < 400:
            between = text[before.end : place]
            if not _WORDS.search(between) and not _BLANK_LINE.search(between):
                continue
        blank = _BLANK_LINE.search(text, place, after.start)
        until = blank.start() if blank else after.start
        start = max(before.end, text.rfind("\n", max(0, place - 200), place) + 1)
        yield (
            start,
            until,
            Stray(Finding(source.line(place), _nameless(text, place), "tensor-name"), True, True),
        )


def _line_start(text: str, place: int) -> int:
    """Where the line begins, as far as it can be a name."""
    since = max(0, place - 80)
    return max(since, text.rfind("\n", since, place) + 1)


def _nameless(text: str, place: int) -> str:
    """Why a tensor was not understood: what stands before it is no tensor's name, or nothing."""
    named = _NAME.search(text, _line_start(text, place), place)
    if named is None:
        return _(
            "this tensor belongs to no example: it does not follow a tensor's name and a colon."
        )
    message = _("this tensor belongs to no example: no operator here has a tensor named {label}.")
    return message.format(label=excerpt(named[1].strip()))


def _lines(
    source: Source, taken: Sequence[Taken], names: tuple[str, ...]
) -> Iterator[tuple[int, int, Stray]]:
    text = source.text
    gaps = _Gaps(taken, len(text))
    spans: list[tuple[int, int, re.Match[str]]] = []
    for found in _line(names).finditer(text):
        before, after = gaps.around(found.start())
        if found.start() < before.end or after.start < found.end():
            continue
        end = text.find("\n", found.end(), min(after.start, found.end() + 400))
        spans.append((found.start(), end if end >= 0 else after.start, found))
    below, above = _touching(text, spans, gaps)
    # a long page has the same words again and again
    alike: dict[str, bool] = {}

    def resembles_a_field(word: str) -> bool:
        if word not in alike:
            alike[word] = _resembles_a_field(word, names)
        return alike[word]

    for number, (start, end, found) in enumerate(spans):
        before, after = gaps.around(start)
        # Sizes = 2 * 3 is a statement, BlokSize = 3 a parameter
        is_equation = found["other"] and text[found.end() - 1] == "="
        word = found["bare"] or (found["other"] if is_equation else "")
        if word and not resembles_a_field(word):
            continue
        value = found["signs"] or _VALUE.match(text, found.end())
        # below an output a page goes on, and only what is a parameter's name is about examples
        ours = found["known"] or (value and not (found["other"] and before.is_output))
        beside = (number in above and bool(found["known"] or value)) or (
            number in below and bool(ours)
        )
        inside = before.end > 0 and after.end > after.start and found["known"] and value
        # a whole paragraph right before a tensor or a parameter is no prose
        word = found["other"] or found["bare"] or ""
        if found["known"] or (value and resembles_a_field(word)):
            alone = after.end > after.start and not _WORDS.search(text, end, after.start)
            beside = beside or alone
        if not (beside or inside):
            continue
        told = excerpt(text[start : min(end, start + 100)].strip(" \t>*+-|"))
        message = _("{text} is part of an example but could not be read.").format(text=told)
        finding = Finding(source.line(found.end() - 1), message, "tensor-name")
        yield start, min(end, after.start), Stray(finding, False, beside)


def _resembles_a_field(word: str, names: tuple[str, ...]) -> bool:
    # Repeats[i] is a place in a formula
    return not set("[.") & set(word) and any(is_alike(word, name, 0.8) for name in names)


def _touching(
    text: str, spans: Sequence[tuple[int, int, re.Match[str]]], gaps: _Gaps
) -> tuple[frozenset[int], frozenset[int]]:
    """The numbers of the lines right below something understood, and of those right above."""
    below, above = set(), set()
    edge = -1
    for number, (start, end, _found) in enumerate(spans):
        before = gaps.around(start)[0]
        if _meet(text, before.end or -1, start) or _meet(text, edge, start):
            below.add(number)
            edge = end
    edge = -1
    for number, (start, end, _found) in reversed([*enumerate(spans)]):
        after = gaps.around(start)[1]
        if (after.end > after.start and _meet(text, end, after.start)) or _meet(text, end, edge):
            above.add(number)
            edge = start
    return frozenset(below), frozenset(above)


def _meet(text: str, end: int, start: int) -> bool:
    """Whether nothing but the signs of a list or a quotation stands between, on one line more."""
    return 0 <= end <= start < end + 100 and _TOUCHING.fullmatch(text, end, start) is not None


class _Gaps:
    """What was understood before and after a place."""

    def __init__(self, taken: Sequence[Taken], length: int) -> None:
        edges = Taken(0, 0, False, False), Taken(length, length, False, False)
        self.taken = [edges[0], *taken, edges[1]]
        self.starts = [t.start for t in self.taken[:-1]]

    def around(self, place: int) -> tuple[Taken, Taken]:
        after = bisect_right(self.starts, place)
        return self.taken[after - 1], self.taken[after]
