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
used.  Each thread has its own language, so visitors do not affect each other.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from io import BytesIO
from typing import ParamSpec, TypeVar

from dmlviz.base.places import ASSETS
from dmlviz.base.words.particles import MARKER, WithParticles
from dmlviz.base.words.vocabularies import DIRECTML, VOCABULARIES
from dmlviz.base.words.vocabularies import vocabulary as _vocabulary

LOCALE = ASSETS / "locale"

ENGLISH = "en"
"""The language of the messages in the code; used if another language has no translation."""

_MOST = 60
_DOMAIN = "dmlviz"
_NAME = "x-language-name"  # a catalogue's header, as gettext spells it

_P = ParamSpec("_P")
_R = TypeVar("_R")

_spoken: ContextVar[str | None] = ContextVar("spoken", default=None)
_askers: list[Callable[[], str | None]] = []


def _(message: str) -> str:
    """The message in the reader's language, or the message itself if there is no translation.

    >>> _("Input")
    'Input'
    """
    spoken = language()
    text = message if spoken == ENGLISH else _catalogue(spoken).gettext(message)
    return _with_particles(_in_vocabulary(text, message))


def ngettext(one: str, many: str, count: int) -> str:
    """The form of a message that fits ``count``.

    >>> ngettext("{n} element", "{n} elements", 54).format(n=54)
    '54 elements'
    """
    text = _catalogue(language()).ngettext(one, many, count)
    return _with_particles(_in_vocabulary(text, many))


def of_file(text: str) -> str:
    """A text of a file that is in the reader's language, in the reader's vocabulary."""
    return _in_vocabulary(text, "")


def _in_vocabulary(text: str, english: str) -> str:
    name = vocabulary()
    return text if name == DIRECTML else _vocabulary(name, language()).in_words(text, english)


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
    return locale().partition("@")[0]


def vocabulary() -> str:
    """The current vocabulary of this thread, one of :data:`vocabularies.VOCABULARIES`."""
    return locale().partition("@")[2] or DIRECTML


def locale() -> str:
    """The current language of this thread with its vocabulary, as :func:`speaking` takes it.

    >>> locale()
    'en'
    """
    spoken = _spoken.get()
    if spoken is not None:
        return spoken
    for ask in _askers:
        asked = _locale(ask() or "")
        if asked is not None:
            return asked
    return ENGLISH


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
    names = sorted(path.parent.parent.name for path in LOCALE.glob(f"*/*/{_DOMAIN}.po"))
    return (ENGLISH, *(name for name in names if name != ENGLISH))


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
    _spoken.set(_locale(wanted) or ENGLISH)
    return language()


def _locale(text: str) -> str | None:
    """The locale of that name; None if there is no such catalogue."""
    spoken, modifier = language_named(text), text[:_MOST].partition("@")[2]
    return spoken and in_words_of(spoken, modifier)


@contextmanager
def speaking(wanted: str) -> Iterator[str]:
    """Use a language or a locale inside the ``with`` block; English if there is no such catalogue.

    >>> with speaking("en") as spoken:
    ...     print(spoken)
    en
    """
    token = _spoken.set(_locale(wanted) or ENGLISH)
    try:
        yield language()
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
    return "English" if spoken == ENGLISH else _catalogue(spoken).info().get(_NAME, spoken)


def _with_particles(message: str) -> str:
    """The message; its ``format`` chooses the particles, if it has any."""
    return WithParticles(message) if MARKER.search(message) else message


@cache
def _catalogue(spoken: str) -> gettext.NullTranslations:
    """The catalogue of a language; an empty one if it cannot be read."""
    if spoken == ENGLISH:
        return gettext.NullTranslations()
    import polib  # here, so that English readers do not wait for it

    try:
        read = polib.pofile(str(LOCALE / spoken / "LC_MESSAGES" / f"{_DOMAIN}.po"))
        return gettext.GNUTranslations(BytesIO(read.to_binary()))
    except (OSError, ValueError, LookupError):
        return gettext.NullTranslations()
