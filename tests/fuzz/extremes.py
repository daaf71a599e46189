"""Operators with the largest tensors that a stage draws, and with settings at their ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import numpy as np

from dmlviz.base.errors import Error
from dmlviz.movement import CONTROL
from dmlviz.operators import Operator
from dmlviz.operators.declaration import types_ever
from dmlviz.operators.settings import Dice, Setting
from dmlviz.picture.scene import STAGE_LIMIT, check_stage
from dmlviz.tensors import start

Run = tuple[Operator, Mapping[str, np.ndarray[Any, Any]]]
Sizes = tuple[int, ...]

_TRIES = 4_000
_POWER = STAGE_LIMIT.bit_length() - 1


def runs(cls: type[Operator], seed: int, count: int) -> Iterator[Run]:
    """So many runs that a stage takes, or as many as are found; the same seed gives the same."""
    random = Random(f"{cls.key} {seed}")
    dice = Dice(f"{cls.key} {seed}")
    for _try in range(_TRIES):
        run = _drawn(cls, random, dice)
        if run is not None:
            yield run
            count -= 1
        if not count:
            return


def _drawn(cls: type[Operator], random: Random, dice: Dice) -> Run | None:
    sizes = _sizes(random, random.choice(cls.ranks_ever()))
    first = cls.first_input()
    try:
        settings = {p.name: _value(p, sizes, random, dice) for p in cls.parameters()}
        operator = cls(**settings)
        if len(cls.input_slots) == 1 and operator.problems({first: sizes}, None):
            return None
        beside = operator.beside(sizes, dice)
        own = {first: sizes} if first else {}
        given = {**own, **{name: array.shape for name, array in beside.items()}}
        if operator.problems(given, None):
            return None
        check_stage(given, operator.outputs_after(given))
    except (Error, MemoryError):
        return None
    kind = "FLOAT32" if "FLOAT32" in types_ever(cls) else types_ever(cls)[0]
    inputs = {
        name: beside[name] if cls.role(name) == CONTROL else start("random", own, kind)
        for name, own in given.items()
    }
    return None if operator.refusals(inputs) else (operator, inputs)


def _sizes(random: Random, rank: int) -> Sizes:
    """Powers of two: one long dimension, two, or all of them; often as many elements as fit."""
    left = max(0, _POWER - random.choice((0, 0, 0, 2, 4, 8)))
    powers = [0] * rank
    longest = random.randrange(rank)
    ways = random.randrange(3)
    for _one in range(left):
        d = (longest, random.choice((longest, rank - 1)), random.randrange(rank))[ways]
        powers[d] += 1
    return tuple(2**power for power in powers)


def _value(setting: Setting, sizes: Sizes, random: Random, dice: Dice) -> Any:
    way = random.randrange(5)
    if way == 0:
        return setting.neutral(sizes)
    if way == 1:
        active = [d for d in range(len(sizes)) if random.random() < 0.5]
        drawn = setting.drawn(sizes, active, lambda size: STAGE_LIMIT, dice)
        return setting.neutral(sizes) if drawn is None else drawn
    if setting.enumerated:
        options = setting.options(sizes)
        return random.choice(options) if options else setting.neutral(sizes)
    if setting.ranked and setting.real:
        return tuple(random.choice((0.5, -0.5, 1.0, 0.0, 1 / 4096, 4096.0, 1 / n)) for n in sizes)
    if setting.ranked:
        own = [sizes[d] for d in setting.dimensions(sizes)]
        usual = setting.neutral(sizes)
        return tuple(
            u if random.random() < 0.3 else _number(random, n)
            for u, n in zip(usual, own, strict=True)
        )
    if setting.counted:
        return random.choice((random.randint(1, 4), _number(random, max(sizes))))
    if setting.listed:
        whole = random.choice(sizes)
        parts = random.randint(1, min(8, whole))
        return (*[whole // parts] * (parts - 1), whole - whole // parts * (parts - 1))
    return setting.neutral(sizes)


def _number(random: Random, size: int) -> int:
    """A number that changes a dimension of that size very much, or not at all."""
    ends = (0, 1, 1, 2, size, size - 1, size // 2, STAGE_LIMIT // size, STAGE_LIMIT, -1, -size)
    return random.choice((*ends, 2 ** random.randint(0, _POWER), 2 ** random.randint(0, _POWER)))
