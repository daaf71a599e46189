"""A tensor of a page, read: what its header says, what its values are, and whether they agree."""

from __future__ import annotations

import re
from dataclasses import replace

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error, LiteralError
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _, ngettext
from dmlviz.operators.slots import BufferDesc
from dmlviz.tensors import Literal, element_count, print_sizes, read_literal
from dmlviz.tensors.headers import Header, read_header
from dmlviz.tensors.literals import type_of_dtype
from dmlviz.tensors.types import Array
from dmlviz.verify.anchors import REMARK, Block
from dmlviz.verify.findings import Finding, Unreadable, print_lines
from dmlviz.verify.text import PageText

VALUES_LIMIT = 65_536
"""The most values that one tensor of a page may have."""

ASSUMED_TYPE = "FLOAT32"
"""The data type of elements that travel, where no tensor names one."""

CONTROL_TYPE = "INT64"
"""The data type of indices or lengths whose header names none."""


# behind a tensor's last bracket: another one that closes nothing, or a row that was left outside
_BEHIND = regex(
    r"[ \t]{0,40}\n?[ \t]{0,40}"
    r"(?:(?P<closing>[\]}])|(?:,\s{0,40}|[\[{])[\[{\s]{0,40}[-+.]?[0-9])"
)


_BEGUN = regex(r"[\[{(0-9]")
_REMARK = regex(REMARK)
# what makes other values of a tensor, or another tensor: [1, 2] * 2, [1, 2]², [1, 2].T
_CHANGED = regex(
    r"[ \t]{0,40}(?:(?:[*/×·+^%-]|\*\*)[ \t]{0,40}[-+.]?\d|[⁰¹²³⁴-⁹]|\.[A-Za-z_])[^\n]{0,80}"
)
_SIZES = regex(r"Sizes\s{0,9}[:=]\s{0,9}(?:\{[^{}\[\]]*\}|\[[^{}\[\]]*\])", re.IGNORECASE)
_STRIDES = regex(_SIZES.pattern.replace("Sizes", "Strides"), re.IGNORECASE)
_DTYPE = regex(r"\bdtype\s{0,3}=\s{0,3}([\w.'\"]{1,40})\s{0,20},?\s{0,20}\)$")
_TYPE = regex(r"DataType\s{0,9}[:=]\s{0,9}\w+", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class PageTensor:
    """A tensor as a page gives it.

    Attributes:
        label: DirectML's name, such as ``IndicesTensor`` or ``InputTensors[0]``.
        line: of the label.
        values: read-only, in the header's sizes where the values can be arranged so.
        data_type: the header's, or empty where it names none.
        lines: for each value, flat, the line on which it stands.
        findings: what was put right.
        contradictions: what was not, because header and values exclude each other.
        buffer: where the header gives strides, it and they; the values are memory then.
    """

    label: str
    line: int
    values: Array
    data_type: str
    lines: tuple[int, ...]
    findings: tuple[Finding, ...]
    contradictions: tuple[Finding, ...]
    buffer: BufferDesc | None = None


TRIALS_LIMIT = 10_000
"""The most operators that are tried for one page, to find counts that its examples lack."""


class PageTensors:
    """A page's tensors, each read once, however many examples share it.

    Attributes:
        source: the page.
        trials_left: how many operators may still be tried for it.
    """

    def __init__(self, source: PageText) -> None:
        self.source = source
        self.trials_left = TRIALS_LIMIT
        self._headers: dict[Block, Header] = {}
        self._read: dict[tuple[Block, str], PageTensor | Unreadable] = {}

    def header(self, block: Block) -> Header:
        """What :func:`header_of` gives.

        Raises:
            Unreadable: as it does.
        """
        if block not in self._headers:
            self._headers[block] = header_of(self.source, block)
        return self._headers[block]

    def read(self, block: Block, data_type: str) -> PageTensor:
        """What :func:`read_block` gives.

        Raises:
            Unreadable: as it does.
        """
        key = (block, data_type)
        if key not in self._read:
            try:
                self._read[key] = read_block(self.source, block, self.header(block), data_type)
            except Unreadable as unreadable:
                self._read[key] = unreadable
        result = self._read[key]
        if isinstance(result, Unreadable):
            raise result
        return result


def header_of(source: PageText, block: Block) -> Header:
    """What the header of a tensor says, and ``dtype=`` after its values.

    Raises:
        Unreadable: it gives no sizes or data type that there are, or something else with them; or
            ``dtype=`` names another data type.
    """
    # the end of a header is never far, and a page may hold thousands of tensors
    text = source.text[block.start : min(block.end, block.start + 600)]
    try:
        header = read_header(text)
    except Error as error:
        raise Unreadable(_at(block.line, block, error)) from None
    left = text[: header.end]
    for pattern in (_SIZES, _STRIDES, _TYPE):
        left = pattern.sub("", left, 1)
    left = left.strip(" \t\n(),;.")
    if left:
        message = _("{label}: {left} in its header could not be read.")
        raise Unreadable(
            Finding(
                block.line, message.format(label=block.label, left=excerpt(left)), "tensor-text"
            )
        )
    named = _DTYPE.search(source.text, max(block.start, block.end - 80), block.end)
    return _with_dtype(block, header, named[1]) if named else header


def _with_dtype(block: Block, header: Header, name: str) -> Header:
    try:
        data_type = type_of_dtype(name.strip("'\"").rpartition(".")[2])
    except Error as error:
        raise Unreadable(_at(block.line, block, error)) from None
    if header.data_type not in (None, data_type):
        message = _("{label}: its header says {first}, but dtype={second} follows.")
        text = message.format(label=block.label, first=header.data_type, second=excerpt(name))
        raise Unreadable(Finding(block.line, text, "tensor-text"))
    return replace(header, data_type=data_type)


def read_block(source: PageText, block: Block, header: Header, data_type: str) -> PageTensor:
    """The tensor of a block.

    Args:
        source: the page.
        block: where the tensor stands.
        header: what :func:`header_of` gives.
        data_type: where the header names none.

    Raises:
        Unreadable: the values are none that there can be.
    """
    start = block.start + header.end
    text = source.text[start : block.end]
    remarks = list(_REMARK.finditer(text))
    remarked = source.lines_of([start + remark.start() for remark in remarks])
    literal = literal_of(source, block, header, data_type)
    if changed := _CHANGED.match(source.text, block.end):
        message = _("{label}: {left} after its last bracket could not be read.")
        text_after = message.format(label=block.label, left=excerpt(changed[0].strip()))
        raise Unreadable(Finding(source.line(block.end), text_after, "tensor-text"))
    values, sizes_findings, contradictions = _arranged(block, header, literal.values)
    commas = [start + offset for offset in literal.missing_commas]
    closing, rows = _behind(source, block)
    return PageTensor(
        block.label,
        block.line,
        values,
        header.data_type or "",
        source.lines_of([start + offset for offset in literal.offsets]),
        (
            *_remark_findings(block, remarks[0][0][:2] if remarks else "", remarked),
            *_comma_findings(source, block, commas),
            *sizes_findings,
            *closing,
        ),
        (*contradictions, *rows),
        None if header.strides is None else BufferDesc(header.sizes or (), header.strides),
    )


def _line_of(source: PageText, block: Block, text: str, start: int, error: LiteralError) -> int:
    """Where the values are wrong; the block's own line where none come before that."""
    before = "" if error.offset is None else text[: error.offset]
    if error.offset is None or (before.strip() and not _BEGUN.search(before)):
        return block.line
    return source.line(start + error.offset)


def literal_of(source: PageText, block: Block, header: Header, data_type: str) -> Literal:
    """The values of a block; their offsets count from the end of its header.

    Args:
        source: the page.
        block: where the tensor stands.
        header: what :func:`header_of` gives.
        data_type: where the header names none.

    Raises:
        Unreadable: the values are none that there can be.
    """
    start = block.start + header.end
    try:
        # blanks in their place, so that all else stays where it is
        text = _REMARK.sub(lambda remark: " " * len(remark[0]), source.text[start : block.end])
        return read_literal(text, header.data_type or data_type, VALUES_LIMIT)
    except LiteralError as error:
        raise Unreadable(_at(_line_of(source, block, text, start, error), block, error)) from None
    except Error as error:
        raise Unreadable(_at(block.line, block, error)) from None


def _behind(source: PageText, block: Block) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Harmless brackets after the last one, and rows missing inside."""
    match = _BEHIND.match(source.text, block.end)
    if match is None or source.text[block.end - 1] not in "]}":
        return (), ()
    line = source.line(match.end() - 1)
    if match["closing"]:
        message = _("{label}: there is one closing bracket too many.")
        return (Finding(line, message.format(label=block.label), "tensor-text"),), ()
    message = _("{label}: more values follow its last bracket; check the brackets.")
    return (), (Finding(line, message.format(label=block.label), "tensor-text"),)


def _at(line: int, block: Block, error: Error) -> Finding:
    # a place inside the tensor would be taken for one in the page
    rule = error.rule if isinstance(error, LiteralError) else ""
    reason = f"{rule}." if rule else str(error).removeprefix("values: ")
    return Finding(
        line, _("{label}: {reason}").format(label=block.label, reason=reason), "tensor-text"
    )


def _arranged(
    block: Block, header: Header, values: Array
) -> tuple[Array, tuple[Finding, ...], tuple[Finding, ...]]:
    """The values in the header's sizes, what had to be said of it, and what excludes it."""
    sizes, actual = header.sizes, values.shape
    if header.strides is not None:
        message = _(
            "{label} has Strides, so its values must be memory, one row of elements, not {found}."
        )
        text = message.format(label=block.label, found=" × ".join(map(str, actual)))
        wrong = (Finding(block.line, text, "tensor-text"),) if len(actual) > 1 else ()
        return values.reshape(-1), (), wrong
    if sizes is None:
        message = _("{label} has no Sizes; its values have {sizes}.").format(
            label=block.label, sizes=print_sizes(actual)
        )
        return values, (Finding(block.line, message, "tensor-text"),), ()
    if sizes == actual:
        return values, (), ()
    named = {
        "label": block.label,
        "said": print_sizes(sizes),
        "found": " × ".join(map(str, actual)),
    }
    same_count = element_count(sizes) == values.size
    if same_count and (_inner(sizes) == _inner(actual) or len(actual) == 1):
        message = _("{label}: Sizes say {said}, the values are {found}: they agree.")
        return (
            values.reshape(sizes),
            (Finding(block.line, message.format(**named), "tensor-text"),),
            (),
        )
    message = _("{label}: Sizes say {said}, but the values are {found}.")
    return values, (), (Finding(block.line, message.format(**named), "tensor-text"),)


def _inner(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Sizes without the leading ones, for which brackets are often omitted."""
    first = next((d for d, n in enumerate(sizes) if n > 1), len(sizes))
    return sizes[first:]


def _comma_findings(source: PageText, block: Block, offsets: list[int]) -> tuple[Finding, ...]:
    """One finding for rows without a comma behind them, one for numbers."""
    rows = source.lines_of([o for o in offsets if source.text[o] in "]})"])
    numbers = source.lines_of([o for o in offsets if source.text[o] not in "]})"])
    findings = []
    if rows:
        message = ngettext(
            "{label}: a comma is missing after a row.",
            "{label}: commas are missing after {n} rows, on lines {lines}.",
            len(rows),
        )
        findings.append(Finding(rows[0], _counted(message, block, rows), "tensor-text"))
    if numbers:
        message = ngettext(
            "{label}: a comma is missing after a number.",
            "{label}: commas are missing after {n} numbers, on lines {lines}.",
            len(numbers),
        )
        findings.append(Finding(numbers[0], _counted(message, block, numbers), "tensor-text"))
    return tuple(findings)


def _remark_findings(block: Block, sign: str, lines: tuple[int, ...]) -> tuple[Finding, ...]:
    if not lines:
        return ()
    message = ngettext(
        "{label}: text after {sign} among its values is read as a comment.",
        "{label}: text after {sign} among its values, on lines {lines}, is read as comments.",
        len(lines),
    )
    sign = "#" if sign[0] == "#" else sign
    text = message.format(label=block.label, sign=sign, lines=print_lines(lines))
    return (Finding(lines[0], text, "tensor-text"),)


def _counted(message: str, block: Block, lines: tuple[int, ...]) -> str:
    return message.format(label=block.label, n=len(lines), lines=print_lines(lines))
