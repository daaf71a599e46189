"""States of an operator in which wrong formulas for sizes are told from right ones."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from dmlviz.errors import Error
from dmlviz.operators import Operator

# 8 dimensions, two lists of 8 settings, and some to move on by
_PRIMES = tuple(n for n in range(2, 110) if all(n % d for d in range(2, n)))
# what block sizes 2, 3 and 5 divide, and what nothing divides
_MULTIPLES = (4, 9, 25, 1)


@cache
def probes(cls: type[Operator], rank: int) -> tuple[tuple[Operator, tuple[int, ...]], ...]:
    """Operators of one input and one output, and sizes of an input that they take.

    Each dimension and each setting has a prime of its own, so that different formulas differ.

    >>> from dmlviz.operators import Tile
    >>> probes(Tile, 2)[0]
    (Tile(repeats=(5, 7)), (8, 12))
    """
    found = []
    for turn, multiple in enumerate(_MULTIPLES):
        sizes = tuple(_PRIMES[(d + turn) % rank] * multiple for d in range(rank))
        for settings in _settings(cls, sizes, turn):
            try:
                operator = cls(**settings)
            except Error:
                continue
            if not operator.problems(sizes, None):
                found.append((operator, sizes))
    # small sizes leave less to choose from
    return tuple(dict.fromkeys(found))


def _settings(cls: type[Operator], sizes: tuple[int, ...], turn: int) -> list[dict[str, Any]]:
    options: dict[str, tuple[Any, ...]] = {}
    at = len(sizes) + turn
    for setting in cls.parameters():
        options[setting.name] = setting.probed(sizes, _PRIMES[at:], turn)
        at += len(setting.dimensions(sizes))
    return [dict(zip(options, values, strict=True)) for values in product(*options.values())]
