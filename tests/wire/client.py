"""What a browser says to the server, without a browser: raw frames, as right or wrong as wanted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect

PATIENCE = 60
"""Seconds; only a server that does not answer takes them."""


class Learner:
    """One session.

    Attributes:
        found: the messages of the last run.
    """

    def __init__(self, socket: ClientConnection, server: str) -> None:
        self.socket = socket
        self.server = server
        self.found: list[ForwardMsg] = []

    def send(self, page: str = "", query: str = "", **more: Any) -> None:
        """Ask for a run; ``url``, ``fragment_id`` and ``widgets`` are a forger's own."""
        asked = BackMsg()
        rerun = asked.rerun_script
        rerun.page_name = page
        rerun.query_string = query
        rerun.context_info.url = more.pop("url", f"{self.server}/{page}")
        rerun.context_info.locale = "en"
        rerun.widget_states.widgets.extend(more.pop("widgets", ()))
        rerun.fragment_id = more.pop("fragment_id", "")
        assert not more
        self.socket.send(asked.SerializeToString())

    def wait(self) -> list[ForwardMsg]:
        """The messages until the run has ended."""
        self.found = []
        while not self.found or self.found[-1].WhichOneof("type") != "script_finished":
            frame = self.socket.recv(timeout=PATIENCE)
            self.found.append(ForwardMsg.FromString(bytes(frame)))
        return self.found

    def ask(self, page: str = "", query: str = "", **more: Any) -> list[ForwardMsg]:
        """Ask for a run and wait for it."""
        self.send(page, query, **more)
        return self.wait()

    @property
    def exceptions(self) -> list[str]:
        """What the last run says went wrong."""
        return [str(e.exception) for e in self._elements() if e.WhichOneof("type") == "exception"]

    @property
    def ids(self) -> list[str]:
        """Every widget of the last run."""
        elements = (getattr(e, e.WhichOneof("type") or "", None) for e in self._elements())
        return list(dict.fromkeys(filter(None, (getattr(e, "id", "") for e in elements))))

    @property
    def told(self) -> str:
        """All that the last run says, but for the script's name, which Streamlit always tells."""
        for message in self.found:
            if message.WhichOneof("type") == "new_session":
                message.new_session.main_script_path = ""
        return "\n".join(str(message) for message in self.found)

    def _elements(self) -> Iterator[Message]:
        for message in self.found:
            if message.WhichOneof("type") == "delta":
                yield message.delta.new_element


@contextmanager
def learner(server: str) -> Iterator[Learner]:
    """A session with a page of the app's own, as a browser opens it."""
    with stream(server, origin=server) as socket:
        yield Learner(socket, server)


def stream(server: str, **options: Any) -> connect:
    """The WebSocket that Streamlit's pages open; options are those of websockets."""
    address = f"{server.replace('http', 'ws', 1)}/_stcore/stream"
    options = {"max_size": None, "open_timeout": PATIENCE, "proxy": None, **options}
    return connect(address, subprotocols=["streamlit"], **options)


def forged(widget: str) -> Iterator[WidgetState]:
    """States that no browser sends for a widget."""
    hostile = "'\"><img src=x>\0\u2028/../../etc/passwd"
    yield WidgetState(id=widget, string_value=hostile)
    yield WidgetState(id=widget, string_value="9" * 4_000)
    yield WidgetState(id=widget, bool_value=True)
    yield WidgetState(id=widget, int_value=-(2**63))
    yield WidgetState(id=widget, double_value=float("nan"))
    yield WidgetState(id=widget, json_value=json.dumps({"step": [[]], "x": {"y": None}}))
    yield WidgetState(id=widget, string_array_value={"data": [hostile, ""]})
    yield WidgetState(id=widget, bytes_value=b"\xff\x00" * 50)
    yield WidgetState(
        id=widget, file_uploader_state_value={"uploaded_file_info": [{"file_id": hostile}]}
    )
