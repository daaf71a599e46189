"""What lessons, runs, presets and practice ask becomes questions that a class can answer."""

from __future__ import annotations

import re

import numpy as np
import pytest

from dmlviz.base.addresses import split_link
from dmlviz.base.errors import Error
from dmlviz.base.words import speaking
from dmlviz.classroom.compose import (
    as_questions,
    in_all_languages,
    lesson_polls,
    pick_polls,
    practice_polls,
    preset_polls,
    preset_question,
    run_polls,
    set_polls,
)
from dmlviz.classroom.polls import CONSTANT, read_answer, read_polls
from dmlviz.classroom.refusals import NoPicture
from dmlviz.classroom.showing import question_movement, question_picture
from dmlviz.engines.trace import run
from dmlviz.movement import VALUES
from dmlviz.states.code import CodeState
from dmlviz.teaching.code_presets import code_presets
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.plain import PLAIN
from dmlviz.teaching.practice import Practice, read_practice
from dmlviz.teaching.presets import preset, presets
from dmlviz.teaching.runs import runs
from dmlviz.teaching.sets import (
    ClassSet,
    LessonPick,
    PracticePick,
    PresetPick,
    RunPick,
    SetPart,
    StateQuestion,
    WrittenChoice,
)
from dmlviz.tensors import print_sizes


def test_a_class_answers_questions_in_plain_words_as_they_are_asked():
    kinds = {}
    for number in range(1, 13):
        question = Practice(3, PLAIN, "", number).question()
        (poll,) = pick_polls(PracticePick(3, PLAIN, "", number))
        kinds[question.kind, question.marked is None] = poll.kind
        assert poll.answer_text(poll.answer).endswith(question.choices[question.right].text)
    assert kinds == {
        ("value", False): "value",
        ("source", True): "choice",
        ("sizes", True): "value",
    }


def ran(poll):
    state = state_of(poll.link)
    inputs = state.inputs()
    given = next(iter(inputs.values())) if len(inputs) == 1 else inputs
    return state, run(state.operator(), given)


def check_copies(poll, trace, name, index):
    """As many outputs have the input element as their source."""
    moving = {n: x for n, x in trace.inputs.items() if trace.operator.role(n) == VALUES}
    before = 0
    for one, x in moving.items():
        if one == name or len(moving) == 1:
            break
        before += x.size
    number = before + int(np.ravel_multi_index(tuple(map(int, index.split(", "))), x.shape))
    kinds = trace.operator.index_slots()
    copies = sum((of == number).sum() for n, of in trace.sources.items() if n not in kinds)
    assert int(poll.answer) == copies


def check_by_the_engine(poll):
    """The answer is what the engine gives for the link."""
    state, trace = ran(poll)
    if poll.kind == "sizes":
        (output,) = trace.outputs.values()
        assert poll.answer == print_sizes(output.shape)
    if poll.kind == "value" and (asked := re.search(r"copies of (\w+)\[([\d, ]+)\]", poll.prompt)):
        check_copies(poll, trace, *asked.groups())
    elif poll.kind in ("cell", "value"):
        (pin,) = state.view.pinned
        names = list(trace.outputs)
        several = len(pin) > trace.outputs[names[0]].ndim
        name, index = (names[pin[0]], pin[1:]) if several else (names[0], pin)
        if poll.kind == "cell":
            assert poll.answer == str(int(trace.sources[name][index]))
        else:
            assert float(poll.answer) == float(trace.outputs[name][index])


def test_a_lesson_asks_its_predictions():
    for lesson in lessons():
        polls = lesson_polls(lesson)
        assert len(polls) == len(lesson.parts)
        for poll, part in zip(polls, lesson.parts, strict=True):
            # the prompt alone cannot be answered: "What will the row be?"
            assert poll.prompt == part.prediction.prompt.replace("`", "")
            assert poll.background == part.words.replace("`", "")
            state = state_of(part.link)
            runs = (
                state.code.strip()
                if isinstance(state, CodeState)
                else type(state.operator()).__name__
            )
            assert (runs in poll.settings) is not ("code" in part.prediction.hides_settings)
            assert int(poll.answer) == part.prediction.right
            whys = [choice.misconception for choice in poll.choices]
            assert [number for number, why in enumerate(whys) if not why] == [int(poll.answer)]
            assert poll.reveal == part.prediction.reveal.replace("`", "")
        assert [poll.repeat for poll in polls] == [
            lesson.link(number) for number in range(1, len(polls) + 1)
        ]


def test_a_run_asks_all_its_parts():
    for each in runs():
        polls = run_polls(each)
        assert len(polls) == len(each.parts)
        assert [poll.following for poll in polls] == [part.posed.following for part in each.parts]
        for poll, part in zip(polls, each.parts, strict=True):
            # of a lesson its part; a preset's own state is all there is to answer
            lesson = part.posed.learner.startswith("/lessons?")
            assert poll.repeat == (part.posed.learner if lesson else "")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_all_questions_pass_the_door(language):
    for lesson in lessons(language):
        polls = lesson_polls(lesson)
        assert read_polls(as_questions(polls)) == polls
    for each in runs(language):
        polls = run_polls(each)
        assert read_polls(as_questions(polls)) == polls


def test_a_preset_asks_its_question_then_sizes_and_a_source():
    asked, sizes, source = preset_polls(preset("tile-documentation"))
    assert (asked.kind, sizes.kind, source.kind) == ("value", "sizes", "cell")
    assert (asked.prompt, asked.answer) == (preset("tile-documentation").question, "9")
    assert sizes.misconceptions
    assert source.misconceptions
    check_by_the_engine(sizes)
    check_by_the_engine(source)


def test_each_preset_asks_what_the_engine_answers():
    for each in presets()[::6]:
        polls = preset_polls(each)
        # without input elements nothing but a setting could be asked for
        assert not each.opens or polls or not each.inputs, each.key
        assert not polls or read_polls(as_questions(polls)) == polls
        for poll in polls:
            if not poll.key.endswith("-question"):
                check_by_the_engine(poll)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_presets_ask_their_own_questions(language):
    with speaking(language):
        every = (*presets(), *code_presets())
        asked = {each.key: poll for each in every if (poll := preset_question(each))}
        named = {each.key: each for each in every}
        assert len(asked) > len(every) / 2
        for key, poll in asked.items():
            assert read_polls(as_questions((poll,))) == (poll,), key
            right = poll.choices[int(poll.answer)].text if poll.choices else poll.answer
            answer = named[key].answer
            # the answer's first words; it calls A and B by their letters, or by what differs
            if poll.compares and poll.mark(0) == "A":
                value = right.rpartition(" ")[2]
                right = value if answer.startswith(value) else poll.mark(int(poll.answer))
            # of several places the words between them are the author's
            parts = right.split("; " if "; " in right else ", ")
            assert right in answer or all(part in answer for part in parts), key
            texts = [choice.text for choice in poll.choices]
            assert len(set(texts)) == len(texts), key
            # of yes and no, the answer says what is wrong
            if len(texts) > 2:
                why = [choice.misconception for choice in poll.choices]
                assert [n for n, text in enumerate(why) if not text] == [int(poll.answer)], key
            assert poll.prompt == named[key].question.replace("`", ""), key


def test_a_preset_that_offers_two_lists_asks_for_one_of_them():
    poll = preset_question(preset("slice-size-or-end"))
    assert [choice.text for choice in poll.choices] == ["3, 4", "3, 4, 5, 6"]
    assert poll.answer == "1"


def test_a_comparison_is_asked_as_one_or_discussed_and_never_about_a_alone():
    (asked,) = preset_polls(preset("padding-mirrors"))
    assert [choice.text for choice in asked.choices] == [
        "PaddingMode REFLECTION",
        "PaddingMode SYMMETRIC",
    ]
    assert asked.answer_text(asked.answer) == "B: PaddingMode SYMMETRIC"
    assert asked.misconception("0").startswith("REFLECTION does not: 4, 3, 2, 1, 2")
    (asked,) = pick_polls(PresetPick("gather-axis"))
    assert (asked.kind, asked.compares) == ("discussion", True)
    assert asked.prompt == preset("gather-axis").question


def test_a_preset_whose_answer_is_in_words_is_not_asked():
    for key in ("depth-to-space-first", "top-k-documentation", "scatter-twice"):
        assert preset_question(preset(key)) is None


@pytest.mark.slow
@pytest.mark.parametrize("operator", ["", "padding", "top-k", "join", "scatter-nd"])
def test_practice_asks_what_the_engine_answers(operator):
    polls = practice_polls(7, 10, 1, operator)
    assert len(polls) == 10
    assert polls == practice_polls(7, 10, 1, operator)
    assert read_polls(as_questions(polls)) == polls
    for poll in polls:
        check_by_the_engine(poll)
        # the very question, of this seed
        again, problems = read_practice(split_link(poll.repeat).parameters, Practice(0))
        assert (again.seed, again.operator, problems) == (7, operator, ())
        question = again.question()
        # the settings have a line of their own
        parts = (question.words, question.rule, question.asks)
        assert " ".join(filter(None, parts)) == poll.prompt
        wrong = [answer for answer, _why in poll.misconceptions]
        assert poll.answer not in wrong
        assert all(read_answer(poll, answer) == answer for answer in wrong)


@pytest.mark.slow
def test_practice_asks_all_kinds():
    polls = practice_polls(3, 40)
    assert {poll.kind for poll in polls} == {"choice", "cell", "sizes", "value"}
    cell = next(poll for poll in polls if poll.kind == "cell")
    assert cell.tensors
    assert int(cell.answer) < sum(int(np.prod(t.sizes)) for t in cell.tensors)


@pytest.mark.slow
def test_a_question_of_settings_shows_its_output_and_one_of_refusals_nothing():
    polls = practice_polls(3, 40, level=2)
    assert {poll.hides for poll in polls if poll.kind == "choice"} >= {"all", "nothing"}


@pytest.mark.parametrize("count", [0, 61])
def test_a_class_has_so_many_questions(count):
    with pytest.raises(Error):
        practice_polls(3, count)


def test_a_teachers_class_asks_each_part_or_discusses_it():
    code = "/code?code=x.T&sizes=x:2,3"
    words = (WrittenChoice("Memory"), WrittenChoice("Time"))
    picks = (
        LessonPick("tile", 1),
        RunPick("gather-and-scatter", 2),
        PresetPick("tile-documentation"),
        PresetPick("code-patches"),
        PracticePick(7, 1, "tile", 1),
        StateQuestion(code, "sizes"),
        StateQuestion(code, "value", cell="0, 1"),
        StateQuestion(code, "source"),
        StateQuestion(code, "choice", "What does it save?", choices=words),
        StateQuestion("", "choice", "What does it save?", choices=words),
        # nobody can vote on these, but everybody can talk
        StateQuestion(code, "open"),
        StateQuestion("", "open", "What does it save?"),
        LessonPick("nothing", 1),
    )
    parts = tuple(SetPart(pick, n, f"notes {n}") for n, pick in enumerate(picks, 1))
    polls = set_polls(ClassSet("Mine", parts))
    asked = {
        number: [p for p in polls if p.key.startswith(f"{number}-")] for number in range(1, 14)
    }
    assert [len(found) for found in asked.values()] == [1] * 12 + [0]
    assert all((asked[n][0].minutes, asked[n][0].notes) == (n, f"notes {n}") for n in range(1, 11))
    kinds = {number: asked[number][0].kind for number in (3, 4, 6, 7, 8, 9, 10)}
    typed = {3: "value", 6: "sizes", 7: "value"}
    assert kinds == {number: typed.get(number, "choice") for number in kinds}
    assert asked[6][0].answer == "{3, 2}"
    assert asked[7][0].answer == "4"
    assert [asked[n][0].kind for n in (11, 12)] == ["discussion"] * 2
    pictured = [poll for poll in polls if poll.hides != "all" and poll.link]
    assert all(poll.settings for poll in pictured), "what is run is named"
    with pytest.raises(NoPicture):
        question_picture(asked[10][0], False, 360)
    # as they are sent to the server
    assert read_polls(as_questions(polls)) == polls


def test_choices_between_a_and_b_have_their_letters():
    (asked,) = pick_polls(PresetPick("tile-dimensions"))
    assert asked.compares
    assert [asked.answer_text(str(n)) for n in (0, 1)] == [
        "A: Repeats {1, 3}",
        "B: Repeats {3, 1}",
    ]
    # yes and no are neither A nor B
    (asked,) = pick_polls(PresetPick("resample-pytorch"))
    assert asked.compares
    assert asked.mark(0) == "1"


def test_whoever_taps_no_element_hears_why():
    (asked,) = pick_polls(PracticePick(1, 1, "tile", 3))
    assert asked.kind == "cell"
    assert asked.answer != str(CONSTANT)
    assert asked.answer_text(asked.answer) in asked.misconception(str(CONSTANT))


def test_no_picture_follows_the_question_which_choice_is_refused():
    (asked,) = pick_polls(PracticePick(1, 2, "gather", 3))
    assert "Which of these does Gather refuse?" in asked.prompt
    # the only state that can be shown is one that Gather accepts
    with pytest.raises(NoPicture):
        question_picture(asked, False, 360)
    with pytest.raises(NoPicture):
        question_movement(asked)
    assert asked.repeat.startswith("/practice")


def test_dmlvizs_own_words_come_in_each_language_and_a_teachers_as_written():
    own = StateQuestion(
        "/code?code=x.T&sizes=x:2,3", "choice", "Why, Ann?", choices=words_of("yes", "no")
    )
    picks = (
        own,
        LessonPick("tile", 1),
        PresetPick("tile-documentation"),
        PracticePick(7, 1, "", 1),
    )
    made = in_all_languages(lambda: set_polls(ClassSet("Mine", tuple(map(SetPart, picks)))))
    assert [poll.spoken() for poll in made] == list(made)
    with speaking("ko"):
        korean = [poll.spoken() for poll in made]
    assert korean[0].prompt == "Why, Ann?"
    assert [choice.text for choice in korean[0].choices] == ["yes", "no"]
    for poll, other in zip(made[1:], korean[1:], strict=True):
        assert any("가" <= letter <= "힣" for letter in other.prompt)
        assert (other.answer, len(other.choices)) == (poll.answer, len(poll.choices))
        assert not any("가" <= letter <= "힣" for letter in poll.prompt)
    # they are stored and sent as they are made
    assert read_polls(as_questions(made)) == made


def test_every_question_of_a_run_has_the_same_answer_in_each_language():
    made = in_all_languages(lambda: tuple(poll for run in runs() for poll in run_polls(run)))
    assert {tuple(name for name, _texts in poll.translations) for poll in made} == {("ko",)}


def words_of(*texts):
    return tuple(WrittenChoice(text) for text in texts)
