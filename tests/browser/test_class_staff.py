"""A teacher and a wall through a whole class, with learners who vote; in the real app."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3

import pytest

from dmlviz.base import words
from dmlviz.classroom.compose import as_questions, preset_polls, run_polls
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.presets import preset
from dmlviz.teaching.runs import runs
from tests.browser.conftest import serving
from tests.browser.test_access import RUN
from tests.classroom.serving import Lesson

HALF = 4


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    return tmp_path_factory.mktemp("class") / "x.sqlite"


@pytest.fixture(scope="module")
def server(database):
    with serving(env={**os.environ, "DMLVIZ_DATABASE": str(database)}) as address:
        yield address


def questions(language="en"):
    """A choice, and a cell to tap."""
    with words.speaking(language):
        (run,) = (each for each in runs() if each.key == "shuffle-and-padding")
        return as_questions((run_polls(run)[0], preset_polls(preset("tile-documentation"))[-1]))


class Screen:
    """A page, and what went wrong in it."""

    def __init__(self, browser, address, width=1280, height=720, **more):
        self.problems = []
        self.context = browser.new_context(viewport={"width": width, "height": height}, **more)
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._told)
        self.page.goto(address)

    def _told(self, message):
        if message.type == "error":
            self.problems.append(f"{message.text} {message.location.get('url')}")

    def see(self, text):
        self.page.get_by_text(text).filter(visible=True).first.wait_for()

    def text(self):
        # indices are kept on one line
        return self.page.inner_text("main").replace("\u00a0", " ")

    def fits(self):
        """Nothing is wider than the window."""
        wide = "document.documentElement.scrollWidth <= window.innerWidth"
        assert self.page.evaluate(wide), self.page.url

    def is_large(self, where, least):
        """What the last row has to read is so large, in hundredths of the wall's height."""
        for element in self.page.locator(where).filter(visible=True).all():
            size = element.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
            assert size >= least / 100 * self.page.viewport_size["height"], element.inner_text()

    def close(self, gone=False):
        """Nothing went wrong, but for what the page still asked of a class that is gone."""
        self.context.close()
        late = re.compile(r"responded with a status of 40[34]\b")
        # a change that crosses another's is sent again with the newer version; a movement that is
        # asked for while the class moves on is not there any more
        crossed = re.compile(r"responded with a status of (?:409 .*/phase|403 .*/movement)\b")
        problems = [each for each in self.problems if not crossed.search(each)]
        assert [each for each in problems if not (gone and late.search(each))] == []


class Staff:
    """A class with its teacher and its wall on screens."""

    def __init__(self, browser, server, asked, language="en", **more):
        self.lesson = Lesson(int(server.rpartition(":")[2]), asked, title="Tensors")
        lesson = self.lesson
        self.address = f"{server}{lesson.path}"
        self.token = lesson.teacher.token
        self.phones = [lesson.join() for _phone in range(2 * HALF)]
        end = f"?lang={language}#"
        wall, teach = f"{self.address}/wall{end}{lesson.wall_token}", f"{self.address}/teach{end}"
        self.wall = Screen(browser, wall, **more)
        self.teacher = Screen(browser, f"{teach}t={self.token}&w={lesson.wall_token}", **more)

    def vote(self, question, turn, right, wrong, count):
        """So many vote for what is right, all others for what is wrong."""
        for number, phone in enumerate(self.phones):
            answer = right if number < count else wrong
            status, told = self.lesson.vote(phone, answer, turn, question, turn)
            assert status == 200, told

    def close(self, gone=False):
        self.wall.close(gone)
        self.teacher.close(gone)


def until(page, happened):
    """Wait for what a route's handler notes, which runs only while the page waits."""
    for _turn in range(100):
        if happened():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not happen")


def phase(screen, name):
    screen.page.wait_for_selector(f"main[data-phase={name}]")


def test_a_whole_class_with_one_key(browser, server):
    choice, cell = questions()
    staff = Staff(browser, server, [{**choice, "minutes": 4, "notes": "Slowly"}, cell])
    wall, teacher = staff.wall, staff.teacher
    wall.see("8 joined")
    assert re.sub(r"\s", "", wall.page.inner_text(".huge-code")) == staff.lesson.code
    wall.page.wait_for_selector(".qr img")
    assert staff.lesson.wall_token not in wall.page.url
    teacher.see(choice["prompt"])

    teacher.page.keyboard.press("Space")
    phase(wall, "ask")
    wall.see(choice["prompt"])
    teacher.see("Question 1 of 2 · 4 minutes")
    assert "Notes for yourself\n\nSlowly" in teacher.page.inner_text(".tell")
    assert "Slowly" not in wall.page.content()
    wall.page.wait_for_selector(".left .picture svg")
    assert wall.page.locator(".choice").count() == len(choice["choices"])
    # short choices leave the room to the picture, which uses it
    assert wall.page.locator(".left").bounding_box()["width"] > 0.65 * 1280
    drawn = wall.page.locator(".left .picture svg").get_attribute("viewBox").split()
    assert float(drawn[2]) > 2 * float(drawn[3])
    right = int(choice["answer"])
    staff.vote(0, 1, right, (right + 1) % 3, HALF)
    wall.see("8 of 8 have answered")
    why = choice["choices"][(right + 1) % 3]["misconception"]
    assert why in teacher.text()
    assert why not in wall.page.content()
    assert wall.page.locator(".bars").count() == 0

    teacher.page.keyboard.press("ArrowRight")
    phase(wall, "closed")
    teacher.see("50% right: let them discuss, then vote again.")
    teacher.page.get_by_role("button", name="Reopen the first vote").wait_for()
    teacher.page.keyboard.press("ArrowRight")
    phase(wall, "discuss")
    phase(teacher, "discuss")
    teacher.page.get_by_label("Show the bars on the wall").check()
    wall.see("50% · 4")
    assert "Right answer" not in wall.text()
    teacher.page.keyboard.press("ArrowRight")
    phase(wall, "again")
    staff.vote(0, 2, right, (right + 1) % 3, 6)
    wall.see("8 of 8 have answered")
    phase(teacher, "again")
    teacher.page.keyboard.press("ArrowRight")
    phase(wall, "closed_again")
    phase(teacher, "closed_again")
    teacher.page.keyboard.press("ArrowRight")
    phase(wall, "reveal")
    wall.page.wait_for_selector(".stage[data-ready=true]")
    wall.see("75% · 6")
    wall.see(why)
    assert "50% · 4" in wall.text()
    assert wall.page.locator(".row.right").inner_text().startswith("ABC"[right])

    phase(teacher, "reveal")
    # the answer and its reason stand beside the whole output, and the movement waits for its key
    stage = "document.querySelector('.stage').dmlviz"
    steps = wall.page.evaluate(f"{stage}.steps")
    at = f"{stage}.t === {{}}"
    wall.page.wait_for_function(at.format(steps))
    assert not wall.page.evaluate(f"{stage}.clock.playing")
    # no step has words until the movement goes on
    caption = wall.page.locator(".movement .dmlviz-caption-title")
    assert caption.inner_text() == ""
    teacher.page.get_by_role("button", name="Play the movement").wait_for()
    teacher.page.keyboard.press("Space")
    wall.page.wait_for_function(f"{stage}.clock.playing")
    wall.page.wait_for_function(at.format(steps))
    assert caption.inner_text() != ""
    teacher.see(f"Step {steps} of {steps}")
    assert teacher.page.get_by_label("One step forward").is_disabled()
    teacher.page.get_by_label("One step back").click()
    teacher.see(f"Step {steps - 1} of {steps}")
    wall.page.wait_for_function(at.format(steps - 1))
    teacher.page.get_by_label("One step forward").click()
    teacher.see(f"Step {steps} of {steps}")
    wall.page.wait_for_function(at.format(steps))
    teacher.page.get_by_role("button", name="Everyone explores freely").click()
    teacher.page.get_by_role("button", name="Everyone follows").wait_for()

    teacher.page.keyboard.press("Space")
    phase(wall, "ask")
    wall.see(cell["prompt"])
    wrong = cell["misconceptions"][0][0]
    other = next(n for n in range(6) if str(n) not in (cell["answer"], wrong))
    answers = [*[cell["answer"]] * HALF, wrong, wrong, other, -1]
    for telephone, answer in zip(staff.phones, answers, strict=True):
        assert staff.lesson.vote(telephone, answer, 1, 1, 1)[0] == 200
    staff.phones[0].post(f"{staff.lesson.path}/lost", {"lost": True})
    teacher.page.wait_for_selector(".stat-lost.some")
    phase(teacher, "ask")
    teacher.page.keyboard.press("Space")
    phase(wall, "closed")
    teacher.page.locator(".foot").get_by_role("button", name="Show the answer").click()
    phase(wall, "reveal")
    wall.page.wait_for_selector(".heat .due")
    counts = wall.page.locator(".heat-number").all_text_contents()
    assert sorted(counts) == ["1 vote", "2 votes", "4 votes"]
    wall.see("Votes for each element: Input")
    # nothing of the drawing is seen beside the cells
    assert "px" in wall.page.locator(".beside svg image").evaluate("e => e.style.clipPath")
    assert wall.page.locator(".row").count() == 4
    wall.see("No element: a constant")
    wall.is_large(".why", 2.3)
    wall.is_large(".row .text, .row .number", 2.5)
    phase(teacher, "reveal")
    link = teacher.page.get_by_role("link", name="Report", exact=True)
    assert link.bounding_box()["y"] > 700, "there it is not in the way"
    teacher.page.keyboard.press("Space")
    teacher.page.locator("button.next", has_text="End the class").wait_for()
    teacher.page.keyboard.press("Space")
    phase(wall, "over")
    phase(teacher, "over")
    beside = teacher.page.locator(".phase").bounding_box()["y"]
    assert abs(link.bounding_box()["y"] - beside) < 20

    report = Screen(browser, f"{staff.address}/report?lang=en#t={staff.token}")
    report.see("4 of 8 right")
    report.see("6 of 8 right")
    report.see(why)
    report.see(cell["misconceptions"][0][1])
    report.close()
    staff.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_telephone_and_in_korean(browser, server, scheme):
    asked = questions("ko")
    staff = Staff(browser, server, asked, "ko", color_scheme=scheme)
    small = Screen(
        browser, f"{staff.address}/teach?lang=ko#t={staff.token}", 390, 740, color_scheme=scheme
    )
    small.page.get_by_role("button", name="첫 문제 내기").click()
    phase(small, "ask")
    phase(staff.wall, "ask")
    small.see(asked[0]["prompt"])
    for screen in (small, staff.wall, staff.teacher):
        screen.fits()
    small.page.get_by_text("손들기").click()
    fields = small.page.locator(".fields input")
    fields.nth(0).fill("5")
    fields.nth(1).fill("3")
    small.page.get_by_role("button", name="저장").click()
    small.see("저장했습니다.")
    small.page.wait_for_function("document.querySelector('.stat-votes dd').textContent === '8'")
    small.close()
    staff.close()


def test_the_class_is_deleted_and_the_wall_says_so(browser, server):
    staff = Staff(browser, server, questions())
    staff.wall.see("8 joined")
    page, deleted, results = staff.teacher.page, [], []
    page.on("dialog", lambda dialog: dialog.accept())
    # the stream says that the class is gone before the button's answer, and the results after it
    page.route(
        re.compile(rf"{staff.lesson.path}(\?|$)"),
        lambda route: deleted.append((route, route.fetch())),
    )
    asked = re.compile(rf"{staff.lesson.path}/results")
    page.route(asked, lambda route: results.append(route))
    page.get_by_role("button", name="Delete the class").click()
    until(page, lambda: deleted and results)
    deleted[0][0].fulfill(response=deleted[0][1])
    staff.teacher.see("The class and its results were deleted.")
    staff.wall.see("This class has ended.")
    with page.expect_response(asked):
        results[0].continue_()
    staff.teacher.see("The class and its results were deleted.")
    staff.close(gone=True)


def test_the_results_of_a_class_that_has_expired_stay_with_its_teacher(browser, server, database):
    staff = Staff(browser, server, questions())
    staff.lesson.move("ask")
    staff.vote(0, 1, 0, 1, HALF)
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as opened:
        opened.execute(
            "UPDATE dmlviz_class SET expires = opened + 1 WHERE code = ?", [staff.lesson.code]
        )
    teacher = staff.teacher
    teacher.page.reload()
    teacher.see("This class has ended.")
    teacher.see(re.compile(r"^Its results are kept until .* 20\d\d\.$"))
    with teacher.page.expect_popup() as popup:
        teacher.page.get_by_role("link", name="Report").click()
    popup.value.get_by_text("4 of 8 right").or_(popup.value.get_by_text("0 of 8 right")).wait_for()
    popup.value.close()
    with teacher.page.expect_download() as download:
        teacher.page.get_by_role("button", name="Results as CSV").click()
    assert download.value.suggested_filename == f"class-{staff.lesson.code}.csv"
    text = download.value.path().read_text("utf-8-sig")
    assert text.startswith('"question",')
    assert text.count("\n") == 3
    teacher.page.on("dialog", lambda dialog: dialog.accept())
    teacher.page.get_by_role("button", name="Delete the class").click()
    teacher.see("The class and its results were deleted.")
    assert staff.lesson.teacher.get(f"{staff.lesson.path}/results")[0] == 403
    staff.close(gone=True)


def test_keys_and_clickers_work_whatever_has_the_focus(browser, server):
    staff = Staff(browser, server, questions())
    teacher = staff.teacher
    page, press = teacher.page, teacher.page.keyboard.press
    phase(teacher, "join")
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Report").click()
    popup.value.close()
    page.evaluate("window.marked = true")
    press("F5")
    phase(teacher, "ask")
    press("F5")
    press(".")
    teacher.see("Voting is open · Paused")
    press(".")
    teacher.see(re.compile("^Voting is open$"))
    page.get_by_label("Clock of a vote").focus()
    press("Space")
    phase(teacher, "closed")
    press("PageUp")
    phase(teacher, "ask")
    page.get_by_label("Clock of a vote").focus()
    press("PageDown")
    phase(teacher, "closed")
    # who walks with Tab presses what has the focus
    bars = page.get_by_label("Show the bars on the wall")
    bars.focus()
    press("Tab")
    press("Shift+Tab")
    press("Space")
    page.wait_for_function("document.querySelector('.check:has(:focus) input').checked")
    assert page.get_attribute("main", "data-phase") == "closed"
    page.get_by_text("Show of hands").click()
    page.locator(".fields input").first.click()
    for name in ("discuss", "again", "closed_again", "reveal"):
        press({"discuss": "Space", "again": "PageDown"}.get(name, "Space"))
        phase(teacher, name)
    assert page.evaluate("window.marked")
    staff.close()


def test_the_door_is_closed_and_a_burst_is_removed(browser, server):
    staff = Staff(browser, server, questions())
    teacher, lesson = staff.teacher, staff.lesson
    # the other devices have this address
    near = server.replace("localhost", "127.0.0.1")
    phone = Screen(browser, f"{near}/class?code={lesson.code}&lang=en", 390, 740)
    phone.see("You are in.")
    for _device in range(60):
        lesson.join()
    teacher.see(re.compile(r"^69 devices of one network joined within \d+ s\."))
    teacher.page.on("dialog", lambda dialog: dialog.accept())
    teacher.page.get_by_label("Closed to new devices").check()
    late = Screen(browser, f"{server}/class?code={lesson.code}&lang=en", 390, 740)
    late.see("The teacher has closed the class to new devices.")
    teacher.see("Refused joins: 1. The class is closed to new devices.")
    teacher.page.get_by_role("button", name=re.compile("^Remove these")).click()
    phone.see("The teacher has removed this device from the class.")
    staff.wall.see("0 joined")
    teacher.page.get_by_label("Closed to new devices").uncheck()
    late.page.get_by_role("button", name="Join this class").click()
    late.see("You are in.")
    staff.wall.see("1 joined")
    for screen in (phone, late):
        # a refusal is a message of the browser's, too
        screen.problems.clear()
        screen.close()
    staff.close()


def test_one_screen_then_everybody_at_their_own_pace(browser, server):
    asked = questions()
    staff = Staff(browser, server, asked)
    teacher, token = staff.teacher, staff.token
    secret = f"t={staff.lesson.wall_token}&c={token}"
    wall = Screen(browser, f"{staff.address}/wall?lang=en#{secret}", 1920, 950)
    addresses = []
    for screen in (wall, teacher):
        screen.page.on("request", lambda request: addresses.append(request.url))
    press = wall.page.keyboard.press
    phase(wall, "join")
    assert token not in wall.page.url
    phone = Screen(
        browser, f"{server}/class?code={staff.lesson.code}&lang=en", 568, 320, has_touch=True
    )
    # the wall leads, and wears what the teacher chooses
    teacher.page.get_by_label("Colors").select_option("dark")
    wall.page.wait_for_selector(":root[data-theme=dark]")
    teacher.page.get_by_label("Clock of a discussion").select_option("60")
    # a key pressed before the wall has this change goes on all the same
    press("Space")
    phase(wall, "ask")
    choices = phone.page.locator(".choice")
    choices.nth(0).tap()
    phone.see("Sent: A")
    for number in range(choices.count()):
        box = choices.nth(number).bounding_box()
        foot = phone.page.locator("footer").bounding_box()
        hidden = box["y"] + box["height"] > foot["y"] + 1
        assert not hidden or phone.page.locator(".more").is_visible()
    press("KeyQ")
    wall.page.wait_for_selector(".door:not([hidden]) .qr img")
    wall.page.wait_for_selector(".body", state="hidden")
    press("KeyQ")
    wall.page.wait_for_selector(".body", state="visible")
    press("Space")
    phase(wall, "closed")
    press("+")
    phase(wall, "ask")
    press("Space")
    phase(wall, "closed")
    press("Space")
    phase(wall, "discuss")
    wall.page.wait_for_function(
        "/^(1:00|0:5.)$/.test(document.querySelector('.foot .clock').textContent)"
    )
    whys = [why for choice in asked[0]["choices"] if (why := choice.get("misconception"))]
    assert whys
    assert not any(why in wall.page.content() for why in whys)
    press("KeyR")
    phase(wall, "reveal")
    # a heat map leaves the values of cells in view
    staff.lesson.version = staff.lesson.teacher.get(f"{staff.lesson.path}/results")[1]["version"]
    staff.lesson.move("ask")
    staff.vote(1, 1, "0", "1", 5)
    # a key that comes before the wall has the votes would be of the last question
    phase(wall, "ask")
    wall.see("8 of 9 have answered")
    press("KeyB")
    wall.page.wait_for_selector(".heat .warm >> nth=1", state="attached")
    assert sorted(wall.page.locator(".heat-number").all_text_contents()) == ["3 votes", "5 votes"]
    wall.page.get_by_role("button", name="Close the vote").click()
    phase(wall, "closed")
    press("KeyR")
    phase(wall, "reveal")
    # everybody at their own pace, with the same code
    teacher.page.get_by_role("button", name="Own pace").click()
    wall.see("0 of 9 have answered all questions")
    # on from what was answered in the class; somebody who comes late begins at the beginning
    phone.see("1 of 2 answered")
    phone.see(re.compile("Which input element lands at"))
    phone.close()
    phone = Screen(
        browser, f"{server}/class?code={staff.lesson.code}&lang=en", 568, 320, has_touch=True
    )
    wrong = next(n for n in range(3) if str(n) != asked[0]["answer"])
    phone.page.locator(".choice").nth(wrong).tap()
    phone.page.wait_for_timeout(300)
    # a slip of the finger is no answer yet
    assert phone.page.locator(".verdict").inner_text() == ""
    phone.page.get_by_role("button", name="Check").tap()
    phone.see("Not right.")
    phone.see(asked[0]["choices"][wrong]["misconception"])
    # the movement beside the answer, with its bar above the foot
    phone.page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    stage = "document.querySelector('.stage').dmlviz"
    assert phone.page.evaluate(f"{stage}.t === {stage}.steps && !{stage}.clock.playing")
    assert phone.page.locator(".dmlviz-toggle").inner_text().strip() == "Play"
    bar, foot = (phone.page.locator(part).bounding_box() for part in (".dmlviz-scrub", "footer"))
    assert bar["y"] + bar["height"] <= foot["y"]
    phone.page.get_by_role("button", name="Next").tap()
    phone.see(re.compile("Which input element lands at"))
    phone.page.get_by_role("button", name="Question before").tap()
    phone.see("Not right.")
    teacher.see(f"2 answered, {int(asked[0]['answer'] == '0')} right")
    # the teacher's page on a phone: its secret is in no address that a server is asked for
    teacher.page.get_by_text("This page on a phone").click()
    teacher.page.wait_for_selector("img.remote[src^='data:image/svg+xml']")
    assert not any(token in address for address in addresses)
    teacher.page.get_by_label("Keep this class in the list").check()
    teacher.page.goto(f"{server}/classes?lang=en")
    teacher.page.get_by_role("link", name="Open the teacher's page").click()
    phase(teacher, "alone")
    # back to the question before, whose answer was shown
    teacher.see("End own pace")
    teacher.page.keyboard.press("Space")
    phase(teacher, "reveal")
    phase(wall, "reveal")
    wall.see("Question 2 of 2")
    for screen in (wall, phone):
        screen.close()
    staff.close()


def test_a_page_loaded_at_own_pace_keeps_its_answer_in_the_class(browser, server):
    asked = questions()
    staff = Staff(browser, server, asked)
    lesson = staff.lesson
    phone = Screen(browser, f"{server}/class?code={lesson.code}&lang=en", 390, 740, has_touch=True)
    lesson.move("ask")
    wrong = next(n for n in range(3) if str(n) != asked[0]["answer"])
    phone.page.locator(".choice").nth(wrong).tap()
    phone.see(f"Sent: {'ABC'[wrong]}")
    for to in ("closed", "reveal"):
        lesson.move(to)
    phone.see("Not right.")
    lesson.move("alone")
    # on with the question that it has not answered
    phone.see("1 of 2 answered")
    phone.see("Which input element lands at")
    phone.page.reload()
    phone.see("1 of 2 answered")
    lesson.move("reveal")
    phone.see("Not right.")
    phone.close()
    staff.close()


def test_the_wall_asks_about_votes_only_where_there_were_some(browser, server):
    talk = {"key": "talk", "kind": "discussion", "prompt": "Why?", "answer": "", "link": "/tile"}
    first, cell = questions()
    lines = {
        "link": "/code?code=x.reshape(3,+2).T&sizes=x:2,3",
        "settings": "NumPy \u00b7 x.reshape(3, 2).T",
    }
    asked = [{**talk, "minutes": 3}, first, {**first, "key": "again", **lines}, cell]
    staff = Staff(browser, server, asked)
    wall, teacher = staff.wall, staff.teacher
    stats = teacher.page.locator(".stat").filter(visible=True)
    assert stats.count() == 5
    teacher.page.wait_for_function("(window.scrollTo(0, 9999), window.scrollY > 0)")
    staff.lesson.move("ask")
    wall.see("Talk about it with your neighbor")
    assert wall.page.locator("main").get_attribute("data-bare") == "false"
    assert "different answer" not in wall.text()
    # it has minutes, and no answers: nobody is counted, and nothing is shown
    teacher.see(re.compile(r"3:00|2:5\d"))
    assert stats.count() == 3
    clock = teacher.page.get_by_label("Clock of a discussion")
    assert clock.evaluate("e => e.selectedOptions[0].text") == "3 minutes"
    assert clock.is_disabled()
    assert teacher.page.get_by_label("Show the bars on the wall").is_disabled()
    assert teacher.page.evaluate("window.scrollY") == 0, "another question is seen"
    teacher.page.get_by_role("button", name="End the discussion").click()
    for screen in (wall, teacher):
        screen.see("The discussion is over")
    report = Screen(browser, f"{staff.address}/report?lang=en#t={staff.token}")
    row = report.page.locator("tbody tr").first.locator("td")
    row.nth(2).get_by_text("Discussion", exact=True).wait_for()
    assert row.count() == 3
    report.close()
    # at one's own pace both counts leave it out, and Next leads to what is still open
    phone = Screen(browser, f"{server}/class?code={staff.lesson.code}&lang=en", 390, 740)
    staff.lesson.version = staff.lesson.teacher.get(f"{staff.lesson.path}/results")[1]["version"]
    staff.lesson.move("ask", number=2)
    phone.page.locator(".choice").first.click()
    phone.see("Sent: A")
    # code breaks before a call and not within its brackets
    for screen in (phone, wall, teacher):
        code = screen.page.locator(".settings > code").first
        assert code.text_content() == "x.reshape(3,\u00a02)\u200b.T"
        # the screen draws itself again when an answer comes: what was found may be gone by then
        screen.page.wait_for_function(
            "getComputedStyle(document.querySelector('.settings > code'))"
            ".fontFamily.includes('monospace')"
        )
    for to in ("closed", "reveal"):
        staff.lesson.move(to)
    # a chain's tensors stand below its movement, which fits beside the answers
    for screen in (phone, wall):
        calls = screen.page.locator(".movement .dmlviz-strip-call")
        calls.nth(2).wait_for(timeout=30_000)
        assert calls.all_inner_texts() == ["Input", ".reshape(3, 2)", ".T"]
        over = "e => e.scrollWidth - e.clientWidth"
        assert screen.page.locator(".movement").evaluate(over) <= 0
    staff.lesson.move("alone")
    phone.see("Question 1 of 3")
    phone.see("1 of 3 answered")
    assert teacher.page.locator(".progress p").first.inner_text().startswith("1. ")
    phone.page.locator(".choice").first.click()
    phone.page.get_by_role("button", name="Check").click()
    phone.page.get_by_role("button", name="Next", exact=True).click()
    phone.see("Question 3 of 3")
    phone.close()
    staff.close()


def test_a_question_of_words_alone_fills_the_wall(browser, server):
    talk = {"key": "talk", "kind": "discussion", "prompt": "Where is it?", "answer": "", "link": ""}
    staff = Staff(browser, server, [talk])
    staff.lesson.move("ask")
    staff.wall.page.locator("main[data-bare=true]").wait_for()
    staff.wall.is_large(".prompt", 7)
    staff.close(gone=True)


def test_a_wrong_secret_opens_nothing(browser, server):
    staff = Staff(browser, server, questions())
    for page in ("wall", "teach", "report"):
        stranger = browser.new_context().new_page()
        stranger.goto(f"{staff.address}/{page}?lang=en#t=nonsense")
        stranger.get_by_text("This link does not open the class").wait_for()
        assert "8" not in stranger.inner_text("main").replace(staff.lesson.code, "")
        stranger.context.close()
    staff.close()


def test_a_practice_class_does_not_name_its_seed(visit):
    window = visit(None)
    page = window.page
    page.goto(f"{window.server}/start-class?seed=4711&level=1&operator=tile")
    page.get_by_role("heading", name="Start a class").wait_for()
    window.rested()
    page.get_by_role("button", name="Start the class").click()
    # everybody in the class sees this title, and with the seed anybody could open the questions
    assert "4711" not in page.get_by_text("Practice: ").filter(visible=True).last.inner_text()


def test_from_start_a_class_to_the_first_vote(visit, browser):
    (lesson,) = (each for each in lessons("en") if each.key == "tile")
    asked = lesson.parts[0].prediction
    window = visit(None)
    page = window.page
    # as the plan of a lesson links to it
    page.goto(f"{window.server}/start-class?lesson=tile")
    page.get_by_role("heading", name="Start a class").wait_for()
    window.rested()
    page.get_by_role("radio", name="30 seconds").click()
    window.rested()
    page.get_by_role("button", name="Start the class").click()
    code = page.get_by_role("heading", name=re.compile(r"^[A-Z]{4}$")).inner_text()
    page.get_by_text(f"{lesson.title} · {len(lesson.parts)} questions").wait_for()
    opened = []
    for name in ("Open the teacher's page", "Open the wall"):
        with page.expect_popup() as popup:
            page.get_by_role("link", name=name).click()
        opened.append(popup.value)
    teacher, wall = opened
    wall.wait_for_selector(".qr img")
    assert re.sub(r"\s", "", wall.inner_text(".huge-code")) == code
    # what the QR code says is enough for a telephone
    phone = Screen(browser, wall.get_attribute(".qr img", "alt"), 390, 740, locale="en")
    wall.get_by_text("1 joined").wait_for()
    teacher.wait_for_selector("main[data-phase=join]")
    teacher.keyboard.press("Space")
    phone.see(asked.prompt)
    assert re.fullmatch(r"0:(30|2\d)", teacher.inner_text(".stat-clock dd"))
    phone.page.locator(".choice").nth(asked.right).click()
    wall.get_by_text("1 of 1 have answered").wait_for()
    # others may still vote
    assert not teacher.get_by_text("100% right").is_visible()
    teacher.keyboard.press("Space")
    teacher.get_by_text("100% right").wait_for()
    phone.close()
    # while the class is open, Present invites to it, and afterwards to its own question
    present = page.context.new_page()
    sheet = present.locator(".dmlviz-qr")
    for expected in (f"/class?code={code}", "/lessons?lesson=tile"):
        present.goto(f"{window.server}/present?lesson=tile")
        present.locator('.dmlviz-wall[data-ready="true"]').wait_for()
        present.keyboard.press("q")
        sheet.locator("img").wait_for()
        assert expected in sheet.locator("p").first.inner_text()
        assert (code in sheet.locator("p").last.inner_text()) is ("code" in expected)
        if "code" in expected:
            teacher.on("dialog", lambda dialog: dialog.accept())
            teacher.get_by_role("button", name="Delete the class").click()
            teacher.get_by_text("The class and its results were deleted.").wait_for()
    for each in (present, *opened):
        each.close()
    # its secrets are on the page as long as that is open, and another class can be started
    page.get_by_role("button", name="Start another class").click()
    page.get_by_role("button", name="Start the class").wait_for()


@pytest.mark.parametrize("language", ["en", pytest.param("ko", marks=pytest.mark.thorough)])
def test_nothing_serious_is_in_anybodys_way(browser, server, axe, language):
    asked = questions(language)
    staff = Staff(browser, server, asked, language)
    lesson = staff.lesson
    report = Screen(browser, f"{staff.address}/report?lang={language}#t={staff.token}")
    wrong = []

    def look(where, *screens):
        for screen in screens:
            screen.page.evaluate(axe)
            for scheme in ("light", "dark"):
                screen.page.emulate_media(color_scheme=scheme)
                screen.page.wait_for_timeout(150)
                found = screen.page.evaluate(RUN)
                wrong.extend(f"{where}, {screen.page.url}, {scheme}: {each}" for each in found)

    staff.wall.page.wait_for_selector(".qr img")
    look("join", staff.wall, staff.teacher)
    lesson.move("ask")
    right = int(asked[0]["answer"])
    staff.vote(0, 1, right, (right + 1) % 3, HALF)
    lesson.move("closed")
    staff.teacher.page.wait_for_selector(".advice:not([hidden])")
    for box in staff.teacher.page.locator("summary").all():
        box.click()
    look("closed", staff.wall, staff.teacher)
    for name in ("discuss", "again"):
        lesson.move(name)
    staff.vote(0, 2, right, (right + 1) % 3, 6)
    for name in ("closed_again", "reveal"):
        lesson.move(name)
    staff.wall.page.wait_for_selector(".stage[data-ready=true]")
    phase(staff.teacher, "reveal")
    look("reveal", staff.wall, staff.teacher)
    lesson.move("ask")
    staff.vote(1, 1, asked[1]["answer"], asked[1]["misconceptions"][0][0], 7)
    lesson.move("closed")
    lesson.move("reveal")
    staff.wall.page.wait_for_selector(".heat .due")
    look("heat map", staff.wall)
    report.page.reload()
    report.page.wait_for_selector("tbody tr")
    look("report", report)
    assert not wrong, "\n".join(wrong)
    report.close()
    staff.close()


def test_the_report_on_paper(browser, server):
    asked = questions()
    staff = Staff(browser, server, asked, color_scheme="dark")
    lesson = staff.lesson
    lesson.move("ask")
    right = int(asked[0]["answer"])
    staff.vote(0, 1, right, (right + 1) % 3, HALF)
    for name in ("closed", "discuss", "again"):
        lesson.move(name)
    staff.vote(0, 2, right, (right + 1) % 3, 6)
    # A4 less its margins
    report = Screen(
        browser, f"{staff.address}/report?lang=en#t={staff.token}", 688, 1_000, color_scheme="dark"
    )
    report.page.wait_for_selector("tbody tr")
    # on a telephone each number says which round it is
    name = "e => getComputedStyle(e, '::before').content"
    assert "Round 2" in report.page.locator("tbody .share").nth(1).evaluate(name)
    report.page.emulate_media(media="print")
    report.fits()
    first = report.page.locator("tbody tr").first
    told = [text.replace("\u00a0", " ") for text in first.locator("th, td").all_inner_texts()]
    assert told[1].split("\n\n") == [
        asked[0][name] for name in ("settings", "background", "prompt")
    ]
    assert [text.split("\n")[-1] for text in told[3:5]] == ["4 of 8 right", "6 of 8 right"]
    assert asked[0]["choices"][(right + 1) % 3]["misconception"] in told[5]
    # a row for each question, below what its columns are; and nothing to press
    tops = [cell.bounding_box()["y"] for cell in first.locator("th, td").all()]
    assert len(set(tops)) == 1
    assert report.page.locator("thead").evaluate("e => getComputedStyle(e).display") != "none"
    assert not report.page.locator(".acts").is_visible()
    pdf = report.page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    # dark ink on white paper, whatever the screen is
    ink = "e => getComputedStyle(e).getPropertyValue('--soft')"
    assert report.page.locator("body").evaluate(ink).strip() == "#e4e9ee"
    report.close()
    staff.close()
