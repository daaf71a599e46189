"""What the server says with its answers, and that every page lives with it."""

from __future__ import annotations

import urllib.error
import urllib.request

from dmlviz.ui.headers import HEADERS, app_policy

PAGES = (
    "glossary",
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
        assert answer.headers["content-security-policy"] == app_policy()
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
    for path in ("/", "/_stcore/health", "/tile?sizes=2", "/nothing/here.js"):
        try:
            with urllib.request.urlopen(f"{server}{path}") as answer:
                headers = answer.headers
        except urllib.error.HTTPError as refusal:
            headers = refusal.headers
        assert {name: headers[name] for name in HEADERS} == HEADERS
        page = headers.get_content_type() == "text/html"
        assert headers["Content-Security-Policy"] == (app_policy() if page else None)
        # another site's page may frame the app
        assert headers["X-Frame-Options"] is None
