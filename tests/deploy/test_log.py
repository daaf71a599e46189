"""nginx writes down what happened, and nothing of whom it happened to."""

from __future__ import annotations

import http.client
import socket
from uuid import uuid4

import pytest

ADDRESS = "127.0.0.77"
"""The visitor's; the replicas have others."""


def ask(nginx, path, method="GET", body=b"", **headers):
    wire = http.client.HTTPConnection("127.0.0.1", nginx.port, 60, source_address=(ADDRESS, 0))
    try:
        wire.request(method, path, body or None, headers)
        return wire.getresponse().status
    finally:
        wire.close()


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("/", "/"),
        ("/tile?values=own&literal=[secret]", "/tile"),
        ("/depth-to-space/", "/depth-to-space"),
        ("/_stcore/health", "/_stcore/health"),
        ("/_stcore/metrics", "/_stcore/metrics"),
        ("/tile/_stcore/stream?secret", "/_stcore/stream"),
        (
            "/_stcore/upload_file/6d2c0a52-94d3-4f6e-9d6b-0d6a3c1e7f10/secret",
            "/_stcore/upload_file",
        ),
        ("/media/secret.gif", "/media/"),
        ("/static/js/index.secret.js", "/static/"),
        ("/class/ABCD/vote", "/class/"),
        ("/secret@school.test", "other"),
        ("/secret%20name", "other"),
        ("/" + "secret" * 20, "other"),
        ("/tile/secret", "other"),
    ],
)
def test_what_a_line_holds(nginx, path, written):
    status = ask(nginx, path)
    (line,) = nginx.visits(1)
    assert set(line) == {"time", "method", "path", "status", "bytes", "seconds", "replicas"}
    assert (line["method"], line["path"], line["status"]) == ("GET", written, status)
    assert "secret" not in nginx.log.read_text()


def test_no_line_names_a_visitor(echoes, nginx):
    """Neither log, whatever goes wrong."""
    told = {
        "Cookie": "dmlviz=1-" + "5ec4e7" * 5 + "00",
        "User-Agent": "secret",
        "Referer": "http://secret.test/",
        "X-Forwarded-For": "192.0.2.77",
    }
    session = uuid4()
    upload = f"/_stcore/upload_file/{session}/file"
    answers = {ask(nginx, upload, "PUT", b"7", **told) for _upload in range(80)}
    assert answers == {200, 429}
    assert ask(nginx, f"/_stcore/upload_file/{uuid4()}/file", "PUT", b"7" * 1_100_000) == 413
    for server in echoes:
        server.mood = "dead"
    assert ask(nginx, "/tile?secret", **told) == 502
    with socket.create_connection(("127.0.0.1", nginx.port), 60, (ADDRESS, 0)) as wire:
        wire.sendall(b"GET /?secret HTTP/1.1\r\nsecret\x00: secret\r\n\r\n")
        assert b" 400 " in wire.recv(4096)
    assert {line["status"] for line in nginx.visits(83)} == {200, 400, 413, 429, 502}
    log = nginx.log.read_text()
    for word in (ADDRESS, "192.0.2.77", "secret", "5ec4e7", str(session)):
        assert word not in log, word


def test_health_checks_fill_no_log(nginx):
    assert ask(nginx, "/healthz") == 200
    ask(nginx, "/tile")
    assert [line["path"] for line in nginx.visits(1)] == ["/tile"]
