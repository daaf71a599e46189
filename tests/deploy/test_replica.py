"""One replica, run with what compose and Kubernetes give it."""

from __future__ import annotations

import os
import re
import signal

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.browser.conftest import await_health, free_port, start
from tests.deploy.cluster import until
from tests.deploy.learner import WAIT, Learner
from tests.deploy.test_files import compose, kinds

pytestmark = pytest.mark.slow


def patience():
    """Seconds from SIGTERM to SIGKILL, the shorter of both."""
    pod = kinds()["Deployment"]["spec"]["template"]["spec"]
    sleep = pod["containers"][0]["lifecycle"]["preStop"]["exec"]["command"]
    assert sleep[0] == "sleep"
    # long enough for a proxy to hear that this one goes
    assert int(sleep[1]) >= 5
    given = [pod["terminationGracePeriodSeconds"] - int(sleep[1])]
    given += [
        int(re.fullmatch(r"(\d+)s", one["stop_grace_period"])[1])
        for one in compose()["services"].values()
        if "stop_grace_period" in one
    ]
    assert len(given) == 4
    return min(given)


def stands(group):
    """Whether any process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def read_on(wire):
    """To the end."""
    while True:
        wire.recv(timeout=WAIT)


@pytest.mark.skipif(os.name != "posix", reason="SIGTERM is a matter of POSIX")
def test_it_ends_with_a_session_open(tmp_path):
    port = free_port()
    said = tmp_path / "said"
    with said.open("wb") as file:
        # a group of its own: what it has started has to end with it
        process = start(port, stdout=file, stderr=file, start_new_session=True)
    try:
        await_health(process, port)
        learner = Learner(port, "tile").open().set("[3]", 4)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=patience())
        assert process.returncode in (0, -signal.SIGTERM)
        # the browser is told, and looks for another replica at once
        with pytest.raises(ConnectionClosed) as closed:
            read_on(learner.wire)
        assert closed.value.rcvd is not None
        until(lambda: not stands(process.pid), WAIT)
    finally:
        if stands(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert "Traceback" not in said.read_text()


def test_it_answers_to_its_public_name_alone():
    """So that nobody can give it a name of their own, and have a browser talk to it as theirs."""
    container = kinds()["Deployment"]["spec"]["template"]["spec"]["containers"][0]
    given = {one["name"]: one["value"] for one in container["env"] if "value" in one}
    public = given["STREAMLIT_SERVER_ALLOWED_HOSTS"]
    port = free_port()
    with start(port, env={**os.environ, **given}) as process:
        try:
            await_health(process, port)
            # with a port of its own in the address, or the protocol's
            for host in (public, f"{public}:8443"):
                own = Learner(port, "tile", host=host, origin=f"https://{host}").open()
                assert own.stage
                own.close()
            stranger = Learner(port, "tile", host="evil.test")
            assert stranger.ask("GET", "/tile")[0] == 421
            with pytest.raises((InvalidStatus, ConnectionClosed)):
                stranger.connect()
            stranger.close()
        finally:
            process.kill()
