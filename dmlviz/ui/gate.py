"""Admits only WebSockets of the app's own pages and requests for existing addresses."""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

METRICS = "DMLVIZ_METRICS"
"""The environment variable that opens ``/_stcore/metrics`` for the server's operator."""

_POLICY_VIOLATION = 1008
# Streamlit answers unknown addresses with the app's page, except in these folders
_FILE = re.compile(r"^(?!.*/(?:component|media)/).*(?:\.[^/]*$|/(?:_stcore|dmlviz|static)/)")


class Gate:
    """Middleware that keeps unwanted requests from Streamlit."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on the requests that are admitted."""
        if scope["type"] == "websocket":
            await self._open(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        origin = headers.get("origin")
        if origin is not None and not is_own(origin, host):
            await receive()
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            return
        if origin is not None:
            # if the two differ, Streamlit looks up this machine's addresses
            changed = MutableHeaders(raw=list(scope["headers"]))
            changed["origin"] = f"{urlsplit(origin).scheme}://{host}"
            scope = {**scope, "headers": changed.raw}
        await self.app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        missing = path.endswith("/_stcore/metrics") and not os.environ.get(METRICS)
        if missing:
            await _not_found(scope, receive, send)
            return

        changed = MutableHeaders(raw=list(scope["headers"]))
        # Streamlit compresses whenever the header contains the word
        packed = accepts_gzip(changed.get("accept-encoding", ""))
        changed["accept-encoding"] = "gzip" if packed else "identity"
        scope = {**scope, "headers": changed.raw}

        async def only_files(message: Message) -> None:
            nonlocal missing
            if message["type"] == "http.response.start":
                kind = Headers(raw=message["headers"]).get("content-type", "")
                missing = message["status"] == 200 and kind.startswith("text/html")
                if missing:
                    await _not_found(scope, receive, send)
            if not missing:
                await send(message)

        a_file = _FILE.match(path) and not path.endswith("/index.html")
        await self.app(scope, receive, only_files if a_file else send)


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("Not found", 404)(scope, receive, send)


def is_own(origin: str, host: str) -> bool:
    """Whether a WebSocket comes from one of the app's own pages.

    A client that is not a browser may omit the origin, since it could send any.

    Args:
        origin: of the page, as the browser sends it; ``null`` if it hides it.
        host: the one that the browser, or the proxy before the server, asked for.
    """
    try:
        parts = urlsplit(origin)
        name = parts.hostname
    except ValueError:
        return False
    if not name:
        return False
    return parts.netloc.lower() == host.lower() or origin in _origins() or _is_named(name)


def _origins() -> list[str]:
    """The other sites whose pages can connect to the app."""
    return [origin.strip() for origin in config.get_option("server.corsAllowedOrigins")]


def _is_named(name: str) -> bool:
    """Whether the server has that name, even if a proxy uses another one."""
    for allowed in config.get_option("server.allowedHosts"):
        pattern = allowed.strip().lower().rstrip(".")
        if name == pattern or (pattern.startswith("*.") and name.endswith(pattern[1:])):
            return True
    return False


def accepts_gzip(accepted: str) -> bool:
    """Whether a browser accepts gzip; ``gzip;q=0`` means that it does not.

    >>> accepts_gzip("br, gzip"), accepts_gzip("gzip;q=0, *"), accepts_gzip("identity")
    (True, False, False)
    """
    weights = {}
    for part in accepted.lower().split(","):
        name, _sep, weight = part.partition(";")
        weights[name.strip()] = weight.replace(" ", "")
    found = weights.get("gzip", weights.get("*", "q=0"))
    return not re.fullmatch(r"q=0(?:\.0*)?", found)
