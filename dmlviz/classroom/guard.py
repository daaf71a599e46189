"""Checks every request: its origin, its length and its content."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from starlette.requests import ClientDisconnect, Request

from dmlviz.base.words import _
from dmlviz.classroom.refusals import Foreign, Invalid, NotJson, TooLong

MOST_BODY = 4_096
"""The most bytes in a request's body, except the request that opens a class."""

MOST_CLASS = 262_144
"""The most bytes in the body of the request that opens a class."""

_OWN_SITES = ("same-origin", "none")

IsOwn = Callable[[str, str], bool]
"""Called with an origin and the request's host: whether the origin is the app's own."""


def check_origin(request: Request, is_own: IsOwn) -> None:
    """Refuse requests from pages of other sites.

    No request here carries a token against forged requests, and browsers send a cookie from any
    page of the same site.

    Raises:
        Foreign: the page belongs to another site.
    """
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    own = origin is None or is_own(origin, request.headers.get("host", ""))
    # without an origin, a browser names the site; behind some proxies the app is "same-site"
    if not own or (origin is None and site is not None and site not in _OWN_SITES):
        raise Foreign


async def read_object(request: Request, most: int = MOST_BODY) -> dict[str, Any]:
    """Read the body, a JSON object; an empty body gives an empty object.

    Raises:
        NotJson: its content type is not JSON; another site's form cannot send JSON.
        TooLong: the body has more than ``most`` bytes.
        Invalid: it is not JSON or not an object.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise NotJson
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise TooLong
    except ClientDisconnect:
        raise Invalid(_("The request ended too early.")) from None
    try:
        values = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise NotJson from None
    if not isinstance(values, dict):
        raise NotJson
    return values
