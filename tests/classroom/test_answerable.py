"""Every question that a class can be asked can be answered from what the class shows with it."""

from __future__ import annotations

import gzip
import json
import re
from xml.etree.ElementTree import fromstring

import pytest

from dmlviz.base.words import speaking
from dmlviz.classroom.compose import lesson_polls, practice_polls, preset_polls, run_polls
from dmlviz.classroom.refusals import NoPicture
from dmlviz.classroom.showing import question_movement, question_picture
from dmlviz.operators import operator_class
from dmlviz.states.code import CodeState
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.practice import Practice
from dmlviz.teaching.presets import presets
from dmlviz.teaching.questions import settings_text
from dmlviz.teaching.runs import runs

pytestmark = pytest.mark.slow

# in the documentation's formula for sizes, B is a block's size
_OTHER = re.compile(r"(?<![A-Za-z])B(?![A-Za-z]| \u00b7 )(?<!\u00b7 B)")
_PRACTICE = ((1, 1), (2, 2), (3, 3), (4, 1))


def names(operator):
    return {parameter.name for parameter in operator.parameters()}


def of_lessons(language):
    """The polls, each with the settings that its file declares as hidden."""
    for lesson in lessons(language):
        for poll, part in zip(lesson_polls(lesson), lesson.parts, strict=True):
            yield poll, set(part.prediction.hides_settings)


def of_runs(language):
    for each in runs(language):
        for poll, part in zip(run_polls(each), each.parts, strict=True):
            yield poll, set(part.posed.quiet)


def of_presets(_language):
    for each in presets():
        for poll in preset_polls(each):
            yield poll, set()


def of_practice(_language):
    for seed, level in _PRACTICE:
        for poll in practice_polls(seed, 50, level):
            question = Practice(seed, level, "", int(poll.key.rpartition("-")[2])).question()
            hidden = {
                "setting": names(question.operator),
                "refused": names(question.operator),
                "sizes": set(question.operator.same_sizes),
            }
            yield poll, hidden.get(question.kind, set())


@pytest.fixture(
    scope="module",
    params=[
        (source, language)
        for source in (of_lessons, of_runs, of_presets, of_practice)
        for language in ("en", "ko")
        if source in (of_lessons, of_runs) or language == "en"
    ],
    ids=lambda param: f"{param[0].__name__}-{param[1]}",
)
def asked(request):
    source, language = request.param
    with speaking(language):
        yield list(source(language))


def drawn(poll):
    return json.loads(gzip.decompress(question_picture(poll, False, 360)))


def texts(drawing):
    return ["".join(part.itertext()) for part in drawing.iter() if part.tag.endswith("text")]


def values_in_output(drawing):
    groups = [group for group in drawing.iter() if group.get("id") == "output"]
    return [text for group in groups for text in texts(group)]


def is_code(poll):
    return bool(poll.link) and isinstance(state_of(poll.link), CodeState)


def operators(poll):
    if not poll.link:
        # its choices are all there is
        return []
    state = state_of(poll.link)
    if isinstance(state, CodeState):
        return []
    return [one.operator() for one in (state, state.second()) if one is not None]


def test_all_sources_are_here():
    assert sum(len(list(of_practice("en"))) for _once in range(1)) == 200
    assert len(list(of_lessons("en"))) == sum(len(lesson.parts) for lesson in lessons())
    assert len(list(of_runs("en"))) == sum(len(each.parts) for each in runs())
    assert len(list(of_presets("en"))) > len(presets())


def test_every_question_names_its_settings_or_hides_them_on_purpose(asked):
    for poll, hidden in asked:
        if is_code(poll):
            code = state_of(poll.link).code.strip()
            assert (code in poll.settings) is not ("code" in hidden), poll.key
            assert code not in f"{poll.background} {poll.prompt}" or not hidden, poll.key
        for operator in operators(poll):
            assert poll.settings.partition(" ")[0] == type(operator).__name__, poll.key
            assert hidden <= names(operator), poll.key
            for name in names(operator):
                # such as "Repeats {2, 3}"; empty if it does not matter here
                told = settings_text(operator, names(operator) - {name})
                if name not in hidden:
                    assert told in poll.settings, (poll.key, told)
                elif told:
                    assert told not in f"{poll.settings} {poll.background} {poll.prompt}", poll.key


def test_a_setting_that_is_asked_for_is_declared():
    for lesson in lessons():
        for part in lesson.parts:
            claims = [answer.claim.partition(" = ")[0] for answer in part.prediction.answers]
            state = state_of(part.link)
            known = {p.name for key in state.operators for p in operator_class(key).parameters()}
            known = known or {state.key}
            assert {claim for claim in claims if claim in known} <= set(
                part.prediction.hides_settings
            ), part.title


def test_every_comparison_shows_and_plays_both_and_numbers_its_choices(asked):
    for poll, hidden in asked:
        both = len(operators(poll)) == 2
        assert poll.compares == both, poll.key
        words = " ".join([poll.prompt, *(choice.text for choice in poll.choices)])
        assert both or is_code(poll) or not _OTHER.search(words), poll.key
        marks = [poll.mark(number) for number in range(len(poll.choices))]
        # a choice that is one of the two settings has its letter
        pairs = zip("AB", poll.choices, strict=False)
        sides = all(f" {side}: {choice.text}" in poll.settings for side, choice in pairs)
        numbered = both and not sides
        assert marks == list("1234" if numbered else "ABCDEFGH")[: len(marks)], poll.key
        if not both:
            continue
        mine, other = (one.settings for one in operators(poll))
        same = {name for name in names(operators(poll)[0]) if mine[name] == other[name]}
        sides = [settings_text(one, same | hidden) for one in operators(poll)]
        assert any(sides), poll.key
        for side, text in zip("AB", sides, strict=True):
            # only one of them may have the setting, such as sizes of its output
            assert not text or f" {side}: {text}" in poll.settings, poll.key
        parts = [p for p in fromstring(drawn(poll)["svg"]).iter() if p.tag.endswith("text")]
        told = [next(part.itertext(), "") for part in parts]
        assert {"A", "B"} <= set(told), poll.key
        movement = json.loads(gzip.decompress(question_movement(poll)))
        # some operators have several outputs, such as A.OutputValueTensor
        runs = [tensor["name"].partition(".")[0] for tensor in movement["output"]["tensors"]]
        assert list(dict.fromkeys(runs)) == ["A", "B"], poll.key


def test_only_what_the_question_does_not_hide_is_in_the_picture(asked):
    for poll, hidden in asked:
        try:
            told = drawn(poll)
        except NoPicture:
            # then the choices name everything
            assert poll.hides == "all", poll.key
            continue
        values = values_in_output(fromstring(told["svg"]))
        if poll.hides == "nothing":
            assert values, poll.key
            assert hidden, poll.key
        else:
            assert not values, poll.key


@pytest.mark.parametrize("language", ["en", "ko"])
def test_which_order_it_was_is_asked_with_the_output(language):
    with speaking(language):
        poll = next(p for p, _hidden in of_lessons(language) if p.key == "depth-to-space-orders-3")
        told = drawn(poll)
    assert poll.settings == "DepthToSpace \u00b7 BlockSize 2"
    values = values_in_output(fromstring(told["svg"]))
    assert values[-4:] == ["5", "7", "5", "7"]
    # who listens gets the output too
    assert len(re.findall("UINT32", told["words"])) == 2
