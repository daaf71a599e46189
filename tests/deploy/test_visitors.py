"""Limits count visitors behind nginx, not nginx, however the server listens."""

from __future__ import annotations

import http.client
import os

import pytest

from dmlviz.app.origin_check import PROXIES
from tests.browser.conftest import await_health, free_port, start
from tests.deploy.cluster import Nginx, addresses

MANY = 60
"""More wrong codes than one visitor may send at once."""


def wrong_code(port, visitor, **headers):
    """The status for a code that no class has; a class behind one address has one of this machine."""
    wire = http.client.HTTPConnection("127.0.0.1", port, 60, source_address=(visitor, 0))
    headers |= {"Content-Type": "application/json", "Host": "viz.school.example"}
    try:
        wire.request("POST", "/class/BCDF/join", "{}", headers)
        return wire.getresponse().status
    finally:
        wire.close()


@pytest.mark.parametrize("listening", [None, "0.0.0.0"])
def test_each_visitor_behind_nginx_has_limits_of_its_own(nginx_tool, tmp_path, listening):
    ports = [free_port() for _address in addresses()]
    environment = {**os.environ, "DMLVIZ_DATABASE": str(tmp_path / "classes"), PROXIES: "127.0.0.1"}
    environment.pop("STREAMLIT_SERVER_ADDRESS", None)
    if listening:
        environment["STREAMLIT_SERVER_ADDRESS"] = listening
    with start(ports[0], env=environment) as replica:
        try:
            await_health(replica, ports[0])
            nginx = Nginx(nginx_tool, tmp_path, ports)
            try:
                told = {wrong_code(nginx.port, "127.0.0.2") for _try in range(MANY)}
                assert told == {404, 429}
                assert wrong_code(nginx.port, "127.0.0.3") == 404
                # nobody becomes another visitor by saying so: nginx adds who it was
                forged = {"X-Forwarded-For": "203.0.113.9"}
                assert wrong_code(nginx.port, "127.0.0.2", **forged) == 429
            finally:
                nginx.close()
        finally:
            replica.kill()
