"""The routes of a question's picture and movement.

``GET /class/{code}/picture?number=&dark=&width=`` by a device that has joined, the wall or the
    teacher: ``{svg, width, height, words, cells}``, see
    :func:`dmlviz.classroom.pictures.question_picture`. ``number`` is the current question or
    an earlier one, or at its own pace any up to the device's first one without an answer, else
    403 ``not_shown``; the teacher can see any. ``dark`` is 0 or 1; ``width``
    is 360, 640, 960 or 1280 pixels, by default 360. 404 ``no_picture``.
``GET /class/{code}/movement?number=``: the player's payload, only for the current question
    after its reveal, or of a question that the device has answered at its own pace, else 403
    ``not_shown``; the teacher can see any.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from dmlviz.classroom.asking import device_of, token_of
from dmlviz.classroom.codes import hashed, read_code
from dmlviz.classroom.phases import ALONE, Class
from dmlviz.classroom.pictures import WIDTHS, question_movement, question_picture
from dmlviz.classroom.refusals import (
    ClassRefusal,
    Invalid,
    NoClass,
    NotJoined,
    NotRevealed,
    NotYours,
    PicturesBusy,
    TooFast,
)
from dmlviz.classroom.service import Service
from dmlviz.classroom.store import now
from dmlviz.words import _, locale


class Showing:
    """Answers these routes."""

    def __init__(self, service: Service) -> None:
        self._store, self._limits = service.store, service.limits
        self._making = _Making()
        self._preparing = asyncio.Lock()
        self._prepared: dict[str, asyncio.Task[None]] = {}

    def prepare(self, current: Class) -> None:
        """Begin to make the pictures that phones will ask for all at once, if nobody has yet.

        One class after another and one picture at a time, so that requests go first.
        """
        if current.code not in self._prepared:
            task = asyncio.create_task(self._prepare(current))
            self._prepared[current.code] = task
            task.add_done_callback(lambda _task: self._prepared.pop(current.code, None))

    async def _prepare(self, current: Class) -> None:
        async with self._preparing:
            for poll in current.polls[current.number :]:
                make = partial(question_picture, poll, False, WIDTHS[0])
                with contextlib.suppress(ClassRefusal):
                    await self._making.made(("picture", *make.args), make)

    async def picture(self, request: Request) -> Response:
        """The picture of a question."""
        current, role = await self._asker(request)
        number = _number(request, current)
        dark = _whole(request, "dark", 0) == 1
        width = _whole(request, "width", WIDTHS[0])
        if width not in WIDTHS:
            raise _not("width", WIDTHS)
        here = current.at(now())
        early = here.phase == "join" or (here.phase != ALONE and number > here.number)
        if role == "learner" and here.phase == ALONE:
            # a later question may show the answer to an earlier one about the same state
            member = await run_in_threadpool(self._store.member, here.code, device_of(request))
            early = member is None or any(each not in member.alone for each in range(number))
        if early and role != "teacher":
            raise NotRevealed
        make = partial(question_picture, current.polls[number], dark, width)
        return _answer(request, await self._making.made(("picture", *make.args), make))

    async def movement(self, request: Request) -> Response:
        """The player's payload."""
        current, role = await self._asker(request)
        number = _number(request, current)
        here = current.at(now())
        revealed = number == here.number and here.phase in ("reveal", "over")
        if role == "learner" and here.phase == ALONE:
            member = await run_in_threadpool(self._store.member, here.code, device_of(request))
            revealed = member is not None and number in member.alone
        if role != "teacher" and not revealed:
            raise NotRevealed
        make = partial(question_movement, current.polls[number])
        return _answer(request, await self._making.made(("movement", *make.args), make))

    async def _asker(self, request: Request) -> tuple[Class, str]:
        """The class and the asker's role: learner, wall or teacher."""
        code = read_code(request.path_params["code"])
        if code is None:
            raise NoClass
        token, device, role = token_of(request), device_of(request), "learner"
        if not self._limits.device.take(hashed(token or device)):
            raise TooFast
        if token:
            try:
                role = await run_in_threadpool(self._store.role, code, token)
            except NoClass:
                # do not reveal whether the code exists
                role = ""
            if not role:
                raise NotYours
        elif not device or await run_in_threadpool(self._store.member, code, device) is None:
            raise NotJoined
        current = await run_in_threadpool(self._store.find, code)
        if current.expires <= now():
            raise NoClass
        return current, role


MOST_WAITING = 32
"""The most pictures and movements that wait to be made in one process."""

_AT_ONCE = 2  # they are Python's work, which more threads would not speed up


class _Making:
    """Computes a result that a whole class requests at the same time once.

    It has threads of its own, so that joins and votes never wait for pictures.
    """

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Future[bytes]] = {}
        self._threads = ThreadPoolExecutor(_AT_ONCE, "class-pictures")

    def made(self, key: Hashable, make: Callable[[], bytes]) -> Awaitable[bytes]:
        """The result.

        Raises:
            PicturesBusy: too many others wait already.
        """
        told = (locale(), key)
        task = self._tasks.get(told)
        if task is None:
            if len(self._tasks) >= MOST_WAITING + _AT_ONCE:
                raise PicturesBusy
            # the language is the request's
            run = partial(copy_context().run, make)
            task = asyncio.get_running_loop().run_in_executor(self._threads, run)
            self._tasks[told] = task
            task.add_done_callback(lambda _task: self._tasks.pop(told, None))
        # one asker who leaves must not cancel it for the others
        return asyncio.shield(task)


def _number(request: Request, current: Class) -> int:
    number = _whole(request, "number", current.number)
    if not 0 <= number < len(current.polls):
        raise _not("number", (0, len(current.polls) - 1))
    return number


def _whole(request: Request, name: str, usual: int) -> int:
    text = request.query_params.get(name, str(usual))
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise _not(name, (usual,))
    return int(text)


def _not(name: str, known: tuple[int, ...]) -> Invalid:
    sentence = _("{field}: not an available one, such as {example}.")
    return Invalid(sentence.format(field=name, example=", ".join(map(str, known))))


def _answer(request: Request, packed: bytes) -> Response:
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        packed = gzip.decompress(packed)
    return Response(packed, headers=headers, media_type="application/json")
