"""The address for others: found without asking anybody, or none."""

from __future__ import annotations

import ipaddress
import socket

import pytest

from dmlviz.app import network
from dmlviz.app.network import for_others, network_host


class Probe:
    """A socket that says where it would leave from, and must not send."""

    def __init__(self, family, kind):
        assert kind == socket.SOCK_DGRAM
        self.family = family

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        return None

    def connect(self, address):
        if self.family not in Probe.found:
            raise OSError("Network is unreachable")

    def getsockname(self):
        return (Probe.found[self.family], 9)


@pytest.fixture
def options(monkeypatch):
    found = {"server.address": None, "browser.serverAddress": "localhost"}
    monkeypatch.setattr(network.config, "get_option", found.get)
    return found


@pytest.fixture
def found(monkeypatch, options):
    Probe.found = {socket.AF_INET: "10.1.2.3"}
    monkeypatch.setattr(network.socket, "socket", Probe)
    return Probe.found


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]"])
def test_this_computers_own_name_is_replaced(found, name):
    assert for_others(f"http://{name}:8501/tile") == "http://10.1.2.3:8501/tile"
    assert for_others(f"http://{name}/dmlviz/tile") == "http://10.1.2.3/dmlviz/tile"


def test_any_other_name_stays(found):
    assert for_others("https://example.org:1/tile") == "https://example.org:1/tile"


def test_the_newer_kind_of_address_is_bracketed(found):
    found.clear()
    found[socket.AF_INET6] = "2001:db8::7"
    assert for_others("http://localhost:8501/") == "http://[2001:db8::7]:8501/"


@pytest.mark.parametrize("own", ["127.0.0.1", "0.0.0.0", "169.254.3.4"])
def test_what_leads_nowhere_is_no_address(found, own):
    found[socket.AF_INET] = own
    assert network_host() == ""
    assert for_others("http://localhost:8501/tile") == "http://localhost:8501/tile"


def test_without_a_network_the_address_stays(found):
    found.clear()
    assert for_others("http://localhost:8501/tile") == "http://localhost:8501/tile"


def test_a_server_for_this_computer_alone_has_no_other_address(found, options):
    options["server.address"] = "127.0.0.1"
    assert network_host() == ""


def test_an_administrator_may_say_it(found, options):
    options["browser.serverAddress"] = "dmlviz.example.org"
    assert for_others("http://localhost:8501/tile") == "http://dmlviz.example.org:8501/tile"


def test_what_is_asked_for_is_reserved_for_documentation():
    for _family, afar in network._AFAR:
        assert ipaddress.ip_address(afar).is_private
