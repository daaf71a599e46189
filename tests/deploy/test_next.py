"""Which replicas nginx asks, one after the other, where some do not answer."""

from __future__ import annotations

import json
from itertools import count

import pytest

from tests.deploy.cluster import Nginx
from tests.deploy.learner import Learner

DIGITS = "0123456789abcdef" * 2


@pytest.fixture
def start(nginx_tool, echoes, tmp_path):
    """Starts an nginx that knows nothing yet of any replica's death; the one before it ends."""
    running = []
    folders = count()

    def fresh(**changes):
        while running:
            running.pop().close()
        folder = tmp_path / str(next(folders))
        folder.mkdir()
        ports = [server.server_port for server in echoes]
        running.append(Nginx(nginx_tool, folder, ports, **changes))
        return running[0]

    yield fresh
    while running:
        running.pop().close()


def browser(nginx, place=9):
    """One whose key is always the same; the ninth replica does not exist."""
    learner = Learner(nginx.port, "")
    learner.cookies["dmlviz"] = f"{place}-{DIGITS}"
    return learner


def who(echoes, answer):
    """The server that answered."""
    status, body = answer
    assert status == 200, body
    port = json.loads(body)["port"]
    return next(server for server in echoes if server.server_port == port)


def in_order(echoes, start):
    """The servers in the order in which nginx asks them for this browser."""
    order = []
    for _server in echoes:
        order.append(who(echoes, browser(start()).ask("GET", "/tile")))
        order[-1].mood = "dead"
    for server in echoes:
        server.mood, server.asked = "", 0
    assert {id(server) for server in order} == {id(server) for server in echoes}
    return order


def replicas(nginx):
    """What the access log says of the one request: the addresses, and how they were reached.

    A comma is nginx's own next attempt, a colon the second round in @elsewhere.
    """
    return nginx.visits(1)[0]["replicas"]


def addresses(*servers):
    return ", ".join(f"127.0.0.1:{server.server_port}" for server in servers)


@pytest.mark.parametrize("mood", ["dead", "hangs"])
def test_the_next_ones_are_asked_at_once(echoes, start, mood):
    first, second, third = in_order(echoes, start)
    first.mood = second.mood = mood
    nginx = start(proxy_read_timeout="300ms")
    assert who(echoes, browser(nginx).ask("GET", "/tile")) is third
    assert [server.asked for server in (first, second, third)] == [1, 1, 1]
    assert replicas(nginx) == addresses(first, second, third)


def test_an_upload_finds_another_replica_with_its_whole_body(echoes, start):
    first, second, _third = in_order(echoes, start)
    first.mood = "dead"
    nginx = start()
    page = b"# a page\n" * 20_000
    answer = browser(nginx).ask("PUT", "/_stcore/upload_file/a/b", page)
    assert who(echoes, answer) is second
    assert json.loads(answer[1])["Content-Length"] == str(len(page))


def test_a_browser_whose_replica_is_dead_is_taken_elsewhere(echoes, start):
    echoes[0].mood = "dead"
    nginx = start()
    learner = browser(nginx, place=1)
    assert who(echoes, learner.ask("GET", "/tile")) is not echoes[0]
    assert replicas(nginx).startswith(f"{addresses(echoes[0])} : ")


@pytest.mark.parametrize("status", [404, 429, 500, 502, 503, 504])
def test_an_answer_of_a_replica_is_passed_on_whatever_it_is(echoes, start, status):
    for server in echoes:
        server.mood = str(status)
    nginx = start()
    for place in (1, 9):
        assert browser(nginx, place).ask("GET", "/tile")[0] == status
    assert sum(server.asked for server in echoes) == 2


def test_where_no_replica_answers_nobody_is_asked_for_ever(echoes, start):
    for server in echoes:
        server.mood = "dead"
    nginx = start()
    assert browser(nginx).ask("GET", "/tile")[0] == 502
    # each once, and one of them again in the second round
    assert sum(server.asked for server in echoes) <= 6
