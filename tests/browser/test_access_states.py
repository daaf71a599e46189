"""axe-core over what pages become when somebody does something with them, in both languages."""

from __future__ import annotations

import pytest

import dmlviz
from dmlviz.verify import write_example
from tests.browser.test_access import look


def nothing(_window):
    """The page as it comes."""


def press(keys):
    def act(window):
        window.page.keyboard.press(keys)
        window.ready()

    return act


def click(selector):
    def act(window):
        window.page.locator(selector).first.click()
        window.rested()
        window.let_pass(400)

    return act


def verify(window):
    example = dmlviz.DepthToSpace.examples()[0]
    trace = dmlviz.run(example.operator, example.x)
    text = write_example(example.operator, example.x, trace.output).replace("18,  1", "81,  1")
    # the second of the ways to give a page: to paste it
    window.page.get_by_test_id("stMain").get_by_role("radio").nth(1).click(force=True)
    window.page.locator("textarea").fill(text)
    window.page.keyboard.press("Control+Enter")
    window.page.locator(".js-plotly-plot .heatmaplayer").first.wait_for()
    window.rested()


def every_sheet(window):
    """All that is below the stage, opened."""
    pills = window.page.locator(".st-key-below").get_by_role("button")
    for k in range(pills.count()):
        pills.nth(k).click()
        window.rested()


def settings(window):
    window.page.get_by_test_id("stExpandSidebarButton").click()
    window.let_pass(600)


STATES = {
    "lessons": ("lessons", nothing),
    "lesson": ("lessons?lesson=padding-folding&part=1", nothing),
    "lesson-answered-1": ("lessons?lesson=padding-folding&part=1", press("1")),
    "lesson-answered-2": ("lessons?lesson=padding-folding&part=1", press("2")),
    "practice": ("practice?seed=7&level=1&operator=tile&number=1", nothing),
    "practice-answered-1": ("practice?seed=7&level=1&operator=tile&number=1", press("1")),
    "practice-answered-2": ("practice?seed=7&level=1&operator=tile&number=1", press("2")),
    "teach": ("teach", nothing),
    "worksheet": ("worksheet", nothing),
    "glossary": ("glossary", nothing),
    "verify": ("verify", nothing),
    "verified": ("verify", verify),
    "refused": ("tile?sizes=words", nothing),
    "too-large": ("tile?sizes=1,1,64,64&values=count-0&repeats=1,1,3,2", nothing),
    "predict": ("gather?predict=true", nothing),
    "view": ("depth-to-space", click(".dmlviz-looks")),
    "share": ("tile", click(".dmlviz-share")),
    "operators": ("tile", click(".st-key-bar_wide button")),
    "sheets": ("resample", every_sheet),
    "present": ("tile?present=true", nothing),
    "search": ("?q=pixel+shuffle", nothing),
    "card": ("", click(".dmlviz-card")),
}
NARROW = {"settings": ("tile", settings)} | {
    name: STATES[name]
    for name in (
        "lesson",
        "lesson-answered-2",
        "practice-answered-2",
        "verified",
        "view",
        "predict",
    )
}
QUICK = {"lesson-answered-2", "view"}
"""The others, and English, are for the thorough run."""


@pytest.mark.parametrize(
    ("name", "width", "language"),
    [
        pytest.param(
            name,
            width,
            language,
            marks=[] if name in quick and language == "ko" else [pytest.mark.thorough],
        )
        for width, states, quick in ((1280, STATES, QUICK), (390, NARROW, {"settings"}))
        for name in states
        for language in ("en", "ko")
    ],
)
def test_nothing_serious_in_any_state(visit, axe, name, width, language):
    path, act = (STATES if width == 1280 else NARROW)[name]
    window = visit(None, width=width, height=2_600 if width == 1280 else 1_400, fresh=True)
    window.page.goto(f"{window.server}/{path}{'&' if '?' in path else '?'}lang={language}")
    window.page.locator("h1, .dmlviz-player, [data-testid=stAlert]").first.wait_for()
    window.rested().drawn()
    act(window)
    look(window, axe)
