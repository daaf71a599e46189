"""The parts of a page that are examples: DirectML's field names with a value after them.

What stands in or beside an example and was not understood counts against the page, too: a
parameter in a spelling that is not read, a tensor without its label, a line of signs below a value.
A page is right only if nothing of its examples was passed over.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from operator import itemgetter

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _
from dmlviz.tensors import DATA_TYPES, one_line
from dmlviz.tensors.headers import BARE_HEADER
from dmlviz.verify.findings import Finding
from dmlviz.verify.naming import (
    ENUMERATIONS,
    FIELDS,
    MEMBERS,
    OUTPUTS,
    TENSOR,
    is_alike,
    is_misspelt,
    tensor_name,
)
from dmlviz.verify.text import PageText

REMARK = r"//[^\n]*|#[^\n]*|/\*[^\n]{0,120}?\*/"
"""A pattern of a remark among a tensor's values."""
# NumPy's call round a tensor's values, and what ends it
_CALL = r"(?:(?:np|numpy)\.)?array\(\s{0,20}"
_CALL_END = regex(r"(?:\s{0,20},[^()\[\]{}]{1,80})?\s{0,20}\)")
# what a tensor has after a sign of equality: brackets with a number, or a header
_NUMBERS = (
    rf"\s{{0,20}}(?:{_CALL})?[\[{{(][\[{{(\s]{{0,40}}"
    r"(?:[-+.]?\d|nan\b|inf\b|(?:Sizes|DataType)\s{0,9}[:=])"
)


@cache
def _anchor(older: tuple[str, ...]) -> re.Pattern[str]:
    """What begins a parameter or a tensor.

    Args:
        older: parameters of an older form; as tensors have ``Sizes`` too, they begin a line.
    """
    names, leading = ("|".join(sorted(n, key=len, reverse=True)) for n in (FIELDS, FIELDS + older))
    colon = r"[*_]{0,3}[ \t]{0,20}:[*_]{0,3}\s{0,20}"
    equals = r"[ \t]{0,20}=(?!=)[ \t]{0,20}"
    behind = rf"|^[^\w\n(]{{0,20}}(?P<older>{'|'.join(older)}){colon}" if older else ""
    return regex(
        rf"(?<![A-Za-z0-9.>])(?:(?P<tensor>{TENSOR})(?:(?<=[sS])\[(?P<place>0|[1-9]\d{{0,3}})\])?"
        rf"(?:{colon}|[ \t]{{0,20}}=(?={_NUMBERS})\s{{0,20}})|(?P<field>{names}){colon})"
        # BlockSize = 2 is a parameter where it begins a line or goes on after a list or before a
        # tensor, and an equation elsewhere
        rf"|(?:^[ \t]{{0,20}}|(?<=[\]}})],[ ]))(?P<leading>{leading}){equals}"
        rf"|(?<![\w.])(?P<before>{names}){equals}"
        r"(?=[\[{]?[-\d][^\[\]{}\n]{0,100}[\]}]?[,;]?[ \t](?:\w{1,9}[ \t])?"
        rf"{TENSOR}[ \t]?[:=])"
        rf"{behind}",
        re.MULTILINE,
    )


# what may begin a tensor: its header, or the values themselves; names in braces are dimensions,
# and a word in brackets may be a link
_TENSOR = regex(
    rf"{_CALL}[\[(]|"
    r"\(\s{0,9}\w{1,20}\s{0,3}[:=]|(?:Sizes|DataType)\s{0,3}[:=]|\[(?![^\[\]\n]{1,200}\]\()|\{(?!\s{0,9}(?!nan|inf)[a-z])",
    re.IGNORECASE,
)
# what may be a value: a number, a list, a member of an enumeration; the name of an enumeration
# itself is a type, and anything else is prose
_NUMBER = r"[+-]?(?:0[xX][0-9a-fA-F]{1,20}|\.?[0-9][0-9._]{0,400}(?:[eE][+-]?[0-9]{1,20})?[fF]?)"
_VALUE = regex(
    r"(?P<link>\[\s?DML_\w{1,80}\s?\]\([^()\s]{0,400}\))"
    r"|(?P<list>[\[{(][^\[\]{}()]{0,2000}[\]})])"
    r"|(?P<limit>(?-i:U?INT(?:8|16|32|64)_M(?:IN|AX)))\b"
    rf"|(?P<name>(?:{'|'.join(ENUMERATIONS)})_[A-Z_]{{1,60}}|(?-i:{'|'.join(MEMBERS)}))\b"
    rf"|(?P<number>(?>{_NUMBER})(?!(?:st|nd|rd|th|-?d)\b)|[+-]?(?:nan|inf|infinity)(?![\w(]))"
    # a sign before a number makes another one of it
    r"|(?P<sign>[^\w\s\[\]{}()|*#`.-]{1,3}[ \t]?[0-9.]{1,400})"
    r"|(?P<word>[A-Z]{3,20}(?:_[A-Z]{3,20})*)\b(?=[ \t]{0,20}(?:[,;.]?[ \t]{0,20}(?:\n|$)))",
    re.IGNORECASE,
)
# what leads from a parameter in a sentence to the tensor after it: ", gives OutputTensor = ..."
_ONWARD = regex(r",[ ](?:[^\W\d_]{1,12}[ ]){1,2}|[ ]and[ ]")
_TYPES = ("UINT", "INT", "FLOAT", "DOUBLE", "BOOL", "CONST")
# what may be the value of a parameter that is a data type, and of no other
_DATA_TYPE = regex(rf"(?:DML_TENSOR_DATA_TYPE_)?(?:{'|'.join(DATA_TYPES)})\b")
# what says that an optional input is absent
_ABSENT = regex(r"(?:none|null|nullptr)[ \t.]{0,9}(?=\n|$)", re.IGNORECASE)
# a tensor's name that no operator has: what it is, the others of its example may tell
_UNKNOWN = regex(
    r"[^\w\n]{0,20}(?P<label>[A-Z][A-Za-z]{1,60}Tensor)[*_]{0,3}[ \t]{0,20}:[*_]{0,3}\s{0,20}"
)
# brackets of values: everything between the first one and its partner; a remark has none
_BRACKET = regex(rf"[\[\]{{}}]|{REMARK}")
_HEADER = regex(rf"\([^()]{{0,400}}\)|{BARE_HEADER}", re.IGNORECASE)
_CALLED = regex(rf"\s{{0,20}}{_CALL}", re.IGNORECASE)
_TITLES = 600
"""How far before an anchor its heading may stand, in characters."""
NUMBERED = regex(r"\d(?!\w*_OPERATOR_DESC)")
"""A heading that is an example's: a structure's name in it numbers none."""
# the sizes of a tensor without its values, and what may be between two such lines
_SIZES = regex(
    rf"^[ \t>*`-]{{0,20}}{TENSOR}(?:\[\d{{1,4}}\])?\.Sizes[ \t]{{0,9}}[:=](?!=)[^\n]{{0,400}}",
    re.MULTILINE,
)
_BETWEEN = regex(r"[\s>*`-]{0,40}")
# lines that nobody takes for a title
_FENCE = " \t\r\f\v~*_-"
_TITLE = regex(r"^\s{0,9}(?P<marks>#{0,6})\s{0,9}(?P<words>[^\n]{1,160}?)[\s#]*$")


@dataclass(frozen=True)
class Field:
    """A parameter with its value, as text.

    Attributes:
        name: such as ``Repeats``.
        value: what stands behind the colon.
        line: of the page, from 1.
        title: the heading right before it, if there is one.
        rest: what stands after the value on its line.
        illustrates: whether it stands among the sizes of tensors that have no values, so that it
            belongs to no example.
    """

    name: str
    value: str
    line: int
    title: str
    rest: str = ""
    illustrates: bool = False


@dataclass(frozen=True)
class Block:
    """A tensor, as text.

    Attributes:
        label: DirectML's name, such as ``IndicesTensor`` or ``InputTensors[0]``, however the page
            spells it.
        start, end: the header and the values, as offsets in the source's text.
        line: of the label.
        title: the heading right before it, if there is one.
        absent: whether the page says that there is none.
    """

    label: str
    start: int
    end: int
    line: int
    title: str
    absent: bool = False

    @property
    def stem(self) -> str:
        """The label without a number: ``InputTensor`` for ``InputTensors[0]``."""
        name, bracket, _place = self.label.partition("[")
        return name.removesuffix("s") if bracket else name

    @property
    def is_output(self) -> bool:
        """Whether an operator writes it."""
        return self.stem in OUTPUTS


@dataclass(frozen=True)
class _UnknownTensor:
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
    tensor: _UnknownTensor | None = None

    @property
    def line(self) -> int:
        """Of the page, from 1."""
        return self.finding.line


Anchor = Field | Block | Stray


def anchors(
    source: PageText, older: tuple[str, ...] = (), own: tuple[str, ...] = ()
) -> tuple[Anchor, ...]:
    """Every parameter and tensor that has a value, and what could be one, in order.

    Args:
        source: the page.
        older: the parameters of the older form that the page describes.
        own: those of the operator that the page describes.
    """
    names = _Names(source.text, _anchor(older))
    parts = list(_parts(source, names))
    outputs = [isinstance(part, Block) and part.is_output for *_, part in parts]
    spans_read = [
        # between the outputs of an example it has not ended
        _ReadSpan(
            start, end, isinstance(part, Block), outputs[n] and not any(outputs[n + 1 : n + 2])
        )
        for n, (start, end, part) in enumerate(parts)
    ]
    illustrations = _illustrations(source.text, parts)
    titled_anchors: list[Anchor] = []
    at = 0
    strayed = _strays(source, spans_read, (*FIELDS, *older), own)
    for start, end, part in sorted([*parts, *strayed], key=lambda part: part[0]):
        titled = replace(part, title=_title(source.text, at, start))
        if isinstance(titled, Stray) and titled.is_tensor:
            titled = replace(titled, tensor=_unknown(source, start, end, names))
        if isinstance(titled, Field) and start in illustrations:
            titled = replace(titled, illustrates=True)
        titled_anchors.append(titled)
        at = end
    return tuple(titled_anchors)


def _illustrations(text: str, parts: Sequence[tuple[int, int, Field | Block]]) -> frozenset[int]:
    """Where the parameters begin that stand among sizes and have no tensor's values with them."""
    sizes = [(match.start(), match.end(), None) for match in _SIZES.finditer(text)]
    illustrations: set[int] = set()
    run: list[tuple[int, Field | Block | None]] = []
    until = 0
    for start, end, part in (*sorted([*parts, *sizes], key=itemgetter(0)), (len(text), 0, None)):
        if not _BETWEEN.fullmatch(text, until, start) or start == len(text):
            kinds = {type(each) for _at, each in run}
            if type(None) in kinds and Block not in kinds:
                illustrations |= {at for at, each in run if each}
            run = []
        run.append((start, part))
        until = max(until, end)
    return frozenset(illustrations)


class _Names:
    """Where the next name of a parameter or tensor is; asked again nearby, it is not searched."""

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        self.text, self.pattern = text, pattern
        self._start, self._match = 0, pattern.search(text)

    def after(self, at: int) -> re.Match[str] | None:
        """The first name from an offset on."""
        last = len(self.text) if self._match is None else self._match.start()
        if not self._start <= at <= last:
            self._start, self._match = at, self.pattern.search(self.text, at)
        return self._match


def _unknown(source: PageText, start: int, until: int, names: _Names) -> _UnknownTensor | None:
    """The tensor of a stray that is all of it and has a name of its own, though none of ours."""
    named = _UNKNOWN.match(source.text, start)
    if named is None or not _TENSOR.match(source.text, named.end()):
        return None
    end = _values_end(source.text, named.end(), names)
    if is_misspelt(named["label"]) or any(c.isalnum() for c in source.text[end:until]):
        return None
    line = source.line(named.start("label"))
    return _UnknownTensor(named["label"], named.end(), end, line)


def _parts(source: PageText, names: _Names) -> Iterator[tuple[int, int, Field | Block]]:
    """What is understood, with its offsets; the title is not yet known."""
    text = source.text
    at = 0
    while anchor := names.after(at):
        at = anchor.end()
        line = source.line(anchor.start())
        absent = _ABSENT.match(text, at) if anchor["tensor"] else None
        if absent:
            label = tensor_name(anchor["tensor"], anchor["place"])
            start, at = at, absent.end()
            yield anchor.start(), at, Block(label, start, at, line, "", absent=True)
        elif anchor["tensor"] and _TENSOR.match(text, at):
            label = tensor_name(anchor["tensor"], anchor["place"])
            start, at = at, _values_end(text, at, names)
            yield anchor.start(), at, Block(label, start, at, line, "")
        # the last group is the one that the name stands in
        elif not anchor["tensor"] and (value := _value(text, at, anchor[anchor.lastgroup or 0])):
            at = _line_end(text, value.end(), names)
            rest = text[value.end() : min(at, value.end() + 200)]
            if "=" in anchor[0] and _ONWARD.fullmatch(rest):
                rest = ""
            name = anchor[anchor.lastgroup or 0]
            yield anchor.start(), at, Field(name, value[0], line, "", rest)


def _line_end(text: str, start: int, names: _Names) -> int:
    """Where the line ends, or the next field or tensor begins on it."""
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    following = names.pattern.search(text, start, end)
    return following.start() if following else end


def _value(text: str, start: int, name: str) -> re.Match[str] | None:
    if name.endswith("DataType"):
        return _DATA_TYPE.match(text, start)
    value = _VALUE.match(text, start)
    if value is None or (value["word"] and value["word"].upper() in _TYPES):
        return None
    return value


def _values_end(text: str, start: int, names: _Names) -> int:
    """After the last bracket of a tensor, or where the next field or heading begins."""
    header = _HEADER.match(text, start)
    at = header.end() if header else start
    called = _CALLED.match(text, at)
    stop = names.after(at)
    limit = stop.start() if stop else len(text)
    depth = 0
    for bracket in _BRACKET.finditer(text, at, limit):
        if bracket[0][0] in "/#":
            continue
        depth += 1 if bracket[0] in "[{" else -1
        if depth <= 0:
            end = _CALL_END.match(text, bracket.end()) if called else None
            return (end or bracket).end()
    heading = regex(r"\n[ \t]*(?:\n|#)").search(text, at, limit)
    return heading.start() if heading else limit


def _title(text: str, since: int, before: int) -> str:
    """The line right before an anchor, if it is a heading or a short line with a number.

    Where it is neither, it is the heading with a number that a few sentences follow.
    """
    start = max(since, before - _TITLES)
    lines = text[start:before].split("\n")
    if len(lines) > 1 and start == before - _TITLES:
        lines = lines[1:]
    # what follows a tensor on its line is a title where all lines are run together
    if start == since > 0 and not re.match(r"\s*[#*_]*\w", lines[0]):
        lines = ["", *lines[1:]]
    nearest = True
    for line in reversed(lines[:-1] if lines and not lines[-1].strip() else lines):
        # a remark on the lines of an example begins no other one
        if not line.strip(_FENCE) or line.lstrip().startswith(("//", "/*")):
            continue
        title = _TITLE.match(line)
        words = one_line(title["words"]).strip(" *_") if title else ""
        has_letters = any(c.isalnum() for c in words)
        if title and title["marks"] and has_letters:
            return words.rstrip(":") if nearest or NUMBERED.search(words) else ""
        if nearest and has_letters and _is_numbered(words):
            return words
        nearest = False
    return ""


def _is_numbered(words: str) -> bool:
    """Whether a line without marks is a title: it has a number, and is no sentence."""
    if not any(c.isdigit() for c in words) or len(words) > 120 or words[-1] in ":,;]}":
        return False
    # rows of a tensor are none, whatever remark stands behind them
    return words[0] not in "[]{},|" and not (words.endswith(".") and words.count(" ") > 3)


@dataclass(frozen=True)
class _ReadSpan:
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
    return regex(
        rf"{_LEAD}(?:(?P<known>(?i:{loose})){_SIGN}|{other}{_SIGN}"
        r"|(?P<bare>\S{4,30})[ \t]{1,5}(?=[^\w\s]{0,3}(?:\d|DML_)))"
        r"|^[ \t]{0,20}(?P<signs>[*/×·+^%][ \t]{0,20}[0-9.][0-9.()*/×·+^%, \t-]{0,80})$",
        re.MULTILINE,
    )


_STRAY_VALUE = regex(
    rf"[ \t]{{0,20}}[^\w\s]{{0,3}}(?:\d|DML_[A-Z_]{{0,30}}?(?:{'|'.join(MEMBERS)})\b"
    rf"|(?:{'|'.join(MEMBERS)})\b)"
)
_STRAY_HEADER = regex(
    r"\(\s{0,9}(?:Sizes\s{0,9}[:=]\s{0,9}[{\[(]?\s{0,9}\d|DataType\s{0,9}[:=]\s{0,9}[A-Z]+\d)",
    re.IGNORECASE,
)
_NESTED = regex(
    r"^[ \t>]{0,20}(?:[^\W\d][\w \t*]{0,40}[:=][ \t]{0,20})?"
    r"(?P<values>[\[{])\s{0,9}[\[{][\s\[{]{0,20}[-+.]?\d[^\[\]{}\n]{0,80}[,\]}]",
    re.MULTILINE,
)
# a tensor as LaTeX sets it
_MATRIX = regex(
    rf"{TENSOR}[\s$*_}}]{{0,9}}[:=][\s$]{{0,20}}(?P<matrix>\\begin\{{[a-zA-Z]{{1,20}}\*?\}})"
)
# the word before a tensor, however it is set
_NAME = regex(r"([^\W\d][\w \t\[\]-]{0,60})[*_\"']{0,3}[ \t]{0,9}[:=][*_\"']{0,3}\s{0,9}$")
_BLANK_LINE = regex(r"\n[ \t]*\n")
_TOUCHING = regex(r"[ \t,;.|*_]{0,40}\n?[ \t>*+\-\"'|]{0,20}")
_WORDS = regex(r"[^\W\d]")
# how alike two names are of which one may be the other with a typing error
_ALIKE = 0.8


def _strays(
    source: PageText, spans_read: Sequence[_ReadSpan], names: tuple[str, ...], own: tuple[str, ...]
) -> list[tuple[int, int, Stray]]:
    """All of them, with their offsets, in order.

    Args:
        source: the page.
        spans_read: what was understood, in order.
        names: of the parameters that the page may have.
        own: of those that its operator has.
    """
    every = [*_tensors(source, spans_read), *_lines(source, spans_read, names, own)]
    return sorted(every, key=lambda stray: stray[0])


def _tensors(source: PageText, spans_read: Sequence[_ReadSpan]) -> Iterator[tuple[int, int, Stray]]:
    text = source.text
    first = next((t.end for t in spans_read if t.is_tensor), len(text))
    headers = [m.start() for m in _STRAY_HEADER.finditer(text)]
    nested = [m.start("values") for m in _NESTED.finditer(text, first)]
    gaps = _Gaps(spans_read, len(text))
    for match in _MATRIX.finditer(text) if "\\begin{" in text else ():
        message = _("{text} of LaTeX could not be read; write the values in brackets.")
        message = message.format(text=excerpt(match["matrix"]))
        finding = Finding(source.line(match.start("matrix")), message, "tensor-text")
        yield match.start(), match.end(), Stray(finding, True, True)
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
    source: PageText,
    spans_read: Sequence[_ReadSpan],
    names: tuple[str, ...],
    own: tuple[str, ...],
) -> Iterator[tuple[int, int, Stray]]:
    text = source.text
    gaps = _Gaps(spans_read, len(text))
    spans: list[tuple[int, int, re.Match[str]]] = []
    for match in _line(names).finditer(text):
        before, after = gaps.around(match.start())
        if match.start() < before.end or after.start < match.end():
            continue
        end = text.find("\n", match.end(), min(after.start, match.end() + 400))
        spans.append((match.start(), end if end >= 0 else after.start, match))
    below, above = _touching(text, spans, gaps)
    # a long page has the same words again and again
    alike: dict[str, bool] = {}

    def resembles_a_field(word: str) -> bool:
        if word not in alike:
            alike[word] = _resembles_a_field(word, names)
        return alike[word]

    for number, (start, end, match) in enumerate(spans):
        before, after = gaps.around(start)
        # Sizes = 2 * 3 is a statement, BlokSize = 3 a parameter
        is_equation = match["other"] and text[match.end() - 1] == "="
        word = match["bare"] or (match["other"] if is_equation else "")
        if word and not resembles_a_field(word):
            continue
        value = match["signs"] or _STRAY_VALUE.match(text, match.end())
        # below an output a page goes on, and only what is a parameter's name is about examples
        ours = match["known"] or (value and not (match["other"] and before.is_output))
        beside = (number in above and bool(match["known"] or value)) or (
            number in below and bool(ours)
        )
        inside = before.end > 0 and after.end > after.start and match["known"] and value
        # a whole paragraph right before a tensor or a parameter is no prose
        word = match["other"] or match["bare"] or ""
        if match["known"] or (value and resembles_a_field(word)):
            alone = after.end > after.start and not _WORDS.search(text, end, after.start)
            beside = beside or alone
        if not (beside or inside):
            continue
        quoted = excerpt(text[start : min(end, start + 100)].strip(" \t>*+-|"))
        message = _("{text} is part of an example but could not be read.").format(text=quoted)
        if not match["known"] and (near := _near_field(word, own or names)):
            message = _("there is no field {word}; did you mean {near}?")
            message = message.format(word=excerpt(word), near=near)
        finding = Finding(source.line(match.end() - 1), message, "tensor-name")
        yield start, min(end, after.start), Stray(finding, False, beside)


def _resembles_a_field(word: str, names: tuple[str, ...]) -> bool:
    # Repeats[i] is a place in a formula
    return not set("[.") & set(word) and any(is_alike(word, name, _ALIKE) for name in names)


def _near_field(word: str, names: tuple[str, ...]) -> str:
    """The field that a word may mean, such as ``PaddingMode`` for ``Mode``; empty if none is."""
    alike = [name for name in names if is_alike(word, name, _ALIKE)]
    parts = [name for name in names if len(word) > 2 and word.lower() in name.lower()]
    return next(iter([*alike, *parts]), "")


def _touching(
    text: str, spans: Sequence[tuple[int, int, re.Match[str]]], gaps: _Gaps
) -> tuple[frozenset[int], frozenset[int]]:
    """The numbers of the lines right below something understood, and of those right above."""
    below, above = set(), set()
    edge = -1
    for number, (start, end, _match) in enumerate(spans):
        before = gaps.around(start)[0]
        if _meet(text, before.end or -1, start) or _meet(text, edge, start):
            below.add(number)
            edge = end
    edge = -1
    for number, (start, end, _match) in reversed([*enumerate(spans)]):
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

    def __init__(self, spans_read: Sequence[_ReadSpan], length: int) -> None:
        edges = _ReadSpan(0, 0, False, False), _ReadSpan(length, length, False, False)
        self.spans_read = [edges[0], *spans_read, edges[1]]
        self.starts = [t.start for t in self.spans_read[:-1]]

    def around(self, place: int) -> tuple[_ReadSpan, _ReadSpan]:
        after = bisect_right(self.starts, place)
        return self.spans_read[after - 1], self.spans_read[after]
