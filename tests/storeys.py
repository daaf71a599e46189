"""The storeys of the house, for the test of its architecture and for the order of tests in CI."""

import os
import subprocess
from pathlib import Path, PurePath

ROOT = Path(__file__).resolve().parents[1]

STOREYS = {
    # what every storey uses
    "base": ("base",),
    # what an operator does, proved
    "core": ("tensors", "movement", "operators", "engines"),
    # what can be done with it
    "uses": ("code", "picture", "states", "verify", "teaching", "classroom"),
    # who draws rows and scenes for people
    "hosts": ("live", "site", "notebook", "extensions", "commands", "app"),
    "front door": ("__init__", "__main__", "testing", "pytest_plugin", "pages"),
}
"""From the ground up: a room imports from lower storeys and, of its own, from the rooms to its left."""

TOP = len(STOREYS) - 1


def storey(path):
    """The number of the storey of a file, or of the room that a file of tests is for; 0 is ``base``.

    What belongs to no room, such as the tests of all rooms together, is at the top.
    """
    parts = PurePath(path).parts
    names = {part.removesuffix(".py") for part in parts[1:2]} if len(parts) > 1 else set()
    return next((n for n, rooms in enumerate(STOREYS.values()) if names & {*rooms}), TOP)


def changed_files():
    """The files that differ from the commit before, or from ``DMLVIZ_BASE``; none without git."""
    base = os.environ.get("DMLVIZ_BASE") or "HEAD~1"
    command = ["git", "diff", "--name-only", base, "--"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


def reached_first(paths, changed):
    """Files of tests in an order: those that a change can reach, then the others.

    A change reaches its own storey and those above, so the lowest file that changed decides.
    """
    lowest = min((storey(path) for path in changed if PurePath(path).suffix == ".py"), default=0)
    return sorted(paths, key=lambda path: storey(path) < lowest)
