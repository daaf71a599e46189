"""The page for code in a browser: typing a line, playing a call, following an element."""

from __future__ import annotations

import re
from base64 import b64encode
from urllib.parse import urlencode

import pytest

from dmlviz.teaching.code_presets import code_presets, menu_of
from tests.browser.test_looks import OVERFLOWS
from tests.code.test_open_sizes import weighted
from tests.limits import DIGIT

CHOSEN = "document.querySelector('.dmlviz-player').dmlviz.payload.strip?.call"
LABELS = "document.querySelector('.dmlviz-player').dmlviz.model.labels"
MOMENT = """() => {
  const { clock, pins } = document.querySelector('.dmlviz-player').dmlviz;
  return [clock.playing, clock.t, [...pins.pins]];
}"""
SEEK = "t => document.querySelector('.dmlviz-player').dmlviz.seek(t)"
TENSORS = """[...document.querySelectorAll('.dmlviz-strip-tensor')].map(box => ({
  text: box.querySelector('.dmlviz-strip-call').textContent,
  sizes: box.querySelector('.dmlviz-strip-sizes').textContent,
  places: [...box.querySelectorAll('.dmlviz-strip-places > span')].map(place => place.textContent),
}))"""
# pixels of the pin's color on the marks of a tensor
MARKED = """number => {
  const canvas = document.querySelectorAll('.dmlviz-strip-tensor')[number].querySelector('.dmlviz-canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value, i) => i % 4 === 3 && value > 0);
}"""


def opened(visit, path="code", **size):
    """The page, at rest."""
    window = visit(None, **size)
    return window.open(path)


def type_code(page, code):
    field = page.get_by_label("Code", exact=True)
    field.fill(code)
    field.press("Control+Enter")


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (390, 740)])
def test_a_line_is_typed_a_call_is_chosen_and_an_element_followed(visit, width, height):
    page = opened(visit, width=width, height=height).page
    type_code(page, "np.tile(x, (1, 2))[:, 1:4].T")
    page.wait_for_function(f"{LABELS}.length === 6 || {LABELS}.join() === ''")
    page.get_by_label("Sizes of x").fill("2, 3")
    page.get_by_label("Sizes of x").press("Enter")
    page.wait_for_function(f"{LABELS}.join() === '2,5,3,6,1,4'")
    assert [one["text"] for one in page.evaluate(TENSORS)] == [
        "Input",
        "np.tile(x, (1, 2))",
        "[:, 1:4]",
        ".T",
    ]
    # the second call rests at its start
    page.evaluate(SEEK, 1)
    page.locator(".dmlviz-strip-tensor").nth(2).click()
    page.wait_for_function(f"{CHOSEN} === 2")
    assert page.evaluate(MOMENT) == [False, 0, []]
    assert page.evaluate(LABELS) == ["2", "3", "1", "5", "6", "4"]
    assert page.locator(".dmlviz-strip-tensor").nth(2).get_attribute("aria-pressed") == "true"
    # its third cell is a 1, which the tile has twice
    page.evaluate(
        "document.querySelector('.dmlviz-player').dmlviz.pins.toggle({side: 'output', element: 2})"
    )
    due = [["[0, 0]"], ["[0, 0] and 1 more"], ["[0, 2]"], ["[2, 0]"]]
    assert [one["places"] for one in page.evaluate(TENSORS)] == due
    assert all(page.evaluate(MARKED, number) for number in range(4))
    # the pin goes along to the last call, where the 1 is the fifth cell
    page.locator(".dmlviz-strip-tensor").nth(3).click()
    page.wait_for_function(f"{CHOSEN} === 3")
    assert page.evaluate(MOMENT) == [False, 0, [4]]
    assert [one["places"] for one in page.evaluate(TENSORS)] == due
    page.wait_for_function(
        "location.search.includes('call=3') && location.search.includes('pinned=2,0')"
    )
    assert page.evaluate(OVERFLOWS) == []
    # other values go on at the same moment, and another program begins
    page.evaluate(SEEK, 1)
    page.get_by_label("Sizes of x").fill("2, 4")
    page.get_by_label("Sizes of x").press("Enter")
    page.wait_for_function(f"{LABELS}.join() === '2,6,3,7,4,8'")
    assert page.evaluate(MOMENT) == [False, 1, [4]]
    # the player writes its own part of an address a moment later
    page.wait_for_function(
        "location.search.includes('x:2,4') && location.search.includes('pinned=2,0')"
    )
    type_code(page, "np.flip(x, 1)")
    page.wait_for_function(f"{LABELS}.join() === '4,3,2,1,8,7,6,5'")
    page.wait_for_function("!location.search.includes('pinned')")
    assert page.evaluate(MOMENT) == [False, 0, []]
    # as Back finds it
    page.go_back()
    page.wait_for_function(f"{LABELS}.join() === '2,6,3,7,4,8'")
    page.wait_for_function("location.search.includes('pinned=2,0')")
    assert page.evaluate(MOMENT) == [False, 1, [4]]


def test_a_refusal_is_beside_the_code_and_a_correction_draws_again(visit):
    page = opened(visit).page
    type_code(page, "x.reshape(3, 8).softmax(-1)")
    alert = page.locator(".st-key-refusal")
    alert.wait_for()
    assert "Line 1, column 16" in alert.inner_text()
    field = page.get_by_label("Code", exact=True)
    assert field.input_value() == "x.reshape(3, 8).softmax(-1)"
    assert alert.bounding_box()["y"] - (box := field.bounding_box())["y"] - box["height"] < 80
    type_code(page, "x.reshape(3, 8)")
    alert.wait_for(state="hidden")
    page.wait_for_selector(".dmlviz-player[data-ready=true]:not(.dmlviz-outdated)")


def test_the_strip_is_in_the_first_view_and_hidden_before_a_prediction(visit):
    page = opened(visit, width=1366, height=650).page
    page.get_by_label("Code", exact=True).wait_for()
    strip = page.locator(".dmlviz-strip")
    box = strip.bounding_box()
    assert box["y"] + box["height"] <= 650
    page.goto(f"{page.url.partition('?')[0]}?predict=true")
    page.wait_for_selector(".dmlviz-player[data-ready=true]")
    assert not page.locator(".dmlviz-strip").is_visible()


# cells that a phone has no room for where the picture has the usual height
CLOSE = {"split-columns", "patches-reshape", "qkv", "channel-shuffle"}
CELLS = 48
PRESETS = [
    pytest.param(preset, id=preset.key, marks=[] if preset.key in CLOSE else pytest.mark.thorough)
    for preset in code_presets()
    if not preset.refusal
    and max(preset.state.scene().input.count, preset.state.scene().output.count) <= CELLS
]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_cell_of_a_small_preset_has_its_number_on_a_phone(visit, preset):
    window = visit(preset.link.lstrip("/"), width=390, height=740)
    texts, picture = window.numbers, preset.state.scene()
    assert len(texts) >= picture.values.size
    assert min(size for *_text, size in texts) >= DIGIT
    stage = window.page.locator(".dmlviz-stage").bounding_box()
    assert stage["height"] <= 740


IN_VIEW = """() => {
    const bar = document.querySelector(".dmlviz-share").getBoundingClientRect();
    const end = Math.min(window.innerHeight, bar.height ? bar.top : Infinity);
    const parts = document.querySelectorAll(".dmlviz-stage, .dmlviz-quiz-prompt, .dmlviz-quiz-tools > *");
    const seen = [...parts].filter((part) => part.offsetHeight > 0);
    return seen.length > 3 && seen.every((part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return top >= 0 && bottom <= end;
    });
}"""
"""Whether the stage, the question and what answers it are in the window, above the bar."""


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (390, 740)])
def test_a_question_and_its_choices_are_in_the_first_view_with_the_stage(visit, width, height):
    page = visit("code?predict=true", width=width, height=height).page
    page.wait_for_function(IN_VIEW, timeout=10_000)
    page.get_by_role("button", name="{2, 4, 3}").click()
    page.locator(".dmlviz-quiz-value").wait_for()
    page.wait_for_function(IN_VIEW, timeout=10_000)


PLACES = """() => Object.fromEntries(["coderow", "board", "words", "scrub"].map((name) => {
  const found = document.querySelector(name === "coderow" ? ".st-key-coderow" : `.dmlviz-${name}`);
  const { top, bottom } = found.getBoundingClientRect();
  return [name, [top, bottom]];
}))"""
LINES = "y = x.reshape(2, 3, 4)\nz = y.permute(0, 2, 1)\nw = z.flatten()\nw.reshape(4, 6)"


@pytest.mark.parametrize(("width", "height"), [(390, 740), (320, 568)])
@pytest.mark.parametrize(("code", "sizes"), [("x.T", "2,3"), (LINES, "2,12")])
def test_all_of_a_small_picture_is_in_a_phones_first_view(visit, code, sizes, width, height):
    words = urlencode({"code": code, "sizes": f"x:{sizes}", "library": "torch"})
    window = visit(f"code?{words}", width=width, height=height)
    places = window.page.evaluate(PLACES)
    # the picture follows the code at once, and ends where Play begins
    assert 0 <= places["board"][0] - places["coderow"][1] < 40
    assert places["board"][1] <= places["scrub"][0]
    assert min(size for *_text, size in window.numbers) >= DIGIT
    # what plays is in view with its caption
    window.press("toggle")
    window.until("t > 0.2")
    window.page.wait_for_function(
        f"() => {{ const {{ words, scrub }} = ({PLACES})(); return words[1] <= scrub[0] + 1; }}"
    )
    assert window.page.evaluate(PLACES)["board"][0] >= 0


def test_a_pasted_function_answers_and_has_a_box_for_its_number(visit):
    page = opened(visit).page
    type_code(page, "def halves(x, n):\n    return x.reshape(n, -1)[::-1]")
    box = page.get_by_label("Number n")
    box.wait_for()
    page.get_by_label("Sizes of x").fill("2, 3")
    page.get_by_label("Sizes of x").press("Enter")
    page.wait_for_function(f"{LABELS}.join() === '4,5,6,1,2,3'")
    assert box.input_value() == "2"
    box.fill("3")
    box.press("Enter")
    page.wait_for_function(f"{LABELS}.join() === '5,6,3,4,1,2'")
    assert "n%3A3" in page.url or "n:3" in page.url
    assert page.evaluate(OVERFLOWS) == []


DROPPED = """async (zone, address) => {
    const sent = new DataTransfer();
    sent.items.add(new File([await (await fetch(address)).arrayBuffer()], "large.onnx"));
    zone.dispatchEvent(new DragEvent("drop", { dataTransfer: sent, bubbles: true, cancelable: true }));
}"""


@pytest.mark.parametrize("way", ["chosen", "dropped"])
def test_only_the_graph_of_a_model_leaves_the_browser(visit, tmp_path, way):
    file = tmp_path / "large.onnx"
    file.write_bytes(weighted("initializer"))
    assert file.stat().st_size > 1_900_000
    window = visit(None, fresh=True)
    page = window.page
    page.goto(f"{window.server}/code?code=x.T&sizes=x:2,3")
    window.ready()
    page.get_by_text("ONNX model", exact=True).click()
    field = page.locator(".st-key-modelfile")
    field.locator("[data-testid=stFileUploaderDropzone]").wait_for()
    if way == "chosen":
        field.locator("input[type=file]").set_input_files(file)
    else:
        address = f"data:;base64,{b64encode(file.read_bytes()).decode()}"
        field.locator("[data-testid=stFileUploaderDropzone]").evaluate(DROPPED, address)
    page.locator(".stSidebar .stRadio label code").wait_for()
    page.get_by_role("button", name="Show the graph").click()
    picture = page.get_by_role("dialog").get_by_role("img", name="The graph of a model")
    picture.wait_for()
    page.wait_for_function("image => image.naturalWidth > 200", arg=picture.element_handle())
    # what was sent, as Streamlit says
    assert re.search(r"large\.onnx\s+\d{3}\.0B", field.inner_text())


# of fields whose boxes begin at one height, the heights at which their labels begin
FIELD_LABELS = """() => Object.values(Object.groupBy(
  [...document.querySelectorAll("[class*=st-key-codesizes]")].map((field) => [
    Math.round(field.querySelector("input").getBoundingClientRect().top),
    Math.round(field.querySelector("label").getBoundingClientRect().top),
  ]), ([box]) => box)).map((row) => row.map(([, label]) => label))"""


def test_the_labels_of_a_row_begin_at_one_height(visit):
    code = "x.reshape(B, H // window_size, window_size, W // window_size, window_size, C)"
    window = visit(f"code?{urlencode({'code': code})}", fresh=True).ready()
    for width in (1366, 820, 390, 320):
        window.page.set_viewport_size({"width": width, "height": 650})
        window.ready()
        rows = window.page.evaluate(FIELD_LABELS)
        assert sum(map(len, rows)) == 6
        assert all(len({*row}) == 1 for row in rows), (width, rows)
        assert window.page.evaluate(OVERFLOWS) == []


# of the menu of questions: what its widest title takes, and how much room its text has
ROOM = """(titles) => {
  const text = document.querySelector(".st-key-tools .stSelectbox input");
  const { font, paddingLeft, paddingRight } = getComputedStyle(text);
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  pen.font = font;
  const widest = Math.max(...titles.map((title) => pen.measureText(title).width));
  return [widest, text.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)];
}"""


@pytest.mark.parametrize("page", ["code", "depth-to-space", "padding"])
def test_no_title_of_a_question_is_cut(visit, page):
    window = visit(page, width=1366).ready()
    widest, room = window.page.evaluate(ROOM, [*menu_of(page).values()])
    assert widest <= room
    assert window.page.evaluate(OVERFLOWS) == []
