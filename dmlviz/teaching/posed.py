"""A question for a class: from a lesson, from practice, or from a preset."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import numpy as np
from msgspec.structs import replace

from dmlviz.base.addresses import write_link
from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.code import LIBRARIES
from dmlviz.operators import operator_class
from dmlviz.picture.wall import wall_content
from dmlviz.states.between import BETWEEN
from dmlviz.states.code import CODE, CodeState
from dmlviz.states.links import link as link_to
from dmlviz.states.pages import AnyState, is_code
from dmlviz.states.state import State
from dmlviz.teaching.answers import ALL, CELLS, SIZES, Answer, Hides, right_is
from dmlviz.teaching.code_presets import CodePreset
from dmlviz.teaching.facts import facts_of, state_of
from dmlviz.teaching.kinds import KINDS, kind_of_fact
from dmlviz.teaching.lessons import Lesson
from dmlviz.teaching.operator_facts import OperatorFacts
from dmlviz.teaching.plain import PLAIN
from dmlviz.teaching.practice import Practice
from dmlviz.teaching.presets import Preset
from dmlviz.teaching.questions import Question, settings_text, support_text
from dmlviz.tensors import element_count, print_sizes
from dmlviz.tensors.numbering import sizes_by_name
from dmlviz.verify import write_example


@dataclass(frozen=True)
class Posed:
    """A question for a class.

    Attributes:
        prompt: the question.
        link: of the state that it is about; empty if there is no state to show.
        answers: the choices, with reasons why the wrong ones are wrong; none for an open question.
        reveal: what the picture shows after the answer.
        words: what learners need to know first; often empty.
        following: what to ask next; empty if there is no proposal.
        hides: what is hidden until the answer, see :data:`dmlviz.teaching.answers.Hides`.
        quiet: names of settings that would reveal the answer.
        marked: the flat number of the output element in question, or -1.
        about: the fact that the right answer is, such as ``out[0, 1]``; empty if there is none.
        learner: the link that a learner opens to answer it.
        text: ``input`` or ``both`` to show documentation text with it; otherwise empty.
        support: the operator's table of feature levels if the question needs it; otherwise empty.
        title: where it comes from.
    """

    prompt: str
    link: str = ""
    answers: tuple[Answer, ...] = ()
    reveal: str = ""
    words: str = ""
    following: str = ""
    hides: Hides = SIZES
    quiet: tuple[str, ...] = ()
    marked: int = -1
    about: str = ""
    learner: str = ""
    text: str = ""
    support: str = ""
    title: str = ""

    @property
    def right(self) -> int:
        """The number of the right answer, from 0 on; -1 where the question is open."""
        return next((i for i, answer in enumerate(self.answers) if not answer.why), -1)

    @property
    def reasons(self) -> tuple[str, ...]:
        """What is wrong with each choice; empty where nothing is known but the right answer."""
        if self.right < 0:
            return ()
        bare_reason = right_is(self.answers[self.right].text)
        return tuple("" if each.why == bare_reason else each.why for each in self.answers)

    @property
    def likely(self) -> Answer | None:
        """The wrong answer to expect: the first wrong one in the author's order."""
        return next((answer for answer in self.answers if answer.why), None)

    @property
    def runs_code(self) -> bool:
        """Whether it is about code, so that :attr:`runs` has its lines."""
        return is_code(self.link)

    @property
    def runs(self) -> str:
        """What :func:`runs_line` gives, without settings in question."""
        return runs_line(state_of(self.link), self.quiet) if self.link else ""


def posed_wall(
    posed: Posed,
    *,
    hidden: bool,
    runs: str | None = None,
    text: str = "",
    place: str = "",
    at: int = 0,
    group: str = "",
    series: bool = False,
    still: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """A question in the form that the stage for a room takes, as :func:`wall_content` has it.

    Args:
        posed: the question.
        hidden: whether the answer is hidden.
        runs: the operator and its settings; by default those of the question's link, which opens
            only what is in an address.
        text, place, at, group, series, still: as of :func:`wall_content`.
    """
    return wall_content(
        posed.prompt,
        posed.runs if runs is None else runs,
        hidden=hidden,
        hides=posed.hides,
        words=posed.words,
        text=text,
        place=place,
        at=at,
        group=group,
        choices=[answer.text for answer in posed.answers],
        reasons=posed.reasons,
        right=posed.right,
        reveal=posed.reveal,
        marked=posed.marked,
        series=series,
        still=still,
    )


def documentation_text(link: str, *, whole: bool) -> str:
    """A state in the style of DirectML's documentation.

    Args:
        link: of an operator's page.
        whole: with its outputs.
    """
    facts = facts_of(link)
    assert isinstance(facts, OperatorFacts)  # code has no documentation
    text = write_example(facts.operator, facts.trace.inputs, facts.trace.outputs)
    return text if whole else text.partition(f"\n\n{next(iter(facts.trace.outputs))}:")[0]


def of_part(lesson: Lesson, number: int) -> Posed:
    """The question of a lesson's part.

    Args:
        lesson: with its parts.
        number: of the part, from 1 on.
    """
    part = lesson.parts[number - 1]
    answers = part.prediction.answers
    choices = (replace(each, text=bare(each.text), why=bare(each.why)) for each in answers)
    return Posed(
        bare(part.prediction.prompt),
        part.link,
        tuple(choices),
        bare(part.prediction.reveal),
        bare(part.words),
        bare(part.what_if.words),
        part.prediction.hides or hidden_by(answers),
        part.prediction.hides_settings,
        about=part.prediction.answer,
        learner=lesson.link(number),
        text=part.text,
        title=f"{lesson.title} \u00b7 {part.title}",
    )


def of_belief(lesson: Lesson, number: int) -> Posed:
    """A question whether a common misconception is true.

    Args:
        lesson: with its plan.
        number: of the misconception in the plan, from 1 on.
    """
    misunderstanding = lesson.plan.misunderstandings[number - 1]
    belief, _stop, truth = bare(misunderstanding.words).partition(". ")
    prompt = _("True or false? {belief}.").format(belief=belief.rstrip("."))
    return Posed(
        prompt,
        misunderstanding.link,
        reveal=truth,
        learner=misunderstanding.link,
        title=lesson.title,
    )


def bare(text: str) -> str:
    """A text for the wall, phones and paper, which show no Markdown."""
    return text.replace("`", "")


def preset_title(preset: Preset | CodePreset) -> str:
    """A preset's title among those of other operators, which can have the same.

    >>> from dmlviz.teaching.presets import presets
    >>> preset_title(next(each for each in presets() if each.state.key == "scatter"))
    'Scatter: A first example'
    """
    code = isinstance(preset, CodePreset)
    subject = _("Your own code") if code else operator_class(preset.state.key).title()
    return f"{subject}: {preset.title}"


def of_preset(preset: Preset | CodePreset) -> Posed:
    """The open question of a preset."""
    learner = preset.state.address(whole=True)
    if preset.opens and isinstance(preset, Preset):
        learner = f"{learner}&predict=true"
    return Posed(
        bare(preset.question),
        preset.link,
        reveal=bare(preset.answer),
        learner=learner,
        title=preset_title(preset),
    )


def of_practice(practice: Practice) -> Posed:
    """A practice question, with the state that it is about.

    Raises:
        Error: there is no such question.
    """
    question = practice.question()
    link = link_to(question.operator, question.x) if question.pictured else ""
    return Posed(
        # the operator and its input are on a separate line, and in the picture
        " ".join(filter(None, (question.words, question.rule, question.asks))),
        link,
        question.choices,
        question.explanation,
        hides=KINDS[question.kind].hides,
        quiet=question.quiet,
        marked=marked_cell(question),
        learner=write_link(practice.key, practice.parameters()),
        support=support_text(question.operator) if question.shows == "support" else "",
        title=_("Practice"),
    )


def hidden_by(answers: Iterable[Answer]) -> Hides:
    """What to hide so that it does not reveal the answer.

    Questions about elements can show an empty grid, unless the answers differ in its size.
    """
    listed = tuple(answers)
    if any(answer.claim.startswith("input ") for answer in listed):
        return ALL
    kinds = [kind_of_fact(answer.claim.partition(" = ")[0])[0] for answer in listed]
    about = all(kind is not None and kind.hides == CELLS for kind in kinds)
    return CELLS if about and len({answer.text.count(",") for answer in listed}) == 1 else SIZES


def runs_line(state: AnyState, quiet: Collection[str] = ()) -> str:
    """The operator, its settings, and the operator to compare it with, on one line; or the code.

    Args:
        state: of a page.
        quiet: names of settings to omit; code has one setting, ``code``.

    >>> runs_line(state_of("/tile?sizes=1,3&repeats=1,2"))
    'Tile · Repeats {1, 2}'
    >>> runs_line(state_of("/code?code=x.T&library=torch&sizes=x:2,3"))
    'PyTorch · x.T'
    >>> print(runs_line(state_of("/code?code=x.T&compare=x[::-1]&sizes=x:2,3")))
    A: NumPy · x.T
    B: NumPy · x[::-1]
    """
    return _RUNS.get(state.key, _operator_runs)(state, quiet)


def _code_runs(state: CodeState, quiet: Collection[str]) -> str:
    if CODE in quiet:
        return ""
    b = state.second()
    codes = {"": state} if b is None else {"A: ": state, "B: ": b}
    return "\n".join(f"{letter}{_code_line(code)}" for letter, code in codes.items())


_RUNS: Mapping[str, Callable[[Any, Collection[str]], str]] = {
    CODE: _code_runs,
    # what lies between two arrays is the question
    BETWEEN: lambda state, quiet: "",
}
"""What runs, by the key of a page; all others are an operator's."""


def _operator_runs(state: State, quiet: Collection[str]) -> str:
    operator, b = state.operator(), state.second()
    second = None if b is None else b.operator()
    parts = [type(operator).__name__]
    names = {parameter.name for parameter in operator.parameters()}
    apart: set[str] = set()
    if second is not None:
        mine, other = operator.settings, second.settings
        apart = {name for name in names if mine[name] != other[name]}
    parts.append(settings_text(operator, apart.union(quiet)))
    if second is not None:
        same = (names - apart).union(quiet)
        sides = {"A": settings_text(operator, same), "B": settings_text(second, same)}
        parts += [f"{letter}: {text}" for letter, text in sides.items() if text]
    level = state.view.feature_level
    if level:
        words = _("{data_type} at feature level {level}")
        parts.append(words.format(data_type=state.tensors.data_type, level=level))
    return " \u00b7 ".join(filter(None, parts))


def _code_line(state: CodeState) -> str:
    library, code = LIBRARIES[state.reads_as].title, state.code.strip()
    between = "\n" if "\n" in code else " \u00b7 "
    return f"{library}{between}{code}"


def described_outputs(question: Question) -> tuple[str, ...]:
    """The sizes that the output may have by the choices of a practice question, as texts.

    Level 0 asks for a number of elements: the output is as wide or as high as it would be then.
    """
    texts = tuple(choice.text for choice in question.choices)
    if question.level != PLAIN:
        return texts
    sizes = next(iter(question.operator.outputs_after(sizes_by_name(question.inputs)).values()))
    counts = [int(text) for text in texts if text.isdigit()]
    if len(sizes) == 1:
        return tuple(print_sizes((count,)) for count in counts)
    rows, columns = sizes
    wide = (print_sizes((rows, -(-count // rows))) for count in counts)
    high = (print_sizes((-(-count // columns), columns)) for count in counts)
    return (*wide, *high)


def marked_cell(question: Question, *, answered: bool = False) -> int:
    """The number of the element to mark, through all outputs; -1 for none."""
    index = question.lands if answered and question.lands else question.marked
    if index is None:
        return -1
    sizes = question.operator.outputs_after(sizes_by_name(question.inputs))
    names = list(sizes)
    output = question.output or names[0]
    before = sum(element_count(sizes[name]) for name in names[: names.index(output)])
    return before + int(np.ravel_multi_index(index, sizes[output]))
