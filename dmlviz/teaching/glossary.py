"""Every term of the lessons: one sentence and one picture, linked at the term's first use."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import force_setattr

from dmlviz.base import words
from dmlviz.base.cache import cached
from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.places import ASSETS
from dmlviz.base.words import _, speaking
from dmlviz.teaching.files import decode_table, error_at, file_in, fill_texts, read_toml

FOLDER = ASSETS


# no space follows a term before Korean particles, or before the next word in Japanese or Chinese
_JOINED = r"(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])"


class Term(Struct, frozen=True, forbid_unknown_fields=True):
    """One term.

    Attributes:
        key: its anchor on the glossary page.
        name: its name on the page.
        sentence: what it means; it uses only terms that come earlier in the glossary.
        link: the address of the state that shows it.
        forms: its spellings in texts, singular and plural; by default its name. A form can begin
            a sentence.
        links: whether texts lead here. Lessons explain the other terms where they use them, so
            that no part has many new words.
    """

    key: str
    name: str
    sentence: str
    link: str
    forms: tuple[str, ...] = ()
    links: bool = True

    def __post_init__(self) -> None:
        """Take the name for its only form."""
        if not self.forms:
            force_setattr(self, "forms", (self.name,))


@dataclass(frozen=True)
class Use:
    """A use of a term in a text: ``text[start:end]`` is one of its forms."""

    term: Term
    start: int
    end: int


def glossary(language: str | None = None) -> tuple[Term, ...]:
    """Every term, ordered so that each explanation uses only earlier terms.

    Args:
        language: of the file to read, by default the current language; English is used
            if there is no such file.

    Raises:
        Error: the file is not a valid glossary; the message names the key.
    """
    with speaking(language or words.locale()) as spoken:
        return _glossary(spoken)


@cached(megabytes=2)
def _glossary(language: str) -> tuple[Term, ...]:
    path = file_in(FOLDER, "glossary", language)
    return read_glossary(path.read_text(encoding="utf-8"), path.name)


def read_glossary(text: str, file: str) -> tuple[Term, ...]:
    """The terms in the text of a file: one table each.

    Args:
        text: TOML.
        file: its name, for messages.

    Raises:
        Error: it is not TOML; a key is unknown, missing or of the wrong type; a form appears twice.
    """
    terms: list[Term] = []
    forms: set[str] = set()
    for key, table in read_toml(text, file).items():
        entry = {**table, "key": key} if isinstance(table, dict) else table
        term: Term = fill_texts(decode_table(entry, Term, file, key), file, key)
        # in another vocabulary, two forms of a term can be the same
        for form in dict.fromkeys(term.forms):
            if form in forms:
                rule = _("{form} appears twice.").format(form=form)
                raise error_at(file, f"{key}.forms", rule)
            forms.add(form)
        terms.append(term)
    return tuple(terms)


def first_uses(text: str, linked_terms: set[str], terms: Sequence[Term]) -> list[Use]:
    """The first use of each term in a text, from left to right.

    Args:
        text: that a learner reads.
        linked_terms: keys of terms already used; this function adds those that it finds.
        terms: to look for.
    """
    by_form = {
        written: term
        for term in terms
        for form in term.forms
        for written in (form, form[:1].upper() + form[1:])
    }
    uses = []
    for form in _pattern(tuple(by_form)).finditer(text):
        term = by_form[form[0]]
        if term.key not in linked_terms:
            linked_terms.add(term.key)
            uses.append(Use(term, form.start(), form.end()))
    return uses


@cached(megabytes=1, words=False)
def _pattern(forms: tuple[str, ...]) -> re.Pattern[str]:
    # the longest form first: "data type" before "type"
    ordered = sorted(forms, key=len, reverse=True)
    return regex(rf"(?<![\w-])(?:{'|'.join(map(re.escape, ordered))})(?:(?![\w-])|{_JOINED})")


def linked(text: str, linked_terms: set[str], terms: Sequence[Term], more: str = "") -> str:
    """The text as Markdown, with each term's first use linked to the glossary.

    A link's title is the term's sentence.

    Text in backticks is unchanged.

    Args:
        text: Markdown without links.
        linked_terms: as :func:`first_uses` takes it.
        terms: to look for.
        more: what to append to the links' addresses, such as ``&lang=ko``.
    """
    parts = text.split("`")
    leading = [term for term in terms if term.links]
    for i in range(0, len(parts), 2):
        for use in reversed(first_uses(parts[i], linked_terms, leading)):
            form = parts[i][use.start : use.end]
            # the title is what a tap or the focus shows: frame.js
            said = use.term.sentence.replace("\\", "\\\\").replace('"', '\\"')
            link = f'[{form}](glossary?term={use.term.key}{more} "{said}")'
            parts[i] = parts[i][: use.start] + link + parts[i][use.end :]
    return "`".join(parts)
