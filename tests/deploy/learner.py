"""A learner without a browser: speaks Streamlit's protocol and keeps cookies as a browser does."""

from __future__ import annotations

import http.client
import json
import socket
from contextlib import ExitStack
from http.cookies import SimpleCookie
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

WAIT = 120
"""Seconds for an answer; a busy machine is no fault."""


class Learner:
    """One browser tab: ``page`` and ``query`` are its address, ``cookies`` its browser's.

    Args:
        port: where the server or its proxy listens, here.
        page: to open.
        agent: the browser's name for itself.
        refuses: the name of a cookie that it does not keep.
        host: the server's name in the address, with its port.
        origin: of the page that opens the WebSocket; the server's own where none is given.
    """

    def __init__(
        self,
        port: int,
        page: str,
        agent: str = "a school's",
        refuses: str = "",
        host: str = "",
        origin: str = "",
    ) -> None:
        self.port = port
        self.host = host or f"127.0.0.1:{port}"
        self.origin = origin or f"http://{self.host}"
        self.page = page
        self.query = ""
        self.agent = agent
        self.refuses = refuses
        self.cookies: dict[str, str] = {}
        self.session = ""
        self.widgets: dict[str, Any] = {}  # by label
        self.uploads: list[str] = []  # ids of the page's file widgets
        self.stage: dict[str, Any] = {}  # what the player was given last
        self.wire: ClientConnection | None = None
        self.standing = ExitStack()

    # --- plain requests

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        """The status and body of an answer."""
        own = {"Host": self.host, **self._headers()}
        sent = {**own, **{k.replace("_", "-"): v for k, v in headers.items()}}
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        try:
            wire.request(method, path, body or None, sent)
            answer = wire.getresponse()
            self._keep(answer.headers.get_all("Set-Cookie") or [])
            return answer.status, answer.read()
        finally:
            wire.close()

    def _headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"User-Agent": self.agent, **({"Cookie": cookies} if cookies else {})}

    def _keep(self, lines: list[str]) -> None:
        for line in lines:
            kept = {name: cookie.value for name, cookie in SimpleCookie(line).items()}
            self.cookies.update({k: v for k, v in kept.items() if k != self.refuses})

    @property
    def place(self) -> str:
        """The replica that the cookie names."""
        return self.cookies.get("dmlviz", "").partition("-")[0]

    # --- the session

    def open(self) -> Learner:
        """Open the page as a browser does: the document, what comes with it, the WebSocket."""
        assert self.ask("GET", f"/{self.page}")[0] == 200
        assert self.ask("GET", "/_stcore/health")[0] == 200
        return self.connect()

    def connect(self) -> Learner:
        """A new WebSocket, and the page run in it with the address and what the widgets hold."""
        self.close()
        opening = connect(
            f"ws://{self.host}/_stcore/stream",
            sock=socket.create_connection(("127.0.0.1", self.port), WAIT),
            origin=Origin(self.origin),
            additional_headers=self._headers(),
            subprotocols=["streamlit", *self._tokens()],
            open_timeout=WAIT,
            max_size=None,
            ping_interval=None,
            proxy=None,
        )
        self.wire = self.standing.enter_context(opening)
        assert self.wire.response is not None
        self._keep(self.wire.response.headers.get_all("Set-Cookie"))
        return self.run()

    def _tokens(self) -> list[Any]:
        token = self.cookies.get("_streamlit_xsrf", "none")
        return [token, self.session] if self.session else [token]

    def set(self, label: str, number: int) -> Learner:
        """Change one of the page's numbers."""
        self.widgets[label].int_value = number
        return self.run()

    def run(self) -> Learner:
        """Have the page run, and read until it is done."""
        asked = BackMsg()
        asked.rerun_script.query_string = self.query
        asked.rerun_script.page_name = self.page
        for widget in self.widgets.values():
            asked.rerun_script.widget_states.widgets.append(widget)
        assert self.wire is not None
        self.wire.send(asked.SerializeToString())
        while True:
            told = ForwardMsg()
            told.ParseFromString(self.wire.recv(timeout=WAIT))
            kind = told.WhichOneof("type")
            # early where a callback has asked for a part of the page instead
            early = told.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
            if kind == "script_finished" and not early:
                return self
            if kind == "new_session":
                self.session = told.new_session.initialize.session_id
            elif kind == "page_info_changed":
                self.query = told.page_info_changed.query_string
            elif kind == "delta" and told.delta.WhichOneof("type") == "new_element":
                self._see(told.delta.new_element)

    def _see(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        assert kind != "exception", element.exception.message
        if kind == "number_input":
            found = element.number_input
            state = WidgetStates().widgets.add()
            state.id = found.id
            state.int_value = int(found.value if found.set_value else found.default)
            if found.set_value or found.label not in self.widgets:
                self.widgets[found.label] = state
        elif kind == "file_uploader":
            self.uploads.append(element.file_uploader.id)
        elif kind == "bidi_component" and element.bidi_component.component_name.endswith("player"):
            self.stage = json.loads(element.bidi_component.json)

    def upload(self, name: str = "page.md", text: bytes = b"# nothing", file: str = "one") -> int:
        """The status that an upload into this session gets."""
        edge = "dmlviz-edge"
        body = (
            f'--{edge}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n'
            f"Content-Type: text/markdown\r\n\r\n"
        ).encode()
        return self.ask(
            "PUT",
            f"/_stcore/upload_file/{self.session}/{file}",
            body + text + f"\r\n--{edge}--\r\n".encode(),
            Content_Type=f"multipart/form-data; boundary={edge}",
            X_Xsrftoken=self.cookies.get("_streamlit_xsrf", ""),
        )[0]

    @property
    def alive(self) -> bool:
        """Whether the WebSocket still stands."""
        assert self.wire is not None
        try:
            self.wire.ping().wait(WAIT)
        except ConnectionClosed:
            return False
        return True

    def close(self) -> None:
        """Leave."""
        self.standing.close()
