"""Values from outside, decoded into frozen structs; one sentence says what is invalid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, TypeVar, get_args, get_origin

import msgspec
from msgspec import inspect, structs

from dmlviz.base.errors import Error
from dmlviz.base.words import _

_T = TypeVar("_T")

# the last two: half of a surrogate pair, and lists within lists where anything may be
_FAILURES = (msgspec.ValidationError, UnicodeError, RecursionError)


class InvalidValue(Error):
    """A value from outside is not what its struct declares.

    Attributes:
        place: the value's place, such as ``parts[2].minutes``; empty for the whole.
        fault: ``missing``, ``unknown`` or ``invalid``.
        rule: what is wrong, as a sentence.
        value: what is there; None if nothing is.
        expected: what has to be there.
    """

    def __init__(self, place: str, fault: str, rule: str, value: Any, expected: Any) -> None:
        super().__init__(f"{place}: {rule}" if place else rule, place.rpartition(".")[2])
        self.place = place
        self.fault = fault
        self.rule = rule
        self.value = value
        self.expected = _expected(expected)


def decode(data: object, kind: type[_T], place: str = "") -> _T:
    """The data as a value of a type; nothing is converted, so ``"1"`` is not a number.

    Args:
        data: read from JSON or TOML; whoever reads it bounds its bytes.
        kind: of the result: a struct, or a tuple of structs.
        place: of the data in what the reader wrote.

    Raises:
        InvalidValue: the data is something else; the first difference is described. An
            :class:`Error` of a struct's ``__post_init__`` is the rule for its ``field``.
    """
    try:
        return msgspec.convert(data, kind)
    except _FAILURES:
        problem = _problem(data, kind, place)
        assert problem is not None
        raise problem from None


def below(place: str, name: str) -> str:
    """The place of a part, such as ``parts[2].minutes``."""
    return f"{place}.{name}" if place and name else place or name


def _problem(data: Any, kind: Any, place: str) -> InvalidValue | None:
    """What is wrong with the innermost value that cannot be decoded.

    msgspec names the place only within a message for people.
    """
    try:
        msgspec.convert(data, kind)
    except _FAILURES as error:
        if inner := next(_inner(data, kind, place), None):
            return inner
        if isinstance(cause := error.__cause__, Error):
            return InvalidValue(below(place, cause.field), "invalid", str(cause), data, kind)
        rule = _rule(_expected(kind))
        return InvalidValue(place, "invalid", rule, data, kind)
    return None


def _inner(data: Any, kind: Any, place: str) -> Iterator[InvalidValue]:
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) is UnionType:
        # of "a value or nothing", the value
        kind = get_args(kind)[0]
    if _is_struct(kind) and isinstance(data, Mapping):
        fields = structs.fields(kind)
        for field in fields:
            at = below(place, field.encode_name)
            if field.encode_name not in data:
                if field.required:
                    yield InvalidValue(at, "missing", _("it is missing."), None, field.type)
            elif problem := _problem(data[field.encode_name], field.type, at):
                yield problem
        names = sorted(field.encode_name for field in fields)
        if kind.__struct_config__.forbid_unknown_fields:
            for key in sorted(data.keys() - set(names)):
                rule = _("unknown key; use {known}.").format(known=", ".join(names))
                yield InvalidValue(below(place, key), "unknown", rule, data[key], Any)
    elif get_origin(kind) is dict and isinstance(data, Mapping):
        for key, value in data.items():
            if problem := _problem(value, get_args(kind)[1], below(place, key)):
                yield problem
    elif get_origin(kind) is tuple and isinstance(data, list):
        items = get_args(kind)
        kinds = items[:1] * len(data) if items[-1] is ... else items
        for number, (value, each) in enumerate(zip(data, kinds, strict=False)):
            if problem := _problem(value, each, f"{place}[{number}]"):
                yield problem


def _expected(kind: Any) -> inspect.Type:
    """What msgspec expects where there is a value: of a union with "nothing", the other type."""
    expected = inspect.type_info(kind)
    return expected.types[0] if isinstance(expected, inspect.UnionType) else expected


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _rule(expected: inspect.Type) -> str:
    """What a value has to be, as a sentence."""
    match expected:
        case inspect.LiteralType(values=values):
            options = ", ".join(str(value) for value in values if value)
            return _("it must be one of {options}.").format(options=options)
        case inspect.IntType(ge=1):
            return _("it must be a whole number of 1 or more.")
        case inspect.VarTupleType(item_type=inspect.StructType(), min_length=1):
            return _("it must be a list of at least one table.")
        case inspect.StrType():
            kind = _("a text")
        case inspect.IntType():
            kind = _("a whole number")
        case inspect.VarTupleType() | inspect.TupleType():
            kind = _("a list")
        case _:
            kind = _("a table")
    return _("it must be {kind}.").format(kind=kind)
