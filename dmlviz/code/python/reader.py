"""Python's statements, read one after the other."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from dmlviz.base.budget import spend
from dmlviz.base.words import _
from dmlviz.code.python.calls import Calls
from dmlviz.code.python.expressions import TURNS_LIMIT
from dmlviz.code.python.numbers import LIST_LIMIT
from dmlviz.code.python.values import (
    Composite,
    Decorator,
    Instance,
    LoopLeft,
    PythonClass,
    PythonFunction,
    Returned,
    TurnEnded,
    Unread,
)
from dmlviz.code.refusals import CodeRefused, UseDecides


class PythonReader(Calls):
    """What reads statements."""

    def statement(self, node: ast.stmt) -> bool:
        """Read a statement of the module; whether it ends the code, as ``return`` does."""
        try:
            self._read(node)
        except Returned:
            return True
        except (LoopLeft, TurnEnded):
            message = _("break and continue are read inside a loop.")
            raise self.refusal(node, "syntax", message) from None
        return False

    def _read(self, node: ast.stmt) -> None:
        with self.at(node):
            spend("expressions")
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[ast.Attribute() as attribute]) if self._is_starting():
                self._start(attribute, node.value)
            case ast.Assign():
                value = self.top(node.value)
                for target in node.targets:
                    # a part of a tensor that is written notes the tensor itself
                    self.note(value, target)
                    self.assign(target, value)
            case ast.AnnAssign(value=ast.expr()):
                assert node.value is not None
                value = self.top(node.value)
                self.assign(node.target, value)
                self.note(value, node.target)
            case ast.AugAssign():
                self._augment(node)
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.AnnAssign():
                pass
            case ast.Expr():
                self.note(self.top(node.value), node.value)
            case ast.Return():
                self._return(node)
            case ast.Assert():
                self._assert(node)
            case ast.If():
                self._body(node.body if self.truth(node.test) else node.orelse)
            case ast.For():
                self._loop(node, self._items(node.iter, self.value(node.iter)))
            case ast.While():
                self._while(node)
            case ast.Break():
                raise LoopLeft
            case ast.Continue():
                raise TurnEnded
            case ast.FunctionDef():
                self.names[node.name] = self.decorated(node, self.function(node))
            case ast.ClassDef():
                self.names[node.name] = self.decorated(node, self._class(node))
            case ast.With():
                self._with(node)
            case ast.Delete():
                self._delete(node)
            case ast.Raise():
                message = _("The code raises an error here, because of the sizes or numbers.")
                raise self.refusal(node, "sizes", message)
            case _:
                raise self.refusal(node, "syntax", self.source.unread(node))

    def top(self, node: ast.expr) -> Any:
        """The value of a whole statement."""
        return self.value(node)

    def note(self, value: Any, target: ast.expr | None) -> None:
        """Remember what the last statement makes."""

    def body(self, node: ast.FunctionDef) -> None:
        """Read the statements of a function."""
        self._body(node.body)

    def _body(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            self._read(statement)

    def _return(self, node: ast.Return) -> None:
        value = None if node.value is None else self.top(node.value)
        if not self.calling and node.value is not None:
            # the lines of a function without its first one
            self.note(value, node.value)
        raise Returned(value, node.value)

    def _assert(self, node: ast.Assert) -> None:
        try:
            holds = self.truth(node.test)
        except CodeRefused as refused:
            if refused.kind == "limit":
                raise
            # it may be about values, which decide nothing here
            return
        if not holds:
            message = _("This assert does not hold with these sizes and numbers.")
            raise self.refusal(node, "sizes", message)

    def _loop(self, node: ast.For, items: Sequence[Any]) -> None:
        for item in items:
            self.assign(node.target, item)
            if self._leaves(node.body):
                return
        self._body(node.orelse)

    def _leaves(self, statements: Sequence[ast.stmt]) -> bool:
        """Read a turn of a loop; whether it leaves the loop."""
        try:
            self._body(statements)
        except TurnEnded:
            pass
        except LoopLeft:
            return True
        return False

    def _while(self, node: ast.While) -> None:
        turns = 0
        while self.truth(node.test):
            turns += 1
            if turns > TURNS_LIMIT:
                message = _("A while loop repeats more than {most} times.")
                raise self.refusal(node.test, "limit", message.format(most=TURNS_LIMIT))
            if self._leaves(node.body):
                return
        self._body(node.orelse)

    def _with(self, node: ast.With) -> None:
        for item in node.items:
            context = self.value(item.context_expr)
            if not isinstance(context, Decorator) or item.optional_vars is not None:
                message = _("with is read with what changes no movement, such as torch.no_grad().")
                raise self.refusal(item.context_expr, "syntax", message)
        self._body(node.body)

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if not isinstance(target, ast.Name) or target.id not in self.names:
                raise self.refusal(node, "syntax", _("del is read with names that have a value."))
            del self.names[target.id]

    # classes

    def _class(self, node: ast.ClassDef) -> PythonClass:
        # a base of a library, such as nn.Module, sets nothing that is read
        bases = [self.lookup(base.id) for base in node.bases if isinstance(base, ast.Name)]
        made = PythonClass(node.name, {}, tuple(x for x in bases if isinstance(x, PythonClass)))
        for statement in node.body:
            match statement:
                case ast.FunctionDef():
                    function = self.function(statement, made)
                    made.members[statement.name] = self.decorated(statement, function)
                case ast.Assign(targets=[ast.Name(id=name)]):
                    made.members[name] = self.value(statement.value)
                case ast.AnnAssign(target=ast.Name(id=name)):
                    if statement.value is not None:
                        made.members[name] = self.value(statement.value)
                case ast.Expr(value=ast.Constant()) | ast.Pass():
                    pass
                case _:
                    raise self.refusal(statement, "syntax", self.source.unread(statement))
        return made

    def _is_starting(self) -> bool:
        return bool(self.calling) and self.calling[-1].name == "__init__"

    def _start(self, target: ast.Attribute, node: ast.expr) -> None:
        """``self.x = …`` of ``__init__``: what is refused is so where it is used, if it is."""
        try:
            made = self.top(node)
        except UseDecides:
            raise
        except CodeRefused as refused:
            if refused.kind in ("limit", "syntax"):
                raise
            made = Unread(refused.kind, str(refused))
        self.assign(target, made)

    # assignment

    def assign(self, target: ast.expr, value: Any) -> None:
        """Give names, attributes, and parts of lists and dicts, a value."""
        match target:
            case ast.Name(id=name):
                self.names[name] = value
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self._unpack(target, targets, value)
            case ast.Subscript():
                self._write(target, value)
            case ast.Attribute():
                of = self.value(target.value)
                if not isinstance(of, Instance):
                    raise self.not_a_target(target)
                self.check_apart(target, of, [value])
                of.attributes[target.attr] = value
            case _:
                raise self.not_a_target(target)

    def not_a_target(self, target: ast.expr) -> CodeRefused:
        """The refusal of something to which nothing can be assigned."""
        return self.refusal(
            target,
            "syntax",
            _("Only names and parts of named tensors can be assigned to, as in x[1, 0] = 5."),
        )

    def _unpack(self, node: ast.expr, targets: Sequence[ast.expr], value: Any) -> None:
        items = self._items(node, value)
        stars = [k for k, target in enumerate(targets) if isinstance(target, ast.Starred)]
        if len(stars) == 1 and len(items) >= len(targets) - 1:
            (k,), after = stars, len(targets) - stars[0] - 1
            items = [*items[:k], items[k : len(items) - after], *items[len(items) - after :]]
        if len(items) != len(targets):
            raise self.refusal(
                node,
                "argument",
                _("{count} values do not fit {names} names.").format(
                    count=len(items), names=len(targets)
                ),
            )
        for target, item in zip(targets, items, strict=True):
            self.assign(target.value if isinstance(target, ast.Starred) else target, item)

    def _write(self, target: ast.Subscript, value: Any) -> None:
        """``x[key] = value``."""
        of = self.value(target.value)
        if not isinstance(of, list | dict):
            self.write(target, of, value)
            return
        key = self._key(target.slice)
        if isinstance(of, dict):
            spend("items")
            if key not in of and len(of) >= LIST_LIMIT:
                raise self.refusal(target, "limit", _("A list is too long."))
            self.check_apart(target, of, [value])
            of[self._dict_key(target, key)] = value
        elif isinstance(key, int):
            self.check_apart(target, of, [value])
            of[key] = value
        else:
            raise self.refusal(target, "syntax", _("A list is assigned to at one whole number."))

    def write(self, target: ast.Subscript, of: Any, value: Any) -> None:
        """``x[key] = value`` of what is no list and no dict."""
        raise self.refusal(target, "syntax", _("Only parts of tensors can be assigned to."))

    def extend(self, node: ast.AST, of: list[Any], items: Sequence[Any], place: int) -> None:
        """As of :class:`Calls`."""
        if len(of) + len(items) > LIST_LIMIT:
            raise self.refusal(node, "limit", _("A list is too long."))
        self.check_apart(node, of, items)
        of[place:place] = items

    def check_apart(self, node: ast.AST, of: Any, items: Sequence[Any]) -> None:
        """Refuse to put into a list or a dict what has it inside."""
        due = list(items)
        while due:
            part = due.pop()
            if part is of:
                raise self.refusal(node, "argument", _("A list that holds itself is not read."))
            inner: Sequence[Any] = ()
            if isinstance(part, list | tuple):
                inner = part
            elif isinstance(part, dict):
                inner = list(part.values())
            elif isinstance(part, Composite) and not isinstance(part, PythonFunction | PythonClass):
                inner = part.parts()
            spend("items", 1 + len(inner))
            due += inner

    def _augment(self, node: ast.AugAssign) -> None:
        target = node.target
        place: ast.expr = ast.copy_location(_loading(target), target)
        before = self.value(place)
        if isinstance(before, list) and isinstance(node.op, ast.Add):
            self.extend(node, before, self._items(node.value, self.value(node.value)), len(before))
            return
        made = self.calculated(node.value, node.op, before, node.value)
        if not self.augmented(before, made):
            self.assign(target, made)

    def augmented(self, before: Any, made: Any) -> bool:
        """Write the result of ``x += 1`` into the memory of x, if that is what happens."""
        return False


def _loading(target: ast.expr) -> ast.expr:
    """The expression that reads what a target writes."""
    match target:
        case ast.Name(id=name):
            return ast.Name(name, ast.Load())
        case ast.Attribute():
            return ast.Attribute(target.value, target.attr, ast.Load())
    assert isinstance(target, ast.Subscript)
    return ast.Subscript(target.value, target.slice, ast.Load())
