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

from dmlviz.base import words
from dmlviz.base.addresses import LANGUAGE
from dmlviz.base.words import _, ngettext
from dmlviz.classroom.asking import IsOwn, answering, json_response, spoken, token_of
from dmlviz.classroom.assets import assets_address, page_response
from dmlviz.classroom.bodies import Hands, out_of_range, read_body
from dmlviz.classroom.codes import read_code
from dmlviz.classroom.database import wanted_days
from dmlviz.classroom.learner import PlayerFiles
from dmlviz.classroom.polls import read_answer
from dmlviz.classroom.refusals import Invalid, NoClass, NotYours
from dmlviz.classroom.service import Service, stored
from dmlviz.classroom.views import MORE_SECONDS


def staff_words() -> dict[str, str]:
    """The texts that do not come from the class; placeholders are in single braces."""
    return {**_shared(), **_wall(), **_teacher(), **_report()}


def _shared() -> dict[str, str]:
    return {
        "round": _("Round {n}"),
        "right": _("Right answer"),
        "constant": _("No element: a constant"),
        "away": _("No connection. Reconnecting automatically."),
        "gone": _("This class has ended."),
        "replaced": _("This class was opened too often with this link. Reload this page."),
        "not_yours": _("This link does not open the class. Use the one from Start a class."),
        "place": _("Question {n} of {all}"),
        "offline": _("The server does not answer."),
    }


def _wall() -> dict[str, str]:
    return {
        "join": _("Open {address} and type these letters, or scan the QR code"),
        "joined": _("{n} joined"),
        "joined_one": _("1 joined"),
        "votes": _("{n} of {all} have answered"),
        "paused": _("Paused"),
        "finished": _("{n} of {all} have answered all questions"),
        "show_bars": _("Show the bars"),
        "hide_bars": _("Hide the bars"),
        "show_code": _("Show the code"),
        "hide_code": _("Hide the code"),
        "key_space": _("Space"),
        "vote_one": ngettext("{n} vote", "{n} votes", 1),
        "vote_many": ngettext("{n} vote", "{n} votes", 2),
        "votes_of": _("Votes for each element: {tensors}"),
    }


def _teacher() -> dict[str, str]:
    return {
        "key": _("Space or →"),
        "kept": _("Its results are kept until {day}."),
        "deleted": _("The class and its results were deleted."),
        "door": _("Who can join"),
        "door_locked": _("Closed to new devices"),
        "door_more": _("Allow {most} devices of one network"),
        "refused_address_full": _(
            "Refused joins: {n}. One network has {most} devices here, its limit."
        ),
        "refused_class_full": _("Refused joins: {n}. The class is full, with {most} devices."),
        "refused_address_streams_full": _(
            "Refused joins: {n}. Too many pages of one network are open."
        ),
        "refused_streams_full": _("Refused joins: {n}. The server has its most open pages."),
        "refused_joins_too_fast": _(
            "Refused joins: {n}. Too many devices of one network came at once; they try again."
        ),
        "refused_locked": _("Refused joins: {n}. The class is closed to new devices."),
        "burst": _("{n} devices of one network joined within {seconds} s."),
        "remove": _("Remove these {n}"),
        "remove_sure": _("Remove these {n} devices and their votes?"),
        "answer": _("Answer"),
        "say": _("What to say"),
        "following": _("Ask next"),
        "notes": _("Notes for yourself"),
        "minute": ngettext("{n} minute", "{n} minutes", 1),
        "minutes": ngettext("{n} minute", "{n} minutes", 2),
        "coming": _("Coming next"),
        "stat_joined": _("joined"),
        "stat_votes": _("answered"),
        "stat_missing": _("not answered"),
        "stat_finished": _("finished"),
        "stat_working": _("still working"),
        "stat_lost": _("lost"),
        "stat_clock": _("time left"),
        "pause": _("Pause"),
        "go_on": _("Resume"),
        "clock": _("Clock of a vote"),
        "no_clock": _("No clock"),
        "seconds": _("{n} seconds"),
        "more": _("{n} s more").format(n=MORE_SECONDS),
        "discussion": _("Clock of a discussion"),
        "finishes": _("Close the vote when all have answered"),
        "wall_bars": _("Show the bars on the wall"),
        "wall_code": _("Show the code and its QR code"),
        "theme": _("Colors"),
        "theme_screen": _("Of its screen"),
        "theme_light": _("Light"),
        "theme_dark": _("Dark"),
        "sentences": _("Reasons"),
        "on_wall": _("On the wall"),
        "hide": _("Hide"),
        "hide_sentence": _("Hide: {text}"),
        "people": _("Nicknames"),
        "nicknames": _("Who sees them"),
        "nicknames_none": _("No nicknames"),
        "nicknames_teacher": _("Only this page"),
        "nicknames_wall": _("This page and the wall"),
        "nicknames_kept": _(
            "A nickname is optional, and is deleted with the class or when you choose no nicknames."
        ),
        "unnamed": _("Without a nickname: {n}"),
        "of_questions": _("{n} of {all}"),
        "remove_person": _("Remove"),
        "remove_name": _("Remove {name}"),
        "remove_name_sure": _("Remove {name}, with all answers of this device?"),
        "progress_title": _("Progress"),
        "progress": _("{n} answered, {right} right"),
        "remote": _("This page on a phone"),
        "remote_secret": _(
            "Whoever scans this code can lead the class and delete it. Do not show it on the wall."
        ),
        "remember": _("Keep this class in the list of this browser"),
        "movement": _("Movement"),
        "follow": _("Everyone follows"),
        "free": _("Everyone explores freely"),
        "step": _("Step {n} of {all}"),
        "step_back": _("One step back"),
        "step_forward": _("One step forward"),
        "controls": _("Controls"),
        "questions": _("Questions"),
        "ask_this": _("Ask this question"),
        "hands": _("Show of hands"),
        "hands_hint": _("Without a network: count the cards and enter the numbers."),
        "hands_store": _("Save"),
        "hands_stored": _("Saved."),
        "cards": _("Cards A to D to print"),
        "links": _("Links"),
        "open_wall": _("The wall"),
        "open_single": _("The wall with controls, for one screen"),
        "report": _("Report"),
        "csv": _("Results as CSV"),
        "answers": _("Counts of each answer as CSV"),
        "repeat": _("For students: repeat the questions"),
        "copy": _("Copy the link"),
        "copied": _("Copied."),
        "delete": _("Delete the class"),
        "delete_sure": _("Delete the class with all its votes? This cannot be undone."),
        "moved_on": _("The class had already moved on."),
    }


def _report() -> dict[str, str]:
    return {
        "report_title": _("Report: {title}"),
        "print": _("Print"),
        "column_question": _("Question"),
        "column_answer": _("Answer"),
        "column_alone": _("At their own pace"),
        "report_of": _("{day} · code {code} · {n} devices"),
        "column_mistaken": _("Most chosen wrong answer"),
        "tied": _("and {n} more with as many votes"),
        "of": _("{right} of {votes} right"),
        "no_votes": _("Discussion"),
        "nobody": _("no votes"),
        "none": _("no wrong answer"),
        "classes": _("My classes"),
        "classes_kept": _(
            "Classes that you have had this browser keep, for {days} days. Whoever uses this "
            "browser can lead them and delete them."
        ),
        "classes_none": _("This browser keeps no class."),
        "classes_open": _("Open the teacher's page"),
        "classes_forget": _("Remove from this list"),
        "nameless": _("Votes carry no names. They are deleted after {days} days at the latest."),
    }


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
    code = read_code(request.path_params["code"])
    if code is None:
        raise NoClass
    return code


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
