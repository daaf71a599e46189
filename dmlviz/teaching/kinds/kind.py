"""What a kind of question declares."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from dmlviz.base.deferred import dataclass
from dmlviz.engines.trace import Trace
from dmlviz.operators import Operator
from dmlviz.operators.settings import Dice
from dmlviz.picture.scene import Scene
from dmlviz.teaching.answer_inputs import CHOICE, AnswerInput
from dmlviz.teaching.answers import SIZES, Answer, Hides
from dmlviz.teaching.plain import AskPlain
from dmlviz.teaching.questions import Question
from dmlviz.teaching.subjects import Subject


@dataclass(frozen=True)
class WorkedOut:
    """What the engine answers about a state.

    Attributes:
        prompt: the question, with the cell that it is about.
        answers: two to four choices in an order that tells nothing; the right one has no ``why``.
        reveal: why the right one is right, with its numbers.
        marked: the flat number of the output element in question, counted across all outputs; -1
            if it is about none.
        cell: what that element is called, such as ``out[0, 1]``; empty if it is about none.
    """

    prompt: str
    answers: tuple[Answer, ...]
    reveal: str
    marked: int = -1
    cell: str = ""


class QuestionKind(ABC):
    """A kind of question, for every page, sheet and class.

    Attributes:
        key: its name in links, files and commands; it stays.
        place: in the order of kinds.
        input: how a class answers it; on paper and on pages there are choices.
        hides: what a picture hides until the answer.
        facts: a pattern of facts (``docs/reference/facts.md``) that answer it. A lesson's or a
            preset's question with such an answer is of this kind. Its group ``element``, if it has
            one, is the element that the question is about.
        one_in: of so many numbers of practice, one asks it first; 0 if it is drawn as most are.
        least_level: the lowest level of practice that asks it unbidden.
        of_states: whether :meth:`on_state` answers it.
        element_example: of the element that such a question can be about, as a teacher names it;
            empty if it is about none.
        after_presets: whether a class is asked it after an operator's preset's own question.
        quiets: names of settings that would tell the answer.
    """

    key: ClassVar[str]
    place: ClassVar[int] = 100
    input: ClassVar[AnswerInput] = CHOICE
    hides: ClassVar[Hides] = SIZES
    facts: ClassVar[str] = ""
    one_in: ClassVar[int] = 0
    least_level: ClassVar[int] = 1
    of_states: ClassVar[bool] = False
    element_example: ClassVar[str] = ""
    after_presets: ClassVar[bool] = False
    quiets: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def title(self) -> str:
        """What people read in a list of kinds."""

    def suits(self, cls: type[Operator]) -> bool:
        """Whether it can be asked about an operator, which may say no in ``unasked``."""
        return self.key not in cls.unasked

    @abstractmethod
    def ask(self, subject: Subject, level: int, dice: Dice) -> Question | None:
        """A question of practice and worksheets; None if there is none about the subject.

        Args:
            subject: an operator with its settings, and its inputs' sizes.
            level: 1 to 3.
            dice: draws the inputs, the wrong choices and the order of all choices.
        """

    def plain(self) -> AskPlain | None:
        """What asks it at level 0, in plain words; None if nothing does."""
        return None

    def on_state(self, scene: Scene, cell: str) -> WorkedOut:
        """The question about one run of any page, code included, if ``of_states``.

        Args:
            scene: of the run.
            cell: the element that it is about, as :meth:`element` reads it; empty for the one that
                is most often mistaken, or if it is about none.

        Raises:
            Error: there is no such element, or no answer that the right one is mistaken for.
        """
        raise NotImplementedError

    def element_label(self) -> str:
        """What a teacher's field for the element is called, if there is one."""
        raise NotImplementedError

    def element(self, scene: Scene, cell: str) -> int:
        """The number of the element that a text names, such as ``out[0, 1]`` or ``0, 1``.

        Raises:
            Error: there is no such element.
        """
        raise NotImplementedError

    def places(self, trace: Trace, number: int) -> tuple[int, Iterable[tuple[int, str]]]:
        """The input element that is the right answer, and wrong ones with what is wrong with each.

        Only kinds whose ``input`` is a place have them, and only if their choices are places.

        Args:
            trace: of the run; elements are counted through all inputs whose elements move, and -1
                is none.
            number: of the output element in question.
        """
        raise NotImplementedError
