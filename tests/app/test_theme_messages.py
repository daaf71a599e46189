"""The theme that is copied into each run's message is the one that Streamlit would write."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit import config
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session

from dmlviz.app.server import keep_themes

PARTS = ("", "light", "dark", "sidebar", "light.sidebar", "dark.sidebar")


@pytest.fixture(autouse=True)
def writer(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Streamlit's own."""
    write = app_session._populate_theme_msg
    own = getattr(write, "__wrapped__", write)
    monkeypatch.setattr(app_session, "_populate_theme_msg", own)
    return own


def begun() -> ForwardMsg:
    """The theme as the message that begins a run has it."""
    message = ForwardMsg()
    for part in PARTS:
        target = message.new_session.custom_theme
        for name in filter(None, part.split(".")):
            target = getattr(target, name)
        app_session._populate_theme_msg(target, ".".join(filter(None, ("theme", part))))
    return message


def test_every_run_has_the_same_theme(writer: Any) -> None:
    own = begun()
    assert own.new_session.custom_theme.dark.primary_color == "#ff9b5e"
    keep_themes()
    keep_themes()
    assert app_session._populate_theme_msg is not writer
    assert begun() == begun() == own


def test_what_a_developer_changes_is_read_again(
    monkeypatch: pytest.MonkeyPatch, writer: Any
) -> None:
    get = config.get_option
    watch = {"server.fileWatcherType": "auto"}
    monkeypatch.setattr(config, "get_option", lambda name: watch.get(name) or get(name))
    keep_themes()
    assert app_session._populate_theme_msg is writer
