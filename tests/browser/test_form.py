"""Rows of a form, drawn by the module that live pages and notebooks share."""

from __future__ import annotations

from contextlib import contextmanager

from dmlviz.states.controls import FormControl, FormField, FormGroup
from tests.browser.chromium import chromium
from tests.browser.conftest import ROOT

PAGE = """async (js) => {
  const file = new Blob([js], { type: "text/javascript" });
  const { Form } = await import(URL.createObjectURL(file));
  window.changes = [];
  window.form = new Form((name, text) => changes.push([name, text]));
  document.body.append(form.element);
}"""


@contextmanager
def form_page():
    """A page with a form, and what loads a row into it."""
    script = (ROOT / "dmlviz" / "picture" / "js" / "form.js").read_text(encoding="utf-8")
    with chromium.browser.new_context() as context:
        page = context.new_page()
        page.route(
            "http://form.test/", lambda route: route.fulfill(content_type="text/html", body="")
        )
        page.goto("http://form.test/")
        page.evaluate(PAGE, script)

        def load(control, text, **more):
            row = FormField("b", "B", "Help for B.", (control,), values=(text,), **more)
            page.evaluate("(groups) => form.load(groups)", [FormGroup("", (row,)).data()])

        yield page, load


def test_a_menu_of_numbers_takes_another_number(browser_tool):
    menu_of_numbers = FormControl("menu", (1, 2), accepts_more=True)
    with form_page() as (page, load):
        load(menu_of_numbers, "2")
        menu, box = page.locator("select"), page.locator("input")
        assert not box.is_visible()
        menu.select_option("1")
        menu.select_option("…")
        box.fill("3")
        box.press("Enter")
        assert page.evaluate("changes") == [["b", "1"], ["b", "3"]]
        # what is refused stays in the box
        page.evaluate("document.activeElement.blur()")
        load(menu_of_numbers, "3", problem="B: 3 is invalid.")
        assert box.is_visible()
        assert box.input_value() == "3"
        assert page.locator(".dmlviz-problem").inner_text() == "B: 3 is invalid."
        load(menu_of_numbers, "2")
        assert not box.is_visible()
        assert menu.input_value() == "2"
        # a menu of which nothing else is declared has only its options
        load(FormControl("menu", (1, 2)), "2")
        assert menu.locator("option").all_inner_texts() == ["1", "2"]


def test_a_number_out_of_range_stays_in_its_box(browser_tool):
    number = FormControl("number", least=0, most=4)
    with form_page() as (page, load):
        load(number, "1")
        box = page.locator("input")
        box.fill("9")
        box.press("Enter")
        assert page.evaluate("changes") == [["b", "9"]]
        load(number, "9", problem="B: 9 is invalid; it must be from 0 to 4.")
        assert box.input_value() == "9"
        assert box.get_attribute("aria-invalid") == "true"
        note = page.locator(".dmlviz-problem")
        assert note.inner_text() == "B: 9 is invalid; it must be from 0 to 4."
        load(number, "2")
        assert box.input_value() == "2"
        assert not note.is_visible()


def test_no_more_characters_can_be_typed_than_declared(browser_tool):
    for kind in ("text", "lines"):
        with form_page() as (page, load):
            load(FormControl(kind, most_characters=4), "")
            page.locator("input, textarea").press_sequentially("123456")
            page.evaluate("document.activeElement.blur()")
            assert page.evaluate("changes") == [["b", "1234"]]


def test_a_row_that_is_unavailable_sends_nothing_and_says_why(browser_tool):
    text = FormControl("text")
    with form_page() as (page, load):
        load(text, "1")
        box, row = page.locator("input"), page.locator(".dmlviz-row")
        assert row.get_attribute("title") == "Help for B."
        box.press_sequentially("2")
        load(text, "1", unavailable="Turn off A first.")
        assert box.is_disabled()
        assert row.get_attribute("title") == "Turn off A first."
        # what was typed before is no change
        box.dispatch_event("change")
        assert page.evaluate("changes") == []
        load(text, "1")
        assert not box.is_disabled()
        assert row.get_attribute("title") == "Help for B."
        box.fill("3")
        box.press("Enter")
        assert page.evaluate("changes") == [["b", "3"]]


def test_every_part_of_a_menu_of_numbers_is_unavailable(browser_tool):
    with form_page() as (page, load):
        control = FormControl("menu", (1, 2), accepts_more=True)
        load(control, "3", unavailable="Turn off A first.")
        assert page.locator("select").is_disabled()
        assert page.locator("input").is_disabled()
