"""Codes to join by, and tokens that are secrets."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without I, L and O, which are read as one another and as numbers."""

_CODE = re.compile(f"[{LETTERS}]{{4}}")
_TOKEN_BYTES = 16
_LONGEST_TOKEN = 64


def new_code() -> str:
    """Four letters at random; they open nothing but the door to join."""
    return "".join(secrets.choice(LETTERS) for _letter in range(4))


def read_code(text: str) -> str | None:
    """A code as somebody typed it; None where it cannot be one.

    >>> read_code(" abcd "), read_code("AB-CD"), read_code("ABCO"), read_code("ABC")
    ('ABCD', 'ABCD', None, None)
    """
    found = text[:16].strip().upper().replace("-", "").replace(" ", "")
    return found if _CODE.fullmatch(found) else None


def new_token() -> str:
    """A secret of 128 bits, as 22 letters that an address can hold."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def hashed(token: str) -> str:
    """What is stored of a token: SHA-256, in hexadecimal digits."""
    return hashlib.sha256(token[:_LONGEST_TOKEN].encode("utf-8", "replace")).hexdigest()


def fits(token: str, stored: str) -> bool:
    """Whether a token is the one whose hash is stored, in constant time."""
    return hmac.compare_digest(hashed(token), stored)
