"""The content security policy of our pages, for a ``<meta>`` element."""

from __future__ import annotations

import base64
import hashlib

OWN = "'self' file:"
"""Files beside the page, on a web host or in a folder (where some browsers know no 'self')."""


def policy(
    scripts: str, styles: str = "", images: str = "", workers: str = "", fetched: str = ""
) -> str:
    """Allow only the given sources and what the stage itself needs.

    Plotly writes style elements; its picture for a video is a blob.

    Args:
        scripts: sources of scripts; ``'unsafe-inline'`` and ``'unsafe-eval'`` are never needed.
        styles: sources of style sheets, besides styles in the page.
        images: sources of pictures, besides those that the page makes itself.
        workers: sources of workers.
        fetched: what scripts may fetch.
    """
    rules = {
        "default-src": "'none'",
        "script-src": scripts,
        "style-src": f"'unsafe-inline' {styles}",
        "img-src": f"data: blob: {images}",
        "worker-src": workers,
        "connect-src": fetched,
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {sources}".strip() for name, sources in rules.items() if sources)


LIVE = policy(
    "'self' 'wasm-unsafe-eval'",
    styles="'self'",
    images="'self'",
    workers="'self'",
    fetched="'self'",
)
"""The header that a web server should send with every file of a live site: it holds for workers."""


def script_hash(text: str) -> str:
    """The source that permits one inline script, and no other."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
