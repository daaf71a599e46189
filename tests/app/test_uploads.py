"""What a session uploads is bounded in number and bytes, whatever it sends without a widget."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from dmlviz.app import uploads
from tests.browser.conftest import serving
from tests.deploy.learner import Learner

LARGE = b"x" * 1_000_000


class Held:
    """A runtime that holds files, and nothing else."""

    def __init__(self) -> None:
        self.uploaded_file_mgr = MemoryUploadedFileManager("/upload")

    def put(self, session: str, name: str, size: int) -> None:
        file = UploadedFileRec(name, name, "text/plain", b"x" * size)
        self.uploaded_file_mgr.add_file(session, file)

    def names(self, session: str) -> list[str]:
        return list(self.uploaded_file_mgr.file_storage.get(session, {}))


@pytest.fixture
def held(monkeypatch) -> Held:
    found = Held()
    monkeypatch.setattr(uploads.Runtime, "instance", lambda: found)
    return found


def put(app, session: str, name: str = "one") -> list[dict]:
    sent: list[dict] = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request"}

    path = f"/base/_stcore/upload_file/{session}/{name}"
    asyncio.run(app({"type": "http", "method": "PUT", "path": path}, receive, send))
    return sent


def storing(held: Held, size: int):
    async def app(scope, _receive, _send):
        _rest, session, name = scope["path"].rsplit("/", 2)
        held.put(session, name, size)

    return uploads._Uploads(app)


def test_the_oldest_of_many_files_go(held):
    app = storing(held, 10)
    for number in range(10):
        put(app, "a", str(number))
        put(app, "b")
    assert held.names("a") == ["6", "7", "8", "9"]
    assert held.names("b") == ["one"]


def test_the_oldest_of_large_files_go(held):
    app = storing(held, uploads.MOST_BYTES // 2 - 1)
    for number in range(10):
        put(app, "a", str(number))
    assert held.names("a") == ["8", "9"]


def test_the_latest_stays_however_large_it_is(held):
    held.put("a", "small", 10)
    put(storing(held, 2 * uploads.MOST_BYTES), "a", "large")
    assert held.names("a") == ["large"]


def test_a_session_sends_two_files_at_once_and_no_more(held):
    inside, answers = [], []

    async def app(scope, _receive, _send):
        inside.append(scope["path"])
        if len(inside) == uploads.AT_ONCE:
            for session in ("a", "b"):
                sent = []

                async def send(message, sent=sent):
                    sent.append(message)

                path = f"/_stcore/upload_file/{session}/more"
                await bounded({"type": "http", "method": "PUT", "path": path}, None, send)
                answers.append([message.get("status") for message in sent][:1])
        elif len(inside) < uploads.AT_ONCE:
            path = f"/_stcore/upload_file/a/{len(inside)}"
            await bounded({"type": "http", "method": "PUT", "path": path}, None, None)

    bounded = uploads._Uploads(app)
    put(bounded, "a")
    assert answers == [[429], []]
    assert [path.rsplit("/", 2)[1] for path in inside] == ["a", "a", "b"]
    assert bounded.coming == {}


def test_what_is_no_upload_passes(held):
    asked = []

    async def app(scope, _receive, _send):
        asked.append(scope["type"])

    bounded = uploads._Uploads(app)
    for scope in ({"type": "lifespan"}, {"type": "http", "method": "GET", "path": "/tile"}):
        asyncio.run(bounded(scope, None, None))
    assert asked == ["lifespan", "http"]


def resident(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096


@pytest.fixture
def server(tmp_path) -> Iterator[tuple[int, int]]:
    """A server's port and process."""
    told = tmp_path / "pid"
    # the shell's number is the server's
    with serving(before=("sh", "-c", f'echo $$ > {told}; exec "$@"', "sh")) as address:
        port = urlsplit(address).port
        assert port is not None
        yield port, int(told.read_text())


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix" or not Path("/proc/self/statm").exists(), reason="no /proc")
def test_files_without_end_do_not_fill_the_server(server):
    """100 files of 1 MB in one session took 97 MB until it left."""
    port, process = server
    learner = Learner(port, "verify").open()
    try:
        assert learner.upload(text=LARGE) == 204
        before = resident(process)
        for number in range(100):
            assert learner.upload(text=LARGE, file=f"{number}") == 204
        assert resident(process) - before < 40_000_000
        # the latest is there, for the widget that sent it
        assert learner.run().alive
    finally:
        learner.close()
