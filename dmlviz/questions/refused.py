"""Questions about what an operator refuses, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dmlviz.errors import Problem
from dmlviz.operators import FEATURE_LEVELS, Operator
from dmlviz.questions.dice import Dice
from dmlviz.questions.evening import MOST_WRONG, evened
from dmlviz.questions.question import Choice, Question
from dmlviz.questions.subjects import TRIES, Subject, subjects, values
from dmlviz.questions.words import name, settings, worked
from dmlviz.tensors import DATA_TYPES
from dmlviz.tensors.numbering import print_all_sizes
from dmlviz.words import _


@dataclass(frozen=True)
class _State:
    """A plausible attempt; without a data type, the type is not mentioned."""

    subject: Subject
    data_type: str | None = None
    level: str | None = None

    def problems(self) -> list[Problem]:
        # questions do not show the values of control tensors, so those must not cause a refusal
        subject = self.subject
        return subject.operator.problems(subject.all_sizes, self.data_type, self.level)

    def words(self) -> str:
        operator, sizes = self.subject.operator, print_all_sizes(self.subject.all_sizes)
        told = settings(operator)
        if not self.subject.all_sizes:
            return told
        text = _("sizes {sizes}, {settings}").format(sizes=sizes, settings=told)
        if not told:
            text = _("sizes {sizes}").format(sizes=sizes)
        if self.level is None:
            return text
        return _("{state}, {data_type} at feature level {level}").format(
            state=text, data_type=self.data_type, level=self.level
        )

    def taken(self) -> str:
        """A sentence that says that it is valid, with its numbers."""
        if self.level is not None:
            rank = self.subject.operator.described_rank(self.subject.sizes)
            return _(
                "That is accepted: feature level {level} accepts {data_type} with {rank} "
                "dimensions."
            ).format(level=self.level, data_type=self.data_type, rank=rank)
        operator, sizes = self.subject.operator, self.subject.all_sizes
        told = worked(operator, sizes)
        if not sizes:
            words = _("That is accepted: the output has sizes {out}.")
            return words.format(out=print_all_sizes(operator.outputs_after(sizes)))
        words = _("That is accepted: {sums}; {sizes} becomes {out}.")
        if not told:
            words = _("That is accepted: {sizes} becomes {out}.")
        return words.format(
            sums=", ".join(told),
            sizes=print_all_sizes(sizes),
            out=print_all_sizes(operator.outputs_after(sizes)),
        )


def ask_refused(subject: Subject, level: int, dice: Dice) -> Question | None:
    """Which of several is refused."""
    taken, cls = _State(subject), type(subject.operator)
    # without an input, the data type is a setting
    at_levels = level == 3 and bool(cls.input_slots)
    refused = _at_a_level(taken, dice) if at_levels else None
    if refused is None:
        # all of them must be valid at every level
        at_levels, refused = False, _spoiled(taken, dice)
    if refused is None:
        return None
    problems = refused.problems()
    found = {
        Choice(state.words(), state.taken()): state
        for state in _taken(cls, level, at_levels, refused, dice)
    }
    if len(found) < MOST_WRONG:
        return None
    right = Choice(refused.words())
    wrong = evened(right, [*found], dice)
    others = [found[choice] for choice in wrong]
    ordered = dice.shuffled([right, *wrong])
    inputs = values(others[0].subject, level, dice)
    return Question(
        "refused",
        level,
        others[0].subject.operator,
        next(iter(inputs.values())) if len(inputs) == 1 else inputs,
        _("Which of these does {operator} refuse?").format(operator=name(subject.operator)),
        tuple(ordered),
        ordered.index(right),
        None,
        "\n".join(problem.message for problem in problems),
        "support" if at_levels else "none",
    )


def _taken(
    cls: type[Operator], level: int, at_levels: bool, refused: _State, dice: Dice
) -> list[_State]:
    """Up to six valid ones, as different as possible."""
    found: dict[str, _State] = {}
    # the same case with another size or level is the most similar choice
    for subject in subjects(cls, level, dice):
        state = _State(subject)
        if at_levels:
            state = replace(
                state, data_type=dice.choice(_data_types(cls)), level=dice.choice(FEATURE_LEVELS)
            )
        if not state.problems() and state.words() != refused.words():
            found[state.words()] = state
        if len(found) == 2 * MOST_WRONG:
            break
    return list(found.values())


def _at_a_level(taken: _State, dice: Dice) -> _State | None:
    """One that only the feature level refuses."""
    for _try in range(TRIES):
        data_type, level = (
            dice.choice(_data_types(type(taken.subject.operator))),
            dice.choice(FEATURE_LEVELS),
        )
        state = replace(taken, data_type=data_type, level=level)
        problems = state.problems()
        # the table beside the question must show it
        if any(problem.source.endswith("Tensor support") for problem in problems):
            return state
    return None


def _data_types(cls: type[Operator]) -> tuple[str, ...]:
    """Those on which the documentation and DirectML agree."""
    unlisted = cls.unlisted_types
    return tuple(name for name in DATA_TYPES if name not in unlisted)


def _spoiled(taken: _State, dice: Dice) -> _State | None:
    """One with a setting that is invalid at every level."""
    found = [state for state in _spoilt(taken) if state.problems()]
    return dice.choice(found) if found else None


def _spoilt(taken: _State) -> Iterator[_State]:
    subject = taken.subject
    operator, sizes = subject.operator, subject.sizes
    for parameter in operator.parameters():
        now = operator.settings[parameter.name]
        for other in parameter.refused(now, sizes):
            spoilt = replace(operator, **{parameter.name: other})
            yield replace(taken, subject=replace(subject, operator=spoilt))
    if len(sizes) > 1 and operator.input_slots:
        yield replace(taken, subject=replace(subject, sizes=sizes[1:]))
