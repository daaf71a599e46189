"""What the server serves besides Streamlit: scripts, and the routes of live classes."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import importlib
import logging
import pkgutil
import socket
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator
from functools import cache, wraps
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from streamlit import config
from streamlit.runtime import app_session
from streamlit.runtime.pages_manager import PagesManager
from uvicorn.protocols.http.auto import AutoHTTPProtocol

import dmlviz.app
from dmlviz.app.classes import lifespan as lifespan_of_classes
from dmlviz.app.classes import routes_of_classes
from dmlviz.app.packed import pack_first
from dmlviz.base.deferred import regex
from dmlviz.base.places import PACKAGE, ROOT
from dmlviz.base.static_files import compressed, unchanging
from dmlviz.base.words import _
from dmlviz.classroom.learner import PlayerFiles
from dmlviz.engines import engines
from dmlviz.operators import OPERATORS
from dmlviz.picture.files import PLOTLY_VERSION, plotly_path, script, script_version
from dmlviz.states.pages import KINDS

try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None  # type: ignore[assignment]

EXPLORERS = frozenset({*(cls.key for cls in OPERATORS), *KINDS})
"""The addresses of the pages with a stage and a sidebar, from the app's root."""

SUMS = "assets/SHA256SUMS"
_END = regex(r"# [0-9]+ files")
_FILES = (
    ".streamlit/config.toml",
    "assets/*.toml",
    "assets/documents/*.md",
    "assets/fonts/*",
    "assets/lessons/*.toml",
    "assets/locale/*/LC_MESSAGES/*.po",
    "assets/pictures/*.txt",
    "assets/plotly/*",
    "assets/recordings/*.json",
    "dmlviz/classroom/pages/*",
    "dmlviz/picture/*.css",
    "dmlviz/picture/*.html",
    "dmlviz/picture/js/*",
)

_ENOUGH = 65_536
_MANY = 1_024
_LOG = logging.getLogger(__name__)
_WRITER = "_populate_theme_msg"


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
    bound_waiting()
    keep_themes()
    base = base_path()
    return [
        Route(f"{base}/{player_address()}", _player),
        Route(f"{base}/{plotly_address()}", _plotly),
        *routes_of_classes(base, PlayerFiles(player_address(), plotly_address())),
    ]


def warn_of_damage(root: Path = ROOT) -> None:
    """Log one sentence that names the files that differ from the release."""
    if files := damaged(root):
        sentence = _("These files are damaged or belong to another version: {names}.")
        _LOG.warning(sentence.format(names=", ".join(files)))


@contextlib.asynccontextmanager
async def lifespan(app: object) -> AsyncIterator[None]:
    """The lifespan for ``st.App``: of classes, and of what is prepared for visitors.

    The server answers before that is done; who comes earlier waits for what their page needs alone.
    """
    async with lifespan_of_classes(app):
        threading.Thread(target=_prepare, name="preparing", daemon=True).start()
        yield


def _prepare() -> None:
    """Load what every visitor needs before the first one comes.

    What is loaded stays in memory, so garbage collections can skip it.
    """
    # the engines' process takes a second to start, so start it in another thread
    threading.Thread(target=engines, name="engines", daemon=True).start()
    warn_of_damage()
    for module in pkgutil.iter_modules(dmlviz.app.__path__, "dmlviz.app."):
        importlib.import_module(module.name)
    gc.collect()
    gc.freeze()
    pack_first()


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


def keep_themes() -> None:
    """Let Streamlit copy each section of the theme after the first time, once for the process.

    Streamlit reads hundreds of options for the theme whenever a run begins, on the thread that
    serves everybody; for a small change that is a quarter of the server's work.

    Does nothing while Streamlit watches files, as options can change then, and where it no longer
    has such a function.
    """
    write = getattr(app_session, _WRITER, None)
    watched = config.get_option("server.fileWatcherType") != "none"
    if write is None or hasattr(write, "__wrapped__") or watched:
        return
    kept: dict[str, bytes] = {}

    @wraps(write)
    def copied(message: Any, section: str = "theme") -> None:
        if section not in kept:
            write(message, section)
            kept[section] = message.SerializeToString()
        elif kept[section]:
            message.MergeFromString(kept[section])

    setattr(app_session, _WRITER, copied)


def damaged(root: Path = ROOT) -> tuple[str, ...]:
    """The names of files below ``root`` that are truncated, changed or missing.

    Files that are not in the list are fine: adding an operator adds files.

    >>> damaged()
    ()
    """
    try:
        known = (root / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return (SUMS,)
    if not known or not _END.fullmatch(known[-1]):
        return (SUMS,)
    differing = set(known[:-1]) - set(sums(root))
    return tuple(sorted(line.partition("  ")[2] or SUMS for line in differing))


def sums(root: Path = ROOT) -> Iterator[str]:
    """A line for each file, as ``sha256sum`` writes them."""
    for name, path in sorted(_files(root)):
        # Git may have written Windows line endings
        text = path.read_bytes().replace(b"\r\n", b"\n")
        yield f"{hashlib.sha256(text).hexdigest()}  {name}"


def _files(root: Path) -> Iterator[tuple[str, Path]]:
    """Each file's name in the list, and its path."""
    for pattern in _FILES:
        # an installed package is not in the same folder as the app's other files
        packaged = root == ROOT and pattern.startswith(f"{PACKAGE.name}/")
        folder = PACKAGE.parent if packaged else root
        for path in folder.glob(pattern):
            yield path.relative_to(folder).as_posix(), path


def raise_limit() -> int:
    """Raise the limit of open files; return how many connections can wait."""
    if resource is None:
        return _MANY
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    # macOS allows fewer than it reports
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    return min(_MANY, max(soft, wanted) // 4)


class Waiting:
    """The connections without a request, oldest first.

    uvicorn has no time limit for a request's header. If too many connections wait, the oldest is
    closed; a browser sends its header at once, so its connection does not become the oldest.

    Args:
        most: how many can wait.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._all: OrderedDict[Any, None] = OrderedDict()

    def add(self, connection: Any) -> None:
        """Add a connection that waits for a request."""
        self._all[connection] = None
        self._all.move_to_end(connection)
        while len(self._all) > self.most:
            first, _none = self._all.popitem(last=False)
            if _waits(first):
                first.transport.abort()


def _waits(connection: Any) -> bool:
    asked = connection.cycle is not None and not connection.cycle.response_complete
    return not asked and connection.transport.get_protocol() is connection


def _send_at_once(transport: Any) -> None:
    """Send short responses without waiting 40 ms for a phone to acknowledge earlier data."""
    opened = transport.get_extra_info("socket")
    # Python does this only for sockets marked as TCP, and Streamlit's socket is not
    if opened is not None and opened.family in (socket.AF_INET, socket.AF_INET6):
        with contextlib.suppress(OSError):
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def bound_waiting(protocol: Any = AutoHTTPProtocol) -> None:
    """Limit uvicorn's connections with :class:`Waiting`, once for the process."""
    if hasattr(protocol, "dmlviz_waiting"):
        return
    waiting = protocol.dmlviz_waiting = Waiting(raise_limit())
    made, answered = protocol.connection_made, protocol.on_response_complete

    def connection_made(self: Any, transport: Any) -> None:
        _send_at_once(transport)
        made(self, transport)
        waiting.add(self)

    def on_response_complete(self: Any) -> None:
        waiting.add(self)
        answered(self)

    protocol.connection_made = connection_made
    protocol.on_response_complete = on_response_complete
