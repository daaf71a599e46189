"""The pages for teachers, and an explorer before a room, through AppTest."""

from __future__ import annotations

import pytest

from dmlviz.addresses import PRESENT
from dmlviz.lessons import lessons
from dmlviz.states import read_link
from dmlviz.ui import teach_page
from dmlviz.ui.address import page_of
from dmlviz.worksheet import Sheet, worksheet


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
        worksheet(expected.questions(), expected.title(), told=expected.told(), address=address)
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
    page = session.open("teach")
    page.at.selectbox("teach_lesson").set_value("").run()
    assert page.exceptions == []
    texts = "\n".join(page.texts)
    headings = [found.value for found in page.at.header]
    assert headings == [lesson.title for lesson in lessons()]
    for lesson in lessons():
        for told in (*lesson.aims, *lesson.plan.questions, lesson.plan.opening):
            assert told in texts
        for belief in lesson.plan.misunderstandings:
            assert belief.words in texts


def test_every_state_of_a_plan_can_be_presented():
    states = [belief.link for lesson in lessons() for belief in lesson.plan.misunderstandings]
    states += [part.link for lesson in lessons() for part in lesson.parts]
    for link in states:
        page, words = page_of(link)
        state = read_link(link).state
        assert page == f"pages/{state.key.replace('-', '_')}.py"
        again = read_link(f"/{state.key}?" + "&".join(f"{k}={v}" for k, v in words.items()))
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
    assert stage["options"]["present"] == {"veiled": False}
    assert stage["payload"]["output"]["tensors"][0]["sizes"] == [1, 1, 4, 6]
    assert stage["link"]["shares"] is False
    for kind in ("button", "selectbox", "number_input", "title", "warning", "expander"):
        assert len(room.at.get(kind)) == 0, kind


def test_a_room_that_is_to_predict_sees_no_output_at_first(session):
    (stage,) = session.open("tile", present="true", predict="true").stages
    assert stage["options"]["present"] == {"veiled": True}
    assert stage["options"]["predict"] is None


def test_two_settings_before_a_room(session):
    room = session.open("tile", present="true", compare="true", b_repeats="1,1,1,2")
    (stage,) = room.stages
    assert stage["options"]["present"] == {"veiled": False}
    assert stage["link"]["writes"]
    assert [tensor["name"] for tensor in stage["payload"]["output"]["tensors"]] == ["A", "B"]
    assert not any("differ" in text or "sizes" in text for text in room.texts)


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
    shown = "\n".join([*page.texts, *(found.value for found in page.at.subheader)])
    for part in question.prompt.split(". "):
        assert part.strip(".?") in shown.replace("\\", "")
