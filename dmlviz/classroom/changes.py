"""Turns a teacher's request into a change of the class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dmlviz.classroom import phases
from dmlviz.classroom.guard import flag, whole
from dmlviz.classroom.phases import Class
from dmlviz.classroom.polls import MOST_POLLS
from dmlviz.classroom.refusals import Invalid, NotNow, Stale
from dmlviz.classroom.store import MOST_DEVICES
from dmlviz.words import _

Change = Callable[[Class, int], Class]

_MOST_VERSION = 2**31 - 2
_ACTIONS = ("to", "paused", "seconds", "bars", "step", "locked", "per_address")


def asked_change(body: dict[str, Any]) -> Change:
    """The change that a body asks for: exactly one of ``to`` (with ``number``), ``paused``,
    ``seconds``, ``bars``, ``step``, ``locked`` and ``per_address``, at a ``version``.

    Raises:
        Invalid: it asks for no change, for several, or for an unknown one.
    """
    version = whole(body, "version", 0, _MOST_VERSION)
    asked = [name for name in _ACTIONS if name in body]
    if len(asked) != 1:
        raise Invalid(_("Exactly one of {names} is needed.").format(names=", ".join(_ACTIONS)))
    change = _change(asked[0], body)

    def at_version(current: Class, now: int) -> Class:
        if current.version != version:
            raise Stale
        return change(current, now)

    return at_version


def _change(name: str, body: dict[str, Any]) -> Change:
    if name == "paused":
        paused = flag(body, name)
        return lambda current, now: phases.pause(current, paused, now)
    if name == "bars":
        bars = flag(body, name)
        return lambda current, now: phases.show(current, now, bars=bars)
    if name == "step":
        step = whole(body, name, phases.FREE, phases.MOST_STEP)
        return lambda current, now: phases.show(current, now, step=step)
    if name == "locked":
        locked = flag(body, name)
        return lambda current, now: phases.admit(current, locked=locked)
    if name == "per_address":
        most = whole(body, name, 1, MOST_DEVICES)
        return lambda current, now: phases.admit(current, per_address=most)
    if name == "seconds":
        seconds = whole(body, name, 0, phases.MOST_SECONDS)
        return lambda current, now: phases.set_clock(current, seconds, now)
    to = body[name]
    if to not in phases.PHASES:
        raise NotNow
    number = whole(body, "number", 0, MOST_POLLS) if "number" in body else None
    return lambda current, now: phases.move(current, to, now, number=number)
