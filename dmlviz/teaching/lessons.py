"""Lessons as data: the engine fills in their numbers, and their claims are checked.

A lesson is one file in ``assets/lessons``; its numbers come from the states that it links to.
It has short parts, each with a state, a question before it and a change to try after it. The
structs are the form of the files, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta, Struct, field

from dmlviz.base import words
from dmlviz.base.addresses import write_link
from dmlviz.base.cache import cached
from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.base.places import ASSETS
from dmlviz.base.words import _, speaking
from dmlviz.code.libraries import LIBRARIES as READ
from dmlviz.operators.code.base import NUMPY_TENSORS, NamedTensor, made
from dmlviz.states.code import CODE
from dmlviz.teaching.answers import Choices
from dmlviz.teaching.facts import operator_keys, state_of
from dmlviz.teaching.files import decode_table, fill_texts, read_all, read_toml
from dmlviz.tensors import data_type_of
from dmlviz.tensors.types import Array

FOLDER = ASSETS / "lessons"

Positive = Annotated[int, Meta(ge=1)]
"""A whole number from 1 on."""

END = "end"
"""The value of ``part`` in the address of a lesson's end."""

LIBRARIES = {key: READ[key].title for key in ("numpy", "torch", "tensorflow")}
"""The libraries for a part's code: keys in a lesson's file, and names."""

_TENSOR = regex(r"([A-Z][A-Za-z]*?)Tensors?(?:\[([0-9]+)\])?")
_LETTER = regex(r"\w\[[^\]]*\b[a-z]\b")
_WORD = regex(r"(?<!^)(?=[A-Z])")
_IMPORTS = {
    "import numpy as np": r"\bnp\.",
    "import tensorflow as tf": r"\btf\.",
    "import torch": r"\btorch\.",
    "import torch.nn.functional as F": r"\bF\.",
    "from numpy.lib.stride_tricks import as_strided": r"(?<![.\w])as_strided\(",
    "from numpy.lib.stride_tricks import sliding_window_view": r"(?<![.\w])sliding_window_view\(",
}

_CHAPTERS: tuple[tuple[Callable[[], str], tuple[str, ...]], ...] = (
    (lambda: _("First steps"), ("tile", "dimensions", "tile-and-repeat")),
    (
        lambda: _("Joining, slicing and padding"),
        (
            "join-and-split",
            "slice",
            "padding-modes",
            "padding-folding",
            "padding-in-libraries",
        ),
    ),
    (lambda: _("Gather and scatter"), ("gather", "scatter")),
    (lambda: _("Memory and layouts"), ("views-and-copies", "nchw-and-nhwc")),
    (
        lambda: _("Channels and pictures"),
        (
            "depth-to-space-dcr",
            "depth-to-space-crd",
            "depth-to-space-orders",
            "space-to-depth",
            "depth-to-space-pictures",
            "convolution",
            "sub-pixel",
        ),
    ),
    (lambda: _("Resizing and windows"), ("nearest", "im2col")),
    (
        lambda: _("In lines of code"),
        ("reshape-and-transpose", "torch-views", "im2col-product"),
    ),
    (lambda: _("DirectML and its documentation"), ("feature-levels", "reading-documentation")),
)

ORDER = tuple(key for _title, keys in _CHAPTERS for key in keys)
"""The order of lessons; others follow by name."""


def passed(marks: Sequence[bool | None]) -> bool:
    """Whether a lesson is passed: all parts are answered, and at least two thirds are right.

    Args:
        marks: of each part, None if it was not answered.

    >>> passed([True, False, True]), passed([True, False]), passed([True, True, None])
    (True, False, False)
    """
    return None not in marks and sum(map(bool, marks)) >= least_right(len(marks))


def least_right(count: int) -> int:
    """How many right answers pass a lesson of so many parts: at least two thirds.

    >>> [least_right(count) for count in (1, 3, 4, 8)]
    [1, 2, 3, 6]
    """
    return -(-2 * count // 3)


class Prediction(Choices, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question to answer before anything moves.

    Attributes:
        prompt: the question.
        reveal: what the picture shows now, in one to three sentences.
    """

    prompt: str
    reveal: str


class WhatIf(Struct, frozen=True, forbid_unknown_fields=True):
    """A changed state, and what happens then.

    Attributes:
        words: the change and its result.
        link: of the changed state.
        claims: about it.
    """

    words: str
    link: str
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class LibraryCode:
    """Lines of code of one library.

    Attributes:
        library: a key of :data:`LIBRARIES`.
        lines: the code. It reads the inputs and assigns the output, by the names that
            :func:`variables` gives them. A line such as ``x.shape  # (2, 3)`` is an
            expression with its value.
    """

    library: str
    lines: str

    def program(self, tensors: Mapping[str, Array], file: str) -> str:
        """The whole code, under the library's name as a comment: imports, inputs, lines.

        Args:
            tensors: the inputs, by DirectML's names.
            file: the NPZ file that Download saves, for inputs of many elements.
        """
        lines = []
        named = variables(tensors, "x")
        for name, (variable, array) in zip(tensors, named.items(), strict=True):
            if self.library == "torch" and array.dtype.kind == "u":
                # PyTorch lacks kernels for most unsigned types
                array = array.astype(np.int64)
            lines.append(_made(self.library, name, variable, array, file))
        text = "\n".join([*lines, self.lines])
        imports = [line for line, pattern in _IMPORTS.items() if re.search(pattern, text)]
        return "\n".join([f"# {LIBRARIES[self.library]}", *imports, text])


def _made(library: str, name: str, variable: str, array: Array, file: str) -> str:
    tensor = NamedTensor(name, array.shape, data_type_of(array.dtype), values=array)
    return made(READ[library].tensors or NUMPY_TENSORS, tensor, file, variable)


def variables(tensors: Mapping[str, Array], usual: str) -> dict[str, Array]:
    """The tensors by their names in code.

    Args:
        tensors: by DirectML's names.
        usual: the name of the first tensor, or of all in a list: ``x`` for inputs, ``y`` for
            outputs.

    >>> a = np.zeros(2)
    >>> list(variables({"InputTensor": a, "IndicesTensor": a}, "x"))
    ['x', 'indices']
    >>> list(variables({"InputTensors[0]": a, "InputTensors[1]": a}, "x"))
    ['x0', 'x1']
    """
    named = {}
    for i, (name, array) in enumerate(tensors.items()):
        matched = _TENSOR.fullmatch(name)
        assert matched, name
        word, number = matched.groups()
        if number is not None:
            named[f"{usual}{number}"] = array
        else:
            named[_WORD.sub("_", word).lower() if i else usual] = array
    return named


class Lines(Struct, frozen=True, forbid_unknown_fields=True):
    """Lines of code by their library's key; empty if there are none."""

    numpy: str = ""
    torch: str = ""
    tensorflow: str = ""


class LessonPart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One part of a lesson: text, then a question, then one short move, then a pause.

    Attributes:
        title: a few words.
        words: what learners need to know, in short sentences with the state's own numbers.
        link: of the state; its ``pinned`` cells are highlighted.
        look: what to look at while it moves.
        claims: about the state, such as ``out[0, 0, 2, 3] = 1``.
        prediction: asked before the output is seen.
        what_if: one change to try.
        text: ``"input"`` or ``"both"`` to show the state also as documentation text,
            before the answer and after it; otherwise empty.
        lines: code that gives the same output, shown after the answer.
    """

    title: str
    words: str
    link: str
    look: str
    claims: tuple[str, ...] = ()
    prediction: Prediction = field(name="predict")
    what_if: WhatIf
    text: Literal["", "input", "both"] = ""
    lines: Lines = field(name="code", default=Lines())

    @property
    def code(self) -> tuple[LibraryCode, ...]:
        """The lines of each library that has some."""
        texts = ((library, getattr(self.lines, library).strip()) for library in LIBRARIES)
        return tuple(LibraryCode(library, text) for library, text in texts if text)

    @property
    def letters(self) -> bool:
        """Whether its texts write indices as letters, such as ``in[i div 2]``.

        Only then are the letters of a formula what it teaches.
        """
        return any(_LETTER.search(text) for text in self.reading())

    def reading(self) -> Iterator[str]:
        """All its texts, in reading order."""
        yield self.title
        yield self.words
        yield self.prediction.prompt
        yield from (answer.text for answer in self.prediction.answers)
        yield self.prediction.reveal
        yield from (answer.why for answer in self.prediction.answers if answer.why)
        yield self.look
        yield self.what_if.words


class Misunderstanding(Struct, frozen=True, forbid_unknown_fields=True):
    """A common misconception, and a state that disproves it.

    Attributes:
        words: the misconception, and the correct statement.
        link: of the state.
        claims: about it.
    """

    words: str
    link: str
    claims: tuple[str, ...] = ()


class ClassQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """A question for the class, with notes for the teacher.

    Attributes:
        ask: the question.
        right: its answer.
        wrong: the wrong answer to expect, and why it is wrong.
        following: what to ask next.
        link: of the state that their numbers come from; empty if there is none.
        claims: about it.
    """

    ask: str
    right: str
    wrong: str
    following: str = field(name="next")
    link: str = ""
    claims: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that claims have a state.

        Raises:
            Error: there is a link without claims, or the other way round.
        """
        if bool(self.link) != bool(self.claims):
            raise Error(_("a link and claims about it belong together."), "claims")

    def reading(self) -> Iterator[str]:
        """All its texts, in reading order."""
        yield from (self.ask, self.right, self.wrong, self.following)


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """The plan for the teacher.

    Attributes:
        opening: how to begin, in one or two sentences.
        questions: to ask the class.
        misunderstandings: those to expect.
    """

    opening: str
    questions: Annotated[tuple[ClassQuestion, ...], Meta(min_length=1)]
    misunderstandings: Annotated[tuple[Misunderstanding, ...], Meta(min_length=1)]


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """One lesson, with numbers filled in.

    Attributes:
        key: its file's name and its name in addresses, such as ``padding-modes``.
        title: its display name.
        audience: who it is for.
        aims: what learners can do by the end.
        minutes: how long it takes in a class.
        parts: in order.
        plan: for the teacher.
        practice: the keys of further operators for its worksheet and for practice: those that move
            elements as its code does.
        also: other words for its subject, for searching.
    """

    key: str
    title: str
    audience: str
    aims: tuple[str, ...]
    minutes: Positive
    parts: Annotated[tuple[LessonPart, ...], Meta(min_length=1)]
    plan: Plan
    practice: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def operators(self) -> tuple[str, ...]:
        """The keys of the operators that its parts show, in order, then those to practice."""
        shown = operator_keys(part.link for part in self.parts)
        return tuple(dict.fromkeys((*shown, *self.practice)))

    @property
    def code(self) -> str:
        """All code of its parts: that of their states, and that of libraries."""
        codes = filter(None, (state_of(part.link).parameters().get(CODE) for part in self.parts))
        return "\n".join([*codes, *(code.lines for part in self.parts for code in part.code)])

    def reading(self) -> Iterator[str]:
        """All texts for learners, in reading order."""
        yield self.audience
        yield from self.aims
        for part in self.parts:
            yield from part.reading()

    def link(self, number: int = 1) -> str:
        """The address of one of its parts, or of its end if the number is past the last part."""
        part = str(number) if number <= len(self.parts) else END
        return write_link("lessons", {"lesson": self.key, "part": part})

    def links(self) -> Iterator[str]:
        """Every state that it opens."""
        for part in self.parts:
            yield part.link
            yield part.what_if.link
        yield from (each.link for each in self.plan.misunderstandings)
        yield from (each.link for each in self.plan.questions if each.link)


def chapters(lessons: Sequence[Lesson]) -> Iterator[tuple[str, list[tuple[int, Lesson]]]]:
    """The title of each chapter, and its lessons with their numbers from 1.

    Args:
        lessons: all lessons, in order.
    """
    numbered = {lesson.key: (number, lesson) for number, lesson in enumerate(lessons, 1)}
    for title, keys in _CHAPTERS:
        if listed := [numbered.pop(key) for key in keys if key in numbered]:
            yield title(), listed
    if numbered:
        yield _("More lessons"), list(numbered.values())


def lessons(language: str | None = None) -> tuple[Lesson, ...]:
    """Every lesson, in order.

    Args:
        language: of the files to read, such as ``ko``; by default the current
            language. A lesson without such a file is in English.

    Raises:
        Error: a file is not a lesson; the message names the file and the key.
    """
    # the words of filled-in facts must also be in the lesson's language
    with speaking(language or words.locale()) as spoken:
        return _lessons(spoken)


@cached(megabytes=8)
def _lessons(language: str) -> tuple[Lesson, ...]:
    return read_all(FOLDER, language, read_lesson, ORDER)


def read_lesson(text: str, key: str, file: str) -> Lesson:
    """The lesson in the text of a file, with the engine's numbers filled in.

    Args:
        text: TOML.
        key: of the lesson.
        file: its name, for messages.

    Raises:
        Error: it is not TOML; a key is unknown, missing or of the wrong type; or its texts ask
            for a fact that a state does not have.
    """
    table = {**read_toml(text, file), "key": key}
    lesson: Lesson = fill_texts(decode_table(table, Lesson, file), file)
    return lesson
