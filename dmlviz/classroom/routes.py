"""The routes of live classes, which the pages of learners, teachers and walls use.

All bodies and answers are JSON (``Content-Type: application/json`` is required of every POST),
sent from the app's own pages.  A refusal is ``{"error": key, "message": sentence}`` with status
400 and up; ``message`` is in the language of ``?language=`` or of the browser.  After 503
or no answer, send the same request again; a vote keeps its ``seq``.

``POST /class`` ``{questions, title?, seconds?, options?}``: open a class. 201
    ``{code, teacher, wall, expires_ms}``: the tokens are secret and sent only here.
    A question is ``{key, kind, prompt, choices: [{text, misconception?}], answer, link,
    tensors?: [{name, sizes}], misconceptions?: [[answer, words]], hides?, told?,
    following?, repeat?, translations?}``, see :mod:`dmlviz.classroom.polls`; ``options`` are
    those of :mod:`dmlviz.classroom.phases`. All other routes have the texts of questions in the
    language of the request, where they are translated.
``POST /class/{code}/join`` ``{nickname?, question?}``: join, or get the state again:
    ``{...place, question, mine: {lost, nickname, vote: {answer, seq} or null,
    first}}``; ``first`` is the answer in the first round while a later one is on. A cookie
    identifies the device. In the phase ``alone``, ``number`` and ``question`` are the device's:
    the question it wants, or its first one without an answer, or if it has answered all, the first
    one with a wrong one; ``answers`` are those it has given, in the class or at its own pace, by
    number. 409 ``no_nicknames``.
``GET /class/{code}/events``: server-sent events for the teacher, the wall, or a device that
    has joined. ``event: state`` contains *place*: ``{code, title, version, phase, number,
    questions, round, open, paused, left_ms, step, invites, options, layout, self_paced, note,
    role}``; ``layout``, ``self_paced`` and ``note`` are all that pages need to know of a phase, see
    :mod:`dmlviz.classroom.phase_table`. It contains ``question`` if it differs from the last one
    sent or now has its answer; the wall and the teacher also get ``counts``, ``can`` and
    ``actions: [{label, change, main, plays?, reopens?, key?}]``, whose ``change`` goes to
    ``phase``, and the teacher ``refused``: the key of a refusal -> how many joins were refused so.
    The last event is ``gone`` if the class was deleted or has expired, ``removed`` if the teacher
    removed the device, and ``replaced`` if a newer stream of the device or token took its place.
``POST /class/{code}/vote`` ``{question, round, seq, answer}``: 200 ``{stored: {answer, seq}}`` once
    it is stored. ``question`` is *place*'s ``number``. Of two answers, the one with the
    higher ``seq`` is kept; continue after ``mine.vote.seq``. 409 ``closed``, 400 ``invalid``.
    In the phase ``alone``, ``round`` is 0, ``question`` any without an answer in the class, the
    first answer is kept, and the response has the state that ``join`` gives, too.
``POST /class/{code}/lost`` ``{lost}``: set or clear "I am lost" at this question.
``POST /class/{code}/phase`` by the teacher, ``{version, to, number?}``, ``{version, paused}``,
    ``{version, seconds}``, ``{version, more}`` (seconds), ``{version, bars}``,
    ``{version, invites}``, ``{version, step}``, ``{version, locked}``, ``{version, per_address}``
    or ``{version, options}``: 200 *place*. 409 ``stale`` if the class has another version, so
    that a second press of a key does nothing.
``POST /class/{code}/remove`` by the teacher, ``{origin, first, last}`` of a burst in
    ``counts.door.bursts``, or ``{device}`` of a person in ``counts.people``: remove these devices
    and their votes. 200 ``{removed: n}``
``POST /class/{code}/hide`` by the teacher, ``{question, device}``: erase a sentence of
    ``counts.sentences``, which were written with the ``round`` -1. 200 ``{hidden: n}``
``GET /class/{code}/results`` by the teacher, also after the class has expired:
    ``{...place, rows, opened_ms, joined, kept_ms}``; ``?format=csv`` as a file with a line for
    each question, ``?format=answers`` with a line for each answer. ``opened_ms`` is how long ago
    the class was opened, ``kept_ms`` how long it is kept.
``GET /class/{code}/picture``, ``GET /class/{code}/movement``: of a question, see
    :mod:`dmlviz.classroom.showing`.
``DELETE /class/{code}`` by the teacher: delete all data of the class.

The token of the teacher or the wall goes into ``Authorization: Bearer``, never into an address.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from dmlviz.base.words import language
from dmlviz.classroom import views
from dmlviz.classroom.asking import (
    MOST_CLASS,
    Handler,
    IsOwn,
    address_of,
    answering,
    device_of,
    json_response,
    keep_device,
    nothing_here,
    token_of,
)
from dmlviz.classroom.bodies import (
    Change,
    Hiding,
    Joining,
    Losing,
    Opening,
    Removing,
    Voting,
    read_body,
    read_nickname,
)
from dmlviz.classroom.codes import hashed, new_token, read_code
from dmlviz.classroom.phase_table import ALONE_ROUND
from dmlviz.classroom.phases import Class
from dmlviz.classroom.polls import read_polls
from dmlviz.classroom.refusals import (
    ClassRefusal,
    JoinsTooFast,
    NoClass,
    NotJoined,
    NotYours,
    OpensTooFast,
    TooFast,
)
from dmlviz.classroom.report import answers_csv, as_csv, report
from dmlviz.classroom.service import Service, stored
from dmlviz.classroom.showing import Showing
from dmlviz.classroom.store import HOURS, Ballot, Member, now

_ANY = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def refusing_routes(base: str, refusal: ClassRefusal, is_own: IsOwn) -> Sequence[BaseRoute]:
    """Routes that answer every request to a class with a refusal.

    Args:
        base, is_own: as in :func:`class_routes`.
        refusal: why there are no classes.
    """

    async def refuse(_request: Request) -> Response:
        raise refusal

    return [Route(f"{base}/class/{{path:path}}", answering(is_own)(refuse), methods=_ANY)]


def class_routes(base: str, service: Service, is_own: IsOwn) -> Sequence[BaseRoute]:
    """All routes of classes; the last one answers 404.

    Args:
        base: the prefix of their addresses: ``""`` or ``"/prefix"``.
        service: of this process.
        is_own: called with an origin and the request's host: whether the origin is the app's own.
    """
    showing = Showing(service)
    desk = _Desk(base, service, showing)
    around = answering(is_own)

    def route(path: str, handler: Handler, *methods: str) -> Route:
        return Route(f"{base}/class{path}", around(handler), methods=methods)

    return [
        route("", desk.open_class, "POST"),
        route("/{code}/join", desk.join, "POST"),
        route("/{code}/events", desk.events, "GET"),
        route("/{code}/vote", desk.vote, "POST"),
        route("/{code}/lost", desk.lost, "POST"),
        route("/{code}/phase", desk.phase, "POST"),
        route("/{code}/remove", desk.remove, "POST"),
        route("/{code}/hide", desk.hide, "POST"),
        route("/{code}/results", desk.results, "GET"),
        route("/{code}/picture", showing.picture, "GET"),
        route("/{code}/movement", showing.movement, "GET"),
        route("/{code}", desk.delete, "DELETE"),
        route("", nothing_here, *_ANY),
        route("/{rest:path}", nothing_here, *_ANY),
    ]


class _Desk:
    def __init__(self, base: str, service: Service, showing: Showing) -> None:
        self.base, self.service, self.showing = base, service, showing
        self.store, self.hub, self.limits = service.store, service.hub, service.limits

    async def open_class(self, request: Request) -> Response:
        address = address_of(request)
        if not self.limits.opened.take(address):
            raise OpensTooFast
        body = await read_body(request, Opening, MOST_CLASS)
        polls = await run_in_threadpool(read_polls, body.questions)
        opened = await stored(
            self.store.open_class(polls, body.title, body.seconds, address, body.options)
        )
        secrets = {"code": opened.code, "teacher": opened.teacher, "wall": opened.wall}
        return json_response({**secrets, "expires_ms": opened.expires - now()}, 201)

    async def join(self, request: Request) -> Response:
        code, device, address = _code(request), device_of(request), address_of(request)
        body = await read_body(request, Joining)
        current, member = await self._find(code, device) if device else (None, None)
        if member is None:
            device = new_token()
            try:
                # an unknown code must not cost a write
                if current is None and not self.hub.has(code):
                    await run_in_threadpool(self.store.find, code)
                current = await self._admit(code, device, address)
            except NoClass:
                self.limits.has_failed(address)
                raise
            member = Member()
        elif not self.limits.device.take(hashed(device)):
            raise TooFast
        if body.nickname is not UNSET:
            await stored(self.store.call(code, device, read_nickname(body.nickname)))
            current, member = await self._find(code, device)
        number = None if body.question is UNSET else body.question
        answer = json_response(_state(current, member, number))
        path = f"{self.base}/class/{code}"
        keep_device(request, answer, device, path, HOURS * 3_600)
        return answer

    async def _find(self, code: str, device: str) -> tuple[Class | None, Member | None]:
        try:
            return await run_in_threadpool(self.store.find_member, code, device)
        except NoClass:
            return None, None

    async def _admit(self, code: str, device: str, address: str) -> Class:
        try:
            self.hub.check_room("learner", hashed(device), address)
            if not self.limits.joins.take((address, code)):
                raise JoinsTooFast
            return await stored(self.store.join(code, device, address))
        except NoClass:
            raise
        except ClassRefusal as refusal:
            self.hub.refuse(code, refusal)
            raise

    async def events(self, request: Request) -> Response:
        code, token = _code(request), token_of(request)
        if token:
            role = await self._role(code, token)
            if not role:
                raise NotYours
        else:
            token, role = device_of(request), "learner"
            # do not tell a device that has not joined whether the class exists
            if not token or (await self._find(code, token))[1] is None:
                raise NotJoined
        who, address = hashed(token), address_of(request)
        self.hub.check_room(role, who, address)
        if role == "teacher":
            self.showing.prepare(await run_in_threadpool(self.store.find, code))
        return StreamingResponse(
            self.hub.stream(code, role, who, address, language()),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def vote(self, request: Request) -> Response:
        code, device = _code(request), self._device(request)
        body = await read_body(request, Voting)
        ballot = Ballot(code, device, body.question, body.round, body.seq, body.answer)
        try:
            vote = await stored(self.store.vote(ballot))
        except NoClass:
            raise NotJoined from None
        answer = {"stored": {"answer": vote.answer, "seq": vote.seq}}
        if body.round == ALONE_ROUND:
            answer |= _state(*await self._find(code, device), body.question)
        return json_response(answer)

    async def lost(self, request: Request) -> Response:
        code, device = _code(request), self._device(request)
        lost = (await read_body(request, Losing)).lost
        try:
            await stored(self.store.lose(code, device, lost))
        except NoClass:
            raise NotJoined from None
        return json_response({"lost": lost})

    async def phase(self, request: Request) -> Response:
        code = _code(request)
        await self._check_teacher(request, code)
        change = await read_body(request, Change)
        current = await stored(self.store.change(code, change.apply))
        if change.admits:
            self.hub.admit(code)
        self.hub.hurry(code)
        return json_response(views.place(current, now(), "teacher"))

    async def remove(self, request: Request) -> Response:
        code = _code(request)
        await self._check_teacher(request, code)
        body = await read_body(request, Removing)
        if body.device is not UNSET:
            removing = self.store.remove_person(code, body.device)
        else:
            assert body.last is not UNSET
            removing = self.store.remove_devices(code, body.origin, body.first, body.last)
        removed = await stored(removing)
        self.hub.hurry(code)
        return json_response({"removed": removed})

    async def hide(self, request: Request) -> Response:
        code = _code(request)
        await self._check_teacher(request, code)
        body = await read_body(request, Hiding)
        hidden = await stored(self.store.hide(code, body.question, body.device))
        self.hub.hurry(code)
        return json_response({"hidden": hidden})

    async def results(self, request: Request) -> Response:
        code = _code(request)
        await self._check_teacher(request, code)
        current = await run_in_threadpool(self.store.find, code)
        polls = [poll.spoken() for poll in current.polls]
        rows = report(polls, await run_in_threadpool(self.store.votes, code))
        form = request.query_params.get("format", "")
        if form in ("csv", "answers"):
            root = str(request.url.replace(query="")).rsplit("/class/", 1)[0]
            text = as_csv(rows, root) if form == "csv" else answers_csv(rows)
            name = f'attachment; filename="class-{code}.csv"'
            headers = {"Cache-Control": "no-store", "Content-Disposition": name}
            # spreadsheets recognize UTF-8 only by its byte order mark
            return Response("\ufeff" + text, headers=headers, media_type="text/csv")
        counts = await run_in_threadpool(self.store.counts, current)
        time = now()
        return json_response(
            {
                **views.place(current, time),
                "rows": [views.row(each) for each in rows],
                "opened_ms": time - current.opened,
                "joined": counts.joined,
                "kept_ms": max(0, current.opened + self.store.kept_ms - time),
            }
        )

    async def delete(self, request: Request) -> Response:
        code = _code(request)
        await self._check_teacher(request, code)
        await stored(self.store.delete(code))
        return json_response({"deleted": code})

    def _device(self, request: Request) -> str:
        device = device_of(request)
        if not device:
            raise NotJoined
        if not self.limits.device.take(hashed(device)):
            raise TooFast
        return device

    async def _role(self, code: str, token: str) -> str:
        try:
            return await run_in_threadpool(self.store.role, code, token)
        except NoClass:
            # do not reveal whether the code exists
            return ""

    async def _check_teacher(self, request: Request, code: str) -> None:
        token = token_of(request)
        if not token or await self._role(code, token) != "teacher":
            raise NotYours


def _state(current: Class | None, member: Member | None, number: int | None) -> views.View:
    """What a device sees of the class, and what it has answered.

    Args:
        current, member: the class and the device, or None.
        number: of the question that the device wants to see at its own pace.
    """
    time = now()
    if current is None or current.expires <= time:
        raise NoClass
    if member is None:
        raise NotJoined
    alone = views.alone(current, time, member.answers, number)
    # at its own pace, the question may be another one
    vote = None if alone else member.vote
    return {
        **(alone or {**views.place(current, time), "question": views.question(current, time)}),
        "mine": {
            "lost": member.lost,
            "nickname": member.nickname,
            "vote": vote and {"answer": vote.answer, "seq": vote.seq},
            "first": "" if alone else member.first,
        },
    }


def _code(request: Request) -> str:
    code = read_code(request.path_params["code"])
    if code is None:
        raise NoClass
    return code
