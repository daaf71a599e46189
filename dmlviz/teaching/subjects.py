"""Subjects of questions: an operator and an input for a level, from the operator's description."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace, run
from dmlviz.movement import VALUES
from dmlviz.operators import Operator
from dmlviz.operators.declaration import types_ever
from dmlviz.operators.settings import Dice
from dmlviz.tensors import DATA_TYPES
from dmlviz.tensors.numbering import sizes_by_name
from dmlviz.tensors.types import Array, NamedSizes, Sizes

_MOST_COLUMNS = 6

_DOCUMENTED = 2
"""The lowest level whose settings are as free as in the documentation."""

TRIES = 400
"""The limit of draws before giving up; more than 20 are rarely needed."""


@dataclass(frozen=True)
class Level:
    """The sizes for a level.

    Attributes:
        ranks: of the first input, if the operator takes them; otherwise its smallest rank.
        sizes: of the dimensions that matter, if each has its own setting.
        divided: sizes for operators whose settings divide them; empty where there are none.
        active: the limit of dimensions with a setting that has an effect.
        most: the limit of elements of input and output.
        deeper: other ranks, for operators whose settings name dimensions: two can be too few.
    """

    ranks: Sizes
    sizes: Sizes
    divided: Sizes
    active: int
    most: int
    deeper: Sizes = ()


@dataclass(frozen=True)
class FirstQuestions:
    """The first questions of a level, about the operators that have plain words.

    Attributes:
        until: the number of the last one.
        at: their sizes.
        kinds: what they ask.
    """

    until: int
    at: Level
    kinds: tuple[str, ...]


FIRST_QUESTIONS: Mapping[int, tuple[FirstQuestions, ...]] = {
    # rows before tables
    0: (FirstQuestions(3, Level((1,), (2, 3, 4, 5), (), 1, 12), ("value", "source")),),
    1: (
        # level 0's rows, in DirectML's words
        FirstQuestions(3, Level((1,), (2, 3, 4, 5), (), 1, 12), ("value", "source")),
        # its tables, of which one dimension changes
        FirstQuestions(6, Level((2,), (2, 3, 4), (), 1, 16), ("value", "source", "sizes")),
    ),
}
"""The first questions of a level, from easy to hard; the level's own follow."""

_LEVELS: Mapping[int, Level] = {
    0: Level((1, 2), (2, 3, 4, 5), (), 1, 12),
    1: Level((1, 2), (2, 3, 4, 5), (1, 2, 4, 8), 1, 32, (3, 3)),
    2: Level((4,), (2, 3, 4), (1, 2, 3, 4, 6, 8, 12), 2, 72),
    3: Level((2, 3, 4, 5), (1, 2, 3, 4), (1, 2, 3, 4, 6, 8, 9, 12, 18), 3, 100),
}


@dataclass(frozen=True, eq=False)
class Subject:
    """The subject of a question: an operator, and the sizes of its inputs.

    Attributes:
        operator: with its settings.
        sizes: of the first input; without inputs, what the settings were drawn for.
        beside: the other inputs by name; for ``values`` inputs, only the sizes matter.
    """

    operator: Operator
    sizes: Sizes
    beside: Mapping[str, Array] = field(default_factory=dict)

    @property
    def all_sizes(self) -> NamedSizes:
        """The sizes of every input, by name."""
        if not self.operator.input_slots:
            return {}
        return {self.operator.first_input(): self.sizes, **sizes_by_name(self.beside)}

    def problems(self, data_type: str | None = None, level: str | None = None) -> list[Problem]:
        """Why the operator does not take these; without a type, types are not checked."""
        problems = self.operator.problems(self.all_sizes, data_type, level)
        if problems or not self.beside:
            return problems
        return self.operator.control_problems({**self.blank(), **self.beside})

    def blank(self) -> dict[str, Array]:
        """Inputs of these sizes; only control tensors have their real values."""
        # one element represents all: nothing is allocated
        blank = {name: np.broadcast_to(np.float32(0), of) for name, of in self.all_sizes.items()}
        return {name: self.beside.get(name, x) for name, x in blank.items()}


def subjects(
    cls: type[Operator], level: int, dice: Dice, at: Level | None = None
) -> Iterator[Subject]:
    """Operators with sizes of inputs that they take and that can be misread.

    Args:
        cls: of the operators.
        level: 0 to 3.
        dice: draws the settings and the sizes.
        at: the sizes, if they are not the level's own.
    """
    for _try in range(TRIES):
        subject = _drawn(cls, level, dice, at or _LEVELS[level])
        if subject is not None:
            yield subject


def no_question(seed: int, number: int, operator: str, kind: str) -> Error:
    """That no question could be made, with what was asked for; operator and kind can be empty."""
    rule = _("number: seed {seed} gives no question {number} about {operator}, kind {kind}.")
    operator, kind = operator or _("all operators"), kind or _("all kinds")
    words = rule.format(seed=seed, number=number, operator=operator, kind=kind)
    return Error(words, "number")


def ran(subject: Subject, level: int, dice: Dice) -> Trace:
    """A run on distinct values, none of which is a padding value."""
    return run(subject.operator, subject_values(subject, level, dice))


def subject_values(subject: Subject, level: int, dice: Dice) -> dict[str, Array]:
    """Every input: distinct whole numbers; in order from 1 on at level 1, shuffled at level 3.

    At level 0 they are tens, so that nobody takes a number for its place.
    """
    role = subject.operator.role
    travel = {n: of for n, of in subject.all_sizes.items() if role(n) == VALUES}
    count = sum(math.prod(sizes) for sizes in travel.values())
    numbers = list(range(1, count + 1))
    if level == 3 or (level == 2 and dice.below(2)):
        numbers = dice.shuffled(range(1, max(count, 99) + 1))[:count]
    if level == 0:
        numbers = [10 * number for number in numbers]
    kinds = [k for k in ("FLOAT32", "INT32") if k in types_ever(subject.operator)]
    dtype = DATA_TYPES["FLOAT32" if level < 2 else dice.choice(tuple(kinds))].dtype
    arrays: dict[str, Array] = {}
    for name, sizes in subject.all_sizes.items():
        if name not in travel:
            arrays[name] = subject.beside[name]
            continue
        mine, numbers = numbers[: math.prod(sizes)], numbers[math.prod(sizes) :]
        arrays[name] = np.array(mine, dtype).reshape(sizes)
    return arrays


def _drawn(cls: type[Operator], level: int, dice: Dice, at: Level) -> Subject | None:
    ever = cls.ranks_ever()
    ranked = any(setting.ranked for setting in cls.parameters())
    wanted = at.ranks if ranked else (*at.ranks, *at.deeper)
    rank = dice.choice([rank for rank in wanted if rank in ever] or [min(ever)])
    if ranked or not at.divided:
        sizes = _sizes(at.sizes, rank, level, dice)
    else:
        outer = 2 if level == 3 else 1
        # keep rows and columns few enough to read their numbers
        few = tuple(n for n in at.divided if n <= _MOST_COLUMNS)
        inner = tuple(dice.choice(at.divided if d == 1 < rank - 2 else few) for d in range(1, rank))
        # an input that always has one dimension uses it for its elements
        only = ever == (1,)
        sizes = (dice.choice(at.divided) if only else dice.between(1, outer), *inner)
    if math.prod(sizes) > at.most:
        return None
    settings = _settings(cls, sizes, level, dice, at)
    if settings is None:
        return None
    operator = cls(**settings)
    if level < _DOCUMENTED:
        operator = operator.for_beginners()
    subject = Subject(operator, sizes, operator.beside(sizes, dice))
    if subject.problems("FLOAT32"):
        return None
    if operator.undecided(subject.blank()):
        return None
    outputs = operator.outputs_after(subject.all_sizes).values()
    if not 1 < sum(map(math.prod, outputs)) <= at.most:
        return None
    # all tensors are shown together, and printed on one page
    if sum(map(math.prod, (*subject.all_sizes.values(), *outputs))) > 2 * at.most:
        return None
    return subject


def _sizes(options: Sizes, rank: int, level: int, dice: Dice) -> Sizes:
    # the documentation's own tensors have two dimensions that matter
    outer = rank - 2 if level == 2 else 0
    return (1,) * outer + tuple(dice.choice(options) for _d in range(rank - outer))


def _settings(
    cls: type[Operator], sizes: Sizes, level: int, dice: Dice, at: Level
) -> dict[str, Any] | None:
    """Settings by name; None if some dimension or choice would have no effect."""
    settings: dict[str, Any] = {}
    # at the documentation's size the last two dimensions
    places = [d for d in range(len(sizes)) if level != 2 or d >= len(sizes) - 2]
    ranked = [setting for setting in cls.parameters() if setting.ranked]
    if ranked:
        in_ranked = {d for setting in ranked for d in setting.dimensions(sizes)}
        places = [d for d in places if d in in_ranked]
    least = min(2, len(places)) if level == 3 else 1
    active = dice.shuffled(places)[: dice.between(least, max(least, at.active))]
    idle = set(active) if ranked else set()
    for setting in cls.parameters():
        value = setting.drawn(sizes, active, lambda n: _most(level, n), dice)
        if value is None:
            return None
        if setting.ranked:
            dimensions, neutral = setting.dimensions(sizes), setting.neutral(sizes)
            triples = zip(dimensions, value, neutral, strict=True)
            idle -= {d for d, number, usual in triples if number != usual}
        settings[setting.name] = value
    return None if idle else settings


def _most(level: int, n: int) -> int:
    # beyond 2 · n, a mirror folds more than once
    return 2 * n + 1 if level == 3 else 2 if level < 2 else 3
