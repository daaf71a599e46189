"""Connections that send nothing take no place from those that do."""

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
    """Take the open files that this process may have; the number of connections that may wait."""
    if resource is None:
        return _MANY
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH if hard == resource.RLIM_INFINITY else min(hard, _ENOUGH)
    # macOS gives less than it says
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    return min(_MANY, max(soft, wanted) // 4)


class Waiting:
    """The connections without a request, the one that has waited longest first.

    uvicorn has no time limit for a request's header.  Where too many wait, the first of them
    is closed: a browser sends its header at once, and never comes to be the first.

    Args:
        most: how many may wait.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._all: OrderedDict[Any, None] = OrderedDict()

    def add(self, connection: Any) -> None:
        """From now on this one waits for a request."""
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
    """Have short answers not wait for a telephone to acknowledge what came before: 40 ms."""
    opened = transport.get_extra_info("socket")
    # Python does so by itself only where a socket says that it is TCP, and Streamlit's does not
    if opened is not None and opened.family in (socket.AF_INET, socket.AF_INET6):
        with contextlib.suppress(OSError):
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def bound_waiting(protocol: Any = AutoHTTPProtocol) -> None:
    """Have uvicorn's connections bounded by :class:`Waiting`, once for the process."""
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
