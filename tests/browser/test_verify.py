"""Verify a page, in the browser: an altered page is caught, seen, and taken to its explorer."""

from playwright.sync_api import expect

import dmlviz
from dmlviz.verify import write_example


def test_an_altered_page(visit):
    example = dmlviz.DepthToSpace.examples()[0]
    trace = dmlviz.run(example.operator, example.x)
    text = write_example(example.operator, example.x, trace.output)
    altered = text.replace("18,  1, 19", "81,  1, 19").replace("18, 1, 19", "81, 1, 19")
    assert altered != text
    altered = f"{altered}\n\n{text}"
    window = visit(None, fresh=True)
    page = window.page
    page.goto(f"{window.server}/verify")
    page.get_by_text("Paste", exact=True).click()
    page.get_by_role("textbox", name="The page's text").fill(altered)
    page.keyboard.press("Control+Enter")
    mark = page.locator(".dmlviz-text-mark", has_text="DOC101")
    mark.get_by_text("is 81 on the page, but the engine gives 18").wait_for()
    # one is drawn after the other
    for number, sign in ((0, "≠81"), (1, "≠18")):
        chart = page.locator(".js-plotly-plot").nth(number)
        expect(chart.locator("text").filter(has_text="≠")).to_have_text([sign])
    # the problem is below its line, scrolled into view
    line = mark.evaluate("e => e.previousElementSibling.innerText")
    assert line == altered.split("\n")[int(mark.get_attribute("data-line")) - 1]
    page.wait_for_function(
        """() => {
          const mark = document.querySelector(".dmlviz-text-mark.dmlviz-text-error");
          const [box, own] = [mark.parentElement.parentElement, mark].map(e => e.getBoundingClientRect());
          return own.top >= box.top && own.bottom <= box.bottom && mark.tabIndex === 0;
        }"""
    )
    # pressing what is said of an example shows it
    page.locator(".dmlviz-text-good").press("Enter")
    window.ready()
    assert window.js("player => player.payload.differing ?? []") == []
    mark.click()
    page.wait_for_selector(".js-plotly-plot .heatmaplayer")
    page.get_by_text("The movement", exact=True).first.click()
    window.ready()
    assert window.js("player => player.payload.differing") == [1]
    page.get_by_text("Open this example in its explorer").click()
    page.wait_for_function("document.querySelector('h1')?.innerText === 'Depth to space'")
    window.ready()
    assert "block_size=2" in page.url or page.url.endswith("/depth-to-space")
    assert window.js("player => player.payload.output.tensors[0].sizes") == [1, 2, 4, 6]
    assert window.problems == []


def test_a_button_verifies_what_was_typed_also_without_keys(visit):
    window = visit(None, width=390, height=740, has_touch=True, fresh=True)
    page = window.page
    page.goto(f"{window.server}/verify")
    page.get_by_role("radio", name="Paste", exact=True).click()
    button = page.locator(".st-key-verify_go button")
    button.wait_for()
    assert not page.get_by_text("Ctrl+Enter").is_visible()
    page.locator(".st-key-verify_text textarea").fill("# Tile\n\nNo example.")
    button.tap()
    # the page has the text, and what was found in it has taken the place of the way to begin
    button.wait_for(state="detached")
    assert page.locator(".st-key-verify_text textarea").input_value().startswith("# Tile")
