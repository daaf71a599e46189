"""A machine on which what happens on Windows happens."""

import os
import tempfile
from pathlib import Path

import pytest

from tests.engines.standins import OPEN


@pytest.fixture
def profiles(monkeypatch, tmp_path):
    """Profiles go into a folder of the test's own, where no open file can be deleted.

    At the end the folder has to be empty.
    """
    real = os.unlink

    def unlink(path, *, dir_fd=None):
        if Path(os.fsdecode(path)).name in OPEN:
            raise PermissionError(13, "The process cannot access the file", path)
        real(path, dir_fd=dir_fd)

    with monkeypatch.context() as windows:
        windows.setattr(os, "unlink", unlink)
        windows.setattr(tempfile, "tempdir", str(tmp_path))
        yield
    assert list(tmp_path.iterdir()) == []
