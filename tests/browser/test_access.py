"""axe-core over every page: nothing serious, light and dark, wide and narrow."""

from __future__ import annotations

import numpy as np
import pytest

import dmlviz
from dmlviz.__main__ import main
from dmlviz.operators import OPERATORS
from dmlviz.site import SitePage, write_site
from tests.thorough import THOROUGH
from tests.verify.pages import TILE

EXPLORERS = tuple(cls.key for cls in OPERATORS)
PAGES = ("", *EXPLORERS, "padding?predict=true", "code", "engines", "names")
QUICK = {*PAGES} - {*EXPLORERS} | {"tile", "resample", "gather", "split"}
NARROW = {"", "tile", "strided", "code", "names"}
"""Also in a narrow window: explorers are one page to a telephone."""
THUMBNAIL = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2"/>'
# Streamlit's own widgets are held to this too: what they do wrong comes of our theme's colours
RUN = """async (rules) => {
  // where the window is narrow, Streamlit itself puts a div between the list of pages and its groups
  const groups = (id, node) => ["list", "listitem"].includes(id)
    && document.querySelector(node.target[0])?.closest("[data-testid=stSidebarNavItems]");
  const { violations } = await axe.run(document, {
    resultTypes: ["violations"], preload: false, ...(rules?.length && { runOnly: rules }) });
  return violations.filter(v => ["serious", "critical"].includes(v.impact)).flatMap(v =>
    v.nodes.filter(n => !groups(v.id, n)).map(n => `${v.id}: ${n.failureSummary.split("\\n")[1].trim()} in ${n.html.slice(0, 90)}`));
}"""


def fill(window):
    """Compare with another setting, and pin a cell: all that a page can show."""
    page = window.page
    page.get_by_text("Compare with another setting").click()
    outputs = "document.querySelector('.dmlviz-player').dmlviz.payload.output.tensors"
    page.wait_for_function(f"{outputs}[0].name.startsWith('A')", polling=20)
    window.ready()
    window.js("player => player.pins.toggle({ side: 'output', element: 3 })")


def resize(window, width):
    """What lies outside a window may escape the check of contrast, so it is a high one."""
    window.page.set_viewport_size({"width": width, "height": 2_600})
    window.let_pass(100).drawn()


@pytest.mark.parametrize(
    "path",
    # the explorers are of few kinds to CI
    [
        pytest.param(path, marks=[] if path in {*QUICK, *NARROW} else [pytest.mark.thorough])
        for path in PAGES
    ],
    ids=lambda path: path or "home",
)
def test_nothing_serious_is_in_anybodys_way(visit, axe, path):
    window = visit(None, height=2_600)
    window.page.goto(f"{window.server}/{path}")
    window.page.wait_for_selector("h1")
    window.rested()
    if path in EXPLORERS:
        fill(window.ready())
    if path in QUICK or THOROUGH:
        look(window, axe)
    if path in NARROW:
        resize(window, 390)
        # a window that was wide before keeps its sidebar
        collapse = window.page.get_by_test_id("stSidebarCollapseButton").locator("button")
        if collapse.is_visible():
            collapse.click()
        if path in EXPLORERS:
            window.page.get_by_test_id("stExpandSidebarButton").wait_for()
        look(window, axe)


@pytest.mark.parametrize("name", ["index", "padding"])
def test_nor_on_the_pages_of_a_site(visit, axe, tmp_path, name):
    trace = dmlviz.run(dmlviz.Padding("EDGE", (0, 2), (0, 1)), np.arange(6.0).reshape(2, 3))
    pages = [
        SitePage(slug, "Padding", ("What is repeated?", "Say it first."), trace, "Padding")
        for slug in ("first", "padding", "last")
    ]
    write_site(tmp_path, pages, thumbnail=lambda _scene: THUMBNAIL)
    window = visit(None, server=tmp_path.as_uri(), height=2_600)
    window.page.goto((tmp_path / f"{name}.html").as_uri())
    if name != "index":
        window.page.wait_for_selector('.dmlviz-player[data-ready="true"]')
        window.js("player => player.pins.toggle({ side: 'output', element: 3 })")
    for width in (1280, 390):
        resize(window, width)
        assert window.page.evaluate("document.scrollingElement.scrollWidth") <= width
        look(window, axe)


def test_nor_in_a_report_whose_movements_share_one_plotly(visit, axe, tmp_path):
    wrong = TILE.replace("4, 5, 6, 4, 5, 6", "4, 5, 6, 4, 9, 6")
    for name, text in (("a", wrong), ("b", TILE)):
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    file = tmp_path / "report.html"
    assert main(["verify", str(tmp_path), "--output-format=html", f"--output-file={file}"]) == 1
    window = visit(None, server=tmp_path.as_uri(), height=2_600)
    window.page.goto(file.as_uri())
    for fold in window.page.locator("summary").all():
        fold.click()
    ready = window.page.locator('.dmlviz-player[data-ready="true"]')
    ready.nth(1).wait_for()
    assert ready.count() == 2
    for width in (1280, 390):
        resize(window, width)
        assert window.page.evaluate("document.scrollingElement.scrollWidth") <= width
        look(window, axe)
    window.page.locator("summary").first.click()
    window.page.locator(".dmlviz-stage").nth(1).wait_for(state="detached")
    assert window.page.locator(".dmlviz-stage").count() == 1


def look(window, axe):
    """Nothing serious in either theme, wherever letters have left the pointer."""
    window.page.mouse.move(2, 2)
    window.page.evaluate(axe)
    wrong: list[str] = []
    # the other theme has other colors, and nothing else
    for scheme, rules in {"light": [], "dark": ["cat.color"]}.items():
        window.page.emulate_media(color_scheme=scheme)
        window.page.wait_for_timeout(500)
        found = window.page.evaluate(RUN, rules)
        wrong += [f"{scheme}: {violation}" for violation in found]
    window.page.emulate_media(color_scheme="light")
    assert not wrong, "\n".join(wrong)
