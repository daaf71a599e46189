"""A live page as it is written: its state, and the words of what happens when it is touched."""

from __future__ import annotations

from typing import Any

from dmlviz.base.words import _, language
from dmlviz.live.below import FILES, sections_of
from dmlviz.live.bundle import LiveFiles
from dmlviz.live.page import view_of_state
from dmlviz.picture.formats import titles_of_files
from dmlviz.states.controls import offer_words
from dmlviz.states.pages import AnyState


def written(state: AnyState, files: LiveFiles, edition: str = "") -> dict[str, Any]:
    """What a page's script needs besides what the page has anyway: the picture and its words.

    Args:
        state: of the page.
        edition: what the names of the pages' files have before ``.html``; empty for none.
        files: those that are fetched when the page becomes live.
    """
    return {
        "page": state.key,
        "language": language(),
        "edition": edition,
        "files": files.loaded,
        "bytes": {
            "python": files.bytes_of(files.loaded),
            "engine": files.bytes_of(files.engine),
        },
        "shown": view_of_state(state, pictured=False),
        "sections": sections_of(state.key),
        "saves": [
            (ending, title) for ending, title in titles_of_files().items() if ending in FILES
        ],
        "words": {**_words(), **offer_words()},
    }


def _words() -> dict[str, str]:
    return {
        "still": _(
            "Change a setting: Python is then loaded into this page (10 MB, once) and runs in "
            "your browser. Nothing is sent anywhere."
        ),
        "python": _("Loading Python: {percent} %"),
        "engine": _("Loading ONNX Runtime Web: {percent} %"),
        "starting": _("Starting Python…"),
        "live": _("Python runs in your browser. Nothing is sent anywhere."),
        "disk": _(
            "This page was opened from a disk, and browsers do not run Python there, so it stays "
            "a still page. On a web server its settings can be changed."
        ),
        "old": _(
            "This browser is too old to run Python (it has no WebAssembly or no workers), so the "
            "page stays a still page."
        ),
        "blocked": _(
            "This browser or this web server does not allow WebAssembly, so the page stays a still "
            "page: {reason}"
        ),
        "missing": _(
            "Python could not be loaded, so the page stays a still page: {reason}. Change a "
            "setting to try again."
        ),
        "broken": _("Python stopped: {reason}. Change a setting to start it again."),
        "problems": _("This cannot be shown:"),
        "own": _("Your own settings."),
        "back": _("Back to this page's example"),
        "answer": _("Answer"),
        "dialect": _("Dialect"),
        "as_code": _("Open as code"),
        "hidden": _("Turn off Predict first to see the output's values, code and table."),
        "files": _("Download"),
        "moment": _("The page plays offline; the pictures show the moment on the stage."),
        "share": _("Share this view"),
        "address": _("Address of this view"),
        "embed": _("To embed it in a page:"),
        "scan": _("QR code"),
        "scanned": _("QR code of this address"),
        "copy": _("Copy"),
        "copied": _("Copied."),
        "by_hand": _("Your browser does not copy by itself; press Ctrl+C."),
        "close": _("Close"),
    }
