"""The content security policy of the app's pages, source by source: a browser says nothing of
one that permits more than it should.
"""

import asyncio
import re
from pathlib import Path

import pytest
import streamlit
from starlette.responses import HTMLResponse

from dmlviz.app.headers import app_policy, middleware
from dmlviz.picture.policy import script_hash

HOST = "dmlviz.example.org:8501"


def rules(host=HOST, **more):
    return dict(rule.split(" ", 1) for rule in app_policy(host, **more).split("; "))


RULES = rules()
HASH = re.compile(r"'sha256-[A-Za-z0-9+/]{43}='")


def test_scripts_are_the_apps_own():
    page = Path(streamlit.__file__).parent / "static" / "index.html"
    inline = re.findall(r"<script>(.*?)</script>", page.read_text(encoding="utf-8"), re.DOTALL)
    hashes = {script_hash(text) for text in inline}
    assert hashes
    assert set(RULES["script-src"].split()) == {"'self'", "blob:", *hashes}


@pytest.mark.parametrize("name", RULES)
def test_no_source_is_elsewhere(name):
    """Beside a hash browsers pass over 'unsafe-inline', as long as the hash is there."""
    may = {"'self'", "'none'", "data:", "blob:"}
    here = {f"ws://{HOST}", f"wss://{HOST}"}
    may |= {"connect-src": here, "style-src": {"'unsafe-inline'"}}.get(name, set())
    found = RULES[name].split()
    if name == "script-src":
        found = [source for source in found if not HASH.fullmatch(source)]
        may -= {"data:", "'none'"}
    assert set(found) <= may


def test_nothing_is_left_open():
    assert RULES["default-src"] == "'self'"
    assert RULES["object-src"] == "'none'"
    assert RULES["base-uri"] == RULES["form-action"] == "'self'"


@pytest.mark.parametrize(
    "host", ["", "[::1]:8501", "box; script-src *", "box *", "*", "ws:", "a/b", "box:port", "é.org"]
)
def test_a_host_that_no_policy_can_name_adds_nothing(host):
    assert rules(host) == {**RULES, "connect-src": "'self' data: blob:"}


def test_only_an_embedded_page_can_be_framed_by_others():
    assert RULES["frame-ancestors"] == "'self'"
    assert rules(embedded=True) == {n: of for n, of in RULES.items() if n != "frame-ancestors"}


ADDRESSES = {
    "/tile?embed=true": True,
    "/tile/?embed=true": True,
    "/prefix/depth-to-space?sizes=2,3&embed=True": True,
    "/code?code=x.T&embed=true": True,
    "/tile": False,
    "/tile?embed=false": False,
    "/tile?sizes=embed%3Dtrue": False,
    "/?embed=true": False,
    "/lessons?embed=true": False,
    "/start-class?embed=true": False,
    "/my-class?embed=true": False,
    "/class/tile/teach?embed=true": False,
}


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_says_who_can_frame_it(address):
    path, _mark, query = address.partition("?")
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode()}
    scope["headers"] = [(b"host", HOST.encode())]
    sent = []

    async def send(message):
        sent.append(message)

    headers = middleware()[0].cls(HTMLResponse("<h1>Page</h1>"))
    asyncio.run(headers(scope, None, send))
    found = {name: value.decode() for name, value in sent[0]["headers"]}
    policy = app_policy(HOST, embedded=ADDRESSES[address])
    assert found[b"content-security-policy"] == policy
