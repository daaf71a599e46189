"""Our own routes come before Streamlit's pages, so none may take the address of one."""

from __future__ import annotations

import pytest
from starlette.routing import Match

from dmlviz.places import ROOT
from dmlviz.ui.server import routes

PAGES = sorted(path.stem.replace("_", "-") for path in (ROOT / "pages").glob("*.py"))


@pytest.mark.parametrize("page", PAGES)
def test_no_route_hides_a_page(page):
    asked = {"type": "http", "method": "GET", "path": f"/{page}", "headers": []}
    assert [route for route in routes() if route.matches(asked)[0] is not Match.NONE] == []
