"""Words of another field in messages: NumPy's shape and axis for DirectML's sizes and dimension.

A vocabulary is a list of forms for each language in ``assets/vocabularies``. It changes messages
before they are filled in, so that values, names of fields, code and links stay as they are.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.places import ASSETS

FOLDER = ASSETS / "vocabularies"

DIRECTML, NUMPY = "directml", "numpy"
VOCABULARIES = (DIRECTML, NUMPY)
"""DirectML's words, which are those of the messages, and the others."""

COOKIE = "dmlviz-words"
"""The cookie in which browsers remember the vocabulary that a reader chose."""

# what is no prose: code, what is filled in, addresses, and the field that a sentence is about
_MASKED = regex(r"`[^`]*`|\{\{.*?\}\}|\{[^{}]*\}|\]\([^)]*\)|^[a-z_]+(?=: )")
_MASK = "\ue000"
_ABOUT_SIZES = regex(r"\bsizes\b", re.IGNORECASE)
# a title in quotation marks begins as a sentence does
_BEGINS = regex(rf"(?:^|[.?!{_MASK}] |\n|\*\*|^> |“)$")


class Forms:
    """What is said in place of other words.

    Args:
        said: by what it replaces; ``{}`` stands for anything masked. A form is whole words, but a
            word that does not end with a Latin letter can go on, as Korean ones do. Of forms that
            begin at the same place, the longest counts.
    """

    def __init__(self, said: Mapping[str, str]) -> None:
        self._replacements = {_masked(form): _masked(new) for form, new in said.items()}
        longest_first = sorted(self._replacements, key=len, reverse=True)
        any_form = "|".join(map(_expression, longest_first)) or "(?!)"
        self._pattern = regex(rf"(?<![\w{_MASK}])(?:{any_form})")

    def changed(self, text: str) -> str:
        """A text, masked, in these words."""
        return self._pattern.sub(self._replaced, text)

    def _replaced(self, match: re.Match[str]) -> str:
        form = match[0]
        if form in self._replacements:
            return self._replacements[form]
        # a capital is a word of the sentence only where the sentence begins; elsewhere it is a name
        if not _BEGINS.search(match.string[: match.start()]):
            return form
        said = self._replacements[form[0].lower() + form[1:]]
        return said[0].upper() + said[1:]


def _masked(form: str) -> str:
    return form.replace("{}", _MASK)


def _expression(form: str) -> str:
    """A form as a regular expression, also with a capital."""
    first = form[0]
    either = f"[{first}{first.upper()}]" if first.islower() else re.escape(first)
    end = r"(?![\w=])" if form[-1].isascii() and form[-1].isalpha() else ""
    return either + re.escape(form[1:]) + end


@dataclass(frozen=True)
class Vocabulary:
    """A vocabulary in a language.

    Attributes:
        messages: forms in messages.
        about_sizes: forms in messages whose English says "sizes".
        files: forms in texts of files, whose English is another file.
        whole: what is said in place of whole texts.
    """

    messages: Forms
    about_sizes: Forms
    files: Forms
    whole: Mapping[str, str]

    def in_words(self, text: str, english: str = "") -> str:
        """A message in these words.

        Args:
            text: in the language of the forms, before anything is filled in.
            english: the message in English; empty for a text of a file.
        """
        if text in self.whole:
            return self.whole[text]
        forms = self.messages if english else self.files
        if _ABOUT_SIZES.search(_MASKED.sub(_MASK, english)):
            forms = self.about_sizes
        masked = iter(_MASKED.findall(text))
        changed = forms.changed(_MASKED.sub(_MASK, text))
        return re.sub(_MASK, lambda _match: next(masked), changed)


@cache
def vocabulary(name: str, language: str) -> Vocabulary:
    """A vocabulary in a language; without forms if there is none.

    Args:
        name: one of :data:`VOCABULARIES`.
        language: one of :func:`dmlviz.base.words.languages`.
    """
    path = FOLDER / f"{name}.{language}.toml"
    tables = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    always = {form: form for form in tables.get("keep", ())} | tables.get("forms", {})
    return Vocabulary(
        Forms(always),
        Forms({**tables.get("about_sizes", {}), **always}),
        Forms({**tables.get("files", {}), **always}),
        tables.get("whole", {}),
    )
