"""A practice question, as the parameters that make it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import ClassVar

from dmlviz.addresses import Reading
from dmlviz.errors import Problem
from dmlviz.operators import OPERATORS
from dmlviz.questions.asking import MOST_NUMBER, MOST_SEED, ask
from dmlviz.questions.question import LEVELS, Question


@dataclass(frozen=True)
class Asked:
    """The parameters of a question.

    Attributes:
        seed, level, operator, number: as in :func:`dmlviz.questions.ask`.
    """

    key: ClassVar[str] = "practice"

    seed: int
    level: int = 1
    operator: str = ""
    number: int = 1

    def question(self) -> Question:
        """The question itself."""
        return ask(self.seed, self.number, level=self.level, operator=self.operator)

    def parameters(self) -> dict[str, str]:
        """The parameters of its link.

        >>> Asked(7).parameters()
        {'seed': '7', 'level': '1', 'number': '1'}
        """
        return {name: str(held) for name, held in asdict(self).items() if held != ""}


def read_asked(parameters: Mapping[str, str], usual: Asked) -> tuple[Asked, tuple[Problem, ...]]:
    """The question that an address names, and the problems with the address.

    Args:
        parameters: names and texts, untrusted.
        usual: the defaults for missing parameters.
    """
    reading = Reading(parameters)
    found = Asked(
        reading.whole("seed", 0, MOST_SEED, usual.seed),
        reading.whole("level", LEVELS[0], LEVELS[-1], usual.level),
        reading.one_of("operator", ["", *(cls.key for cls in OPERATORS)], usual.operator),
        reading.whole("number", 1, MOST_NUMBER, usual.number),
    )
    return found, reading.told()
