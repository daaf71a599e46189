"""Arguments of calls as the tables need them: tensors, sizes and axes, numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from dmlviz.base.budget import spend
from dmlviz.base.words import _
from dmlviz.code.builder import LIST_LIMIT, Builder
from dmlviz.code.python.values import Undecided
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor, control, undefined_places
from dmlviz.tensors import print_sizes, short_text
from dmlviz.tensors.types import Array

NAME_LIMIT = 60
"""The limit of characters of a name that a refusal repeats, or compares with those read."""


_TENSORS = (Tensor, Undecided)


class Named(str):
    """A function, class or data type of a library, by its full name such as ``numpy.take``."""


def as_tensor(b: Builder, x: Any) -> Tensor:
    """A tensor: itself, numbers of the code, or a list of tensors that are stacked."""
    if isinstance(x, Tensor):
        return x
    if isinstance(x, Undecided):
        raise x.use(is_number=False)
    if isinstance(x, list | tuple) and any(isinstance(item, _TENSORS) for item in flat(x)):
        undecided = [item for item in flat(x) if isinstance(item, Undecided)]
        nested = all(isinstance(item, list | tuple) for item in x)
        if undecided and (nested or any(isinstance(item, int) for item in flat(x))):
            raise undecided[0].use(is_number=True)
        return stack(b, x, 0)
    return control(_numbers(x))


def flat(items: Sequence[Any]) -> Iterator[Any]:
    """The items of nested lists and tuples.

    Raises:
        BudgetSpent: a list is within others so often that there are too many.
    """
    due: list[Iterator[Any]] = []
    within: Sequence[Any] | None = items
    while within is not None or due:
        if within is not None:
            spend("items", len(within))
            due.append(iter(within))
        within = None
        for item in due[-1]:
            if isinstance(item, list | tuple):
                within = item
                break
            yield item
        else:
            due.pop()


def lists_in(value: Any) -> Iterator[Sequence[Any]]:
    """A list or tuple, and those within it, each as often as it is there.

    Raises:
        BudgetSpent: as of :func:`flat`.
    """
    due = [value]
    while due:
        within = due.pop()
        if isinstance(within, list | tuple):
            spend("items", len(within))
            yield within
            due += within


def _numbers(x: Any) -> Array:
    leaves = list(flat(x)) if isinstance(x, list | tuple) else [x]
    if any(isinstance(leaf, str) or not isinstance(leaf, int | float) for leaf in leaves):
        raise CodeRefused(
            "argument",
            _("{value} is not a tensor; it must be numbers.").format(value=short_text(x)),
        )
    if not 0 < len(leaves) <= LIST_LIMIT:
        raise CodeRefused(
            "limit",
            _("A list has {count} numbers; it must have 1 to {most}.").format(
                count=f"{len(leaves):,}", most=f"{LIST_LIMIT:,}"
            ),
        )
    try:
        return np.asarray(x)
    except ValueError:
        raise CodeRefused(
            "argument", _("A ragged list is not a tensor; every row needs the same length.")
        ) from None


def ints(b: Builder, x: Any) -> tuple[int, ...]:
    """One whole number or several: sizes, axes, counts; an input that has them chooses elements.

    Raises:
        CodeRefused: it is something else, or taken from values that move.
    """
    for of in flat([x]):
        if isinstance(of, Undecided):
            raise of.use(is_number=True)
        if isinstance(of, Tensor) and of.moving and (of.values is None or of is not x):
            raise needs_number(of)
    if isinstance(x, Tensor):
        x = b.control_values(x).tolist()
    if isinstance(x, int | np.integer) and not isinstance(x, bool):
        return (int(x),)
    if isinstance(x, list | tuple | range):
        items = [_plain_number(item) for item in x]
        if all(isinstance(i, int | np.integer) and not isinstance(i, bool) for i in items):
            return tuple(int(i) for i in items)
    raise CodeRefused(
        "argument",
        _("{value} must be a whole number or several.").format(value=short_text(_plain(x))),
    )


def needs_number(x: Tensor) -> CodeRefused:
    """The refusal of a tensor in place of sizes, an axis or another whole number."""
    # names that begin with _ are not the code's
    if x.name and not x.name.startswith("_"):
        message = _(
            "{name} is a tensor where a whole number is needed; give the number on a line before: "
            "{name} = 2."
        )
        return CodeRefused("values", message.format(name=x.name))
    return CodeRefused(
        "values", _("Sizes and axes cannot be taken from values; write them as numbers.")
    )


def _plain_number(item: Any) -> Any:
    if isinstance(item, Tensor) and not item.moving and item.rank == 0:
        return item.array.item()
    return item


def _plain(x: Any) -> Any:
    return _("a tensor") if isinstance(x, Tensor) else x


def one_int(b: Builder, x: Any) -> int:
    """One whole number."""
    numbers = ints(b, x)
    if len(numbers) != 1:
        raise CodeRefused(
            "argument", _("{value} must be one whole number.").format(value=short_text(_plain(x)))
        )
    return numbers[0]


def spread(b: Builder, args: Sequence[Any]) -> tuple[int, ...]:
    """The whole numbers of ``f(2, 3)`` or of ``f((2, 3))``."""
    if len(args) == 1 and not isinstance(args[0], int | np.integer):
        return ints(b, args[0])
    return ints(b, tuple(args))


def number(x: Any) -> int | float:
    """One number, such as the value of padding.

    Raises:
        CodeRefused: it is something else.
    """
    if isinstance(x, Undecided):
        raise x.use(is_number=True)
    if isinstance(x, Tensor) and not x.moving and x.array.size == 1:
        x = x.array.item()
    if isinstance(x, bool):
        return int(x)
    if not isinstance(x, int | float):
        raise CodeRefused(
            "argument", _("{value} must be one number.").format(value=short_text(_plain(x)))
        )
    return x


def tensors(b: Builder, items: Any) -> list[Tensor]:
    """A list or a tuple of tensors; a tensor's parts along its first dimension."""
    if isinstance(items, Undecided):
        raise items.use(is_number=False)
    if isinstance(items, Tensor) and items.rank:
        return unbind(b, items, 0)
    if not isinstance(items, list | tuple) or not items:
        raise CodeRefused("argument", _("A list of tensors is needed, such as [x, y]."))
    return [as_tensor(b, item) for item in items]


def stack(b: Builder, items: Any, axis: int) -> Tensor:
    """Tensors of equal sizes joined along a new dimension."""
    parts = tensors(b, items)
    for part in parts:
        if part.sizes != parts[0].sizes:
            raise CodeRefused(
                "sizes",
                _("Sizes {one} and {two} cannot be stacked; they must be equal.").format(
                    one=print_sizes(parts[0].sizes), two=print_sizes(part.sizes)
                ),
            )
    axis = b.axis(axis, parts[0].rank + 1)
    if any(part.moving for part in parts):
        parts = [b.moved(part) for part in parts]
    joined = b.concat([b.unsqueeze(part, [axis]) for part in parts], axis)
    return b.copy(joined) if len(parts) == 1 else joined


def unbind(b: Builder, x: Tensor, axis: int = 0) -> list[Tensor]:
    """The parts along a dimension, each without it."""
    axis = b.axis(axis, x.rank)
    return [b.squeeze(part, [axis]) for part in b.split(x, [1] * x.sizes[axis], axis)]


def typed(array: Array, dtype: Any, default: str = "") -> Array:
    """Numbers of the code in the data type that it names.

    Only the kind matters here: masks, whole numbers, and others.

    Args:
        array: the numbers.
        dtype: such as ``np.int64`` or ``"bool"``; None for the default.
        default: ``bool``, ``int`` or ``float``; empty for that of the array.
    """
    if isinstance(dtype, list | tuple | dict) or (isinstance(dtype, str) and "," in dtype):
        raise CodeRefused("argument", _("A data type of several fields is not read."))
    name = default if dtype is None else _type_name(dtype)
    if undefined_places(array).any():
        # what code writes there keeps its value in any data type
        return array
    if name.startswith("bool"):
        return array.astype(bool)
    if name.startswith(("int", "uint", "long", "short")):
        return array.astype(np.int64)
    return array.astype(np.float64) if name.startswith(("float", "double", "half")) else array


def _type_name(dtype: Any) -> str:
    if isinstance(dtype, type):
        return dtype.__name__
    # Python's own types have names, too
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", "")
    return str(name).rpartition(".")[2]


@cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


def parameter_names(function: Callable[..., Any]) -> list[str]:
    """The names of a function's parameters."""
    return list(_signature(function).parameters)


def unfit_arguments(name: str, function: Callable[..., Any], keywords: Mapping[str, Any]) -> str:
    """Why arguments are refused that do not fit a function's parameters.

    Args:
        name: the function's, as people write it.
        function: a function of a table, whose first parameter is the builder.
        keywords: the arguments that are given by name.
    """
    names = parameter_names(function)[1:]
    unread = [keyword for keyword in keywords if keyword not in names]
    message = _("These arguments do not fit {name}, which takes {names}.")
    if unread:
        message = _("{name} is not read with {keyword}=...; it is read with {names}.")
    return message.format(
        name=name, names=", ".join(names), keyword=next(iter(unread), "")[:NAME_LIMIT]
    )


def unnamed(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """Arguments of which a list can be named, as in ``flip(x, dims=[0, 1])``, or not.

    A library has one parameter for the list where a function here takes its numbers one by one.
    """
    for name, parameter in _signature(function).parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL and name in kwargs:
            others = {other: value for other, value in kwargs.items() if other != name}
            return (*args, kwargs[name]), others
    return args, kwargs


def fits(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether arguments fit the parameters of a function."""
    try:
        _signature(function).bind(*args, **kwargs)
    except TypeError:
        return False
    return True
