"""Closes idle connections so that they do not block active ones."""

from __future__ import annotations

import contextlib
import socket
from collections import OrderedDict
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None  # type: ignore[assignment]

_ENOUGH = 65_536
_MANY = 1_024


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
