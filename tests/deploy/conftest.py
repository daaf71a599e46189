"""Three replicas that echo what they are sent, and nginx before them."""

from __future__ import annotations

import pytest

from tests.deploy.cluster import Nginx
from tests.deploy.echo import echoing


@pytest.fixture
def echoes():
    with echoing(3) as servers:
        yield servers


@pytest.fixture
def nginx(nginx_tool, echoes, tmp_path):
    running = Nginx(nginx_tool, tmp_path, [server.server_port for server in echoes])
    yield running
    running.close()
