"""What the server says with its answers, and that every page lives with it."""

from __future__ import annotations

import gzip
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import streamlit

from dmlviz.app.headers import HEADERS, app_policy
from dmlviz.app.origin_check import METRICS
from dmlviz.app.server import player_address, plotly_address
from tests.browser.conftest import serving

PAGES = (
    "glossary",
    "names?search=gather",
    "practice?seed=1&level=1&number=1",
    "lessons?lesson=tile&part=1",
    "worksheet?count=1",
    "verify",
)


def test_every_page_lives_with_its_policy(visit):
    """What a browser refuses it says in its console, which every visit watches."""
    window = visit(None)
    for page in PAGES:
        answer = window.page.goto(f"{window.server}/{page}")
        host = window.server.removeprefix("http://")
        assert answer.headers["content-security-policy"] == app_policy(host)
        window.page.wait_for_selector("h1")
        window.rested()
        assert window.page.get_by_test_id("stException").count() == 0


def test_a_policy_stops_what_a_text_might_smuggle_in(visit):
    window = visit("tile")
    tried = """async () => {
      const stopped = [];
      const all = new Promise(done => document.addEventListener('securitypolicyviolation',
        event => stopped.push(event.effectiveDirective) === 3 && done()));
      new Image().src = 'http://example.invalid/a.png';
      const button = document.createElement('button');
      button.setAttribute('onclick', 'window.smuggled = true');
      button.click();
      const script = document.createElement('script');
      script.textContent = 'window.smuggled = true';
      document.body.append(script);
      await all;
      return [stopped.sort(), window.smuggled === undefined];
    }"""
    stopped, clean = window.page.evaluate(tried)
    assert stopped == ["img-src", "script-src-attr", "script-src-elem"]
    assert clean
    # these were meant
    window.problems.clear()
    window.requests.clear()


def test_headers(server):
    framed = "/tile?sizes=2&embed=true"
    for path in ("/", "/_stcore/health", "/tile?sizes=2", framed, "/nothing/here.js"):
        try:
            with urllib.request.urlopen(f"{server}{path}") as answer:
                headers = answer.headers
        except urllib.error.HTTPError as refusal:
            headers = refusal.headers
        assert {name: headers[name] for name in HEADERS} == HEADERS
        page = headers.get_content_type() == "text/html"
        policy = app_policy(server.removeprefix("http://"), embedded=path == framed)
        assert headers["Content-Security-Policy"] == (policy if page else None)
        # it would forbid frames that the policy allows
        assert headers["X-Frame-Options"] is None
        # only an explorer's page certainly needs the player
        link = headers["Link"] or ""
        assert (plotly_address() in link, player_address() in link) == (2 * (path[:5] == "/tile",))


def ask(address, **headers):
    """The status, the headers and the first bytes of an answer."""
    try:
        asked = urllib.request.Request(address, headers=headers)
        with urllib.request.urlopen(asked) as answer:
            return answer.status, answer.headers, answer.read(2)
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.headers, refusal.read(2)


@pytest.mark.parametrize(
    "path",
    [
        "dmlviz/0123456789ab/player.js",
        "dmlviz/0.0.0/plotly.min.js",
        "dmlviz/player.js",
        "dmlviz/x",
        "nothing/here.js",
        "static/js/nothing.js",
        "static/nothing",
        "tile/nothing.png",
        "nothing.html",
        "robots.txt",
        ".streamlit/config.toml",
        "app.py",
        "_stcore/nothing",
        "_stcore/metrics",
        "_stcore/metrics?families=active_sessions",
        "component/nothing/index.html",
        "media/nothing.html",
    ],
)
def test_what_is_not_there_is_not_found(server, path):
    status, headers, _body = ask(f"{server}/{path}")
    assert status == 404
    assert headers.get_content_type() != "text/html"


def test_what_is_there_is_found(server):
    for path in ("", "tile", "depth-to-space", "index.html", player_address(), plotly_address()):
        assert ask(f"{server}/{path}")[0] == 200, path


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("gzip", True),
        ("gzip, deflate, br;q=0.9", True),
        ("*", True),
        ("br, GZIP ; q=0.5", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000, *", False),
        ("identity", False),
        ("", False),
        ("*;q=0", False),
        ("xgzip", False),
    ],
)
def test_who_takes_no_gzip_gets_none(server, accepted, packed):
    for path in (player_address(), plotly_address()):
        _status, headers, body = ask(f"{server}/{path}", **{"Accept-Encoding": accepted})
        assert (body == b"\x1f\x8b") is packed
        assert headers["Content-Encoding"] == ("gzip" if packed else None)
        assert "Accept-Encoding" in headers["Vary"]


@pytest.mark.parametrize("asked", [{}, {"Accept-Encoding": "gzip"}, {"Range": "bytes=2-5"}])
def test_streamlits_scripts_are_its_own_and_smaller(server, asked):
    path = sorted(Path(streamlit.__file__).parent.glob("static/static/js/index.*.js"))[0]
    wanted = urllib.request.Request(f"{server}/static/js/{path.name}", headers=asked)
    with urllib.request.urlopen(wanted) as answer:
        body, headers = answer.read(), answer.headers
    if "Accept-Encoding" in asked:
        assert len(body) < path.stat().st_size / 2
        body = gzip.decompress(body)
    assert headers["Content-Encoding"] == asked.get("Accept-Encoding")
    whole = path.read_bytes()
    assert body == (whole[2:6] if "Range" in asked else whole)
    assert "immutable" in headers["Cache-Control"]
    assert headers.get_content_subtype() == "javascript"


def test_who_runs_the_server_may_open_its_figures(monkeypatch):
    monkeypatch.setenv(METRICS, "1")
    with serving() as address:
        status, headers, _body = ask(f"{address}/_stcore/metrics")
        assert status == 200
        assert headers.get_content_type() != "text/html"
