"""The Tab key goes where the eye goes: row by row, whatever the style sheets put elsewhere."""

from __future__ import annotations

import itertools

import pytest

# a control's place on the page, not in the window, which scrolls to it
PLACE = """() => {
  const at = document.activeElement, box = at.getBoundingClientRect();
  const main = document.querySelector("[data-testid=stMain]");
  const inMain = main.contains(at) && at !== main;
  const name = at.getAttribute("aria-label") || at.innerText || at.className;
  return [inMain ? box.y + main.scrollTop : null, box.x, box.height, String(name).slice(0, 40)];
}"""
# the last is followed by the first
AGAIN = """() => {
  const again = document.activeElement === document.body || "visited" in document.activeElement;
  document.activeElement.visited = true;
  return again;
}"""
MOST = 80


@pytest.mark.parametrize(
    ("path", "width", "height"),
    [
        ("tile", 390, 740),
        ("depth-to-space", 1366, 650),
        ("lessons?lesson=padding-folding&part=1", 390, 740),
        ("verify", 820, 1100),
    ],
)
def test_tab_follows_the_eye(visit, path, width, height):
    window = visit(None, width=width, height=height)
    window.page.goto(f"{window.server}/{path}")
    window.page.locator("h1").wait_for(state="attached")
    window.rested().drawn()
    found = []
    for _press in range(MOST):
        window.page.keyboard.press("Tab")
        if window.page.evaluate(AGAIN):
            break
        y, x, high, name = window.page.evaluate(PLACE)
        # the bar and what stands at the foot stay where they are while the page scrolls
        fixed = window.page.evaluate(
            "Boolean(document.activeElement.closest('.st-key-bar, .st-key-lesson_foot'))"
        )
        if y is not None and not fixed and high < height / 2:
            found.append((y, x, name))
    assert len(found) > 6
    for (y, x, name), (below, right, follower) in itertools.pairwise(found):
        # further down, further on in the row, or the next column
        on = below + 12 > y and (below > y + 12 or right > x - 40)
        assert on or right > x + 40, f"{follower} comes after {name}"
