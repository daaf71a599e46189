"""Which of several settings, sizes or data types an operator refuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.base.words import _, ngettext
from dmlviz.operators import FEATURE_LEVELS, Operator
from dmlviz.operators.calculations import equations
from dmlviz.operators.settings import Dice
from dmlviz.teaching.answers import MOST_WRONG, Answer, evened
from dmlviz.teaching.fact_texts import operator_name
from dmlviz.teaching.kinds.kind import QuestionKind
from dmlviz.teaching.questions import Question, settings_text
from dmlviz.teaching.subjects import TRIES, Subject, subject_values, subjects
from dmlviz.tensors import DATA_TYPES
from dmlviz.tensors.numbering import print_all_sizes


class RefusedKind(QuestionKind):
    """What is refused, which no picture says: above level 1, one question in eight."""

    key = "refused"
    place = 50
    facts = "refused"
    one_in = 8
    least_level = 2

    def title(self) -> str:
        return _("What is refused")

    def ask(self, subject: Subject, level: int, dice: Dice) -> Question | None:
        accepted, cls = _Attempt(subject), type(subject.operator)
        # without an input, the data type is a setting
        at_levels = level == 3 and bool(cls.input_slots)
        refused = _refused_at_level(accepted, dice) if at_levels else None
        if refused is None:
            # all of them must be valid at every level
            at_levels, refused = False, _refused_everywhere(accepted, dice)
        if refused is None:
            return None
        problems = refused.problems()
        attempts = {
            Answer(attempt.words(), attempt.why_accepted()): attempt
            for attempt in _accepted(cls, level, at_levels, refused, dice)
        }
        if len(attempts) < MOST_WRONG:
            return None
        right = Answer(refused.words())
        wrong = evened(right, [*attempts], dice)
        others = [attempts[answer] for answer in wrong]
        ordered = dice.shuffled([right, *wrong])
        inputs = subject_values(others[0].subject, level, dice)
        # the table beside the question is the rule at feature levels
        rule = "" if at_levels else _("Rule: {rule}").format(rule=cls.accepts())
        prompt = _("Which of these does {operator} refuse?").format(
            operator=operator_name(subject.operator)
        )
        return Question(
            self.key,
            level,
            others[0].subject.operator,
            next(iter(inputs.values())) if len(inputs) == 1 else inputs,
            prompt,
            tuple(ordered),
            ordered.index(right),
            None,
            "\n".join(_as_labelled(problem, subject.operator) for problem in problems),
            "support" if at_levels else "none",
            rule=rule,
            caption=_("Here is one that is accepted:"),
        )


@dataclass(frozen=True)
class _Attempt:
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
        settings = settings_text(operator)
        if not self.subject.all_sizes:
            return settings
        text = _("sizes {sizes}, {settings}").format(sizes=sizes, settings=settings)
        if not settings:
            text = _("sizes {sizes}").format(sizes=sizes)
        if self.level is None:
            return text
        return _("{state}, {data_type} at feature level {level}").format(
            state=text, data_type=self.data_type, level=self.level
        )

    def why_accepted(self) -> str:
        """A sentence that says that it is valid, with its numbers."""
        if self.level is not None:
            rank = self.subject.operator.directml_rank(self.subject.sizes)
            return _(
                "That is accepted: feature level {level} accepts {data_type} with {rank} "
                "dimensions."
            ).format(level=self.level, data_type=self.data_type, rank=rank)
        operator, sizes = self.subject.operator, self.subject.all_sizes
        sums = equations(operator.sums(sizes))
        if not sizes:
            words = _("That is accepted: the output has sizes {out}.")
            return words.format(out=print_all_sizes(operator.outputs_after(sizes)))
        words = ngettext(
            "That is accepted: {sums}; {sizes} becomes {out}.",
            "That is accepted: {sums}; {sizes} become {out}.",
            len(sizes),
        )
        if not sums:
            words = ngettext(
                "That is accepted: {sizes} becomes {out}.",
                "That is accepted: {sizes} become {out}.",
                len(sizes),
            )
        return words.format(
            sums=", ".join(sums),
            sizes=print_all_sizes(sizes),
            out=print_all_sizes(operator.outputs_after(sizes)),
        )


def _as_labelled(problem: Problem, operator: Operator) -> str:
    """The message of a problem, with the setting named as the choices name it."""
    setting = operator.declared.get(problem.field)
    message = problem.message
    if setting is None or not message.startswith(f"{problem.field}:"):
        return message
    return setting.label + message.removeprefix(problem.field)


def _accepted(
    cls: type[Operator], level: int, at_levels: bool, refused: _Attempt, dice: Dice
) -> list[_Attempt]:
    """Up to six valid ones, as different as possible."""
    attempts: dict[str, _Attempt] = {}
    # the same case with another size or level is the most similar choice
    for subject in subjects(cls, level, dice):
        attempt = _Attempt(subject)
        if at_levels:
            attempt = replace(
                attempt, data_type=dice.choice(_data_types(cls)), level=dice.choice(FEATURE_LEVELS)
            )
        if not attempt.problems() and attempt.words() != refused.words():
            attempts[attempt.words()] = attempt
        if len(attempts) == 2 * MOST_WRONG:
            break
    return list(attempts.values())


def _refused_at_level(accepted: _Attempt, dice: Dice) -> _Attempt | None:
    """One that only the feature level refuses."""
    for _try in range(TRIES):
        data_type, level = (
            dice.choice(_data_types(type(accepted.subject.operator))),
            dice.choice(FEATURE_LEVELS),
        )
        attempt = replace(accepted, data_type=data_type, level=level)
        problems = attempt.problems()
        # the table beside the question must show it
        if any(problem.source.endswith("Tensor support") for problem in problems):
            return attempt
    return None


def _data_types(cls: type[Operator]) -> tuple[str, ...]:
    """Those on which the documentation and DirectML agree."""
    unlisted = cls.unlisted_types
    return tuple(name for name in DATA_TYPES if name not in unlisted)


def _refused_everywhere(accepted: _Attempt, dice: Dice) -> _Attempt | None:
    """One with a setting that is invalid at every level."""
    refused = [attempt for attempt in _spoiled(accepted) if attempt.problems()]
    return dice.choice(refused) if refused else None


def _spoiled(accepted: _Attempt) -> Iterator[_Attempt]:
    subject = accepted.subject
    operator, sizes = subject.operator, subject.sizes
    for parameter in operator.parameters():
        now = operator.settings[parameter.name]
        for other in parameter.refused(now, sizes):
            spoiled = replace(operator, **{parameter.name: other})
            yield replace(accepted, subject=replace(subject, operator=spoiled))
    if len(sizes) > 1 and operator.input_slots:
        yield replace(accepted, subject=replace(subject, sizes=sizes[1:]))
