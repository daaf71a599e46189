"""Exercises for a pencil: what is given and what is answered is what the engine did."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest

import dmlviz
from dmlviz.base.words import speaking
from dmlviz.base.words.particles import bound
from dmlviz.operators import OPERATORS, operator_class
from dmlviz.teaching.exercises import EXERCISES, MOST_CELLS, Exercise, exercise
from dmlviz.teaching.kinds import KINDS
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.posed import bare, of_part
from dmlviz.teaching.questions import LEVELS, Question
from dmlviz.teaching.worksheets import Sheet, lesson_questions, read_sheet, worksheet
from dmlviz.verify import read_document, verify

KEYS = [cls.key for cls in OPERATORS]


def made(kind, operator, level):
    return exercise(5, 1, level=level, operator=operator, kind=kind)


@pytest.mark.parametrize("operator", KEYS)
@pytest.mark.parametrize("kind", EXERCISES)
def test_every_operator_has_every_exercise(kind, operator):
    if kind in operator_class(operator).unasked:
        with pytest.raises(dmlviz.Error, match=rf"gives no question 1 about .*, kind {kind}\."):
            made(kind, operator, 1)
        return
    for level in LEVELS:
        found = made(kind, operator, level)
        assert found.kind == kind
        assert sum(one.values.size for one in found.drawn) <= MOST_CELLS
        assert found.prompt
        assert found.answer or found.answered
        again = made(kind, operator, level)
        assert (found.prompt, found.lines, found.answer) == (
            again.prompt,
            again.lines,
            again.answer,
        )


def test_a_grid_hides_two_thirds_and_its_answer_is_whole():
    found = made("grid", "padding", 2)
    asked, answered = found.drawn[-1], found.answered[-1]
    assert asked.printed is not None
    assert len(asked.printed) == asked.values.size // 3
    np.testing.assert_array_equal(asked.values, answered.values)
    page, answers = worksheet([found], "x").split('<section class="answers">')
    filled = re.findall(r"<td>([^<]+)</td>", page)
    assert len(filled) == found.drawn[0].values.size + len(asked.printed)
    assert page.count("<td><b></b></td>") == asked.values.size - len(asked.printed)
    assert len(re.findall(r"<td>([^<]+)</td>", answers)) == answered.values.size


@pytest.mark.parametrize("operator", ["tile", "padding", "depth-to-space"])
def test_an_arrow_ends_where_its_value_lands(operator):
    for level in LEVELS:
        found = made("arrows", operator, level)
        given, asked = found.drawn
        told = re.findall(r"([a-d]): from in\[([\d, ]+)\] to out\[([\d, ]+)\]", found.answer)
        assert [letter for letter, _from, _to in told] == list(asked.marks.values())
        for (_letter, begins, ends), number in zip(told, asked.marks, strict=True):
            source, cell = (tuple(map(int, text.split(","))) for text in (begins, ends))
            assert given.values[source] == asked.values[cell] == asked.values.flat[number]


@pytest.mark.parametrize("operator", KEYS)
def test_a_mistake_is_the_only_one(operator):
    """The text does not verify; with the line of the answer it does."""
    if "mistake" in operator_class(operator).unasked:
        return
    for level in (1, 2):
        found = made("mistake", operator, level)
        line, right, wrong = re.fullmatch(r"Line (\d+): (.+), not (.+)", found.answer).groups()
        at = int(line) - 1
        assert wrong in found.lines[at]
        assert states(found.lines) != {"match"}
        places = [place.start() for place in re.finditer(re.escape(wrong), found.lines[at])]
        mended = (
            found.lines[at][:place] + right + found.lines[at][place + len(wrong) :]
            for place in places
        )
        assert any(
            states([*found.lines[:at], text, *found.lines[at + 1 :]]) == {"match"}
            for text in mended
        )


def states(lines):
    document = read_document("```\n" + "\n".join(lines) + "\n```\n")
    return {verdict.status for verdict in verify(document)}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_lesson_has_its_own_questions_and_every_exercise(language):
    with speaking(language):
        for lesson in lessons():
            sheet = Sheet(lesson=lesson.key)
            found = sheet.questions()
            assert len(found) == 8
            own = lesson_questions(lesson)
            first = own[:5]
            assert [one.prompt for one in found[: len(first)]] == [one.prompt for one in first]
            for question, part in zip(own, lesson.parts, strict=True):
                assert bare(part.prediction.prompt) == question.prompt
                assert question.right == part.prediction.right
            exercises = [one.kind for one in found if isinstance(one, Exercise)]
            assert exercises == list(EXERCISES)
            assert sheet.title() == lesson.title
            rest = [one for one in found[len(first) :] if isinstance(one, Question)]
            assert {one.operator.key for one in rest} <= set(lesson.operators)


def test_a_lessons_sheet_has_a_link_and_an_address():
    sheet = Sheet(7, lesson="tile")
    assert sheet.parameters() == {"seed": "7", "lesson": "tile"}
    assert read_sheet(sheet.parameters()) == (sheet, ())
    assert sheet.address("https://example.org/") == "https://example.org/lessons?lesson=tile"
    with pytest.raises(dmlviz.Error, match="lesson: there is no lesson"):
        Sheet(lesson="tiles")


def test_an_old_link_to_a_kind_that_cannot_be_asked_opens_all_kinds():
    sheet, problems = read_sheet({"operator": "tile", "kind": "setting"})
    assert sheet == Sheet(operator="tile")
    assert len(problems) == 1
    assert {one.kind for one in sheet.questions()} <= set(KINDS)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_lesson_in_code_has_its_code_and_its_words_on_paper(language):
    with speaking(language):
        lesson = next(each for each in lessons() if each.key == "reshape-and-transpose")
        page = worksheet(lesson_questions(lesson), lesson.title)
        posed = [of_part(lesson, number) for number in range(1, len(lesson.parts) + 1)]
    asked, answers = page.split('<section class="answers">')
    printed = re.findall(r"<code>(.*?)</code>", unescape(asked), re.DOTALL)
    # the line that is asked for is a choice only
    assert printed == [each.runs for each in posed if each.runs]
    assert len(printed) == len(posed) - 1
    assert all(each.words in unescape(asked) for each in posed)
    assert asked.count("<h3>x ") == len(posed)
    assert all(each.reveal not in unescape(asked) for each in posed)
    assert all(bound(each.reveal) in unescape(answers) for each in posed)
