"""Python on a page: statements, and the results that the page states for them.

A result stands below a doctest (``>>> x.T``), in a comment behind or below a line of a code block,
or in the block below that ``print`` calls fill. Text that is not Python, or too long, is passed
over.
"""

from __future__ import annotations

import ast
import io
import re
import textwrap
import tokenize
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from dmlviz.base.deferred import dataclass, regex
from dmlviz.verify.printed import PrintedRow

BLOCK_LIMIT = 1 << 16
"""The limit of characters of a block of code, and of a result."""

STATEMENTS_LIMIT = 12_000
"""The limit of statements of a page; what follows is passed over."""

ECHO, COMMENT, PRINTED = "echo", "comment", "printed"

RESULT_LANGUAGE = "result"
"""The language of a block that has the value of the last expression of the block above it."""

_FENCE = regex(r"(?P<before>[ \t>]{0,40})(?P<marks>`{3,}|~{3,})(?P<info>[^\n]{0,200})")
_PROMPT = regex(r"(?P<before>[ \t]{0,40}(?:(?:>|//|\*|\|)[ \t]{1,4})?)>>>(?:[ ](?P<code>.*)|[ ]?$)")
_DIRECTIVE = regex(
    r"(?P<before>[ \t]{0,40})\.\.[ ](?P<name>code|code-block|sourcecode|testcode|testoutput)::"
    r"[ \t]{0,9}(?P<language>[\w-]{0,20})"
)
_HEADING = regex(r"#{1,6}[ \t]+\S")
_UNDERLINE = regex(r"([=\-~^\"'*+#`])\1{2,200}[ \t]{0,9}")
_LANGUAGE = regex(r"[ \t]{0,9}\{?(?:code-block\}?[ \t]{1,4})?\.?(?P<name>[\w+-]{0,20})")
_PYTHON = frozenset(
    ("py", "python", "python3", "pycon", "ipython", "ipython3", "testcode", "default")
)
_OUTPUT = frozenset(("", "text", "txt", "output", "console", "none", "plaintext", "testoutput"))
_SKIPPED = regex(r"#\s{0,9}doctest:\s{0,9}\+SKIP")
_MARK = regex(r"#+[ \t]?")
# the closing quotes of a docstring, in C++ as well
_DOCSTRING_END = regex(r"\"\"\"|'''|^\s*\)\w{1,16}\"")
_ONLY_MARK = regex(r"\s{0,9}(?:[Oo]utput|[Oo]ut|[Rr]esult|[Pp]rints|[Rr]eturns)?\s{0,9}:?\s{0,9}")


@dataclass(frozen=True)
class Stated:
    """A result that a page states.

    Attributes:
        rows: its text.
        form: how the page states it: ``echo``, ``comment`` or ``printed``.
        trailing: of a comment, whether it stands on the statement's own line.
    """

    rows: tuple[PrintedRow, ...]
    form: str
    trailing: bool = False


@dataclass(frozen=True, eq=False)
class SnippetStatement:
    """A statement.

    Attributes:
        text: the code that the node's places are in.
        node: its syntax tree.
        line: of the page, from 1.
        stated: the result that the page states for it; None if there is none.
        skipped: whether a doctest directive leaves it out.
    """

    text: str
    node: ast.stmt
    line: int
    stated: Stated | None = None
    skipped: bool = False


@dataclass(frozen=True, eq=False)
class PageSnippet:
    """Statements that follow each other.

    Attributes:
        statements: in order.
        begins: whether nothing above them belongs to them, as below a heading.
        heading: of a block that names no language and only gives names their values, the heading
            above it.
    """

    statements: tuple[SnippetStatement, ...]
    begins: bool
    heading: str = ""

    @property
    def prints(self) -> list[int]:
        """The places of its calls of ``print`` for which the page states no result so far."""
        return [n for n, s in enumerate(self.statements) if s.stated is None and is_print(s.node)]


def is_print(node: ast.stmt) -> bool:
    """Whether a statement is a call of ``print``."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
            return True
    return False


def snippets(
    rows: Sequence[PrintedRow], headings: frozenset[int] = frozenset()
) -> Iterator[PageSnippet]:
    """All Python of a page, in order.

    Args:
        rows: the page's lines.
        headings: further lines that begin a part of the page.
    """
    waiting: PageSnippet | None = None
    begins = True
    heading = ""
    left = STATEMENTS_LIMIT
    for kind, language, inner in _parts(rows, headings):
        if kind == "heading":
            begins = True
            heading = inner[0].text
            continue
        if kind == "block" and waiting and waiting.prints and language in _OUTPUT:
            filled = _printed(waiting, inner)
            if filled:
                waiting = filled
                continue
        if kind == "block" and language == RESULT_LANGUAGE:
            waiting = waiting and _with_result(waiting, inner)
            continue
        if waiting:
            yield waiting
            waiting = None
        if kind == "doctest" or any(_PROMPT.match(row.text) for row in inner):
            statements = tuple(islice(_doctests(inner), left))
        elif language in _PYTHON:
            statements = tuple(islice(_script(inner), left))
        else:
            named = tuple(islice(_script(inner), left)) if not language and heading else ()
            if named and all(isinstance(s.node, ast.Assign) for s in named):
                yield PageSnippet(named, False, heading)
            left -= len(named)
            continue
        left -= len(statements)
        if statements:
            waiting = PageSnippet(statements, begins)
            begins = False
    if waiting:
        yield waiting


def _parts(
    rows: Sequence[PrintedRow], headings: frozenset[int]
) -> Iterator[tuple[str, str, Sequence[PrintedRow]]]:
    """Headings, blocks with their languages, and doctests in text."""
    at = 0
    while at < len(rows):
        row = rows[at]
        at += 1
        if row.line in headings or _HEADING.match(row.text):
            yield "heading", "", (row,)
        if fence := _FENCE.fullmatch(row.text):
            close = regex(rf"[ \t>]{{0,40}}{fence['marks'][0]}{{{len(fence['marks'])},}}[ \t]*")
            start = at
            while at < len(rows) and not close.fullmatch(rows[at].text):
                at += 1
            language = _LANGUAGE.match(fence["info"])
            name = language["name"].lower() if language else ""
            yield "block", name, [_without(r, fence["before"]) for r in rows[start:at]]
            at += 1
        elif directive := _DIRECTIVE.match(row.text):
            start, depth = at, len(directive["before"].expandtabs())
            while at < len(rows) and (not rows[at].text.strip() or _indent(rows[at].text) > depth):
                at += 1
            inner = [r for r in rows[start:at] if not re.match(r"[ \t]*:[\w-]+:", r.text)]
            name = directive["name"]
            language_name = name if name.startswith("test") else directive["language"].lower()
            yield "block", language_name or "python", inner
        elif _PROMPT.match(row.text):
            start = at - 1
            at = _doctest_end(rows, start)
            yield "doctest", "", rows[start:at]
        elif at < len(rows) and _is_underlined(row.text, rows[at].text):
            yield "heading", "", (row,)


def _is_underlined(text: str, below: str) -> bool:
    is_line = _UNDERLINE.fullmatch(below) is not None
    return is_line and 0 < len(text.strip()) <= len(below.rstrip()) + 2


def _indent(text: str) -> int:
    return len(text.expandtabs()) - len(text.expandtabs().lstrip())


def _without(row: PrintedRow, before: str) -> PrintedRow:
    """A row without the quote marks or the indentation of its block."""
    if not before or not row.text.startswith(before):
        return row
    return PrintedRow(row.line, row.column + len(before), row.text[len(before) :])


def _doctest_end(rows: Sequence[PrintedRow], start: int) -> int:
    """After the last line of doctests that follow each other, with their results."""
    at = start
    open_brackets = 0
    while at < len(rows):
        text = rows[at].text
        if _PROMPT.match(text):
            open_brackets = 0
        elif _FENCE.fullmatch(text):
            break
        elif _DOCSTRING_END.search(text):
            at += 1
            break
        elif not text.strip():
            following = next((r.text for r in rows[at + 1 : at + 3] if r.text.strip()), "")
            # a result of three dimensions has blank lines in it, and doctests may have some between
            if open_brackets <= 0 and not _PROMPT.match(following):
                break
        else:
            open_brackets += balance(text)
        at += 1
    return at


def balance(text: str) -> int:
    """How many brackets a text opens and does not close."""
    return sum(map(text.count, "[(")) - sum(map(text.count, "])"))


def _doctests(rows: Sequence[PrintedRow]) -> Iterator[SnippetStatement]:
    """Statements behind ``>>>``, each with the lines below it."""
    at = 0
    while at < len(rows):
        prompt = _PROMPT.match(rows[at].text)
        if prompt is None:
            at += 1
            continue
        before, first = prompt["before"], rows[at].line
        code = [prompt["code"] or ""]
        at += 1
        while at < len(rows) and re.match(rf"{re.escape(before)}\.\.\.(?: |$)", rows[at].text):
            code.append(rows[at].text[len(before) + 4 :])
            at += 1
        result: list[PrintedRow] = []
        while at < len(rows) and not _PROMPT.match(rows[at].text):
            if not rows[at].text.strip() and balance("".join(row.text for row in result)) <= 0:
                break
            row, end = rows[at], _DOCSTRING_END.search(rows[at].text)
            text = row.text[: end.start()] if end else row.text
            result.append(_without(PrintedRow(row.line, row.column, text), before))
            at += 1
            if end:
                break
        text = "\n".join(code)
        nodes = _parsed(text)
        kept = tuple(row for row in result if row.text.strip() not in ("", "<BLANKLINE>"))
        for number, node in enumerate(nodes, 1):
            last = number == len(nodes)
            alone = not any(isinstance(other, ast.Expr) for other in nodes[:-1])
            raises = bool(kept) and kept[0].text.startswith("Traceback")
            if last and raises:
                # it has no value
                continue
            stated = Stated(kept, ECHO) if last and kept and alone else None
            line = first + node.lineno - 1
            if stated is None and last:
                stated = _behind(text, node, first)
            yield SnippetStatement(text, node, line, stated, bool(_SKIPPED.search(text)))


def _behind(text: str, node: ast.stmt, first: int) -> Stated | None:
    """A comment on the last line of a doctest; where it stands on the page is not known."""
    comment = _comments(text).get(node.end_lineno or 0)
    if comment is None:
        return None
    mark = _MARK.match(comment[1])
    words = comment[1][mark.end() :] if mark else comment[1]
    return Stated((PrintedRow(first + (node.end_lineno or 1) - 1, 0, words),), COMMENT, True)


def _script(rows: Sequence[PrintedRow]) -> Iterator[SnippetStatement]:
    """Statements of a block of code, each with the comment behind or below it."""
    whole = "\n".join(row.text for row in rows)
    if len(whole) > BLOCK_LIMIT:
        return
    text = textwrap.dedent(whole)
    removed = len(whole.split("\n")[0]) - len(text.split("\n")[0]) if whole.strip() else 0
    removed = next(
        (
            len(a) - len(b)
            for a, b in zip(whole.split("\n"), text.split("\n"), strict=True)
            if b.strip()
        ),
        removed,
    )
    nodes = _parsed(text)
    comments = _comments(text)
    lines = text.split("\n")
    for node, following in pairwise((*nodes, None)):
        assert node is not None
        until = following.lineno if following else len(lines) + 1
        stated = _commented(node, comments, lines, until, rows, removed)
        yield SnippetStatement(text, node, rows[node.lineno - 1].line, stated)


def _commented(
    node: ast.stmt,
    comments: dict[int, tuple[int, str]],
    lines: Sequence[str],
    until: int,
    rows: Sequence[PrintedRow],
    removed: int,
) -> Stated | None:
    """The result in a comment behind a statement, or in those below it."""
    at = node.end_lineno or node.lineno
    trailing = at in comments
    at += not trailing
    result_rows: list[PrintedRow] = []
    open_brackets = 0
    while at in comments and at < until and len(result_rows) < 400:
        column, words = comments[at]
        if result_rows and lines[at - 1][:column].strip():
            break
        mark = _MARK.match(words)
        start = mark.end() if mark else 0
        row = rows[at - 1]
        result_rows.append(
            PrintedRow(row.line, row.column + removed + column + start, words[start:])
        )
        open_brackets += balance(words)
        if _ONLY_MARK.fullmatch(words[start:]):
            if len(result_rows) > 1:
                return None
            result_rows = []
        elif open_brackets <= 0:
            break
        at += 1
    if (
        not result_rows
        or open_brackets
        or not any(set("[(") & set(row.text) for row in result_rows)
    ):
        return None
    return Stated(tuple(result_rows), COMMENT, trailing)


def _parsed(text: str) -> list[ast.stmt]:
    """The statements of a text; none if it is no Python."""
    if len(text) > BLOCK_LIMIT:
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _comments(text: str) -> dict[int, tuple[int, str]]:
    """The comments of a text by line, with their columns."""
    if "#" not in text:
        return {}
    try:
        return {
            token.start[0]: (token.start[1], token.string)
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type == tokenize.COMMENT
        }
    except (tokenize.TokenError, SyntaxError):
        return {}


def _printed(snippet: PageSnippet, rows: Sequence[PrintedRow]) -> PageSnippet | None:
    """A snippet whose calls of ``print`` have the results of the block below it."""
    results: list[tuple[PrintedRow, ...]] = []
    current: list[PrintedRow] = []
    for row in rows:
        if row.text.strip():
            current.append(row)
            if balance("".join(r.text for r in current[-1:])) <= 0 and _is_closed(current):
                results.append(tuple(current))
                current = []
    if current or len(results) != len(snippet.prints):
        return None
    statements = list(snippet.statements)
    for place, result in zip(snippet.prints, results, strict=True):
        statements[place] = replace(statements[place], stated=Stated(result, PRINTED))
    return replace(snippet, statements=tuple(statements))


def _with_result(snippet: PageSnippet, rows: Sequence[PrintedRow]) -> PageSnippet:
    """A snippet whose last expression has the result of the block below it."""
    *others, last = snippet.statements
    if not isinstance(last.node, ast.Expr) or is_print(last.node):
        return snippet
    kept = tuple(row for row in rows if row.text.strip())
    return replace(snippet, statements=(*others, replace(last, stated=Stated(kept, ECHO))))


def _is_closed(rows: Sequence[PrintedRow]) -> bool:
    return sum(balance(row.text) for row in rows) <= 0
