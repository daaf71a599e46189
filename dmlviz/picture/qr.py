"""QR codes of addresses."""

from __future__ import annotations

from io import BytesIO

import segno

from dmlviz.words import _

MOST_SCANNED = 2_000
"""The most characters of a QR code that phones can read from a projector."""


def qr_code(address: str) -> bytes:
    """A QR code of the address as a PNG; empty if the address is too long."""
    if len(address) > MOST_SCANNED:
        return b""
    out = BytesIO()
    segno.make(address, micro=False, error="l").save(out, kind="png", scale=8, border=4)
    return out.getvalue()


def too_long(address: str) -> str:
    """Why there is no QR code."""
    return _(
        "The address has {count:,} characters, too many for a QR code that a phone can "
        "read; the limit is {most:,}."
    ).format(count=len(address), most=MOST_SCANNED)
