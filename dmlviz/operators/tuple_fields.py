"""How many dimensions of input and indices count: settings, checks, and indices for questions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.errors import Problem
from dmlviz.operators.indices import INDICES, INPUT
from dmlviz.operators.settings import Choice, Dice
from dmlviz.operators.tuples import Tuples
from dmlviz.tensors import MAX_RANK, print_sizes, shown
from dmlviz.words import _

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]

INPUT_COUNT, INDICES_COUNT = "input_dimension_count", "indices_dimension_count"
_MEMBERS = {INPUT: "InputDimensionCount", INDICES: "IndicesDimensionCount"}


@dataclass(frozen=True)
class Counted(Choice):
    """How many of a tensor's last dimensions count."""

    def fitted(self, value: Any, sizes: Sizes, before: Sizes) -> Any:
        # if all of them counted before, all of them count now
        return len(sizes) if value == len(before) else min(value, len(sizes))


def input_counted() -> Counted:
    """The setting InputDimensionCount."""
    return Counted(
        INPUT_COUNT,
        _MEMBERS[INPUT],
        _("How many of the input's last dimensions count; those before them have size 1."),
        offered=_countable,
        default=1,
    )


def indices_counted() -> Counted:
    """The setting IndicesDimensionCount."""
    return Counted(
        INDICES_COUNT,
        _MEMBERS[INDICES],
        _(
            "How many of the last dimensions of IndicesTensor count, that of the tuples included; "
            "those before them have size 1."
        ),
        offered=lambda sizes: tuple(range(1, (len(sizes) or MAX_RANK) + 1)),
        default=1,
    )


def _countable(sizes: Sizes) -> tuple[int, ...]:
    """How many of these dimensions can count: only dimensions of size 1 can be left out."""
    ones = next((d for d, n in enumerate(sizes) if n != 1), max(0, len(sizes) - 1))
    return tuple(range(len(sizes) - ones if sizes else 1, (len(sizes) or MAX_RANK) + 1))


def tuple_problems(
    structure: str, sizes: Mapping[str, Sizes], counts: Mapping[str, int], batches: int = 0
) -> Iterator[Problem]:
    """Problems with the numbers of dimensions, or with the sizes of the indices.

    Args:
        structure: DirectML's structure.
        sizes: of the input and of IndicesTensor, by name.
        counts: how many of their dimensions count, by name.
        batches: how many of the first dimensions that count are batches.
    """
    rank, given = len(sizes[INPUT]), sizes[INDICES]
    if len(given) != rank:
        message = _(
            "IndicesTensor: sizes {sizes} have rank {count}, the input has rank {rank}; the "
            "ranks must be equal, with leading ones if needed."
        ).format(sizes=print_sizes(given), count=len(given), rank=rank)
        yield Problem(INDICES, message, f"{structure}, Tensor constraints")
        return
    for name, setting in ((INPUT, INPUT_COUNT), (INDICES, INDICES_COUNT)):
        message = _count_message(name, sizes[name], setting, counts[name])
        if message:
            yield Problem(setting, message, f"{structure}, {_MEMBERS[name]}")
            return
    tuples = Tuples(sizes[INPUT], given, counts[INPUT], counts[INDICES], batches)
    for problem in (_batches, _length, _rank):
        if found := problem(tuples):
            field, message, member = found
            yield Problem(field, message, f"{structure}, {member}")
            return


def _count_message(name: str, sizes: Sizes, setting: str, count: int) -> str:
    """Problems with the number of dimensions that count; empty if there are none."""
    if not 1 <= count <= len(sizes):
        return _(
            "{field}: {count} is invalid; {name} has {rank} dimensions, and 1 to {rank} of "
            "them can count."
        ).format(field=setting, count=shown(count), name=name, rank=len(sizes))
    for d, n in enumerate(sizes[: len(sizes) - count]):
        if n != 1:
            return _(
                "{field}: {count} leaves out dimension {d} of {name}, which has size {n}; only "
                "leading ones can be dropped."
            ).format(field=setting, count=count, d=d, name=name, n=n)
    return ""


def _batches(tuples: Tuples) -> tuple[str, str, str] | None:
    """Check that the batches exist and are the same in both."""
    field, member, batches = "batch_dimension_count", "BatchDimensionCount", tuples.batches
    most = min(tuples.input_count, tuples.indices_count) - 1
    if not 0 <= batches <= most:
        message = _(
            "batch_dimension_count: {count} is invalid; {input} dimensions of the input and "
            "{indices} of IndicesTensor count, so 0 to {most} can be batches."
        ).format(
            count=shown(batches),
            input=tuples.input_count,
            indices=tuples.indices_count,
            most=most,
        )
        return field, message, member
    for d, (n, due) in enumerate(zip(tuples.cells[:batches], tuples.inner, strict=False)):
        if n != due:
            message = _(
                "IndicesTensor: batch dimension {d} has size {n} where the input has {due}. "
                "DirectML does not refuse it, but pairs the first ones; here both must be equal."
            ).format(d=d, n=n, due=due)
            return INDICES, message, member
    return None


def _length(tuples: Tuples) -> tuple[str, str, str] | None:
    """Check that a tuple has no more indices than there are dimensions for them."""
    most = tuples.input_count - tuples.batches
    if tuples.length <= most:
        return None
    message = _(
        "IndicesTensor: the last dimension has size {length}, so each tuple has {length} "
        "indices; at most {most} can count along the input's dimensions here."
    ).format(length=tuples.length, most=most)
    return INDICES, message, INDICES


def _rank(tuples: Tuples) -> tuple[str, str, str] | None:
    """Check that the selected elements fit in the rank that all tensors share."""
    rank = len(tuples.sizes)
    if len(tuples.exact) <= rank:
        return None
    message = _(
        "IndicesTensor: tuples of sizes {cells}, each leading to sizes {slices}, make "
        "{count} dimensions; all tensors have {rank} here. Add leading ones to all sizes "
        "to make room."
    ).format(
        cells=print_sizes(tuples.cells),
        slices=print_sizes(tuples.slices),
        count=len(tuples.exact),
        rank=rank,
    )
    return INDICES, message, "Tensor constraints"


def drawn(sizes: Sizes, counts: Mapping[str, int], dice: Dice, batches: int = 0) -> Array:
    """An IndicesTensor for a question; the tuples of a batch all differ; int64.

    Args:
        sizes: of the input.
        counts: how many dimensions count, by the tensors' names.
        dice: the random generator.
        batches: how many of the first dimensions that count are batches.
    """
    rank = len(sizes)
    inner = sizes[rank - min(counts[INPUT], rank) :]
    shared = min(batches, len(inner) - 1, counts[INDICES] - 1)
    free = min(counts[INDICES], rank) - 1 - shared
    # the selection must not have more dimensions than the input
    length = dice.between(max(1, free + len(inner) - rank), len(inner) - shared)
    named = inner[shared : shared + length]
    cells, left = [], math.prod(named)
    for _d in range(free):
        cells.append(dice.between(1, min(3, left)))
        left //= cells[-1]
    groups, count = math.prod(inner[:shared]), math.prod(cells)
    numbers = [number for _group in range(groups) for number in _different(count, named, dice)]
    ones = (1,) * (rank - shared - free - 1)
    return np.array(numbers, np.int64).reshape(*ones, *inner[:shared], *cells, length)


def _different(count: int, sizes: Sizes, dice: Dice) -> list[Sizes]:
    """That many different places of a tensor."""
    found: dict[Sizes, None] = {}
    last = math.prod(sizes) - 1
    while len(found) < count:
        place = tuple(dice.between(0, n - 1) for n in sizes)
        while place in found:
            flat = int(np.ravel_multi_index(place, sizes)) + 1
            place = tuple(int(i) for i in np.unravel_index(flat if flat <= last else 0, sizes))
        found[place] = None
    return list(found)
