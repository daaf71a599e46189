"""Writes the theme once, not into each message that begins a run.

Streamlit reads hundreds of options for the theme whenever a run begins, on the thread that serves
everybody; for a small change that is a quarter of the server's work.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from streamlit import config
from streamlit.runtime import app_session

_WRITER = "_populate_theme_msg"


def keep_themes() -> None:
    """Let Streamlit copy each section of the theme after the first time, once for the process.

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
