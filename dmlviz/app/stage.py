"""The player as a Streamlit component; all sessions share a cache of its data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from dmlviz.app.server import player_address, plotly_address
from dmlviz.app.share import toggle_present
from dmlviz.base.cache import cached
from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _, language, locale
from dmlviz.operators import Operator
from dmlviz.picture.compared import compared, difference
from dmlviz.picture.files import loader
from dmlviz.picture.payload import payload
from dmlviz.picture.runs import sizes_on_stage
from dmlviz.picture.scene import Scene
from dmlviz.picture.staged import staged_once
from dmlviz.picture.unanswered import QuestionPicture, question_payload
from dmlviz.states import View
from dmlviz.teaching.predict import predictions
from dmlviz.tensors.types import Array, DrawnSizes

WITHIN = ".st-key-lesson_stage"
"""The container of the picture of a lesson or of practice."""


@dataclass(frozen=True)
class Wall:
    """What a stage for a room has besides its picture.

    Attributes:
        content: the question and its parts, shown around the picture, as JSON.
        scan: called with the address's parameters when a QR code is requested.
        leave: called with the address's parameters to go back.
        turn: called with ``next`` or ``previous`` for another part.
        code: the last QR code that was requested, as the player takes it, or None.
    """

    content: Mapping[str, Any]
    scan: Callable[[str], None]
    leave: Callable[[str], None]
    turn: Callable[[str], None]
    code: Mapping[str, str] | None = None


def picture(
    operator: Operator,
    inputs: Mapping[str, Array] | Array,
    directions: tuple[tuple[int, str], ...] = (),
    engine: str = "numpy",
    full: float | None = None,
) -> Scene:
    """The scene of a run; equal operations run once for all sessions.

    Args:
        operator: what runs.
        inputs: the input, or every input by DirectML's name.
        directions: for outer dimensions, ``"across"`` or ``"down"``.
        engine: the engine whose run is drawn.
        full: as :func:`dmlviz.picture.scene.scene` takes it.

    Raises:
        TooLarge: a tensor is too large for the stage; nothing was computed.
        Refused, EngineUnavailable, EngineRefused: as :func:`dmlviz.run`.
    """
    inputs = operator.named_inputs(inputs, "x")
    return staged_once(operator, inputs, directions, full, engine)


def show(
    drawn: Scene,
    key: str,
    *,
    bare: bool = False,
    tall: int = 2000,
    foot: int = 12,
    formulas: int = 0,
    part: float = 1.0,
    least: int = 240,
    within: str = "",
    differing: Sequence[int] = (),
    link: Mapping[str, Any] | None = None,
    predict: bool = False,
    outdated: bool = False,
    question: QuestionPicture | None = None,
    hidden: str = "",
    wall: Wall | None = None,
    arrange: Callable[[str], None] | None = None,
    choose: Callable[[str], None] | None = None,
    turn_prediction: Callable[[str], None] | None = None,
) -> str | None:
    """Put the player on the page.

    Args:
        drawn: from :func:`picture`.
        key: a component with the same key keeps its moment when the page runs again.
        bare: show only the controls that play it.
        tall: the greatest height in pixels.
        foot: pixels at the window's foot that something else covers.
        formulas: pixels of the formulas of pinned cells below it, which an answer brings: the stage
            leaves room for them unless its cells would be small.
        part: the largest share of a phone's window that the stage takes.
        least: a stage that would have less of the window's height, in pixels, below what is above
            it has all of the window, and is scrolled to.
        within: a selector of the element around it that leaves room for a question on a phone.
        differing: flat indices of output elements to mark.
        link: from :func:`link_of`; the player then keeps its own parameters in the address.
        predict: hide the output and ask for it first.
        outdated: the picture is not of the settings on the page: it is dimmed, and nobody can use
            or hear it.
        question: that the page asks beside the picture.
        hidden: until it is answered, what may be seen, in words.
        wall: for a stage for a room: large, without buttons.
        arrange: called with a requested arrangement of planes, such as ``"1:across"``.
        choose: called with the number of a call of the chain that is to be on the stage.
        turn_prediction: called when a phone's switch beside Play turns Predict first on or off.

    Returns:
        The address's parameters if the reader has just asked to share it; otherwise None.
    """
    serialized = packed(drawn, question)
    if differing:
        serialized = _as_json({**payload(drawn), "differing": [int(i) for i in differing]})
    opened = link["opened"] if link else 0
    asked = _predictions(drawn) if predict else None
    waits = question is not None and not question.answered
    if question is not None and waits:
        asked = {
            "hides": question.hides,
            "cells": [{"cell": question.marked}],
            "words": {"title": _("Output"), "hidden": hidden},
        }
    answered = _component(
        key,
        f"{_identity(drawn, differing)}-{opened}{'-predict' * predict}{'-question' * waits}",
        serialized,
        wall,
        outdated=outdated,
        arrange=arrange,
        choose=choose,
        turn_prediction=turn_prediction,
        link=dict(link) if link else None,
        options={
            "bare": bare,
            "keys": not bare,
            "tall": tall,
            "foot": foot,
            "formulas": formulas,
            "part": part,
            "least": least,
            "within": within,
            "predict": asked,
            "predicts": _("Predict first") if turn_prediction else None,
        },
    )
    search = answered.share
    return search if isinstance(search, str) else None


def show_still(wall: Wall, key: str) -> None:
    """Put a wall without a player on the page: a still picture, or none."""
    # there is nothing to draw; send only the language
    _component(key, f"{locale()}-still", _as_json({"language": language()}), wall)


def _component(
    key: str,
    identity: str,
    serialized: str,
    wall: Wall | None,
    *,
    outdated: bool = False,
    arrange: Callable[[str], None] | None = None,
    choose: Callable[[str], None] | None = None,
    turn_prediction: Callable[[str], None] | None = None,
    link: dict[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Any:
    """Draw the player's component; a new identity is drawn from scratch.

    Args:
        key: of the component.
        identity: of what is shown.
        serialized: what the player draws, in its serialized form.
        wall: what a stage for a room has besides its picture.
        outdated, arrange, choose, turn_prediction, link: as of :func:`show`.
        options: of the player.
    """
    # its style is the page's, so that it is not sent with every picture
    component = st.components.v2.component("dmlviz_player", js=loader(), isolate_styles=False)
    if wall:
        identity += f"-{hashlib.sha256(_as_json(dict(wall.content)).encode()).hexdigest()[:16]}"
    return component(
        key=key,
        data={
            "identity": identity,
            "outdated": outdated,
            "plotly": plotly_address(),
            "player": player_address(),
            "failed": _("The player could not be loaded from the server:"),
            # strings, because Streamlit looks for tables in mappings; the payload is serialized
            # once for everybody
            "options": _as_json(
                {**(options or {}), "link": link, "present": wall.content if wall else None}
            ),
            "payload": serialized,
            "code": wall.code if wall else None,
        },
        on_share_change=_nothing,
        on_arrange_change=lambda: _take(key, "arrange", arrange),
        on_call_change=lambda: _take(key, "call", choose),
        on_predict_change=lambda: _take(key, "predict", turn_prediction),
        on_present_change=lambda: _present(key, wall),
        on_scan_change=lambda: wall.scan(_sent_parameters(key, "scan")) if wall else None,
        on_turn_change=lambda: wall.turn(_sent_parameters(key, "turn")) if wall else None,
    )


def call_of(drawn: Scene, asked: str) -> int | None:
    """The call of a chain that a reader chooses on its strip, 0 for all; None if there is none.

    Args:
        drawn: what the stage shows.
        asked: what the browser sends.
    """
    calls = {str(tensor.call): tensor.call for tensor in drawn.strip.tensors} if drawn.strip else {}
    return {"0": 0, **calls}.get(asked)


def link_of(
    page: str, opened: int, view: View, outputs: Mapping[str, DrawnSizes]
) -> dict[str, Any]:
    """What the player needs to keep its parameters in the address.

    Args:
        page: the operator's key.
        opened: how many links were opened on the page; a new number means a new view.
        view: the view of the newest link.
        outputs: the sizes of every output by name, for finding pinned elements.
    """
    looks = view.look(outputs)
    return {"page": page, "opened": opened, "writes": True, "shares": True, "view": looks}


def _present(key: str, wall: Wall | None) -> None:
    """Switch the view for a room, whichever fragment contains the player."""
    (wall.leave if wall else toggle_present)(_sent_parameters(key, "present"))
    st.rerun()


def _take(key: str, name: str, take: Callable[[str], None] | None) -> None:
    """Take what the player at ``key`` asks for, and run the page again."""
    if take is not None:
        take(_sent_parameters(key, name))
        st.rerun()


def _sent_parameters(key: str, name: str) -> str:
    """The browser's parameters of the address that the player at ``key`` has just sent."""
    # a browser may send the event without the player's key
    return str(st.session_state.get(key, {}).get(name) or "")


def _nothing() -> None:
    """Do nothing; Streamlit reports a trigger only if it has a callback."""


@cached(megabytes=32, key=lambda drawn, question=None: (drawn.digest, question))
def packed(drawn: Scene, question: QuestionPicture | None = None) -> str:
    """The player's data in serialized form.

    Args:
        drawn: from :func:`picture`.
        question: that the page asks beside it.
    """
    return _as_json(payload(drawn) if question is None else question_payload(drawn, question))


@cached(megabytes=8, key=lambda drawn: drawn.digest)
def _predictions(drawn: Scene) -> dict[str, Any]:
    return predictions(drawn).as_json


def _as_json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _identity(drawn: Scene, differing: Sequence[int]) -> str:
    parts = (locale(), drawn.digest, [int(i) for i in differing])
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


# ---- two on one stage


def show_both(
    a: Scene,
    b: Scene,
    key: str,
    link: Mapping[str, Any],
    wall: Wall | None = None,
    *,
    outdated: bool = False,
    verdict: str | None = None,
    **room: Any,
) -> str | None:
    """Draw both outputs on one stage; mark cells that differ, and write the verdict below.

    Args:
        a, b, key, link, wall, outdated, room: as of :func:`dmlviz.app.stage.show`, whose result
            this is.
        verdict: what is written below; None for the first difference.
    """
    search = show(compared(a, b), key=key, link=link, wall=wall, outdated=outdated, **room)
    # people in a room find the difference themselves
    if wall is None and not outdated:
        sentence = difference(a, b) if verdict is None else verdict
        if sentence:
            st.markdown(sentence)
    return search


def outputs_on_stage(a: Scene, b: Scene | None) -> dict[str, DrawnSizes]:
    """The sizes of all outputs on the stage, by the names shown there."""
    return sizes_on_stage(a.trace, None if b is None else b.trace)
