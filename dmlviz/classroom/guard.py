"""What every request goes through: whose page it comes from, how long it is, what it holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from starlette.requests import ClientDisconnect, Request

from dmlviz.classroom.refusals import Foreign, Invalid, NotJson, TooLong
from dmlviz.words import _

MOST_BODY = 4_096
"""Bytes of a request's body, but for the one that opens a class."""

MOST_CLASS = 262_144
"""Bytes of the request that opens a class."""

_OWN_SITES = ("same-origin", "none")

IsOwn = Callable[[str, str], bool]
"""Whether an origin is the app's own, asked for by a host."""


def check_origin(request: Request, is_own: IsOwn) -> None:
    """Refuse what a page of another site has sent.

    Nothing here is guarded by a token against that, and a cookie is sent along from anywhere
    within a site.

    Raises:
        Foreign: it was such a page.
    """
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    own = origin is None or is_own(origin, request.headers.get("host", ""))
    # a browser that names no origin says which site asks; behind some proxies "same-site" is own
    if not own or (origin is None and site is not None and site not in _OWN_SITES):
        raise Foreign


async def read_object(request: Request, most: int = MOST_BODY) -> dict[str, Any]:
    """The body, a JSON object; an empty body is an empty one.

    Raises:
        NotJson: it says that it is something else: a form of another site can send no JSON.
        TooLong: it is.
        Invalid: it is not JSON, or no object.
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
        found = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise NotJson from None
    if not isinstance(found, dict):
        raise NotJson
    return found


def whole(body: dict[str, Any], field: str, least: int, most: int) -> int:
    """A whole number of a body.

    Raises:
        Invalid: it is missing or not that.
    """
    value = body.get(field)
    if type(value) is not int or not least <= value <= most:
        sentence = _("{field} is not a whole number from {least} to {most}.")
        raise Invalid(sentence.format(field=field, least=least, most=most))
    return value


def flag(body: dict[str, Any], field: str) -> bool:
    """A truth value of a body.

    Raises:
        Invalid: it is missing or not that.
    """
    value = body.get(field)
    if not isinstance(value, bool):
        raise Invalid(_("{field} is neither true nor false.").format(field=field))
    return value
