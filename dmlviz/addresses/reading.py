"""Reading the parameters of a link: keeps the valid ones; every invalid one gets a message."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from dmlviz.errors import Error, Problem
from dmlviz.operators.spelling import read_whole
from dmlviz.tensors import one_line
from dmlviz.words import _, languages, ngettext

LANGUAGE = "lang"
"""The parameter of every page's address for its language."""

MOST_LINK = 200_000
"""How many characters of a link are read."""

MOST_TOLD = 10
"""How many invalid parameters get a message each; the rest are only counted."""

SOURCE = "link"
"""The origin of a problem in a link."""

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
            found = read_whole(text, least, most)
            if found is None:
                sentence = _("it must be a whole number from {least} to {most:,}.")
                raise Error(sentence.format(least=least, most=most), name)
            return found

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
