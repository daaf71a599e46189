"""The page that ``dmlviz.player(trace).save`` writes: plays from a file, without a network."""

from __future__ import annotations

import numpy as np
import pytest

import dmlviz
from dmlviz.player import player as make_player
from tests.browser.conftest import is_paper, near

EVIL = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">'


@pytest.fixture
def example():
    operator = dmlviz.Tile((1, 1, 3, 3))
    return dmlviz.run(operator, np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3))


def opened(visit, path, **more):
    """A saved page in a window that has no network."""
    window = visit(None, server=path.parent.as_uri(), offline=True, **more)
    window.page.goto(path.as_uri())
    window.page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    window.page.wait_for_timeout(300)
    return window


def test_saved_page_plays_without_a_network(visit, tmp_path, example):
    path = make_player(example).save(tmp_path / "tile.html")
    window = opened(visit, path)
    assert window.t == 0
    first = window.shot()
    assert is_paper(window.between())
    window.speed(0.25)
    window.press("toggle")
    window.until("t > 0.4")
    flying = window.between()
    assert 0.4 < window.t < 1
    assert near(flying, window.board["palette"]["accent"]).sum() > 40
    window.speed(4)
    window.until("t === 5")
    assert is_paper(window.between())
    assert window.output_texts == [str(int(v)) for v in example.output.ravel()]
    window.page.locator(".dmlviz-scrub").fill("0")
    window.page.wait_for_timeout(100)
    assert np.array_equal(window.shot(), first)
    window.seek(2.5)
    window.press("back")
    assert window.t == 2
    assert "NumPy: 54 elements, each equal to its source." in window.page.inner_text("body")
    assert [url for url in window.requests if not url.startswith(("file:", "data:", "blob:"))] == []


def test_the_public_name_makes_players_again_and_again(tmp_path, example):
    for number in range(2):
        saved = dmlviz.player(example).save(tmp_path / f"{number}.html")
        assert saved.stat().st_size > 1_000_000


def test_saved_page_in_the_dark_and_on_a_phone(visit, tmp_path, example):
    path = make_player(example).save(tmp_path / "tile.html")
    seen = []
    for scheme in ("light", "dark"):
        window = opened(visit, path, color_scheme=scheme, width=390)
        assert window.page.evaluate("document.scrollingElement.scrollWidth") <= 390
        pixels = window.shot()
        red, green, blue = pixels[2, 2]
        background = "getComputedStyle(document.body).backgroundColor"
        assert window.page.evaluate(background) == f"rgb({red}, {green}, {blue})"
        seen.append(pixels.mean())
    assert seen[0] > 150 > 80 > seen[1]


def test_saved_page_does_not_run_what_its_payload_says(visit, tmp_path, example):
    player = make_player(example)
    player.payload["check"] += EVIL
    player.payload["words"] = {name: text + EVIL for name, text in player.payload["words"].items()}
    for step in player.payload["steps"]:
        step["title"] = step["caption"] = EVIL
    player.payload["input"]["labels"][0] = EVIL
    player.payload["paddingLabel"] = EVIL
    player.payload["figure"]["layout"]["meta"] = [[EVIL], [EVIL]]
    window = opened(visit, player.save(tmp_path / "evil.html"))
    window.seek(2)
    window.page.wait_for_timeout(300)
    assert window.page.evaluate("window.hacked") is None
    assert window.page.locator("img").count() == 0
    assert window.page.locator(".dmlviz-caption-text").inner_text() == EVIL
    assert window.page.locator("main > p").inner_text().endswith(EVIL)


def test_two_players_on_one_page(visit, tmp_path, example):
    """As in a notebook: each in its own frame, and neither knows of the other."""
    path = tmp_path / "notebook.html"
    shown = make_player(example)._repr_html_()
    path.write_text(f"<!doctype html><title>two</title>{shown}{shown}", encoding="utf-8")
    window = visit(None, server=path.parent.as_uri(), offline=True)
    window.page.goto(path.as_uri())
    frames = [window.page.frame_locator("iframe").nth(i) for i in (0, 1)]
    for frame in frames:
        frame.locator('.dmlviz-player[data-ready="true"]').wait_for()
    frames[0].locator(".dmlviz-last").click()
    moments = [frame.locator(".dmlviz-player").get_attribute("data-t") for frame in frames]
    assert moments == ["5", "0"]
