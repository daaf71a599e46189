"""Every message of the code as a template, and each language's catalogue brought up to it.

    python -m tests.words.extract

keeps translations, and renews the list of the app's files; what is new stands there empty, what has changed a little is marked fuzzy.
``python -m tests.words.extract ja`` begins a language.
"""

from __future__ import annotations

import re
import sys
import tomllib
from io import BytesIO
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from tests.sums import write_sums

ROOT = Path(__file__).resolve().parents[2]
LOCALE = ROOT / "assets" / "locale"
TEMPLATE = LOCALE / "dmlviz.pot"
SOURCES = ("app.py", "pages/*.py", "dmlviz/**/*.py")
TEXTS = ("dmlviz/operators/*.toml", "dmlviz/teaching/*.toml")
# what of a preset, a name or a case is no message
_NO_MESSAGES = {
    "key",
    "link",
    "icon",
    "family",
    "name",
    "call",
    "also",
    "near",
    "dialect",
    "state",
    "names",
}

_KEYWORDS = {"_": None, "ngettext": (1, 2)}
# a date in it would differ whenever anybody looks
_DATED = re.compile(
    rb'^"(?:POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Generated-By'
    rb"|Report-Msgid-Bugs-To):.*\n",
    re.MULTILINE,
)


def template() -> Catalog:
    """Every message that the code says now."""
    found = Catalog(
        project="dmlviz", version="1", header_comment="# dmlviz: every word that a reader sees."
    )
    paths = [path for pattern in SOURCES for path in sorted(ROOT.glob(pattern))]
    for path in paths:
        name = path.relative_to(ROOT).as_posix()
        messages = extract_from_file("python", path, _KEYWORDS, ("Translators:",))
        for line, message, comments, _context in messages:
            flags = ("python-brace-format",) if "{" in str(message) else ()
            found.add(message, locations=[(name, line)], auto_comments=comments, flags=flags)
    for path in (path for texts in TEXTS for path in sorted(ROOT.glob(texts))):
        name = path.relative_to(ROOT).as_posix()
        for message in _messages(tomllib.loads(path.read_text(encoding="utf-8"))):
            found.add(message, locations=[(name, 1)])
    return found


def _messages(said):
    """Every message of an operator's file; one and many make a pair."""
    if isinstance(said, str):
        yield said
    elif isinstance(said, list):
        for part in said:
            yield from _messages(part)
    elif isinstance(said, dict):
        if said.keys() == {"one", "many"}:
            yield said["one"], said["many"]
            return
        for key, part in said.items():
            if key not in _NO_MESSAGES:
                yield from _messages(part)


def catalogue(language: str) -> Catalog:
    """What a language has now."""
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def path_of(language: str) -> Path:
    """Its file."""
    return LOCALE / language / "LC_MESSAGES" / "dmlviz.po"


def text_of(found: Catalog) -> bytes:
    """A catalogue as it stands in its file."""
    out = BytesIO()
    write_po(
        out, found, width=100, ignore_obsolete=True, include_lineno=False, include_previous=False
    )
    text = _DATED.sub(b"", out.getvalue())
    if found.locale is None:
        return text
    # Babel writes no headers of others
    named = f'"X-Language-Name: {found.locale.get_display_name()}\\n"\n'.encode()
    return text.replace(b'"MIME-Version:', named + b'"MIME-Version:', 1)


def update(language: str, found: Catalog) -> Catalog:
    """A language's catalogue with the messages of the template; a new one where it has none."""
    if not path_of(language).exists():
        kept = Catalog(locale=Locale.parse(language), project="dmlviz", version="1", fuzzy=False)
    else:
        kept = catalogue(language)
    kept.update(found, update_header_comment=True)
    kept.obsolete.clear()
    kept.fuzzy = False
    return kept


def main(languages: list[str]) -> None:
    """Write the template and every catalogue."""
    found = template()
    LOCALE.mkdir(parents=True, exist_ok=True)
    TEMPLATE.write_bytes(text_of(found))
    there = [path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/dmlviz.po")]
    for language in sorted({*there, *languages}):
        path_of(language).parent.mkdir(parents=True, exist_ok=True)
        path_of(language).write_bytes(text_of(update(language, found)))


if __name__ == "__main__":
    main(sys.argv[1:])
    write_sums()
