"""Reading a tensor from text in any common notation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error, LiteralError
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _, ngettext
from dmlviz.tensors.cells import Misfit, fit, is_shortened, misfit_error, not_a_number
from dmlviz.tensors.data_types import DATA_TYPES, DataType, data_type_of
from dmlviz.tensors.data_types import data_type as find_type
from dmlviz.tensors.headers import BEGINNING, Header, read_header
from dmlviz.tensors.sizes import MAX_RANK, element_count, print_sizes

LONGEST_TEXT = 1_000_000
"""The limit of characters in a literal."""

_PYTHON_NAMES = {"float": "FLOAT64", "double": "FLOAT64", "half": "FLOAT16", "int": "INT64"}
CLOSING = {"[": "]", "{": "}", "(": ")"}

# One scan from left to right that backtracks over at most one token, so that the
# time is linear in the text. A call is a name that wraps values and adds no dimension.
_TOKEN = regex(
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
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str)
# what would make other values of it, or deeper ones than a tensor has
_NOT_PLAIN = regex(rf"[^-+.\deE,\[\] \t\n]|(?:\[\s*){{{MAX_RANK + 1}}}")
_WORD = regex(r"[-+.\deE]+")


@dataclass(frozen=True, eq=False)
class Literal:
    """A tensor read from text.

    Attributes:
        values: a read-only array of ``sizes`` and ``data_type``.
        sizes: 1 to 8 sizes.
        data_type: one of the eleven names.
        findings: one sentence for each error that was corrected.
        offsets: where each value begins in the text.
        missing_commas: where a comma is missing: offsets of the text before it.
    """

    values: np.ndarray[Any, Any]
    sizes: tuple[int, ...]
    data_type: str
    findings: tuple[str, ...]
    offsets: tuple[int, ...] = ()
    missing_commas: tuple[int, ...] = ()


def read_literal(text: str, data_type: str, limit: int = 65_536) -> Literal:
    """A tensor from text.

    Args:
        text: nested lists as Python, NumPy, JSON, C++ or DirectML's documentation write them,
            with or without commas, with or without ``array(..., dtype=...)`` around them and a
            header such as ``InputTensor: (Sizes:{1, 1, 2, 3}, DataType:FLOAT32)`` before
            them; rows as in MATLAB, ``1 2; 3 4``; or plain lines of numbers. Every pair of
            brackets is a dimension. One plain line is 1-dimensional, a number alone has
            sizes (1,).
        data_type: the data type, unless the header or ``dtype=`` names another.
        limit: the limit of values.

    Returns:
        The tensor. A list without structure takes its sizes from the header.

    Raises:
        LiteralError: the text is not a tensor, or the data type cannot hold one of its values
            as typed (field ``values``). A fraction is held as typed if each typed digit is also
            in the held value, printed with the fewest digits or with more: 0.1 and
            0.10000000149 are FLOAT32, 0.1000000001 is not.
        Error: there is no such data type (field ``data_type``).

    >>> read_literal("[[1 2 3]\\n [4 5 6]]", "UINT8").values
    array([[1, 2, 3],
           [4, 5, 6]], dtype=uint8)
    >>> read_literal("[[1, 2], [3]]", "UINT8")
    Traceback (most recent call last):
    dmlviz.base.errors.LiteralError: values: the list at [1] has 1 item, where the first list \
at that depth has 2.
    """
    kind = find_type(data_type)
    if len(text) > LONGEST_TEXT:
        message = _("values: the text has {count:,} characters; the limit is {most:,}.").format(
            count=len(text), most=LONGEST_TEXT
        )
        raise LiteralError(message, field="values")
    header = read_header(text)
    if another := BEGINNING.search(text, header.end):
        rule = _("another header, {text}, begins before the end of the tensor")
        raise error_at(text, another.start(), rule.format(text=excerpt(another[0])))
    layout = read_layout(text, header.end, limit)
    findings = _comma_findings(layout)
    kind = _settle_type(kind, header, layout, findings)
    sizes = _settle_sizes(header, layout, findings)
    values = np.array(_numbers(layout, kind), kind.dtype).reshape(sizes)
    values.flags.writeable = False
    return Literal(values, sizes, kind.name, tuple(findings), layout.offsets, layout.missing_commas)


def _numbers(layout: TextLayout, kind: DataType) -> list[np.generic]:
    known: dict[str, np.generic] = {}
    for flat, word in enumerate(layout.words):
        if word in known:
            continue
        try:
            known[word] = fit(word, kind)
        except Misfit as misfit:
            position = tuple(int(i) for i in np.unravel_index(flat, layout.sizes))
            error = misfit_error(word, position, misfit)
            error.offset = layout.offsets[flat]
            raise error from None
    return [known[word] for word in layout.words]


def _comma_findings(layout: TextLayout) -> list[str]:
    if not layout.missing_commas:
        return []
    message = ngettext(
        "{count:,} missing comma was added.",
        "{count:,} missing commas were added.",
        len(layout.missing_commas),
    )
    return [message.format(count=len(layout.missing_commas))]


def _settle_type(
    asked: DataType, header: Header, layout: TextLayout, findings: list[str]
) -> DataType:
    """The header's type, otherwise the one of ``dtype=``, otherwise the requested one."""
    by_dtype = type_of_dtype(layout.dtype) if layout.dtype else None
    if header.data_type and by_dtype and by_dtype != header.data_type:
        message = _("values: the header says {first}, but dtype={second} follows.").format(
            first=header.data_type, second=layout.dtype
        )
        raise LiteralError(message, field="values")
    name = header.data_type or by_dtype or asked.name
    if name != asked.name:
        message = _("The text says that its data type is {found}, so it was not read as {asked}.")
        findings.append(message.format(found=name, asked=asked.name))
    return DATA_TYPES[name]


def type_of_dtype(name: str) -> str:
    """The data type that NumPy calls so.

    Raises:
        LiteralError: none is called so (field ``values``).

    >>> type_of_dtype("float"), type_of_dtype("<i4")
    ('FLOAT64', 'INT32')
    """
    try:
        if re.fullmatch(r"[<>=|]?[iuf][1248]", name):
            return data_type_of(name)
        return find_type(_PYTHON_NAMES.get(name, name)).name
    except Error:
        message = _("values: dtype={name} is not one of DirectML's data types: {names}.").format(
            name=excerpt(name), names=", ".join(DATA_TYPES)
        )
        raise LiteralError(message, field="values") from None


def _settle_sizes(header: Header, layout: TextLayout, findings: list[str]) -> tuple[int, ...]:
    """The sizes of the brackets, unless there is no structure and the header has some."""
    if header.strides is not None:
        message = _("The header gives Strides, so the values were read as memory, in their order.")
        findings.append(message)
        return (len(layout.words),)
    if header.sizes is None or header.sizes == layout.sizes:
        return layout.sizes
    flat = len(layout.sizes) == 1 or not layout.bracketed
    if flat and element_count(header.sizes) == len(layout.words):
        message = _("The values have no brackets of their own; Sizes:{sizes} arranges them.")
        findings.append(message.format(sizes=print_sizes(header.sizes)))
        return header.sizes
    message = _("values: the header says Sizes:{said}, but the values have sizes {found}.").format(
        said=print_sizes(header.sizes), found=print_sizes(layout.sizes)
    )
    raise LiteralError(message, field="values")


@dataclass(frozen=True)
class TextLayout:
    """The values of a text as words, before they become numbers.

    Attributes:
        words: the values in the order of memory.
        sizes: the sizes that follow from their nesting.
        bracketed: whether brackets give the nesting, or only lines.
        dtype: the value of ``dtype=``, without module and quotation marks; empty if missing.
        missing_commas: where commas are missing in a text that otherwise has them: offsets
            of the text before each of them.
        offsets: where each word begins in the text.
    """

    words: tuple[str, ...]
    sizes: tuple[int, ...]
    bracketed: bool
    dtype: str
    missing_commas: tuple[int, ...]
    offsets: tuple[int, ...]


def read_layout(text: str, start: int, limit: int) -> TextLayout:
    """The words in the text from ``start`` on, and how they are nested.

    Raises:
        LiteralError: the brackets or separators are wrong, the lists are ragged, empty or too
            deep, or there are more than ``limit`` values (field ``values``).

    >>> read_layout("{{1, 2}, {3, 4}}", 0, 10).sizes
    (2, 2)
    """
    if (plain := _plain(text[start:], start, limit)) is not None:
        return plain
    stream = tokens(text, start)
    first = next((token for token in stream if token.kind != "line"), None)
    if first is None:
        message = _("values: there is no value; a tensor has at least one.")
        raise LiteralError(message, field="values")
    rest = chain([first], stream)
    if first.kind in ("open", "call"):
        return _Brackets(text, limit).read(rest)
    return _read_lines(text, rest, limit)


def _plain(text: str, start: int, limit: int) -> TextLayout | None:
    """The layout of a text that JSON reads as nested lists of numbers, in a tenth of the time.

    None for any other text, which may be right or wrong.

    Args:
        text: from ``start`` on.
        start: what is added to offsets.
        limit: as in :func:`read_layout`.
    """
    if _NOT_PLAIN.search(text):
        return None
    try:
        level = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    sizes: list[int] = []
    items = [level]
    while isinstance(items[0], list):
        length = len(items[0])
        if not length or any(not isinstance(x, list) or len(x) != length for x in items):
            return None
        sizes.append(length)
        items = [x for item in items for x in item]
    if not sizes or len(items) > limit or any(isinstance(x, list) for x in items):
        return None
    words = list(_WORD.finditer(text))
    offsets = tuple(start + word.start() for word in words)
    return TextLayout(tuple(word[0] for word in words), tuple(sizes), True, "", (), offsets)


def _read_lines(text: str, stream: Iterator[Token], limit: int) -> TextLayout:
    nesting = Nesting(limit)
    nesting.open()
    separated = True
    offsets = []
    for token in stream:
        if token.kind == "word":
            if nesting.depth == 1:
                nesting.open()
            nesting.value(token.text)
            offsets.append(token.offset)
            separated = False
        elif token.kind in ("line", "semicolon"):
            if nesting.depth == 2:
                nesting.close()
            separated = True
        elif token.kind == "comma" and not separated:
            separated = True
        elif token.kind == "comma":
            raise error_at(text, token.offset, _("there is a comma without a value before it"))
        else:
            rule = _("{found} appears among values without brackets")
            raise error_at(text, token.offset, rule.format(found=excerpt(token.text)))
    if nesting.depth == 2:
        nesting.close()
    nesting.close()
    sizes = nesting.sizes if nesting.sizes[0] > 1 else nesting.sizes[1:]
    return TextLayout(tuple(nesting.words), sizes, False, "", (), tuple(offsets))


class _Brackets:
    """Reads one tensor in brackets; each kind of token has a method of that name."""

    def __init__(self, text: str, limit: int) -> None:
        self.text = text
        self.nesting = Nesting(limit)
        self.opened: list[Token] = []
        self.in_rows = False
        self.after_item = False
        self.commas = 0
        self.missing: list[int] = []
        self.offsets: list[int] = []
        self.last = 0
        self.type_name = ""

    def read(self, stream: Iterator[Token]) -> TextLayout:
        token = None
        try:
            for token in stream:
                getattr(self, token.kind)(token)
                if token.kind != "line":
                    self.last = token.offset
        except LiteralError as error:
            # the lists know which of them is ragged; only this loop knows its offset
            error.offset = token.offset if token else None
            raise
        if self.opened:
            rule = _("{bracket} is never closed").format(bracket=self.opened[-1].text)
            raise error_at(self.text, self.opened[-1].offset, rule)
        if not self.nesting.finished:
            self.nesting.open()
            self.nesting.close()
        missing = tuple(self.missing) if self.commas else ()
        words, sizes = tuple(self.nesting.words), self.nesting.sizes
        return TextLayout(words, sizes, True, self.type_name, missing, tuple(self.offsets))

    def open(self, token: Token) -> None:
        self._item(token)
        self.opened.append(token)
        self.nesting.open()
        self.after_item = False

    def call(self, token: Token) -> None:
        self._item(token)
        self.opened.append(token)
        self.after_item = False

    def close(self, token: Token) -> None:
        if not self.opened:
            rule = _("{bracket} has no opening bracket").format(bracket=token.text)
            raise error_at(self.text, token.offset, rule)
        begun = self.opened.pop()
        if CLOSING[begun.text[-1]] != token.text:
            rule = _("{bracket} does not match {opening} in line {line}, column {column}")
            line, column = line_and_column(self.text, begun.offset)
            named = {"bracket": token.text, "opening": begun.text, "line": line, "column": column}
            error = error_at(self.text, token.offset, rule.format(**named))
            error.rule = _("{bracket} does not match {opening}").format(
                bracket=token.text, opening=begun.text
            )
            raise error
        if begun.kind == "open":
            if self.in_rows and self.nesting.depth == 2:
                self.nesting.drop_empty_row()
            self.nesting.close()
        self.after_item = True

    def comma(self, token: Token) -> None:
        if not self.after_item:
            raise error_at(self.text, token.offset, _("there is a comma without a value before it"))
        self.commas += bool(self.opened)
        self.after_item = False

    def semicolon(self, token: Token) -> None:
        if self.nesting.finished:
            self.after_item = False
            return
        in_list = bool(self.opened) and self.opened[-1].kind == "open"
        if not (in_list and (self.in_rows or self.nesting.takes_rows)):
            rule = _(
                "a semicolon separates the rows of one pair of brackets, and is not allowed here"
            )
            raise error_at(self.text, token.offset, rule)
        self.nesting.next_row()
        self.in_rows = True
        self.after_item = False

    def line(self, token: Token) -> None:
        """Inside brackets, a line break is ordinary white space."""

    def dtype(self, token: Token) -> None:
        if not any(begun.kind == "call" for begun in self.opened[-1:]):
            raise error_at(self.text, token.offset, _("dtype= is outside array(...)"))
        name = token.text.partition("=")[2].strip().rpartition(".")[2].strip("'\"")
        if self.type_name not in ("", name):
            rule = _("dtype={second} contradicts dtype={first} before it")
            raise error_at(self.text, token.offset, rule.format(first=self.type_name, second=name))
        self.type_name = name
        self.after_item = True

    def word(self, token: Token) -> None:
        self._item(token)
        if is_shortened(token.text):
            # Reported before the lists are compared: a shortened text is also ragged.
            raise misfit_error(token.text, self.nesting.position, not_a_number(token.text))
        if self.nesting.depth == 0:
            self.nesting.open()
            self.nesting.value(token.text)
            self.nesting.close()
        else:
            self.nesting.value(token.text)
        self.offsets.append(token.offset)
        self.after_item = True

    def _item(self, token: Token) -> None:
        if self.nesting.finished:
            rule = _("{found} comes after the end of the tensor")
            raise error_at(self.text, token.offset, rule.format(found=excerpt(token.text)))
        if self.after_item:
            self.missing.append(self.last)


class Nesting:
    """The words of a tensor and the lists around them, one event after the other.

    Every list must be as long as the first one at its depth, and every value as deep as the
    first value. There is no recursion, and each event takes only a few steps.

    >>> nesting = Nesting(limit=10)
    >>> nesting.open(); nesting.value("1"); nesting.value("2"); nesting.close()
    >>> nesting.words, nesting.sizes
    (['1', '2'], (2,))
    """

    def __init__(self, limit: int) -> None:
        self.words: list[str] = []
        self._limit = limit
        self._rank: int | None = None
        self._counts: list[int] = []
        self._lengths: list[int | None] = []

    @property
    def depth(self) -> int:
        """How many lists are open."""
        return len(self._counts)

    @property
    def position(self) -> tuple[int, ...]:
        """The index of the next item."""
        return tuple(self._counts)

    @property
    def finished(self) -> bool:
        """Whether the outermost list has been closed."""
        return bool(self._lengths) and not self._counts

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes, once finished."""
        return tuple(length or 0 for length in self._lengths)

    def open(self) -> None:
        """A list begins."""
        if self.depth == MAX_RANK:
            raise _nesting_error(
                _("values: the brackets at {position} are nested deeper than the {most} dimensions "
                  "that a tensor may have."),
                position=list(self.position), most=MAX_RANK,
            )  # fmt: skip
        if self._rank is not None and self.depth >= self._rank:
            raise _nesting_error(
                _("values: there is a list at {position}, where a single value should be, "
                  "as at {first}."),
                position=list(self.position), first=[0] * self._rank,
            )  # fmt: skip
        if len(self._lengths) == self.depth:
            self._lengths.append(None)
        self._counts.append(0)

    def value(self, word: str) -> None:
        """A value."""
        if self._rank is None:
            self._rank = self.depth
        if self.depth != self._rank:
            raise _nesting_error(
                _("values: there is a single value at {position}, where a list should be, "
                  "as at {first}."),
                position=list(self.position), first=[0] * self.depth,
            )  # fmt: skip
        if len(self.words) == self._limit:
            raise _nesting_error(
                _("values: the text has more values than the limit of {limit:,}."),
                limit=self._limit,
            )
        self.words.append(word)
        self._counts[-1] += 1

    def close(self) -> None:
        """The innermost list ends."""
        count = self._counts.pop()
        position = list(self._counts)
        expected = self._lengths[len(position)]
        if count == 0:
            if not position:
                raise _nesting_error(_("values: there is no value; a tensor has at least one."))
            message = _("values: the list at {position} is empty; a tensor has no size 0.")
            raise _nesting_error(message, position=position)
        if expected is None:
            self._lengths[len(position)] = count
        elif count != expected:
            message = ngettext(
                "values: the list at {position} has {count:,} item, where the first list "
                "at that depth has {expected:,}.",
                "values: the list at {position} has {count:,} items, where the first list "
                "at that depth has {expected:,}.",
                count,
            )
            raise _nesting_error(message, position=position, count=count, expected=expected)
        if self._counts:
            self._counts[-1] += 1

    @property
    def takes_rows(self) -> bool:
        """Whether only one list of plain values is open, which can still become rows."""
        return self.depth == 1 and self._rank == 1

    def next_row(self) -> None:
        """The only open list turns out to be rows, as in MATLAB; one of them ends here."""
        if self.takes_rows:
            self._rank = 2
            self._lengths.append(None)
            self._counts.append(self._counts[0])
            self._counts[0] = 0
        self.close()
        self.open()

    def drop_empty_row(self) -> None:
        """Forget an empty row that began after the last separator."""
        if self._counts[-1] == 0:
            self._counts.pop()
        else:
            self.close()


def _nesting_error(template: str, **named: object) -> LiteralError:
    return LiteralError(template.format(**named), field="values")


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
    for match in _TOKEN.finditer(text, start):
        yield Token(str(match.lastgroup), match.group(), match.start())


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Where an offset is, as an editor counts: from line 1, column 1.

    >>> line_and_column("[1,\\n 2}", 6)
    (2, 3)
    """
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def error_at(text: str, offset: int, rule: str) -> LiteralError:
    """An error about what begins at an offset of the text, with its line and column."""
    line, column = line_and_column(text, offset)
    message = _("values: {rule} (line {line}, column {column}).").format(
        rule=rule, line=line, column=column
    )
    error = LiteralError(message, field="values")
    error.offset, error.rule = offset, rule
    return error
