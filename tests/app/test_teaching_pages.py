"""The pages for teachers, and an explorer before a room, through AppTest."""

from __future__ import annotations

import base64
import re

import pytest

from dmlviz.app import teach_page
from dmlviz.app.text import plain
from dmlviz.base.addresses import PRESENT, split_link, write_link
from dmlviz.states.pages import read_any_link
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.practice import Practice
from dmlviz.teaching.presets import preset
from dmlviz.teaching.runs import runs
from dmlviz.teaching.worksheets import Sheet, worksheet


def test_a_worksheet_from_its_address(session):
    sheet = session.open("worksheet", seed="7", level="2", operator="padding", count="3")
    assert sheet.exceptions == []
    assert sheet.warnings == []
    assert [sheet.value(name) for name in ("seed", "operator", "count")] == [7, "padding", 3]
    (frame,) = sheet.at.get("iframe")
    expected = Sheet(7, 2, "padding", count=3)
    root = str(expected.address("http://localhost:8501"))
    page = frame.proto.srcdoc
    assert page in (
        worksheet(
            expected.questions(),
            expected.title(),
            description=expected.description(),
            address=address,
        )
        for address in ("", root)
    )


def test_widgets_change_the_worksheet_and_its_address(session):
    sheet = session.open("worksheet", seed="7")
    before = sheet.at.get("iframe")[0].proto.srcdoc
    sheet.set(operator="tile", seed=8)
    assert sheet.exceptions == []
    assert sheet.at.query_params == {"seed": "8", "operator": "tile"}
    assert sheet.at.get("iframe")[0].proto.srcdoc != before
    sheet.at.text_input("worksheet_title").set_value("<b>Monday</b>").run()
    assert "<h1>&lt;b&gt;Monday&lt;/b&gt;</h1>" in sheet.at.get("iframe")[0].proto.srcdoc


def test_what_is_wrong_in_a_worksheets_address_is_told(session, hostile):
    sheet = session.open("worksheet", seed=hostile, operator=hostile, count="4")
    assert sheet.exceptions == []
    assert len(sheet.warnings) == 2
    assert [sheet.value(name) for name in ("seed", "operator", "count")] == [1, "", 4]


def test_every_lesson_has_its_plan(session):
    page = session.open("teach", lesson="all")
    assert page.exceptions == []
    texts = "\n".join(page.texts)
    headings = [found.value for found in page.at.header]
    assert headings == [lesson.title for lesson in lessons()]
    folded = [found.label for found in page.at.expander]
    for lesson in lessons():
        for told in (*lesson.aims, lesson.plan.opening):
            assert told in texts
        for question in lesson.plan.questions:
            assert question.ask in folded
            for told in (question.right, question.wrong, question.following):
                assert told in texts
        for part in lesson.parts:
            assert any(plain(part.prediction.prompt) in label for label in folded)
            assert part.what_if.words.replace("`", "") in texts


@pytest.mark.parametrize("found", [*lessons(), *runs()], ids=lambda found: found.key)
def test_a_plan_has_an_address(session, found):
    kind = "run" if found in runs() else "lesson"
    page = session.open("teach", **{kind: found.key})
    assert page.exceptions == []
    assert page.warnings == []
    assert [heading.value for heading in page.at.header] == [found.title]
    assert page.at.query_params == {kind: found.key}


def test_what_is_chosen_becomes_the_address(session):
    page = session.open("teach")
    assert [heading.value for heading in page.at.header] == [lessons()[0].title]
    page.at.selectbox("teach_plan").set_value("run:slices-and-strides").run()
    assert page.at.query_params == {"run": "slices-and-strides"}
    assert [heading.value for heading in page.at.header] == ["Slices and strides"]
    page.at.selectbox("teach_plan").set_value("lesson:tile").run()
    assert page.at.query_params == {"lesson": "tile"}
    page.at.selectbox("teach_plan").set_value("all").run()
    assert len(page.at.header) == len(lessons())


@pytest.mark.parametrize("name", ["lesson", "run"])
def test_an_unknown_plan_is_told(session, hostile, name):
    page = session.open("teach", **{name: hostile})
    assert page.exceptions == []
    assert len(page.warnings) == 1
    assert [heading.value for heading in page.at.header] == [lessons()[0].title]


@pytest.mark.parametrize("kind", ["lesson", "run"])
def test_answers_are_folded_away(session, kind):
    key = {"lesson": "padding-modes", "run": "gather-and-scatter"}[kind]
    page = session.open("teach", **{kind: key})
    folded = {found.value for box in page.at.expander for found in (*box.markdown, *box.caption)}
    assert all(not box.proto.expanded for box in page.at.expander)
    open_texts = [text for text in page.texts if text not in folded]
    assert len(folded) > 10
    for text in open_texts:
        assert "**Answer:**" not in text
        assert "**Likely mistake:**" not in text
        assert "**Ask next:**" not in text


def test_every_state_of_a_plan_can_be_presented():
    states = [belief.link for lesson in lessons() for belief in lesson.plan.misunderstandings]
    states += [part.link for lesson in lessons() for part in lesson.parts]
    for link in states:
        words = split_link(link).parameters
        state = read_any_link(link).state
        again = read_any_link(write_link(state.key, words))
        assert again.state == state
        assert again.problems == ()


def test_without_lessons_the_page_says_so(session, monkeypatch):
    monkeypatch.setattr(teach_page, "lessons", tuple)
    page = session.open("teach")
    assert page.exceptions == []
    assert [found.value for found in page.at.info] == ["There are no lessons here yet."]


def test_a_room_sees_the_stage_alone(session):
    room = session.open("tile", present="true", repeats="1,1,2,2")
    assert room.exceptions == []
    (stage,) = room.stages
    told = stage["options"]["present"]
    assert told["hidden"] is False
    assert told["runs"] == "Tile \u00b7 Repeats {1, 1, 2, 2}"
    assert told["prompt"] == ""
    assert stage["payload"]["output"]["tensors"][0]["sizes"] == [1, 1, 4, 6]
    assert stage["link"]["shares"] is False
    for kind in ("button", "selectbox", "number_input", "title", "warning", "expander"):
        assert len(room.at.get(kind)) == 0, kind


def test_a_room_that_is_to_predict_sees_no_output_at_first(session):
    (stage,) = session.open("tile", present="true", predict="true").stages
    told = stage["options"]["present"]
    assert told["hidden"] is True
    assert told["hides"] == "sizes"
    assert told["prompt"] == preset("tile-documentation").question
    assert stage["options"]["predict"] is None


def test_two_settings_before_a_room(session):
    room = session.open("tile", present="true", compare="true", b_repeats="1,1,1,2")
    (stage,) = room.stages
    told = stage["options"]["present"]
    assert told["hidden"] is False
    assert told["runs"] == "Tile \u00b7 A: Repeats {1, 1, 3, 3} \u00b7 B: Repeats {1, 1, 1, 2}"
    assert stage["link"]["writes"]
    assert [tensor["name"] for tensor in stage["payload"]["output"]["tensors"]] == ["A", "B"]
    assert not any("differ" in text or "sizes" in text for text in room.texts)


def told_by(page):
    (stage,) = page.stages
    return stage["options"]["present"]


def test_a_refusal_waits_as_well(session):
    found = preset("gather-beyond")
    words = split_link(found.link).parameters
    room = session.open("gather", present="true", **words)
    assert room.exceptions == []
    assert room.errors == []
    told = told_by(room)
    assert told["hidden"] is True
    assert told["prompt"] == found.question
    assert found.refusal == told["reveal"]
    # what is sent to be drawn knows nothing of it
    (stage,) = room.stages
    assert set(stage["payload"]) == {"language"}
    assert "Input" in told["still"]["alt"]
    # the question mark goes when the answer comes: there is no output
    before, after = (base64.b64decode(told["still"][k][26:]).decode() for k in ("image", "after"))
    assert before.count("M0 11v.5") == 1
    assert before.replace("M-6 -5c0 -8 12 -8 12 0c0 5 -6 5 -6 10M0 11v.5", "X") == re.sub(
        r'(d=")[^"]*(" transform="translate\(72)', r"\1X\2", after
    )


def test_the_parts_of_a_lesson_before_a_room(session):
    lesson = next(one for one in lessons() if one.key == "padding-modes")
    for number, part in enumerate(lesson.parts, 1):
        room = session.open("present", lesson=lesson.key, part=str(number))
        assert room.exceptions == []
        told = told_by(room)
        assert told["prompt"] == part.prediction.prompt
        assert told["choices"] == [answer.text for answer in part.prediction.answers]
        assert told["right"] == part.prediction.right
        assert told["runs"].startswith("Padding \u00b7 PaddingMode ")
        assert told["hides"] == ("sizes" if number == 1 else "cells")
        assert told["place"].endswith(f"{number} of {len(lesson.parts)}")
        assert told["series"] is True
        assert told["hidden"] is True


@pytest.mark.parametrize("run", runs(), ids=lambda run: run.key)
def test_the_parts_of_a_run_before_a_room(session, run):
    for number, part in enumerate(run.parts, 1):
        room = session.open("present", run=run.key, part=str(number))
        assert room.exceptions == []
        assert room.warnings == []
        told = told_by(room)
        assert told["prompt"] == part.posed.prompt
        assert told["hidden"] is True
        assert (told["still"] is None) is bool(part.posed.link != preset("gather-beyond").link)


def test_a_belief_and_a_question_of_practice_before_a_room(session):
    lesson = lessons()[0]
    told = told_by(session.open("present", lesson=lesson.key, belief="1"))
    assert told["prompt"].startswith("True or false? ")
    assert told["reveal"]
    assert told["reveal"] not in told["prompt"]
    for number in range(1, 9):
        room = session.open("present", seed="7", number=str(number))
        assert room.exceptions == []
        told = told_by(room)
        question = Practice(7, number=number).question()
        assert told["choices"] == [choice.text for choice in question.choices]
        # the wall has the settings in a line of their own
        assert all(part in question.prompt for part in told["prompt"].split(". "))
        if question.kind == "setting":
            assert told["runs"] == type(question.operator).__name__
            assert told["hides"] == "nothing"


def test_a_room_without_a_question_leads_to_the_plans(session, hostile):
    page = session.open("present", lesson=hostile, part=hostile)
    assert page.exceptions == []
    assert len(page.warnings) == 2
    assert page.stages == []
    assert session.open("present").exceptions == []


def test_where_there_is_no_stage_there_is_a_way_back(session):
    room = session.open("tile", present="true", sizes="1,1,64,64", repeats="1,1,9,9")
    assert room.exceptions == []
    assert room.stages == []
    assert len(room.errors) == 1
    room.at.button("tile_leave").click().run()
    assert PRESENT not in room.at.query_params
    assert room.has("sizes")


@pytest.mark.parametrize("word", ["", "false", "yes"])
def test_another_word_is_no_room(session, word):
    page = session.open("tile", present=word)
    assert page.exceptions == []
    assert page.has("repeats_0")


def test_practice_asks_what_the_worksheet_asks(session):
    from urllib.parse import parse_qsl, urlsplit

    sheet = Sheet(7, 2, "padding", count=1)
    words = dict(parse_qsl(urlsplit(sheet.address("http://host/")).query))
    page = session.open("practice", **words)
    assert page.exceptions == []
    (question,) = sheet.questions()
    shown = "\n".join([*page.texts, *(caption.value for caption in page.at.caption)])
    assert question.settings
    for part in (question.asks, *question.settings):
        assert part in shown.replace("\\", "")
