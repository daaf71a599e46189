"""Servers that stand for replicas: they repeat what they were asked, or fail in a known way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread


class Echo(ThreadingHTTPServer):
    """One of them.

    Attributes:
        asked: how many requests have come.
        mood: "" for an answer, "dead" for a connection closed without one, "hangs" for none
            until the test is over, or the status to answer with.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked = 0
        self.mood = ""
        self.over = Event()


class _Handler(BaseHTTPRequestHandler):
    server: Echo

    def _answer(self) -> None:
        self.server.asked += 1
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        mood = self.server.mood
        if mood == "hangs":
            self.server.over.wait()
        if mood in ("dead", "hangs"):
            self.close_connection = True
            return
        said = {"port": self.server.server_port, "path": self.path, **dict(self.headers)}
        body = json.dumps(said).encode()
        self.send_response(int(mood or 200))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header(
            "Cache-Control", "public, max-age=60" if "static" in self.path else "no-cache"
        )
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_PUT = do_POST = do_DELETE = _answer

    def log_message(self, *_said: object) -> None:
        """Say nothing."""


@contextmanager
def echoing(number: int) -> Iterator[list[Echo]]:
    """So many of them, for a while."""
    servers = [Echo() for _place in range(number)]
    for server in servers:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield servers
    for server in servers:
        server.over.set()
        server.shutdown()
        server.server_close()
