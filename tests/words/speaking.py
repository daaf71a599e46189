"""A language that is not one: every message in brackets, so that what was not asked for shows."""

from __future__ import annotations

from pathlib import Path

from babel.messages.catalog import Catalog

from tests.words.extract import template, text_of

BRACKETED = "eo"
"""Its code; nobody writes a catalogue of that language here."""


def bracketed(text: str) -> str:
    return f"⟦{text}⟧"


def write_bracketed(folder: Path) -> None:
    """The catalogue, into a folder that takes the place of assets/locale."""
    found = Catalog(locale=BRACKETED, fuzzy=False)
    for message in template():
        if isinstance(message.id, tuple | list):
            forms = [bracketed(form) for form in message.id]
            found.add(tuple(message.id), tuple(forms))
        elif message.id:
            found.add(message.id, bracketed(message.id))
    path = folder / BRACKETED / "LC_MESSAGES" / "dmlviz.po"
    path.parent.mkdir(parents=True)
    path.write_bytes(text_of(found))
