"""The frame round the picture: where the stage begins, the bar, the sheet of settings, paper."""

from __future__ import annotations

import re

import pytest

from dmlviz.base.words import _, speaking
from dmlviz.operators import OPERATORS
from tests.browser.test_looks import OVERFLOWS

# inner sizes of windows that people have, and where the stage begins at the latest
WINDOWS = {
    (1366, 650): 148,
    (1440, 780): 148,
    (1920, 950): 148,
    (820, 1100): 258,
    # what opens from the question has a row below it
    (390, 740): 190,
}
# the pages in a menu that are not an operator's; Home's path is empty
OTHERS = (
    *("", "lessons", "practice", "code", "names", "glossary"),
    *("teach", "my-class", "start-class", "worksheet", "between", "verify", "engines"),
)
# the list that is only printed
PAPER = ".stElementContainer[class*=-stage] ~ .stElementContainer ul"
SHOWN = {"en": ("tile", "reverse-subsequences"), "ko": ("depth-to-space", "slice")}
# texts and controls above the stage that lie over another, or stand out of the window
COVERED = """() => {
  const found = [...document.querySelectorAll('.st-key-bar p, .st-key-head :is(h1, p, label), .st-key-does p, '
    + '.st-key-asked p, [data-testid=stExpandSidebarButton], [data-testid=stMainMenu]')]
    .map(e => [e, e.getBoundingClientRect()])
    .filter(([e, box]) => box.width > 2
      && getComputedStyle(e.closest('.stElementContainer') ?? e).clipPath === 'none');
  const out = found.filter(([, box]) => box.x < -1 || box.right > innerWidth + 1);
  const over = found.flatMap(([e, box], k) => found.slice(k + 1)
    .filter(([other, at]) => !e.contains(other) && !other.contains(e)
      && Math.min(box.right, at.right) - Math.max(box.x, at.x) > 1
      && Math.min(box.bottom, at.bottom) - Math.max(box.y, at.y) > 3)
    .map(([other]) => [e.textContent, other.textContent]));
  return [...out.map(([e]) => e.textContent), ...over];
}"""
BOX = (
    "s => { const b = document.querySelector(s).getBoundingClientRect(); return [b.y, b.bottom]; }"
)


def top(window):
    return round(window.page.evaluate(BOX, ".dmlviz-stage")[0])


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_the_stage_begins_high_in_every_window(visit, lang):
    window = visit(None)
    for path in SHOWN[lang]:
        window.open(f"{path}?lang={lang}")
        for (width, height), most in WINDOWS.items():
            window.page.set_viewport_size({"width": width, "height": height})
            window.let_pass(100)
            assert top(window) <= most, (path, width)
            assert window.page.evaluate(COVERED) == [], (path, width)
            assert window.page.evaluate(OVERFLOWS) == [], (path, width)
    # what is covered is found
    window.page.evaluate("document.querySelector('.st-key-asked').style.marginTop = '-30px'")
    assert window.page.evaluate(COVERED) != []


def test_what_the_operator_does_stands_over_a_phones_stage_and_its_terms_lead_to_the_glossary(
    visit,
):
    window = visit("split", width=390, height=740)
    sentence = window.page.locator(".st-key-does p").bounding_box()
    assert sentence["y"] + sentence["height"] <= top(window)
    terms = window.page.locator(".st-key-does a").evaluate_all("all => all.map(a => a.href)")
    assert any("term=tensor" in address for address in terms)


def test_what_is_checked_is_seen_whole_at_once(visit):
    window = visit(None)
    for path, (width, height) in zip(("verify", "engines"), [(390, 740), (820, 1100)], strict=True):
        window.page.set_viewport_size({"width": width, "height": height})
        window.open(path)
        assert window.page.evaluate(BOX, ".dmlviz-stage")[1] <= height - 100, path
        assert window.page.evaluate(OVERFLOWS) == [], path


def test_the_stage_stays_where_it_is_when_the_settings_are_ones_own(visit):
    window = visit("tile")
    before = top(window)
    window.page.get_by_label("[3]", exact=True).fill("2")
    window.page.keyboard.press("Enter")
    back = window.page.get_by_role("button", name="Back to the example")
    back.wait_for()
    window.ready()
    assert top(window) == before
    back.click()
    window.page.get_by_role("button", name="Play answer").wait_for()
    assert top(window.ready()) == before


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_the_bar_has_every_group(visit, lang):
    window = visit(f"padding?lang={lang}", width=1280)
    wide, narrow = (window.page.locator(f".st-key-bar_{kind}") for kind in ("wide", "narrow"))
    with speaking(lang):
        names = [
            _("Home"),
            _("Operators"),
            _("Lessons"),
            _("Practice"),
            _("Your own code"),
            _("Teach"),
            _("Verify"),
        ]
        here = _("Padding")
    shown = [name for name in wide.locator("p").all_inner_texts() if name]
    assert shown == names
    boxes = [one.bounding_box() for one in wide.locator("p").all()]
    assert all(box["height"] < 30 for box in boxes)  # each in one line
    assert not narrow.is_visible()
    window.page.set_viewport_size({"width": 1199, "height": 720})
    narrow.wait_for()
    assert not wide.is_visible()
    # every page stands behind the name of the one that is open
    narrow.get_by_role("button", name=here).click()
    links = window.page.locator(".st-key-menu_narrow").get_by_role("link")
    links.nth(len(OPERATORS) + len(OTHERS) - 1).wait_for()
    pages = [link.get_attribute("href").partition("?")[0].strip("/") for link in links.all()]
    assert sorted(pages) == sorted([*(cls.key for cls in OPERATORS), *OTHERS])
    links.last.click()
    window.page.wait_for_function("location.pathname === '/engines'")
    window.rested()
    assert window.page.get_by_test_id("stPopoverBody").count() == 0
    assert window.page.url.endswith(f"lang={lang}")


def test_settings_leave_the_picture_in_view_on_a_telephone(visit):
    window = visit("tile?lang=ko", width=390, height=740)
    page = window.page
    opener = page.get_by_test_id("stExpandSidebarButton")
    said = opener.evaluate("e => getComputedStyle(e, '::after').content")
    assert said == '"설정"'
    opener.click()
    window.let_pass(400).drawn()
    begins = page.evaluate(BOX, ".stSidebar")[0]
    assert begins >= 740 * 0.54 - 1
    # the page ends where the sheet begins, so that the player knows what is left to it
    assert page.evaluate(BOX, ".stMain")[1] <= begins + 1
    assert top(window) <= WINDOWS[390, 740]
    sizes = page.get_by_test_id("stSidebar").get_by_label("크기", exact=True)
    sizes.fill("1, 1, 2, 2")
    sizes.press("Enter")
    page.wait_for_function(
        "document.querySelector('.dmlviz-player').dmlviz.payload.input.tensors[0].sizes[3] === 2"
    )
    window.rested()
    assert page.evaluate(BOX, ".stSidebar")[0] == begins
    assert top(window) <= WINDOWS[390, 740]
    # a press beside it shuts it
    page.locator(".dmlviz-stage").click(position={"x": 5, "y": 5})
    page.wait_for_function("document.querySelector('.stMain').clientHeight === innerHeight")


@pytest.mark.parametrize(
    ("color_scheme", "shown"),
    [
        ("light", ("tile", "depth-to-space", "gather")),
        pytest.param("dark", ("padding", "split", "top-k?lang=ko"), marks=pytest.mark.thorough),
    ],
)
def test_printed_it_is_one_page(visit, color_scheme, shown):
    window = visit(None, color_scheme=color_scheme, width=1366, height=650)
    for path, landscape in zip(shown, (False, True, False), strict=True):
        window.open(path)
        pdf = window.page.pdf(format="A4", landscape=landscape)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1, path
    window.page.emulate_media(media="print")
    seen = window.page.locator(PAPER).inner_text()
    for told in ("InputTensor {", "Axis: ", "] = in[", f"/{shown[-1]}"):
        assert told in seen
    for gone in (".stAppHeader", ".stSidebar", ".st-key-bar", ".dmlviz-bar", "button"):
        assert not any(one.is_visible() for one in window.page.locator(gone).all()), gone
    window.page.emulate_media(media="screen")
    assert not window.page.locator(PAPER).is_visible()
