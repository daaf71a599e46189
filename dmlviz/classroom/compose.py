"""Questions for a class: from a lesson, a run, a preset, practice, or a teacher's own class."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from dmlviz.base.addresses import split_link
from dmlviz.base.errors import Error
from dmlviz.base.words import _, in_words_of, language, languages, speaking, vocabulary
from dmlviz.classroom.polls import (
    MOST_CELLS,
    MOST_CHOICES,
    MOST_POLLS,
    MOST_TEXT,
    REPEATS,
    AnswerChoice,
    Poll,
    PollTexts,
    TappedTensor,
    read_answer,
)
from dmlviz.engines.trace import Trace, run
from dmlviz.operators import Operator
from dmlviz.picture.scene import Scene, scene
from dmlviz.states import several_outputs
from dmlviz.states.links import link
from dmlviz.teaching.answer_inputs import PLACE, AnswerInput
from dmlviz.teaching.answers import ALL
from dmlviz.teaching.code_presets import CodePreset
from dmlviz.teaching.fact_texts import runs_on
from dmlviz.teaching.facts import facts_of, state_of
from dmlviz.teaching.kinds import KINDS, QuestionKind, kinds_of_states
from dmlviz.teaching.lessons import Lesson
from dmlviz.teaching.posed import Posed, of_part, of_practice, of_preset
from dmlviz.teaching.practice import Practice
from dmlviz.teaching.preset_answers import preset_answers
from dmlviz.teaching.presets import Preset, answer_cells
from dmlviz.teaching.questions import travelling
from dmlviz.teaching.runs import Run
from dmlviz.teaching.sets import (
    MOST_LINE,
    ClassSet,
    Pick,
    PracticePick,
    PresetPick,
    StateQuestion,
)
from dmlviz.tensors.numbering import located, sizes_by_name

_SEARCHED = 4
"""How many practice questions to try for each one wanted, because some links are too long."""


def lesson_polls(lesson: Lesson) -> tuple[Poll, ...]:
    """The predictions of a lesson's parts, in order."""
    numbers = range(1, len(lesson.parts) + 1)
    posed = [(f"{lesson.key}-{number}", of_part(lesson, number)) for number in numbers]
    return tuple(_choice(key, each) for key, each in posed)


def run_polls(chosen: Run) -> tuple[Poll, ...]:
    """The questions of a run; open ones, which have no choices, are discussions."""
    return tuple(
        replace(
            _choice(f"{chosen.key}-{number}", part.posed), minutes=part.minutes, notes=part.notes
        )
        for number, part in enumerate(chosen.parts, 1)
    )


def set_polls(chosen: ClassSet) -> tuple[Poll, ...]:
    """The questions of a teacher's class.

    A preset is asked by its own question, as :func:`preset_question` asks it; where nobody can vote
    on that, as :func:`preset_polls` asks it, and of code by its output's sizes. An open question is
    a discussion.
    """
    made: list[Poll] = []
    for number, part in enumerate(chosen.parts, 1):
        with suppress(Error):
            polls = pick_polls(part.pick)
            own = {"minutes": part.minutes, "notes": part.notes}
            made += [replace(poll, key=f"{number}-{poll.key}", **own) for poll in polls]
    return tuple(made[:MOST_POLLS])


def pick_polls(pick: Pick) -> tuple[Poll, ...]:
    """The questions of one part, as of :func:`set_polls`.

    Raises:
        Error: the part does not exist or cannot be worked out.
    """
    match pick:
        case PresetPick():
            preset = pick.as_preset()
            if asked := preset_question(preset):
                return (asked,)
            if isinstance(preset, Preset):
                return preset_polls(preset)
            if preset.state.second() is not None:
                return (_choice("part", of_preset(preset)),)
            first = next(iter(kinds_of_states()))
            return pick_polls(StateQuestion(preset.link, first, reveal=preset.answer[:MOST_LINE]))
        case PracticePick():
            practised = _practised(pick.practice)
            return (practised,) if practised else ()
    posed = pick.posed()
    poll = _choice("part", posed)
    if isinstance(pick, StateQuestion) and pick.kind is not None:
        poll = _typed(poll, pick.kind.input)
    return (poll,)


def preset_polls(preset: Preset) -> tuple[Poll, ...]:
    """The questions about a preset: its own, then those that every preset has.

    Two settings that are compared have only their own, which is a discussion if nobody can vote on
    it; so is that of a preset that the operator refuses.
    """
    first = preset_question(preset)
    if not preset.opens or preset.state.second() is not None:
        return (first or _choice(f"{preset.key}-question", of_preset(preset)),)
    made = preset_answers(preset)
    drawn = scene(preset.trace())
    kinds = (kind for kind in KINDS.values() if kind.after_presets)
    later = (_of_state(kind, preset, drawn) for kind in kinds if not made or kind.key != made.kind)
    return tuple(poll for poll in (first, *later) if poll)


def preset_question(preset: Preset | CodePreset) -> Poll | None:
    """A preset's own question; None if :func:`preset_answers` has no choices for it."""
    made = preset_answers(preset)
    if made is None:
        return None
    state = preset.state
    if made.cell:
        state = dataclasses.replace(
            state, view=dataclasses.replace(state.view, pinned=(made.cell,))
        )
    posed = dataclasses.replace(
        of_preset(preset),
        link=state.address(whole=True),
        answers=made.answers,
        words=preset.runs_on,
        hides=made.hides,
    )
    poll = _choice(f"{preset.key}-question", posed)
    return _typed(poll, made.input)


def practice_polls(seed: int, count: int, level: int = 1, operator: str = "") -> tuple[Poll, ...]:
    """Practice questions; the same arguments give the same questions.

    Args:
        seed, level, operator: as :func:`dmlviz.teaching.practice.ask` takes them.
        count: how many, up to :data:`dmlviz.classroom.polls.MOST_POLLS`. There are fewer if no
            more can be made, if their states have too many own values for an address, or if they
            need the table of feature levels.

    Raises:
        Error: an argument is out of range.
    """
    if not 1 <= count <= MOST_POLLS:
        rule = _("count: {count} is not a whole number from 1 to {most}.")
        raise Error(rule.format(count=count, most=MOST_POLLS), "count")
    polls: list[Poll] = []
    for number in range(1, _SEARCHED * count + 1):
        asked = Practice(seed, level, operator, number)
        if poll := _practised(asked):
            polls.append(poll)
        if len(polls) == count:
            break
    return tuple(polls)


def in_all_languages(make: Callable[[], tuple[Poll, ...]]) -> tuple[Poll, ...]:
    """Questions with their texts in all languages.

    Args:
        make: makes them in the language of this thread; it is called once in each language.
    """
    polls, spoken = make(), language()
    for other in languages():
        if other != spoken:
            with speaking(in_words_of(other, vocabulary())):
                translated = {poll.key: poll for poll in make()}
            polls = tuple(_translated(poll, other, translated.get(poll.key)) for poll in polls)
    return polls


def _translated(poll: Poll, language: str, other: Poll | None) -> Poll:
    """The question with its texts in another language, unless nothing in it is translated."""
    fields = ("kind", "answer", "link", "tensors")
    if other is None or any(getattr(poll, name) != getattr(other, name) for name in fields):
        return poll
    texts = PollTexts(**{name: getattr(other, name) for name in PollTexts.__struct_fields__})
    same = all(getattr(poll, name) == text for name, text in msgspec.structs.asdict(texts).items())
    # answers are numbers of choices, so both have the same ones
    if same or len(texts.choices) != len(poll.choices):
        return poll
    return replace(poll, translations=(*poll.translations, (language, texts)))


def as_questions(polls: tuple[Poll, ...]) -> list[dict[str, Any]]:
    """The questions as JSON values, as ``POST /class`` takes them."""
    questions: list[dict[str, Any]] = msgspec.to_builtins(list(polls))
    return questions


def _choice(key: str, posed: Posed) -> Poll:
    """A question with choices; an open one is a discussion."""
    choices = tuple(
        AnswerChoice(answer.text, reason)
        for answer, reason in zip(posed.answers[:MOST_CHOICES], posed.reasons, strict=False)
    )
    return Poll(
        key,
        "choice" if posed.right >= 0 else "discussion",
        posed.prompt,
        choices if posed.right >= 0 else (),
        str(posed.right) if posed.right >= 0 else "",
        _link_of(posed),
        hides=posed.hides,
        reveal=posed.reveal,
        following=posed.following,
        repeat=posed.learner if split_link(posed.learner).page in REPEATS else "",
        settings=posed.runs,
        background=posed.words,
    )


def _link_of(posed: Posed) -> str:
    """Its link, which pins the one output element that the right answer is about."""
    if posed.about:
        with suppress(Error):
            state = state_of(posed.link)
            drawn, *others = state.scenes()
            outputs = sizes_by_name(drawn.outputs)
            about = f"{{{posed.about}}}"
            cells = answer_cells(about, facts_of(posed.link), outputs, compared=False)
            if len(cells) == 1 and not others:
                pinning = dataclasses.replace(state.view, pinned=cells)
                return state.with_view(pinning).address(whole=True)
    return posed.link


def _practised(asked: Practice) -> Poll | None:
    question = asked.question()
    posed, sizes = of_practice(asked), sizes_by_name(question.inputs)
    if posed.support:
        # phones do not show the table
        return None
    key = f"practice-{asked.seed}-{asked.number}"
    if not question.pictured:
        # its choices name sizes and settings, and any picture would be of one that is accepted
        return replace(_choice(key, posed), hides=ALL)
    at: tuple[int, ...] = ()
    if question.marked is not None:
        at = _pin(question.operator, question.output, question.marked, sizes)
    try:
        posed = dataclasses.replace(posed, link=link(question.operator, question.x, pinned=at))
    except Error:
        # an address cannot hold this many own values
        return None
    poll = _choice(key, posed)
    if question.stated or question.words:
        poll = replace(poll, background=runs_on(question.operator, sizes))
    kind = KINDS[question.kind]
    way = question.input or kind.input
    if way is PLACE:
        return _placed(poll, kind, run(question.operator, question.x), posed.marked)
    poll = _typed(poll, way)
    return poll if len(poll.link) <= MOST_TEXT else None


def _typed(poll: Poll, way: AnswerInput) -> Poll:
    """The same question without choices if its answers can be typed."""
    if way.offers:
        return poll
    typed = replace(poll, kind=way.stored, choices=())
    try:
        answers = [read_answer(typed, choice.text) for choice in poll.choices]
    except Error:
        # several outputs have several sizes, and a label is not a number
        return poll
    right = answers[int(poll.answer)]
    pairs = zip(answers, poll.choices, strict=True)
    mistakes = tuple((a, c.misconception) for a, c in pairs if c.misconception)
    return replace(typed, answer=right, misconceptions=mistakes)


def _pin(
    operator: Operator, output: str, index: tuple[int, ...], sizes: Mapping[str, tuple[int, ...]]
) -> tuple[int, ...]:
    """An output element as it is written in a link."""
    if not several_outputs(type(operator)):
        return index
    names = list(operator.outputs_after(dict(sizes)))
    return (names.index(output) if output else 0, *index)


def _of_state(kind: QuestionKind, preset: Preset, drawn: Scene) -> Poll | None:
    """A question about a preset's run, besides its own; None if there is none of this kind."""
    trace = drawn.trace
    try:
        worked = kind.on_state(drawn, "")
    except Error:
        return None
    operator, sizes = trace.operator, sizes_by_name(trace.inputs)
    at = () if worked.marked < 0 else _pin(operator, *located(worked.marked, trace.outputs), sizes)
    posed = Posed(
        worked.prompt,
        link(operator, trace.inputs, pinned=at),
        worked.answers,
        preset.answer,
        runs_on(operator, sizes),
        hides=kind.hides,
    )
    poll = _choice(f"{preset.key}-{kind.key}", posed)
    if kind.input is PLACE:
        return _placed(poll, kind, trace, worked.marked)
    return _typed(poll, kind.input)


def _placed(poll: Poll, kind: QuestionKind, trace: Trace, number: int) -> Poll | None:
    """The same question without choices: the learner taps the right element in the inputs.

    Args:
        poll: with choices.
        kind: of the question.
        trace: of the run.
        number: of the output element in question, counted across all outputs.
    """
    travels = travelling(trace)
    count = sum(x.size for x in travels.values())
    if not travels or len(poll.link) > MOST_TEXT or count > MOST_CELLS:
        return None
    right, wrong = kind.places(trace, number)
    return replace(
        poll,
        kind=PLACE.stored,
        choices=(),
        answer=str(right),
        tensors=tuple(TappedTensor(name, x.shape) for name, x in travels.items()),
        misconceptions=tuple((str(place), why) for place, why in wrong),
    )
