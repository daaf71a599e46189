"""Servers to measure: the app and the pages beside it, each in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent
APP = ROOT / "app.py"
MINIMAL = ROOT / "benchmarks" / "pages" / "minimal.py"
CLASS = ROOT / "benchmarks" / "pages" / "class.py"
NAIVE = ROOT / "benchmarks" / "pages" / "naive.py"

AS_SHIPPED = {"runner.postScriptGC": "true"}
"""What Streamlit does without our configuration: a full collection after every run."""


@dataclass(frozen=True)
class Server:
    """A running one.

    Attributes:
        address: ``http://127.0.0.1:8501``.
        process: of the server.
    """

    address: str
    process: psutil.Process

    def resident(self) -> int:
        """Bytes of memory that are the process's alone (USS), after it has come to rest."""
        return int(self.process.memory_full_info().uss)

    def seconds(self) -> float:
        """Processor seconds that it has used."""
        used = self.process.cpu_times()
        return float(used.user + used.system)


@contextmanager
def serving(
    script: Path = APP,
    options: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Server]:
    """A server of a script, with the project's own configuration but for ``options``."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    asked = {
        "server.headless": "true",
        "server.address": "127.0.0.1",
        "server.port": str(port),
        "global.developmentMode": "false",
        **(options or {}),
    }
    words = [word for name, value in asked.items() for word in (f"--{name}", value)]
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", str(script), *words],
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait(address, process)
        yield Server(address, psutil.Process(process.pid))
    finally:
        process.terminate()
        process.wait(30)


def _wait(address: str, process: subprocess.Popen[bytes]) -> None:
    for _attempt in range(600):
        if process.poll() is not None:
            raise SystemExit(f"the server ended with {process.returncode}")
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the server did not start")
