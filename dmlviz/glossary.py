"""Every term that a lesson uses: one sentence and one picture, linked where it is first used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dmlviz import words
from dmlviz.kept import kept
from dmlviz.lessons.reading import Table, read_toml
from dmlviz.places import ASSETS
from dmlviz.words import _, speaking

FOLDER = ASSETS


# Korean writes particles, Japanese and Chinese the next word, without a space behind a term
_JOINED = r"(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])"


@dataclass(frozen=True)
class Term:
    """One word of the trade.

    Attributes:
        key: its anchor on the glossary's page.
        name: as the page shows it.
        sentence: what it means, in words that stand before it in the glossary.
        link: of the state that shows it.
        forms: how it is written in texts, singular and plural; a form may begin a sentence.
    """

    key: str
    name: str
    sentence: str
    link: str
    forms: tuple[str, ...]


@dataclass(frozen=True)
class Use:
    """A term where a text uses it: ``text[start:end]`` is one of its forms."""

    term: Term
    start: int
    end: int


def glossary(language: str | None = None) -> tuple[Term, ...]:
    """Every term, in an order in which each is explained by earlier ones.

    Args:
        language: of the file to prefer, the one that is spoken where none is given; English
            where there is no such file.

    Raises:
        Error: the file is no glossary; the sentence names the key.
    """
    with speaking(language or words.language()) as spoken:
        return _glossary(spoken)


@kept(megabytes=2)
def _glossary(language: str) -> tuple[Term, ...]:
    path = FOLDER / f"glossary.{language}.toml"
    path = path if path.exists() else FOLDER / "glossary.en.toml"
    return read_glossary(path.read_text(encoding="utf-8"), path.name)


def read_glossary(text: str, file: str) -> tuple[Term, ...]:
    """The terms that a file's text holds: one table each.

    Args:
        text: TOML.
        file: its name, for what is said of it.

    Raises:
        Error: it is not TOML; a key is unknown, missing or of the wrong kind; a form appears twice.
    """
    found: list[Term] = []
    known: set[str] = set()
    whole = Table(read_toml(text, file), file, "")
    for key in whole.data:
        table = whole.table(key)
        link = table.link = table.get("link", str)
        name = table.text("name")
        term = Term(key, name, table.text("sentence"), link, table.texts("forms", usual=[name]))
        table.done()
        for form in term.forms:
            if form in known:
                raise table.error("forms", _("{form} appears twice.").format(form=form))
            known.add(form)
        found.append(term)
    return tuple(found)


def first_uses(text: str, seen: set[str], terms: Sequence[Term]) -> list[Use]:
    """Where a text uses terms for the first time, from left to right.

    Args:
        text: of a learner.
        seen: keys of the terms that were used before; those found here are added.
        terms: to look for.
    """
    by_form = {
        written: term
        for term in terms
        for form in term.forms
        for written in (form, form[:1].upper() + form[1:])
    }
    uses = []
    for found in _pattern(tuple(by_form)).finditer(text):
        term = by_form[found[0]]
        if term.key not in seen:
            seen.add(term.key)
            uses.append(Use(term, found.start(), found.end()))
    return uses


@kept(megabytes=1, words=False)
def _pattern(forms: tuple[str, ...]) -> re.Pattern[str]:
    # the longest form first: "data type" before "type"
    ordered = sorted(forms, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, ordered))})(?:(?![\w-])|{_JOINED})")


def linked(text: str, seen: set[str], terms: Sequence[Term], more: str = "") -> str:
    """The text as Markdown, each term a link to the glossary where it is first used.

    What stands in backticks is left alone.

    Args:
        text: Markdown without links.
        seen: as :func:`first_uses` takes it.
        terms: to look for.
        more: of the links' addresses, such as ``&lang=ko``.
    """
    parts = text.split("`")
    for i in range(0, len(parts), 2):
        for use in reversed(first_uses(parts[i], seen, terms)):
            shown = parts[i][use.start : use.end]
            link = f"[{shown}](glossary?term={use.term.key}{more})"
            parts[i] = parts[i][: use.start] + link + parts[i][use.end :]
    return "`".join(parts)
