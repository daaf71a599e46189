"""The app round the player: pages, network, reruns, the grid, text from outside."""

from __future__ import annotations

from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import expect

from dmlviz.operators import OPERATORS, operator_class

OFFERED = ("Formula", "Code", "Download")

TITLES = ["Home", *(cls.title() for cls in OPERATORS)]
EXPLORERS = [cls.key for cls in OPERATORS]


def widget(window, label):
    return window.page.get_by_test_id("stSidebar").get_by_label(label, exact=True)


def fill(window, label, text):
    widget(window, label).fill(text)
    widget(window, label).press("Tab")
    window.rested()


def at_rest(window, locator):
    """Wait until something stays where it is; a click on what moves may miss."""
    before = None
    while before != (before := locator.bounding_box()):
        window.let_pass(400)


def choose(window, label, option):
    box = window.page.get_by_test_id("stSelectbox").filter(has_text=label)
    # a list that opens while its box still moves is closed again
    at_rest(window, box)
    combobox = box.get_by_role("combobox")
    combobox.click()
    chosen = window.page.get_by_role("option", name=option, exact=True)
    chosen.wait_for()
    # from the keyboard, because a list that is drawn anew slips away from a click
    combobox.fill(option)
    combobox.press("Enter")
    window.rested()


@pytest.mark.parametrize(
    "titles",
    [
        [*TITLES[1::6], *TITLES[:2]],
        pytest.param([*TITLES[1:], *TITLES[::2]], marks=pytest.mark.thorough),
    ],
    ids=["some", "all"],
)
def test_pages_by_the_navigation_with_one_plotly(visit, titles):
    window = visit("", fresh=True)
    for title in titles:
        window.go(title)
    assert window.problems == []
    assert window.foreign == []
    fetched = [url for url in window.requests if "plotly.min.js" in url]
    assert len(fetched) == 1
    assert len([url for url in window.requests if url.endswith("/player.js")]) == 1
    # and a reload takes both from the browser's cache
    window.page.reload()
    window.ready()
    sizes = window.page.evaluate(
        "performance.getEntriesByType('resource').filter(e => /\\/dmlviz\\//.test(e.name))"
        ".map(e => [e.name.split('/').at(-1), e.transferSize])"
    )
    assert sorted(sizes) == [["player.js", 0], ["plotly.min.js", 0]]


@pytest.mark.thorough
def test_pages_by_their_addresses(visit):
    for path in EXPLORERS:
        window = visit(path)
        assert window.page.locator("h1").inner_text() == operator_class(path).title()
        assert window.page.locator(".st-key-bar_wide").get_by_role("button").count() == 3


def test_back_button_of_the_browser(visit):
    window = visit("tile").go("Padding")
    window.page.go_back()
    window.page.wait_for_function("document.querySelector('h1')?.innerText === 'Tile'")
    window.ready()
    assert window.js("player => player.payload.output.tensors[0].sizes") == [1, 1, 6, 9]


def test_the_end_is_kept_when_a_repeat_changes(visit):
    window = visit("tile")
    window.press("last")
    fill(window, "[3]", "4")
    window.page.wait_for_function(
        "document.querySelector('.dmlviz-player').dmlviz.payload.output.tensors[0].sizes[3] === 12"
    )
    window.drawn()
    assert window.t == window.js("player => player.steps") == 6
    assert window.output_texts == [str(n) for n in ([1, 2, 3] * 4 + [4, 5, 6] * 4) * 3]
    assert "72 elements" in window.page.get_by_test_id("stMain").inner_text()


def test_code_is_reached_at_once_in_the_library_chosen_last(visit):
    window = visit("tile?lang=en", width=1366, height=650, fresh=True)
    page = window.page
    names = [page.locator(".st-key-shortcuts").get_by_role("button", name=name) for name in OFFERED]
    for name in names:
        box = name.bounding_box()
        assert box["y"] + box["height"] <= 650
    names[1].click()
    section = page.locator(".st-key-section-code")
    section.get_by_text("np.tile").wait_for()
    in_view = "e => e.getBoundingClientRect().top >= 48 && e.getBoundingClientRect().bottom <= 650"
    page.wait_for_function(f"({in_view})(document.querySelector('.st-key-section-code pre'))")
    copy = section.get_by_role("button", name="Copy to clipboard")
    page.mouse.move(0, 0)
    seen = "e => { let o = 1; for (; e; e = e.parentElement) o *= getComputedStyle(e).opacity; return o; }"
    assert copy.evaluate(seen) == 1
    section.get_by_text("PyTorch", exact=True).click()
    section.get_by_text("torch.tile").wait_for()
    # for every operator, and after the tab was closed
    window.rested()
    page.wait_for_function("document.cookie.includes('dmlviz-dialect=pytorch')")
    window.open("padding?lang=en")
    page.locator(".st-key-shortcuts").get_by_role("button", name="Code").click()
    section.get_by_text("F.pad").first.wait_for()


def test_the_moment_is_kept_when_nothing_of_it_changes(visit):
    window = visit("tile").seek(2)
    before = window.shot()
    window.page.locator(".st-key-below").get_by_role("button", name="Formula").click()
    window.rested()
    assert window.t == 2
    # a rerun of the page with the same operation
    window.page.get_by_text("Engine and limits").click()
    choose(window, "Feature level", "6_4")
    assert window.t == 2
    assert np.array_equal(window.shot(), before)
    window.seek(2.5)
    window.page.get_by_text("Documentation example").click()
    window.rested()
    assert window.t == 2.5


def test_files_show_the_moment_on_the_stage(visit):
    window = visit("tile", fresh=True).ready()
    page = window.page
    chosen = page.get_by_role("slider", name="Moment of the picture: completed steps")
    for moment, shown in ((0, "5"), (2, "2"), (3.5, "3.5")):
        window.seek(moment).rested()
        page.wait_for_function(
            "t => new URLSearchParams(location.search).get('step') === t",
            arg=str(moment) if moment else None,
        )
        page.locator(".st-key-shortcuts").get_by_role("button", name="Download").click()
        expect(chosen).to_have_value(shown)
    # another section that is opened leaves the choice
    chosen.press("ArrowRight")
    window.rested()
    page.locator(".st-key-shortcuts").get_by_role("button", name="Formula").click()
    window.rested()
    expect(chosen).to_have_value("3.75")


def test_another_operation_keeps_the_step(visit):
    window = visit("tile").seek(2.5)
    fill(window, "[2]", "2")
    window.page.wait_for_function(
        "document.querySelector('.dmlviz-player').dmlviz.payload.output.tensors[0].sizes[2] === 4"
    )
    window.drawn()
    assert window.t == 2


def test_a_refusal_dims_the_picture_and_mending_brings_it_back(visit):
    window = visit("tile")
    fill(window, "Sizes", "words")
    # the last picture stays, and nobody can take it for that of the settings
    assert window.page.locator(".dmlviz-player[inert].dmlviz-outdated").count() == 1
    assert window.page.get_by_test_id("stAlert").first.is_visible()
    assert widget(window, "Sizes").input_value() == "words"
    fill(window, "Sizes", "1, 1, 2, 3")
    window.ready()
    assert window.js("player => player.payload.output.tensors[0].sizes") == [1, 1, 6, 9]
    window.press("last")
    assert window.t == 5


def test_state_survives_a_visit_to_another_page(visit):
    window = visit("tile")
    fill(window, "Sizes", "2, 2")
    window.go("Padding").go("Tile")
    assert widget(window, "Sizes").input_value() == "2, 2"
    assert window.js("player => player.payload.input.tensors[0].sizes") == [2, 2]


def edit_cell(window, row, column, text):
    """Type into a cell of the grid, which Streamlit draws on a canvas."""
    box = window.page.get_by_test_id("data-grid-canvas").first.bounding_box()
    wide = box["width"] / 4
    # a header and an index column come before
    window.page.mouse.click(box["x"] + wide * (column + 1.5), box["y"] + 35 * (row + 1.5))
    window.let_pass(300)
    # an editor opens over the cell, and forgets what is typed faster than people do
    window.page.keyboard.press("Enter")
    editor = window.page.locator("#portal :is(textarea, input)")
    editor.wait_for()
    window.let_pass(300)
    editor.fill(text)
    window.let_pass(300)
    assert editor.input_value() == text
    window.page.keyboard.press("Enter")
    editor.wait_for(state="detached")
    window.rested()


def open_grid(window):
    if not window.page.get_by_test_id("data-grid-canvas").count():
        window.page.get_by_text("Edit as a grid").click()
    grid = window.page.get_by_test_id("data-grid-canvas")
    grid.wait_for()
    # the expander unfolds
    at_rest(window, grid)


def test_grid_editor(visit):
    window = visit("tile", fresh=True)
    open_grid(window)
    edit_cell(window, 1, 0, "70")
    window.page.wait_for_function(
        "document.querySelector('.dmlviz-player').dmlviz.model.inputLabels[3] === '70'"
    )
    assert window.js("player => player.model.inputLabels") == ["1", "2", "3", "70", "5", "6"]
    chosen = window.page.get_by_test_id("stSelectbox").filter(has_text="Values")
    assert "My own values" in (chosen.inner_text() + chosen.locator("input").input_value())
    assert "70" in widget(window, "Your own values").input_value()
    # the next edit keeps the one before
    open_grid(window)
    edit_cell(window, 0, 2, "-3.5")
    window.page.wait_for_function(
        "document.querySelector('.dmlviz-player').dmlviz.model.inputLabels[2] === '-3.5'"
    )
    assert window.js("player => player.model.inputLabels") == ["1", "2", "-3.5", "70", "5", "6"]
    assert "-3.5" in window.output_texts


def test_grid_editor_refuses_what_is_no_number(visit):
    window = visit("tile", fresh=True)
    open_grid(window)
    edit_cell(window, 0, 1, "abc")
    alert = window.page.get_by_test_id("stSidebar").get_by_test_id("stAlert")
    alert.wait_for()
    assert 'values: "abc" at [0, 1] is not a number.' in alert.inner_text()
    cell = window.page.get_by_test_id("glide-cell-2-0")
    assert cell.text_content() == "abc", "what was typed is gone"
    edit_cell(window, 0, 1, "8")
    window.ready()
    assert window.js("player => player.model.inputLabels")[1] == "8"


@pytest.mark.parametrize(
    "text",
    [
        "![x](http://example.invalid/a.png)",
        "<script>window.hacked = 1</script><img src=x onerror='window.hacked=1'>",
        "$x$ and :red[x] and **x** and `x`",
        "[x](http://example.invalid) http://example.invalid <b>x</b>",
    ],
)
def test_hostile_text_is_shown_as_text(visit, text):
    window = visit(None)
    query = urlencode({"sizes": text, text: text, "values": "own", "literal": text})
    window.page.goto(f"{window.server}/tile?{query}")
    window.page.get_by_text("to see the picture:").wait_for()
    window.rested()
    main = window.page.get_by_test_id("stApp")
    # an invisible joiner keeps an address from being a link
    said = window.page.get_by_test_id("stAlert").first.inner_text().replace("\u2060", "")
    assert said.count(text[:40]) >= 1
    found = main.locator(
        "[data-testid=stAlert] :is(img, script, .katex, a, b, strong, code), "
        "[data-testid=stAlert] span[style*=color], [data-testid=stMain] li :is(a, img, .katex, b)"
    )
    assert found.count() == 0, [e.evaluate("e => e.outerHTML") for e in found.all()]
    assert window.page.evaluate("window.hacked") is None
    assert window.foreign == []
