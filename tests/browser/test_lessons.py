"""One whole lesson with the keyboard only."""

from __future__ import annotations

import pytest

from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.predict import answer_keys
from tests.limits import TARGET

LESSONS = {lesson.key: lesson for lesson in lessons()}
ASKING = "document.querySelector('.dmlviz-player')?.dmlviz?.quiz.asking"
IN_FOCUS = "document.activeElement.className.split?.(' ')[0] ?? ''"


def right_key(choices, right):
    return answer_keys([choice.text for choice in choices])[right]


def title(window, text):
    window.page.wait_for_function("t => document.querySelector('h1')?.innerText === t", arg=text)
    window.rested()


@pytest.mark.parametrize(
    "key",
    [
        "tile",
        "padding-folding",
        pytest.param("depth-to-space-crd", marks=pytest.mark.thorough),
        pytest.param("space-to-depth", marks=pytest.mark.thorough),
    ],
)
def test_a_whole_lesson_by_keyboard_alone(visit, key):
    lesson = LESSONS[key]
    # the tab of another test has its answers
    window = visit(None, fresh=True)
    page = window.page
    page.goto(f"{window.server}/lessons?lesson={key}&part=1")
    for number, part in enumerate(lesson.parts, 1):
        title(window, part.title)
        page.wait_for_function(f"location.search.endsWith('part={number}')")
        page.wait_for_function(ASKING)
        page.keyboard.press(right_key(part.prediction.answers, part.prediction.right))
        page.get_by_text("Right: ").wait_for()
        window.ready()
        window.js("player => player.clock.setSpeed(8)")
        # words first: it waits; then it plays to its end, with the cells to look at lit
        assert window.t == 0
        page.wait_for_function(f"({IN_FOCUS}) === 'dmlviz-stage'")
        page.keyboard.press("Space")
        window.until(f"t === {window.js('player => player.steps')}")
        pinned = part.link.partition("pinned=")[2]
        count = len(pinned.split(";")) if pinned else 0
        pins = "document.querySelector('.dmlviz-player').dmlviz.pins.pins.length"
        page.wait_for_function(f"count => {pins} === count", arg=count)
        # the stage has the keys
        page.wait_for_function(f"({IN_FOCUS}) === 'dmlviz-stage'")
        page.keyboard.press("Home")
        window.until("t === 0")
        page.keyboard.press("n")
    # all was right: the browser alone keeps a tick, and shows it wherever lessons are listed
    title(window, lesson.title)
    kept = "JSON.parse(localStorage.getItem('dmlviz-lessons-passed') ?? '[]')"
    page.wait_for_function(f"key => {kept}.includes(key)", arg=key)
    page.keyboard.press("l")
    title(window, "Lessons")
    places = "[...document.querySelectorAll('[class*=st-key-lesson_passed_]')]"
    page.wait_for_function(f"count => {places}.length === count", arg=len(LESSONS))
    # tests share a browser: others may have passed lessons in it
    ticked = (
        f"{places}.filter(e => e.offsetHeight).map(e => e.className.match(/passed_([a-z-]+)/)[1])"
    )
    page.wait_for_function(f"{ticked}.sort().join() === {kept}.sort().join()")


def test_answers_and_a_class_survive_a_reload_and_an_address(visit):
    lesson = LESSONS["tile"]
    # the tab of another test has its answers
    window = visit(None, fresh=True)
    page = window.page
    page.goto(f"{window.server}/lessons?lesson=tile&part=1")
    title(window, lesson.parts[0].title)
    wrong = next(i for i, answer in enumerate(lesson.parts[0].prediction.answers) if answer.why)
    choices = page.locator(".st-key-lesson_question button")
    choices.nth(wrong).click()
    page.locator(".st-key-lesson_wrong").wait_for()
    page.keyboard.press("n")
    title(window, lesson.parts[1].title)
    choices.nth(lesson.parts[1].prediction.right).click()
    page.get_by_text("Right: ").wait_for()
    window.rested()
    page.reload()
    page.locator(".st-key-lesson_right").wait_for()
    assert page.locator(".st-key-lesson_wrong").count() == 0
    page.goto(f"{window.server}/lessons?lesson=tile&part=1")
    page.locator(".st-key-lesson_wrong").wait_for()
    page.goto(f"{window.server}/lessons?lesson=tile&part=3")
    title(window, lesson.parts[2].title)
    assert choices.count() > 1
    page.goto(f"{window.server}/lessons?lesson=tile&part=end")
    page.get_by_text("Part 3 is not answered yet.").wait_for()
    page.get_by_text("You answered 1 of 3 questions correctly.").wait_for()
    # what is asked again stays so
    page.get_by_role("button", name="Start this lesson over").click()
    page.get_by_text("Parts 1, 2, 3 are not answered yet.").wait_for()
    window.rested()
    page.reload()
    page.get_by_text("Parts 1, 2, 3 are not answered yet.").wait_for()
    window.rested()
    page.get_by_text("You answered 0 of 3 questions correctly.").wait_for()
    # so does the class that a teacher is putting together
    page.goto(f"{window.server}/lessons?lesson=tile&part=1")
    page.locator(".st-key-lesson_add button").filter(visible=True).click()
    page.get_by_text("Part 1 of my class").wait_for()
    window.rested()
    page.reload()
    title(window, lesson.parts[0].title)
    page.locator(".st-key-lesson_add button").filter(visible=True).click()
    page.get_by_text("Part 2 of my class").wait_for()
    page.get_by_test_id("stToast").get_by_role("link", name="My class").click()
    page.locator(".st-key-set_part_1").wait_for()
    page.wait_for_function("location.search.startsWith('?set=')")
    kept = page.evaluate("JSON.stringify(localStorage)")
    assert "answers" not in kept
    assert "dmlviz-class" not in kept


SEEN = """() => {
  const at = (name) => [...document.querySelectorAll(name)].find((e) => e.offsetHeight)?.getBoundingClientRect();
  const box = (name) => { const b = at(name); return b && [b.top, b.bottom, b.left, b.right]; };
  return { question: box(".st-key-lesson_question"), picture: box(".st-key-lesson_stage .dmlviz-stage"),
    player: box(".dmlviz-player > .dmlviz-stage"), play: box(".dmlviz-toggle"),
    foot: box(".st-key-lesson_foot"), next: box(".st-key-lesson_next button"),
    choices: [...document.querySelectorAll(".st-key-lesson_question button")].map((b) => b.offsetHeight),
    head: box("h1"), plain: getComputedStyle(document.querySelector(".dmlviz-toggle") ?? document.body).backgroundColor };
}"""


NEW = """([old, number]) => document.querySelector("h1")?.innerText !== old
  && document.querySelector(".st-key-lesson_head")?.innerText.includes(number)
  && document.querySelectorAll(".st-key-lesson_question button").length > 1
  && [...document.querySelectorAll(".st-key-lesson_question button")].every((b) => b.offsetHeight)"""


@pytest.mark.parametrize(
    ("width", "height", "language"),
    [
        (1366, 650, "en"),
        (390, 740, "ko"),
        pytest.param(1366, 650, "ko", marks=pytest.mark.thorough),
        pytest.param(390, 740, "en", marks=pytest.mark.thorough),
    ],
)
def test_question_picture_and_next_are_in_one_view(visit, width, height, language):
    # another test's tab has its answers
    window = visit(None, width=width, height=height, fresh=True)
    page = window.page

    def within(box, top=48):
        assert box is not None
        assert top <= box[0] < box[1] <= seen["foot"][0] + 1
        assert 0 <= box[2] < box[3] <= width

    for key in ("tile", "depth-to-space-orders", "reading-documentation"):
        page.goto(f"{window.server}/lessons?lesson={key}&part=1&lang={language}")
        old = ""
        for number in range(1, len(LESSONS[key].parts) + 1):
            page.wait_for_function(f"location.search.includes('part={number}')")
            page.wait_for_function(NEW, arg=[old, number])
            window.rested().drawn()
            old = page.locator("h1").inner_text()
            seen = page.evaluate(SEEN)
            within(seen["question"])
            # documentation text is a telephone's picture of its own tensor
            if key != "reading-documentation" or width > 767:
                within(seen["picture"])
                assert seen["picture"][1] - seen["picture"][0] > 70
            assert min(seen["choices"]) >= TARGET
            assert [seen["foot"][1], seen["foot"][1] - seen["foot"][0]] == [height, 60]
            assert seen["foot"][0] < seen["next"][0] < seen["next"][1] < height
            if number == 1:
                page.keyboard.press("1")
                answered = page.locator(".st-key-lesson_right, .st-key-lesson_wrong")
                answered.first.wait_for(state="attached")
                window.ready()
                seen = page.evaluate(SEEN)
                within(seen["player"])
                within(seen["play"])
                within(seen["head"])
                # Next is the one primary button
                painted = "e => getComputedStyle(e).backgroundColor"
                assert page.locator(".st-key-lesson_next button").evaluate(painted) != seen["plain"]
                page.locator(".st-key-lesson_next button").click()
            else:
                page.keyboard.press("n")
                # an answer is asked for, in view, before the part is skipped
                page.locator(".st-key-lesson_skip").wait_for()
                window.rested().drawn()
                seen = page.evaluate(SEEN)
                within(seen["question"])
                page.keyboard.press("n")


@pytest.mark.parametrize(
    ("key", "number"), [("dimensions", 2), ("dimensions", 4), ("sub-pixel", 1), ("nearest", 1)]
)
def test_what_to_watch_is_in_view_on_a_low_laptop_after_a_wrong_answer(visit, key, number):
    window = visit(None, width=1366, height=650, fresh=True)
    page = window.page
    page.goto(f"{window.server}/lessons?lesson={key}&part={number}")
    window.rested().drawn()
    right = LESSONS[key].parts[number - 1].prediction.right
    page.locator(".st-key-lesson_question button").nth(0 if right else 1).click()
    watch = page.get_by_text("Press Play and watch:")
    watch.wait_for()
    window.rested().drawn()
    box = watch.bounding_box()
    assert box["y"] + box["height"] <= page.locator(".st-key-lesson_foot").bounding_box()["y"]


# what is wrong with a picture of windows: a dashed line through words, a tensor without indices,
# small cells, or a number that fills its cell
CRAMPED = """player => {
  const { payload, drawing: { input, output }, painter: { board } } = player;
  const texts = player.texts.layer.canvas.written;
  const found = [];
  const { ground } = player.painter;
  const ratio = ground.width / board.width;
  const isDrawn = (...box) => ground.getContext("2d").getImageData(...box.map((n) => n * ratio)).data.some(Boolean);
  const frames = [...board.controls.map((own) => [input, own]), ...board.indices.map((own) => [output, own])];
  for (const [at, { first, count }] of frames) {
    const own = (of) => Array.from(of).slice(first, first + count);
    const [left, top] = [Math.min(...own(at.x)) - 2.5, Math.min(...own(at.y)) - 2.5];
    const [right, bottom] = [Math.max(...own(at.x)) + at.w + 2.5, Math.max(...own(at.y)) + at.h + 2.5];
    for (const { text, left: x, y, width, size } of texts) {
      if (!text.trim()) continue;
      const [above, below] = [y - 0.75 * size, y + 0.2 * size];
      const lines = [];
      for (const edge of [left, right]) {
        if (x < edge && edge < x + width && above < bottom && below > top) lines.push([edge - 1, above, 2, below - above]);
      }
      for (const edge of [top, bottom]) {
        if (above < edge && edge < below && x < right && x + width > left) lines.push([x, edge - 1, width, 2]);
      }
      if (lines.some((line) => isDrawn(...line))) found.push(`a dashed line through ${text}`);
    }
  }
  for (const { type, name, visible, text } of payload.figure.data) {
    if (type !== "heatmap" && name !== "title" && !visible) found.push(`no indices ${text}`);
  }
  for (const { text, width, numeral } of texts) {
    if (numeral && width > input.w - 3) found.push(`${text} fills its cell`);
  }
  if (input.h < 30) found.push(`cells of ${input.h} px`);
  return found;
}"""


# what a phone's picture hides: a tensor beyond the stage's window, or numbers that are not written
HIDDEN = """player => {
  const { stage, model: { payload }, drawing: { fontSize } } = player;
  const [high, wide] = [stage.scrollHeight - stage.clientHeight, stage.scrollWidth - stage.clientWidth];
  const found = [];
  if (high > 1 || wide > 1) found.push(`${high} px below, ${wide} px beside`);
  const { bottom } = stage.getBoundingClientRect();
  const foot = document.querySelector(".st-key-lesson_foot").getBoundingClientRect().top;
  if (bottom > foot) found.push(`the stage ends ${bottom - foot} px below the foot`);
  const counts = [payload.input, payload.output].flatMap((side) => side.tensors.map((t) => t.sizes.reduce((a, b) => a * b, 1)));
  if (fontSize < 9 && Math.max(...counts) <= 60) found.push(`numbers of ${fontSize} px`);
  return found;
}"""


@pytest.mark.parametrize(
    "key",
    [
        "convolution",
        "nchw-and-nhwc",
        *(
            pytest.param(key, marks=pytest.mark.thorough)
            for key in LESSONS
            if key not in ("convolution", "nchw-and-nhwc")
        ),
    ],
)
def test_all_of_a_picture_is_seen_on_a_phone(visit, key):
    window = visit(None, width=390, height=740, fresh=True)
    page = window.page
    for number in range(1, len(LESSONS[key].parts) + 1):
        page.goto(f"{window.server}/lessons?lesson={key}&part={number}")
        choices = page.locator(".st-key-lesson_question button")
        choices.first.wait_for()
        window.rested()
        if page.locator(".dmlviz-player").count():
            window.drawn()
            assert window.js(HIDDEN) == [], number
            last = choices.last.bounding_box()
            assert last["y"] + last["height"] <= 740 - 60, number
        choices.first.click()
        page.locator(".st-key-lesson_right").wait_for()
        window.rested()
        if page.locator(".dmlviz-player").count():
            window.ready()
            assert window.js(HIDDEN) == [], number


def test_pictures_of_windows_have_room(visit):
    window = visit(None, width=1366, height=650, fresh=True)
    page = window.page
    for number in (2, 3, 5, 6):
        page.goto(f"{window.server}/lessons?lesson=convolution&part={number}")
        page.locator(".st-key-lesson_question button").first.click()
        window.ready()
        assert window.js(CRAMPED) == [], number
        page.set_viewport_size({"width": 390, "height": 740})
        window.let_pass(150).drawn()
        assert [found for found in window.js(CRAMPED) if "dashed" in found] == [], number
        page.set_viewport_size({"width": 1366, "height": 650})


def test_the_list_tells_no_answer(visit):
    window = visit(None, width=390, height=740, fresh=True)
    window.page.goto(f"{window.server}/lessons")
    cards = window.page.locator("[class*=st-key-lesson_card_]")
    cards.last.wait_for()
    window.rested()
    assert cards.count() == len(LESSONS)
    drawn = cards.locator("img").evaluate_all("all => all.map(i => [i.alt, i.offsetHeight])")
    assert [height for _alt, height in drawn] == [104] * len(LESSONS)
    # lessons told in code name their input as the code does
    assert all(alt.startswith(("Input", "x, sizes ")) for alt, _height in drawn)
    # the whole card is the link
    cards.first.click(position={"x": 20, "y": 20})
    first = next(iter(LESSONS.values()))
    title(window, first.parts[0].title)
    # the lesson stays open at the next click, and Back leads to the list
    window.page.wait_for_url(f"**/lessons?lesson={first.key}*")
    window.rested()
    window.page.get_by_role("button", name="Next part").click()
    window.page.locator(".st-key-lesson_skip").wait_for()
    window.page.go_back()
    cards.last.wait_for()


def test_a_term_is_found_from_a_lesson_and_its_state_opens(visit):
    window = visit(None)
    page = window.page
    page.goto(f"{window.server}/lessons?lesson=tile&part=1")
    title(window, LESSONS["tile"].parts[0].title)
    target = page.get_by_role("link", name="Repeats", exact=True).first.get_attribute("href")
    page.goto(f"{window.server}/{target}")
    heading = page.get_by_role("heading", name="repeats", exact=True).first
    heading.wait_for()
    window.rested()
    assert 0 <= heading.bounding_box()["y"] < page.viewport_size["height"]
    page.get_by_role("link", name="Open it: repeats").first.click()
    title(window, "Tile")
    window.ready()
    assert "repeats=3" in page.url.replace("%2C", ",")
    assert window.t == 3
