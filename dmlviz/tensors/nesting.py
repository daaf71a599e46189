"""Finding the sizes of a tensor from its nesting while its values are read."""

from __future__ import annotations

from dmlviz.errors import LiteralError
from dmlviz.tensors.sizes import MAX_RANK
from dmlviz.words import _, ngettext


class Nesting:
    """The words of a tensor and the lists around them, one event after the other.

    Every list must be as long as the first one at its depth, and every value as deep as the
    first value. There is no recursion, and each event takes only a few steps.

    >>> nesting = Nesting(limit=10)
    >>> nesting.open(); nesting.value("1"); nesting.value("2"); nesting.close()
    >>> nesting.words, nesting.sizes
    (['1', '2'], (2,))
    """

    def __init__(self, limit: int) -> None:
        self.words: list[str] = []
        self._limit = limit
        self._rank: int | None = None
        self._counts: list[int] = []
        self._lengths: list[int | None] = []

    @property
    def depth(self) -> int:
        """How many lists are open."""
        return len(self._counts)

    @property
    def position(self) -> tuple[int, ...]:
        """The index of the next item."""
        return tuple(self._counts)

    @property
    def finished(self) -> bool:
        """Whether the outermost list has been closed."""
        return bool(self._lengths) and not self._counts

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes, once finished."""
        return tuple(length or 0 for length in self._lengths)

    def open(self) -> None:
        """A list begins."""
        if self.depth == MAX_RANK:
            raise _error(
                _("values: the brackets at {position} are nested deeper than the {most} dimensions "
                  "that a tensor may have."),
                position=list(self.position), most=MAX_RANK,
            )  # fmt: skip
        if self._rank is not None and self.depth >= self._rank:
            raise _error(
                _("values: there is a list at {position}, where a single value should be, "
                  "as at {first}."),
                position=list(self.position), first=[0] * self._rank,
            )  # fmt: skip
        if len(self._lengths) == self.depth:
            self._lengths.append(None)
        self._counts.append(0)

    def value(self, word: str) -> None:
        """A value."""
        if self._rank is None:
            self._rank = self.depth
        if self.depth != self._rank:
            raise _error(
                _("values: there is a single value at {position}, where a list should be, "
                  "as at {first}."),
                position=list(self.position), first=[0] * self.depth,
            )  # fmt: skip
        if len(self.words) == self._limit:
            raise _error(
                _("values: the text has more values than the limit of {limit:,}."),
                limit=self._limit,
            )
        self.words.append(word)
        self._counts[-1] += 1

    def close(self) -> None:
        """The innermost list ends."""
        count = self._counts.pop()
        position = list(self._counts)
        expected = self._lengths[len(position)]
        if count == 0:
            if not position:
                raise _error(_("values: there is no value; a tensor has at least one."))
            message = _("values: the list at {position} is empty; a tensor has no size 0.")
            raise _error(message, position=position)
        if expected is None:
            self._lengths[len(position)] = count
        elif count != expected:
            message = ngettext(
                "values: the list at {position} has {count:,} item, where the first list "
                "at that depth has {expected:,}.",
                "values: the list at {position} has {count:,} items, where the first list "
                "at that depth has {expected:,}.",
                count,
            )
            raise _error(message, position=position, count=count, expected=expected)
        if self._counts:
            self._counts[-1] += 1

    @property
    def takes_rows(self) -> bool:
        """Whether only one list of plain values is open, which can still become rows."""
        return self.depth == 1 and self._rank == 1

    def next_row(self) -> None:
        """The only open list turns out to be rows, as in MATLAB; one of them ends here."""
        if self.takes_rows:
            self._rank = 2
            self._lengths.append(None)
            self._counts.append(self._counts[0])
            self._counts[0] = 0
        self.close()
        self.open()

    def drop_empty_row(self) -> None:
        """Forget an empty row that began after the last separator."""
        if self._counts[-1] == 0:
            self._counts.pop()
        else:
            self.close()


def _error(template: str, **named: object) -> LiteralError:
    return LiteralError(template.format(**named), field="values")
