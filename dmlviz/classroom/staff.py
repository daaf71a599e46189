"""The pages for leading a class: the wall, the teacher's page, the report, and cards to print.

``GET /class/{code}/wall``, ``GET /class/{code}/teach`` and ``GET /class/{code}/report`` are empty:
    their secret comes after ``#`` in the address, which browsers do not send to servers, and
    :mod:`dmlviz.classroom.routes` provides all that they show. So is ``GET /classes``, the list of
    classes that a teacher's browser has kept.
``GET /class/{code}/cards``: the letters A to D with the numbers 1 to 4, one on each sheet, for a
    room without a network.
``GET /class/{code}/invitation?origin=``: ``{address, svg}``: the address where
    learners join from other computers, and its QR code.
``GET /class/{code}/remote?origin=`` by the teacher: the same of the teacher's page, whose address
    holds the secret of the request.
``POST /class/{code}/hands`` by the teacher ``{question, round, counts: {answer: n}}``: a show of
    hands, which counts with the votes; 200 ``{stored}``. It replaces an earlier one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

import segno
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from dmlviz import words
from dmlviz.addresses import LANGUAGE
from dmlviz.classroom.asking import answering, json_response, spoken, token_of
from dmlviz.classroom.assets import assets_address, page_response
from dmlviz.classroom.bodies import Hands, out_of_range, read_body
from dmlviz.classroom.codes import read_code
from dmlviz.classroom.database import wanted_days
from dmlviz.classroom.guard import IsOwn
from dmlviz.classroom.learner import PlayerFiles
from dmlviz.classroom.polls import read_answer
from dmlviz.classroom.refusals import Invalid, NoClass, NotYours
from dmlviz.classroom.service import Service, stored
from dmlviz.classroom.staff_words import staff_words
from dmlviz.words import _

_MOST_ORIGIN = 300
_CARDS = "ABCD"

ForOthers = Callable[[str], str]
"""Makes an address of this server one that other computers can open."""


def staff_routes(
    base: str, service: Service, is_own: IsOwn, engine: PlayerFiles, for_others: ForOthers
) -> Sequence[BaseRoute]:
    """The routes; they must come before those of :func:`dmlviz.classroom.routes.class_routes`.

    Args:
        base: the prefix of their addresses: ``""`` or ``"/prefix"``.
        service: of this process.
        is_own: called with an origin and the request's host: whether the origin is the app's own.
        engine: the files that play the movement.
        for_others: makes an address one that other computers can open.
    """
    around = answering(is_own)

    def page(name: str) -> Callable[[Request], Any]:
        # it shows no secret and changes nothing, so links to it can be anywhere
        async def answer(request: Request) -> Response:
            with words.speaking(spoken(request)):
                return _page(base, engine, name, read_code(request.path_params["code"]))

        return answer

    async def invitation(request: Request) -> Response:
        address = f"{for_others(_origin(request, is_own))}{base}/class?code={_code(request)}"
        return json_response({"address": address, "svg": await run_in_threadpool(qr_svg, address)})

    async def remote(request: Request) -> Response:
        code, token = await teacher_of(request)
        origin = _origin(request, is_own)
        path = f"{base}/class/{code}/teach?{urlencode({LANGUAGE: words.language()})}"
        address = f"{for_others(origin)}{path}#{urlencode({'t': token})}"
        return json_response({"address": address, "svg": await run_in_threadpool(qr_svg, address)})

    async def teacher_of(request: Request) -> tuple[str, str]:
        """The class's code and the teacher's token.

        Raises:
            NotYours: the token is not the teacher's.
        """
        code, token = _code(request), token_of(request)
        try:
            role = await run_in_threadpool(service.store.role, code, token) if token else ""
        except NoClass:
            role = ""
        if role != "teacher":
            raise NotYours
        return code, token

    async def hands(request: Request) -> Response:
        code, _token = await teacher_of(request)
        store = service.store
        body = await read_body(request, Hands)
        polls = (await run_in_threadpool(store.find, code)).polls
        if body.question >= len(polls):
            raise Invalid(out_of_range("question", 0, len(polls) - 1))
        counts: dict[str, int] = {}
        for answer, count in body.counts.items():
            # different spellings of one answer count together
            spelled = read_answer(polls[body.question], answer)
            counts[spelled] = counts.get(spelled, 0) + count
        await stored(store.raise_hands(code, body.question, body.round, counts))
        service.hub.hurry(code)
        return json_response({"stored": counts})

    async def cards(request: Request) -> Response:
        with words.speaking(spoken(request)):
            return _cards(base)

    async def classes(request: Request) -> Response:
        with words.speaking(spoken(request)):
            settings = _settings(base, engine)
            return _staff_page("classes", base, _("My classes"), settings)

    return [
        Route(f"{base}/classes", classes, methods=["GET"]),
        Route(f"{base}/class/{{code}}/wall", page("wall"), methods=["GET"]),
        Route(f"{base}/class/{{code}}/teach", page("teacher"), methods=["GET"]),
        Route(f"{base}/class/{{code}}/report", page("report"), methods=["GET"]),
        Route(f"{base}/class/{{code}}/cards", cards, methods=["GET"]),
        Route(f"{base}/class/{{code}}/remote", around(remote), methods=["GET"]),
        Route(f"{base}/class/{{code}}/invitation", around(invitation), methods=["GET"]),
        Route(f"{base}/class/{{code}}/hands", around(hands), methods=["POST"]),
    ]


def _code(request: Request) -> str:
    found = read_code(request.path_params["code"])
    if found is None:
        raise NoClass
    return found


def _origin(request: Request, is_own: IsOwn) -> str:
    """The origin of the page that asks.

    Raises:
        Invalid: it is not this server's own.
    """
    origin = request.query_params.get("origin", "")[:_MOST_ORIGIN]
    if not is_own(origin, request.headers.get("host", "")):
        raise Invalid(_("origin: it must be this server's own."))
    return origin


def _page(base: str, engine: PlayerFiles, name: str, code: str | None) -> Response:
    if code is None:
        sentence = NoClass().sentence()
        return _staff_page(name, base, sentence, notice=sentence, status=404)
    titles = {"wall": _("Class"), "teacher": _("Class: teacher"), "report": _("Class: report")}
    settings = {**_settings(base, engine), "code": code}
    return _staff_page(name, base, f"{titles[name]} {code}", settings)


def _settings(base: str, engine: PlayerFiles) -> dict[str, Any]:
    return {
        "language": words.language(),
        "base": base,
        "player": f"{base}/{engine.player}",
        "plotly": f"{base}/{engine.plotly}",
        "days": wanted_days(),
        "sheet": f"{assets_address(base)}/player.css",
        "words": staff_words(),
    }


def _staff_page(
    name: str,
    base: str,
    title: str,
    settings: Any = None,
    *,
    notice: str = "",
    cards: str = "",
    status: int = 200,
) -> Response:
    return page_response(
        "staff.html",
        base,
        title,
        settings,
        referrer="no-referrer",
        status=status,
        page=name,
        notice=notice,
        cards=cards,
    )


def _cards(base: str) -> Response:
    notice = _(
        "Print these four sheets for each student, or one set for each table. Where choices have "
        "numbers, the number below the letter counts."
    )
    return _staff_page("cards", base, _("Cards A to D"), notice=notice, cards=_CARDS)


def qr_svg(address: str) -> str:
    """The QR code of an address, as an SVG document."""
    out = BytesIO()
    made = segno.make(address, micro=False, error="m")
    made.save(out, kind="svg", border=2, xmldecl=False, omitsize=True, dark="#10161d", light="#fff")
    return out.getvalue().decode("utf-8")
