"""Choices for a preset's own question, worked out from the first words of its answer.

A preset's answer is a text such as ``{copies of in[0, 0]} times: ...``. Where it begins with yes or
no, with A or B, with one fact, or with the elements of several places, that is what the question
asks for, and the engine knows what it could be mistaken for. Other presets keep open questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.base.words import ENGLISH, _, speaking
from dmlviz.engines.trace import Trace
from dmlviz.operators.settings import Dice
from dmlviz.picture.scene import Scene
from dmlviz.teaching.answer_inputs import CHOICE, NUMBER, AnswerInput
from dmlviz.teaching.answers import CELLS, MOST_WRONG, SIZES, Answer, Hides, evened, right_is
from dmlviz.teaching.code_presets import CodePreset, code_presets
from dmlviz.teaching.fact_texts import element_index
from dmlviz.teaching.facts import facts_on
from dmlviz.teaching.kinds import kind_of_fact
from dmlviz.teaching.kinds.value import VALUE
from dmlviz.teaching.misread import indices_of, misread_sources, sources_of
from dmlviz.teaching.posed import bare, runs_line
from dmlviz.teaching.presets import Preset, preset
from dmlviz.teaching.questions import travelling
from dmlviz.tensors import print_value
from dmlviz.tensors.types import Array

_YES_OR_NO = regex(r"(Yes|No)[:.,]")

_A_OR_B = regex(r"([AB])\b")

_ENUM = regex(r"[A-Z][A-Z_]{2,}\b")

_ASKS_WHICH = regex(r"\b[Ww]hich (?:of the two|one|order|is)\b.*\?|\bwhich order\?", re.DOTALL)

_ASKS_MORE = regex(r"\band (?:what|when|where|which)\b")

_FACT = regex(
    r"(?:At place |[A-Z][a-z]+ )?\{([^{}]+)\}"
    r"(?: of (?:the )?\{elements\}|(?: (?!here\b)[a-z]+){0,3})"
    r"(?=[:.]|, (?!\{|and |then ))"
)

_LISTS = regex(r"\{[^{}]+\}(?:(?:, then|,? and) \{[^{}]+\})+(?=[:.])")

_ASKS_A_LIST = regex(r"(?!Can\b)(?!.*\bor\b).*\b(?:what|which)\b", re.DOTALL)

_ELEMENTS = regex(r"(\w+(?:\[\d+\](?=\[))?)(?:\[([0-9:]+(?:, ?[0-9:]+)*)\])?")

_TWO_LISTS = regex(r"(\d+(?:, \d+)+) or (\d+(?:, \d+)+)\?")

_NUMBER = regex(r"-?\d+(?:\.\d+)?")

# not at dots in a row, and not within a sentence that goes on
_SENTENCES = regex(r"(?<=[^.]\.) (?![a-z])")

_MOST_LISTED = 12


@dataclass(frozen=True)
class PresetAnswers:
    """The choices of a preset's own question.

    Attributes:
        answers: the right one, which has no ``why``, among wrong ones.
        hides: what the picture hides until the answer.
        cell: the index of the output element in question; empty if there is no single one.
        input: how a class gives the answer.
        kind: the kind of question that it is, as a key of :data:`dmlviz.teaching.kinds.KINDS`;
            empty if no kind matches.
    """

    answers: tuple[Answer, ...]
    hides: Hides = SIZES
    cell: tuple[int, ...] = ()
    input: AnswerInput = CHOICE
    kind: str = ""


def preset_answers(asked: Preset | CodePreset) -> PresetAnswers | None:
    """The choices of a preset's own question; None if its answer is words that no engine finds.

    >>> from dmlviz.teaching.presets import preset
    >>> sorted(int(each.text) for each in preset_answers(preset("tile-documentation")).answers)
    [9, 10, 16, 54]
    """
    english = _in_english(asked)
    if match := _YES_OR_NO.match(english.template):
        texts = {"Yes": _("Yes"), "No": _("No")}
        return _one_of(texts, match[1])
    if _compares(asked):
        if made := _by_name(asked, english):
            return made
        which = _A_OR_B.match(english.template) if _ASKS_WHICH.search(english.question) else None
        if which is None:
            return None
        wrong = "AB".replace(which[1], "")
        letters = (rf"(?<![A-Za-z]){letter}(?![A-Za-z])" for letter in (wrong, which[1]))
        return _one_of(_sides(asked), which[1], _sentence_about(asked.answer, *letters))
    match = _FACT.match(english.template)
    lists = _LISTS.match(english.template) if _ASKS_A_LIST.match(english.question) else None
    if not asked.opens or _ASKS_MORE.search(english.question):
        return None
    try:
        if lists:
            return _of_lists(asked.state.scenes()[0], re.findall(r"\{([^{}]+)\}", lists[0]))
        if match:
            return _of_fact(asked, match[1], _TWO_LISTS.search(english.question))
    except Error:
        # nothing that it could be mistaken for
        return None
    return None


def _in_english(asked: Preset | CodePreset) -> Preset | CodePreset:
    """The preset whose answer shows in English what it begins with."""
    with speaking(ENGLISH):
        if isinstance(asked, Preset):
            return preset(asked.key)
        return next(each for each in code_presets() if each.key == asked.key)


def _compares(asked: Preset | CodePreset) -> bool:
    return asked.state.second() is not None


def _by_name(asked: Preset | CodePreset, english: Preset | CodePreset) -> PresetAnswers | None:
    """A or B, where the answer begins with the value of the one setting that differs."""
    named = _ENUM.match(english.template) if english.question.startswith("Which") else None
    values = {side: text.rpartition(" ")[2] for side, text in _sides(asked).items()}
    right = [side for side, value in values.items() if named and value == named[0]]
    if len(right) != 1:
        return None
    wrong = values["AB".replace(right[0], "")]
    return _one_of(_sides(asked), right[0], _sentence_about(asked.answer, wrong, values[right[0]]))


def _one_of(texts: dict[str, str], right: str, why: str = "") -> PresetAnswers:
    """One of some texts, by its name; ``why`` is what is wrong with the others, if it is known."""
    answers = [
        Answer(text, "" if name == right else why or right_is(texts[right]))
        for name, text in texts.items()
    ]
    return PresetAnswers(tuple(answers))


def _sentence_about(answer: str, wrong: str, right: str = r"\Z.") -> str:
    """The sentence of a preset's answer about a wrong choice.

    Args:
        answer: the whole of it, which begins with the right choice.
        wrong, right: patterns of both choices' names.

    Returns:
        The first sentence that names only the wrong one; or else the last, if there are two.
    """
    _first, *later = _SENTENCES.split(bare(answer))
    named = (each for each in later if re.search(wrong, each) and not re.search(right, each))
    return next(named, later[-1] if later else "")


def _sides(asked: Preset | CodePreset) -> dict[str, str]:
    """The settings or the code of A and B, in this order: the choices have the same letters."""
    parts = re.split(r"\n| \u00b7 (?=[AB]: )", runs_line(asked.state))
    named = {part[0]: part[3:] for part in parts if part.startswith(("A: ", "B: "))}
    return {side: named.get(side, side) for side in "AB"}


def _of_fact(
    asked: Preset | CodePreset, fact: str, lists: re.Match[str] | None
) -> PresetAnswers | None:
    """The choices of a question whose answer is a fact.

    Args:
        asked: the preset.
        fact: as of :class:`dmlviz.teaching.state_facts.StateFacts`.
        lists: the two lists of numbers between which the question itself lets one choose.
    """
    state = asked.state
    facts = facts_on(state)
    text = facts(fact)
    if lists and text in lists.groups():
        other = next(each for each in lists.groups() if each != text)
        why = _sentence_about(asked.answer, rf"(?<!\d)(?<!\d, ){other}(?!, \d)")
        return replace(_one_of({each: each for each in lists.groups()}, text, why), hides=CELLS)
    scene = state.scenes()[0]
    kind, element = kind_of_fact(fact)
    # of values, several can be asked for
    if kind is not None and kind.of_states and kind.key != VALUE.key:
        answers = kind.on_state(scene, element).answers
        return PresetAnswers(answers, kind.hides, (), kind.input, kind.key)
    outputs = scene.trace.outputs
    match = _ELEMENTS.fullmatch(fact)
    if match and (match[1] in outputs or (match[1] == "out" and len(outputs) == 1)):
        return _of_elements(scene, match[1], match[2] or "", text)
    if not _NUMBER.fullmatch(text):
        return None
    return PresetAnswers(_among_numbers(text), input=NUMBER)


def _of_elements(scene: Scene, name: str, index: str, text: str) -> PresetAnswers | None:
    """The choices of a question about one output element or several.

    Args:
        scene: of the preset.
        name: of the output.
        index: of the elements, as in a fact; empty for all.
        text: their values.
    """
    if index and ":" not in index:
        cell = tuple(int(part) for part in index.split(","))
        if not _NUMBER.fullmatch(text):
            return None
        answers = _among_numbers(text)
        # every other element may be the same
        with suppress(Error):
            answers = VALUE.on_state(scene, f"{name}[{index}]").answers
        marked = cell if len(scene.trace.outputs) == 1 else ()
        return PresetAnswers(answers, CELLS, marked, VALUE.input, VALUE.key)
    numbers = _numbered(scene.trace, name)
    at = numbers[element_index(index, numbers)] if index else numbers
    beside = [
        (there, _("That is {cell}.").format(cell=cell))
        for there, cell in _beside(numbers, name, index)
    ]
    return _of_groups(scene, [at], beside, name + index)


def _of_lists(scene: Scene, names: Sequence[str]) -> PresetAnswers | None:
    """The choices of a question about the elements of several places, such as rows."""
    groups: list[Array] = []
    outputs = scene.trace.outputs
    for each in names:
        match = _ELEMENTS.fullmatch(each)
        name, index = (each, "") if each in outputs else match.groups("") if match else ("", "")
        if name not in outputs and (name != "out" or len(outputs) > 1):
            return None
        numbers = _numbered(scene.trace, name)
        groups.append(numbers[element_index(index, numbers)] if index else numbers)
    return _of_groups(scene, [np.atleast_1d(group) for group in groups], (), "".join(names))


def _of_groups(
    scene: Scene, groups: Sequence[Array], beside: Sequence[tuple[Array, str]], seed: str
) -> PresetAnswers | None:
    """The choices of a question about groups of output elements.

    Args:
        scene: of the preset.
        groups: the numbers of the elements of each.
        beside: other elements that one could take for them, and why that is wrong.
        seed: of the order of the choices.
    """
    values = [value for output in scene.trace.outputs.values() for value in output.flat]
    at = np.concatenate([group.ravel() for group in groups])
    ends = np.cumsum([group.size for group in groups])[:-1]
    if at.size > _MOST_LISTED:
        return None

    def written(these: Sequence[np.generic]) -> str:
        texts = [print_value(value) for value in these]
        apart = [", ".join(part) for part in np.split(np.array(texts, object), ends)]
        return ("; " if at.size > len(groups) else ", ").join(apart)

    def listed(these: Array) -> str:
        return written([values[number] for number in these.flat])

    right = Answer(listed(at))
    misread = _misread_values(scene.trace, values, at)
    wrong = [Answer(written(read), words) for read, words in misread]
    wrong += [Answer(listed(there), why) for there, why in beside]
    distinct = {each.text: each for each in reversed(wrong) if each.text != right.text}
    first = print_value(values[at[0]])
    backward = _("These are the right elements in reverse order: the first is {first}.")
    late = _("These are the right elements, each one place too late: the first is {first}.")
    for turned, words in ((at[::-1], backward), (np.roll(at, 1), late)):
        why = words.format(first=first)
        if len(distinct) < MOST_WRONG and listed(turned) != right.text:
            distinct.setdefault(listed(turned), Answer(listed(turned), why))
    if not distinct:
        return None
    dice = Dice(seed + right.text)
    likely = [each for each in wrong if distinct.get(each.text) is each]
    others = [each for each in distinct.values() if each not in likely]
    mixed = dice.shuffled([right, *evened(right, [*likely, *others], dice)])
    return PresetAnswers(tuple(mixed), CELLS)


def _among_numbers(text: str) -> tuple[Answer, ...]:
    """A number among others, where no mistake is known."""
    number, dice = float(text), Dice(text)
    others = (number + 1, number - 1, 2 * number, number + 2, number / 2, number**2)
    near = [each for each in others if each > 0 and each % 1 == number % 1]
    texts = dict.fromkeys(str(int(each) if each % 1 == 0 else each) for each in near)
    wrong = [Answer(each, right_is(text)) for each in texts if each != text]
    return tuple(dice.shuffled([Answer(text), *evened(Answer(text), wrong, dice)]))


def _numbered(trace: Trace, name: str) -> Array:
    """The numbers of an output's elements, counted across all outputs."""
    before = 0
    for each, output in trace.outputs.items():
        if each == name or len(trace.outputs) == 1:
            return np.arange(before, before + output.size).reshape(output.shape)
        before += output.size
    raise AssertionError(name)


def _misread_values(
    trace: Trace, values: Sequence[np.generic], at: Array
) -> Iterator[tuple[list[np.generic], str]]:
    """What misconceptions put there, each with its misconception."""
    if indices_of(trace)[at].any():
        return
    sources = sources_of(trace)
    inputs = [value for x in travelling(trace).values() for value in x.flat]
    constants = np.flatnonzero(sources < 0)
    for misreading in misread_sources(trace):
        taken = misreading.source.ravel()[at].ravel()
        if (taken < 0).any() and not constants.size:
            continue
        read = [values[constants[0]] if each < 0 else inputs[each] for each in taken]
        yield read, misreading.words


def _beside(numbers: Array, name: str, index: str) -> Iterator[tuple[Array, str]]:
    """The same part of the output one place further, and one place before."""
    parts = [part.strip() for part in index.split(",")] if index else []
    for place, part in enumerate(parts):
        for by in (1, -1) if part != ":" else ():
            moved = int(part) + by
            if 0 <= moved < numbers.shape[place]:
                there = ", ".join([*parts[:place], str(moved), *parts[place + 1 :]])
                yield numbers[element_index(there, numbers)], f"{name}[{there}]"
