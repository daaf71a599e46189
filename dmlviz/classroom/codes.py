"""Codes for joining a class, and secret tokens."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from dmlviz.base.deferred import regex

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without I, L and O, which are easily confused with each other and with digits."""

_NEW = "".join(sorted({*LETTERS} - {*"AEUY"}))
"""Those of new codes: without vowels they spell no words."""

_CODE = regex(f"[{LETTERS}]{{4}}")
_TOKEN_BYTES = 16
_LONGEST_TOKEN = 64


def new_code() -> str:
    """Four random letters; they only let a device join."""
    return "".join(secrets.choice(_NEW) for _letter in range(4))


def read_code(text: str) -> str | None:
    """The code that somebody typed; None if it is not a valid code.

    >>> read_code(" abcd "), read_code("AB-CD"), read_code("ABCO"), read_code("ABC")
    ('ABCD', 'ABCD', None, None)
    """
    code = text[:16].strip().upper().replace("-", "").replace(" ", "")
    return code if _CODE.fullmatch(code) else None


def new_token() -> str:
    """A secret of 128 bits, as 22 letters that an address can hold."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def hashed(token: str) -> str:
    """The SHA-256 hash that is stored for a token, in hexadecimal digits."""
    return hashlib.sha256(token[:_LONGEST_TOKEN].encode("utf-8", "replace")).hexdigest()


def grouped(address: str, key: str) -> int:
    """The group of an address, 0 to 65,535; -1 for no address.

    It tells addresses apart and names none: each group is that of 65,536 IPv4 addresses.

    Args:
        address: of a visitor.
        key: groups of different keys cannot be compared.
    """
    if not address:
        return -1
    digest = hmac.digest(key.encode(), address.encode("utf-8", "replace"), "sha256")
    return int.from_bytes(digest[:2])


def fits(token: str, stored: str) -> bool:
    """Whether a token matches the stored hash, compared in constant time."""
    return hmac.compare_digest(hashed(token), stored)
