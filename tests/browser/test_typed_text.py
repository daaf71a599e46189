"""What was typed and not applied survives a reload: the browser's tab keeps it and offers it back."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from dmlviz.states.controls import FormControl, FormField, FormGroup, offer_words
from dmlviz.teaching.sets import (
    SET,
    ClassSet,
    LessonPick,
    SetPart,
    StateQuestion,
    read_set,
    write_set,
)
from tests.browser.chromium import chromium
from tests.browser.conftest import ROOT

OFFER = ".dmlviz-typed"
KEPT = """() => Object.fromEntries(Object.entries(sessionStorage)
  .filter(([key]) => key.startsWith("dmlviz-typed")).map(([key, text]) => [key.slice(13), text]))"""
MARKUP = 'x.T  # <img src=x onerror="window.smuggled = 1"> **bold**'
CODE = "code?code=x.T&sizes=x:2,3"
A_CLASS = f"""my-class?{SET}={
    write_set(
        ClassSet(
            "Layouts",
            (
                SetPart(LessonPick("tile", 1), 5),
                SetPart(StateQuestion("/code?code=x.T&sizes=x:2,3", "sizes"), 4),
            ),
        )
    )
}"""


def offers(page):
    """The sentences on the page."""
    return page.locator(OFFER).all_inner_texts()


def opened_again(window, *, boxes=1):
    """The page after a reload, with its offers."""
    window.page.reload()
    window.page.locator("h1").first.wait_for(state="attached")
    window.rested()
    window.page.wait_for_function(f"document.querySelectorAll('{OFFER}').length === {boxes}")
    return window.page


def quiet(window):
    """The page after a reload, which offers nothing: its boxes are there, and were looked at."""
    window.page.reload()
    window.page.locator("textarea").first.wait_for(state="attached")
    window.rested().let_pass(300)
    assert offers(window.page) == []
    return window.page


def write(page, box, text):
    """Type into a box until the tab keeps it: Streamlit starts a page's scripts when it has time."""
    for _attempt in range(20):
        box.fill("")
        box.fill(text)
        if text in page.evaluate(KEPT).values():
            return
        page.wait_for_timeout(200)
    raise AssertionError(page.evaluate(KEPT))


def class_of(page):
    """The class in the address."""
    (text,) = parse_qs(urlsplit(page.url).query)[SET]
    return read_set(text)


@pytest.mark.parametrize(
    ("width", "height", "language"), [(1280, 800, "en"), (390, 740, "ko"), (320, 568, "en")]
)
def test_code_that_was_typed_is_offered_used_and_then_the_address_has_it(
    visit, width, height, language
):
    window = visit(f"{CODE}&lang={language}", width=width, height=height)
    page = window.page
    box = page.locator(".st-key-code_code textarea")
    write(page, box, MARKUP)
    page = opened_again(window)
    # the address is what is shown until somebody asks for the text
    assert box.input_value() == "x.T"
    assert page.locator(f"{OFFER} *").evaluate_all("all => all.map(e => e.tagName)") == [
        "BUTTON",
        "BUTTON",
    ]
    offer, around = page.locator(OFFER).bounding_box(), box.bounding_box()
    assert 0 <= offer["y"] - around["y"] - around["height"] < 12
    assert offer["x"] + offer["width"] <= width
    page.locator(OFFER).get_by_role("button").first.click()
    assert offers(page) == []
    assert box.input_value() == MARKUP
    assert box.evaluate("box => box === document.activeElement")
    assert page.evaluate(KEPT) == {"/code code": MARKUP}
    box.press("Control+Enter")
    page.wait_for_function("location.search.includes('onerror')")
    page.wait_for_function(f"Object.keys(({KEPT})()).length === 0")
    assert page.evaluate("window.smuggled") is None
    quiet(window)


def test_a_kept_text_can_be_deleted(visit):
    window = visit(CODE)
    write(window.page, window.page.get_by_label("Code", exact=True), "x.flatten()")
    page = opened_again(window)
    page.get_by_role("button", name="Delete it").click()
    assert offers(page) == []
    assert page.evaluate(KEPT) == {}
    assert page.get_by_label("Code", exact=True).input_value() == "x.T"
    quiet(window)


def test_both_boxes_of_a_comparison_and_what_no_address_has(visit):
    window = visit(f"{CODE}&compare=x.flatten()")
    page = window.page
    a, b = (page.get_by_label(f"Code {name}", exact=True) for name in "AB")
    # with refused sizes the page has no address, and what is applied is in none
    page.get_by_label("Sizes of x").fill("0")
    page.get_by_label("Sizes of x").press("Enter")
    page.locator(".st-key-waiting").wait_for()
    write(page, a, "x.mT")
    a.press("Control+Enter")
    window.rested()
    write(page, b, "x.ravel()")
    page = opened_again(window, boxes=2)
    assert page.evaluate(KEPT) == {"/code code": "x.mT", "/code compare": "x.ravel()"}
    # each beside its box; another page has boxes of its own
    b_offer = page.locator(f".st-key-codefieldb_ {OFFER}")
    b_offer.get_by_role("button", name="Use it").click()
    assert [a.input_value(), b.input_value()] == ["x.T", "x.ravel()"]
    assert len(offers(page)) == 1
    # what is typed and taken back need not be kept
    b.fill("x.flatten()")
    page.wait_for_function(f"Object.keys(({KEPT})()).length === 1")


def test_the_title_the_notes_and_the_questions_of_a_class(visit):
    window = visit(None)
    page = window.page
    page.goto(f"{window.server}/{A_CLASS}")
    page.get_by_label("Title").wait_for()
    window.rested()
    title = page.get_by_label("Title")
    write(page, title, "Layouts,  twice")
    page = opened_again(window)
    assert title.input_value() == "Layouts"
    page.get_by_role("button", name="Use it").click()
    title.press("Enter")
    page.wait_for_function(f"Object.keys(({KEPT})()).length === 0")
    assert class_of(page).title == "Layouts, twice"
    quiet(window)
    # boxes of a part, one of them in what is folded
    write(page, page.get_by_label("Notes for yourself").first, "Ask first.")
    page = opened_again(window)
    page.get_by_role("button", name="Delete it").click()
    page.get_by_text("Edit the question").click()
    write(page, page.get_by_label("Ask next"), "And of sizes {3, 2}?")
    page.reload()
    page.get_by_text("Edit the question").click()
    page.wait_for_function(f"document.querySelectorAll('{OFFER}').length === 1")
    assert page.evaluate(KEPT) == {"/my-class following 1": "And of sizes {3, 2}?"}
    page.get_by_role("button", name="Use it").click()
    page.get_by_label("Title").focus()
    page.wait_for_function(f"Object.keys(({KEPT})()).length === 0")


def test_a_new_question_is_kept_until_the_class_has_it(visit):
    window = visit(None)
    page = window.page
    page.goto(f"{window.server}/{A_CLASS}")
    add = page.get_by_role("radio", name="Question", exact=True)
    add.click()
    write(page, page.locator(".st-key-set_words textarea"), "Which is faster?")
    # leaving the box sends the text, but no address has it
    choices = page.locator(".st-key-set_words_choices textarea")
    write(page, choices, "A view\nA copy # It moves all.")
    page.reload()
    add.click()
    page.wait_for_function(f"document.querySelectorAll('{OFFER}').length === 2")
    window.rested()
    for _box in range(2):
        page.get_by_role("button", name="Use it").first.click()
        window.rested()
    page.locator(".st-key-set_words textarea").focus()
    page.locator(".st-key-set_words_right_2").get_by_role("radio").first.click()
    window.rested()
    page.locator(".st-key-set_add_words button").click()
    page.wait_for_function(f"Object.keys(({KEPT})()).length === 0")
    window.rested()
    assert class_of(page).parts[-1].pick.prompt == "Which is faster?"


def test_a_page_to_verify_is_kept_up_to_a_limit(visit):
    window = visit(None)
    page = window.page
    page.goto(f"{window.server}/verify")
    page.get_by_role("radio", name="Paste", exact=True).click()
    box = page.locator(".st-key-verify_text textarea")
    write(page, box, "a" * 65_536)
    box.fill("a" * 65_537)
    page.wait_for_function(f"Object.keys(({KEPT})()).length === 0")
    box.fill("# Tile")
    page.reload()
    page.get_by_role("radio", name="Paste", exact=True).click()
    page.wait_for_function(f"document.querySelectorAll('{OFFER}').length === 1")


def test_a_browser_that_keeps_nothing_is_no_error(visit):
    window = visit(None, fresh=True)
    window.page.add_init_script(
        "Object.defineProperty(window, 'sessionStorage',"
        " { get() { throw new DOMException('blocked', 'SecurityError'); } })"
    )
    window.open(CODE)
    window.page.get_by_label("Code", exact=True).fill("x.flatten()")
    window.page.get_by_label("Code", exact=True).press("Control+Enter")
    window.page.wait_for_function("location.search.includes('flatten')")
    page = quiet(window)
    assert page.get_by_label("Code", exact=True).input_value() == "x.flatten()"


FORM = """async ([script, words]) => {
  const file = new Blob([script], { type: "text/javascript" });
  const { Form, rowKeeper } = await import(URL.createObjectURL(file));
  window.changes = [];
  window.form = new Form((name, text) => changes.push(text), {}, rowKeeper(words));
  document.body.append(form.element);
}"""


def test_a_form_without_a_server_keeps_the_text_of_lines(browser_tool):
    folder = ROOT / "dmlviz" / "picture" / "js"
    texts = [(folder / f"{name}.js").read_text(encoding="utf-8") for name in ("form", "typed_text")]

    with chromium.browser.new_context() as context:
        page = context.new_page()
        page.route(
            "http://form.test/", lambda route: route.fulfill(content_type="text/html", body="")
        )

        def load(text, problem=""):
            rows = [
                FormField(name, name, "", (FormControl(kind),), values=(text,), problem=problem)
                for name, kind in (("literal", "lines"), ("short", "text"))
            ]
            page.evaluate("(groups) => form.load(groups)", [FormGroup("", tuple(rows)).data()])

        def begin(text):
            page.goto("http://form.test/")
            page.evaluate(FORM, ["\n".join(texts), offer_words()])
            load(text)

        begin("1,2,3")
        box = page.locator("textarea")
        box.fill("[1, 2")
        page.locator("input").fill("7")
        begin("1,2,3")
        assert box.input_value() == "1,2,3"
        # a menu or a box of one line keeps nothing
        assert page.evaluate(KEPT) == {"/ literal": "[1, 2"}
        page.get_by_role("button", name="Use it").click()
        assert box.input_value() == "[1, 2"
        # what is refused is in no address
        page.locator("input").focus()
        load("[1, 2", "Your own values: the list does not end.")
        assert page.evaluate(KEPT) == {"/ literal": "[1, 2"}
        # an address writes it otherwise
        box.fill("[1, 2]")
        page.locator("input").focus()
        assert page.evaluate("changes") == ["[1, 2", "[1, 2]"]
        load("1,2")
        assert page.evaluate(KEPT) == {}
        begin("1,2")
        assert page.locator(OFFER).count() == 0
