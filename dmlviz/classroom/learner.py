"""The learners' page: ``/class``, where the code is typed, and ``/class/ABCD`` from a QR code.

It is one page, which shows the class after joining and stays at ``/class?code=ABCD``.
Everything that changes is sent by :mod:`dmlviz.classroom.routes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from dmlviz.base import words
from dmlviz.base.addresses import LANGUAGE
from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.classroom.asking import spoken
from dmlviz.classroom.assets import asset_names, assets_address, page_response
from dmlviz.classroom.codes import read_code


@dataclass(frozen=True)
class PlayerFiles:
    """Where the player's files are: paths from the app's root, without a leading slash.

    Attributes:
        player: the player's module.
        plotly: ``plotly.min.js``.
    """

    player: str
    plotly: str


def learner_routes(base: str, engine: PlayerFiles) -> Sequence[BaseRoute]:
    """The routes of the learners' page.

    Args:
        base: the prefix of their addresses: ``""`` or ``"/prefix"``.
        engine: the files that play the movement.
    """

    async def page(request: Request) -> Response:
        with words.speaking(spoken(request)):
            return _page(base, engine)

    async def by_code(request: Request) -> Response:
        code = read_code(request.path_params["code"])
        query = {"code": code} if code else {}
        if named := words.language_named(request.query_params.get(LANGUAGE, "")):
            query[LANGUAGE] = named
        address = f"{base}/class" + (f"?{urlencode(query)}" if query else "")
        return RedirectResponse(address, 307, {"Cache-Control": "no-store"})

    return [
        Route(f"{base}/class", page, methods=["GET"]),
        Route(f"{base}/class/{{code}}", by_code, methods=["GET"]),
    ]


def _page(base: str, engine: PlayerFiles) -> Response:
    modules = sorted(name for name in asset_names() if name.endswith(".js") and _is_ours(name))
    settings = {
        "language": words.language(),
        "base": base,
        "player": f"{base}/{engine.player}",
        "plotly": f"{base}/{engine.plotly}",
        "sheet": f"{assets_address(base)}/player.css",
        "words": learner_words(),
    }
    return page_response(
        "learner.html",
        base,
        _("Join the class"),
        settings,
        # the address contains the code, so other sites must not get it
        referrer="same-origin",
        modules=modules,
    )


def _is_ours(name: str) -> bool:
    return name.startswith(("common.", "learner."))


def learner_words() -> dict[str, str]:
    """The page's texts that do not come from the class, by the names that the page uses."""
    return {
        "door": _("Join the class"),
        "code_label": _("The four letters on the wall"),
        "join": _("Join this class"),
        "joining": _("Joining the class…"),
        "nameless": _("No name and no account: only your answers are counted."),
        "four_letters": _("The code has four letters, A to Z."),
        "offline": _("The server does not answer."),
        "away": _("No connection. Reconnecting automatically."),
        "where": _("Question {number} of {questions}"),
        "paused": _("Paused. Look at the wall."),
        "ended": _("The class is over. Thank you for being there."),
        "sending": _("Sending…"),
        "sent": _("Sent: {answer}"),
        "again_itself": _("Your answer will be sent again automatically."),
        "too_late": _("Voting closed before your answer arrived."),
        "your_answer": _("Your answer: {answer}"),
        "no_answer": _("You gave no answer."),
        "first_one": _("your first answer"),
        "right_one": _("right"),
        "yours": _("your answer"),
        "right": _("Right."),
        "wrong": _("Not right."),
        "answer_is": _("The answer is {answer}."),
        "constant": _("No element: a constant"),
        "tap": _("Tap the element in {tensors}"),
        "tap_keys": _(
            "Picture. Tap an element, or move with the arrow keys and choose with Enter."
        ),
        "smaller": _("Smaller"),
        "larger": _("Larger"),
        "sign": _("Plus or minus"),
        "send": _("Send"),
        "more": _("More below"),
        "lost": _("I'm lost"),
        "loading": _("Loading the movement…"),
        "led": _("You see the step that the teacher shows."),
        "repeat": _("Repeat what you missed"),
        "sentence_label": _("One sentence, without names"),
        "sentence_sent": _("Your sentence is stored."),
        "removed": _("The teacher has removed this device from the class."),
        "check": _("Check"),
        "before": _("Question before"),
        "next": _("Next"),
        "answered": _("{n} of {all} answered"),
        "finished": _("You have answered all questions, {right} of {n} correctly."),
        "nickname": _("Nickname"),
        "nickname_teacher": _(
            "You need none. Only the teacher sees it, and it is deleted with the class."
        ),
        "nickname_wall": _(
            "You need none. Everyone in the room sees it, and it is deleted with the class."
        ),
        "add_nickname": _("Add a nickname"),
        "no_nickname": _("Without a nickname"),
        "save": _("Save"),
        "replaced": _("The class is open in another window of this device."),
    }
