"""A question before a room: large numbers, keyboard only, an answer that waits, a code to scan."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

import dmlviz
from dmlviz.app.network import for_others
from dmlviz.operators import OPERATORS
from dmlviz.picture.payload import payload
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.posed import of_part, of_practice, of_preset
from dmlviz.teaching.practice import Practice
from dmlviz.teaching.presets import preset
from dmlviz.teaching.runs import runs
from dmlviz.teaching.worksheets import Sheet, worksheet
from tests.browser.conftest import NUMBERS, near

ROOM = {"width": 1920, "height": 1080}
EXAMPLES = [example for cls in OPERATORS for example in cls.examples()]
LEAST = 28
WALL = {"width": 1280, "height": 720}
# three in a hundred of the wall's height
READABLE = 0.03 * WALL["height"]
# what is said on the page, seen or not: texts, names for those who hear it, Plotly's own figure
TOLD = """() => {
  const wall = document.querySelector(".dmlviz-wall");
  const names = ["aria-label", "aria-valuetext", "aria-description", "alt", "title"];
  const attributes = [...wall.querySelectorAll("*"), wall].flatMap(e => names.map(n => e.getAttribute(n) ?? ""));
  const copy = wall.cloneNode(true);
  copy.querySelector(".dmlviz-wall-choices").remove();
  copy.querySelector(".dmlviz-wall-head").remove();
  const plot = wall.querySelector(".dmlviz-plot");
  const texts = wall.querySelector(".dmlviz-texts")?.written.filter((t) => !t.numeral);
  const figure = plot ? { data: plot.data, layout: plot.layout, texts } : null;
  return { text: copy.textContent, attributes: attributes.join("\\n"), figure: JSON.stringify(figure) };
}"""
OUTPUTS = """() => {
  const plot = document.querySelector(".dmlviz-wall .dmlviz-plot");
  return plot.data.filter(t => t.type === "heatmap" && t.xaxis === "x2")
    .map(t => ({ z: t.z.flat(), text: (t.text ?? []).flat() }));
}"""


def landed(window):
    """Which cells of the output show their colour in the middle of their upper edge."""
    pixels, board = window.shot(), window.board
    at = board["output"]
    found = []
    for i, source in enumerate(board["source"]):
        if source >= 0:
            x, y = int(at["x"][i] + at["w"] * 0.5), int(at["y"][i] + at["h"] * 0.08)
            found.append(bool(near(pixels[y, x][None], board["colors"][source], 6).all()))
    return found


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.thorough), "dark"])
def test_documentation_examples_are_read_from_the_last_row(visit, scheme):
    window = visit("depth-to-space?present=true&step=1", **ROOM, color_scheme=scheme)
    page = window.page
    for example in EXAMPLES if scheme == "light" else EXAMPLES[:1]:
        trace = dmlviz.run(example.operator, example.inputs)
        sent = payload(dmlviz.scene(trace))
        window.js("(player, sent) => { player.show(sent); player.seek(player.steps); }", sent)
        tensors = [*trace.inputs.values(), *trace.outputs.values()]
        count = sum(tensor.size for tensor in tensors)
        page.wait_for_function(f"({NUMBERS}).length === {count}")
        sizes = [size for _text, _x, _y, size in window.numbers]
        assert min(sizes) >= LEAST, (trace.operator, min(sizes))
        caption = page.locator(".dmlviz-caption:visible").first
        assert caption.evaluate("e => parseFloat(getComputedStyle(e).fontSize)") >= LEAST
        # all of it in the window
        stage = page.locator(".dmlviz-board").bounding_box()
        words = caption.bounding_box()
        assert stage["y"] >= 0
        assert stage["x"] + stage["width"] <= ROOM["width"]
        assert stage["y"] + stage["height"] <= words["y"] + 1
        assert words["y"] + words["height"] <= ROOM["height"]
    # and nothing to press
    assert page.locator("button:visible, select:visible, input:visible").count() == 0
    assert page.locator("a:visible").count() == 0


def pressed(window, key):
    window.page.keyboard.press(key)
    return window


def wall(visit, path, **more):
    return visit(path, **{**WALL, **more})


def test_keyboard_only(visit):
    window = visit("tile?present=true", **ROOM)
    page = window.page
    press = page.keyboard.press
    assert page.get_by_text("Press Space and watch 54 elements land in 5 steps.").is_visible()
    assert page.locator(".dmlviz-wall-runs").inner_text() == "Tile \u00b7 Repeats {1, 1, 3, 3}"
    assert page.get_by_text(preset("tile-documentation").question).is_visible()
    press("ArrowRight")
    window.until("t === 1")
    press("PageDown")
    window.until("t === 2")
    press("ArrowLeft")
    window.until("t === 1")
    press("End")
    window.until("t === 5")
    assert all(landed(window))
    press("Home")
    window.until("t === 0")
    assert not any(landed(window))
    press(" ")
    window.until("t > 0.1")
    press(" ")
    press("End")

    press("r")
    window.drawn()
    assert page.evaluate(OUTPUTS) == [{"z": [0], "text": []}], "hidden at its end, too"
    window.js("player => player.pins.hover({ side: 'output', element: 8 })")
    assert page.locator(".dmlviz-tip:visible").count() == 0, "and is not told"
    press(" ")
    press("e")
    assert page.locator(".dmlviz-pins:visible").count() == 0
    press("R")
    # the reason first, beside what it is about; the movement waits for its key
    window.drawn()
    reason = page.locator(".dmlviz-wall-told")
    assert reason.inner_text() == of_preset(preset("tile-documentation")).reveal
    assert window.t == 5
    assert all(landed(window))
    # the next key of a remote control shows the first step
    press("PageDown")
    window.until("t === 1")
    assert reason.inner_text() == ""
    press("End")
    press("PageDown")
    window.until("t === 5")
    press(" ")
    window.until("t > 0.1 && t < 5")
    assert reason.inner_text() == ""
    press("End")
    window.drawn()
    assert all(landed(window))

    press("q")
    code = page.locator(".dmlviz-qr")
    code.locator("img").wait_for()
    size = code.locator("img").evaluate("i => i.decode().then(() => [i.naturalWidth, i.height])")
    assert size[0] > 100
    assert size[1] > ROOM["height"] / 2
    assert code.locator("p").first.inner_text() == for_others(f"{window.server}/tile?step=5")
    press("q")
    assert code.is_hidden()
    press("q")
    code.locator("img").wait_for()
    press("q")

    press("Escape")
    page.locator(".dmlviz-present").wait_for()
    window.ready()
    assert parse_qs(urlsplit(page.url).query) == {"step": ["5"]}
    assert window.t == 5
    window.press("present")
    page.locator(".dmlviz-wall").wait_for()
    window.ready()
    assert parse_qs(urlsplit(page.url).query) == {"present": ["true"], "step": ["5"]}
    assert page.locator("button:visible").count() == 0


def test_formulas_stand_on_the_wall_when_they_are_asked_for(visit):
    window = wall(visit, "tile?present=true&step=5&pinned=0,0,3,4")
    formula = window.page.locator(".dmlviz-formula:visible")
    assert formula.count() == 0
    before = float(window.page.locator(".dmlviz-player").get_attribute("data-cell"))
    pressed(window, "e").drawn()
    assert formula.count() == 2
    box = window.page.locator(".dmlviz-pins").bounding_box()
    assert box["y"] + box["height"] <= WALL["height"]
    pressed(window, "e").drawn()
    assert formula.count() == 0
    assert float(window.page.locator(".dmlviz-player").get_attribute("data-cell")) == before


def part_of(key, number):
    lesson = next(lesson for lesson in lessons() if lesson.key == key)
    return of_part(lesson, number)


QUESTIONS = {
    "sizes": ("present?lesson=padding-modes&part=1", part_of("padding-modes", 1)),
    "elements": (
        "present?lesson=reading-documentation&part=3",
        part_of("reading-documentation", 3),
    ),
    "input sizes": (
        "present?lesson=depth-to-space-pictures&part=3",
        part_of("depth-to-space-pictures", 3),
    ),
    "row": ("present?lesson=padding-modes&part=3", part_of("padding-modes", 3)),
    "source": ("present?lesson=depth-to-space-dcr&part=4", part_of("depth-to-space-dcr", 4)),
    "compared": (
        "present?lesson=depth-to-space-orders&part=1",
        part_of("depth-to-space-orders", 1),
    ),
    "compared sizes": (
        "present?run=gather-and-scatter&part=2",
        next(run for run in runs() if run.key == "gather-and-scatter").parts[1].posed,
    ),
    "refused": ("present?lesson=feature-levels&part=1", part_of("feature-levels", 1)),
    "practice sizes": (
        "present?seed=9&level=2&operator=tile&number=1",
        of_practice(Practice(9, 2, "tile", 1)),
    ),
    "practice source": (
        "present?seed=7&level=1&operator=gather&number=4",
        of_practice(Practice(7, 1, "gather", 4)),
    ),
    "practice refused": (
        "present?seed=7&level=2&operator=tile&number=3",
        of_practice(Practice(7, 2, "tile", 3)),
    ),
}


def output_sizes(window):
    sent = window.js("player => player.payload?.output.tensors.map(t => t.sizes) ?? []")
    return ["{" + ", ".join(map(str, sizes)) + "}" for sizes in sent]


def input_sizes(window, posed):
    """Those that may be read on the wall: an output may have its input's."""
    if posed.hides == "all":
        return set()
    sent = window.js("player => player.payload.input.tensors.map(t => t.sizes)")
    return {"{" + ", ".join(map(str, sizes)) + "}" for sizes in sent}


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_answer_is_nowhere_before_it_is_revealed(visit, name):
    path, posed = QUESTIONS[name]
    window = wall(visit, path)
    page = window.page
    assert page.locator(".dmlviz-wall-prompt").inner_text().replace("\n", " ") == posed.prompt
    assert page.locator(".dmlviz-wall-runs").inner_text() == posed.runs
    shown = page.locator(".dmlviz-wall-choice:visible")
    assert shown.count() == len(posed.answers)
    letters = [choice.split("\n")[0] for choice in shown.all_inner_texts()]
    assert letters == list("ABCD")[: len(posed.answers)]
    # keys of the movement tell nothing either
    for key in (" ", "End", "e"):
        page.keyboard.press(key)
    window.drawn()
    right = posed.answers[posed.right].text
    hides_sizes = posed.hides in ("sizes", "all") and posed.link and "refused" not in name
    for seen in range(2):
        told = page.evaluate(TOLD)
        said = told["text"] + told["attributes"]
        assert posed.reveal not in said
        assert page.locator(".dmlviz-wall-answer").inner_text() == ""
        assert page.locator(".dmlviz-count").inner_text() == ""
        if hides_sizes:
            for sizes in set(output_sizes(window)) - input_sizes(window, posed):
                assert sizes not in said
                assert sizes not in told["figure"]
            (output,) = page.evaluate(OUTPUTS)
            assert output == {"z": [0], "text": []}
        elif "refused" not in name:
            for output in page.evaluate(OUTPUTS):
                assert set(output["z"]) <= {0, None}
                assert set(output["text"]) <= {""}
            assert not any(landed(window))
        if "refused" in name:
            assert "is not accepted" not in said
        if seen == 0:
            # once revealed it is there; hidden again it is gone
            page.keyboard.press("r")
            window.drawn()
            page.keyboard.press("End")
            assert right in page.locator(".dmlviz-wall-right").inner_text()
            assert posed.reveal in page.evaluate(TOLD)["text"]
            page.keyboard.press("r")
            window.drawn()


def test_a_dashed_place_stands_for_sizes_and_says_nothing_of_them(visit):
    frames = []
    for path in (
        "tile?present=true&predict=true",
        "tile?present=true&predict=true&repeats=1,1,2,1",
    ):
        window = wall(visit, path)
        pixels = window.shot()
        frames.append(pixels)
        orange = near(pixels, "rgb(179,58,9)", 60)
        assert orange.sum() > 200, "a question mark"
    # two outputs of other sizes, one picture
    assert frames[0].shape == frames[1].shape
    assert (frames[0] == frames[1]).all()


def test_r_shows_the_reason_and_space_plays(visit):
    window = wall(visit, "present?lesson=padding-modes&part=2")
    page = window.page
    assert page.locator(".dmlviz-player").get_attribute("data-hidden") == "true"
    page.keyboard.press("r")
    assert page.locator(".dmlviz-player").get_attribute("data-hidden") == "false"
    told = page.locator(".dmlviz-wall-told")
    told.wait_for()
    assert told.inner_text() == part_of("padding-modes", 2).reveal
    assert window.t == 3
    assert all(landed(window))
    page.keyboard.press(" ")
    window.until("t > 0.2 && t < 2.8")
    assert told.inner_text() == "", "while it moves its steps have the words"
    assert page.locator(".dmlviz-wall-answer").inner_text().startswith("A")
    window.until("t === 3")
    told.wait_for()
    assert told.inner_text() == part_of("padding-modes", 2).reveal
    # the choices stand where they stood, each with its reason
    told = page.locator(".dmlviz-wall-reasons li > p").all_inner_texts()
    answers = part_of("padding-modes", 2).answers
    whys = [answer.why or part_of("padding-modes", 2).reveal for answer in answers]
    assert told == whys
    assert page.locator(".dmlviz-wall-right b").inner_text() == "A"
    # as on a class's wall
    assert page.locator(".dmlviz-wall-right .dmlviz-wall-mark").inner_text() == "✓"
    badge = "e => getComputedStyle(e).backgroundColor"
    assert page.locator(".dmlviz-wall-right b").evaluate(badge) == "rgb(11, 107, 58)"


def test_a_clicker_leads_through_the_parts(visit):
    window = wall(visit, "present?lesson=padding-modes&part=2")
    hidden = "document.querySelector('.dmlviz-player').dataset.hidden === '{}'"
    pressed(window, "PageDown")
    window.page.wait_for_function(hidden.format("false"))
    window.until("t === 3")
    for step in (1, 2, 3):
        pressed(window, "PageDown")
        window.until(f"t === {step}")
    # the last step keeps its words until the next key, as every step does
    window.page.wait_for_timeout(100)
    told = window.page.locator(".dmlviz-wall-told")
    assert told.inner_text() == ""
    assert window.page.locator(".dmlviz-caption-title").is_visible()
    pressed(window, "PageDown")
    assert told.inner_text() == part_of("padding-modes", 2).reveal
    pressed(window, "PageDown")
    at_part(window, "padding-modes", 3, 5)
    pressed(window, "PageUp")
    at_part(window, "padding-modes", 2, 5)


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (1920, 950)])
@pytest.mark.parametrize("part", ["gather&part=6", "im2col&part=6", "sub-pixel&part=2"])
def test_what_is_wrong_with_each_choice_is_read_beside_the_picture(visit, part, width, height):
    window = visit(f"present?lesson={part}", width=width, height=height)
    page = window.page
    before = page.locator(".dmlviz-stage").bounding_box()
    page.keyboard.press("r")
    page.locator(".dmlviz-wall-reasons li").nth(2).wait_for()
    window.drawn()
    letters = "e => parseFloat(getComputedStyle(e).fontSize)"
    assert page.locator(".dmlviz-wall-reasons p").first.evaluate(letters) >= 0.03 * height
    overflow = "e => e.scrollHeight - e.clientHeight"
    assert page.locator(".stMain").evaluate(overflow) == 0
    # what was to be known before has made room for them
    stage = page.locator(".dmlviz-stage").bounding_box()
    assert stage["height"] >= 0.65 * before["height"]
    words = page.locator(".dmlviz-wall-words").bounding_box()
    assert stage["y"] + stage["height"] <= words["y"] + 1
    assert words["y"] + words["height"] <= height


def test_the_speakers_window_follows_and_leads(visit):
    window = visit("present?lesson=padding-modes&part=1", fresh=True, **WALL)
    speaker = window.page.context.new_page()
    speaker.goto(f"{window.server}/speaker?lesson=padding-modes&part=2")
    # it was opened at another question, and learns of the one that is shown
    heading = speaker.locator(".st-key-speaker h2")
    heading.get_by_text(part_of("padding-modes", 1).prompt).wait_for()
    window.page.keyboard.press("n")
    heading.get_by_text(part_of("padding-modes", 2).prompt).wait_for()
    assert "part=2" in speaker.url
    speaker.get_by_role("button", name="Reveal").click()
    window.page.locator("[data-hidden=false]").wait_for()
    speaker.keyboard.press("n")
    window.page.locator(".dmlviz-wall-place").get_by_text("3 of").wait_for()
    # a remote control has the same order in both windows: the answer comes before the next question
    heading.get_by_text(part_of("padding-modes", 3).prompt).wait_for()
    speaker.keyboard.press("PageDown")
    window.page.locator("[data-hidden=false]").wait_for()
    assert "part=3" in window.page.url
    heading.get_by_text(part_of("padding-modes", 3).prompt).wait_for()
    speaker.close()


def at_part(window, key, number, count, name="part"):
    page = window.page
    place = page.get_by_text(f"{number} of {count}")
    place.wait_for()
    window.ready()
    query = parse_qs(urlsplit(page.url).query)
    assert query.get(name, ["1"]) == [str(number)]
    assert page.locator(".dmlviz-player").get_attribute("data-hidden") == "true"
    return page.locator(".dmlviz-wall-prompt").inner_text().replace("\n", " ")


def test_next_and_previous_part(visit):
    lesson = next(lesson for lesson in lessons() if lesson.key == "feature-levels")
    window = wall(visit, f"present?lesson={lesson.key}")

    def here(number):
        prompt = at_part(window, lesson.key, number, len(lesson.parts))
        assert prompt == lesson.parts[number - 1].prediction.prompt

    here(1)
    # at the start there is nothing before
    pressed(window, "p").rested()
    # from refusals to a picture and back
    for number in (1, 2, 3):
        here(number)
        pressed(window, "r")
        pressed(window, "n")
    here(4)
    assert window.page.locator(".dmlviz-plot").count() == 1
    pressed(window, "n").rested()
    here(4)
    pressed(window, "p")
    here(3)
    assert window.page.locator(".dmlviz-plot").count() == 0


def test_escape_goes_back_to_where_one_came_from(visit):
    window = wall(visit, None)
    page = window.page
    page.goto(f"{window.server}/teach?lesson=tile")
    page.get_by_role("link", name="Present from the start").click()
    window.ready()
    assert urlsplit(page.url).path == "/present"
    pressed(window, "n")
    at_part(window, "tile", 2, 3)
    pressed(window, "Escape")
    page.locator(".st-key-teach_tile").wait_for()
    assert page.url == f"{window.server}/teach?lesson=tile"

    page.goto(f"{window.server}/teach?run=slices-and-strides")
    page.get_by_role("link", name="Present from the start").click()
    window.ready()
    pressed(window, "Escape")
    page.locator(".st-key-teach_run").wait_for()
    assert page.url == f"{window.server}/teach?run=slices-and-strides"

    page.goto(f"{window.server}/lessons?lesson=tile&part=2")
    page.get_by_role("link", name="Present", exact=True).click()
    window.ready()
    at_part(window, "tile", 2, 3)
    pressed(window, "Escape")
    page.locator(".st-key-lesson").wait_for()
    assert page.url == f"{window.server}/lessons?lesson=tile&part=2"


def test_a_code_leads_learners_to_the_question(visit):
    window = wall(visit, "present?lesson=tile&part=2&lang=ko")
    pressed(window, "q")
    code = window.page.locator(".dmlviz-qr")
    code.locator("img").wait_for()
    expected = for_others(f"{window.server}/lessons?lesson=tile&part=2&lang=ko")
    assert code.locator("p").first.inner_text() == expected


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(run, marks=[] if k == 1 else [pytest.mark.thorough])
        for k, run in enumerate(runs())
    ],
    ids=lambda run: run.key,
)
def test_runs_are_read_from_the_last_row(visit, run):
    window = wall(visit, f"present?run={run.key}")
    page = window.page
    for number, part in enumerate(run.parts, 1):
        at_part(window, run.key, number, len(run.parts))
        for revealed in (False, True):
            if revealed:
                pressed(window, "r")
                pressed(window, "End")
                window.drawn()
            # a picture of 256 pixels has no room for numbers of that size
            if "pictures" not in part.posed.learner:
                sizes = [size for _text, _x, _y, size in window.numbers]
                assert min(sizes, default=READABLE) >= READABLE, part.posed.prompt
            low = page.locator(".dmlviz-wall-words").bounding_box()
            assert low["y"] + low["height"] <= WALL["height"]
            overflow = "e => [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight]"
            assert page.locator(".stMain").evaluate(overflow) == [0, 0]
        pressed(window, "n")


def test_two_settings_on_one_wall(visit):
    words = "present=true&predict=true&compare=true&b_order=COLUMN_ROW_DEPTH&step=4"
    window = visit(f"depth-to-space?{words}", **ROOM)
    page = window.page
    both = (
        "[...document.querySelectorAll('.dmlviz-player')].map(p => [p.dataset.hidden, p.dmlviz.t])"
    )
    assert page.evaluate(both) == [["true", 4]]
    # without a reason it plays; read at once, because a slow machine answers after a step or more
    assert page.evaluate(f"""() => {{
      window.dispatchEvent(new KeyboardEvent("keydown", {{ key: "r", code: "KeyR" }}));
      return {both};
    }}""") == [["false", 0]]
    page.keyboard.press("End")
    window.until("t === 4")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"""JSON.stringify({both}) === '[["false",3]]'""")


def test_paper_has_the_answers_on_a_page_of_their_own(browser):
    sheet = Sheet(7, 2, count=8)
    page = browser.new_page()
    texts = {}
    for part in ("both", "questions"):
        page.set_content(
            worksheet(sheet.questions(), sheet.title(), description=sheet.description())
        )
        if part == "questions":
            page.evaluate("document.querySelector('.answers').remove()")
        for paper in ("A4", "Letter"):
            printed = page.pdf(format=paper)
            texts[part, paper] = len(re.findall(rb"/Type\s*/Page\b", printed))
    # how high the answers are by themselves says how many pages they need
    page.set_content(worksheet(sheet.questions(), sheet.title(), description=sheet.description()))
    page.evaluate("document.querySelector('.questions').remove()")
    for paper in ("A4", "Letter"):
        alone = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))
        assert alone >= 1
        assert texts["both", paper] == texts["questions", paper] + alone
    page.close()


def test_a_worksheet_is_chosen_seen_and_taken(visit):
    window = visit(None)
    page = window.page
    page.goto(f"{window.server}/worksheet?seed=7&operator=tile&count=2")
    frame = page.frame_locator("iframe")
    frame.locator("h1").wait_for()
    assert frame.locator(".question").count() == 2
    with page.expect_download() as waiting:
        page.get_by_test_id("stDownloadButton").get_by_role("button").click()
    text = waiting.value.path().read_text(encoding="utf-8")
    sheet = Sheet(7, operator="tile", count=2)
    expected = worksheet(
        sheet.questions(),
        sheet.title(),
        description=sheet.description(),
        address=sheet.address(for_others(window.server)),
    )
    assert text == expected
    assert np.char.count(text, "<script") == 0


def test_an_open_answer_leaves_the_count_its_place(visit):
    window = visit(
        "gather?present=true&sizes=5,3&data_type=INT32&values=count-1&IndicesTensor.sizes=1,4"
        "&IndicesTensor.literal=2,0,2,4&IndicesTensor.data_type=INT64",
        width=1366,
        height=650,
    )
    window.page.keyboard.press("r")
    window.page.keyboard.press("r")
    window.page.locator(".dmlviz-wall-told", has_text="Rows 2, 0, 2, 4 of the table").wait_for()
    over = """() => {
      const count = document.querySelector('.dmlviz-count').getBoundingClientRect();
      const words = document.createRange();
      words.selectNodeContents(document.querySelector('.dmlviz-wall-told'));
      return [count.width > 0, [...words.getClientRects()].filter(line =>
        line.right > count.left + 1 && line.bottom > count.top + 1 && line.top < count.bottom - 1).length];
    }"""
    assert window.page.evaluate(over) == [True, 0]


def test_every_part_begins_with_the_line_of_keys(visit):
    window = visit("present?lesson=padding-modes&part=1", fresh=True, **WALL)
    wall = window.page.locator(".dmlviz-wall")
    # as after some seconds without a move of the mouse
    wall.evaluate("wall => wall.classList.add('dmlviz-idle')")
    window.page.keyboard.press("n")
    window.page.locator(".dmlviz-wall-place").get_by_text("2 of").wait_for()
    assert "dmlviz-idle" not in wall.get_attribute("class")
