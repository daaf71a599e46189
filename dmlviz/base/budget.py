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
    }
)
"""What can be spent of what a stranger's work may cost, and what people read when it is spent."""

WITHOUT_SENTENCE: Mapping[str, str] = MappingProxyType(
    {
        "comparisons": "a search gives what it has found",
        "terms": "there is no formula, or the longer one",
    }
)
"""What else can be spent, and what there is instead: nothing is refused, so nothing is said."""


class BudgetSpent(Error):
    """A budget is spent.

    Attributes:
        kind: a key of :data:`SENTENCES`.
    """

    def __init__(self, kind: str, most: int) -> None:
        super().__init__(SENTENCES[kind]().format(most=f"{most:,}"), "budget")
        self.kind = kind


class Exhausted(Exception):
    """A budget is spent of a kind in :data:`WITHOUT_SENTENCE`."""


class Budget:
    """What may be spent, by kind.

    Attributes:
        most: at the beginning.
        left: now; below 0 if it is spent.
        whole: the budget of which this is a share; what is spent of this is spent of that.
    """

    def __init__(self, most: Mapping[str, int], whole: Budget | None = None) -> None:
        self.whole, self.most, self.left = whole, most, dict(most)

    def spend(self, kind: str, count: int = 1) -> None:
        """Count work before it is done; a kind that the budget does not have is not counted.

        Args:
            kind: a key of :data:`SENTENCES` or of :data:`WITHOUT_SENTENCE`.
            count: how much of it.

        Raises:
            BudgetSpent, Exhausted: there is not so much left, here or in the whole.
        """
        if kind in self.left:
            self.left[kind] -= count
        if self.whole is not None:
            self.whole.spend(kind, count)
        if self.left.get(kind, 0) < 0:
            raise Exhausted if kind in WITHOUT_SENTENCE else BudgetSpent(kind, self.most[kind])


_open: ContextVar[tuple[Budget, ...]] = ContextVar("budgets", default=())


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
    token = _open.set((*_open.get(), Budget(most)))
    try:
        yield
    finally:
        _open.reset(token)


def spend(kind: str, count: int = 1) -> None:
    """Count work before it is done.

    Args:
        kind, count: as of :meth:`Budget.spend`.

    Raises:
        BudgetSpent, Exhausted: an open budget has less left.
    """
    for each in _open.get():
        each.spend(kind, count)
