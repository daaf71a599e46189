"""Home: one movement when it is asked for, and cards that keep their answers until then."""

from __future__ import annotations

import numpy as np
import pytest

from dmlviz.states import read_link
from dmlviz.teaching.presets import preset, presets

CARDS = [found for found in presets() if found.pictured]
PLAYER = ".dmlviz-cards .dmlviz-player"


def card(window, found):
    return window.page.locator(".dmlviz-card").filter(has_text=found.question)


def test_nothing_moves_and_no_output_is_there_before_it_is_asked(visit):
    window = visit("")
    page = window.page
    assert page.locator(".dmlviz-card").count() == len(CARDS)
    page.wait_for_timeout(1_500)
    assert window.t == 0
    assert page.locator(PLAYER).count() == 0
    window.press("toggle")
    window.until("t > 0.1")


def test_a_card_plays_while_it_is_pointed_at_and_rests_complete(visit):
    window = visit("")
    page = window.page
    picture = card(window, preset("gather-first")).locator(".dmlviz-card-picture")
    picture.scroll_into_view_if_needed()
    picture.hover()
    page.wait_for_selector(f"{PLAYER}[data-ready=true]")
    page.wait_for_function(f"Number(document.querySelector('{PLAYER}').dataset.t) > 0.1")
    assert page.locator(PLAYER).count() == 1
    steps = page.evaluate(f"document.querySelector('{PLAYER}').dmlviz.steps")
    page.mouse.move(2, 2)
    ended = "([root, steps]) => Number(document.querySelector(root).dataset.t) === steps"
    page.wait_for_function(ended, arg=[PLAYER, steps])


def test_crossing_a_card_shows_nothing(visit):
    window = visit("")
    page = window.page
    picture = card(window, preset("tile-or-repeat")).locator(".dmlviz-card-picture")
    # at once, because a busy machine would keep the pointer there for too long
    picture.evaluate(
        """picture => {
          for (const type of ["pointerenter", "pointerleave"])
            picture.dispatchEvent(new PointerEvent(type, { pointerType: "mouse" }));
        }"""
    )
    page.wait_for_timeout(700)
    assert page.locator(PLAYER).count() == 0


def test_a_card_is_shown_by_a_finger(visit):
    window = visit("", width=390, height=740, has_touch=True, is_mobile=True)
    picture = card(window, preset("slice-first")).locator(".dmlviz-card-picture")
    picture.tap()
    window.page.wait_for_selector(f"{PLAYER}[data-ready=true]")
    assert window.page.url.rstrip("/") == window.server


def test_a_card_is_shown_by_the_keyboard(visit):
    window = visit("")
    card(window, preset("slice-first")).get_by_role("button").press("Enter")
    window.page.wait_for_selector(f"{PLAYER}[data-ready=true]")


@pytest.mark.parametrize(
    "found",
    [
        pytest.param(found, marks=[] if k % 3 == 0 else [pytest.mark.thorough])
        for k, found in enumerate(CARDS)
    ],
    ids=lambda found: found.key,
)
def test_every_card_draws_all_cells_within_its_picture(visit, found):
    window = visit(None, width=1366)
    if window.page.locator(".dmlviz-card").count() != len(CARDS):
        window.open("")
    picture = card(window, found).locator(".dmlviz-card-picture")
    picture.scroll_into_view_if_needed()
    picture.click()
    picture.locator(".dmlviz-player[data-ready=true]").wait_for()
    picture.hover()
    assert picture.evaluate(
        """e => {
          const board = e.querySelector(".dmlviz-board").getBoundingClientRect();
          const room = e.getBoundingClientRect();
          return board.width <= room.width + 1 && board.height <= room.height + 1;
        }"""
    )


@pytest.mark.parametrize("key", ["tile-or-repeat", "padding-reflection-as-large"])
def test_a_question_opens_its_explorer(visit, key):
    found = preset(key)
    window = visit("?lang=en")
    card(window, found).get_by_role("link").click()
    window.page.wait_for_function("location.pathname !== '/'")
    window.ready()
    assert window.page.url.removeprefix(window.server).partition("?")[0] == f"/{found.state.key}"
    assert read_link(window.page.url).state == found.state
    assert window.js("player => player.payload.output.tensors[0].sizes") == list(
        found.trace().output.shape
    )
    # the answer comes when it is asked for
    asked = window.page.locator(".st-key-asked")
    assert found.question in asked.inner_text()
    told = window.page.locator(".st-key-answer")
    assert told.count() == 0
    asked.get_by_role("button", name="Play answer").click()
    told.wait_for()
    assert found.answer.replace("`", "") == told.inner_text().strip()
    # beside the picture, whose cells are marked, and which plays until they are there
    window.page.wait_for_function("document.querySelector('.dmlviz-player').dmlviz.clock.playing")
    window.page.wait_for_function("!document.querySelector('.dmlviz-player').dmlviz.clock.playing")
    sizes = found.trace().outputs["OutputTensor"].shape
    cells = [int(np.ravel_multi_index(at, sizes)) for at in found.cells({"": sizes})]
    assert window.js("player => player.pins.pins") == cells
    landed = [window.js(f"player => player.moves.stepOf[{cell}] + 1") for cell in cells]
    assert window.t == max(landed, default=window.js("player => player.steps"))
    answer, stage = (
        window.page.locator(one).bounding_box() for one in (".st-key-answer", ".dmlviz-stage")
    )
    assert answer["y"] + answer["height"] <= stage["y"]


def test_what_comes_next_is_there_once_the_movement_has_ended(visit):
    """On a phone, too: Play is in its first view, and plays where it can be seen."""
    window = visit("?lang=en", fresh=True, width=390, height=740)
    page = window.page
    play = page.locator(".dmlviz-toggle").first.bounding_box()
    assert play["y"] + play["height"] <= 740
    leads = page.get_by_text("Build your own")
    assert not leads.is_visible()
    window.press("toggle")
    leads.wait_for(state="visible")
    page.wait_for_timeout(300)  # the page has scrolled
    stage, following = (one.bounding_box() for one in (page.locator(".dmlviz-stage").first, leads))
    assert stage["y"] >= 0
    assert following["y"] + following["height"] <= 740
    leads.click()
    page.wait_for_function("document.querySelector('h1')?.innerText === 'Slice'")
    window.ready()
    assert read_link(page.url).state == preset("slice-first").state
    assert window.t == 0


def test_a_menu_opens_the_first_example_until_the_page_was_visited(visit):
    window = visit("?lang=en", fresh=True)
    page = window.page

    def choose(sizes):
        page.get_by_role("button", name="Operators").click()
        page.get_by_role("link", name="Padding").click()
        page.wait_for_function("document.querySelector('h1')?.innerText === 'Padding'")
        page.wait_for_function("part => location.search.includes(part)", arg=f"sizes={sizes}&")
        return read_link(page.url).state

    first = preset("padding-first").state
    assert choose(first.inputs()["InputTensor"].size) == first
    own = "padding?sizes=4&start_padding=1&end_padding=0"
    page.goto(f"{window.server}/{own}&lang=en")
    page.wait_for_function("document.querySelector('h1')?.innerText === 'Padding'")
    page.get_by_role("link", name="Practice", exact=True).click()
    page.wait_for_function("document.querySelector('h1')?.innerText === 'Practice'")
    assert choose(4) == read_link(f"/{own}").state
