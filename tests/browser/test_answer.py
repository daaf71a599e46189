"""At the answer nothing that was in view moves: in lessons and in Practice the player itself asks."""

from __future__ import annotations

import pytest

# of the inputs: every cell and every title, in the window
PLACES = """() => {
  const root = document.querySelector(".dmlviz-player"), { dmlviz: player } = root;
  const { left, top } = player.board.getBoundingClientRect();
  const { x, y, w, h } = player.drawing.input;
  const round = (v) => Math.round(v * 100) / 100;
  const titles = [...root.querySelectorAll(".dmlviz-texts > span")].slice(0, player.payload.input.tensors.length);
  return { cells: [...x].map((v, i) => [round(v + left), round(y[i] + top)]), size: [round(w), round(h)],
    titles: titles.map((t) => { const b = t.getBoundingClientRect(); return [t.textContent, round(b.left), round(b.top), round(b.height)]; }),
    asking: player.quiz.asking, t: player.t, bar: root.querySelector(".dmlviz-toggle").checkVisibility(),
    labels: [...root.querySelectorAll(".dmlviz-texts > span")].map((t) => t.textContent),
    sent: player.payload.formula.of, source: [...player.model.source] };
}"""
PHASE = "asking => document.querySelector('.dmlviz-player')?.dmlviz?.quiz.asking === asking"
ASKED = (
    ("lessons?lesson=tile&part=2", "sizes"),
    ("lessons?lesson=padding-modes&part=2", "cells"),
    ("lessons?lesson=depth-to-space-orders&part=3", "nothing"),
    ("lessons?lesson=im2col-product&part=4", "sizes"),
    ("practice?seed=7&level=0&operator=join&number=1", "cells"),
    ("practice?seed=3&level=1&operator=slice&number=3", "sizes"),
    ("practice?seed=7&level=2&operator=padding&number=4", "nothing"),
)


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (390, 740)])
def test_nothing_moves_at_the_answer(visit, width, height):
    # another test's tab has its answers
    window = visit(None, width=width, height=height, fresh=True)
    page = window.page
    for path, hides in ASKED:
        page.goto(f"{window.server}/{path}")
        page.wait_for_function(PHASE, arg=True)
        window.ready()
        before = page.evaluate(PLACES)
        assert [before["sent"], before["bar"]] == [{}, False], path
        assert (set(before["source"]) == {-1}) is (hides != "nothing"), path
        # nothing but an answer makes it move
        window.page.locator(".dmlviz-stage").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        assert page.evaluate(PLACES) == before, path
        page.keyboard.press("1")
        page.wait_for_function(PHASE, arg=False)
        page.locator(".st-key-lesson_right").wait_for()
        window.ready()
        after = page.evaluate(PLACES)
        assert after["bar"], path
        assert after["sent"], path
        for name in ("cells", "size", "titles"):
            assert after[name] == before[name], (path, name)
        assert len(after["cells"]) > 1
        if "level=0" in path:
            assert [text.split()[:2] for text in after["labels"][:2]] == [
                ["Input", "1"],
                ["Input", "2"],
            ]
        # the movement waits for a key; an output that was in view stays in view
        steps = window.js("player => player.steps")
        assert after["t"] == (steps if hides == "nothing" else 0), path
        page.keyboard.press("Space")
        window.until(f"0 < t && t < {steps}")


@pytest.mark.parametrize(
    ("path", "least", "below"),
    [
        ("im2col&part=5", 36, False),
        ("nchw-and-nhwc&part=4", 30, False),
        ("padding-in-libraries&part=3", 48, False),
        ("depth-to-space-dcr&part=1", 54, False),
        ("join-and-split&part=1", 57, True),
    ],
)
def test_room_for_formulas_makes_no_cell_small_and_the_newest_is_in_view(visit, path, least, below):
    window = visit(None, width=1366, height=650, fresh=True)
    page = window.page
    page.goto(f"{window.server}/lessons?lesson={path}")
    page.wait_for_function(PHASE, arg=True)
    window.ready()
    assert window.js("player => player.drawing.input.h") >= least
    page.keyboard.press("1")
    page.locator(".st-key-lesson_right").wait_for()
    window.ready()
    assert window.js("player => player.drawing.input.h") >= least
    page.keyboard.press("End")
    window.until("t === document.querySelector('.dmlviz-player').dmlviz.steps")
    foot = page.locator(".st-key-lesson_foot").bounding_box()["y"]
    # below the stage where there is room, else in the place of the caption
    shown = page.locator(".dmlviz-pins" if below else ".dmlviz-pinned")
    box = shown.bounding_box()
    assert box["y"] + box["height"] <= foot
    assert "=" in shown.inner_text()
    assert page.locator(".dmlviz-pinned").is_visible() is not below
    # the only one does not stand there twice, and is whole
    assert shown.evaluate("e => e.scrollWidth <= e.clientWidth")
    if window.js("player => player.pins.pins.length") == 1 and not below:
        assert page.locator(".dmlviz-pins").is_hidden()
