"""Local replicas behind the nginx of ``deploy/``: the same files, with local addresses."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.browser.conftest import ROOT, await_health, free_port, start

DEPLOY = ROOT / "deploy"
# as compose sets it: nginx decides which names reach the app
_ENVIRONMENT = {**os.environ, "FORWARDED_ALLOW_IPS": "127.0.0.1"}


def addresses() -> list[str]:
    """The addresses of the replicas in ``replicas.conf``, in order."""
    text = (DEPLOY / "replicas.conf").read_text(encoding="utf-8")
    return re.findall(r"^upstream replica_\d+ \{ server ([\d.]+:\d+); \}$", text, re.M)


def until(condition: Callable[[], Any], seconds: float = 120) -> Any:
    """Wait for something to be true; what it is then."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


class Nginx:
    """nginx with the configuration of ``deploy/``, before servers on local ports.

    Attributes:
        port: where it listens.
        log: what it writes, access log and errors.
    """

    def __init__(self, program: Path, folder: Path, ports: Sequence[int], **changes: str) -> None:
        """``changes`` are directives with other values than in ``nginx.conf``."""
        self.port = free_port()
        main = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
        replicas = (DEPLOY / "replicas.conf").read_text(encoding="utf-8")
        assert main.count("listen 8080;") == 1
        assert len(addresses()) == len(ports)
        for address, port in zip(addresses(), ports, strict=True):
            local = f"127.0.0.1:{port}"
            replicas = replicas.replace(address, local)
            replicas = replicas.replace(re.escape(address), re.escape(local))
        main = main.replace("listen 8080;", f"listen 127.0.0.1:{self.port};")
        for name, value in changes.items():
            main, found = re.subn(rf"^( +{name}) [^;]*;", rf"\1 {value};", main, flags=re.M)
            assert found == 1, name
        (folder / "nginx.conf").write_text(main, encoding="utf-8")
        (folder / "replicas.conf").write_text(replicas, encoding="utf-8")
        # as root it would give its workers to somebody who may not read this folder
        say = "daemon off;" + (" user root;" if os.geteuid() == 0 else "")
        self.log = folder / "log"
        # both of its logs go to the end of this file
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [program, "-p", f"{folder}/", "-c", f"{folder}/nginx.conf", "-g", say],
                stdout=log,
                stderr=log,
            )
        self._await()

    def _await(self) -> None:
        for _attempt in range(600):
            assert self.process.poll() is None, self.log.read_text()
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=2):
                    return
            except OSError:
                time.sleep(0.05)

    def visits(self, number: int) -> list[dict[str, Any]]:
        """The lines of the access log, as soon as there are so many: each follows its answer."""

        def lines() -> list[str]:
            all_lines = self.log.read_text(encoding="utf-8").splitlines(keepends=True)
            return [line for line in all_lines if line.startswith("{") and line.endswith("\n")]

        until(lambda: len(lines()) >= number)
        return [json.loads(line) for line in lines()]

    def close(self) -> None:
        """End it, and its workers with it."""
        self.process.terminate()
        self.process.wait()


class Replicas:
    """As many servers of the app as ``replicas.conf`` has; they are counted from 1."""

    def __init__(self) -> None:
        self.ports = [free_port() for _address in addresses()]
        self.processes = [start(port, env=_ENVIRONMENT) for port in self.ports]
        for process, port in zip(self.processes, self.ports, strict=True):
            await_health(process, port)

    def kill(self, place: str) -> None:
        """At once, without a chance to say goodbye."""
        self.processes[int(place) - 1].kill()
        self.processes[int(place) - 1].wait()

    def start(self, place: str) -> None:
        """Start one again on its port."""
        number = int(place) - 1
        self.processes[number] = start(self.ports[number], env=_ENVIRONMENT)
        await_health(self.processes[number], self.ports[number])

    def mend(self) -> None:
        """Start again what an earlier test has left dead."""
        for number, process in enumerate(self.processes, 1):
            if process.poll() is not None:
                self.start(str(number))

    def close(self) -> None:
        """End all."""
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()
