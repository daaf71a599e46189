"""Rows of a form, drawn by the module that live pages and notebooks share."""

from __future__ import annotations

from tests.browser.chromium import chromium
from tests.browser.conftest import ROOT

PAGE = """async (js) => {
  const file = new Blob([js], { type: "text/javascript" });
  const { Form } = await import(URL.createObjectURL(file));
  window.changes = [];
  const form = new Form((name, text) => changes.push([name, text]));
  document.body.append(form.element);
  window.load = (value) => {
    const controls = [{ kind: "menu", options: [1, 2] }];
    const field = { name: "b", label: "B", help: "", ranked: false, controls };
    form.load([{ title: "", fields: [{ ...field, values: [value], problem: "" }] }]);
  };
}"""


def test_a_menu_of_numbers_takes_another_number(browser_tool):
    script = (ROOT / "dmlviz" / "picture" / "js" / "form.js").read_text(encoding="utf-8")
    with chromium.browser.new_context() as context:
        page = context.new_page()
        page.route(
            "http://form.test/", lambda route: route.fulfill(content_type="text/html", body="")
        )
        page.goto("http://form.test/")
        page.evaluate(PAGE, script)
        page.evaluate("load('2')")
        menu, box = page.locator("select"), page.locator("input")
        assert not box.is_visible()
        menu.select_option("1")
        menu.select_option("…")
        box.fill("3")
        box.press("Enter")
        assert page.evaluate("changes") == [["b", "1"], ["b", "3"]]
        # what is refused stays in the box
        page.evaluate("document.activeElement.blur()")
        page.evaluate("load('3')")
        assert box.is_visible()
        assert box.input_value() == "3"
        page.evaluate("load('2')")
        assert not box.is_visible()
        assert menu.input_value() == "2"
