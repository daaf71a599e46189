"""Caches that all visitors share, bounded in bytes.

Every cache of dmlviz is one of these, except for those whose possible entries are a short, fixed
list. So whatever visitors request, memory does not grow beyond the caches' bounds.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cached_property, update_wrapper
from operator import attrgetter
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np

from dmlviz.base.words import locale

if TYPE_CHECKING:
    import cachetools

_P = ParamSpec("_P")
_R = TypeVar("_R")

AT_ONCE = max(1, min(4, (os.cpu_count() or 1) - 1))
"""How many heavy results are computed at the same time; one core stays free for clicks."""

_OVERHEAD = 500  # bytes of the cache's own tables, for each result
_LEAVES = frozenset({str, bytes, int, float, bool, type(None)})
_EVERYBODYS = (type, ModuleType, FunctionType, BuiltinFunctionType, CodeType)

_slots = threading.BoundedSemaphore(AT_ONCE)
_holding = threading.local()


def cached(
    megabytes: float,
    *,
    key: Callable[..., Hashable] | None = None,
    words: bool = True,
    heavy: bool = False,
    refusals: tuple[type[Exception], ...] = (),
) -> Callable[[Callable[_P, _R]], CachedFunction[_P, _R]]:
    """Keep the most recently used results of a function, up to a number of bytes.

    Otherwise like ``functools.lru_cache``: equal arguments share a result.  While a result is being
    computed, other callers for it wait.  Exceptions are not kept, but for refusals, nor is a result
    that is larger than the whole cache; both still reach the caller.

    Args:
        megabytes: the limit for all results and their keys together.
        key: makes the cache key from the arguments; by default the key is the arguments
            themselves.
        words: whether results contain text, so that each language needs its own.
        heavy: whether computing a result takes long: at most :data:`AT_ONCE` heavy results, of any
            function, are computed at the same time. A heavy function must not call another.
        refusals: the exceptions that equal arguments always raise, which are kept.

    >>> @cached(megabytes=1)
    ... def asked(name):
    ...     return "?" + name
    >>> asked("a"), asked("a"), asked.hits
    ('?a', '?a', 1)
    """
    return lambda function: CachedFunction(
        function, int(megabytes * 1_000_000), key, words, heavy, refusals
    )


class CachedFunction(Generic[_P, _R]):
    """A function whose results are kept; made by :func:`cached`.

    Attributes:
        most: the limit in bytes for all results together.
    """

    def __init__(
        self,
        function: Callable[_P, _R],
        most: int,
        key: Callable[..., Hashable] | None,
        words: bool,
        heavy: bool,
        refusals: tuple[type[Exception], ...] = (),
    ) -> None:
        def make(key: Any, args: Any, kwargs: Any) -> _Result[_R]:
            value: _R | None = None
            refused: Exception | None = None
            with _slot() if heavy else nullcontext():
                try:
                    value = function(*args, **kwargs)
                except refusals as error:
                    # without the frames, which hold whatever was computed
                    refused = error.with_traceback(None)
                    refused.__context__ = None
            return _Result(key, value, _OVERHEAD + size_of((key, value)), refused)

        self.most = most
        self._make = make
        self._key = key or _arguments
        self._words = words
        update_wrapper(self, function)

    @cached_property
    def _results(self) -> cachetools.LRUCache[Any, _Result[_R]]:
        import cachetools  # here, so that what keeps nothing needs NumPy alone

        return cachetools.LRUCache(self.most, attrgetter("size"))

    @cached_property
    def _made(self) -> Any:
        """The function with its results, from its first call on."""
        import cachetools

        return cachetools.cached(
            self._results,
            key=lambda key, _args, _kwargs: key,
            condition=threading.Condition(),
            info=True,
        )(self._make)

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """The function's result, from the cache or computed now."""
        spoken = locale() if self._words else ""
        result: _Result[_R] = self._made((spoken, self._key(*args, **kwargs)), args, kwargs)
        if result.refused is not None:
            raise _again(result.refused)
        return cast(_R, result.value)

    @property
    def bytes(self) -> int:
        """How many bytes the kept results take now."""
        return int(self._results.currsize)

    @property
    def hits(self) -> int:
        """How often a result was in the cache."""
        return int(self._made.cache_info().hits)

    def __len__(self) -> int:
        """How many results are kept now."""
        return len(self._results)

    def cache_clear(self) -> None:
        """Forget all results."""
        self._made.cache_clear()


def _arguments(*args: Any, **kwargs: Any) -> Hashable:
    return (args, *kwargs.items())


class _Result(NamedTuple, Generic[_R]):
    key: Any
    value: _R | None
    size: int
    refused: Exception | None


def _again(error: Exception) -> Exception:
    """An equal exception: what is raised holds the frames that it passes."""
    new = type(error).__new__(type(error))
    new.__dict__.update(vars(error))
    new.args = error.args
    return new


def size_of(value: object) -> int:
    """The bytes of an object and of everything that it refers to, each counted once.

    Classes, functions and modules are not counted: they belong to the program.

    >>> size_of(b"x" * 1000) - size_of(b"")
    1000
    """
    seen: dict[int, object] = {}
    todo = [value]
    while todo:
        referent = todo.pop()
        if id(referent) in seen:
            continue
        if type(referent) not in _LEAVES:
            if isinstance(referent, _EVERYBODYS):
                continue
            if isinstance(referent, np.ndarray):
                # a view keeps the whole array alive
                todo.append(referent.base)
            todo += gc.get_referents(referent)
        seen[id(referent)] = referent
    return sum(map(sys.getsizeof, seen.values()))


@contextmanager
def _slot() -> Iterator[None]:
    assert not getattr(_holding, "slot", False), "a heavy result is made of another heavy one"
    with _slots:
        _holding.slot = True
        try:
            yield
        finally:
            _holding.slot = False
