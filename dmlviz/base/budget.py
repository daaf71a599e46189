"""What a piece of work may cost: whole numbers, spent where the work is done.

Whoever takes something of a stranger's opens a :func:`budget`, and the work within it calls
:func:`spend`. Counts are the same on every machine, so a refusal is, too. Budgets are within each
other: a part of the work has less than the whole, and what it spends is spent of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

from dmlviz.base.errors import Error
from dmlviz.base.words import _

SENTENCES: Mapping[str, Callable[[], str]] = MappingProxyType(
    {
        "items": lambda: _("Lists have more than {most} items together: try shorter lists."),
        "expressions": lambda: _(
            "More than {most} parts of code are calculated, each turn of a loop included: try a "
            "part of it."
        ),
        "elements": lambda: _(
            "All tensors together have more than {most} elements: try smaller sizes."
        ),
        "terms": lambda: _("The formula has more than {most} terms."),
    }
)
"""What can be spent, and what people read when it is spent."""


class BudgetSpent(Error):
    """A budget is spent.

    Attributes:
        kind: a key of :data:`SENTENCES`.
    """

    def __init__(self, kind: str, most: int) -> None:
        super().__init__(SENTENCES[kind]().format(most=f"{most:,}"), "budget")
        self.kind = kind


class _Budget:
    """What is left of one budget, by kind."""

    def __init__(self, most: Mapping[str, int]) -> None:
        self.most, self.left = most, dict(most)

    def spend(self, kind: str, count: int) -> None:
        if kind not in self.left:
            return
        self.left[kind] -= count
        if self.left[kind] < 0:
            raise BudgetSpent(kind, self.most[kind])


_open: ContextVar[tuple[_Budget, ...]] = ContextVar("budgets", default=())


@contextmanager
def budget(**most: int) -> Iterator[None]:
    """Open a budget for the work within.

    Args:
        most: how much of each kind may be spent.

    >>> with budget(items=3):
    ...     spend("items", 3)
    ...     spend("items")
    Traceback (most recent call last):
    dmlviz.base.budget.BudgetSpent: Lists have more than 3 items together: try shorter lists.
    """
    token = _open.set((*_open.get(), _Budget(most)))
    try:
        yield
    finally:
        _open.reset(token)


def spend(kind: str, count: int = 1) -> None:
    """Count work before it is done.

    Args:
        kind: a key of :data:`SENTENCES`.
        count: how much of it.

    Raises:
        BudgetSpent: an open budget has less left.
    """
    for each in _open.get():
        each.spend(kind, count)
