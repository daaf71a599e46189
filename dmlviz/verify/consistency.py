"""Whether a page agrees with itself and with DirectML beside its examples.

Its declaration of the structure is compared with DirectML.h, its tables of ranks and data types by
feature level with the operator's, its headings and references with its examples.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.base.words import _, ngettext
from dmlviz.operators import Operator
from dmlviz.operators.feature_levels import FEATURE_LEVELS, Support, feature_level, print_ranks
from dmlviz.operators.slots import Slot
from dmlviz.tensors import DATA_TYPES, MAX_RANK, short_text
from dmlviz.verify.examples import PageExample
from dmlviz.verify.findings import Finding
from dmlviz.verify.naming import INPUTS, OUTPUTS, count_members
from dmlviz.verify.text import PageText

_MOST = 20
_ANNOTATION = regex(r"//[^\n]*|\b_[A-Z]\w{0,40}_(?:\([^()]{0,100}\))?")
_MEMBER = regex(r"\s*(?:const\s+)?(\w{1,80})(\s*\*\s*|\s+)(\w{1,80})\s*")
_NUMBERED = regex(r"([^\W\d_]{2,20}+)[ \t]{0,3}(\d{1,4})(?!\d)")


def consistency_findings(
    source: PageText, cls: type[Operator], examples: Sequence[PageExample]
) -> tuple[Finding, ...]:
    """What is wrong in the declaration, in headings and in references to examples."""
    findings = [
        *islice(_declaration(source, cls), _MOST),
        *_headings(examples),
        *islice(_references(source, examples), _MOST),
    ]
    return tuple(sorted(set(findings)))


def _declaration(source: PageText, cls: type[Operator]) -> Iterator[Finding]:
    declared = regex(rf"\bstruct\s{{1,20}}{cls.structure}\s{{0,20}}\{{([^{{}}]{{0,4000}})\}}")
    match = declared.search(source.text)
    if match is None:
        return
    line = source.line(match.start())
    theirs: dict[str, str] = {}
    for text in _ANNOTATION.sub(" ", match[1]).split(";"):
        member = _MEMBER.fullmatch(text)
        if member:
            theirs[member[3]] = f"{member[1]}{member[2].strip()}"
        elif text.strip():
            message = _("struct: cannot read the member {text}.")
            yield Finding(
                line, message.format(text=short_text(" ".join(text.split()))), "structure"
            )
    ours = _members(cls)
    for name in sorted(theirs.keys() - ours.keys()):
        yield Finding(
            line, _("struct: DirectML.h has no member {name}.").format(name=name), "structure"
        )
    for name in sorted(ours.keys() - theirs.keys()):
        yield Finding(
            line, _("struct: the member {name} is missing.").format(name=name), "structure"
        )
    for name in sorted(ours.keys() & theirs.keys()):
        if ours[name] != theirs[name]:
            message = _("struct: {name} is {theirs} on the page, {ours} in DirectML.h.")
            yield Finding(
                line, message.format(name=name, theirs=theirs[name], ours=ours[name]), "structure"
            )
    if theirs.keys() == ours.keys() and tuple(theirs) != tuple(ours):
        message = _("struct: the order of members in DirectML.h is {names}.")
        yield Finding(line, message.format(names=", ".join(ours)), "structure")


def _members(cls: type[Operator]) -> dict[str, str]:
    """The types of a structure's members, by name, in order; a list of numbers is a pointer."""
    operator = cls.examples()[0].operator
    signed = {p.label for p in cls.declared.values() if p.signed}
    reals = {p.label for p in cls.declared.values() if p.real}
    counts = count_members(cls)
    types: dict[str, str] = {}
    slots = {slot.name: slot for slot in (*cls.input_slots, *cls.output_slots)}
    for slot in (slots[name] for name in cls.tensor_order or slots):
        # how long a list is stands before it
        types |= {counts[slot.name]: "UINT"} if slot.name in counts else {}
        types[slot.name] = "DML_TENSOR_DESC*"
    for name in (name for name in cls.members if name not in types):
        value = operator.desc.get(name)
        if name in cls.member_types:
            types[name] = cls.member_types[name]
        elif isinstance(value, list):
            types[name] = "FLOAT*" if name in reals else "INT*" if name in signed else "UINT*"
        elif isinstance(value, str):
            # the name of an enumeration begins those of its members
            types[name] = str(operator.documented[name]).removesuffix(f"_{value}")
        else:
            types[name] = "FLOAT" if name in reals else "INT" if name in signed else "UINT"
    return types


def _headings(examples: Sequence[PageExample]) -> Iterator[Finding]:
    """Headings that name another order or mode than their example has."""
    for example in examples:
        operator = example.operator
        if operator is None:
            continue
        sizes = next((x.shape for x in example.inputs.values()), ())
        for parameter in operator.declared.values():
            if not parameter.enumerated:
                continue
            value = operator.settings[parameter.name]
            options = [o for o in parameter.options(sizes) if isinstance(o, str)]
            named = [option for option in options if _names(example.title, option)]
            if named and value not in named:
                message = _("the heading names {theirs}, but {name} is {ours} in this example.")
                text = message.format(theirs=named[0], name=parameter.label, ours=value)
                yield Finding(example.line, text, "reference")


def _names(title: str, option: str) -> bool:
    """Whether a heading names an option; a single word counts as DirectML spells it alone."""
    words = option.split("_")
    if len(words) == 1:
        return re.search(rf"(?<![A-Za-z]){option}(?![A-Za-z])", title) is not None
    pattern = r"[\W_]{1,3}".join(words)
    return re.search(rf"(?<![A-Za-z]){pattern}(?![A-Za-z])", title, re.IGNORECASE) is not None


def _references(source: PageText, examples: Sequence[PageExample]) -> Iterator[Finding]:
    """Places that name an example by a number that none of the page's headings has."""
    titles = [match for e in examples if (match := _NUMBERED.search(e.title))]
    words = {title[1] for title in titles}
    numbers = {int(title[2]) for title in titles}
    if not titles:
        return
    # any word with a number would be a search through all words of the page
    named = regex(rf"(?<![^\W\d_])({'|'.join(sorted(words))})[ \t]{{0,3}}(\d{{1,4}})(?!\d)")
    for match in named.finditer(source.text):
        if int(match[2]) not in numbers:
            message = _("the page mentions {example}, but has no such example.")
            text = message.format(example=f"{match[1]} {int(match[2])}")
            yield Finding(source.line(match.start()), text, "reference")


_LEVEL = regex(r"DML_FEATURE_LEVEL_(\d{1,2}_\d{1,2})(?!\d)")
_TENSORS = "|".join(f"{name}s?" for name in sorted({*INPUTS, *OUTPUTS}, key=len, reverse=True))
_ROW = regex(
    rf"^[|\s]{{0,20}}(?P<tensor>{_TENSORS})[|\s]{{1,20}}+(?![:=])(?P<rest>[^\n]{{1,1000}}"
    # HTML has a line for each cell
    rf"(?:\n[ \t]{{0,20}}\|[ \t](?![ \t]{{0,20}}(?:{_TENSORS})\b)[^\n|]{{1,1000}}"
    r"\|[ \t]{0,20}(?=\n)){0,6})",
    re.MULTILINE,
)
_NAMES = "|".join(DATA_TYPES)
_TYPE = regex(rf"\b(?:{_NAMES})\b")
_BRACES = regex(r"\{[^{}]{0,300}\}")
# a letter of another script may stand between two numbers, as in 1至8
_NUMBER = regex(r"(?<![A-Za-z_\d])\d{1,2}(?!\d)")
# a heading's marks and blanks are no longer than this
_INDENT = 60


@dataclass(frozen=True)
class SupportRow:
    """What a page's table says of one tensor at one feature level.

    Attributes:
        line: of the row.
        tensor: such as ``IndicesTensor``, or ``InputTensors`` for a list.
        support: its level, ranks and data types.
        headed: whether the level begins a line, as a table's heading does; else it is one that
            a sentence names.
    """

    line: int
    tensor: str
    support: Support
    headed: bool = True


def table(source: PageText) -> tuple[SupportRow, ...]:
    """The rows of the page's tables; each counts for the level last named before it."""
    rows = []
    levels = [
        (match.start(), match[1], _heads(source.text, match.start()))
        for match in _LEVEL.finditer(source.text)
    ]
    here = -1
    for match in _ROW.finditer(source.text):
        while here + 1 < len(levels) and levels[here + 1][0] < match.start():
            here += 1
        types = tuple(_TYPE.findall(match["rest"]))
        if not types or here < 0:
            continue
        ranks = _ranks(_TYPE.sub(" ", _BRACES.sub(" ", match["rest"])))
        line = source.line(match.start("tensor"))
        _start, level, headed = levels[here]
        rows.append(SupportRow(line, match["tensor"], Support(level, ranks, types), headed))
    return tuple(rows)


def level_finding(
    source: PageText, cls: type[Operator], after: int, rows: tuple[SupportRow, ...]
) -> tuple[Finding, ...]:
    """Whether the sentence that says when the operator was introduced is wrong.

    Args:
        source: the page.
        cls: the operator.
        after: the line of the last example; the sentence follows it.
        rows: of the tables, which the sentence stands before.
    """
    introduced = cls.support[0].level
    for line, level in introductions(source, after, rows):
        if level == introduced:
            return ()
        message = _(
            "the page says that the operator was introduced in {level}; in fact it was {due}."
        )
        return (Finding(line, message.format(level=level, due=introduced), "feature-levels"),)
    return ()


def introductions(
    source: PageText, after: int, rows: tuple[SupportRow, ...]
) -> Iterator[tuple[int, str]]:
    """Sentences that may say when the operator was introduced: their lines, and the level.

    Args:
        source, after, rows: as in :func:`level_finding`.
    """
    before = min((row.line for row in rows), default=None)
    for line, level in _sentences(source):
        if line > after and (before is None or line < before):
            yield line, level


def headings(source: PageText) -> tuple[int, ...]:
    """The lines of the headings of feature levels, below each of which a table is due."""
    starts = (match.start() for match in _LEVEL.finditer(source.text))
    return source.lines_of([at for at in starts if _heads(source.text, at)])


def _sentences(source: PageText) -> Iterator[tuple[int, str]]:
    """Lines that name a single level, and not as a heading does."""
    text = source.text
    mentions = [(source.line(match.start()), match) for match in _LEVEL.finditer(text)]
    counts = Counter(line for line, _match in mentions)
    for line, match in mentions:
        if counts[line] == 1 and not _heads(text, match.start()):
            yield line, match[1]


def _heads(text: str, at: int) -> bool:
    """Whether nothing but marks stands before a level on its line."""
    before = text[max(0, at - _INDENT) : at].rpartition("\n")
    return (bool(before[1]) or at <= _INDENT) and not any(c.isalnum() for c in before[2])


def support_findings(rows: tuple[SupportRow, ...], cls: type[Operator]) -> tuple[Finding, ...]:
    """Where a page's table is not dmlviz's; nothing where they agree or there is no table."""
    if not rows:
        return ()
    ours = {row.level: row for row in cls.support}
    # a table below a sentence that names another level is that of the operator's first
    rows = tuple(
        row
        if row.headed or row.support.level in ours
        else replace(row, support=replace(row.support, level=next(iter(ours))))
        for row in rows
    )
    findings = []
    slots = (*cls.input_slots, *cls.output_slots)
    special = {slot.name: slot.support for slot in slots if slot.support}
    for row in rows:
        level = row.support.level
        try:
            feature_level(level)
        except Error as error:
            findings.append(Finding(row.line, str(error), "feature-levels"))
            continue
        if level not in ours:
            message = _("the table has a row for {level}; dmlviz knows of no change at that level.")
            findings.append(Finding(row.line, message.format(level=level), "feature-levels"))
        else:
            # indices have rows of their own, one where something changes; so have some outputs
            own_rows = [
                support_row
                for support_row in special.get(row.tensor, ())
                if not _after(support_row.level, level)
            ]
            findings += _compared(row, own_rows[-1] if own_rows else ours[level])
    findings += _counted(rows, slots)
    levels = {row.support.level for row in rows}
    before: Support | None = None
    for level, support in ours.items():
        if level not in levels:
            message = _("the page has no table for feature level {level}, which added {news}.")
            news = _news(before, support)
            findings.append(
                Finding(rows[0].line, message.format(level=level, news=news), "feature-levels")
            )
        before = support
    return tuple(sorted(findings))


def _after(level: str, other: str) -> bool:
    return FEATURE_LEVELS.index(level) > FEATURE_LEVELS.index(other)


def _counted(rows: tuple[SupportRow, ...], slots: Sequence[Slot]) -> list[Finding]:
    """Tables that have not one row for each tensor."""
    findings = []
    counts = Counter((row.support.level, row.tensor) for row in rows)
    first = {row.support.level: row.line for row in reversed(rows)}
    for level, line in first.items():
        for tensor in (slot.name for slot in slots):
            count = counts[level, tensor]
            if count != 1:
                message = ngettext(
                    "the table of {level} has {n} row for {tensor} instead of one.",
                    "the table of {level} has {n} rows for {tensor} instead of one.",
                    count,
                ).format(level=level, n=count, tensor=tensor)
                findings.append(Finding(line, message, "feature-levels"))
    return findings


def _news(before: Support | None, now: Support) -> str:
    """What a level takes that the one before it did not."""
    if before is None:
        return _("the operator")
    types = _listed(set(now.data_types) - set(before.data_types))
    ranks = "" if now.ranks == before.ranks else _rank_words(now.ranks)
    return ", ".join(part for part in (ranks, types) if part)


def _compared(row: SupportRow, ours: Support) -> list[Finding]:
    findings = []
    named = {"tensor": row.tensor, "level": row.support.level}
    if row.support.ranks and row.support.ranks != ours.ranks:
        message = _("{tensor} at {level}: the page says {theirs}, dmlviz has {ours}.").format(
            theirs=_rank_words(row.support.ranks), ours=_rank_words(ours.ranks), **named
        )
        findings.append(Finding(row.line, message, "feature-levels"))
    theirs, expected = set(row.support.data_types), set(ours.data_types)
    if theirs != expected:
        if not theirs - expected:
            message = _("{tensor} at {level}: the page's list of data types lacks {less}.")
        elif not expected - theirs:
            message = _("{tensor} at {level}: the page's list of data types adds {more}.")
        else:
            message = _(
                "{tensor} at {level}: the page's list of data types lacks {less} and adds {more}."
            )
        text = message.format(
            less=_listed(expected - theirs), more=_listed(theirs - expected), **named
        )
        findings.append(Finding(row.line, text, "feature-levels"))
    return findings


def _ranks(text: str) -> tuple[int, ...]:
    numbers = [int(n) for n in _NUMBER.findall(text)]
    numbers = [n for n in numbers if 1 <= n <= MAX_RANK]
    if not numbers:
        return ()
    return tuple(range(min(numbers), max(numbers) + 1))


def _rank_words(ranks: tuple[int, ...]) -> str:
    return _("rank {ranks}").format(ranks=print_ranks(ranks))


def _listed(names: set[str]) -> str:
    return ", ".join(name for name in DATA_TYPES if name in names)
