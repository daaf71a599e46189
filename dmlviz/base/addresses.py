"""Reading the parameters of a link: keeps the valid ones; every invalid one gets a message."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import unquote_plus, urlencode

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.base.excerpts import one_line
from dmlviz.base.spelling import read_whole
from dmlviz.base.words import _, language_named, languages, ngettext

LANGUAGE = "lang"
"""The parameter of every page's address for its language."""

MOST_LINK = 200_000
"""How many characters of a link are read."""

MOST_TOLD = 10
"""How many invalid parameters get a message each; the rest are only counted."""

SOURCE = "link"
"""The origin of a problem in a link."""

SEPARATORS = "\\x00-\\x1f\\x7f\\x85\\u2028\\u2029\\ud800-\\udfff"
"""What one line of text does not have, within the brackets of a pattern."""

IN_APP = rf"/[a-z0-9-]*(?:[?#][^{SEPARATORS}]*)?"
"""The pattern of links to the app's own pages, which are put after the app's address.

Their path is one name: after a second slash, or a backslash, browsers read the name of a site.
"""

_NAME, _VALUE = 40, 60

T = TypeVar("T")


class Reading:
    """The parameters of one link, while a page reads them.

    Attributes:
        texts: the parameters.
        problems: of the parameters read so far.
    """

    def __init__(self, parameters: Mapping[str, str]) -> None:
        self.texts = {name: text[:MOST_LINK] for name, text in parameters.items()}
        self.problems: list[Problem] = []
        self._names: set[str] = set()

    def know(self, name: str) -> None:
        """Note that the page has a parameter of that name."""
        self._names.add(name)

    def bad(self, name: str, rule: str) -> None:
        """Report that a parameter was ignored, and the rule that it breaks."""
        sentence = _("link: ignored {name}={value}: {rule}").format(
            name=one_line(name, _NAME), value=one_line(self.texts.get(name, ""), _VALUE), rule=rule
        )
        self.problems.append(Problem(name[:_NAME], sentence, SOURCE))

    def part(self, name: str, read: Callable[[str], T], usual: T) -> T:
        """A parameter, or the default if it is missing or invalid."""
        self.know(name)
        text = self.texts.get(name)
        if text is None:
            return usual
        try:
            return read(text)
        except Error as error:
            self.bad(name, str(error))
            return usual

    def one_of(self, name: str, options: Sequence[str], usual: str, rule: str = "") -> str:
        """A parameter that is one of a few texts; the default rule lists them."""

        def read(text: str) -> str:
            if text not in options:
                listed = ", ".join(filter(None, options))
                raise Error(rule or _("it must be one of {options}.").format(options=listed), name)
            return text

        return self.part(name, read, usual)

    def whole(self, name: str, least: int, most: int, usual: int) -> int:
        """A parameter that is a whole number."""

        def read(text: str) -> int:
            number = read_whole(text, least, most)
            if number is None:
                sentence = _("it must be a whole number from {least} to {most:,}.")
                raise Error(sentence.format(least=least, most=most), name)
            return number

        return self.part(name, read, usual)

    def why_unknown(self, name: str) -> str:
        """The message for a parameter that the page does not have."""
        if name == LANGUAGE:
            return _("it must be one of {options}.").format(options=", ".join(languages()))
        return _("this page has no such setting.")

    def all_problems(self) -> tuple[Problem, ...]:
        """All problems after reading: the first ones, and the number of the rest."""
        for name in self.texts:
            if name not in self._names:
                self.bad(name, self.why_unknown(name))
        rest = len(self.problems) - MOST_TOLD
        if rest <= 0:
            return tuple(self.problems)
        sentence = ngettext(
            "link: {n} more part was ignored.", "link: {n} more parts were ignored.", rest
        ).format(n=rest)
        return (*self.problems[:MOST_TOLD], Problem("link", sentence, SOURCE))


Parameters = Mapping[str, str]
"""A link's parameters: texts by name."""

PRESENT = "present"
"""The parameter that opens a page for presenting: ``present=true``."""

MOST_PARTS = 200


@dataclass(frozen=True)
class Address:
    """What a link names.

    Attributes:
        page: the end of its path, such as ``tile``; empty for the app's home page.
        parameters: as the link has them.
        problems: the parts that were ignored because the link is too long.
    """

    page: str
    parameters: dict[str, str]
    problems: tuple[Problem, ...] = ()


def split_link(text: str) -> Address:
    """The page and the parameters of a link; never raises, whatever the text.

    Args:
        text: ``/tile?...``, ``tile?...`` or a whole address of any host; up to 200,000
            characters and 200 parameters are read; if a name repeats, its last value counts.

    >>> found = split_link("https://example.org/dmlviz/tile?sizes=2,3&step=2")
    >>> found.page, found.parameters
    ('tile', {'sizes': '2,3', 'step': '2'})
    """
    problems = []
    if len(text) > MOST_LINK:
        sentence = _("link: it has {count:,} characters; the limit is {most:,}.")
        sentence = sentence.format(count=len(text), most=MOST_LINK)
        text = text[:1_000].partition("?")[0]
        problems.append(Problem("link", sentence, SOURCE))
    # messages cannot contain a lone surrogate
    text = text.encode("utf-8", "replace").decode()
    before, _mark, query = text.partition("#")[0].partition("?")
    parts = query.split("&", MOST_PARTS)
    if len(parts) > MOST_PARTS:
        sentence = _("link: only the first {most} parts were read.").format(most=MOST_PARTS)
        problems.append(Problem("link", sentence, SOURCE))
    named = [part.partition("=") for part in parts[:MOST_PARTS]]
    parameters = {unquote_plus(name): unquote_plus(value) for name, _is, value in named if name}
    return Address(before.rstrip("/").rpartition("/")[2], parameters, tuple(problems))


def write_link(page: str, parameters: Parameters) -> str:
    """The link, relative to the app's root; commas and colons stay readable.

    >>> write_link("tile", {"sizes": "2,3"}), write_link("tile", {})
    ('/tile?sizes=2,3', '/tile')
    """
    return f"/{page}?{urlencode(parameters, safe=',:;')}" if parameters else f"/{page}"


def content_parameters(parameters: Parameters) -> dict[str, str]:
    """The parameters of the content, without those of presenting and language."""
    return {
        name: text
        for name, text in parameters.items()
        if not name.lower().startswith("embed")
        and (name, text) != (PRESENT, "true")
        and not (name == LANGUAGE and language_named(text))
    }


_PAST = 20
"""How many addresses of a page are remembered."""


@dataclass(frozen=True)
class History:
    """The addresses that one page has had in a session.

    Attributes:
        past: their parameters, the current ones last.
        meaning: what the current one opens.
        opened: parameters of the address that the user opened, if the state is still the same.
        messages: a message for each problem with it.
        spoken: the language of the messages.
    """

    past: tuple[Mapping[str, str], ...] = ()
    meaning: Any = None
    opened: Mapping[str, str] | None = None
    messages: tuple[str, ...] = ()
    spoken: str = ""

    def is_new(self, here: Mapping[str, str], *, stayed: bool, back: bool) -> bool:
        """Whether the user has just opened an address.

        Args:
            here: its parameters.
            stayed: whether the page that ran before is the same one.
            back: whether the browser's back or forward button led here.

        >>> history = History().then({"step": "1"}, 1).then({"step": "2"}, 2)
        >>> history.is_new({"step": "1"}, stayed=True, back=False)
        False
        >>> history.is_new({"step": "1"}, stayed=True, back=True)
        True
        """
        if not self.past:
            return True
        if self.past[-1] == here:
            return False
        # a change can be sent before the address of the previous one has arrived
        late = stayed and here in self.past
        # an address without parameters only visits the page again
        return back or (bool(here) and not late)

    def then(self, here: Mapping[str, str], meaning: Any) -> History:
        """Add an address and its meaning; a different meaning clears the messages."""
        past = (*self.past, dict(here))[-_PAST:]
        going_on = replace(self, past=past, meaning=meaning)
        return going_on if meaning == self.meaning else replace(going_on, opened=None, messages=())
