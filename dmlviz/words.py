"""Words for people: the one place where a message becomes the reader's language.

Every word that a user reads passes through :func:`_`.  Messages are written in
English with named placeholders, filled in after translation, so that a
translator may change the order of words::

    _("{field} is {value}").format(field="repeats", value=0)

A Korean message may leave a particle to what is filled in: see :mod:`dmlviz.particles`.

A language is a folder in ``assets/locale`` with a .po file, read when it is first
spoken.  Each thread speaks its own: one visitor's language is never another's.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from io import BytesIO
from typing import ParamSpec, TypeVar

from dmlviz.particles import MARKER, WithParticles
from dmlviz.places import ASSETS

LOCALE = ASSETS / "locale"

ENGLISH = "en"
"""The language in which messages are written; what is said where another has no word for it."""

_MOST = 60
_DOMAIN = "dmlviz"

_P = ParamSpec("_P")
_R = TypeVar("_R")

_spoken: ContextVar[str | None] = ContextVar("spoken", default=None)
_askers: list[Callable[[], str | None]] = []


def _(message: str) -> str:
    """The message in the reader's language; the message itself where there is no translation.

    >>> _("Input")
    'Input'
    """
    spoken = language()
    return message if spoken == ENGLISH else _with_particles(_catalogue(spoken).gettext(message))


def ngettext(one: str, many: str, count: int) -> str:
    """The form of a message that fits ``count``.

    >>> ngettext("{n} element", "{n} elements", 54).format(n=54)
    '54 elements'
    """
    return _with_particles(_catalogue(language()).ngettext(one, many, count))


def listed(names: Sequence[str]) -> str:
    """Several names in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    if len(names) < 2:
        return "".join(names)
    return _("{first} and {last}").format(first=", ".join(names[:-1]), last=names[-1])


def language() -> str:
    """The language that is spoken here and now, one of :func:`languages`."""
    spoken = _spoken.get()
    if spoken is not None:
        return spoken
    for ask in _askers:
        asked = known(ask() or "")
        if asked is not None:
            return asked
    return ENGLISH


@cache
def languages() -> tuple[str, ...]:
    """English, then every language that has a catalogue, by name.

    >>> languages()[0]
    'en'
    """
    found = sorted(path.parent.parent.name for path in LOCALE.glob(f"*/*/{_DOMAIN}.po"))
    return (ENGLISH, *(name for name in found if name != ENGLISH))


def known(text: str) -> str | None:
    """The language of that name, however it is written; None where there is no such catalogue.

    >>> known("EN-us"), known("en_GB.UTF-8"), known("tlh"), known("")
    ('en', 'en', None, None)
    """
    name = text[:_MOST].partition(".")[0].partition("@")[0].replace("-", "_").lower()
    names = {found.lower(): found for found in languages()}
    return names.get(name) or names.get(name.partition("_")[0])


def use(wanted: str) -> str:
    """Speak a language from now on, in this thread; English where there is no such catalogue.

    Returns:
        The language that is spoken now.
    """
    spoken = known(wanted) or ENGLISH
    _spoken.set(spoken)
    return spoken


@contextmanager
def speaking(wanted: str) -> Iterator[str]:
    """Speak a language inside the ``with``; English where there is no such catalogue.

    >>> with speaking("en") as spoken:
    ...     print(spoken)
    en
    """
    token = _spoken.set(known(wanted) or ENGLISH)
    try:
        yield language()
    finally:
        _spoken.reset(token)


def in_this_language(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function for whoever calls it later, in another thread: it speaks as is spoken now.

    >>> in_this_language(language)()
    'en'
    """
    spoken = language()

    def speaking_so(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with speaking(spoken):
            return function(*args, **kwargs)

    return speaking_so


def ask(asker: Callable[[], str | None]) -> None:
    """Ask this for the language wherever none is set.

    Args:
        asker: gives a language, in any spelling, or None where it knows none.
    """
    if asker not in _askers:
        _askers.append(asker)


def own_name(spoken: str) -> str:
    """What a language calls itself.

    >>> own_name("en"), own_name("ko")
    ('English', '한국어')
    """
    from babel import Locale, UnknownLocaleError

    try:
        name = Locale.parse(spoken).get_display_name()
    except (UnknownLocaleError, ValueError):
        name = None
    return name or spoken


def _with_particles(message: str) -> str:
    """The message; one with particles to choose chooses them in its ``format``."""
    return WithParticles(message) if MARKER.search(message) else message


@cache
def _catalogue(spoken: str) -> gettext.NullTranslations:
    """The catalogue of a language; an empty one where it cannot be read."""
    if spoken == ENGLISH:
        return gettext.NullTranslations()
    # only readers of another language wait for it
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import PoFileError, read_po

    compiled = BytesIO()
    try:
        with (LOCALE / spoken / "LC_MESSAGES" / f"{_DOMAIN}.po").open("rb") as file:
            write_mo(compiled, read_po(file, locale=spoken, abort_invalid=True))
        return gettext.GNUTranslations(BytesIO(compiled.getvalue()))
    except (OSError, ValueError, LookupError, PoFileError):
        return gettext.NullTranslations()
