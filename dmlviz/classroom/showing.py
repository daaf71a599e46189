"""A question's picture before it is answered, the movement that answers it, and their routes.

A picture shows the inputs. It shows at most empty places of the output, and not even these
if the question may be about the output's sizes.

``GET /class/{code}/picture?number=&dark=&width=&tall=`` by a device that has joined, the wall or
    the teacher: ``{svg, width, height, font, words, cells, tapped}``, see
    :func:`dmlviz.classroom.showing.question_picture`. ``number`` is the current question or
    an earlier one, or at its own pace any up to the device's first one without an answer, else
    403 ``not_shown``; the teacher can see any. ``dark`` is 0 or 1; ``width``
    is 256, 320, 360, 640, 960 or 1280 pixels, by default 360; ``tall`` is the height of its room,
    160, 200, 250, 320, 400, 500 or 640 pixels, by default 0: any. 404 ``no_picture``.
``GET /class/{code}/movement?number=``: the player's payload, see
    :func:`dmlviz.classroom.showing.question_movement`, only for the current question
    after its reveal, or of a question that the device has answered at its own pace, else 403
    ``not_shown``; the teacher can see any.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from itertools import islice
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from dmlviz.base.cache import cached
from dmlviz.base.deferred import regex
from dmlviz.base.errors import Error
from dmlviz.base.words import _, locale
from dmlviz.classroom.asking import device_of, token_of
from dmlviz.classroom.codes import hashed, read_code
from dmlviz.classroom.phase_table import JOIN
from dmlviz.classroom.phases import Class
from dmlviz.classroom.polls import Poll
from dmlviz.classroom.refusals import (
    ClassRefusal,
    Invalid,
    NoClass,
    NoPicture,
    NotJoined,
    NotRevealed,
    NotYours,
    PicturesBusy,
    TooFast,
)
from dmlviz.classroom.service import Service
from dmlviz.classroom.store import Member, now
from dmlviz.picture.board import Board, board
from dmlviz.picture.compared import compared
from dmlviz.picture.exports import inputs_font, inputs_svg, spoken, svg_size, tensors_svg
from dmlviz.picture.marks import heads
from dmlviz.picture.palettes import DARK, LIGHT
from dmlviz.picture.payload import payload
from dmlviz.picture.scene import Scene
from dmlviz.states.pages import AnyState, read_any_link, refusals_of
from dmlviz.teaching.answer_inputs import SIZES_TYPED
from dmlviz.teaching.answers import ALL, CELLS, NOTHING
from dmlviz.tensors import element_count
from dmlviz.tensors.numbering import print_cell, sizes_by_name

HEIGHTS = (160, 200, 250, 320, 400, 500, 640)
"""The heights of a room in pixels that a picture can be drawn for."""

WIDTHS = (256, 320, 360, 640, 960, 1280)
"""The widths of a picture in pixels: three for phones and three for a wall."""

PHONE = 360
"""The width in pixels of most phones' pictures."""

_READABLE = 9
"""The size in pixels of the smallest number that can be read."""

_TAPPED = {250: 40, 320: 36, 400: 32, 500: 28, 640: 24}
"""For rooms of a phone in which words have their full size, the least pixels of a tapped cell."""

_ELEMENT = regex(r"\w+(?:\[\d+\])?\[\d+(?:, \d+)*\]")


@cached(megabytes=5)
def question_picture(poll: Poll, dark: bool, width: int, tall: int = 0) -> bytes:
    """The picture of a question as JSON, compressed with gzip.

    ``{svg, width, height, font, words, cells, tapped}``: the drawing and its size in pixels; the
    size of its numbers in pixels, 0 if that is not known; what it shows in words; and, where a
    place is the answer, the squares of the elements of each tensor that can be tapped, by name and
    in order, each ``[left, top, width, height]`` in the drawing's units, and these tensors' titles.

    Args:
        poll: the question.
        dark: a dark background.
        width: one of :data:`WIDTHS`; the drawing is wider where its numbers need that, and never
            narrower than :data:`PHONE`: on a small phone it has larger numbers instead.
        tall: one of :data:`HEIGHTS`, or 0 for any height; the drawing is higher where its numbers
            need that.

    Raises:
        NoPicture: the question has no state, its state has no inputs, they are too large for a
            stage, or they would give the answer away.
    """
    if poll.hides == ALL:
        raise NoPicture
    state = _state(poll)
    try:
        inputs = state.inputs()
    except Error:
        raise NoPicture from None
    # on a small phone words have their usual size, and the page makes all of it smaller
    least = _READABLE * max(width, PHONE) / width
    width = max(width, PHONE)
    words = [spoken(state.input_title or name, x) for name, x in inputs.items()]
    drawn = None if poll.input is SIZES_TYPED else _scene(state)
    asked = () if drawn is None else _elements_in_question(poll, state, drawn)
    cells: dict[str, list[list[int]]] = {}
    tapped: list[str] = []
    font = 0.0
    whole, cell = poll.hides == NOTHING, bool(poll.tensors)
    grids = poll.compares and poll.hides == CELLS
    if drawn is not None and (asked or whole or grids or cell):
        named = cell or bool(_ELEMENT.search(poll.prompt))
        fitting = _tappable(drawn, width) if cell and not tall else None
        width, room = fitting or _legible(drawn, width, tall, named, least)
        font = board(drawn, dark, width, tall=room).at.font
        drawing = tensors_svg(drawn, landed=whole, asked=asked, dark=dark, width=width, tall=room)
        # the page provides the background
        paper = (DARK if dark else LIGHT).paper
        drawing = drawing.replace(f'fill="{paper}"', 'fill="none"', 1)
        if whole:
            outputs = drawn.outputs
            one = len(outputs) == 1
            words += [spoken(_("Output") if one else name, x) for name, x in outputs.items()]
        if cell:
            cells = _cells(poll, drawn, width, room)
            titled = zip(drawn.input.tensors, heads(drawn), strict=False)
            tapped = [head.name for tensor, head in titled if tensor.name in cells]
    elif cell:
        raise NoPicture
    else:
        drawing, font = _inputs_alone(poll, state, dark, width, tall, least)
    wide, high = svg_size(drawing)
    payload = {"svg": drawing, "width": wide, "height": high, "font": font}
    return _packed({**payload, "words": " ".join(words), "cells": cells, "tapped": tapped})


@cached(megabytes=6)
def question_movement(poll: Poll) -> bytes:
    """The player's payload for the reveal of a question, as JSON compressed with gzip.

    ``asked`` in it are the numbers of the output elements that the question is about.

    Raises:
        NoPicture: the question has no state, its state is refused, or it is too large for a stage.
    """
    state = _state(poll)
    drawn = _scene(state)
    if drawn is None:
        raise NoPicture
    sized = poll.input is SIZES_TYPED
    asked = () if sized else _elements_in_question(poll, state, drawn, answered=True)
    return _packed({**payload(drawn), "asked": asked})


def _state(poll: Poll) -> AnyState:
    state = read_any_link(poll.link).state if poll.link else None
    if state is None:
        raise NoPicture
    return state


def _scene(state: AnyState) -> Scene | None:
    """The scene of a state, or of both settings that it compares.

    None if it is refused or too large for a stage.
    """
    try:
        # this also refuses a data type that the link's feature level does not support
        if refusals_of(state):
            return None
        drawn, *others = state.scenes()
        return compared(drawn, *others) if others else drawn
    except Error:
        return None


def _elements_in_question(
    poll: Poll, state: AnyState, drawn: Scene, *, answered: bool = False
) -> tuple[int, ...]:
    """The numbers of the output elements that the question is about, one in each run.

    The prompt names it, as in ``out[0, 1]``, or by the name that code gives the output; otherwise
    it is the first element that the link pins, or all of them if two runs are compared, unless the
    choices may be sizes: the empty places around a pinned element would reveal them. Once it is
    ``answered``, a pin among choices is what they are about, if it is the only one.
    """
    named = set(_ELEMENT.findall(poll.prompt))
    if asked := tuple(_named(named, drawn)) if named else ():
        # the empty places of both runs may have the sizes that are asked for
        return asked if not poll.compares or poll.hides == CELLS else ()
    about = poll.hides == CELLS if poll.compares else answered and len(state.view.pinned) == 1
    if poll.choices and not about:
        return ()
    pinned = state.view.look(sizes_by_name(drawn.outputs))["pinned"]
    return tuple(pinned if poll.compares else pinned[:1])


def _inputs_alone(
    poll: Poll, state: AnyState, dark: bool, width: int, tall: int, least: float
) -> tuple[str, float]:
    """The inputs without the output, and the size of their numbers, which may make it higher."""
    inputs = state.inputs()
    if state.is_large:
        # of a large tensor the part on the stage
        excerpt = _scene(state)
        if excerpt is None:
            raise NoPicture
        inputs = dict(excerpt.trace.inputs)
    runs = ("A", "B") if poll.compares else ("",)
    drawn: dict[str, Any] = {"width": width, "title": state.input_title, "runs": runs}
    rooms = [each for each in HEIGHTS if each >= tall] if tall else [0]
    for room in rooms:
        if (font := inputs_font(inputs, tall=room, **drawn)) >= least:
            break
    else:
        # many cells are a picture, which is seen whole
        room, font = tall, 0.0
    return inputs_svg(inputs, dark=dark, tall=room, controls=state.controls(), **drawn), font


def _named(names: Collection[str], drawn: Scene) -> Iterator[int]:
    """The first output element of each run that has one of these names, counted across all."""
    before = 0
    for each in drawn.runs.values():
        sizes = sum(x.size for x in each.outputs.values())
        called = ("out", next(iter(each.outputs)))
        named = (
            n
            for n in range(sizes)
            if any(print_cell(n, each.outputs, alone) in names for alone in called)
        )
        yield from (before + number for number in islice(named, 1))
        before += sizes


def _cells(poll: Poll, drawn: Scene, width: int, tall: int | None) -> dict[str, list[list[int]]]:
    of = board(drawn, False, width, tall=tall)
    (wide, high), shift = of.square, of.at.gap // 2
    sides = ((drawn.input, of.input), (drawn.output, of.output))
    boxes = {
        tensor.name: [
            [x + shift, y + shift, wide, high]
            for x, y in zip(
                squares.x[tensor.first : tensor.first + tensor.count].tolist(),
                squares.y[tensor.first : tensor.first + tensor.count].tolist(),
                strict=True,
            )
        ]
        for side, squares in sides
        for tensor in side.tensors
    }
    asked = {tensor.name: element_count(tensor.sizes) for tensor in poll.tensors}
    if any(len(boxes.get(name, ())) != count for name, count in asked.items()):
        raise NoPicture
    return {name: boxes[name] for name in asked}


def _legible(
    drawn: Scene, width: int, tall: int, named: bool, least: float
) -> tuple[int, int | None]:
    """The least width and room, from these on, at which cells have room for numbers.

    Where an element is named, there are also indices to find it by, if any size has room for them.
    The numbers have the least size, in pixels, if there is a room of this width for such ones.
    """
    rooms = [*(each for each in HEIGHTS if tall and each >= tall), None]
    wider = [(w, None) for w in WIDTHS if w > width]
    legible = None
    for font in sorted({least, _READABLE}, reverse=True):
        for w, room in [*((width, each) for each in rooms), *wider * (font == _READABLE)]:
            drawing = board(drawn, False, w, tall=room)
            if drawing.at.font < font or (font > _READABLE and drawing.at.width > width):
                continue
            if not named or _has_indices(drawing):
                return w, room
            legible = legible or (w, room)
    return legible or (width, None)


def _tappable(drawn: Scene, width: int) -> tuple[int, int] | None:
    """The lowest room with indices beside cells for a finger, if there is one."""
    for room, least in _TAPPED.items():
        drawing = board(drawn, False, width, tall=room)
        at = drawing.at
        fits = max(at.width - width, at.height - room) <= 0
        if at.font and min(at.cell) >= least and fits and _has_indices(drawing):
            return width, room
    return None


def _has_indices(drawing: Board) -> bool:
    return any(line.text.isdecimal() for line in drawing.lines)


def _packed(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return gzip.compress(text.encode(), 6, mtime=0)


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
                make = partial(question_picture, poll, False, PHONE)
                with contextlib.suppress(ClassRefusal):
                    await self._making.made(("picture", *make.args), make)

    async def picture(self, request: Request) -> Response:
        """The picture of a question."""
        current, role, member = await self._asker(request)
        number = _number(request, current)
        dark = _whole(request, "dark", 0) == 1
        width = _whole(request, "width", PHONE)
        if width not in WIDTHS:
            raise _not("width", WIDTHS)
        tall = _whole(request, "tall", 0)
        if tall not in (0, *HEIGHTS):
            raise _not("tall", (0, *HEIGHTS))
        here = current.at(now())
        early = here.phase == JOIN or (not here.kind.self_paced and number > here.number)
        if member is not None and here.kind.self_paced:
            early = number > here.furthest(member.answers)
        if early and role != "teacher":
            raise NotRevealed
        make = partial(question_picture, current.polls[number], dark, width, tall)
        return _answer(request, await self._making.made(("picture", *make.args), make))

    async def movement(self, request: Request) -> Response:
        """The player's payload."""
        current, role, member = await self._asker(request)
        number = _number(request, current)
        here = current.at(now())
        revealed = number == here.number and here.kind.answers
        if member is not None and here.kind.self_paced:
            revealed = number in member.answers
        if role != "teacher" and not revealed:
            raise NotRevealed
        make = partial(question_movement, current.polls[number])
        return _answer(request, await self._making.made(("movement", *make.args), make))

    async def _asker(self, request: Request) -> tuple[Class, str, Member | None]:
        """The class, the asker's role (learner, wall or teacher), and the learner's device."""
        code = read_code(request.path_params["code"])
        if code is None:
            raise NoClass
        token, device, role = token_of(request), device_of(request), "learner"
        if not self._limits.device.take(hashed(token or device)):
            raise TooFast
        member = None
        # do not reveal whether the code exists
        try:
            if token:
                role = await run_in_threadpool(self._store.role, code, token)
            current, member = await run_in_threadpool(self._store.find_member, code, device)
        except NoClass:
            raise NotYours if token else NotJoined from None
        if not role:
            raise NotYours
        if role == "learner" and member is None:
            raise NotJoined
        if current.expires <= now():
            raise NoClass
        return current, role, member if role == "learner" else None


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
        task_key = (locale(), key)
        task = self._tasks.get(task_key)
        if task is None:
            if len(self._tasks) >= MOST_WAITING + _AT_ONCE:
                raise PicturesBusy
            # the language is the request's
            run = partial(copy_context().run, make)
            task = asyncio.get_running_loop().run_in_executor(self._threads, run)
            self._tasks[task_key] = task
            task.add_done_callback(lambda _task: self._tasks.pop(task_key, None))
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
