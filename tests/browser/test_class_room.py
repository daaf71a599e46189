"""A wall, a teacher's page and a telephone while things go wrong, in the real app."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, contextmanager

import pytest

from tests.browser.test_class_learner import QUESTIONS, App, Telephone, stored
from tests.browser.test_class_staff import Screen, phase
from tests.classroom.serving import Lesson

AWAY = "The class's database does not answer. Try again in a moment."


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    found = App(tmp_path_factory.mktemp("class") / "x.sqlite")
    yield found
    found.kill()


@contextmanager
def writing(app):
    """Somebody else writes into the database."""
    path = app.environment["DMLVIZ_DATABASE"]
    with closing(sqlite3.connect(path, isolation_level=None, timeout=10)) as database:
        database.execute("BEGIN IMMEDIATE")
        yield database
        database.execute("COMMIT")


class Room:
    """All that is open at the same time."""

    def __init__(self, browser, app):
        self.lesson = lesson = Lesson(app.port, QUESTIONS, title="Tiles", seconds=60)
        address = f"{app.address}{lesson.path}"
        self.wall = Screen(browser, f"{address}/wall?lang=en#{lesson.wall_token}")
        self.teacher = Screen(browser, f"{address}/teach?lang=en#t={lesson.teacher.token}")
        self.phone = Telephone(browser, app, locale="en")
        self.phone.page.goto(f"{app.address}/class?code={lesson.code}")

    def all_see(self, name):
        self.phone.phase(name)
        for screen in (self.wall, self.teacher):
            phase(screen, name)

    def forget_problems(self):
        for each in (self.wall, self.teacher, self.phone):
            each.problems.clear()

    def close(self):
        self.wall.close()
        self.teacher.close()
        assert self.phone.problems == []
        self.phone.context.close()


def clock(screen, where):
    return screen.page.locator(where).inner_text()


def test_a_room_in_which_everything_happens(browser, app):
    room = Room(browser, app)
    wall, teacher, phone = room.wall, room.teacher, room.phone
    wall.see("1 joined")
    teacher.page.keyboard.press("Space")
    room.all_see("ask")
    phone.page.locator(".choice").nth(0).click()
    phone.says("Sent: A")
    wall.see("1 of 1 have answered")

    # a pause stops the clock on all screens, and the votes
    teacher.page.get_by_role("button", name="Pause").click()
    wall.page.wait_for_selector("main[data-paused=true]")
    wall.see("Paused")
    phone.phase("paused")
    teacher.see("Voting is open · Paused")
    clocks = [(wall, ".foot .clock"), (teacher, ".stat-clock dd"), (phone, ".clock")]
    before = [clock(*each) for each in clocks]
    assert before == [before[0]] * 3 != [""] * 3
    wall.page.wait_for_timeout(1_300)
    assert [clock(*each) for each in clocks] == before
    assert phone.page.locator(".choice").nth(1).is_disabled()
    teacher.page.get_by_role("button", name="Resume").click()
    room.all_see("ask")
    wall.page.wait_for_function(
        "before => document.querySelector('.foot .clock').textContent !== before", arg=before[0]
    )

    # the links to repeat, also where the page came by plain HTTP and has no clipboard
    teacher.context.grant_permissions(["clipboard-read", "clipboard-write"])
    teacher.page.get_by_text("For students: repeat the questions").click()
    copy = teacher.page.get_by_role("button", name="Copy the link")
    for hide in ("", "Object.defineProperty(navigator, 'clipboard', { configurable: true })"):
        teacher.page.evaluate(f"navigator.clipboard.writeText('nothing').then(() => {{ {hide} }})")
        copy.click()
        teacher.page.get_by_role("button", name="Copied.").wait_for()
        copied = teacher.page.evaluate(
            "() => { delete navigator.clipboard; return navigator.clipboard.readText(); }"
        )
        assert copied.startswith(f"1. {QUESTIONS[0]['prompt']}\n{app.address}/lessons?lesson=tile")
        assert len(copied.splitlines()) == 2 * len(QUESTIONS)

    # a database that does not answer: a sentence, and the answer is sent again by itself
    with writing(app):
        phone.page.locator(".choice").nth(1).click()
        phone.says(AWAY)
        assert phone.page.locator(".stored").count() == 0
    phone.says("Sent: B")
    stored(room.lesson, "1")

    # the server is killed: whoever was there comes back, and nobody touches anything
    app.kill()
    wall.page.wait_for_selector(".away:not([hidden])")
    phone.page.wait_for_selector(".banner:not([hidden])")
    teacher.page.wait_for_selector(".error:not([hidden])")
    wall.see("Which value does out[0, 0, 2, 4] hold?")
    app.start()
    for screen, told in ((wall, ".away"), (phone, ".banner"), (teacher, ".error")):
        screen.page.wait_for_selector(told, state="hidden", timeout=20_000)
    room.forget_problems()
    wall.see("1 of 1 have answered")
    phone.page.locator(".choice").nth(0).click()
    phone.says("Sent: A")
    stored(room.lesson, "0")

    # the clock runs out: nobody presses a key, and nobody waits for a minute
    with writing(app) as database:
        soon = time.time_ns() // 1_000_000 + 1_500
        database.execute("UPDATE dmlviz_class SET closes = ?, version = version + 1", (soon,))
    room.all_see("closed")
    assert clock(wall, ".foot .clock") == ""
    phone.says("Voting is closed.", ".phase")
    assert phone.page.locator(".choice").nth(1).is_disabled()
    teacher.page.keyboard.press("Space")
    phase(teacher, "reveal")
    room.close()


def test_reasons_before_the_second_vote(browser, app):
    room = Room(browser, app)
    wall, teacher, phone = room.wall, room.teacher, room.phone
    others = [room.lesson.join() for _phone in range(3)]
    teacher.page.keyboard.press("Space")
    room.all_see("ask")
    phone.page.locator(".choice").nth(0).click()
    phone.says("Sent: A")
    for other, answer in zip(others, (0, 1, 2), strict=True):
        assert room.lesson.vote(other, answer)[0] == 200
    teacher.page.keyboard.press("Space")
    room.all_see("closed")
    teacher.page.get_by_role("button", name="Ask for reasons").click()
    room.all_see("reasons")

    # the answer stays, and one line is written below it
    field = phone.page.get_by_label("One sentence, without names")
    assert phone.page.locator(".choice").nth(0).get_attribute("aria-pressed") == "true"
    assert phone.page.locator(".choice").nth(1).is_disabled()
    field.fill("<b>It</b> counts\u202e from 0")
    field.press("Enter")
    phone.says("must be one line", ".writing .problem")
    field.fill("<b>It</b> counts from 0 & up")
    phone.page.get_by_role("button", name="Send").click()
    phone.says("Your sentence is stored.")
    wall.see("1 of 4 have answered")
    phone.page.reload()
    phone.phase("reasons")
    phone.says("Your sentence is stored.")
    assert field.input_value() == "<b>It</b> counts from 0 & up"
    for number, other in enumerate(others):
        body = {"question": 0, "round": -1, "seq": 9, "answer": f"Reason {number}."}
        assert other.post(f"{room.lesson.path}/vote", body)[0] == 200

    # three, by different answers, as they were written
    teacher.page.keyboard.press("Space")
    room.all_see("reasons_shown")
    phone.says("Read the reasons on the wall", ".phase")
    assert field.is_hidden()
    texts = wall.page.locator(".sentence bdi")
    texts.nth(2).wait_for()
    first, *rest = texts.all_inner_texts()
    assert (first, rest) == ("<b>It</b> counts from 0 & up", ["Reason 1.", "Reason 2."])
    assert wall.page.locator(".sentence b").count() == 0
    wall.fits()

    # the teacher hides one, and another takes its place
    teacher.page.get_by_role("button", name="Hide: <b>It</b> counts").click()
    wall.page.get_by_text("Reason 0.").wait_for()
    assert wall.page.get_by_text("counts from 0").count() == 0
    teacher.page.keyboard.press("Space")
    room.all_see("again")
    assert wall.page.locator(".sentence").count() == 0
    room.forget_problems()
    room.close()
