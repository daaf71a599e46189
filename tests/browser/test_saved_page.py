"""Pages that play without our server: saved ones, and those of a static site.

All but the last play from a file, without a network.
"""

from __future__ import annotations

import re
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

import dmlviz
from dmlviz.picture.files import plotly_path
from dmlviz.picture.page import player as make_player
from dmlviz.site import SitePage, write_site
from tests.browser.conftest import ROOT, is_paper, near

EMBEDDING = ROOT / "docs" / "how-to" / "embed.md"

EVIL = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">'


@pytest.fixture
def example():
    operator = dmlviz.Tile((1, 1, 3, 3))
    return dmlviz.run(operator, np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3))


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@pytest.fixture
def host(tmp_path):
    """A web host that knows files and nothing else."""
    handler = partial(Quiet, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(params=["saved", "site", "host"])
def opened(request, visit, tmp_path, monkeypatch):
    """Opens a player on a page of its own: a saved one, one of a site, the same on a host."""

    def open_page(player, **more):
        if request.param == "saved":
            path = player.save(tmp_path / "saved.html")
        else:
            # as the player has it, hostile or not
            monkeypatch.setattr("dmlviz.site.write.payload", lambda drawn: player.payload)
            page = SitePage("tile", "Tile", ("What does Repeats copy?",), player.trace, "Tile")
            path = write_site(tmp_path / "sub" / "site", [page]).with_name("tile.html")
        if request.param == "host":
            server = request.getfixturevalue("host")
            address = f"{server}/{path.relative_to(tmp_path).as_posix()}"
            window = visit(None, server=server, **more)
        else:
            address = path.as_uri()
            window = visit(None, server=tmp_path.as_uri(), offline=True, **more)
        window.page.goto(address)
        window.page.wait_for_selector('.dmlviz-player[data-ready="true"]')
        return window.drawn()

    return open_page


def test_it_plays_without_our_server(opened, example):
    window = opened(make_player(example))
    assert window.t == 0
    first = window.shot()
    assert is_paper(window.between())
    window.speed(0.25)
    window.press("toggle")
    window.until("t > 0.4")
    window.press("toggle")
    flying = window.between()
    assert 0.4 < window.t < 1
    assert near(flying, window.board["palette"]["accent"]).sum() > 40
    window.speed(4)
    window.press("toggle")
    window.until("t === 5")
    assert is_paper(window.between())
    assert window.output_texts == [str(int(v)) for v in example.output.ravel()]
    window.page.locator(".dmlviz-scrub").fill("0")
    window.drawn()
    assert np.array_equal(window.shot(), first)
    window.seek(2.5)
    window.press("back")
    assert window.t == 2
    assert "NumPy: 54 elements, each equal to its source." in window.page.inner_text("body")
    own = (window.server, "data:", "blob:")
    assert [url for url in window.requests if not url.startswith(own)] == []


def test_the_public_name_makes_players_again_and_again(tmp_path, example):
    for number in range(2):
        saved = dmlviz.player(example).save(tmp_path / f"{number}.html")
        assert saved.stat().st_size > 1_000_000


def test_in_the_dark_and_on_a_phone(opened, example):
    seen = []
    for scheme in ("light", "dark"):
        window = opened(make_player(example), color_scheme=scheme, width=390)
        assert window.page.evaluate("document.scrollingElement.scrollWidth") <= 390
        pixels = window.shot()
        red, green, blue = pixels[2, 2]
        background = "getComputedStyle(document.body).backgroundColor"
        assert window.page.evaluate(background) == f"rgb({red}, {green}, {blue})"
        seen.append(pixels.mean())
    assert seen[0] > 150 > 80 > seen[1]


def test_all_that_the_stage_does(opened, example):
    """Keys without a click before, hover, pins, views."""
    window = opened(make_player(example))
    keyboard = window.page.keyboard
    keyboard.press("End")
    assert window.t == 5
    keyboard.press("ArrowLeft")
    assert window.t == 4
    keyboard.press(" ")
    window.until("t > 4")
    keyboard.press("Home")
    assert window.t == 0
    keyboard.press("End")
    output = window.board["output"]
    box = window.page.locator(".dmlviz-board").bounding_box()
    x = box["x"] + output["x"][13] + output["w"] / 2
    y = box["y"] + output["y"][13] + output["h"] / 2
    window.page.mouse.move(x, y)
    tip = window.page.locator(".dmlviz-tip")
    tip.wait_for(state="visible")
    assert tip.inner_text() == "out[0, 0, 1, 4] = in[0, 0, 1, 1] = 5"
    window.page.mouse.click(x, y)
    window.page.locator(".dmlviz-pin").wait_for()
    assert window.page.locator(".dmlviz-formula").nth(1).inner_text().endswith(" = 5")
    keyboard.press("Escape")
    window.page.locator(".dmlviz-pin").wait_for(state="detached")


def test_it_does_not_run_what_its_payload_says(opened, example):
    player = make_player(example)
    player.payload["check"] += EVIL
    player.payload["words"] = {name: text + EVIL for name, text in player.payload["words"].items()}
    for step in player.payload["steps"]:
        step["title"] = step["caption"] = EVIL
    player.payload["input"]["tensors"][0]["labels"][0] = EVIL
    player.payload["paddingLabel"] = EVIL
    evil = {"text": EVIL, "holds": ""}
    player.payload["figure"]["layout"]["meta"] = [[evil], [evil]]
    window = opened(player)
    window.seek(2).drawn()
    assert window.page.evaluate("window.hacked") is None
    assert window.page.locator("img").count() == 0
    assert window.page.locator(".dmlviz-caption-text").inner_text() == EVIL
    assert window.page.locator("main > p, #check").inner_text().endswith(EVIL)
    # and what came in all the same would not run
    window.page.evaluate("""document.body.append(Object.assign(
        document.createElement("script"), { textContent: "window.hacked = 1" }))""")
    window.page.wait_for_timeout(50)
    assert window.page.evaluate("window.hacked") is None
    assert ["Content Security Policy" in problem for problem in window.problems] == [True]
    window.problems.clear()


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
    # in a notebook nobody listens: the frames take the height of what they hold
    for number in (0, 1):
        content = window.page.frames[number + 1].evaluate("document.body.offsetHeight")
        frame = window.page.locator("iframe").nth(number)
        assert frame.evaluate("frame => frame.clientHeight") == content != 760


def test_a_frame_tells_its_size(visit, tmp_path, example):
    """As the guide says for a course page: the frame takes the height that it is told."""
    make_player(example).save(tmp_path / "movement.html")
    course = tmp_path / "course.html"
    snippet, _running = re.findall(
        r"```html\n(.*?)```", EMBEDDING.read_text(encoding="utf-8"), re.DOTALL
    )
    course.write_text(
        f"""<!doctype html><meta charset="utf-8"><title>course</title>{snippet}
        <script>
        window.told = [];
        addEventListener("message", ({{ data }}) => told.push([data.width, data.height]));
        </script>""",
        encoding="utf-8",
    )
    window = visit(None, server=tmp_path.as_uri(), offline=True)
    window.page.goto(course.as_uri())
    frame = window.page.frames[1]
    frame.wait_for_selector('.dmlviz-player[data-ready="true"]')
    # the frame takes the height, and its stage what room it has then
    while (before := window.page.evaluate("told.at(-1)")) != window.let_pass(300).page.evaluate(
        "told.at(-1)"
    ):
        pass
    stage = frame.evaluate("document.querySelector('.dmlviz-stage').offsetHeight")
    assert before[1] > stage > 200
    inside = "[innerWidth, innerHeight, document.documentElement.clientWidth]"
    assert frame.evaluate(inside) == [before[0], before[1], before[0]]  # no scroll bars
    frame.locator(".dmlviz-stage").press("Enter")
    window.page.wait_for_function("h => told.at(-1)[1] > h", arg=before[1])
    assert frame.evaluate("document.querySelector('.dmlviz-stage').offsetHeight") == stage
    window.page.keyboard.press("Escape")
    window.page.wait_for_function("h => told.at(-1)[1] === h", arg=before[1])


def test_a_page_that_is_not_framed_tells_nobody(visit, tmp_path, example):
    path = make_player(example).save(tmp_path / "movement.html")
    window = visit(None, server=tmp_path.as_uri(), offline=True)
    window.page.goto(path.as_uri())
    window.page.evaluate("told = []; addEventListener('message', (e) => told.push(e.data))")
    window.page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    window.page.locator(".dmlviz-stage").press("Enter")
    window.page.wait_for_timeout(200)
    assert window.page.evaluate("told") == []


def test_a_film_of_the_whole_movement(visit, tmp_path):
    trace = dmlviz.run(dmlviz.Tile((2,)), np.arange(3.0))
    path = make_player(trace).save(tmp_path / "movement.html")
    window = visit(None, server=tmp_path.as_uri(), offline=True)
    window.page.goto(path.as_uri())
    window.page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    film = window.control("film")
    assert film.get_attribute("aria-label") == "Save as video"
    with window.page.expect_download() as download:
        film.click()
        window.until("t > 0 && t < 2")
        assert film.get_attribute("aria-label") == "Stop and save the video"
    assert download.value.suggested_filename == "movement.webm"
    data = download.value.path().read_bytes()
    assert data[:4] == b"\x1a\x45\xdf\xa3"
    assert len(data) > 10_000
    assert window.t == 2
    assert film.get_attribute("aria-label") == "Save as video"
    assert film.inner_text() == "Save as video"


def test_a_film_that_is_stopped_is_saved(visit, tmp_path, example):
    path = make_player(example).save(tmp_path / "movement.html")
    window = visit(None, server=tmp_path.as_uri(), offline=True)
    window.page.goto(path.as_uri())
    window.page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    with window.page.expect_download() as download:
        window.press("film")
        window.until("t > 0.3")
        window.press("film")
    assert download.value.path().read_bytes()[:4] == b"\x1a\x45\xdf\xa3"
    assert 0 < window.t < 5


def test_where_films_cannot_be_recorded_there_is_no_button(visit, tmp_path, example):
    path = make_player(example).save(tmp_path / "movement.html", plotly="plotly.min.js")
    shutil.copy(plotly_path(), tmp_path / "plotly.min.js")
    # another locale: a window of its own, which no other test gets
    window = visit(None, server=tmp_path.as_uri(), offline=True, locale="en-GB")
    window.page.add_init_script("delete window.MediaRecorder")
    window.page.goto(path.as_uri())
    window.page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    assert window.page.locator(".dmlviz-full").count() == 1
    assert window.page.locator(".dmlviz-film").count() == 0


def test_starts_as_it_was_left(opened, example):
    look = {"colors": "position", "moves": "all", "step": 0.5, "pinned": [7]}
    window = opened(make_player(example, look))
    seen = window.js("player => [player.color, player.view, player.t, player.pins.pins]")
    assert seen == ["position", "all", 0.5, [7]]
    assert "out[0, 0, 0, 7]" in window.page.locator(".dmlviz-player").inner_text()
    assert window.problems == []


def test_two_runs_on_one_stage(visit, tmp_path, example):
    other = dmlviz.run(dmlviz.Tile((1, 1, 2, 3)), example.x)
    page = SitePage("two", "Two", ("Which is taller?",), example, "Tile", None, other, "The first.")
    path = write_site(tmp_path / "site", [page]).with_name("two.html")
    window = visit(None, server=tmp_path.as_uri(), offline=True)
    window.page.goto(path.as_uri())
    window.page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    window.page.keyboard.press("End")
    window.page.wait_for_function(
        "(({ t, steps }) => t === steps)(document.querySelector('.dmlviz-player').dmlviz)"
    )
    called = "player => player.payload.output.tensors.map(t => t.called)"
    assert window.js(called) == ["A", "B"]
    assert not window.page.get_by_text("The first.").is_visible()
    window.page.get_by_text("Answer").click()
    assert window.page.get_by_text("The first.").is_visible()
    assert window.problems == []
