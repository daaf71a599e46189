"""Our own routes come before Streamlit's pages, so none may take the address of one."""

from __future__ import annotations

import asyncio

import pytest
from starlette.routing import Match, Router

from dmlviz.app.classes import class_service, lifespan, routes_of_classes
from dmlviz.app.server import routes
from dmlviz.base.places import ROOT
from dmlviz.classroom.learner import PlayerFiles

PAGES = sorted(path.stem.replace("_", "-") for path in (ROOT / "pages").glob("*.py"))


@pytest.mark.parametrize("page", PAGES)
def test_no_route_hides_a_page(page):
    asked = {"type": "http", "method": "GET", "path": f"/{page}", "headers": []}
    assert [route for route in routes() if route.matches(asked)[0] is not Match.NONE] == []


async def asked(router, method, path):
    """The status of an answer."""
    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": []}
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def send(message):
        sent.append(message)

    await router({**scope, "scheme": "http", "server": ("localhost", 80)}, receive, send)
    return sent[0]["status"]


def test_a_database_that_cannot_be_stops_classes_alone(monkeypatch, caplog):
    monkeypatch.setenv("DMLVIZ_DATABASE", "mysql://user:secret@host/name")
    class_service.cache_clear()
    visits = (
        ("GET", "/class"),
        ("POST", "/class/ABCD/join"),
        ("GET", "/class/ABCD/teach"),
        ("GET", "/class/ABCD/events"),
    )
    try:
        router = Router(routes_of_classes("", PlayerFiles("player", "plotly")), lifespan=lifespan)

        async def visit():
            async with lifespan(None):
                return [await asked(router, *each) for each in visits]

        assert asyncio.run(visit()) == [200, 503, 503, 503]
    finally:
        class_service.cache_clear()
    assert "DMLVIZ_DATABASE must be the path of a SQLite file" in caplog.text
    assert "secret" not in caplog.text
