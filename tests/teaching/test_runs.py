"""Runs: every part exists, every choice is checked by running it, nothing unexpected is taken."""

from __future__ import annotations

import tomllib

import pytest

from dmlviz.base.errors import Error
from dmlviz.base.words import ENGLISH, languages, speaking
from dmlviz.classroom.compose import practice_polls
from dmlviz.states import read_link
from dmlviz.teaching.answers import Answer
from dmlviz.teaching.claims import holds
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.posed import hidden_by, of_belief, of_part, of_practice, runs_line
from dmlviz.teaching.practice import Practice
from dmlviz.teaching.presets import preset
from dmlviz.teaching.questions import setup
from dmlviz.teaching.runs import RUNS, read_run, runs
from dmlviz.tensors.numbering import sizes_by_name
from tests.teaching.test_lessons import known
from tests.words.numbers import numbers

DUE = {
    "shuffle-and-padding": 20,
    "gather-and-scatter": 20,
    "slices-and-strides": 15,
    "convolution": 45,
}
PARTS = [
    (spoken, run.key, number)
    for spoken in languages()
    for run in runs(ENGLISH)
    for number in range(len(run.parts))
]
TEXT = (RUNS / "slices-and-strides.en.toml").read_text(encoding="utf-8")


@pytest.fixture(params=PARTS, ids=lambda given: f"{given[0]}-{given[1]}-{given[2] + 1}")
def part(request):
    """A part of a run in each language, while that is spoken."""
    spoken, key, number = request.param
    with speaking(spoken):
        yield next(run for run in runs() if run.key == key).parts[number]


def test_the_runs_that_are_due():
    assert {run.key: run.minutes for run in runs()}.items() >= DUE.items()
    for run in runs():
        assert run.link() == f"/teach?run={run.key}"
        assert run.opening
    shown = {run.key: set(run.operators) for run in runs()}
    assert shown["shuffle-and-padding"] == {"depth-to-space", "padding"}
    assert shown["gather-and-scatter"] >= {"gather", "scatter"}
    assert shown["slices-and-strides"] == {"slice", "strided"}


def test_every_part_has_what_a_teacher_needs(part):
    posed = part.posed
    assert posed.prompt
    assert posed.reveal
    assert posed.following
    assert posed.likely is not None
    assert posed.likely.why
    assert 2 <= len(posed.answers) <= 4
    assert len({answer.text for answer in posed.answers}) == len(posed.answers)
    assert read_link(posed.learner).problems == () or posed.learner.startswith("/lessons?")
    assert not state_of(posed.link).view.predict


def test_exactly_the_right_choice_is_right(part):
    right = part.posed.answers[part.posed.right]
    assert not right.why
    for answer in part.posed.answers:
        assert holds(answer.claim, part.posed.link) is (answer is right), answer.claim


def test_what_is_said_of_a_question_holds(part):
    for claim in part.claims:
        assert holds(claim, part.posed.link), claim


@pytest.mark.parametrize("path", sorted(RUNS.glob("*.toml")), ids=lambda path: path.name)
def test_no_number_is_said_that_nothing_vouches_for(path):
    key, language, _toml = path.name.split(".")
    with speaking(language):
        (run,) = (each for each in runs() if each.key == key)
        for raw, part in zip(tomllib.loads(path.read_text())["parts"], run.parts, strict=True):
            assert raw.keys() & {"claims", "lesson", "seed"}, part.posed.prompt
            claims = [*part.claims, *(answer.claim for answer in part.posed.answers)]
            said = numbers(raw.get("next", ""), language)
            assert said <= known(part.posed.link, claims), part.posed.following


def test_the_line_says_what_runs():
    lesson = {lesson.key: lesson for lesson in lessons()}
    told = of_part(lesson["padding-modes"], 5).runs
    assert told == "Padding · PaddingMode WRAP, StartPadding {0, 2}, EndPadding {0, 3}"
    # what is asked for is not said
    asked = of_part(lesson["depth-to-space-orders"], 3)
    assert asked.runs == "DepthToSpace · BlockSize 2"
    assert "3_1" in of_part(lesson["feature-levels"], 1).runs
    both = runs_line(preset("slice-way-back").state)
    assert both.endswith("· A: InputWindowStrides {-2} · B: InputWindowStrides {2}")


@pytest.mark.parametrize(
    ("claims", "texts", "hides"),
    [
        (["sizes = {1}", "sizes = {2}"], ["{1}", "{2}"], "sizes"),
        (["elements = 1", "elements = 2"], ["1", "2"], "sizes"),
        (["refused = a", "refused = b"], ["a", "b"], "sizes"),
        (["out[0] = 1", "out[0] = 2"], ["1", "2"], "cells"),
        (["source of out[0] = in[1]", "source of out[0] = in[2]"], ["in[1]", "in[2]"], "cells"),
        # as many numbers as there are columns
        (["out[:] = 1, 2", "out[:] = 1, 2, 3"], ["1, 2", "1, 2, 3"], "sizes"),
        (["input sizes = {1}", "input sizes = {2}"], ["{1}", "{2}"], "all"),
    ],
)
def test_what_waits_follows_from_what_is_asked(claims, texts, hides):
    answers = [Answer(text, "", claim) for text, claim in zip(texts, claims, strict=True)]
    assert hidden_by(answers) == hides


def test_every_question_about_sizes_hides_them():
    for lesson in lessons():
        for number, part in enumerate(lesson.parts, 1):
            claims = [answer.claim for answer in part.prediction.answers]
            if any(claim.startswith(("sizes", "elements", "refused")) for claim in claims):
                assert of_part(lesson, number).hides == "sizes"


def test_a_belief_does_not_say_what_is_so():
    for lesson in lessons():
        for number, belief in enumerate(lesson.plan.misunderstandings, 1):
            posed = of_belief(lesson, number)
            assert posed.reveal
            assert posed.reveal in belief.words.replace("`", "")
            assert posed.reveal not in posed.prompt


def test_a_question_about_feature_levels_has_their_table_on_the_wall():
    asked = [Practice(1, 3, "", number) for number in range(1, 9)]
    needs = [each.question().shows == "support" for each in asked]
    assert any(needs)
    assert [bool(of_practice(each).support) for each in asked] == needs
    prompts = [poll.prompt for poll in practice_polls(1, 8, 3)]
    assert len(prompts) == 8
    assert not set(prompts) & {
        each.question().prompt for each, n in zip(asked, needs, strict=True) if n
    }


@pytest.mark.parametrize("number", range(1, 13))
def test_practice_says_what_runs_once(number):
    question = Practice(7, number=number).question()
    posed = of_practice(Practice(7, number=number))
    assert setup(question.operator, sizes_by_name(question.inputs)) not in posed.prompt
    assert [answer.text for answer in posed.answers] == [c.text for c in question.choices]
    assert posed.right == question.right
    assert posed.learner == f"/practice?seed=7&level=1&number={number}"
    if question.kind == "refused":
        assert posed.link == ""
    if question.kind == "setting":
        assert posed.runs == type(question.operator).__name__
        assert posed.hides == "nothing"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("minutes = 15", "minutes = 16", "minutes"),
        ("minutes = 3", "minutes = 0", "parts[0].minutes"),
        ('preset = "slice-reverse"', 'preset = "slice-nothing"', "parts[1].preset"),
        ('preset = "slice-reverse"', 'lesson = "tile"\npart = 2', "parts[1].answer: unknown key"),
        ('preset = "slice-reverse"', "seed = 7\nlevel = 9\nnumber = 1", "parts[1]"),
        ("next = ", "nxt = ", "parts[0].next"),
        ("title = ", "titel = ", "title"),
        ('why = "', 'why = ""\nwhat = "', "choices"),
        ("title = ", "title = = ", "run.toml"),
    ],
)
def test_a_file_with_anything_unexpected_is_refused(old, new, said):
    assert old in TEXT
    with pytest.raises(Error) as refused:
        read_run(TEXT.replace(old, new, 1), "run", "run.toml")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ('lesson = "nothing"\npart = 1', "parts[0].lesson: it must be one of tile, dimensions, "),
        ('lesson = "tile"\npart = 9', "parts[0].part: the lesson has 3 parts."),
        ('lesson = "tile"', "parts[0].part: it is missing."),
        ('preset = "slice-reverse"', "parts[0].next: it is missing."),
        ('preset = "slice-reverse"\nnext = 7', "parts[0].next: it must be a text."),
    ],
)
def test_a_part_names_what_there_is(part, said):
    text = f'title = "t"\nminutes = 2\nopening = "o"\n[[parts]]\nminutes = 2\n{part}\n'
    with pytest.raises(Error) as refused:
        read_run(text, "run", "run.toml")
    assert str(refused.value).startswith(f"run.toml: {said}")


def test_a_part_may_be_a_question_of_practice():
    text = 'title = "t"\nminutes = 2\nopening = "o"\n[[parts]]\nminutes = 2\nseed = 7\nlevel = 1\n'
    text += 'operator = "tile"\nnumber = 1\nnext = "n"\n'
    (part,) = read_run(text, "run", "run.toml").parts
    assert part.posed.learner == "/practice?seed=7&level=1&operator=tile&number=1"
    with pytest.raises(Error):
        read_run(text.replace('"tile"', '"nothing"'), "run", "run.toml")
