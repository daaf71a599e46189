"""An example of a page: an operator, an input, and the output that the page says it has."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.documents.fields import field_value, remark
from dmlviz.documents.findings import Finding, Unreadable
from dmlviz.documents.grouping import Group
from dmlviz.documents.naming import classes_with
from dmlviz.documents.values import (
    ASSUMED_TYPE,
    PageTensor,
    Tensors,
    header_of,
)
from dmlviz.errors import Error
from dmlviz.operators import Operator
from dmlviz.tensors import DATA_TYPES, data_type_of
from dmlviz.words import _

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class PageExample:
    """One example of a page.

    Attributes:
        title: the page's heading, or "Example" and its number.
        line: where it begins, from 1.
        operator: what the parameters say; None where they cannot be read.
        x: the input; None where it cannot be read.
        expected: the output that the page gives, of the input's data type; None likewise.
        lines: for each value of ``expected``, flat, its line in the page.
        findings: what was put right.
        contradictions: what the page says in two ways at once; such an example never matches.
        unreadable: why it cannot be run, or None.
        places: the line of each parameter and of ``OutputTensor``, by name.
    """

    title: str
    line: int
    operator: Operator | None
    x: Array | None
    expected: Array | None
    lines: tuple[int, ...]
    findings: tuple[Finding, ...]
    contradictions: tuple[Finding, ...]
    unreadable: Finding | None
    places: Mapping[str, int] = dataclasses.field(default_factory=dict)

    def line_of(self, name: str) -> int:
        """The line of a parameter, in DirectML's spelling or ours; else of the example.

        It is also the line of ``OutputTensor``.
        """
        return self.places.get(_documented(name), self.line)


def read_example(
    tensors: Tensors, group: Group, number: int, cls: type[Operator] | None
) -> PageExample:
    """The example of a group of fields and tensors.

    Args:
        tensors: the page's.
        group: its parts.
        number: which example of the page it is, from 1.
        cls: the page's operator; None where the page names none.
    """
    titled = any(c.isdigit() for c in group.title)
    title = group.title if titled else _("Example {n}").format(n=number)
    findings = list(group.findings)
    try:
        if group.problem:
            raise Unreadable(group.problem)
        x, expected = _tensors(tensors, group, findings)
        contradictions = [*x.contradictions, *expected.contradictions]
        wanted = _one_type(x, expected, contradictions)
        operator = _operator(group, cls, x.values, wanted, findings)
    except Unreadable as error:
        return PageExample(
            title, group.line, None, None, None, (), tuple(findings), (), error.finding
        )
    return PageExample(
        title,
        group.line,
        operator,
        x.values,
        wanted,
        expected.lines,
        tuple(findings),
        tuple(contradictions),
        None,
        {f.name: f.line for f in group.fields.values()} | {"OutputTensor": expected.line},
    )


def _tensors(
    tensors: Tensors, group: Group, findings: list[Finding]
) -> tuple[PageTensor, PageTensor]:
    if group.x is None:
        message = _("the example has no InputTensor.")
        raise Unreadable(Finding(group.line, message))
    if group.expected is None:
        message = _("no OutputTensor follows the InputTensor.")
        raise Unreadable(Finding(group.x.line, message))
    blocks = (group.x, group.expected)
    named = [header_of(tensors.source, block).data_type for block in blocks]
    assumed = next((name for name in named if name), ASSUMED_TYPE)
    for block, name in zip(blocks, named, strict=True):
        if name is None:
            message = _("{label} names no DataType; it was read as {data_type}.")
            findings.append(
                Finding(block.line, message.format(label=block.label, data_type=assumed))
            )
    x, expected = (tensors.read(block, assumed) for block in blocks)
    findings += [*x.findings, *expected.findings]
    return x, expected


def _one_type(x: PageTensor, expected: PageTensor, contradictions: list[Finding]) -> Array:
    """The expected values in the input's type; these operators keep the type."""
    theirs, ours = data_type_of(expected.values), data_type_of(x.values)
    if theirs == ours:
        return expected.values
    message = _("the output's DataType is {theirs}, the input's is {ours}; the two are the same.")
    contradictions.append(Finding(expected.line, message.format(theirs=theirs, ours=ours)))
    with np.errstate(all="ignore"):
        cast = expected.values.astype(DATA_TYPES[ours].dtype)
    cast.flags.writeable = False
    return cast


def _operator(
    group: Group,
    cls: type[Operator] | None,
    x: Array,
    expected: Array,
    findings: list[Finding],
) -> Operator:
    desc = {}
    for name, field in group.fields.items():
        desc[name], finding = field_value(field)
        findings += filter(None, (finding, remark(field)))
    if cls is None:
        return _by_fields(group, desc, x, expected, findings)
    foreign = [f for name, f in group.fields.items() if name not in cls.members]
    if foreign:
        message = _("{structure} has no {name}.")
        found = message.format(structure=cls.structure, name=foreign[0].name)
        raise Unreadable(Finding(foreign[0].line, found))
    try:
        return _with_output(cls.from_desc(desc), expected)
    except Error as error:
        raise Unreadable(Finding(_line_of(group, error), page_words(error))) from None


def _with_output(operator: Operator, expected: Array) -> Operator:
    """The operator whose output has the page's sizes, where the operator leaves them free."""
    return operator.with_output_sizes({operator.output_slots[0].names()[0]: expected.shape})


def _by_fields(
    group: Group, desc: dict[str, Any], x: Array, expected: Array, findings: list[Finding]
) -> Operator:
    """The operator that the parameters fit, where the page names none."""
    fitting: list[Operator] = []
    reason: Error | None = None
    for cls in classes_with(tuple(desc)) if desc else ():
        try:
            operator = _with_output(cls.from_desc(desc), expected)
            if operator.output_sizes(x.shape) == expected.shape:
                fitting.append(operator)
        except Error as error:
            reason = error
    # at block size 1 both block operators copy, and either will do
    if fitting:
        message = _("no operator is named; the parameters and sizes are those of {structure}.")
        findings.append(Finding(group.line, message.format(structure=fitting[0].structure)))
        return fitting[0]
    if reason is not None:
        raise Unreadable(Finding(_line_of(group, reason), page_words(reason)))
    message = _("no operator is named, and the parameters with these sizes are those of none.")
    raise Unreadable(Finding(group.line, message))


def _line_of(group: Group, error: Error) -> int:
    """The line of the parameter that an error is about, or the example's."""
    found = group.fields.get(_documented(error.field))
    return found.line if found else group.line


def page_words(error: Error) -> str:
    """What an error says, with the page's name of the parameter before it.

    >>> page_words(Error("block_size: 0 is not possible."))
    'BlockSize: 0 is not possible.'
    """
    field, colon, message = str(error).partition(": ")
    if not re.fullmatch(r"[a-z_]+", field) or not colon:
        return str(error)
    return message if field == "desc" else f"{_documented(field)}: {message}"


def _documented(name: str) -> str:
    """DirectML's spelling of a parameter's name: ``BlockSize`` for ``block_size``."""
    return re.sub(r"(?:^|_)([a-z])", lambda found: found[1].upper(), name)
