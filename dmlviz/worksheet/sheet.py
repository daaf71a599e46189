"""What is on a sheet: the same few parameters give the same sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import ClassVar

from dmlviz.addresses import LANGUAGE, Reading, write_link
from dmlviz.errors import Problem
from dmlviz.operators import OPERATORS, operator_class
from dmlviz.questions import KINDS, LEVELS, MOST_SEED, Asked, Question, ask
from dmlviz.questions.asking import check_kind, check_whole
from dmlviz.words import ENGLISH, _, language, ngettext

MOST_COUNT = 30
"""The most questions on a sheet."""


@dataclass(frozen=True)
class Sheet:
    """A sheet's questions, as the parameters that draw them.

    Attributes:
        seed: 0 to 2,147,483,647.
        level: 1 to 3.
        operator: the key of one, or empty for all.
        kind: one of :data:`dmlviz.questions.KINDS`, or empty for all.
        count: how many questions, 1 to 30.

    Raises:
        Error: one of them is not possible; the sentence says which.
    """

    key: ClassVar[str] = "worksheet"

    seed: int = 1
    level: int = 1
    operator: str = ""
    kind: str = ""
    count: int = 8

    def __post_init__(self) -> None:
        check_whole("seed", self.seed, 0, MOST_SEED)
        check_whole("level", self.level, LEVELS[0], LEVELS[-1])
        check_whole("count", self.count, 1, MOST_COUNT)
        if self.operator:
            operator_class(self.operator)
        check_kind(self.kind)

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

    def parameters(self) -> dict[str, str]:
        """Those of its link; what is as usual is left out."""
        usual = asdict(Sheet())
        return {name: str(held) for name, held in asdict(self).items() if held != usual[name]}

    def address(self, root: str) -> str:
        """Where the same questions are asked on a screen; empty for those of one kind alone.

        Args:
            root: of the app, such as ``https://example.org/dmlviz``; may be empty.

        >>> Sheet(seed=7, operator="tile").address("http://host:8501/")
        'http://host:8501/practice?seed=7&level=1&operator=tile&number=1'
        """
        if self.kind or not root:
            return ""
        asked = Asked(self.seed, self.level, self.operator)
        # who reads it on paper reads it on the screen in the same language
        spoken = {LANGUAGE: language()} if language() != ENGLISH else {}
        return root.rstrip("/") + write_link(asked.key, {**asked.parameters(), **spoken})


def read_sheet(parameters: Mapping[str, str]) -> tuple[Sheet, tuple[Problem, ...]]:
    """The sheet that an address names, and what is wrong with the address.

    Args:
        parameters: names and texts, of anybody.
    """
    reading, usual = Reading(parameters), Sheet()
    found = Sheet(
        reading.whole("seed", 0, MOST_SEED, usual.seed),
        reading.whole("level", LEVELS[0], LEVELS[-1], usual.level),
        reading.one_of("operator", ["", *(cls.key for cls in OPERATORS)], usual.operator),
        reading.one_of("kind", ["", *KINDS], usual.kind),
        reading.whole("count", 1, MOST_COUNT, usual.count),
    )
    return found, reading.told()
