"""``dmlviz app``: open the app in a browser."""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import REMAINDER, ArgumentParser, Namespace
from importlib.util import find_spec

from dmlviz.base.extras import NotInstalled
from dmlviz.base.places import ROOT
from dmlviz.base.words import _


def add(parser: ArgumentParser) -> None:
    """What Streamlit takes."""
    parser.add_argument(
        "options",
        nargs=REMAINDER,
        metavar="OPTIONS",
        help=_("options of streamlit run, such as --server.port 8600"),
    )


def run(arguments: Namespace) -> int:
    """Serve the app until it is stopped; Streamlit's exit code."""
    # only looked for here: the process that serves is a new one
    if find_spec("streamlit") is None:
        raise NotInstalled("streamlit", "app")
    options = [option for option in arguments.options if option != "--"]
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), *options]
    if os.name == "posix":
        # whoever stops this process stops the server
        os.execv(sys.executable, command)  # noqa: S606
    return subprocess.run(command, check=False).returncode  # noqa: S603
