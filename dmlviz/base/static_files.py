"""Files whose address changes with them, so that browsers cache them forever."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping

from dmlviz.base.extras import extra

with extra("app"):
    from starlette.responses import Response

HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    "Vary": "Accept-Encoding",
}
"""The headers of their responses."""


def unchanging(
    asked: Mapping[str, str], body: Callable[[bool], bytes], media_type: str
) -> Response:
    """A file as a browser asks for it.

    Args:
        asked: the headers of the request.
        body: the file's bytes, compressed with gzip if its argument is true.
        media_type: of the file, such as ``text/css``.
    """
    packed = takes_gzip(asked)
    encoding = {"Content-Encoding": "gzip"} if packed else {}
    return Response(body(packed), headers=HEADERS | encoding, media_type=media_type)


def takes_gzip(asked: Mapping[str, str]) -> bool:
    """Whether a request that has passed the origin check accepts gzip."""
    return "gzip" in asked.get("accept-encoding", "")


def compressed(plain: bytes) -> bytes:
    """The same bytes for the same file, as small as gzip makes them."""
    return gzip.compress(plain, 9, mtime=0)
