"""What the server serves besides Streamlit: scripts, and the routes of live classes."""

from __future__ import annotations

import gc
import importlib
import logging
import pkgutil
import threading
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager

import dmlviz.app
from dmlviz.app.classes import routes_of_classes
from dmlviz.app.connections import bound_waiting
from dmlviz.app.intact import damaged
from dmlviz.app.packed import pack_first
from dmlviz.app.theme_messages import keep_themes
from dmlviz.classroom.learner import PlayerFiles
from dmlviz.engines import engines
from dmlviz.operators import OPERATORS
from dmlviz.picture.files import PLOTLY_VERSION, plotly_path, script, script_version
from dmlviz.places import ROOT
from dmlviz.states.code import CODE
from dmlviz.static_files import compressed, unchanging
from dmlviz.words import _

EXPLORERS = frozenset({*(cls.key for cls in OPERATORS), CODE})
"""The addresses of the pages with a stage and a sidebar, from the app's root."""

_LOG = logging.getLogger(__name__)


def player_address() -> str:
    """The player's script: a path from the app's root."""
    return f"dmlviz/{script_version()}/player.js"


def plotly_address() -> str:
    """The path of plotly.js from the app's root."""
    return f"dmlviz/{PLOTLY_VERSION}/plotly.min.js"


def base_path() -> str:
    """What precedes the addresses of all pages: ``""`` or ``"/prefix"``."""
    prefix = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{prefix}" if prefix else ""


def routes() -> list[BaseRoute]:
    """The routes, for ``st.App``; files are read in place and never copied."""
    # Without this the first visitor who opens a page by its address gets Streamlit's own
    # reading of the folder pages/, which st.navigation switches off only once it has run.
    PagesManager.uses_pages_directory = False
    warn_of_damage()
    bound_waiting()
    keep_themes()
    _prepare()
    base = base_path()
    return [
        Route(f"{base}/{player_address()}", _player),
        Route(f"{base}/{plotly_address()}", _plotly),
        *routes_of_classes(base, PlayerFiles(player_address(), plotly_address())),
    ]


def warn_of_damage(root: Path = ROOT) -> None:
    """Log one sentence that names the files that differ from the release."""
    if found := damaged(root):
        sentence = _("These files are damaged or belong to another version: {names}.")
        _LOG.warning(sentence.format(names=", ".join(found)))


def _prepare() -> None:
    """Load what every visitor needs before the first one comes.

    What is loaded stays in memory, so garbage collections can skip it.
    """
    for found in pkgutil.iter_modules(dmlviz.app.__path__, "dmlviz.app."):
        importlib.import_module(found.name)
    gc.collect()
    gc.freeze()
    # the engines' process takes a second to start, so start it in another thread
    threading.Thread(target=engines, name="engines", daemon=True).start()
    threading.Thread(target=pack_first, name="scripts", daemon=True).start()


def _player(request: Request) -> Response:
    return unchanging(request.headers, _player_bytes, "text/javascript")


def _plotly(request: Request) -> Response:
    return unchanging(request.headers, _plotly_bytes, "text/javascript")


@cache
def _player_bytes(packed: bool) -> bytes:
    plain = script().encode()
    return compressed(plain) if packed else plain


@cache
def _plotly_bytes(packed: bool) -> bytes:
    plain = plotly_path().read_bytes()
    return compressed(plain) if packed else plain
