"""Sessions without a browser: they use Streamlit's own protocol with a running server.

The messages are those of the installed package; a widget is found by the key that the app gave
it, which is the end of its identifier.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

PATIENCE = 120.0
"""The most seconds for a response."""

_DONE = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


class Failed(RuntimeError):
    """The app showed an exception, or the script did not end as it should."""


@dataclass
class Learner:
    """One session.

    Attributes:
        address: of the server, ``http://127.0.0.1:8501``.
        page: the page's address within it, ``tile``; empty for the first page.
        query: the words of the address, without the question mark.
        cookie: what a browser would have kept, ``name=value``.
        widgets: identifiers by key, from what was drawn so far.
        received: bytes that came, in all.
    """

    address: str
    page: str = ""
    query: str = ""
    cookie: str = ""
    widgets: dict[str, str] = field(default_factory=dict)
    received: int = 0
    seen: list[ForwardMsg] = field(default_factory=list)
    keeps: bool = False
    _connection: ClientConnection | None = None
    _states: dict[str, WidgetState] = field(default_factory=dict)
    _script: str = ""
    _fragment: str = ""

    async def open(self) -> float:
        """Connect and have the page drawn; the seconds that it took."""
        begun = time.perf_counter()
        parts = urlsplit(self.address)
        headers = {"Cookie": self.cookie} if self.cookie else {}
        self._connection = await connect(
            f"ws://{parts.netloc}{parts.path.rstrip('/')}/_stcore/stream",
            subprotocols=["streamlit"],  # type: ignore[list-item]
            origin=f"http://{parts.netloc}",  # type: ignore[arg-type]
            additional_headers=headers,
            max_size=None,
            compression=None,
            open_timeout=PATIENCE,
        )
        await self._rerun()
        return time.perf_counter() - begun

    async def change(self, key: str, value: Any) -> float:
        """Set a widget as a person does, and wait for the new page; the seconds that it took.

        Args:
            key: of the widget, as the app named it.
            value: a bool, int, float or str, or None to press a button.

        Raises:
            KeyError: no such widget has been drawn.
            Failed: the app showed an exception.
        """
        begun = time.perf_counter()
        found = WidgetState(id=self.widgets[key])
        if value is None:
            found.trigger_value = True
        elif isinstance(value, bool):
            found.bool_value = value
        elif isinstance(value, int):
            found.int_value = value
        elif isinstance(value, float):
            found.double_value = value
        else:
            found.string_value = value
        self._states[key] = found
        await self._rerun()
        if value is None:
            del self._states[key]
        return time.perf_counter() - begun

    async def ask_again(self) -> float:
        """What the page's own clock has it do: run the fragment again that it drew last."""
        assert self._fragment, "the page has no clock"
        begun = time.perf_counter()
        await self._rerun(self._fragment)
        return time.perf_counter() - begun

    async def close(self) -> None:
        """As closing the browser's tab does."""
        if self._connection is not None:
            await self._connection.close()

    async def _rerun(self, fragment: str = "") -> None:
        assert self._connection is not None
        asked = BackMsg()
        asked.rerun_script.query_string = self.query
        asked.rerun_script.fragment_id = fragment
        asked.rerun_script.is_auto_rerun = bool(fragment)
        asked.rerun_script.page_name = "" if self._script else self.page
        asked.rerun_script.page_script_hash = self._script
        asked.rerun_script.widget_states.widgets.extend(self._states.values())
        asked.rerun_script.context_info.locale = "en-US"
        asked.rerun_script.context_info.url = f"{self.address}/{self.page}"
        await self._connection.send(asked.SerializeToString())
        self.seen.clear()
        started = False
        async with asyncio.timeout(PATIENCE):
            while True:
                packed = await self._connection.recv()
                assert isinstance(packed, bytes)
                self.received += len(packed)
                message = ForwardMsg.FromString(packed)
                if self.keeps:
                    self.seen.append(message)
                kind = message.WhichOneof("type")
                if kind == "new_session":
                    started = True
                    self._script = self._script or message.new_session.page_script_hash
                elif kind == "navigation":
                    self._script = message.navigation.page_script_hash
                elif kind == "delta":
                    self._take(message)
                elif kind == "auto_rerun":
                    self._fragment = message.auto_rerun.fragment_id
                elif kind == "page_info_changed":
                    self.query = message.page_info_changed.query_string
                elif kind == "script_finished" and started:
                    if message.script_finished in _DONE:
                        return
                    if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                        raise Failed(f"the script ended with {message.script_finished}")

    def _take(self, message: ForwardMsg) -> None:
        if message.delta.WhichOneof("type") != "new_element":
            return
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind is None:
            return
        if kind == "exception":
            raise Failed(f"{element.exception.type}: {element.exception.message}")
        identifier = getattr(getattr(element, kind), "id", "")
        if identifier.startswith("$$"):
            # $$ID-<hash>-<key>
            self.widgets[identifier.split("-", 2)[-1]] = identifier
