"""A call of a library as an operator: its state, and which argument became which setting.

Nothing is listed by hand. The operator is one whose run moves every element as the call does; an
argument became the settings that change with it when the call is read again with another argument.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from contextlib import suppress
from copy import deepcopy
from itertools import islice
from typing import Any

from dmlviz.base.deferred import dataclass
from dmlviz.code import Chain, CodeRefused, library_of, read
from dmlviz.code.arguments import parameter_names
from dmlviz.code.equal_operators import equal_operators
from dmlviz.code.inputs import code_inputs, suggested
from dmlviz.code.libraries import LIBRARIES, TABLES
from dmlviz.code.maps import Map
from dmlviz.code.source import parsed
from dmlviz.engines.trace import Trace
from dmlviz.states.links import link
from dmlviz.tensors.types import Sizes

CHANGES_LIMIT = 24
"""The limit of calls that are read to find which argument became which setting."""

_ROOMY = (3, 4, 5, 6, 7)
"""Sizes that differ, and are larger than most paddings and slices."""

_IMAGES = ((1, 8, 4, 6), (1, 18, 3, 3), (1, 2, 4, 5))
"""Sizes of images that blocks of 2 or 3 divide, and of a small one."""

_WORDS = ("edge", "constant", "nearest", "reflect")
"""What is tried in place of a text, such as a mode."""


@dataclass(frozen=True)
class ArgumentSettings:
    """An argument of a call, and the settings that it became.

    Attributes:
        argument: its name in the library, such as ``pad_width``.
        settings: their names in DirectML, each with its value as text.
    """

    argument: str
    settings: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class CallAsOperator:
    """The operator that does exactly what a call does.

    Attributes:
        call: as it was typed.
        key: the operator's.
        link: the state that does the same.
        arguments: those that became settings, in the order of the call.
    """

    call: str
    key: str
    link: str
    arguments: tuple[ArgumentSettings, ...]

    def sentence(self) -> str:
        """Which argument became which setting, such as ``mode → PaddingMode EDGE``."""
        return " · ".join(
            f"{one.argument} → {'; '.join(f'{name} {value}' for name, value in one.settings)}"
            for one in self.arguments
        )


def call_as_operator(text: str, keys: Collection[str] = ()) -> CallAsOperator | None:
    """The operator that does what a call does, if the call has one tensor, whose elements move.

    Args:
        text: one call with its arguments, such as ``np.pad(x, 1, mode="edge")``.
        keys: of the operators that are likelier than others.

    >>> call_as_operator("np.pad(x, ((1, 1), (0, 2)), mode='reflect')").sentence()
    'pad_width → StartPadding [1, 0]; EndPadding [1, 2] · mode → PaddingMode REFLECTION'
    """
    text = text.strip()
    call = _call(text)
    equal = None if call is None else _equal(text, keys)
    if call is None or equal is None:
        return None
    trace, sizes = equal
    key = trace.operator.key
    changes = islice(_changes(call, text), CHANGES_LIMIT)
    settings_of: dict[str, set[str]] = {}
    settled = set()
    for name, part, changed in changes:
        other = None if (name, part) in settled else _equal(changed, (key,), sizes)
        if other is not None and other[0].operator.key == key:
            theirs = other[0].settings
            # the sizes of the output follow from those of the input
            ours = {n: v for n, v in trace.settings.items() if not n.startswith("OutputTensor.")}
            differing = {n for n, value in ours.items() if theirs.get(n) != value}
            settings_of.setdefault(name, set()).update(differing)
            settled |= {(name, part)} if differing else set()
    arguments = (
        ArgumentSettings(name, tuple((n, v) for n, v in trace.settings.items() if n in of))
        for name, of in settings_of.items()
    )
    return CallAsOperator(text, key, link(trace), tuple(one for one in arguments if one.settings))


def _call(text: str) -> ast.Call | None:
    """The call that a text is; None if it is something else, or has no arguments to change."""
    try:
        tree, _source = parsed(text)
    except CodeRefused:
        return None
    match tree.body:
        case [ast.Expr(value=ast.Call(func=ast.Attribute() | ast.Name()) as call)]:
            return call
    return None


def _equal(text: str, keys: Collection[str], before: Sizes = ()) -> tuple[Trace, Sizes] | None:
    """A run of an operator that does what a call does, and the sizes of its tensor.

    The sizes are the first with which only one of its settings does it, if there are such.

    Args:
        text: the call.
        keys: of the operators that are likelier than others.
        before: sizes that are better than others.
    """
    library = library_of(text)
    with suppress(CodeRefused):
        if len(inputs := code_inputs(text, library)) != 1:
            return None
        name = inputs[0].name
        fitting = suggested(text, library, {})[name].sizes
        candidates: list[tuple[Trace, Sizes]] = []
        without = set[int]()
        for sizes in dict.fromkeys((before, _ROOMY[: len(fitting)], fitting, *_IMAGES)):
            if not sizes or len(sizes) in without:
                continue
            with suppress(CodeRefused):
                movement = _movement(read(text, {name: sizes}, library=library))
                runs = list(equal_operators(movement, every=True))
                runs.sort(key=lambda run: run.operator.key not in keys)
                candidates += [(run, sizes) for run in runs[:1]]
                # with other sizes of this rank it would be by chance
                without |= set() if runs else {len(sizes)}
                # small tensors move alike under several settings
                if [run.operator.key for run in runs].count(
                    runs[0].operator.key if runs else ""
                ) == 1:
                    return runs[0], sizes
        return candidates[0] if candidates else None
    return None


def _movement(chain: Chain) -> Map:
    """A chain as one movement.

    Raises:
        CodeRefused: it has several outputs, or holds values that are not constant.
    """
    (sizes,) = chain.inputs.values()
    valued = chain.valued(chain.maps[next(iter(chain.outputs.values()))])
    if len(chain.outputs) != 1 or valued is None:
        raise CodeRefused("argument", chain.text)
    return Map(sizes, *valued)


def _changes(call: ast.Call, text: str) -> Iterator[tuple[str, int, str]]:
    """The call with one part of an argument changed: the argument, the part, and the text."""
    names = _parameters(call.func, library_of(text))
    tensors = {x.name for x in code_inputs(text, library_of(text))}
    named = [(names[min(k, len(names) - 1)] if names else "", k) for k in range(len(call.args))]
    named += [(one.arg or "", len(call.args) + k) for k, one in enumerate(call.keywords)]
    for name, k in named:
        argument = [*call.args, *(one.value for one in call.keywords)][k]
        parts = list(ast.walk(argument))
        if not name or any(isinstance(part, ast.Name) and part.id in tensors for part in parts):
            continue
        for number, part in enumerate(parts):
            for value in _others(part.value) if isinstance(part, ast.Constant) else ():
                other = deepcopy(call)
                changed = [*other.args, *(one.value for one in other.keywords)][k]
                constant = list(ast.walk(changed))[number]
                assert isinstance(constant, ast.Constant)
                constant.value = value
                yield name, number, ast.unparse(other)


def _others(value: object) -> tuple[Any, ...]:
    """Values that an argument may have instead."""
    if isinstance(value, str):
        return tuple(word for word in _WORDS if word != value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value + 1, value - 1
    return ()


def _parameters(function: ast.expr, library: str) -> list[str]:
    """The names of a function's parameters, of a method's after its tensor; none if unknown."""
    first, dot, rest = ast.unparse(function).partition(".")
    for table in TABLES:
        full = f"{table.names.get(first, '')}{dot}{rest}"
        if full in table.functions:
            return parameter_names(table.functions[full])[1:]
    methods = LIBRARIES[library].methods
    return parameter_names(methods[rest])[2:] if rest in methods else []
