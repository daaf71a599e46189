"""A server of its own whose log, and whose calls to other machines, are kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.browser.conftest import serving


@dataclass(frozen=True)
class Watched:
    """A server.

    Attributes:
        address: of the app.
        log: what it prints.
        outward: what it asked other machines for.
    """

    address: str
    log: Path
    outward: Path

    @property
    def host(self) -> str:
        """The name and port that a browser asks for."""
        return self.address.partition("://")[2]


@pytest.fixture(scope="package")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """The server, started headless as in a container."""
    folder = tmp_path_factory.mktemp("watched")
    shutil.copyfile(Path(__file__).parent / "outward.py", folder / "sitecustomize.py")
    log, outward = folder / "log", folder / "outward"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH")))),
        "OUTWARD": str(outward),
        "STREAMLIT_SERVER_ADDRESS": "0.0.0.0",
        "STREAMLIT_SERVER_ALLOWED_HOSTS": "localhost app.example *.school.example",
        "STREAMLIT_SERVER_CORS_ALLOWED_ORIGINS": "https://course.example",
        "no_proxy": "*",
    }
    with (
        log.open("wb") as file,
        serving(env=environment, stdout=file, stderr=file) as address,
    ):
        yield Watched(address, log, outward)
