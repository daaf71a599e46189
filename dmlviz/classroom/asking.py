"""How the routes read requests, after checking their origin and length, and make responses."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, Response

from dmlviz.base import words
from dmlviz.base.addresses import LANGUAGE
from dmlviz.base.errors import Error
from dmlviz.base.visitors import counted_address
from dmlviz.base.words import _, vocabularies
from dmlviz.classroom.refusals import ClassRefusal, Foreign, Invalid, NotFound, NotJson, TooLong

COOKIE = "dmlviz-device"
_MOST_LANGUAGES = 200
_MOST_TOKEN = 64
_NO_STORE = {"Cache-Control": "no-store"}

Handler = Callable[[Request], Awaitable[Response]]

MOST_BODY = 4_096
"""The most bytes in a request's body, except the request that opens a class."""

MOST_CLASS = 262_144
"""The most bytes in the body of the request that opens a class."""

_OWN_SITES = ("same-origin", "none")

IsOwn = Callable[[str, str], bool]
"""Called with an origin and the request's host: whether the origin is the app's own."""


def answering(is_own: IsOwn) -> Callable[[Handler], Handler]:
    """Wrap a route: refuse requests from other sites, and return each refusal as JSON."""

    def around(handler: Handler) -> Handler:
        @functools.wraps(handler)
        async def answer(request: Request) -> Response:
            with words.speaking(spoken(request)):
                try:
                    check_origin(request, is_own)
                    return await handler(request)
                except ClassRefusal as refusal:
                    return refused(refusal)
                except Error as error:
                    return refused(Invalid(str(error)))

        return answer

    return around


def refused(refusal: ClassRefusal) -> Response:
    """``{"error": key, "message": sentence}``."""
    payload = {"error": refusal.key, "message": refusal.sentence()}
    return JSONResponse(payload, refusal.status, _NO_STORE)


def json_response(value: Any, status: int = 200) -> JSONResponse:
    """A JSON response that is not cached."""
    return JSONResponse(value, status, dict(_NO_STORE))


async def nothing_here(_request: Request) -> Response:
    """Answer 404 for unknown addresses; Streamlit would answer with the app's page."""
    raise NotFound


def spoken(request: HTTPConnection) -> str:
    """The link's language, else the browser's first one, in the words that it remembers."""
    return words.in_words_of(_language_of(request), request.cookies.get(vocabularies.COOKIE, ""))


def _language_of(request: HTTPConnection) -> str:
    if linked := words.language_named(request.query_params.get(LANGUAGE, "")):
        return linked
    accepted = request.headers.get("accept-language", "")[:_MOST_LANGUAGES]
    names = (part.partition(";")[0].strip() for part in accepted.split(","))
    return next(
        (language for name in names if (language := words.language_named(name))), words.ENGLISH
    )


def address_of(request: Request) -> str:
    """The address that limits count, as :func:`counted_address` gives it."""
    return counted_address(request.client.host if request.client else "")


def token_of(request: Request) -> str:
    """The secret from ``Authorization: Bearer``; addresses are logged, so they hold none."""
    kind, _space, token = request.headers.get("authorization", "").partition(" ")
    return token.strip()[:_MOST_TOKEN] if kind.lower() == "bearer" else ""


def device_of(request: Request) -> str:
    """The device's secret; empty if it has none."""
    return request.cookies.get(COOKIE, "")[:_MOST_TOKEN]


def keep_device(request: Request, answer: Response, device: str, path: str, seconds: int) -> None:
    """Give a device its secret, for this class only and until the class expires."""
    # behind a proxy, only the page's origin shows whether the browser's connection is encrypted
    origin = request.headers.get("origin", "")
    secure = request.url.scheme == "https" or origin.startswith("https:")
    answer.set_cookie(
        COOKIE, device, seconds, path=path, secure=secure, httponly=True, samesite="lax"
    )


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
