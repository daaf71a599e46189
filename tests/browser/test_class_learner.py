"""A learner's phone during a whole class, in the real app; the server dies on the way."""

from __future__ import annotations

import contextlib
import os
import re
import time

import pytest

from dmlviz.classroom.compose import as_questions, lesson_polls
from dmlviz.teaching.lessons import lessons
from tests.browser.conftest import await_health, free_port, start
from tests.browser.test_access import RUN
from tests.classroom.serving import Lesson
from tests.classroom.test_pictures import LINK, PLACE, ROW, SIZES, VALUE
from tests.limits import TARGET

CHOICE = {
    "key": "choice",
    "kind": "choice",
    "prompt": "Which value does out[0, 0, 2, 4] hold?",
    "link": LINK,
    "repeat": "/lessons?lesson=tile&part=2",
    "choices": [
        {"text": "2"},
        {"text": "5", "misconception": "That is the row below."},
        {"text": "3", "misconception": "That is the column after it."},
    ],
    "answer": 0,
}
QUESTIONS = [CHOICE, PLACE, VALUE, {**VALUE, "key": "sizes", "kind": "sizes", "answer": "1,1,6,9"}]


class App:
    """The app with a database of its own; it can be killed and started again."""

    def __init__(self, database):
        self.port = free_port()
        self.environment = {**os.environ, "DMLVIZ_DATABASE": str(database)}
        self.start()

    @property
    def address(self):
        return f"http://localhost:{self.port}"

    def start(self):
        self.process = start(self.port, env=self.environment)
        await_health(self.process, self.port)

    def kill(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def only_app(tmp_path_factory):
    started = App(tmp_path_factory.mktemp("class") / "x.sqlite")
    yield started
    started.kill()


@pytest.fixture
def app(only_app):
    """The app, running: a test that kills it and fails does not take the others with it."""
    if only_app.process.poll() is not None:
        only_app.start()
    return only_app


class Telephone:
    """A page of 390 by 740, and what went wrong in it."""

    def __init__(self, browser, app, **more):
        self.app, self.problems, self.asked = app, [], []
        self.context = browser.new_context(viewport={"width": 390, "height": 740}, **more)
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self.told)
        self.page.on("request", lambda request: self.asked.append(request.url))

    def told(self, message):
        if message.type == "error":
            self.problems.append(f"{message.text} {message.location.get('url')}")

    def phase(self, name):
        self.page.wait_for_selector(f"body[data-phase={name}]")

    def says(self, text, where=".sending"):
        self.page.locator(where, has_text=text).first.wait_for()

    def tap(self, row, column):
        """An element of the input, in the middle, as the server says where it is."""
        box = self.page.locator(".board").bounding_box()
        asked = "async () => (await fetch(`${location.origin}/class/CODE/picture?number=1`)).json()"
        code = self.page.url.rpartition("=")[2]
        drawn = self.page.evaluate(asked.replace("CODE", code))
        x, y, wide, high = drawn["cells"]["InputTensor"][row * 3 + column]
        scale = box["width"] / drawn["width"]
        self.page.mouse.click(box["x"] + (x + wide / 2) * scale, box["y"] + (y + high / 2) * scale)


@pytest.fixture
def phone(browser, app):
    made = []

    def make(**more):
        made.append(Telephone(browser, app, **more))
        return made[-1]

    yield make
    for each in made:
        assert each.problems == []
        each.context.close()


def bottom(part):
    box = part.bounding_box()
    return box["y"] + box["height"]


def stored(lesson, answer, question=0):
    """Wait until a row of the report counts an answer."""
    for _attempt in range(100):
        row = lesson.teacher.get(f"{lesson.path}/results")[1]["rows"][question]
        if any(turn["votes"] and answer in turn["counts"] for turn in row["rounds"]):
            return
        time.sleep(0.05)
    raise AssertionError(row)


def test_a_whole_class(app, phone):
    lesson = Lesson(app.port, QUESTIONS, title="Tiles", seconds=60)
    ann = phone(color_scheme="dark", locale="en-GB")
    page = ann.page
    page.goto(f"{app.address}/class")
    # wrong codes: a sentence, and what was typed stays
    page.fill(".code", "abc")
    page.keyboard.press("Enter")
    ann.says("four letters", ".problem")
    page.fill(".code", f" {lesson.code.lower()} ")
    page.keyboard.press("Enter")
    ann.phase("join")
    assert page.url == f"{app.address}/class?code={lesson.code}"
    lesson.move("ask")
    ann.phase("ask")
    assert re.fullmatch(r"1:00|0:5\d", page.locator(".clock").inner_text())
    assert page.evaluate("document.body.scrollWidth") <= 390
    # an answer, and another one
    page.locator(".choice").nth(0).click()
    ann.says("Sent: A")
    page.locator(".choice").nth(1).click()
    ann.says("Sent: B")
    stored(lesson, "1")
    assert page.locator(".choice").nth(1).get_attribute("aria-pressed") == "true"
    # the page is loaded again: everything is as it was
    page.reload()
    ann.says("Sent: B")
    assert page.locator(".choice").nth(1).get_attribute("aria-pressed") == "true"
    page.locator(".lost").click()
    page.wait_for_selector(".lost[aria-pressed=true]")
    lesson.move("closed")
    ann.says("Voting is closed.", ".phase")
    page.locator(".choice").nth(0).click(force=True)
    page.set_viewport_size({"width": 390, "height": 180})
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    assert page.evaluate("window.scrollY") > 100
    lesson.move("discuss")
    ann.says("Talk with your neighbor", ".phase")
    line, bar = page.locator(".phase").bounding_box(), page.locator("header").bounding_box()
    assert bar["y"] + bar["height"] <= line["y"] < 250
    ann.says("Your answer: B (5)")
    assert not [url for url in ann.asked if "player.js" in url and "prefetch" not in url][1:]
    lesson.move("again")
    ann.says("your first answer", ".note")
    # the server knows it when the page is loaded again
    page.reload()
    ann.says("your first answer", ".note")
    lesson.change(paused=True)
    ann.says("Paused", ".phase")
    lesson.change(paused=False)
    ann.phase("again")
    page.locator(".choice").nth(1).click()
    ann.says("Sent: B")
    lesson.move("closed_again")
    ann.phase("closed_again")
    assert page.locator(".verdict").inner_text() == ""
    lesson.move("reveal")
    ann.says("Not right.", ".verdict")
    ann.says("That is the row below.", ".verdict")
    ann.says("The answer is A (2).", ".verdict")
    # what is wrong with the others stands below each of them
    notes = page.locator(".choice .note").all_inner_texts()
    assert notes == ["right", "your answer", "That is the column after it."]
    # the movement plays by itself
    page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    page.wait_for_function("Number(document.querySelector('.dmlviz-player').dataset.t) > 0.5")
    # then the teacher leads
    lesson.change(step=3)
    page.wait_for_selector(".movement.led")
    page.wait_for_function("document.querySelector('.dmlviz-player').dataset.t === '3'")
    lesson.change(step=-1)
    page.wait_for_selector(".movement:not(.led)")

    # a cell, by finger and by keys
    page.set_viewport_size({"width": 390, "height": 740})
    lesson.move("ask")
    page.wait_for_selector(".view.taps")
    ann.says("Tap the element in Input", ".hint")
    ann.tap(1, 2)
    ann.says("Sent: in[0, 0, 1, 2]")
    page.locator(".view").focus()
    for key in ("ArrowUp", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    ann.says("Sent: in[0, 0, 0, 1]")
    assert page.locator("rect.chosen").count() == 1
    stored(lesson, "1", 1)
    lesson.move("closed")
    lesson.move("reveal")
    ann.says("Right.", ".verdict")
    assert not page.locator(".hint").is_visible()
    assert page.locator("rect.right").count() == 1
    # once the teacher has gone on, the phone may not ask for this movement
    page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    lesson.move("ask")
    # what is no number stays in the field, which has the reason below it
    page.set_viewport_size({"width": 320, "height": 568})
    page.fill("#typed", "1/2")
    page.locator(".answers .primary").click()
    ann.says('"1/2" is not a number that can be an answer.', ".field .problem")
    foot = page.locator("footer").bounding_box()["y"]
    assert bottom(page.locator("#refused")) <= foot
    page.set_viewport_size({"width": 390, "height": 740})
    lesson.change(paused=True)
    ann.phase("paused")
    lesson.change(paused=False)
    ann.phase("ask")
    assert page.locator("#typed").input_value() == "1/2"
    ann.problems.clear()
    page.fill("#typed", "6,0")
    assert not page.locator("#refused").is_visible()
    page.keyboard.press("Enter")
    ann.says("Sent: 6")
    lesson.move("ask", number=3)
    # no example that may be an answer
    ann.says("Sizes, separated by commas", ".field label")
    for wide, high in ((568, 320), (320, 568), (390, 740)):
        page.set_viewport_size({"width": wide, "height": high})
        assert page.locator(".field label").bounding_box()["height"] > 16
    assert not page.locator("#typed").get_attribute("placeholder")
    page.fill("#typed", "1 1 6 9")
    page.locator(".answers .primary").click()
    ann.says("Sent: {1, 1, 6, 9}")
    lesson.move("closed")
    lesson.move("reveal")
    ann.says("Right.", ".verdict")
    lesson.move("over")
    ann.phase("over")
    links = page.locator(".repeat")
    assert links.all_inner_texts() == [CHOICE["prompt"]]
    assert links.first.get_attribute("href").startswith("/lessons?lesson=tile&part=2&")
    lesson.teacher.ask("DELETE", lesson.path)
    page.wait_for_timeout(300)
    assert page.locator(".repeat").count() == 1


def test_the_server_dies_and_comes_back(app, phone):
    lesson = Lesson(app.port, QUESTIONS)
    ann = phone(locale="ko")
    page = ann.page
    page.goto(f"{app.address}/class/{lesson.code.lower()}")
    ann.phase("join")
    lesson.move("ask")
    page.locator(".choice").nth(0).click()
    ann.says("보낸 답: A")
    app.kill()
    page.wait_for_selector(".banner:not([hidden])")
    page.locator(".choice").nth(1).click()
    ann.says("자동으로 다시 전송됩니다")
    assert page.locator(".stored").count() == 0
    ann.problems.clear()
    app.start()
    # nobody touches the telephone: it waits up to 15 s before it asks again, and 12 s for an answer
    page.set_default_timeout(40_000)
    ann.says("보낸 답: B")
    stored(lesson, "1")
    page.wait_for_selector(".banner", state="hidden")
    lesson.move("closed")
    ann.phase("closed")
    # asleep while the class went on
    ann.context.set_offline(True)
    lesson.move("reveal")
    page.wait_for_timeout(200)
    ann.context.set_offline(False)
    ann.phase("reveal")
    page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    ann.problems.clear()


def test_all_that_a_question_needs_is_shown_and_can_be_reached(app, phone):
    (lesson,) = (each for each in lessons("en") if each.key == "depth-to-space-orders")
    asked = Lesson(app.port, as_questions(lesson_polls(lesson)), title="Orders")
    ann = phone(locale="en", has_touch=True)
    page = ann.page
    page.goto(f"{app.address}/class/{asked.code}")
    ann.phase("join")
    asked.move("ask")
    ann.says("A: Order DEPTH_COLUMN_ROW", ".settings")
    ann.says("the two planes take the channels in turns", ".background")
    page.wait_for_selector(".picture:not([hidden])")
    assert page.locator(".badge").all_inner_texts() == ["1", "2", "3"]
    # the page says that there is more, and goes there
    last = page.locator(".choice").last
    assert bottom(last) > page.locator("footer").bounding_box()["y"]
    page.locator(".more").tap()
    page.locator(".more").wait_for(state="hidden")
    assert bottom(last) <= page.locator("footer").bounding_box()["y"]
    page.evaluate("scrollTo(0, 0)")
    page.locator(".more").wait_for()
    page.locator(".choice").nth(1).tap()
    ann.says("Sent: 2")
    asked.move("closed")
    page.locator(".more").wait_for(state="hidden")
    # the choices to talk about are under nothing, or the page says that there is more
    asked.move("discuss")
    page.locator(".more").wait_for()
    asked.move("reveal")
    ann.says("The answer is 2 (A has 2, B has 1).", ".verdict")
    page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    names = "document.querySelector('.stage').dmlviz.payload.output.tensors.map((t) => t.name)"
    assert page.evaluate(names) == ["A", "B"]
    # no bar lies on the sentence about the step
    bar = page.locator(".dmlviz-player > .dmlviz-bar")
    assert bar.evaluate("e => getComputedStyle(e).position") == "static"
    # a question with its picture and three choices in one view, upright and on its side
    for wide, high in ((740, 390), (390, 740)):
        page.set_viewport_size({"width": wide, "height": high})
        asked.move("ask", number=0)
        asked.move("ask", number=1)
        ann.says("How many of the 16 elements differ?", ".prompt")
        page.wait_for_selector(".picture:not([hidden])")
        page.locator(".more").wait_for(state="hidden")
        foot = page.locator("footer").bounding_box()["y"]
        for part in (".prompt", ".board", ".choice >> nth=2"):
            assert bottom(page.locator(part)) <= foot, (part, wide)
        assert page.locator(".board").bounding_box()["height"] > 130
    page.locator(".choice").nth(0).tap()
    ann.says("Sent: 1")
    asked.move("closed")
    asked.move("reveal")
    page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    # on its side the movement stands beside the answer
    for wide, high in ((740, 390), (568, 320)):
        page.set_viewport_size({"width": wide, "height": high})
        page.wait_for_function(
            "document.querySelector('.movement').getBoundingClientRect().x > 200"
        )
        page.wait_for_selector('.dmlviz-player[data-ready="true"]')
        page.wait_for_function(
            "document.querySelector('.dmlviz-scrub').getBoundingClientRect().bottom <= innerHeight"
        )
        verdict = page.locator(".verdict").bounding_box()
        assert bottom(page.locator(".verdict")) <= high
        for part in (".stage .dmlviz-stage", ".dmlviz-scrub"):
            box = page.locator(part).bounding_box()
            assert verdict["x"] + verdict["width"] <= box["x"]
            assert bottom(page.locator(part)) <= high
        assert page.locator(".stage .dmlviz-board").bounding_box()["height"] > 140
    page.set_viewport_size({"width": 390, "height": 740})
    # on a small phone it is as wide as its place, and stays while the choices are scrolled to
    for wide, high, place in ((320, 568, 288), (568, 320, 260)):
        page.set_viewport_size({"width": wide, "height": high})
        asked.move("ask", number=0)
        asked.move("ask", number=1)
        ann.says("How many of the 16 elements differ?", ".prompt")
        page.wait_for_selector(".picture:not([hidden])")
        assert place * 0.6 < page.locator(".board").bounding_box()["width"] <= place
        page.locator(".choice").last.scroll_into_view_if_needed()
        page.locator(".choice").last.tap()
        ann.says("Sent: 3")
        if wide > high:
            assert 44 < page.locator(".board").bounding_box()["y"] < 80
    page.set_viewport_size({"width": 390, "height": 740})
    # settings that are asked for are not told, and the output is on screen
    asked.move("ask", number=2)
    ann.says("Which order was it?", ".prompt")
    assert page.locator(".settings").inner_text() == "DepthToSpace \u00b7 BlockSize 2"
    page.wait_for_function("document.querySelector('.board img')?.alt.includes('Output, sizes')")


def test_a_code_that_is_none(app, phone):
    ann = phone(locale="en")
    ann.page.goto(f"{app.address}/class?code=zzzz")
    ann.says("There is no class with this code.", ".problem")
    assert ann.page.locator(".code").input_value() == "ZZZZ"
    # the browser itself writes a line for the 404
    with contextlib.suppress(IndexError):
        assert "404" in ann.problems.pop()


def test_what_is_read_aloud_and_how_large_it_is(app, phone):
    lesson = Lesson(app.port, [SIZES])
    ann = phone(locale="en", reduced_motion="reduce", color_scheme="light")
    ann.page.goto(f"{app.address}/class/{lesson.code}")
    ann.phase("join")
    assert ann.page.locator(".phase").get_attribute("role") == "status"
    lesson.move("ask")
    ann.phase("ask")
    for target in ann.page.locator("button:visible, input:visible").all():
        assert target.bounding_box()["height"] >= TARGET
    lesson.move("closed")
    lesson.move("reveal")
    ann.page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    # nothing moves by itself: the end is there at once
    steps = "document.querySelector('.stage').dmlviz.steps"
    assert ann.page.evaluate(f"document.querySelector('.stage').dmlviz.t === {steps}")


def test_a_discussion_has_a_picture_and_nothing_to_answer(app, phone):
    talk = {"key": "talk", "kind": "discussion", "prompt": "Which way is shorter?", "link": LINK}
    lesson = Lesson(app.port, [{**talk, "answer": "", "told": "Rows first:\nout = [4]"}])
    ann = phone(locale="en")
    ann.page.goto(f"{app.address}/class/{lesson.code}")
    ann.phase("join")
    lesson.move("ask")
    ann.phase("discuss")
    ann.says("Talk about it with your neighbor.", ".phase")
    ann.page.locator(".picture img").wait_for()
    assert ann.page.locator(".answers *").count() == 0
    assert ann.page.inner_text(".sending") == ""
    lesson.move("reveal")
    # a formula has a line of its own
    ann.says("Rows first:", ".verdict")
    assert ann.page.inner_text(".verdict") == "Rows first:\nout = [4]"
    ann.page.wait_for_selector('.dmlviz-player[data-ready="true"]')


def test_a_word_is_typed(app, phone):
    word = {"key": "word", "kind": "text", "prompt": "Along which axis?", "link": LINK}
    lesson = Lesson(app.port, [{**word, "answer": "axis 1", "told": "It is axis 1."}])
    ann = phone(locale="en")
    ann.page.goto(f"{app.address}/class/{lesson.code}")
    ann.phase("join")
    lesson.move("ask")
    field = ann.page.get_by_label("Your answer")
    assert field.get_attribute("inputmode") == "text"
    assert ann.page.get_by_label("Plus or minus").count() == 0
    field.fill("x" * 41)
    ann.page.get_by_role("button", name="Send").click()
    ann.says("is not an answer of 1 to 40 characters.", "#refused")
    field.fill("Axis  1")
    ann.page.get_by_role("button", name="Send").click()
    stored(lesson, "axis 1")
    lesson.move("closed")
    lesson.move("reveal")
    ann.says("Right.", ".verdict")
    # the answer that was refused
    assert [each for each in ann.problems if " 400 " not in each] == []
    ann.problems.clear()


def test_nothing_serious_is_in_anybodys_way(app, phone, axe):
    lesson = Lesson(app.port, QUESTIONS)
    ann = phone(locale="en")
    page, wrong = ann.page, []
    page.goto(f"{app.address}/class")
    page.wait_for_selector(".code")
    page.evaluate(axe)

    def look(where):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(150)
            wrong.extend(f"{where}, {scheme}: {found}" for found in page.evaluate(RUN))

    look("door")
    page.fill(".code", lesson.code)
    page.keyboard.press("Enter")
    ann.phase("join")
    lesson.move("ask")
    page.locator(".choice").nth(1).click()
    ann.says("Sent: B")
    page.wait_for_selector(".picture:not([hidden])")
    look("choice")
    lesson.move("closed")
    lesson.move("reveal")
    ann.says("Not right.", ".verdict")
    page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    look("reveal")
    lesson.move("ask")
    page.wait_for_selector(".view.taps")
    look("cell")
    lesson.move("ask", number=2)
    page.wait_for_selector(".typed")
    look("value")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("question", [{**VALUE, "prompt": "What is out[0, 0, 2, 4]?"}, ROW])
def test_a_picture_is_the_same_on_arrival_and_when_the_page_is_loaded_again(app, phone, question):
    lesson = Lesson(app.port, [question])
    ann = phone()
    ann.page.goto(f"{app.address}/class?code={lesson.code}")
    ann.phase("join")
    lesson.move("ask")

    def drawn():
        ann.page.wait_for_selector(".picture:not([hidden]) img")
        ann.page.wait_for_timeout(200)
        return ann.page.locator(".board").bounding_box()

    arrived = drawn()
    ann.page.reload()
    assert drawn() == arrived
    # the last cell of a row of eleven is in view, too
    assert arrived["x"] >= 0
    assert arrived["x"] + arrived["width"] <= 390
