"""Three replicas that echo what they are sent, nginx before them, and the files in git."""

from __future__ import annotations

import subprocess

import pytest

from tests.deploy.cluster import Nginx
from tests.deploy.echo import echoing
from tests.tools import ROOT


@pytest.fixture
def echoes():
    with echoing(3) as servers:
        yield servers


@pytest.fixture
def nginx(nginx_tool, echoes, tmp_path):
    running = Nginx(nginx_tool, tmp_path, [server.server_port for server in echoes])
    yield running
    running.close()


@pytest.fixture
def tracked_files(git_tool):
    """The paths in git; none where this is no checkout."""
    command = [git_tool, "ls-files"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    return told.split("\n")[:-1]
