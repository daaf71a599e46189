"""A documentation page, read: the operator, its examples, and what had to be put right."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from operator import attrgetter

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.operators import Operator, older_form_of, short_names
from dmlviz.operators.older import OlderForm
from dmlviz.tensors import one_line
from dmlviz.verify.anchors import Field, anchors
from dmlviz.verify.consistency import (
    SupportRow,
    consistency_findings,
    headings,
    introductions,
    level_finding,
    support_findings,
    table,
)
from dmlviz.verify.examples import PageExample, Structure, read_example
from dmlviz.verify.findings import Finding
from dmlviz.verify.grouping import groups
from dmlviz.verify.naming import (
    TENSOR,
    class_of,
    is_alone,
    names_operator,
    structure_of,
)
from dmlviz.verify.notebook import is_notebook, read_notebook
from dmlviz.verify.python_examples import PythonExamples, python_examples
from dmlviz.verify.spellings import respelled
from dmlviz.verify.statements import CheckedStatement, Statements, statements
from dmlviz.verify.text import PageText, decode, plain
from dmlviz.verify.values import PageTensors

EXAMPLES_LIMIT = 500
"""The most examples of one page that are read."""


@dataclass(frozen=True)
class CheckedCount:
    """Things of one kind.

    Attributes:
        checked: how many were compared with an engine, with the examples or with DirectML's
            own tables, whatever came of it.
        unchecked: the lines of those that could not be.
    """

    checked: int = 0
    unchecked: tuple[int, ...] = ()

    def __add__(self, other: CheckedCount) -> CheckedCount:
        return CheckedCount(self.checked + other.checked, self.unchecked + other.unchecked)


@dataclass(frozen=True)
class Coverage:
    """What a page holds that can be checked.

    Attributes:
        examples: those that the page does not leave out.
        tables: of ranks and data types, one for each feature level.
        formulas: about sizes.
        introductions: sentences that say which feature level brought the operator.
        python: Python examples with a stated result that are read as movements.
    """

    examples: CheckedCount = CheckedCount()
    tables: CheckedCount = CheckedCount()
    formulas: CheckedCount = CheckedCount()
    introductions: CheckedCount = CheckedCount()
    python: CheckedCount = CheckedCount()

    def __add__(self, other: Coverage) -> Coverage:
        """The tallies of two parts of a page together."""
        return Coverage(
            self.examples + other.examples,
            self.tables + other.tables,
            self.formulas + other.formulas,
            self.introductions + other.introductions,
            self.python + other.python,
        )


@dataclass(frozen=True, eq=False)
class Document:
    """A page.

    Attributes:
        name: the file's, or empty.
        structure: the operator that the page names, such as ``DML_TILE_OPERATOR_DESC``; empty
            where it names none.
        examples: in the page's order.
        findings: what was put right, by line; those of examples are in the examples.
        statements: what the page says of sizes, with each example's numbers.
        support: the rows of its feature-level tables.
        problem: why there is nothing to verify; empty where there is something.
        unreadable: whether that is because the page could not be read at all.
        coverage: how much of the page was checked.
        others: the further operators of a page that has examples of several.
        line: where it begins, where it is a part of a page.
        unchecked: the Python examples that could not be run, and why.
        names_operator: whether UID, title, headings, file name or fields say that the page is
            about an operator of this version.
    """

    name: str
    structure: str
    examples: tuple[PageExample, ...] = ()
    findings: tuple[Finding, ...] = ()
    statements: tuple[CheckedStatement, ...] = ()
    support: tuple[SupportRow, ...] = ()
    problem: str = ""
    unreadable: bool = False
    names_operator: bool = False
    coverage: Coverage = field(default_factory=Coverage)
    others: tuple[str, ...] = ()
    line: int = 1
    unchecked: tuple[Finding, ...] = ()

    @property
    def lacks_examples(self) -> bool:
        """Whether the page is about an operator of this version and yields no example.

        That is an error wherever the page was found; any other page without examples may lie
        in a folder.
        """
        return self.names_operator and not self.examples

    @property
    def names_unknown_operator(self) -> bool:
        """Whether the page is about an operator that dmlviz does not have."""
        return bool(self.structure) and class_of(self.structure) is None and not self.names_operator

    @property
    def operator_type(self) -> str:
        """DirectML's ``DML_OPERATOR_TYPE``, such as ``DML_OPERATOR_TILE``; or empty."""
        name = self.structure.removeprefix("DML_").removesuffix("_OPERATOR_DESC")
        return f"DML_OPERATOR_{name}" if name else ""

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """Those of the page and those of its examples, by line."""
        findings = [*self.findings]
        for example in self.examples:
            findings += [*example.findings, *example.contradictions]
            findings += [example.unreadable] if example.unreadable else []
        return tuple(sorted(set(findings), key=attrgetter("line", "message")))


def read_document(page: str | bytes, name: str = "") -> Document:
    """The page, however little of it can be read; nothing is raised for its contents.

    Args:
        page: Markdown, copied text, HTML, reStructuredText, AsciiDoc, MDX or a Jupyter notebook
            in any language; bytes are decoded as UTF-8 (or UTF-16 with its mark).  At most
            4,194,304 bytes.
        name: of the file, for reports; ``.ipynb`` is a notebook.

    >>> page = '''DML_TILE_OPERATOR_DESC
    ... Repeats: {2}
    ... InputTensor: (Sizes:{2}, DataType:INT8) [7, 8]
    ... OutputTensor: (Sizes:{4}, DataType:INT8) [7, 8, 7, 8]'''
    >>> read_document(page).examples[0].operator
    Tile(repeats=(2,))
    """
    try:
        page = decode(page) if isinstance(page, bytes) else page
        notebook = read_notebook(page) if is_notebook(page, name) else None
        text, skips = take_skips(page if notebook is None else notebook.text())
        shown = plain(text)
        source = as_documented(shown)
        python = python_examples(text, None if notebook is None else notebook.rows(), shown)
    except Error as error:
        return Document(name, "", problem=str(error), unreadable=True)
    documents: list[Document] = []
    for structure, start, part in sections(source):
        before = sum(len(document.examples) for document in documents)
        documents.append(_placed(_read(part, name, structure, skips, before), start))
    if any(document.unreadable for document in documents):
        return next(document for document in documents if document.unreadable)
    document = _joined(documents) if documents else _read(source, name, "", skips)
    return _with_python(document, python, skips)


def _with_python(document: Document, python: PythonExamples, skips: tuple[Skip, ...]) -> Document:
    """A page with its Python examples among the others."""
    if not (python.examples or python.unchecked):
        return document
    others = sorted([*(e.line for e in document.examples), *(f.line for f in python.unchecked)])
    ours = _with_skips(
        python.examples,
        [skip for skip in skips if _is_next(skip.line, python.examples, others)],
    )
    counted = sum(not example.skipped for example in ours)
    lines = tuple(finding.line for finding in python.unchecked)
    examples = sorted((*document.examples, *ours), key=attrgetter("line"))
    problem = document.problem
    if ours:
        problem = ""
    elif not document.examples:
        problem = _("none of the page's Python examples can be checked.")
    return replace(
        document,
        examples=tuple(examples),
        problem=problem,
        coverage=replace(document.coverage, python=CheckedCount(counted, lines)),
        unchecked=python.unchecked,
    )


def _is_next(line: int, examples: Sequence[PageExample], others: Sequence[int]) -> bool:
    """Whether one of these examples comes after a line before any of the others."""
    following = min((example.line for example in examples if example.line >= line), default=0)
    at = bisect_left(others, line)
    return bool(following) and (at == len(others) or following < others[at])


def _read(
    source: PageText, name: str, structure: str, skips: tuple[Skip, ...], before: int = 0
) -> Document:
    """A page, or the part of it that is about one operator.

    Args:
        source: the page or the part.
        name: of the file.
        structure: what the part is about; empty for a whole page.
        skips: of the page.
        before: how many examples precede the part.
    """
    # a part's file may be named after another one
    file_name = "" if structure else name
    structure = structure or structure_of(source.text)
    cls, older = class_of(structure), older_form_of(structure)
    parts = anchors(source, older.members if older else (), cls.members if cls else ())
    fields = {part.name for part in parts if isinstance(part, Field)}
    ours = names_operator(source.text, file_name, fields)
    if structure and cls is None:
        message = _("{structure} is not an operator that dmlviz knows.")
        if ours:
            # it is one of them with a typing error
            message = _("{structure} is not supported yet; dmlviz has {operators}.")
        text = message.format(structure=structure, operators=", ".join(short_names()))
        return Document(name, structure, problem=text, names_operator=ours, line=source.lines[0])
    example_groups = groups(parts, cls is None or is_alone(cls), _plain_inputs(cls, older))
    if not structure and not any(group.inputs or group.outputs for group in example_groups):
        # a page of another kind, which says by the way what a tensor looks like
        example_groups = ()
    if before + len(example_groups) > EXAMPLES_LIMIT:
        message = _("page: it has {count} examples; the limit is {most}.").format(
            count=f"{before + len(example_groups):,}", most=f"{EXAMPLES_LIMIT:,}"
        )
        return Document(name, structure, problem=message, unreadable=True, names_operator=ours)
    tensors = PageTensors(source)
    described = Structure(cls, older) if cls else None
    read = [
        read_example(tensors, group, n, described)
        for n, group in enumerate(example_groups, before + 1)
    ]
    within = range(source.lines[0], source.line(len(source.text)) + 1)
    examples = _with_skips(read, [skip for skip in skips if skip.line in within])
    if not structure and examples:
        # what every readable example turned out to be
        named = {type(e.operator).structure for e in examples if e.operator}
        structure = named.pop() if len(named) == 1 else ""
    stated = statements(source)
    # an older form has a history of its own
    rows = table(source) if cls and not older else ()
    checked = stated.checked(examples)
    return Document(
        name,
        structure,
        examples,
        _page_findings(source, described, examples, rows) if described else (),
        checked,
        rows,
        "" if examples else _nothing(structure, source.text),
        names_operator=ours,
        coverage=_coverage(source, described, examples, stated, checked, rows)
        if described
        else Coverage(),
        line=source.lines[0],
    )


def _joined(documents: list[Document]) -> Document:
    """The parts of a page about several operators as one document."""
    foreign = [
        Finding(document.line, document.problem) for document in documents if document.problem
    ]
    return Document(
        documents[0].name,
        documents[0].structure,
        tuple(example for document in documents for example in document.examples),
        tuple(sorted([*foreign, *(f for document in documents for f in document.findings)])),
        tuple(statement for document in documents for statement in document.statements),
        tuple(row for document in documents for row in document.support),
        "" if any(document.examples for document in documents) else documents[0].problem,
        names_operator=any(document.names_operator for document in documents),
        coverage=sum((document.coverage for document in documents[1:]), documents[0].coverage),
        others=tuple(document.structure for document in documents[1:]),
    )


def _coverage(
    source: PageText,
    described: Structure,
    examples: tuple[PageExample, ...],
    stated: Statements,
    checked: tuple[CheckedStatement, ...],
    rows: tuple[SupportRow, ...],
) -> Coverage:
    """How much of the page was checked."""
    formulas = (*(statement.line for statement in stated.statements), *stated.unread)
    titles = headings(source)
    # a table is that of the last heading before it
    headed = {titles[max(0, bisect_left(titles, row.line) - 1)] for row in rows} if titles else ()
    after = max((example.line for example in examples), default=0)
    introduced = [line for line, _level in introductions(source, after, rows)][:1]
    return Coverage(
        _count_examples(examples),
        _count_lines(titles, headed),
        _count_lines(formulas, (statement.line for statement in checked)),
        _count_lines(introduced, () if described.older else introduced),
    )


def _count_examples(examples: Sequence[PageExample]) -> CheckedCount:
    """How many examples can be run, and where the others are."""
    counted = [example for example in examples if not example.skipped]
    unread = [example.unreadable.line for example in counted if example.unreadable]
    return CheckedCount(len(counted) - len(unread), tuple(unread))


def _count_lines(lines: Iterable[int], checked: Iterable[int]) -> CheckedCount:
    """How many things were checked, by their lines, and where the others are.

    >>> _count_lines([3, 8, 9], [8])
    CheckedCount(checked=1, unchecked=(3, 9))
    """
    done = set(checked)
    return CheckedCount(len(done), tuple(sorted(set(lines) - done)))


def page_text(page: str, name: str) -> str:
    """The page as people read it: of a notebook its cells, each line on that of the file.

    Raises:
        Error: it is no notebook although its name says so (field ``page``).
    """
    return read_notebook(page).text() if is_notebook(page, name) else page


def as_documented(source: PageText) -> PageText:
    """The page's words as DirectML's own pages write them; each letter stays at its offset."""
    return replace(source, text=respelled(source.text))


def _placed(part: Document, start: int) -> Document:
    """A part of a page with the offsets of its tensors in the whole page."""
    examples = tuple(
        replace(
            example,
            blocks={
                name: replace(block, start=start + block.start, end=start + block.end)
                for name, block in example.blocks.items()
            },
        )
        for example in part.examples
    )
    return replace(part, examples=examples)


def _plain_inputs(cls: type[Operator] | None, older: OlderForm | None) -> tuple[str, ...]:
    """The names of the inputs that a page's examples have; empty where one is a list."""
    slots = cls.input_slots if cls else ()
    without = older.without if older else ()
    return (
        ()
        if any(slot.most for slot in slots)
        else tuple(slot.name for slot in slots if slot.name not in without)
    )


def _page_findings(
    source: PageText,
    described: Structure,
    examples: tuple[PageExample, ...],
    rows: tuple[SupportRow, ...],
) -> tuple[Finding, ...]:
    findings = [*consistency_findings(source, described.cls, examples)]
    if described.older and not examples:
        return tuple(sorted(findings))
    if described.older:
        message = _("{older} is an older form of {structure}: its examples were read as {name}.")
        if described.older.newer:
            message = _("{older} is a newer form of {structure}: its examples were read as {name}.")
        text = message.format(
            older=described.name, structure=described.cls.structure, name=described.cls.__name__
        )
        line = source.line(source.text.find(described.name))
        return tuple(sorted((*findings, Finding(line, text, "other-form"))))
    after = max((example.line for example in examples), default=0)
    findings += level_finding(source, described.cls, after, rows)
    findings += support_findings(rows, described.cls)
    return tuple(sorted(findings))


# a member of DML_OPERATOR_TYPE names no structure, of which a page would have examples
_OPERATOR_NAME = regex(r"\bDML_(?:OPERATOR_[A-Z0-9_]*[A-Z0-9]|[A-Z0-9_]+_OPERATOR_DESC)\b")


def _nothing(structure: str, text: str) -> str:
    cls = class_of(structure)
    if cls:
        return _("the page of {structure} has no example with an {name}.").format(
            structure=structure, name=(*cls.input_slots, *cls.output_slots)[0].names()[0]
        )
    if named := _OPERATOR_NAME.search(text):
        return _("the page names {name}, but has no example.").format(name=named[0])
    return _("the page names no DirectML operator and has no example.")


SECTIONS_LIMIT = 50
"""The most operators of one page that are told apart."""

_STRUCTURE = r"DML_[A-Z0-9_]{1,80}_OPERATOR_DESC"
# what begins an operator's part: its UID, its title, a heading or a line that begins with its
# name, or the declaration of its structure
_BEGINS = regex(
    rf"^(?:UID[ \t]{{0,20}}:[ \t]{{0,20}}NS:directml\.|title[ \t]{{0,20}}:[ \t]{{0,20}}"
    r"|#{1,6}[ \t]+[*_\[ \t]{0,3}|struct[ \t]+"
    rf"|[ \t]{{0,20}}(?={_STRUCTURE}[^\n.,;:]{{0,30}}$))"
    rf"(?P<name>{_STRUCTURE})\b",
    re.MULTILINE,
)
_TENSOR = regex(
    rf"{TENSOR}[\[\]\d*_ \t]{{0,9}}[:=][*_\s]{{0,20}}"
    r"(?:\(\s{0,9}\w{1,20}\s{0,3}[:=]|[\[{]{1,16}\s{0,9}[-+.\d]|Sizes|DataType)"
)


def sections(source: PageText) -> tuple[tuple[str, int, PageText], ...]:
    """The parts of a page that has examples of several operators.

    Each has its structure's name, and the offset at which it begins in the page's text.
    Empty where they are all of one operator: a name without examples after it, as among links,
    begins no part.
    """
    text = source.text
    begins = [(match.start(), match["name"]) for match in _BEGINS.finditer(text)]
    if len({name for _start, name in begins}) < 2:
        return ()
    tensors = [match.start() for match in _TENSOR.finditer(text)]
    parts: list[tuple[int, str]] = []
    for number, (start, name) in enumerate(begins):
        end = begins[number + 1][0] if number + 1 < len(begins) else len(text)
        # the last name before an example is its operator's; an output may be called an input
        if bisect_left(tensors, end) - bisect_left(tensors, start) > 1 and (
            not parts or parts[-1][1] != name
        ):
            parts.append((_first(begins, number), name))
    if not 1 < len(parts) <= SECTIONS_LIMIT:
        return ()
    edges = [0, *(start for start, _name in parts[1:]), len(text)]
    return tuple(
        (name, edges[n], _part(source, edges[n], edges[n + 1]))
        for n, (_start, name) in enumerate(parts)
    )


def _first(begins: list[tuple[int, str]], number: int) -> int:
    """Where the run of the same name begins that ends with this one."""
    while number and begins[number - 1][1] == begins[number][1]:
        number -= 1
    return begins[number][0]


def _part(source: PageText, start: int, end: int) -> PageText:
    first = bisect_right(source.starts, start)
    last = bisect_left(source.starts, end)
    return PageText(
        source.text[start:end],
        (0, *(at - start for at in source.starts[first:last])),
        (source.line(start), *source.lines[first:last]),
    )


# comments of HTML and Markdown, MDX, AsciiDoc, reStructuredText and code
_MARK = regex(
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
    for match in _MARK.finditer(page):
        line += page.count("\n", at, match.start())
        at = match.start()
        skips.append(Skip(line, one_line(match[1])))
    return _MARK.sub(lambda match: " " * len(match[0]), page), tuple(skips)


def _with_skips(examples: Sequence[PageExample], skips: Sequence[Skip]) -> tuple[PageExample, ...]:
    """The examples; the one after each comment knows the reason.

    Args:
        examples: in the page's order.
        skips: of the same page.
    """
    starts = [example.line for example in examples]
    result = list(examples)
    for skip in skips:
        at = bisect_left(starts, skip.line)
        if at < len(result):
            result[at] = replace(result[at], skipped=skip.reason)
    return tuple(result)
