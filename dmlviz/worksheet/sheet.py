"""What is on a sheet, in a few words: the same words give the same sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from urllib.parse import urlencode

from dmlviz.errors import Error
from dmlviz.operators import OPERATORS, operator_class
from dmlviz.questions import KINDS, LEVELS, MOST_SEED, Question, ask
from dmlviz.states import LANGUAGE
from dmlviz.tensors import shown
from dmlviz.words import ENGLISH, _, language, ngettext

MOST_COUNT = 30
"""The most questions on a sheet."""


@dataclass(frozen=True)
class Sheet:
    """A sheet's questions, as the words that draw them.

    Attributes:
        seed: 0 to 2,147,483,647.
        level: 1 to 3.
        operator: the key of one, or empty for all.
        kind: one of :data:`dmlviz.questions.KINDS`, or empty for all.
        count: how many questions, 1 to 30.

    Raises:
        Error: one of them is not possible; the sentence says which.
    """

    seed: int = 1
    level: int = 1
    operator: str = ""
    kind: str = ""
    count: int = 8

    def __post_init__(self) -> None:
        _check("seed", self.seed, 0, MOST_SEED)
        _check("level", self.level, LEVELS[0], LEVELS[-1])
        _check("count", self.count, 1, MOST_COUNT)
        if self.operator:
            operator_class(self.operator)
        if self.kind and self.kind not in KINDS:
            raise Error(
                _("kind: {kind} is not one of {kinds}.").format(
                    kind=shown(self.kind), kinds=", ".join(KINDS)
                ),
                "kind",
            )

    def questions(self) -> tuple[Question, ...]:
        """Its questions, number 1 first."""
        draw = {"level": self.level, "operator": self.operator, "kind": self.kind}
        return tuple(ask(self.seed, number + 1, **draw) for number in range(self.count))  # type: ignore[arg-type]

    def title(self) -> str:
        """What stands above it.

        >>> Sheet(seed=7, level=2, operator="padding").title()
        'Padding, level 2'
        """
        names = {cls.key: cls.__name__ for cls in OPERATORS}
        about = names.get(self.operator) or _("DirectML's data movement")
        return _("{about}, level {level}").format(about=about, level=self.level)

    def told(self) -> str:
        """What draws the same sheet again, for its foot.

        >>> Sheet(seed=7, level=2, count=10).told()
        'Seed 7, level 2, 10 questions'
        """
        parts = [_("Seed {seed}, level {level}").format(seed=self.seed, level=self.level)]
        parts += [word for word in (self.operator, self.kind) if word]
        count = ngettext("{n} question", "{n} questions", self.count).format(n=self.count)
        return ", ".join((*parts, count))

    def words(self) -> dict[str, str]:
        """The words of its address; what is as usual is left out."""
        usual = Sheet()
        names = [part.name for part in fields(self)]
        return {
            name: str(getattr(self, name))
            for name in names
            if getattr(self, name) != getattr(usual, name)
        }

    def address(self, root: str) -> str:
        """Where the same questions are asked on a screen; empty for those of one kind alone.

        Args:
            root: of the app, such as ``https://example.org/dmlviz``; may be empty.

        >>> Sheet(seed=7, operator="tile").address("http://host:8501/")
        'http://host:8501/practice?seed=7&level=1&operator=tile'
        """
        if self.kind or not root:
            return ""
        words = {"seed": str(self.seed), "level": str(self.level)}
        words |= {"operator": self.operator} if self.operator else {}
        # who reads it on paper reads it on the screen in the same language
        words |= {LANGUAGE: language()} if language() != ENGLISH else {}
        return f"{root.rstrip('/')}/practice?{urlencode(words)}"


def read_sheet(words: Mapping[str, str]) -> tuple[Sheet, tuple[str, ...]]:
    """The sheet that an address names, and a sentence for each part that is left out.

    Args:
        words: names and texts, of anybody; names that belong to no sheet are left alone.
    """
    sheet, problems = Sheet(), []
    for part in fields(Sheet):
        text = words.get(part.name)
        if text is None:
            continue
        known = {name.name: getattr(sheet, name.name) for name in fields(Sheet)}
        try:
            value = text if isinstance(known[part.name], str) else _whole(part.name, text)
            sheet = Sheet(**{**known, part.name: value})
        except Error as error:
            problems.append(str(error))
    return sheet, tuple(problems)


def _whole(field: str, text: str) -> int:
    if not (0 < len(text) <= 10 and text.isascii() and text.isdigit()):
        raise Error(
            _("{field}: {value} is no whole number.").format(field=field, value=shown(text)), field
        )
    return int(text)


def _check(field: str, value: object, least: int, most: int) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not least <= value <= most:  # type: ignore[operator]
        raise Error(
            _("{field}: {value} is not a whole number from {least} to {most}.").format(
                field=field, value=shown(value), least=least, most=f"{most:,}"
            ),
            field,
        )
