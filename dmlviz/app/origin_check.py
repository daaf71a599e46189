"""Admits only requests for this server and its addresses, and WebSockets of its own pages."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from dmlviz.base.deferred import regex
from dmlviz.base.excerpts import one_line
from dmlviz.base.visitors import in_both_notations, unmapped
from dmlviz.base.words import _, speaking
from dmlviz.classroom.asking import spoken

PROXIES = "FORWARDED_ALLOW_IPS"
"""The environment variable with the addresses of the proxies before the server, as in uvicorn."""
METRICS = "DMLVIZ_METRICS"
"""The environment variable that opens ``/_stcore/metrics`` for the server's operator."""

# uvicorn's default
_THIS_MACHINE = "127.0.0.1,::1"
_POLICY_VIOLATION = 1008
_MISDIRECTED = 421
_HOST = regex(r"(?:\[(?P<v6>[0-9a-f:.]+)\]|(?P<name>[^\s:/?#@\[\]\\]+))(?::[0-9]*)?", re.I)
# Streamlit answers unknown addresses with the app's page, except in these folders
_FILE = regex(r"^(?!.*/(?:component|media)/).*(?:\.[^/]*$|/(?:_stcore|dmlviz|static)/)")


class OriginCheck:
    """Middleware that keeps unwanted requests from Streamlit."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        # uvicorn's own does not know an IPv4 proxy whose connection comes in over IPv6
        proxies = in_both_notations(os.environ.get(PROXIES, _THIS_MACHINE))
        self._behind_proxy: Any = ProxyHeadersMiddleware(self._admit, proxies)  # type: ignore[arg-type]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on the requests that are admitted, with the visitor's own address."""
        host, port = scope.get("client") or ("", 0)
        plain = unmapped(host)
        if plain == host:
            await self._admit(scope, receive, send)
        else:
            await self._behind_proxy({**scope, "client": (plain, port)}, receive, send)

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = scope["type"]
        if kind not in ("http", "websocket"):
            await self.app(scope, receive, send)
        elif not _names_server(scope):
            await _misdirected(scope, receive, send)
        elif kind == "websocket":
            await self._open(scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        origin = headers.get("origin")
        if origin is not None and not is_same_origin(origin, host):
            await _close(receive, send)
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


async def _close(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close", "code": _POLICY_VIOLATION})


async def _misdirected(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await _close(receive, send)
        return
    with speaking(spoken(HTTPConnection(scope))):
        sentence = _(
            "The name {name} is not one of this server's. If it should be, start the server with "
            "the environment variable STREAMLIT_SERVER_ALLOWED_HOSTS={name}."
        )
    name = one_line(_name_of(Headers(scope=scope).get("host", "")), 100)
    await PlainTextResponse(sentence.format(name=name), _MISDIRECTED)(scope, receive, send)


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("Not found", 404)(scope, receive, send)


def _name_of(host: str) -> str:
    parts = _HOST.fullmatch(host)
    return (parts["v6"] or parts["name"]).lower().rstrip(".") if parts else ""


def _names_server(scope: Scope) -> bool:
    """Whether the name that a browser asked for is this server's.

    A page of another site can have its own name lead to this machine (DNS rebinding); to a browser,
    the server is then a part of that site. No such page has an address in place of a name. Behind a
    proxy, or with names in the settings, whoever runs the server decides.
    """
    host = Headers(scope=scope).get("host", "")
    # who looks only whether the server runs may use any name
    if not host or scope["path"].endswith("/_stcore/health"):
        return True
    name = _name_of(host)
    try:
        ipaddress.ip_address(name)
    except ValueError:
        pass
    else:
        return True
    own = {config.get_option("browser.serverAddress"), "localhost", *_server_names()}
    if name in own or name.endswith(".localhost"):
        return True
    if allowed := config.get_option("server.allowedHosts"):
        return _is_named(name) or "*" in allowed
    return bool(name and os.environ.get(PROXIES))


@cache
def _server_names() -> frozenset[str]:
    """This machine's name, alone and as others in its network find it without a name server.

    A name with more dots can be anybody's.
    """
    machine = socket.gethostname().lower().partition(".")[0]
    return frozenset({machine, f"{machine}.local"} if machine else ())


def is_same_origin(origin: str, host: str) -> bool:
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
    gzip_weight = weights.get("gzip", weights.get("*", "q=0"))
    return not re.fullmatch(r"q=0(?:\.0*)?", gzip_weight)
