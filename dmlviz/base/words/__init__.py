"""Messages for people: the only place that translates a message to the reader's language.

Every text that a user reads passes through :func:`_`.  Messages are written in
English with named placeholders, filled in after translation, so that a
translator can change the order of words::

    _("{field} is {value}").format(field="repeats", value=0)

In a Korean message, a particle can depend on a field's value: see
:mod:`dmlviz.base.words.particles`.

The same language can be spoken in the words of another field: see
:mod:`dmlviz.base.words.vocabularies`.
A locale is a language with its vocabulary, in gettext's notation: ``ko@numpy`` is Korean in
NumPy's words.

A language is a folder in ``assets/locale`` with a .po file, read when the language is first
used.  Each thread has its own language, so visitors do not affect each other.  A door, such as a
page's run, a request or a command, says once what is spoken there, with :func:`speaking`; a
widget's callback asks once with :func:`in_one_language`.  Elsewhere each message asks.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from io import BytesIO
from pathlib import Path
from typing import ParamSpec, TypeVar

from dmlviz.base.deferred import dataclass
from dmlviz.base.places import ASSETS
from dmlviz.base.words.particles import MARKER, WithParticles
from dmlviz.base.words.vocabularies import DIRECTML, VOCABULARIES, Vocabulary
from dmlviz.base.words.vocabularies import vocabulary as _vocabulary

LOCALE = ASSETS / "locale"

ENGLISH = "en"
"""The language of the messages in the code; used if another language has no translation."""

_MOST = 60
_DOMAIN = "dmlviz"
_NAME = "x-language-name"  # a catalogue's header, as gettext spells it

_P = ParamSpec("_P")
_R = TypeVar("_R")

_askers: list[Callable[[], str | None]] = []


@dataclass(frozen=True)
class _Locale:
    """A language with its vocabulary, looked up once, that says many messages.

    Attributes:
        name: as :func:`speaking` takes it.
        language: one of :func:`languages`.
        vocabulary: one of :data:`vocabularies.VOCABULARIES`.
        catalogue: of the language; None for English, whose messages are in the code.
        forms: of the vocabulary; None for DirectML's, which is that of the messages.
    """

    name: str
    language: str
    vocabulary: str
    catalogue: gettext.NullTranslations | None
    forms: Vocabulary | None

    def text(self, message: str) -> str:
        """What this locale says for a message."""
        if self.catalogue is None:
            return message if self.forms is None else self.forms.in_words(message, message)
        return self.worded(self.catalogue.gettext(message), message)

    def plural(self, one: str, many: str, count: int) -> str:
        """The form of a message that fits a count."""
        catalogue = self.catalogue or _ENGLISH_FORMS
        return self.worded(catalogue.ngettext(one, many, count), many)

    def worded(self, text: str, english: str) -> str:
        """A text in the words of the vocabulary; its ``format`` chooses the particles, if any."""
        if self.forms is not None:
            text = self.forms.in_words(text, english)
        return WithParticles(text) if self.catalogue and MARKER.search(text) else text


_ENGLISH_FORMS = gettext.NullTranslations()
_spoken: ContextVar[_Locale | None] = ContextVar("spoken", default=None)


def _(message: str) -> str:
    """The message in the reader's language, or the message itself if there is no translation.

    >>> _("Input")
    'Input'
    """
    return (_spoken.get() or _asked()).text(message)


def ngettext(one: str, many: str, count: int) -> str:
    """The form of a message that fits ``count``.

    >>> ngettext("{n} element", "{n} elements", 54).format(n=54)
    '54 elements'
    """
    return (_spoken.get() or _asked()).plural(one, many, count)


def of_file(text: str) -> str:
    """A text of a file that is in the reader's language, in the reader's vocabulary."""
    forms = (_spoken.get() or _asked()).forms
    return text if forms is None else forms.in_words(text)


def listed(names: Sequence[str]) -> str:
    """Several names joined for a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    if len(names) < 2:
        return "".join(names)
    return _("{first} and {last}").format(first=", ".join(names[:-1]), last=names[-1])


def language() -> str:
    """The current language of this thread, one of :func:`languages`."""
    return (_spoken.get() or _asked()).language


def vocabulary() -> str:
    """The current vocabulary of this thread, one of :data:`vocabularies.VOCABULARIES`."""
    return (_spoken.get() or _asked()).vocabulary


def locale() -> str:
    """The current language of this thread with its vocabulary, as :func:`speaking` takes it.

    >>> locale()
    'en'
    """
    return (_spoken.get() or _asked()).name


def _asked() -> _Locale:
    """The locale where nobody speaks: that of the first who knows one, else English."""
    for asker in _askers:
        name = _locale_named(asker() or "")
        if name is not None:
            return _locale(name)
    return _locale(ENGLISH)


def in_words_of(language: str, vocabulary: str) -> str:
    """The locale of a language in a vocabulary; in DirectML's if there is no such vocabulary.

    >>> in_words_of("ko", "numpy"), in_words_of("ko", "directml"), in_words_of("ko", "")
    ('ko@numpy', 'ko', 'ko')
    """
    others = (name for name in VOCABULARIES if name != DIRECTML)
    return f"{language}@{vocabulary}" if vocabulary in others else language


@cache
def languages() -> tuple[str, ...]:
    """English, then every language that has a catalogue, by name.

    >>> languages()[0]
    'en'
    """
    names = {path.parent.parent.name for path in LOCALE.glob(f"*/*/{_DOMAIN}.[mp]o")}
    return (ENGLISH, *sorted(names - {ENGLISH}))


def language_named(text: str) -> str | None:
    """The language of that name in any spelling; None if there is no such catalogue.

    >>> [language_named(text) for text in ("EN-us", "en_GB.UTF-8", "tlh", "")]
    ['en', 'en', None, None]
    """
    name = text[:_MOST].partition(".")[0].partition("@")[0].replace("-", "_").lower()
    names = {language.lower(): language for language in languages()}
    return names.get(name) or names.get(name.partition("_")[0])


def use(wanted: str) -> str:
    """Set the language of this thread; English if there is no such catalogue.

    Args:
        wanted: a language in any spelling, or a locale.

    Returns:
        The language that is now set.
    """
    chosen = _locale(_locale_named(wanted) or ENGLISH)
    _spoken.set(chosen)
    return chosen.language


def _locale_named(text: str) -> str | None:
    """The name of a locale in any spelling; None if there is no such catalogue."""
    spoken, modifier = language_named(text), text[:_MOST].partition("@")[2]
    return spoken and in_words_of(spoken, modifier)


@cache
def _locale(name: str) -> _Locale:
    """The locale of that name, as :func:`_locale_named` spells it."""
    spoken, _at, words = name.partition("@")
    catalogue = None if spoken == ENGLISH else _catalogue(spoken)
    forms = _vocabulary(words, spoken) if words else None
    return _Locale(name, spoken, words or DIRECTML, catalogue, forms)


@contextmanager
def speaking(wanted: str) -> Iterator[str]:
    """Use a language or a locale inside the ``with`` block; English if there is no such catalogue.

    >>> with speaking("en") as spoken:
    ...     print(spoken)
    en
    """
    chosen = _spoken.get()
    if chosen is None or chosen.name != wanted:
        chosen = _locale(_locale_named(wanted) or ENGLISH)
    token = _spoken.set(chosen)
    try:
        yield chosen.language
    finally:
        _spoken.reset(token)


def in_this_language(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function, bound to the current language, for a later call in another thread.

    >>> in_this_language(language)()
    'en'
    """
    spoken = locale()

    def speaking_so(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with speaking(spoken):
            return function(*args, **kwargs)

    return speaking_so


def in_one_language(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function as a door: where nobody speaks yet, it asks for the language once.

    >>> in_one_language(language)()
    'en'
    """

    @wraps(function)
    def speaking_so(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        if _spoken.get() is not None:
            return function(*args, **kwargs)
        with speaking(locale()):
            return function(*args, **kwargs)

    return speaking_so


def ask(asker: Callable[[], str | None]) -> None:
    """Call this for the language when none is set.

    Args:
        asker: returns a language, in any spelling, or a locale; None if it does not know one.
    """
    if asker not in _askers:
        _askers.append(asker)


def endonym(spoken: str) -> str:
    """A language's name for itself, from its catalogue; its code if there is none.

    >>> endonym("en"), endonym("ko")
    ('English', '한국어')
    """
    catalogue = _locale(spoken).catalogue
    return "English" if catalogue is None else catalogue.info().get(_NAME, spoken)


def compiled_catalogue(path: Path) -> bytes:
    """A catalogue's ``.po`` file as gettext reads it, which is that of a ``.mo`` file."""
    import polib  # here, so that English readers do not wait for it

    return bytes(polib.pofile(str(path)).to_binary())


@cache
def _catalogue(spoken: str) -> gettext.NullTranslations:
    """The catalogue of a language that is not English; an empty one if it cannot be read."""
    path = LOCALE / spoken / "LC_MESSAGES" / f"{_DOMAIN}.po"
    try:
        if not path.is_file():  # a page without a server has compiled catalogues alone
            return gettext.GNUTranslations(BytesIO(path.with_suffix(".mo").read_bytes()))
        return gettext.GNUTranslations(BytesIO(compiled_catalogue(path)))
    except (OSError, ValueError, LookupError):
        return gettext.NullTranslations()
