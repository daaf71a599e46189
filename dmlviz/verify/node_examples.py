"""What ONNX's operator pages state of a node: nodes that ``expect`` tests, and blocks of lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from dmlviz.base.deferred import dataclass, regex
from dmlviz.code.arguments import parameter_names
from dmlviz.code.libraries import LIBRARIES
from dmlviz.code.session import literal_array
from dmlviz.tensors.types import Array
from dmlviz.verify.snippets import PageSnippet

_OTHERS = ("inputs", "outputs", "name", "domain", "doc_string")

_OUTPUTS = ("output", "outputs", "Y", "y")

_HEADING = regex(
    r"(?:#{1,6}[ \t]{1,9})?(?:<a [^<>]{0,80}>|</a>|\*\*){0,9}(?P<name>[A-Z]\w{1,40})"
    r"(?:</a>|\*\*){0,9}[ \t]{0,9}"
)


@dataclass(frozen=True, eq=False)
class Expected:
    """``expect(node, inputs=[x], outputs=[y])``.

    Attributes:
        node: the name of the node.
        inputs: what it takes.
        outputs: the list of what it is to give.
    """

    node: str
    inputs: tuple[ast.expr, ...]
    outputs: ast.expr


@dataclass(frozen=True, eq=False)
class NodeBlock:
    """Lists that a block names as an operator names its tensors.

    Attributes:
        call: of the operator, such as ``op.Gather(data, indices, axis=1)``.
        tensors: that it takes, by name.
        output: that it gives.
        lines: of each of its values, flat.
        line: where it stands.
        whole: whether the block names every parameter that is no tensor.
    """

    call: ast.Call
    tensors: dict[str, Array]
    output: Array
    lines: tuple[int, ...]
    line: int
    whole: bool


def made_node(node: ast.stmt) -> tuple[str, ast.Call] | None:
    """The name of a node, and the call of ``make_node`` that makes it; None if it is none."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
            function = call.func
            if getattr(function, "attr", getattr(function, "id", "")) == "make_node":
                return name, call
    return None


def expectation(node: ast.AST) -> Expected | None:
    """What ``expect`` is to hold of a node; None if it is no such call."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="expect"), args=[ast.Name(id=name)]) as call):
            named = {keyword.arg: keyword.value for keyword in call.keywords}
            match named.get("inputs"), named.get("outputs"):
                case ast.List(elts=inputs), ast.expr() as outputs:
                    return Expected(name, tuple(inputs), outputs)
    return None


def expects(node: ast.AST) -> bool:
    """Whether a statement has a call of ``expect`` anywhere."""
    return any(
        isinstance(part, ast.Call) and getattr(part.func, "id", "") == "expect"
        for part in ast.walk(node)
    )


def node_call(made: ast.Call, inputs: Sequence[ast.expr]) -> ast.Call | None:
    """A node as a call, such as ``op.Transpose(x, perm=[1, 0])``; None if it is not understood.

    Args:
        made: the call of ``make_node``.
        inputs: the tensors that it takes; those that it leaves out have an empty name in ``made``.
    """
    named = {keyword.arg: keyword.value for keyword in made.keywords}
    match made.args:
        case [ast.Constant(value=str() as op_type), *more]:
            names = named.get("inputs") or next(iter(more), None)
        case _:
            return None
    if not isinstance(names, ast.List):
        return None
    operands = iter(inputs)
    args: list[ast.expr] = []
    for name in names.elts:
        if not isinstance(name, ast.Constant):
            return None
        value = ast.Constant(None) if name.value == "" else next(operands, None)
        if value is None:
            return None
        args.append(value)
    attributes = [keyword for keyword in made.keywords if keyword.arg not in _OTHERS]
    return _call(op_type, args, attributes)


def _call(op_type: str, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.Call:
    function = ast.Attribute(ast.Name("op", ast.Load()), op_type, ast.Load())
    return ast.Call(function, args, keywords)


def block(snippet: PageSnippet) -> NodeBlock | None:
    """The lists of a block below an operator's heading; None if it is something else."""
    heading = _HEADING.fullmatch(snippet.heading)
    function = LIBRARIES["onnx"].functions.get(f"onnx.{heading['name']}") if heading else None
    if function is None or heading is None:
        return None
    parameters = parameter_names(function)[1:]
    tensors: dict[str, Array] = {}
    attributes: dict[str, int] = {}
    result: tuple[Array, tuple[int, ...], int] | None = None
    for statement in snippet.statements:
        match statement.node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                array = _literal(value)
            case _:
                return None
        if array is None:
            return None
        if name in _OUTPUTS and name not in parameters:
            first = statement.line - statement.node.lineno
            result = array, tuple(first + leaf for leaf in _leaves(value)), statement.line
        elif name in parameters and array.ndim == 0:
            attributes[name] = int(array)
        elif name in parameters:
            tensors[name] = array
        else:
            return None
    if result is None or not tensors:
        return None
    output, lines, line = result
    args: list[ast.expr] = [ast.Name(n, ast.Load()) for n in parameters if n in tensors]
    if [*tensors] != parameters[: len(tensors)] and {*tensors} != {*parameters[: len(tensors)]}:
        return None
    keywords = [ast.keyword(name, ast.Constant(value)) for name, value in attributes.items()]
    whole = {*parameters} == {*tensors, *attributes}
    call = _call(heading["name"], args, keywords)
    return NodeBlock(call, tensors, output, lines, line, whole)


def _literal(node: ast.expr) -> Array | None:
    """A list of numbers, or a number; None if it is something else."""
    if isinstance(node, ast.Tuple) and len(node.elts) == 1:
        # a comma behind the number
        node = node.elts[0]
    array = literal_array(node)
    if array is None:
        return None
    number = array.ndim == 0 and array.dtype.kind == "i"
    return array if array.size and (number or (array.ndim and array.dtype.kind in "if")) else None


def _leaves(node: ast.expr) -> Iterator[int]:
    """The lines of the numbers of a list, in order."""
    if isinstance(node, ast.List | ast.Tuple):
        for item in node.elts:
            yield from _leaves(item)
    else:
        yield node.lineno
