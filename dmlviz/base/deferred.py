"""Dataclasses and regular expressions that are compiled when they are first used.

Both are declared by the hundred when modules are imported, and most of them are not used by the
command or the page that imports them. To compile all of them would take longer than to import
NumPy. Once used, they are as fast as those of the standard library.
"""

from __future__ import annotations

import dataclasses
import inspect
import operator
import re
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, AnyStr, TypeVar, cast

_T = TypeVar("_T")


class _Regex:
    def __init__(self, text: str | bytes, flags: re.RegexFlag | int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        """A method of the compiled pattern, kept as an attribute for the next use."""
        if "_compiled" not in vars(self):
            self._compiled = re.compile(self._text, self._flags)
        value = vars(self)[name] = getattr(self._compiled, name)
        return value


def regex(text: AnyStr, flags: re.RegexFlag | int = 0) -> re.Pattern[AnyStr]:
    """What :func:`re.compile` returns, compiled when one of its methods is first used.

    Not for the functions of :mod:`re`, which take compiled patterns only.

    Raises:
        re.error: at the first use, the pattern is invalid.

    >>> regex("[a-z]+").findall("one, two")
    ['one', 'two']
    """
    return cast("re.Pattern[AnyStr]", _Regex(text, flags))


def _dataclass(cls: type[_T] | None = None, /, **options: bool) -> Any:
    """What :func:`dataclasses.dataclass` does, without compiling the class's methods.

    ``__init__`` is compiled when it is first looked up; the other methods are closures. Functions
    of :mod:`dataclasses` such as ``fields`` and ``replace`` take its instances. There are no
    ``slots``, no ``unsafe_hash`` and no ``InitVar``, and a class without a docstring gets none.

    Args:
        cls: the class, which is changed.
        options: ``frozen``, ``eq``, ``order`` and ``repr``, as for the original.
    """

    def declared(cls: type[_T]) -> type[_T]:
        _declare_fields(cls, options)
        fields = dataclasses.fields(cast(Any, cls))
        positional = tuple(field.name for field in fields if field.init and not field.kw_only)
        methods: dict[str, Any] = {"__match_args__": positional}
        methods["__init__"] = _Init(cls, options.get("frozen", False))
        if options.get("repr", True):
            methods["__repr__"] = _repr(cls)
        if options.get("eq", True):
            values = _getter([field.name for field in fields if field.compare])
            methods |= {"__eq__": _comparison("eq", values), "__hash__": None}
            if options.get("frozen"):
                hashed = [f.name for f in fields if (f.compare if f.hash is None else f.hash)]
                methods["__hash__"] = _hash(_getter(hashed))
            if options.get("order"):
                methods |= {f"__{n}__": _comparison(n, values) for n in ("lt", "le", "gt", "ge")}
        if options.get("frozen"):
            methods |= _refusals(cls)
        own = vars(cls)
        for name, method in methods.items():
            # Python itself sets __hash__ to None where a class has only __eq__
            if name not in own or (name == "__hash__" and own[name] is None):
                setattr(cls, name, method)
        return cls

    return declared if cls is None else declared(cls)


if TYPE_CHECKING:
    # what type checkers know by its name
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass


def _declare_fields(cls: type, options: dict[str, bool]) -> None:
    """Set the attributes in which :mod:`dataclasses` keeps a class's fields."""
    annotations = inspect.get_annotations(cls)
    own = {name: vars(cls)[name] for name in annotations if name in vars(cls)}
    about = {"__annotations__": annotations, "__module__": cls.__module__}
    # dataclasses make a docstring of the signature where there is none
    about["__doc__"] = "Without bases, of which a frozen one would want compiled methods."
    fields_only = dataclasses.dataclass(init=False, repr=False, eq=False)
    alone: Any = fields_only(type(cls.__name__, (), own | about))
    for name, value in own.items():
        if isinstance(value, dataclasses.Field):
            if value.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, value.default)
    parameters = alone.__dataclass_params__
    for name, value in ({"init": True, "repr": True, "eq": True} | options).items():
        setattr(parameters, name, value)
    fields: dict[str, Any] = {}
    for base in reversed(cls.__mro__[1:]):
        fields |= vars(base).get("__dataclass_fields__", {})
    attributes = {name: value for name, value in vars(alone).items() if name == "__replace__"}
    attributes |= {"__dataclass_params__": parameters}
    fields |= alone.__dataclass_fields__
    attributes |= {"__dataclass_fields__": fields}
    for name, value in attributes.items():
        setattr(cls, name, value)


class _Factory:
    """Stands for what a field's factory makes, in signatures too."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


class _Init:
    """``__init__`` of a dataclass until it is first looked up and compiled."""

    def __init__(self, cls: type, frozen: bool) -> None:
        self.cls, self.frozen = cls, frozen

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        compiled = _compiled_init(self.cls, self.frozen)
        cast(Any, self.cls).__init__ = compiled
        return compiled.__get__(instance, owner)


def _compiled_init(cls: Any, frozen: bool) -> Any:
    fields = dataclasses.fields(cls)
    taken = [field for field in fields if field.init]
    defaults = {
        field.name: field.default if field.default_factory is MISSING else _FACTORY
        for field in taken
        if field.default is not MISSING or field.default_factory is not MISSING
    }
    positional = [field.name for field in taken if not field.kw_only]
    named = [field.name for field in taken if field.kw_only]
    # the values of defaults follow: a text may not have them
    parameters = [name + "=None" * (name in defaults) for name in positional]
    parameters += ["*"] * bool(named) + [name + "=None" * (name in defaults) for name in named]
    lines = [f"def __init__({', '.join(['self', *parameters])}):", "    pass"]
    for field in fields:
        name = value = field.name
        if field.default_factory is not MISSING:
            value = f"_factories[{name!r}]()"
            value += f" if {name} is _FACTORY else {name}" if field.init else ""
        elif not field.init:
            continue
        lines.append(
            f"    _set(self, {name!r}, {value})" if frozen else f"    self.{name} = {value}"
        )
    if hasattr(cls, "__post_init__"):
        lines.append("    self.__post_init__()")
    names = {
        "_set": object.__setattr__,
        "_FACTORY": _FACTORY,
        "_factories": {field.name: field.default_factory for field in fields},
        "__name__": cls.__module__,
    }
    # made of fields' names alone, which are written in the class
    exec("\n".join(lines), names)  # noqa: S102
    init: Any = names["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__defaults__ = tuple(defaults[name] for name in positional if name in defaults)
    init.__kwdefaults__ = {name: defaults[name] for name in named if name in defaults}
    init.__annotations__ = {field.name: field.type for field in taken} | {"return": None}
    return init


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of some attributes as a tuple."""
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda instance: tuple(getattr(instance, name) for name in names)


def _comparison(name: str, values: Callable[[Any], tuple[Any, ...]]) -> Callable[..., Any]:
    compare = getattr(operator, name)

    def method(self: object, other: object) -> Any:
        if other.__class__ is self.__class__:
            return compare(values(self), values(other))
        return NotImplemented

    return method


def _hash(values: Callable[[Any], tuple[Any, ...]]) -> Callable[..., int]:
    return lambda self: hash(values(self))


def _repr(cls: Any) -> Callable[..., str]:
    names = [field.name for field in dataclasses.fields(cls) if field.repr]

    @recursive_repr()
    def text(self: object) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({shown})"

    return text


def _refusals(cls: Any) -> dict[str, Callable[..., None]]:
    """``__setattr__`` and ``__delattr__`` of a frozen class."""
    names = {field.name for field in dataclasses.fields(cls)}

    def refuse_or_set(self: object, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def refuse_or_delete(self: object, name: str) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": refuse_or_set, "__delattr__": refuse_or_delete}
