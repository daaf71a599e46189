"""A teacher's class: parts of lessons, runs, presets, practice and states, in one address.

``/my-class?set=...`` holds a whole :class:`ClassSet`: JSON, compressed and written with letters,
digits, ``-`` and ``_``. Nothing is stored; whoever has the address has the class. An
:class:`Offer` is what a teacher can put into it.
"""

from __future__ import annotations

import dataclasses
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Annotated, Any, ClassVar, TypeVar
from unicodedata import normalize

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from dmlviz.base.addresses import IN_APP, SEPARATORS, SOURCE, split_link, write_link
from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _
from dmlviz.picture.scene import Scene
from dmlviz.states.code import CODE
from dmlviz.states.pages import AnyState, refusals_of
from dmlviz.teaching.answers import Answer, right_is
from dmlviz.teaching.code_presets import CodePreset, code_presets, open_preset
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.kinds import QuestionKind, WorkedOut, kinds_of_states
from dmlviz.teaching.lessons import Lesson, lessons
from dmlviz.teaching.names import names
from dmlviz.teaching.posed import Posed, bare, of_part, of_practice, of_preset, preset_title
from dmlviz.teaching.practice import Practice, read_practice
from dmlviz.teaching.preset_answers import preset_answers
from dmlviz.teaching.presets import Preset, preset, presets
from dmlviz.teaching.runs import Run, RunPart, runs
from dmlviz.teaching.search import LONGEST, matching
from dmlviz.tensors import short_text

SET = "set"
"""The parameter that holds a class."""

PAGE = "my-class"
"""The page that edits it."""

MOST_PARTS = 40
MOST_MINUTES = 180
MOST_TITLE = 80
MOST_LINE = 300
MOST_NOTES = 600
MOST_CHOICES = 6
MOST_LINK = 2_000
MOST_LETTERS = 6_000
"""The most characters of a class in an address."""

MOST_BYTES = 40_000
"""The most bytes of JSON that a class has."""

USUAL_MINUTES = 45
"""How long a class is to be."""

_LETTERS = regex(rf"[\w-]{{1,{MOST_LETTERS}}}", re.ASCII)
_CELL = regex(r"\w+(?:\[\d+\])?\[\d+(?:, ?\d+)*\]")
_IN_APP = rf"\A(?:{IN_APP})?\Z"
_ONE_LINE = rf"\A[^{SEPARATORS}]*\Z"
_LINES = r"\A[^\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]*\Z"

Line = Annotated[str, Meta(max_length=MOST_LINE, pattern=_ONE_LINE)]
"""One line of text, which may be empty."""

Notes = Annotated[str, Meta(max_length=MOST_NOTES, pattern=_LINES)]
"""A few lines of text, which may be empty."""

Name = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"\A[a-z0-9-]+\Z")]
Number = Annotated[int, Meta(ge=1, le=1_000_000)]

CHOICES, OPEN = "choice", "open"
"""What a teacher's question asks for, besides what the engine answers: see
:func:`dmlviz.teaching.kinds.kinds_of_states`."""

_WORD = regex(r"[^\W_]+")

_IN_TITLE, _BEGINS_IN_TITLE, _IN_QUESTION, _BEGINS_IN_QUESTION, _BY_NAME = range(5)


class LessonPick(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="l"):
    """A part of a lesson, from 1 on."""

    lesson: Name
    number: Number

    def posed(self) -> Posed:
        """The question.

        Raises:
            Error: there is no such lesson or part.
        """
        lesson = _named(self.lesson)
        if self.number > len(lesson.parts):
            raise Error(_("the lesson has {n} parts.").format(n=len(lesson.parts)), "part")
        return of_part(lesson, self.number)


class RunPick(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="r"):
    """A part of a run that comes with the app, from 1 on."""

    run: Name
    number: Number

    def posed(self) -> Posed:
        """As :meth:`LessonPick.posed`."""
        return _run_part(self.run, self.number).posed


class PresetPick(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="p"):
    """A preset of an operator's page; of the page for code, its name begins with ``code-``."""

    preset: Name

    def posed(self) -> Posed:
        """As :meth:`LessonPick.posed`, with choices if :func:`preset_answers` has some."""
        chosen = self.as_preset()
        posed, made = of_preset(chosen), preset_answers(chosen)
        if made is None:
            return posed
        return dataclasses.replace(posed, answers=made.answers, hides=made.hides)

    def as_preset(self) -> Preset | CodePreset:
        """The preset.

        Raises:
            Error: there is none with that name.
        """
        name = self.preset.removeprefix("code-")
        if name == self.preset:
            return preset(name)
        for each in code_presets():
            if each.key == name:
                return each
        return preset(self.preset)


class PracticePick(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="q"):
    """A practice question, by the parameters that make it."""

    seed: int
    level: int
    operator: Annotated[str, Meta(max_length=80)]
    number: int

    @property
    def practice(self) -> Practice:
        """The parameters."""
        return Practice(self.seed, self.level, self.operator, self.number)

    def posed(self) -> Posed:
        """As :meth:`LessonPick.posed`."""
        return of_practice(self.practice)


class WrittenChoice(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A choice that a teacher wrote, and what is wrong with it."""

    text: Annotated[str, Meta(min_length=1, max_length=MOST_LINE, pattern=_ONE_LINE)]
    why: Line = ""


class StateQuestion(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="s"):
    """A teacher's question about a state of any page.

    Attributes:
        link: of the state; empty for a question without a picture.
        asks: what for: the key of a kind that the engine answers, ``choice`` for choices in the
            teacher's words, or ``open`` for none.
        prompt: the question; empty for the usual words.
        cell: the element that it is asked of, if it is of one; empty for the one that the prompt
            names, or else the one that is most often mistaken.
        choices: for ``choice``, all of them; otherwise wrong ones that replace the engine's.
        right: the number of the right one of ``choice``, from 0 on.
        reveal: what to say after the answer; empty for the engine's words.
        following: what to ask next.
    """

    link: Annotated[str, Meta(max_length=MOST_LINK, pattern=_IN_APP)] = ""
    asks: Annotated[str, Meta(max_length=80)] = OPEN
    prompt: Line = ""
    cell: Annotated[str, Meta(max_length=60, pattern=_ONE_LINE)] = ""
    choices: Annotated[tuple[WrittenChoice, ...], Meta(max_length=MOST_CHOICES)] = ()
    right: Annotated[int, Meta(ge=0, lt=MOST_CHOICES)] = 0
    reveal: Line = ""
    following: Line = ""

    def __post_init__(self) -> None:
        """Check what is asked for.

        Raises:
            Error: it is no kind of question.
        """
        kinds = [*kinds_of_states(), CHOICES, OPEN]
        if self.asks not in kinds:
            rule = _("asks: {kind} is not one of {kinds}.")
            text = short_text(self.asks)
            raise Error(rule.format(kind=text, kinds=", ".join(kinds)), "asks")

    @property
    def kind(self) -> QuestionKind | None:
        """What the engine answers; None if the teacher does."""
        return kinds_of_states().get(self.asks)

    def posed(self) -> Posed:
        """As :meth:`LessonPick.posed`.

        Raises:
            Error: the state is invalid or refused, there is no such cell, or choices are missing.
        """
        title = _("Your own question")
        if self.kind is not None:
            worked, state = self._worked_out(self.kind), state_of(self.link)
            prompt = self.prompt or worked.prompt
            if worked.cell not in prompt:
                # the teacher's words alone do not say which element
                prompt = f"{prompt} ({worked.cell})"
            return Posed(
                prompt,
                self.link,
                self._with_written(worked.answers),
                self.reveal or worked.reveal,
                following=self.following,
                hides=self.kind.hides,
                quiet=self.kind.quiets,
                marked=worked.marked,
                learner=state.address(whole=True),
                title=title,
            )
        if self.link:
            # it raises what the page of the state says about values that do not fit
            state_of(self.link).inputs()
        answers = self._written() if self.asks == CHOICES else ()
        if not self.prompt and not self.link:
            raise Error(_("the question is missing."), "prompt")
        return Posed(
            self.prompt or _("What will the output be?"),
            self.link,
            answers,
            self.reveal,
            following=self.following,
            learner=self.link,
            title=title,
        )

    def _worked_out(self, kind: QuestionKind) -> WorkedOut:
        if not self.link:
            raise Error(_("only a question about a state has an answer that is computed."), "link")
        state = state_of(self.link)
        for problem in refusals_of(state):
            raise Error(problem.message, problem.field)
        scene, *others = state.scenes()
        if others:
            raise Error(_("two are compared here; write the choices yourself."), "asks")
        return kind.on_state(scene, self.cell or self._named_cell(kind, scene))

    def _named_cell(self, kind: QuestionKind, scene: Scene) -> str:
        """The first element that the question itself names; empty if it names none."""
        for name in _CELL.findall(self.prompt) if kind.element_example else ():
            with suppress(Error):
                kind.element(scene, name)
                return str(name)
        return ""

    def _with_written(self, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
        """The engine's right answer among the teacher's wrong ones, if there are any."""
        right = next(answer for answer in answers if not answer.why)
        wrong = [each for each in self.choices if _same(each.text) != _same(right.text)]
        if not wrong:
            return answers
        whys = {_same(answer.text): answer.why for answer in answers}
        at = answers.index(right)
        mixed = [
            Answer(each.text, each.why or whys.get(_same(each.text), "") or right_is(right.text))
            for each in wrong
        ]
        return (*mixed[:at], right, *mixed[at:])

    def _written(self) -> tuple[Answer, ...]:
        texts = [_same(choice.text) for choice in self.choices]
        if len(texts) < 2 or len(set(texts)) < len(texts):
            raise Error(_("write two to {n} different choices.").format(n=MOST_CHOICES), "choices")
        if self.right >= len(texts):
            raise Error(_("mark the right choice."), "right")
        right = self.choices[self.right]
        return tuple(
            Answer(each.text, "" if each is right else each.why or right_is(right.text))
            for each in self.choices
        )


_Value = TypeVar("_Value", "ClassSet", "SetPart", StateQuestion)

Pick = LessonPick | RunPick | PresetPick | PracticePick | StateQuestion
"""Where a part comes from."""


class SetPart(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One part of a class.

    Attributes:
        pick: where it comes from.
        minutes: that it takes, 0 to :data:`MOST_MINUTES`.
        notes: of the teacher, for the teacher alone.
    """

    pick: Pick
    minutes: Annotated[int, Meta(ge=0, le=MOST_MINUTES)] = 3
    notes: Notes = ""


class ClassSet(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A teacher's class.

    Attributes:
        title: one line; empty if it has none yet.
        parts: in order.
    """

    key: ClassVar[str] = PAGE

    title: Annotated[str, Meta(max_length=MOST_TITLE, pattern=_ONE_LINE)] = ""
    parts: Annotated[tuple[SetPart, ...], Meta(max_length=MOST_PARTS)] = ()

    @property
    def minutes(self) -> int:
        """The minutes of all parts together."""
        return sum(part.minutes for part in self.parts)

    def parameters(self) -> dict[str, str]:
        """The parameters of its address; none if it is empty."""
        return {SET: write_set(self)} if self.title or self.parts else {}

    def link(self) -> str:
        """The address of the page that edits it."""
        return write_link(PAGE, self.parameters())


def changed(value: _Value, **fields: Any) -> _Value:
    """A class, a part or a question with other fields.

    >>> changed(ClassSet("A"), title="B").title
    'B'
    """
    return replace(value, **fields)


def write_set(chosen: ClassSet) -> str:
    """A class as the text of an address.

    Raises:
        Error: it is too long for an address.

    >>> read_set(write_set(ClassSet("A", (SetPart(LessonPick("tile", 2), 5),)))).minutes
    5
    """
    data = msgspec.json.encode(chosen)
    packer = zlib.compressobj(9, wbits=-15)
    text = urlsafe_b64encode(packer.compress(data) + packer.flush()).decode().rstrip("=")
    if len(text) > MOST_LETTERS or len(data) > MOST_BYTES:
        sentence = _(
            "This class does not fit in an address: it has {count:,} characters, the limit is "
            "{most:,}. Shorten notes or remove a part."
        )
        raise Error(sentence.format(count=len(text), most=MOST_LETTERS), SET)
    return text


def read_set(text: str) -> ClassSet:
    """The class that :func:`write_set` wrote; the text is untrusted.

    Raises:
        Error: it is something else, such as an address that was cut off.
    """
    try:
        if not _LETTERS.fullmatch(text):
            raise ValueError
        unpacker = zlib.decompressobj(wbits=-15)
        data = unpacker.decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4)), MOST_BYTES)
        if not unpacker.eof or unpacker.unused_data:
            raise ValueError
        return msgspec.json.decode(data, type=ClassSet)
    except (ValueError, zlib.error, RecursionError, msgspec.MsgspecError):
        sentence = _("it is not the whole address of a class; copy it again from end to end.")
        raise Error(sentence, SET) from None


def as_run(
    chosen: ClassSet, pose: Callable[[Pick], Posed] = lambda pick: pick.posed()
) -> tuple[Run, tuple[Problem, ...]]:
    """The class as a run, which is presented, held, printed and exported like those of the app.

    Args:
        chosen: the class.
        pose: gives the question of a part, for a caller that remembers them.

    Returns:
        The run, without parts that do not exist or cannot be worked out; and a problem for each of
        these.
    """
    parts: list[RunPart] = []
    problems: list[Problem] = []
    for number, part in enumerate(chosen.parts, 1):
        try:
            parts.append(RunPart(pose(part.pick), part.minutes, notes=part.notes))
        except Error as error:
            sentence = _("Part {number} is left out: {why}").format(number=number, why=error)
            problems.append(Problem(SET, sentence, SOURCE))
    title = chosen.title or _("My class")
    return Run("", title, "", tuple(parts), chosen.link()), tuple(problems)


def parts_of_link(text: str) -> tuple[SetPart, ...]:
    """The parts that an address of this app names: of a lesson or a run all, or the one it names.

    Args:
        text: of a lesson, a run, a practice question, a class, or a state of any page.

    Raises:
        Error: it names none; the message says why.
    """
    link = split_link(text.strip())
    words = link.parameters
    if link.page == PAGE and SET in words:
        return read_set(words[SET]).parts
    if "lesson" in words and link.page != "worksheet":
        return tuple(_of_lesson(_named(words["lesson"]), words.get("part", "")))
    if "run" in words:
        return tuple(_of_run(words["run"], words.get("part", "")))
    if link.page in ("practice", "present") and "seed" in words:
        practice, problems = read_practice(words, Practice(1))
        for problem in problems:
            raise Error(problem.message, problem.field)
        return (of_practice_part(practice),)
    return (of_state(state_of(text.strip())),)


def of_practice_part(practice: Practice) -> SetPart:
    """A practice question as a part."""
    pick = PracticePick(practice.seed, practice.level, practice.operator, practice.number)
    return SetPart(pick, 2)


def of_state(state: AnyState) -> SetPart:
    """A state as a part: the preset that it is, or the question about its output's sizes.

    Raises:
        Error: an address cannot hold the state.
    """
    alike = open_preset(state)
    return question_part(state) if alike is None else SetPart(PresetPick(alike.name))


def question_part(state: AnyState) -> SetPart:
    """A state as a part with a question that a teacher can edit: which sizes its output has.

    Raises:
        Error: as of :func:`of_state`.
    """
    link = state.without_player().address(whole=True)
    if len(link) > MOST_LINK:
        rule = _("its address has {count:,} characters, too many for a part of a class.")
        raise Error(rule.format(count=len(link)), "link")
    if state.second() is not None or refusals_of(state):
        return SetPart(StateQuestion(link))
    return SetPart(StateQuestion(link, next(iter(kinds_of_states()))))


def lesson_minutes(lesson: Lesson) -> int:
    """How many minutes each part of a lesson takes in a class."""
    return max(1, round(lesson.minutes / len(lesson.parts)))


def fitted(chosen: ClassSet, minutes: int = USUAL_MINUTES) -> ClassSet:
    """The class with other minutes of its parts, in proportion, which together are as given.

    A part has one minute at least.

    >>> parts = tuple(SetPart(PresetPick("a"), minutes) for minutes in (1, 3, 0))
    >>> [part.minutes for part in fitted(ClassSet("", parts), 12).parts]
    [3, 8, 1]
    """
    free = max(0, minutes - len(chosen.parts))
    weights = [part.minutes for part in chosen.parts]
    if not any(weights):
        weights = [1] * len(weights)
    total = sum(weights)
    # each part's share ends where the next begins, so that nothing is lost by rounding
    ends = [round(free * sum(weights[:n]) / total) for n in range(len(weights) + 1)]
    shares = zip(chosen.parts, ends, ends[1:], strict=False)
    return changed(
        chosen, parts=tuple(changed(part, minutes=1 + end - begin) for part, begin, end in shares)
    )


def _of_lesson(lesson: Lesson, part: str) -> Iterator[SetPart]:
    minutes = lesson_minutes(lesson)
    for number in range(1, len(lesson.parts) + 1):
        if part in ("", str(number)):
            yield SetPart(LessonPick(lesson.key, number), minutes)


def _of_run(key: str, part: str) -> Iterator[SetPart]:
    for number, each in enumerate(_run_named(key).parts, 1):
        if part in ("", str(number)):
            yield SetPart(RunPick(key, number), each.minutes)


def _named(key: str) -> Lesson:
    for lesson in lessons():
        if lesson.key == key:
            return lesson
    raise Error(_("lesson: there is no lesson {key}.").format(key=short_text(key)), "lesson")


def _run_named(key: str) -> Run:
    for run in runs():
        if run.key == key:
            return run
    raise Error(_("run: there is no run {key}.").format(key=short_text(key)), "run")


def _run_part(key: str, number: int) -> RunPart:
    parts = _run_named(key).parts
    if number > len(parts):
        raise Error(_("the run has {n} parts.").format(n=len(parts)), "part")
    return parts[number - 1]


def _same(text: str) -> str:
    """A choice without spaces, to compare it."""
    return "".join(text.split()).casefold()


@dataclass(frozen=True)
class Offer:
    """One or more parts under one name.

    Attributes:
        key: its name among all offers.
        title: where it comes from, in a few words.
        parts: what is added.
        question: of a part alone; empty for a whole lesson or run.
        operators: keys of the operators that a part alone is about.
        code: that a part alone is about; empty for operators.
    """

    key: str
    title: str
    parts: tuple[SetPart, ...]
    question: str = ""
    operators: tuple[str, ...] = ()
    code: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole lesson or run."""
        return not self.question

    @property
    def is_run(self) -> bool:
        """Whether it is a whole run."""
        return self.is_whole and isinstance(self.parts[0].pick, RunPick)

    @property
    def minutes(self) -> int:
        """The minutes of all parts together."""
        return sum(part.minutes for part in self.parts)

    def title_words(self) -> tuple[str, ...]:
        """The words of its title, in lowercase."""
        return _words(self.title)

    def question_words(self) -> tuple[str, ...]:
        """The words of its question, its code and its key, in lowercase."""
        return _words(f"{self.question} {self.code} {self.key}")


def offers() -> tuple[Offer, ...]:
    """Everything there is: whole runs and lessons first, then parts of lessons, then presets."""
    return (*_wholes(), *_parts(), *_presets())


def matching_offers(typed: str) -> tuple[Offer, ...]:
    """The offers that have every word of a text, those with whole words in the title first.

    A text that is a name of an operator in any library finds the parts about that operator too.

    Args:
        typed: its first :data:`LONGEST` characters count; without words, whole runs and lessons
            are all that is offered.
    """
    wanted = _words(normalize("NFKC", typed[:LONGEST]))
    if not wanted:
        return tuple(each for each in offers() if each.is_whole)
    called = {name.key for name in matching(typed, names())}
    ranked = []
    for place, offer in enumerate(offers()):
        ranks = [_rank(word, offer) for word in wanted]
        if any(rank is None for rank in ranks):
            if called.intersection(offer.operators):
                ranked.append(((_BY_NAME, 0), place, offer))
            continue
        worst = max(rank for rank in ranks if rank is not None)
        ranked.append((worst, place, offer))
    return tuple(offer for _rank, _place, offer in sorted(ranked, key=lambda one: one[:2]))


def _rank(word: str, offer: Offer) -> tuple[int, int] | None:
    """How a word is in an offer: smaller is better; None if it is not there."""
    places = (
        (offer.title_words, _IN_TITLE, _BEGINS_IN_TITLE),
        (offer.question_words, _IN_QUESTION, _BEGINS_IN_QUESTION),
    )
    for words_of, whole, begins in places:
        words = words_of()
        if word in words:
            return whole, words.index(word)
        for at, each in enumerate(words):
            if each.startswith(word):
                return begins, at
    return None


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def _wholes() -> Iterator[Offer]:
    for run in runs():
        yield Offer(f"run-{run.key}", run.title, tuple(_of_run(run.key, "")))
    for lesson in lessons():
        yield Offer(f"lesson-{lesson.key}", lesson.title, tuple(_of_lesson(lesson, "")))


def _parts() -> Iterator[Offer]:
    for lesson in lessons():
        for number, part in enumerate(lesson.parts, 1):
            yield Offer(
                f"part-{lesson.key}-{number}",
                f"{lesson.title} \u00b7 {part.title}",
                (SetPart(LessonPick(lesson.key, number), lesson_minutes(lesson)),),
                bare(part.prediction.prompt),
                *_about(state_of(part.link)),
            )


def _presets() -> Iterator[Offer]:
    for each in presets():
        title, question = preset_title(each), bare(each.question)
        parts = (SetPart(PresetPick(each.key)),)
        yield Offer(f"preset-{each.key}", title, parts, question, *_about(each.state))
    for code in code_presets():
        title, question = preset_title(code), bare(code.question)
        parts = (SetPart(PresetPick(f"code-{code.key}")),)
        yield Offer(f"preset-code-{code.key}", title, parts, question, *_about(code.state))


def _about(state: AnyState) -> tuple[tuple[str, ...], str]:
    """The keys of the operators of a state, and its code."""
    return state.operators, state.parameters().get(CODE, "")


def missing_of(offer: Offer, parts: Sequence[SetPart]) -> tuple[SetPart, ...]:
    """The parts of an offer that a class does not have yet."""
    there = {part.pick for part in parts}
    return tuple(part for part in offer.parts if part.pick not in there)
