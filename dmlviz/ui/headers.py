"""What a browser is told with every answer of the server: to load and run nothing but the app's."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import streamlit
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dmlviz.player.policy import script_hash
from dmlviz.ui.gate import Gate

_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    # an address holds what somebody works on: it is told to nobody else
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""With every answer."""


@cache
def app_policy() -> str:
    """The content security policy of the app's own pages.

    Nothing comes from elsewhere: no script, no picture that a text might smuggle in, no
    connection.  Pages that frame the app stay allowed, and so do styles in the page, which
    Streamlit and Plotly write.
    """
    rules = {
        "default-src": "'self'",
        # components are run from a blob; Streamlit's page has one script of its own
        "script-src": f"'self' blob: {' '.join(_own_scripts())}",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' data: blob:",
        # some browsers do not take a websocket for 'self'
        "connect-src": "'self' data: blob: ws: wss:",
        "worker-src": "'self' blob:",
        "frame-src": "'self' data: blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
    }
    return "; ".join(f"{name} {sources}".strip() for name, sources in rules.items())


def _own_scripts() -> list[str]:
    page = Path(streamlit.__file__).parent / "static" / "index.html"
    try:
        text = page.read_text(encoding="utf-8")
    except OSError:  # a Streamlit that keeps its page elsewhere
        return ["'unsafe-inline'"]
    return [script_hash(found) for found in _INLINE.findall(text)]


def middleware() -> list[Middleware]:
    """For ``st.App``: the headers on every answer, the policy on pages, and who is let in."""
    return [Middleware(_Headers), Middleware(Gate)]


class _Headers:
    """Adds headers that the response lacks, and changes nothing else."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.setdefault("Content-Security-Policy", app_policy())
            await send(message)

        await self.app(scope, receive, with_headers)
