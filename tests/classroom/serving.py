"""A server of classes in this process, and the browsers that speak to it."""

from __future__ import annotations

import contextlib
import http.client
import json
import queue
import socket
import threading
import time
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.applications import Starlette

from dmlviz.classroom.database import connect, url_of
from dmlviz.classroom.routes import class_routes
from dmlviz.classroom.service import Service
from tests.browser.conftest import free_port

WAIT = 5


def until(holds, seconds=WAIT):
    """Wait until something is so."""
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends, "it never was so"
        time.sleep(0.01)


@contextmanager
def serving(address, base="", limits=None, more=(), middleware=()):
    """The port of a server of one database, and its service.

    ``more`` are routes before those of classes.
    """
    service = Service(connect(url_of(str(address))), 30, limits)

    @asynccontextmanager
    async def lifespan(_app):
        async with service.running():
            yield

    def is_own(origin, host):
        return origin == f"http://{host}"

    routes = [*more, *class_routes(base, service, is_own)]
    app = Starlette(routes=routes, lifespan=lifespan, middleware=[*middleware])
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_config=None, lifespan="on"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until(lambda: server.started)
        yield port, service
    finally:
        service.hub.close()
        server.should_exit = True
        thread.join(WAIT)
        assert not thread.is_alive()


class Browser:
    """Keeps cookies, as a browser does."""

    def __init__(self, port, base=""):
        self.port, self.base, self.cookie, self.token = port, base, "", ""

    def headers(self, **more):
        headers = {"Content-Type": "application/json", **more}
        if self.cookie:
            headers["Cookie"] = self.cookie
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return headers

    def ask(self, method, path, body=None, raw=None, **headers):
        """Status and what the answer holds: JSON's values, else a text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        sent = raw if raw is not None else None if body is None else json.dumps(body)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        # a server that is killed in between leaves it open
        with contextlib.closing(connection):
            connection.request(method, self.base + path, sent, self.headers(**named))
            answer = connection.getresponse()
            text = answer.read().decode()
        self.answered = answer
        # a proxy before the server has one of its own
        for found in answer.headers.get_all("set-cookie", []):
            pair = found.partition(";")[0]
            name = pair.partition("=")[0]
            others = [one for one in self.cookie.split("; ") if one.partition("=")[0] != name]
            self.cookie = "; ".join(filter(None, [*others, pair]))
        is_json = (answer.getheader("content-type") or "").startswith("application/json")
        return answer.status, json.loads(text) if is_json and text else text

    def post(self, path, body=None, **headers):
        return self.ask("POST", path, body or {}, **headers)

    def get(self, path, **headers):
        return self.ask("GET", path, **headers)

    def listen(self, path):
        return Stream(self, path)


class Stream:
    """An EventSource: events as they come."""

    def __init__(self, browser, path):
        self.connection = http.client.HTTPConnection("127.0.0.1", browser.port, timeout=30)
        self.connection.request("GET", browser.base + path, headers=browser.headers())
        self.answer = self.connection.getresponse()
        self.opened = self.connection.sock or self.answer.fp.raw._sock
        self.bytes = 0
        self.lines = []
        self.events = queue.Queue()
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        kind = ""
        ended = (OSError, ValueError, AttributeError, http.client.HTTPException)
        with contextlib.suppress(*ended):
            while line := self.answer.readline():
                self.bytes += len(line)
                text = line.decode().rstrip("\n")
                self.lines.append(text)
                name, _colon, value = text.partition(": ")
                if name == "event":
                    kind = value
                elif name == "data":
                    self.events.put((kind, json.loads(value), time.monotonic()))
        self.events.put(("end", None, time.monotonic()))

    def next(self, seconds=WAIT):
        """Kind and data of the next event."""
        kind, data, _at = self.events.get(timeout=seconds)
        return kind, data

    def until(self, holds, seconds=WAIT):
        """The first state that holds."""
        ends = time.monotonic() + seconds
        while True:
            kind, data = self.next(max(0.01, ends - time.monotonic()))
            assert kind == "state", kind
            if holds(data):
                return data

    def rest(self, seconds=WAIT):
        """The kinds of all events to the end, but for states."""
        kinds, ends = [], time.monotonic() + seconds
        while "end" not in kinds:
            kinds.append(self.next(max(0.01, ends - time.monotonic()))[0])
        return [kind for kind in kinds if kind != "state"]

    def quiet(self, seconds):
        """Nothing comes."""
        try:
            found = self.events.get(timeout=seconds)
        except queue.Empty:
            return True
        raise AssertionError(found)

    def close(self):
        with contextlib.suppress(OSError):
            self.opened.shutdown(socket.SHUT_RDWR)
        self.thread.join(WAIT)
        self.answer.close()
        self.connection.close()


class Lesson:
    """A class with its teacher, for a test."""

    def __init__(self, port, questions, base="", **more):
        self.port, self.base = port, base
        self.teacher = Browser(port, base)
        status, opened = self.teacher.post("/class", {"questions": questions, **more})
        assert status == 201, opened
        self.code, self.wall_token = opened["code"], opened["wall"]
        self.teacher.token = opened["teacher"]
        self.path = f"/class/{self.code}"
        self.version = 1

    def join(self, port=None):
        browser = Browser(port or self.port, self.base)
        status, told = browser.post(f"{self.path}/join")
        assert status == 200, told
        return browser

    def move(self, to, **more):
        return self.change(to=to, **more)

    def change(self, **body):
        status, told = self.teacher.post(f"{self.path}/phase", {"version": self.version, **body})
        assert status == 200, told
        self.version = told["version"]
        return told

    def vote(self, browser, answer, seq=1, question=0, turn=1):
        body = {"question": question, "round": turn, "seq": seq, "answer": answer}
        return browser.post(f"{self.path}/vote", body)

    def wall(self):
        wall = Browser(self.port, self.base)
        wall.token = self.wall_token
        return wall
