"""A site without a server whose pages become live: Python in the browser, nothing from anywhere else.

Without Pyodide (``npm install``) or its NumPy these tests are skipped with a reason, or fail where
``DMLVIZ_REQUIRE_LIVE`` is set. ``DMLVIZ_NUMPY_WHEEL`` names the wheel.
"""

import os
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from dmlviz.base.words import speaking
from dmlviz.commands.site import code_page, lesson_page, live_page, operator_page
from dmlviz.live.bundle import live_files, numpy_wheel
from dmlviz.picture.policy import LIVE
from dmlviz.site import write_site
from dmlviz.states import first_state
from dmlviz.teaching.lessons import lessons
from tests.browser.chromium import chromium
from tests.browser.conftest import ROOT
from tests.browser.static import Handler, static_server
from tests.tool_fixtures import leave_out

WHEELS = ROOT.parent / "shared" / "serverless"
LOADING = "html[data-live=true]"
LARGE = ("worker.js", "pyodide.js", "core.zip", ".wasm")
RUNTIME = (
    "engine.js",
    "ort.wasm.min.js",
    "ort-wasm-simd-threaded.js",
    "ort-wasm-simd-threaded.wasm",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, browser_tool, npm_tool, node_tool):
    """An operator's page, that for code and a lesson in two languages, and a page with a question."""
    pyodide = npm_tool / "pyodide"
    if not pyodide.is_dir():
        leave_out(f"Pyodide is not here: {pyodide}", "LIVE")
    name = numpy_wheel(pyodide)
    wheel = Path(os.environ.get("DMLVIZ_NUMPY_WHEEL", WHEELS / name))
    if not wheel.is_file():
        leave_out(f"NumPy for Pyodide is not here: {wheel}", "LIVE")
    files = live_files(pyodide, wheel, npm_tool / "onnxruntime-web", node_tool)
    pages = []
    for spoken in ("en", "ko"):
        with speaking(spoken):
            edition = (operator_page(first_state("tile")), code_page())
            lesson = next(one for one in lessons() if one.key == "tile")
            parts = [lesson_page(lesson, number) for number in (1, 2)]
            pages += [live_page(page, files) for page in (*edition, *parts)]
    asks = replace(operator_page(first_state("tile")), slug="asks", choices=(("{2}", "No."),))
    folder = tmp_path_factory.mktemp("live") / "out"
    write_site(folder, [*pages, live_page(asks, files)], live=files)
    return folder


@pytest.fixture(scope="module")
def server(folder):
    """The address of the folder."""
    with static_server(folder) as address:
        yield address


class Reader:
    """Somebody's page; keeps all that it asked for, and all that went wrong."""

    def __init__(self, page):
        self.page = page
        self.asked, self.problems = [], []
        page.set_default_timeout(60_000)
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on(
            "console",
            lambda message: self.problems.append(message.text) if message.type == "error" else None,
        )

    def open(self, address):
        self.page.goto(address)
        return self.ready()

    def ready(self):
        self.page.wait_for_selector('.dmlviz-player[data-ready="true"]')
        return self

    @property
    def large(self):
        return [url for url in self.asked if url.endswith(LARGE)]

    @property
    def status(self):
        return self.page.locator(".dmlviz-live-status").inner_text()

    def control(self, label, number=0):
        return self.page.locator("form").get_by_label(label, exact=True).nth(number)

    def set(self, label, value):
        """Change a control as a reader does."""
        control = self.control(label)
        if control.evaluate("e => e.tagName") == "SELECT":
            control.select_option(label=value)
        elif control.get_attribute("type") == "checkbox":
            control.set_checked(value)
        else:
            control.fill(value)
            control.dispatch_event("change")

    def checks(self, words):
        """Wait until the line of the check begins with these words."""
        self.page.wait_for_function(
            "words => document.getElementById('check').textContent.startsWith(words)", arg=words
        )

    def saved(self, button, name):
        """The path of a file that a button saves."""
        with self.page.expect_download() as saved:
            self.page.locator(".dmlviz-live-files").get_by_role("button", name=button).click()
        assert saved.value.suggested_filename == name
        return saved.value.path()

    def shows(self, sizes):
        """Wait until the output has these sizes."""
        self.page.wait_for_function(
            "sizes => [...document.querySelectorAll('.dmlviz-texts > span')]"
            ".some(t => t.textContent.includes(sizes))",
            arg=sizes,
        )


def change(control, value):
    """Change a control without taking the focus from another."""
    control.evaluate(
        """(control, value) => {
          control.value = value;
          for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind, { bubbles: true }));
        }""",
        value,
    )


@pytest.fixture
def reader():
    with chromium.browser.new_context(viewport={"width": 1366, "height": 650}) as context:
        yield Reader(context.new_page())


def test_a_still_page_becomes_live_when_a_control_is_touched(reader, server):
    page = reader.open(f"{server}/tile.html").page
    assert reader.large == []
    assert "10 MB" in reader.status
    # a key that only moves the focus touches nothing
    page.locator("form select").first.focus()
    page.keyboard.press("Tab")
    assert reader.large == []
    page.evaluate(
        """() => {
          const status = document.querySelector(".dmlviz-live-status");
          window.statuses = [];
          new MutationObserver(() => window.statuses.push(status.innerText))
            .observe(status, { childList: true });
        }"""
    )
    reader.set("Repeats [3]", "2")
    page.wait_for_selector(LOADING)
    assert any("%" in status for status in page.evaluate("window.statuses"))
    reader.shows("{1, 1, 6, 6}")
    assert page.url.endswith("tile.html#/tile?repeats=1,1,3,2")
    assert "36 elements" in page.locator("#check").inner_text()
    assert page.locator("header > span").inner_text() == "TILE: Repeats=[1, 1, 3, 2]"

    # what is refused stays where it was typed, with the reason, and no picture is passed off for it
    reader.set("Sizes", "2,x")
    page.wait_for_selector("#stage.dmlviz-outdated[inert]")
    assert page.locator(".dmlviz-outdated").count() == 3
    assert reader.control("Sizes").input_value() == "2,x"
    assert "x" in page.locator(".dmlviz-row .dmlviz-problem:visible").inner_text()
    reader.set("Sizes", "2,3")
    reader.shows("{2, 3}")
    assert page.locator("#stage.dmlviz-outdated").count() == 0
    # the focus stays in a control that stays
    reader.control("Data type").focus()
    reader.set("Data type", "INT8")
    reader.shows("INT8")
    assert page.evaluate("document.activeElement.ariaLabel") == "Data type"

    # what is being typed stays, with its caret, when the answer to an earlier change arrives
    reader.control("Sizes").focus()
    page.keyboard.press("End")
    page.keyboard.type(",4")
    page.keyboard.press("ArrowLeft")
    page.evaluate(
        """() => {
          const rows = [...document.querySelectorAll("form, fieldset")];
          window.moved = 0;
          const count = (records) => { window.moved += records.length; };
          for (const one of rows) new MutationObserver(count).observe(one, { childList: true });
        }"""
    )
    change(reader.control("Data type"), "FLOAT32")
    reader.shows("FLOAT32")
    # a row that is moved interrupts a syllable that is being composed
    assert page.evaluate("window.moved") == 0
    assert reader.control("Sizes").input_value() == "2, 3,4"
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    reader.shows("{2, 3, 14}")
    assert reader.control("Sizes").evaluate("e => e === document.activeElement")

    # a picture, which the browser decodes: its link says that it is not in it
    reader.set("Values", "A picture")
    page.locator("input[type=file]").set_input_files(ROOT / "assets" / "icon.png")
    reader.shows("{1, 3, 48, 48}")
    assert page.locator(".dmlviz-color").first.input_value() == "planes"
    reader.set("Columns, in percent from the left End", "50")
    reader.shows("{1, 3, 48, 24}")
    page.locator(".dmlviz-share").first.click()
    assert "built-in picture" in page.locator("dialog .dmlviz-problem").inner_text()
    page.locator("dialog .dmlviz-live-close").click()
    reader.set("Sizes", "2,3")
    reader.shows("{2, 3}")

    reader.set("Values", "My own values")
    page.wait_for_selector("textarea")
    reader.set("Your own values", "[[7, 8], [9, 6]]")
    reader.shows("{2, 2}")
    # one element in the grid: Enter leads to the one below, which stays in focus
    page.locator("summary", has_text="Edit as a grid").click()
    reader.control("[1, 1]").fill("5")
    change(reader.control("Repeats [1]"), "2")
    reader.shows("{2, 4}")
    assert reader.control("[1, 1]").input_value() == "5"
    reader.control("[1, 1]").fill("6")
    change(reader.control("Repeats [1]"), "1")
    reader.shows("{2, 2}")
    reader.control("[0, 1]").press("Enter")
    assert page.evaluate("document.activeElement.ariaLabel") == "[1, 1]"
    reader.control("[1, 1]").fill("7")
    reader.control("[1, 1]").press("Enter")
    page.wait_for_function("location.hash.includes('literal=7,8,9,7')")
    assert page.evaluate("document.activeElement.ariaLabel") == "[1, 1]"
    assert reader.control("Your own values").input_value() == "[[7, 8],\n [9, 7]]"
    reader.set("Compare with another setting", True)
    reader.control("Repeats [1]", 1).wait_for()
    assert page.locator("#check").inner_text().startswith("A and B give the same output")
    reader.set("Compare with another setting", False)
    # another engine, loaded when it is chosen, and named as what ran
    assert not any(url.endswith(RUNTIME) for url in reader.asked)
    reader.set("Engine", "ONNX Runtime Web")
    page.wait_for_function(
        "document.querySelector('.dmlviz-live-status').innerText.includes('ONNX')"
    )
    reader.checks("ONNX Runtime Web 1.30.0: ")
    assert page.url.endswith("&engine=onnxruntime")
    assert all(sum(url.endswith(name) for url in reader.asked) == 1 for name in RUNTIME)
    reader.set("Data type", "FLOAT16")
    reader.shows("FLOAT16")
    reader.checks("ONNX Runtime Web 1.30.0: ")
    reader.set("Predict first", True)
    page.wait_for_selector(".dmlviz-quiz:visible")
    reader.set("Predict first", False)

    page.locator("summary", has_text="Compare engines").click()
    page.locator("[data-section=engines] tr", has_text="equal to NumPy, all").wait_for()
    page.locator("summary", has_text="Compare engines").click()

    # files that Python makes; a picture of the moment on the stage, and a page that plays
    page.locator("summary", has_text="Download").click()
    assert "output" in np.load(reader.saved("NumPy arrays", "tile.npz"))
    with Image.open(reader.saved("PNG", "tile.png")) as image:
        assert image.size[0] == 2560
        assert len(image.getcolors(65_536)) > 4
    assert b"<svg" in reader.saved("SVG", "tile.svg").read_bytes()
    offline = reader.saved("Page", "tile.html").read_text(encoding="utf-8")
    assert "Plotly" in offline
    # the result in other forms, in the dialect that was chosen last; nothing gives a hidden one away
    page.locator("summary", has_text="Code").click()
    page.get_by_label("Dialect").select_option(label="PyTorch")
    page.reload()
    reader.ready()
    page.locator("summary", has_text="Code").click()
    page.locator("[data-section=code] pre", has_text="torch").wait_for()
    reader.shows("{2, 2}")
    page.locator("summary", has_text="Table of moves").click()
    page.locator("[data-section=table] td").first.wait_for()
    reader.set("Predict first", True)
    page.locator("[data-section=table] summary").wait_for(state="hidden")
    assert not page.locator("[data-section=table] td").first.is_visible()
    reader.set("Predict first", False)
    page.locator("[data-section=table] td").first.wait_for()

    # Back, and the link somewhere else
    page.go_back()
    page.wait_for_function("location.hash.includes('predict=true')")
    page.wait_for_selector(".dmlviz-quiz:visible")
    page.locator(".dmlviz-share").first.click()
    address = page.get_by_label("Address of this view").input_value()
    assert "/tile.html#/tile?" in address
    assert "literal=7,8,9,7" in address
    embedding = page.get_by_label("To embed it in a page:").input_value()
    page.locator("dialog").get_by_role("button", name="QR code").click()
    page.get_by_alt_text("QR code of this address").wait_for()
    page.locator("dialog .dmlviz-live-close").click()
    # for a room: the stage and its question alone, keys, a QR code, and back to the same moment
    page.locator(".dmlviz-present").first.click()
    page.locator(".dmlviz-wall-prompt").wait_for()
    assert not page.locator("form").is_visible()
    page.keyboard.press("r")
    page.keyboard.press("q")
    page.locator(".dmlviz-qr img").wait_for()
    page.keyboard.press("q")
    page.keyboard.press("End")
    page.keyboard.press("Escape")
    page.locator("form").wait_for()
    assert "present" not in page.url
    assert page.locator(".dmlviz-wall").count() == 0
    page.wait_for_function("location.hash.includes('step=')")
    # only the stage, where another page embeds it
    page.goto(re.search('src="([^"]+)"', embedding)[1].replace("&amp;", "&"))
    reader.shows("{2, 2}")
    assert (
        page.locator("h1, form, nav, .dmlviz-live-sections").evaluate_all(
            "all => all.some((one) => one.offsetHeight)"
        )
        is False
    )
    assert reader.problems == []
    assert [url for url in reader.asked if not url.startswith((server, "data:", "blob:"))] == []
    # no text becomes a script
    page.evaluate("setTimeout('window.evaluated = true')")
    page.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert page.evaluate("window.evaluated") is None
    assert "unsafe-eval" in reader.problems[-1]


def test_a_lesson_is_shown_to_a_room_without_python(reader, server):
    page = reader.page
    page.goto(f"{server}/lesson-tile-1.html")
    page.locator("header").get_by_role("link", name="Present").click()
    page.locator(".dmlviz-wall-choice").nth(2).wait_for()
    assert page.locator(".dmlviz-wall-place").inner_text().endswith("1 of 3")
    assert page.locator("header > span, .choices").evaluate_all(
        "all => all.every((e) => !e.offsetHeight)"
    )
    page.keyboard.press("r")
    page.locator(".dmlviz-wall-reasons li").nth(2).wait_for()
    # the next question comes in the same window, which may fill the screen
    page.keyboard.press("f")
    page.keyboard.press("n")
    page.wait_for_url("**/lesson-tile-2.html#/tile?*")
    page.wait_for_selector(".dmlviz-player[data-hidden=true]")
    assert page.locator(".dmlviz-wall-place").inner_text().endswith("2 of 3")
    assert page.evaluate("Boolean(document.fullscreenElement)")
    page.keyboard.press("n")
    page.keyboard.press("Escape")
    page.locator("h1", has_text="(2 of 3)").wait_for()
    assert "present" not in page.url
    assert reader.large == []
    # learners answer on its page
    page.goto(
        f"{server}/lesson-tile-2.html#/tile?sizes=2,3&values=count-1&repeats=3,2&present=true"
    )
    page.locator(".dmlviz-wall-choice").first.wait_for()
    page.keyboard.press("q")
    page.get_by_text(f"{server}/lesson-tile-2.html", exact=True).wait_for()
    assert reader.problems == []


def test_links_languages_phones_and_what_cannot_be_live(reader, server, folder):
    page = reader.page
    # a moment of the page's own state needs no Python
    reader.open(f"{server}/tile.html#/tile?colors=position&step=2.5&pinned=0,0,1,2")
    assert page.locator("[data-t]").first.get_attribute("data-t") == "2.5"
    assert page.locator(".dmlviz-color").first.input_value() == "position"
    assert "out[0, 0, 1, 2]" in page.locator(".dmlviz-pins").inner_text()
    assert reader.large == []
    # the gallery leads to the page of a link, in which another state is opened at once
    page.goto(f"{server}/index.html#/code?code=x.T&sizes=x:4,5&step=2")
    page.wait_for_url("**/code.html#/code?*")
    page.wait_for_selector(LOADING)
    reader.shows("{5, 4}")
    assert page.locator("[data-t]").first.get_attribute("data-t") == "2"
    # code that computes is refused with its place; other code is read, and recognized
    reader.set("Code", "x + 1")
    page.wait_for_selector(".dmlviz-live-notes pre")
    assert page.locator(".dmlviz-live-notes pre").inner_text() == "x + 1\n^^^^^"
    reader.set("Code", "x.permute(2, 1, 0)")
    reader.shows("{4, 3, 2}")
    page.locator("summary", has_text="The same as").click()
    page.locator("[data-section=same] pre", has_text="Strided").wait_for()
    # the other language, on a phone, with the same link
    page.set_viewport_size({"width": 390, "height": 740})
    other = page.locator("#other")
    assert other.inner_text() == "한국어"
    other.click()
    page.wait_for_url("**/code.ko.html#/code?*")
    page.wait_for_selector(LOADING)
    reader.shows("{4, 3, 2}")
    assert page.locator("html").get_attribute("lang") == "ko"
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not page.evaluate(wide)
    assert reader.problems == []
    # from the disk: still, and it says why
    reader.open((folder / "tile.html").as_uri())
    assert page.locator(".dmlviz-live-status").inner_text() != ""
    reader.control("Repeats [3]").press("ArrowRight")
    assert "disk" in reader.status
    assert reader.control("Repeats [3]").input_value() == "3"
    # an engine that cannot be loaded is told of, and NumPy runs
    page.route("**/ort-wasm*", lambda route: route.abort())
    reader.open(f"{server}/tile.html#/tile?engine=onnxruntime")
    page.locator(".dmlviz-live-notes", has_text="NumPy runs instead").wait_for()
    reader.checks("NumPy: 54 elements")
    page.unroute("**/ort-wasm*")
    reader.set("Engine", "ONNX Runtime Web")
    reader.checks("ONNX Runtime Web 1.30.0: 54 elements")
    # where a file is missing, and where WebAssembly is not allowed
    page.route("**/core.zip", lambda route: route.abort())
    reader.open(f"{server}/tile.html").control("Repeats [3]").press("ArrowRight")
    page.wait_for_selector(".dmlviz-live-status.dmlviz-problem")
    assert "could not be loaded" in reader.status
    page.unroute("**/core.zip")
    Handler.policy = LIVE.replace(" 'wasm-unsafe-eval'", "")
    try:
        reader.control("Repeats [3]").press("ArrowRight")
        page.wait_for_function(
            "document.querySelector('.dmlviz-live-status').innerText.includes('WebAssembly')"
        )
    finally:
        Handler.policy = LIVE
