"""A teacher's class through AppTest: parts added where they are met, edited, presented, held."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from dmlviz.app.remembered import CLASS_TEXT
from dmlviz.classroom.phases import ClassOptions
from dmlviz.classroom.polls import Poll
from dmlviz.classroom.refusals import Away
from dmlviz.classroom.store import OpenedClass
from dmlviz.teaching import set_exports
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.sets import (
    SET,
    ClassSet,
    LessonPick,
    PracticePick,
    PresetPick,
    SetPart,
    StateQuestion,
    WrittenChoice,
    read_set,
    write_set,
)

CODE = "/code?code=x.reshape(2,3,4).permute(0,2,1)&sizes=x:2,12&library=torch"
THREE = ClassSet(
    "Layouts",
    (
        SetPart(LessonPick("tile", 1), 5, "Ask twice."),
        SetPart(StateQuestion(CODE, "sizes"), 4),
        SetPart(PresetPick("tile-documentation"), 3),
    ),
)


def opened(session, chosen=THREE):
    return session.open("my_class", **{SET: write_set(chosen)})


def now(page):
    """The class in the address."""
    text = page.at.query_params[SET]
    return read_set(text if isinstance(text, str) else text[0])


def press(page, key):
    page.at.button(key).click().run()
    assert page.exceptions == []
    return now(page)


def test_the_address_is_the_class(session):
    page = opened(session)
    assert page.exceptions == []
    assert now(page) == THREE
    (title,) = [field for field in page.at.text_input if field.label == "Title"]
    assert title.value == "Layouts"
    assert [field.value for field in page.at.number_input] == [5, 4, 3]


def test_parts_in_the_same_words_are_told_apart(session):
    lesson = next(each for each in lessons() if each.key == "slice")
    parts = [SetPart(LessonPick("slice", number)) for number in (1, 2, 3)]
    page = opened(session, ClassSet("", (*parts, SetPart(StateQuestion(CODE, "sizes")))))
    told = "\n".join(captions(page))
    for part in lesson.parts[:3]:
        assert f"{lesson.title} \u00b7 {part.title}" in told
    assert "x.reshape(2,3,4).permute(0,2,1)" in told
    page = session.open("speaker", **{SET: write_set(now(page))}, part="1")
    (following,) = [text for text in page.texts if text.startswith("**Next question:**")]
    assert lesson.parts[1].title in following


@pytest.mark.parametrize(
    ("pick", "words"),
    [
        (PracticePick(1, 1, "tile", 1), "number"),
        (PracticePick(1, 1, "tile", 3), "element"),
        (StateQuestion(CODE, "sizes"), "sizes"),
        (StateQuestion(CODE, "value"), "number"),
        (LessonPick("tile", 1), ""),
    ],
)
def test_a_preview_says_where_phones_show_no_choices(session, pick, words):
    page = session.open("my_class", **{SET: write_set(ClassSet("", (SetPart(pick),)))})
    page.at.session_state[f"set_preview_{page.at.session_state['class_edition']}_0"] = True
    page.at.run()
    told = [text for text in captions(page) if text.endswith("instead of choosing.")]
    assert len(told) == bool(words)
    assert all(words in text for text in told)


def test_a_handouts_texts_are_large_enough_to_read():
    style = (Path(set_exports.__file__).with_name("handout.css")).read_text(encoding="utf-8")
    assert min(map(float, re.findall(r"([\d.]+)pt", style))) >= 9
    # a picture is as wide as it was drawn, so that its labels are too
    assert "columns: 1" in style


def test_how_to_mark_the_right_choice_is_said_before_there_are_choices(session):
    page = session.open("my_class")
    page.at.segmented_control("set_source").set_value("words").run()
    assert any("Ctrl+Enter" in text and "right choice" in text for text in captions(page))
    assert "A question without choices is a discussion." in captions(page)
    page.at.text_area("set_words_choices").set_value("Memory\nTime").run()
    assert not any("Ctrl+Enter" in text or "discussion" in text for text in captions(page))


def test_parts_are_moved_removed_and_edited(session):
    page = opened(session)
    assert press(page, "set_down_0").parts == (THREE.parts[1], THREE.parts[0], THREE.parts[2])
    assert press(page, "set_up_2").parts == (THREE.parts[1], THREE.parts[2], THREE.parts[0])
    assert press(page, "set_remove_0").parts == (THREE.parts[2], THREE.parts[0])
    page.at.number_input[0].set_value(9).run()
    notes = [field for field in page.at.text_area if field.label == "Notes for yourself"]
    notes[1].set_value(" One\u2028two <b> \n\n# three\x07").run()
    assert now(page).parts == (
        SetPart(PresetPick("tile-documentation"), 9),
        SetPart(LessonPick("tile", 1), 5, "One\ntwo <b>\n# three"),
    )
    assert now(page).minutes == 14


def test_the_engine_answers_a_question_that_the_teacher_edits(session):
    page = opened(session, ClassSet("", (SetPart(StateQuestion(CODE, "sizes")),)))
    (kind,) = [box for box in page.at.selectbox if box.label == "Kind of question"]
    kind.set_value("value").run()
    (cell,) = [field for field in page.at.text_input if field.label == "Cell of the output"]
    cell.set_value("0, 1, 2").run()
    (wrong,) = [area for area in page.at.text_area if area.label.startswith("Wrong choices")]
    wrong.set_value("3 # It counts on.\n10").run()
    question = now(page).parts[0].pick
    assert question.choices == (WrittenChoice("3", "It counts on."), WrittenChoice("10"))
    posed = question.posed()
    assert posed.answers[posed.right].text == "10"
    assert "**Which value does out\\[0, 1, 2] hold?**" in page.texts or any(
        "out[0, 1, 2]" in text for text in page.texts
    )


def test_a_question_in_words_is_added(session):
    page = session.open("my_class")
    page.at.segmented_control("set_source").set_value("words").run()
    page.at.text_area("set_words").set_value("What does a view save?").run()
    page.at.text_area("set_words_choices").set_value("Memory\nTime # It takes as long.").run()
    # none is right because it stands first
    page.at.button("set_add_words").click().run()
    (toast,) = page.at.toast
    assert toast.value == "The right choice: mark one of the choices."
    assert page.at.text_area("set_words_choices").value.startswith("Memory")
    page.at.segmented_control("set_words_right_2").set_value(1).run()
    (part,) = press(page, "set_add_words").parts
    assert part.pick.posed().right == 1
    assert page.at.text_area("set_words").value == "", "ready for the next one"


def test_a_button_that_comes_together_with_what_was_typed_adds_it(session):
    page = session.open("my_class")
    page.at.segmented_control("set_source").set_value("address").run()
    page.at.button("set_add_address").click().run()
    (toast,) = page.at.toast
    assert toast.value.startswith("Code or address: type a line of code")
    page.at.text_area("set_address").set_value("x.T")
    assert press(page, "set_add_address").parts[0].pick.link.startswith("/code?code=x.T")
    page.at.segmented_control("set_source").set_value("words").run()
    page.at.text_area("set_words").set_value("Which?")
    part = press(page, "set_add_words").parts[1]
    assert (part.pick.asks, part.pick.prompt) == ("open", "Which?")
    page.at.segmented_control("set_source").set_value("practice").run()
    page.at.number_input("set_practice_seed").set_value(7)
    assert press(page, "set_add_practice").parts[2].pick.seed == 7


def test_typed_code_is_shown_and_added_as_the_page_for_code_reads_it(session):
    page = session.open("my_class")
    page.at.segmented_control("set_source").set_value("address").run()
    page.at.text_area("set_address").set_value("x.reshape(3, 2, 2).transpose(0, 1)").run()
    assert any(each.value.startswith("PyTorch") for each in page.at.caption)
    (part,) = press(page, "set_add_address").parts
    assert "library=torch" in part.pick.link
    posed = part.pick.posed()
    assert posed.answers[posed.right].text == "{2, 3, 2}"
    # a preset's own line is a question of the teacher's too, which can be edited
    page.at.text_area("set_address").set_value("x.reshape(2, 3, 4).permute(0, 2, 1)").run()
    assert isinstance(press(page, "set_add_address").parts[1].pick, StateQuestion)
    page.at.text_area("set_address").set_value("nonsense here").run()
    (error,) = page.at.error
    assert "Python cannot read this" in error.value


def test_what_the_browser_gives_back_is_the_class_unless_there_is_one(session):
    page = session.open("my_class")
    page.at.session_state[CLASS_TEXT] = write_set(THREE)
    page.at.run()
    assert now(page) == THREE
    (title,) = [field for field in page.at.text_input if field.label == "Title"]
    assert title.value == "Layouts"
    # it may be anything
    page.at.session_state[CLASS_TEXT] = "<script>"
    page.at.run()
    assert page.exceptions == []
    assert now(page) == THREE


def captions(page):
    return [caption.value for caption in page.at.caption]


def test_a_part_says_what_phones_ask_and_what_the_answer_is(session):
    spaced = StateQuestion(
        "/code?code=x.T&sizes=x:2,3", "value", "Which value does out[0, 1] hold?"
    )
    # its answer is in words, on which nobody can vote
    words = SetPart(PresetPick("depth-to-space-first"))
    page = opened(session, ClassSet("", (words, SetPart(spaced))))
    phones = [text for text in captions(page) if text.startswith("In a class, phones ask")]
    assert len(phones) == 1
    assert "What are the sizes of the output?" in phones[0]
    (kind,) = [box for box in page.at.selectbox if box.label == "Kind of question"]
    (asked,) = [field for field in page.at.text_area if field.label == "Question"]
    asked.set_value("Where?").run()
    assert any(text.startswith("The answer is") for text in captions(page))
    kind.set_value("sizes").run()
    assert now(page).parts[1].pick.prompt == "Where?", "typed words stay"
    page = opened(
        session,
        ClassSet("", (SetPart(StateQuestion(CODE, "sizes", "What are the sizes of the output?")),)),
    )
    (kind,) = [box for box in page.at.selectbox if box.label == "Kind of question"]
    kind.set_value("value").run()
    assert now(page).parts[0].pick.prompt == ""


@pytest.mark.parametrize("bad", ["x", write_set(THREE)[:-3], "A" * 9_000, "<script>"])
def test_a_bad_address_gets_one_sentence_and_takes_nothing_away(session, bad):
    page = opened(session)
    page.open("my_class", **{SET: bad})
    assert page.exceptions == []
    assert len(page.warnings) == 1
    assert "not the whole address of a class" in page.warnings[0]
    title = [field for field in page.at.text_input if field.label == "Title"]
    assert title[0].value == "Layouts"


def test_parts_are_added_where_they_are_met(session):
    page = session.open("lessons", lesson="tile", part="2")
    page.at.button("lesson_add").click().run()
    page.open("practice", seed="7", level="1", operator="tile")
    page.at.button("practice_add").click().run()
    page.open("teach", run="gather-and-scatter")
    page.at.button("teach-add--present-run-gather-and-scatter-part-2").click().run()
    page.open("my_class")
    assert [type(part.pick).__name__ for part in now(page).parts] == [
        "LessonPick",
        "PracticePick",
        "RunPick",
    ]
    assert now(page).minutes == sum(part.minutes for part in now(page).parts) > 5


def test_it_is_presented_and_held(session):
    page = session.open("present", **{SET: write_set(THREE)}, part="2")
    assert page.exceptions == page.errors == []
    (stage,) = page.stages
    assert stage["options"]["present"]["place"].endswith("2 of 3")
    assert stage["options"]["present"]["prompt"] == "What are the sizes of the output?"
    page.open("start_class", **{SET: write_set(THREE)})
    assert page.exceptions == page.errors == []
    assert page.at.segmented_control("class_kind").value == SET


def test_a_class_starts_with_its_options(session, monkeypatch):
    asked = []

    def open_class(polls, title, seconds, _address, options):
        asked.append((title, len(polls), seconds, options))
        raise Away

    limits = SimpleNamespace(opened=SimpleNamespace(take=lambda _address: True))
    service = SimpleNamespace(limits=limits, store=SimpleNamespace(open_class=open_class))
    monkeypatch.setattr("dmlviz.app.class_page.class_service", lambda: service)
    page = session.open("start_class", **{SET: write_set(THREE)})
    page.at.button("class_start").click().run()
    page.at.toggle("class_finishes").set_value(True)
    page.at.selectbox("class_discussion").set_value(90)
    page.at.selectbox("class_nicknames").set_value("teacher")
    page.at.selectbox("class_theme").set_value("dark")
    page.at.button("class_start").click().run()
    assert page.exceptions == []
    assert asked == [
        ("Layouts", 3, 60, ClassOptions()),
        ("Layouts", 3, 60, ClassOptions(90, True, "teacher", "dark")),
    ]


def test_another_class_begins_as_the_last_one_did(session, monkeypatch):
    opened = OpenedClass("ABCD", "t", "w", 0)
    opening = SimpleNamespace(result=lambda _seconds: opened)
    limits = SimpleNamespace(opened=SimpleNamespace(take=lambda _address: True))
    store = SimpleNamespace(open_class=lambda *_asked: opening)
    service = SimpleNamespace(limits=limits, store=store)
    monkeypatch.setattr("dmlviz.app.class_page.class_service", lambda: service)
    page = session.open("start_class", seed="3", level="2", operator="gather")
    page.at.number_input("class_count").set_value(2).run()
    page.at.segmented_control("class_seconds").set_value(30)
    page.at.button("class_start").click().run()
    page.at.button("class_another").click().run()
    assert page.exceptions == []
    assert page.at.segmented_control("class_kind").value == "practice"
    assert page.at.selectbox("class_operator").value == "gather"
    assert page.at.number_input("class_count").value == 2
    assert page.at.segmented_control("class_seconds").value == 30


@pytest.mark.parametrize(
    "source",
    [{"lesson": "padding-modes"}, {"run": "convolution"}, {"preset": "tile-documentation"}],
)
def test_a_class_has_its_questions_in_every_language(session, monkeypatch, source):
    opened: list[tuple[Poll, ...]] = []

    def open_class(polls, *_others):
        opened.append(polls)
        return SimpleNamespace(result=lambda _seconds: OpenedClass("ABCD", "t", "w", 0))

    limits = SimpleNamespace(opened=SimpleNamespace(take=lambda _address: True))
    service = SimpleNamespace(limits=limits, store=SimpleNamespace(open_class=open_class))
    monkeypatch.setattr("dmlviz.app.class_page.class_service", lambda: service)
    page = session.open("start_class", **source)
    page.at.button("class_start").click().run()
    assert page.exceptions == page.errors == []
    (polls,) = opened
    for poll in polls:
        ((name, texts),) = poll.translations
        assert name == "ko"
        assert any("가" <= letter <= "힣" for letter in texts.prompt)


def test_only_the_speaker_sees_notes_and_mistakes(session):
    page = session.open("speaker", **{SET: write_set(THREE)}, part="1")
    assert page.exceptions == page.errors == []
    posed = THREE.parts[0].pick.posed()
    texts = "\n".join(page.texts)
    assert "**Notes:** Ask twice." in texts
    assert f"**Answer:** {'ABCD'[posed.right]} {posed.answers[posed.right].text}" in texts
    assert posed.likely.why[:30] in texts
    # which part is next, not only words that other parts have too
    (following,) = [text for text in page.texts if text.startswith("**Next question:**")]
    assert "What are the sizes of the output?" in following
    assert "permute(0,2,1)" in following
    (bar,) = page._components("minutes")
    (told,) = [json.loads(bar.proto.json)]
    page.open("present", **{SET: write_set(THREE)}, part="2")
    (stage,) = page.stages
    assert stage["options"]["present"]["group"] == told["series"], "they know each other"
    assert (told["at"], stage["options"]["present"]["at"]) == (1, 2)
    assert "Ask twice." not in json.dumps(stage)


def entries(page):
    """The list of what can be added: its buttons by their keys."""
    return {each.key: each for each in page.at.button if (each.key or "").startswith("set_offer_")}


def test_parts_are_added_and_removed_in_one_list(session):
    page = opened(session, ClassSet())
    page.at.text_input("set_find").set_value("gather").run()
    one, two = "set_offer_part-gather-1", "set_offer_part-gather-2"
    # a question is seen before it is added
    assert LessonPick("gather", 1).posed().prompt in entries(page)[one].label
    for key in (one, two):
        entries(page)[key].click().run()
        assert page.exceptions == []
        # the list stays, and shows what the class has
        assert entries(page)[key].icon == ":material/check_box:"
    assert [part.pick for part in now(page).parts] == [
        LessonPick("gather", 1),
        LessonPick("gather", 2),
    ]
    assert not page.at.toast
    entries(page)[one].click().run()
    assert [part.pick for part in now(page).parts] == [LessonPick("gather", 2)]


def test_a_whole_lesson_is_added_and_names_a_class_without_a_name(session):
    page = opened(session, ClassSet("", (SetPart(LessonPick("tile", 2), 7),)))
    entries(page)["set_offer_lesson-tile"].click().run()
    lesson = next(each for each in lessons() if each.key == "tile")
    assert now(page).title == lesson.title
    picks = [part.pick.number for part in now(page).parts]
    assert picks == [2, 1, 3], "what is there stays as it is"
    assert now(page).parts[0].minutes == 7


def test_minutes_are_fitted_to_a_class(session):
    page = opened(session)
    assert press(page, "set_fit").minutes == 45
    assert [field.value for field in page.at.number_input] == [
        part.minutes for part in now(page).parts
    ]
    assert page.at.button("set_fit").disabled

    def length():
        (bar,) = page.at.get("progress")
        return bar.proto.text

    assert length().startswith("**45 of 45 minutes** \u00b7 ")
    first = page.at.number_input[0]
    first.set_value(first.value + 2).run()
    assert length().startswith("**47 of 45 minutes** \u00b7 **2 minutes over** \u00b7 ")


def test_what_to_say_is_written_while_a_part_is_added(session):
    page = session.open("my_class")
    page.at.segmented_control("set_source").set_value("address").run()
    page.at.text_area("set_address").set_value("x.T")
    page.at.text_input("set_address_reveal").set_value("Rows become columns.")
    assert press(page, "set_add_address").parts[0].pick.reveal == "Rows become columns."
    assert page.at.text_input("set_address_reveal").value == ""
    page.at.text_area("set_address").set_value("/lessons?lesson=tile&part=1")
    page.at.text_input("set_address_reveal").set_value("Ask twice.")
    assert press(page, "set_add_address").parts[1].notes == "Ask twice."
    page.at.segmented_control("set_source").set_value("words").run()
    page.at.text_area("set_words").set_value("Why?")
    page.at.text_input("set_words_reveal").set_value("Because.")
    assert press(page, "set_add_words").parts[2].pick.reveal == "Because."


def test_a_practice_question_is_seen_before_it_is_added(session):
    page = opened(session, ClassSet())
    page.at.segmented_control("set_source").set_value("practice").run()
    posed = PracticePick(1, 1, "", 1).posed()
    assert f"**{posed.prompt}**" in page.texts
    listed = zip("ABCD", posed.answers, strict=False)
    assert "  \n".join(f"**{letter}** {each.text}" for letter, each in listed) in page.texts
    assert now(page) == ClassSet()


def test_code_is_asked_about_an_element_and_a_discussion_is_called_one(session):
    page = session.open("my_class")
    page.at.segmented_control("set_source").set_value("address").run()
    page.at.text_area("set_address").set_value("x.T").run()
    page.at.segmented_control("set_address_asks").set_value("source").run()
    assert press(page, "set_add_address").parts[0].pick.asks == "source"
    # what it is is said before it is added
    page.at.segmented_control("set_source").set_value("find").run()
    page.at.text_input("set_find").set_value("Gather axis").run()
    assert any("Discussion" in each.label for each in page.at.button)


def test_a_question_with_a_picture_is_seen_while_it_is_written(session):
    page = session.open("my_class")
    page.at.segmented_control("set_source").set_value("words").run()
    page.at.text_area("set_words").set_value("Where does 5 go?").run()
    assert "**Where does 5 go?**" not in [each.value for each in page.at.markdown]
    page.at.text_input("set_words_link").set_value("/code?code=x.T&sizes=x:2,3").run()
    assert "**Where does 5 go?**" in [each.value for each in page.at.markdown]
    page.at.text_input("set_words_link").set_value("/nowhere?x").run()
    assert page.at.error
