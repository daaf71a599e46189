"""QR codes of addresses."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO

from dmlviz.base.words import _

MOST_SCANNED = 2_000
"""The most characters of a QR code that phones can read from a projector."""


def qr_code(address: str) -> bytes:
    """A QR code of the address as a PNG; empty if the address is too long."""
    if len(address) > MOST_SCANNED:
        return b""
    import segno

    out = BytesIO()
    segno.make(address, micro=False, error="l").save(out, kind="png", scale=8, border=4)
    return out.getvalue()


def qr_image(address: str) -> str:
    """The same as an address of its data, which an image has as its source."""
    code = b64encode(qr_code(address)).decode("ascii")
    return f"data:image/png;base64,{code}" if code else ""


def too_long(address: str) -> str:
    """Why there is no QR code."""
    return _(
        "The address has {count:,} characters, too many for a QR code that a phone can "
        "read; the limit is {most:,}."
    ).format(count=len(address), most=MOST_SCANNED)
