"""Limits the uploads that a session leaves on the server to a few files.

Streamlit keeps every file that a session sends until the session ends, even without a widget
for uploads.
"""

from __future__ import annotations

from collections import Counter

from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

MOST_FILES = 4
"""The most files of one session: a page to verify is one, and the next arrives before it goes."""
MOST_BYTES = 4_000_000
"""The most bytes of one session's files; the newest is kept whatever its size."""
AT_ONCE = 2
"""The most files that one session can send at the same time."""

_PLACE = "/_stcore/upload_file/"


def bounded() -> list[Middleware]:
    """Middleware for ``st.App`` that deletes a session's oldest uploads if there are too many."""
    return [Middleware(_Uploads)]


class _Uploads:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.coming: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        _before, place, names = scope.get("path", "").partition(_PLACE)
        if not place or scope.get("method") != "PUT":
            await self.app(scope, receive, send)
            return
        session = names.partition("/")[0]
        if self.coming[session] >= AT_ONCE:
            await PlainTextResponse("Too many uploads at once", 429)(scope, receive, send)
            return
        self.coming[session] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.coming[session] -= 1
            # drop the counts of sessions that send nothing
            self.coming += Counter()
            _drop_oldest(session)


def _drop_oldest(session: str) -> None:
    manager = Runtime.instance().uploaded_file_mgr
    assert isinstance(manager, MemoryUploadedFileManager)
    files = list(manager.file_storage.get(session, {}).values())
    total = sum(len(file.data) for file in files)
    for number, file in enumerate(files[:-1]):
        if len(files) - number <= MOST_FILES and total <= MOST_BYTES:
            return
        manager.remove_file(session, file.file_id)
        total -= len(file.data)
