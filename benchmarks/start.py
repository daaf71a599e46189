"""What a program costs before it does its work: ``python -m benchmarks.start``.

Processor time of whole processes, of dmlviz's commands and of ``import numpy`` in turns; then of a
server until the health check answers, of the app and of a naive page in turns. Modules are
compiled before the first one is measured, as an installer does.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import run_program
from benchmarks.servers import APP, NAIVE, ROOT, serving
from benchmarks.tables import middle, table

ROUNDS = 20
SERVERS = 5
NUMPY = "import numpy"
PAGE = """# Transposed

>>> import numpy as np
>>> x = np.arange(6).reshape(2, 3)
>>> x.T
array([[0, 3],
       [1, 4],
       [2, 5]])
"""
"""A page with one example."""


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--servers", type=int, default=SERVERS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder, "PYTHONHASHSEED": "0"}
        # without compiled modules, most of the time would be that of the compiler
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        page = Path(folder) / "page.md"
        page.write_text(PAGE, encoding="utf-8")
        print(commands(page, environment, options.rounds))
        print()
        print(servers(environment, options.servers))


def commands(page: Path, environment: dict[str, str], rounds: int) -> str:
    """Processor time of each command beside that of importing NumPy."""
    dmlviz = (sys.executable, "-m", "dmlviz")
    asked = {
        NUMPY: (sys.executable, "-c", NUMPY),
        "--help": (*dmlviz, "--help"),
        "--version": (*dmlviz, "--version"),
        "verify, one page": (*dmlviz, "verify", str(page)),
        "code, one line": (*dmlviz, "code", "x.T", "--input", "x=2,3"),
    }
    taken: dict[str, list[float]] = {name: [] for name in asked}
    for number in range(rounds + 1):
        for name, command in asked.items():
            seconds = _seconds(command, environment)
            # the first round compiles
            taken[name] += [seconds] * (number > 0)
    whole = middle(taken[NUMPY])
    rows = [
        [name, f"{1000 * middle(times):.0f}", f"{middle(times) / whole:.2f}"]
        for name, times in taken.items()
    ]
    return table(["command", "processor ms", "times import numpy"], rows)


def _seconds(command: tuple[str, ...], environment: dict[str, str]) -> float:
    """Processor seconds of a process from its start to its end."""
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _pid, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime


def servers(environment: dict[str, str], rounds: int) -> str:
    """Processor time and memory of a server that answers for the first time."""
    scripts = {"dmlviz": APP, "naive page": NAIVE}
    taken: dict[str, list[tuple[float, int]]] = {name: [] for name in scripts}
    for number in range(rounds + 1):
        for name, script in scripts.items():
            with serving(script, environment=environment) as server:
                answered = server.seconds(), server.resident()
            taken[name] += [answered] * (number > 0)
    seconds = {name: middle([one for one, _bytes in both]) for name, both in taken.items()}
    rows = [
        [
            name,
            f"{1000 * seconds[name]:.0f}",
            f"{seconds[name] / seconds['naive page']:.2f}",
            f"{middle([size for _seconds, size in both]) / 1e6:.0f}",
        ]
        for name, both in taken.items()
    ]
    return table(
        ["streamlit run, to the first answer", "processor ms", "times the naive page", "MB"], rows
    )


if __name__ == "__main__":
    run_program(main)
