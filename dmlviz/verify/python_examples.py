"""A page's Python examples that only move elements: what they move, and what the page states.

The code is read by :mod:`dmlviz.code` and never executed. An example that cannot be read so is not
checked, and the page is not called right because of it; neither is it called wrong.

ONNX's operator pages state results in two ways. ``expect(node, inputs=[x], outputs=[y])`` follows
``make_node``, and the page's own code makes ``y``. Below an operator's heading, a block names lists
as the operator names its tensors: ``data = [1, 2]``, ``axis = 0``, ``output = [2, 1]``.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field

import numpy as np

from dmlviz.base.budget import BudgetSpent, budget
from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code import CodeRefused, library_of
from dmlviz.code.einops import EINOPS
from dmlviz.code.libraries import LIBRARIES
from dmlviz.code.operator import operator_of
from dmlviz.code.session import Moved, Session
from dmlviz.tensors import one_line
from dmlviz.tensors.sizes import READ_LIMIT
from dmlviz.tensors.types import Array, Sizes
from dmlviz.verify.examples import PageExample
from dmlviz.verify.findings import Finding
from dmlviz.verify.node_examples import block, expectation, expects, made_node, node_call
from dmlviz.verify.printed import PrintedRow, PrintedTensor, PrintedValue, Unprintable, read_printed
from dmlviz.verify.snippets import COMMENT, ECHO, PageSnippet, SnippetStatement, Stated, snippets
from dmlviz.verify.text import PageText, html_text, plain, with_newlines

EXAMPLES_LIMIT = 1_500
"""The most Python examples of one page that are read."""

PAGE = {"items": 1 << 20, "expressions": 100_000, "elements": 1 << 25}
"""What the code of a page may cost, as of :data:`dmlviz.code.refusals.READING`."""

_CODE = regex(r">>>|```|~~~|\.\. (?:code|sourcecode|testcode)")
_KEYS = {
    name: of.key
    for of in LIBRARIES.values()
    if of.has_tensors and of.has_dialect
    for name in of.names
}
# the other functions of einops have names that many modules have
_ALONE = {key: key for key, of in LIBRARIES.items() if not of.has_tensors}
_ALONE["rearrange"] = EINOPS.key
_LIBRARY = regex(rf"\b(?P<module>{'|'.join(_KEYS)})\.|\b(?P<alone>{'|'.join(_ALONE)})\b")
_RANDOM = regex(r"rand|normal|uniform|\.empty\(|load|open\(")
_HEADINGS = regex(r"<h[1-6][\s>]", re.IGNORECASE)
_NAMED = regex(r"\s*(?:(?:array|tensor)\(|<tf\.)")
_TITLE = 60


class _NotChecked(Exception):
    """Why an example is not checked, in one sentence."""


@dataclass(frozen=True)
class PythonExamples:
    """A page's Python examples.

    Attributes:
        examples: those that can be run.
        unchecked: the line of each other one, and why it cannot be.
    """

    examples: tuple[PageExample, ...] = ()
    unchecked: tuple[Finding, ...] = ()


def python_examples(
    page: str, rows: Sequence[PrintedRow] | None = None, shown: PageText | None = None
) -> PythonExamples:
    """The Python examples of a page, in its order.

    Args:
        page: its text, at most 4,194,304 characters.
        rows: its lines as people read them; None for those of the text.
        shown: the page without HTML, if it is made already.

    >>> found = python_examples('>>> x = np.arange(4)\\n>>> x[::-1]\\narray([3, 2, 1, 0])')
    >>> found.examples[0].outputs["out"].tolist(), found.examples[0].line
    ([3, 2, 1, 0], 2)
    """
    headings = frozenset[int]()
    of_html = (shown or plain(page)) if rows is None and html_text(page) else None
    text = page if of_html is None else of_html.text
    if rows is not None:
        text = "\n".join(row.text for row in rows)
    if not _CODE.search(text) or not (_LIBRARY.search(text) or "onnx" in text.lower()):
        return PythonExamples()
    if rows is None:
        rows, headings = _rows(page) if of_html is None else _rows_of_html(page, of_html)
    reading = _ExampleReading()
    part: list[PageSnippet] = []
    with budget(**PAGE):
        for snippet in snippets(rows, headings):
            if snippet.begins:
                reading.part(part)
                part = []
            if reading.is_full:
                break
            if snippet.heading:
                reading.block(snippet)
            else:
                part.append(snippet)
        reading.part(part)
    return PythonExamples(tuple(reading.examples), tuple(reading.unchecked))


def _rows(page: str) -> tuple[Sequence[PrintedRow], frozenset[int]]:
    """A page's lines as they are read; the text itself says which are headings."""
    lines = with_newlines(page).split("\n")
    # a copied blank may be one that does not break
    rows = [PrintedRow(n, 0, text.replace("\u00a0", " ")) for n, text in enumerate(lines, 1)]
    return rows, frozenset()


def _rows_of_html(page: str, source: PageText) -> tuple[Sequence[PrintedRow], frozenset[int]]:
    """The lines of HTML as people read them, and those in which it has a heading."""
    lines = with_newlines(page).split("\n")
    texts = source.text.split("\n")
    starts = np.cumsum([0, *(len(text) + 1 for text in texts[:-1])]).tolist()
    rows = [PrintedRow(n, 0, text) for n, text in zip(source.lines_of(starts), texts, strict=True)]
    headings = frozenset(n for n, text in enumerate(lines, 1) if _HEADINGS.search(text))
    return rows, headings


@dataclass(eq=False)
class _ExampleReading:
    """A page's Python examples while they are read."""

    examples: list[PageExample] = field(default_factory=list)
    unchecked: list[Finding] = field(default_factory=list)
    spent: BudgetSpent | None = None

    @property
    def is_full(self) -> bool:
        """Whether the page has had its share of examples and of work."""
        count = len(self.examples) + len(self.unchecked)
        return count >= EXAMPLES_LIMIT or self.spent is not None

    def part(self, part: Sequence[PageSnippet]) -> None:
        """The examples of snippets that share their names."""
        code = "\n".join(dict.fromkeys(s.text for snippet in part for s in snippet.statements))
        libraries = list(_libraries(code))
        if not libraries:
            return
        tensors = [name for name in libraries if LIBRARIES[name].has_tensors]
        nodes = "make_node(" in code
        random = _RANDOM.search(code) is not None
        libraries = tensors or [library_of(code[:4_000])]
        reader = _ExamplePart(self, libraries, nodes=nodes, random=random)
        for snippet in part:
            for statement in snippet.statements:
                if self.is_full:
                    self.stop(statement)
                    return
                try:
                    reader.statement(statement)
                except BudgetSpent as spent:
                    self.spent = spent
                    self.stop(statement)
                    return

    def block(self, snippet: PageSnippet) -> None:
        """The example of a block below the heading of one of ONNX's operators."""
        named = block(snippet)
        if named is None:
            return
        title = one_line(ast.unparse(named.call), _TITLE)
        session = Session("onnx")
        for name, array in named.tensors.items():
            session.learn(name, array)
        try:
            moved = session.moved(named.call)
            if len(moved.chain.outputs) != 1:
                raise _NotChecked(_("Its result has a different number of arrays."))
            (name,) = moved.chain.outputs
            expected = _typed(moved, named.output)
            if not named.whole and not np.array_equal(expected, moved.arrived(name)):
                raise _NotChecked(_("It does not say with which attributes."))
        except (_NotChecked, Error) as error:
            self.note(named.line, title, str(error))
            return
        self.examples.append(
            PageExample(
                title,
                snippet.statements[0].line,
                operator_of(moved.chain),
                moved.values,
                {name: expected},
                {name: named.lines},
                places={name: named.line},
            )
        )

    def note(self, line: int, title: str, reason: str) -> None:
        """Say why an example is not checked."""
        message = _("not checked: {code}: {reason}").format(code=title, reason=reason)
        self.unchecked.append(Finding(line, message))

    def stop(self, statement: SnippetStatement) -> None:
        """Say once where reading ends."""
        message = _("not checked: this and what follows: {reason}").format(
            reason=self.spent
            or _("a page has at most {most} Python examples.").format(most=EXAMPLES_LIMIT)
        )
        if not any(finding.message == message for finding in self.unchecked):
            self.unchecked.append(Finding(statement.line, message))


def _libraries(code: str) -> Iterator[str]:
    """The libraries that code names, in order."""
    libraries = dict.fromkeys(
        _KEYS[match["module"]] if match["module"] else _ALONE[match["alone"]]
        for match in _LIBRARY.finditer(code)
    )
    return iter(libraries)


class _ExamplePart:
    """Snippets that share their names, while they are read.

    Each library's tensors have a session of their own: what a method does is the library's rule.
    """

    def __init__(
        self, page: _ExampleReading, libraries: Sequence[str], *, nodes: bool, random: bool
    ) -> None:
        self.page = page
        # where a page's own code says what its nodes give, random numbers may be any
        self.sessions = {name: Session(name, stand_ins=nodes) for name in libraries}
        self.sized = self.sessions
        if random:
            # the sizes of what is random, or in a file, are those of other numbers
            self.sized = {name: Session(name, stand_ins=True) for name in libraries}
        self.has_nodes = nodes
        self.nodes: dict[str, ast.Call] = {}
        self.blur = 0.0

    def statement(self, statement: SnippetStatement) -> None:
        """Read a statement, and its example if it has one."""
        if self.has_nodes:
            self._node_statement(statement)
            return
        if statement.stated is None or not self._example(statement, statement.stated):
            self._read(statement)

    def _read(self, statement: SnippetStatement) -> None:
        named = _named(statement)
        sized = self.sized.items() if self.sized is not self.sessions else ()
        for library, session in (*self.sessions.items(), *sized):
            if named <= {library}:
                with suppress(CodeRefused):
                    session.read(statement.text, statement.node)
            else:
                session.pass_over(statement.node)

    def _node_statement(self, statement: SnippetStatement) -> None:
        """Read a statement of a page that makes ONNX's nodes and says what they give."""
        node = statement.node
        if made := made_node(node):
            self.nodes[made[0]] = made[1]
            return
        if not expects(node):
            self._read(statement)
            return
        expected = expectation(node)
        call = self.nodes.get(expected.node) if expected else None
        node_of = node_call(call, expected.inputs) if call and expected else None
        title = one_line(ast.unparse(node_of or node), _TITLE)
        try:
            if node_of is None or expected is None:
                raise _NotChecked(_("Its code is not read."))
            session = next(iter(self.sessions.values()))
            self.page.examples.append(
                _node_example(title, statement.line, session, node_of, expected.outputs)
            )
        except (_NotChecked, Error) as error:
            self.page.note(statement.line, title, str(error))

    def _session(self, statement: SnippetStatement, node: ast.expr, *, sizes_only: bool) -> Session:
        """The session whose tensors an expression is about.

        Raises:
            _NotChecked: it is about those of several.
        """
        named = _named(statement)
        sessions = self.sized if sizes_only else self.sessions
        fitting = [s for name, s in sessions.items() if named <= {name}]
        if not fitting:
            raise _NotChecked(_("Its code is not read."))
        return next((s for s in fitting if not s.missing(node)), fitting[0])

    def _example(self, statement: SnippetStatement, stated: Stated) -> bool:
        """Read an example; whether its statement need not be read any more."""
        node, sizes_only = _expression(statement)
        if node is None:
            return False
        is_assigned = isinstance(statement.node, ast.Assign)
        if is_assigned:
            self._read(statement)
        line, title = statement.line, one_line(ast.unparse(statement.node), _TITLE)
        certain = stated.form != COMMENT
        try:
            certain = certain or bool(_NAMED.match(stated.rows[0].text))
            printed = read_printed(stated.rows, marked=stated.form == COMMENT)
            certain = certain or _is_certain(printed)
            if statement.skipped:
                self.page.examples.append(PageExample(title, line, skipped="doctest: +SKIP"))
                return is_assigned
            sizes_only = sizes_only or printed.is_sizes
            session = self._session(statement, node, sizes_only=sizes_only)
            if self._learned(session, node, printed, stated):
                return True
            moved = session.moved(node)
            if sizes_only and moved.chain.arrays and self._is_random(session, node):
                # which elements are chosen depends on the numbers
                raise _NotChecked(_("Random numbers are different in every run."))
            self.page.examples.append(
                _page_example(title, line, moved, printed, stated, sizes_only, self.blur)
            )
        except (_NotChecked, Unprintable, Error) as error:
            if certain:
                self.page.note(line, title, str(error))
            return is_assigned
        return True

    def _is_random(self, session: Session, node: ast.expr) -> bool:
        """Whether an expression has other values in every run."""
        return self.sessions[session.library].missing(node)

    def _learned(
        self, session: Session, node: ast.expr, printed: PrintedValue, stated: Stated
    ) -> bool:
        """Whether the page states the values of a name that has others in every run."""
        match node:
            case ast.Name(id=name) if printed.sizes and name in session.unknown:
                # what is loaded from a file has the sizes that the page says
                if math.prod(printed.sizes) <= READ_LIMIT and self.sized is not self.sessions:
                    count = math.prod(printed.sizes)
                    session.learn(name, np.arange(1, count + 1).reshape(printed.sizes))
                    return True
            case ast.Name(id=name) if name in session.fresh and stated.form == ECHO:
                if len(printed.tensors) == 1 and printed.tensors[0].named:
                    (tensor,) = printed.tensors
                    values = tensor.array
                    self.blur = max([self.blur, *(token.half_unit for token in tensor.tokens)])
                    if values.size and values.ndim:
                        values = _of_library(values, session.library)
                        session.learn(name, values)
                        self.sized[session.library].learn(name, values)
                        return True
        return False


def _of_library(values: Array, library: str) -> Array:
    """Values as the library's tensors have them: numbers with a point are FLOAT32 in most."""
    narrow = LIBRARIES[library].conventions.float_bits == 32
    return values.astype(np.float32) if narrow and values.dtype.kind == "f" else values


def _named(statement: SnippetStatement) -> set[str]:
    """The libraries of tensors that a statement names."""
    return {name for name in _libraries(statement.text) if LIBRARIES[name].has_tensors}


def _is_certain(printed: PrintedValue) -> bool:
    """Whether a comment can be nothing but a result."""
    return printed.is_sizes or any(of.named or len(of.sizes) > 1 for of in printed.tensors)


def _expression(statement: SnippetStatement) -> tuple[ast.expr | None, bool]:
    """What a statement's result is that of, and whether only its sizes are."""
    match statement.node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[node], keywords=[])):
            pass
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
            return None, False
        case ast.Expr(value=node):
            pass
        case ast.Assign(targets=[ast.Name() as name]):
            return ast.Name(name.id, ast.Load()), False
        case _:
            return None, False
    sizes_only = False
    while True:
        match node:
            case ast.Tuple(elts=[_, _, *_] as elts):
                of = [_sized(element) for element in elts]
                inner_ones = [one for one in of if one is not None]
                if len(inner_ones) < len(elts):
                    return node, sizes_only
                return ast.Tuple(inner_ones, ast.Load()), True
            case ast.Attribute(value=inner, attr="shape"):
                node, sizes_only = inner, True
            case ast.Call(func=ast.Attribute(value=inner, attr="size"), args=[], keywords=[]):
                node, sizes_only = inner, True
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="shape"), args=[inner]
            ):
                node, sizes_only = inner, True
            case ast.Call(
                func=ast.Attribute(value=inner, attr="tolist" | "numpy"), args=[], keywords=[]
            ):
                node = inner
            case ast.Call(func=ast.Name(id="list" | "tuple"), args=[ast.Attribute() as inner]):
                node = inner
            case _:
                return node, sizes_only


def _sized(node: ast.expr) -> ast.expr | None:
    """Of an expression that is the sizes of a tensor, the tensor."""
    match node:
        case ast.Attribute(value=inner, attr="shape"):
            return inner
        case ast.Call(func=ast.Attribute(value=inner, attr="size"), args=[], keywords=[]):
            return inner
    return None


def _page_example(
    title: str,
    line: int,
    moved: Moved,
    printed: PrintedValue,
    stated: Stated,
    sizes_only: bool,
    blur: float,
) -> PageExample:
    """The example of a page.

    Raises:
        _NotChecked, Error: what the page states cannot be compared with what moves.
    """
    operator = operator_of(moved.chain)
    made = {name: moved.chain.maps[of].shape for name, of in moved.chain.outputs.items()}
    if sizes_only and len(made) > 1:
        if len(printed.each) != len(made):
            raise _NotChecked(_("Its result has a different number of arrays."))
        several = dict(zip(made, printed.each, strict=True))
    else:
        sizes = _sizes(made, printed, stated, sizes_only)
        several = {} if sizes is None else {next(iter(made)): sizes}
    if several:
        if not all(made.values()):
            raise _NotChecked(_("A number has no sizes."))
        return PageExample(
            title,
            line,
            operator,
            moved.values,
            sizes=several,
            places=dict.fromkeys(several, stated.rows[0].line),
        )
    if not printed.tensors:
        raise _NotChecked(_("Its result is not an array."))
    if len(printed.tensors) != len(made):
        raise _NotChecked(_("Its result has a different number of arrays."))
    tensors = dict(zip(made, printed.tensors, strict=True))
    flat_comment = stated.form == COMMENT and not _is_certain(printed)
    if flat_comment and any(tensors[name].sizes != made[name] for name in made):
        raise _NotChecked(_("Its comment may not be its result."))
    outputs = {name: _expected(moved, name, tensor, blur) for name, tensor in tensors.items()}
    return PageExample(
        title,
        line,
        operator,
        moved.values,
        outputs,
        {name: tuple(token.line for token in tensor.tokens) for name, tensor in tensors.items()},
        places={name: tensor.line for name, tensor in tensors.items()},
        tokens={name: tensor.tokens for name, tensor in tensors.items()},
    )


def _node_example(
    title: str, line: int, session: Session, call: ast.Call, outputs: ast.expr
) -> PageExample:
    """The example of a node, whose outputs the page's own code makes.

    Raises:
        _NotChecked, Error: the node or an output is not read.
    """
    if any(isinstance(session.value(arg), list) for arg in call.args):
        # a sequence of tensors is none
        raise _NotChecked(_("Its code is not read."))
    moved = session.moved(call)
    arrays = session.arrays(outputs)
    if len(arrays) != len(moved.chain.outputs):
        raise _NotChecked(_("Its result is not read."))
    pairs = zip(moved.chain.outputs, arrays, strict=True)
    expected = {name: _typed(moved, array) for name, array in pairs}
    return PageExample(
        title,
        line,
        operator_of(moved.chain),
        moved.values,
        expected,
        {name: (line,) * array.size for name, array in expected.items()},
    )


def _typed(moved: Moved, array: Array) -> Array:
    """Values in the data type of those that move.

    Raises:
        _NotChecked: they are none of that type.
    """
    dtype = next(iter(moved.values.values())).dtype
    with np.errstate(all="ignore"):
        cast = array.astype(dtype)
    if not np.array_equal(cast, array, equal_nan=array.dtype.kind == "f"):
        raise _NotChecked(_("Its result has a different data type."))
    return np.asarray(cast)


def _sizes(
    made: Mapping[str, Sizes], printed: PrintedValue, stated: Stated, sizes_only: bool
) -> Sizes | None:
    """The sizes that the page states; None if it states values."""
    numbers = printed.sizes
    listed = [tensor.sizes for tensor in printed.tensors]
    if numbers is None and len(listed) == 1 and len(listed[0]) == 1:
        (tensor,) = printed.tensors
        if all(token.is_whole for token in tensor.tokens) and not tensor.named:
            numbers = tuple(int(token.value) for token in tensor.tokens)
    if sizes_only:
        if numbers is None or len(made) != 1:
            raise _NotChecked(_("Its result is not an array's sizes."))
        return numbers
    if printed.is_sizes:
        if len(made) != 1:
            raise _NotChecked(_("Its result has a different number of arrays."))
        return printed.sizes
    if stated.form != COMMENT or numbers is None or len(made) != 1:
        return None
    (due,) = made.values()
    if printed.sizes is None and len(due) == 1 and due != numbers:
        return None
    # sizes in a wrong order are sizes; other numbers behind a line may be anything
    if not stated.trailing or math.prod(numbers) != math.prod(due):
        raise _NotChecked(_("Its comment may not be its result."))
    return numbers


def _expected(moved: Moved, name: str, tensor: PrintedTensor, blur: float) -> Array:
    """The values that a page states, in the data type of those that move.

    A printed number that is the moved one, rounded, is that one.

    Raises:
        _NotChecked: they are no values of that type.
        Error: a constant of the code is none.
    """
    dtype = next(iter(moved.values.values())).dtype
    tokens = tensor.tokens
    if moved.truth != all(token.is_truth for token in tokens) and tokens:
        raise _NotChecked(_("Its result has a different data type."))
    values = np.array([token.value for token in tokens], np.float64 if dtype.kind == "f" else None)
    with np.errstate(all="ignore"):
        cast = values.astype(dtype)
    if dtype.kind != "f" and not np.array_equal(cast, values):
        raise _NotChecked(_("Its result has a different data type."))
    expected = cast.reshape(tensor.sizes)
    due = moved.arrived(name)
    if dtype.kind == "f" and due.shape == expected.shape:
        half = np.array([token.half_unit for token in tokens]).reshape(due.shape) + blur
        with np.errstate(invalid="ignore"):
            near = np.abs(due.astype(np.float64) - values.reshape(due.shape)) <= half
        expected = np.where(near, due, expected).astype(dtype)
    expected = np.asarray(expected)
    expected.flags.writeable = False
    return expected
