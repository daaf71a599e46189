"""assets/lessons/*.toml -> lessons; files with unexpected content are refused."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from dmlviz import words
from dmlviz.errors import Error
from dmlviz.kept import kept
from dmlviz.lessons.chapters import ORDER
from dmlviz.lessons.code import LIBRARIES, Code
from dmlviz.lessons.lesson import (
    HIDES,
    Answer,
    ClassQuestion,
    Lesson,
    Misunderstanding,
    Part,
    Plan,
    Prediction,
    WhatIf,
)
from dmlviz.places import ASSETS
from dmlviz.teaching.facts import fill, state_of
from dmlviz.words import _, speaking

FOLDER = ASSETS / "lessons"

_ANSWERS = (2, 4)


def lessons(language: str | None = None) -> tuple[Lesson, ...]:
    """Every lesson, in order.

    Args:
        language: of the files to read, such as ``ko``; by default the current
            language. A lesson without such a file is in English.

    Raises:
        Error: a file is not a lesson; the message names the file and the key.
    """
    # the words of filled-in facts must also be in the lesson's language
    with speaking(language or words.language()) as spoken:
        return _lessons(spoken)


@kept(megabytes=8)
def _lessons(language: str) -> tuple[Lesson, ...]:
    keys = {path.name.removesuffix(".en.toml") for path in FOLDER.glob("*.en.toml")}
    ordered = [key for key in ORDER if key in keys] + sorted(keys - set(ORDER))
    found = []
    for key in ordered:
        path = file_in(FOLDER, key, language)
        found.append(read_lesson(path.read_text(encoding="utf-8"), key, path.name))
    return tuple(found)


def file_in(folder: Path, key: str, language: str) -> Path:
    """A text's file in a language, or in English if there is none."""
    path = folder / f"{key}.{language}.toml"
    return path if path.exists() else folder / f"{key}.en.toml"


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
    table = Table(read_toml(text, file), file, "")
    lesson = Lesson(
        key,
        table.text("title"),
        table.text("audience"),
        table.texts("aims"),
        table.whole("minutes"),
        tuple(_part(part) for part in table.tables("parts")),
        _plan(table.table("plan")),
    )
    table.done()
    return lesson


def read_toml(text: str, file: str) -> dict[str, Any]:
    """The contents of a file.

    Raises:
        Error: it is not TOML; the message names the file and the line.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Error(f"{file}: {error}", file) from None


class Table:
    """One table of a TOML file; each key must be read once.

    Args:
        data: the table from tomllib.
        file: its name.
        where: the table's name in it, such as ``parts[2].predict``.
        link: of the state whose numbers fill its texts; empty to leave them as they are.
    """

    def __init__(self, data: dict[str, Any], file: str, where: str, link: str = "") -> None:
        self.data = data
        self.file = file
        self.where = where
        self.link = link
        self.asked: set[str] = set()

    def get(self, key: str, kind: type, *, usual: Any = None) -> Any:
        """The value of a key.

        Raises:
            Error: it is missing and has no default, or it has the wrong type.
        """
        self.asked.add(key)
        value = self.data.get(key, usual)
        if value is None:
            raise self.error(key, _("it is missing."))
        if type(value) is not kind:
            rule = _("it must be {kind}.").format(kind=_KINDS[kind]())
            raise self.error(key, rule)
        return value

    def text(self, key: str, *, usual: str | None = None) -> str:
        """A text on one line, with numbers filled in."""
        return self._filled(key, " ".join(self.get(key, str, usual=usual).split()))

    def texts(self, key: str, *, usual: list[str] | None = None, raw: bool = False) -> Any:
        """Several texts."""
        found = self.get(key, list, usual=usual)
        for i, text in enumerate(found):
            if not isinstance(text, str):
                raise self.error(f"{key}[{i}]", _("it must be {kind}.").format(kind=_KINDS[str]()))
        return tuple(text if raw else self._filled(key, text) for text in found)

    def whole(self, key: str) -> int:
        """A whole number from 1 on."""
        found: int = self.get(key, int)
        if found < 1:
            raise self.error(key, _("it must be a whole number of 1 or more."))
        return found

    def table(self, key: str) -> Table:
        """A table inside this one."""
        return Table(self.get(key, dict), self.file, self._name(key), self.link)

    def tables(self, key: str) -> list[Table]:
        """Several tables, at least one."""
        found = self.get(key, list)
        if not found or not all(isinstance(one, dict) for one in found):
            raise self.error(key, _("it must be a list of at least one table."))
        return [
            Table(one, self.file, self._name(f"{key}[{i}]"), self.link)
            for i, one in enumerate(found)
        ]

    def done(self) -> None:
        """Refuse keys that were not read.

        Raises:
            Error: there are other keys.
        """
        for key in self.data:
            if key not in self.asked:
                known = ", ".join(sorted(self.asked))
                raise self.error(key, _("unknown key; use {known}.").format(known=known))

    def error(self, key: str, rule: str) -> Error:
        """An error that names the file and the key."""
        name = self._name(key)
        return Error(_("{file}: {key}: {rule}").format(file=self.file, key=name, rule=rule), key)

    def _name(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def _filled(self, key: str, text: str) -> str:
        if not self.link:
            return text
        try:
            return fill(text, self.link)
        except Error as error:
            raise self.error(key, str(error)) from None


_KINDS = {
    str: lambda: _("a text"),
    int: lambda: _("a whole number"),
    list: lambda: _("a list"),
    dict: lambda: _("a table"),
}


def _part(table: Table) -> Part:
    link = table.link = table.get("link", str)
    part = Part(
        table.text("title"),
        table.text("words"),
        link,
        table.text("look"),
        table.texts("claims", usual=[], raw=True),
        _prediction(table.table("predict")),
        _what_if(table.table("what_if")),
        table.text("text", usual=""),
        _code(table.table("code")) if "code" in table.data else (),
    )
    if part.text not in ("", "input", "both"):
        raise table.error("text", _("it must be input or both."))
    table.done()
    return part


def _code(table: Table) -> tuple[Code, ...]:
    found = tuple(
        Code(library, table.get(library, str).strip())
        for library in LIBRARIES
        if library in table.data
    )
    table.asked.update(LIBRARIES)
    table.done()
    return found


def _prediction(table: Table) -> Prediction:
    answers = read_answers(table)
    hides, hides_settings = read_hiding(table)
    prediction = Prediction(
        table.text("prompt"), answers, table.text("reveal"), hides, hides_settings
    )
    table.done()
    return prediction


def read_hiding(table: Table) -> tuple[str, tuple[str, ...]]:
    """What the picture hides until the answer, and the settings that are not told until then.

    Raises:
        Error: ``hides`` is none of :data:`dmlviz.lessons.lesson.HIDES`, or ``hides_settings``
            names no setting of the operator.
    """
    hides = table.text("hides", usual="")
    if hides not in ("", *HIDES):
        rule = _("it must be one of {options}.").format(options=", ".join(HIDES))
        raise table.error("hides", rule)
    names: tuple[str, ...] = table.texts("hides_settings", usual=[], raw=True)
    settings = [p.name for p in state_of(table.link).operator().parameters()] if names else []
    if not set(names) <= set(settings):
        rule = _("it must be one of {options}.").format(options=", ".join(settings))
        raise table.error("hides_settings", rule)
    return hides, names


def read_answers(table: Table) -> tuple[Answer, ...]:
    """The answer choices, one of which is right.

    Raises:
        Error: there are not two to four answers, or not exactly one of them has no ``why``.
    """
    asked = table.get("answer", str, usual="")
    answers = []
    for choice in table.tables("choices"):
        text = choice.text("text")
        usual = f"{asked} = {text}" if asked else None
        claim = choice.get("claim", str, usual=usual)
        answers.append(Answer(text, choice.text("why", usual=""), claim))
        choice.done()
    low, high = _ANSWERS
    if not low <= len(answers) <= high:
        rule = _("there must be {low} to {high} of them.").format(low=low, high=high)
        raise table.error("choices", rule)
    if sum(not answer.why for answer in answers) != 1:
        raise table.error("choices", _("only the right answer has no why."))
    return tuple(answers)


def _what_if(table: Table) -> WhatIf:
    link = table.link = table.get("link", str)
    what_if = WhatIf(table.text("words"), link, table.texts("claims", usual=[], raw=True))
    table.done()
    return what_if


def _plan(table: Table) -> Plan:
    found = []
    for one in table.tables("misunderstandings"):
        link = one.link = one.get("link", str)
        claims = one.texts("claims", usual=[], raw=True)
        found.append(Misunderstanding(one.text("words"), link, claims))
        one.done()
    asked = tuple(_class_question(one) for one in table.tables("questions"))
    plan = Plan(table.text("opening"), asked, tuple(found))
    table.done()
    return plan


def _class_question(table: Table) -> ClassQuestion:
    link = table.link = table.get("link", str, usual="")
    ask, right, wrong, following = (table.text(key) for key in ("ask", "right", "wrong", "next"))
    claims = table.texts("claims", usual=[], raw=True)
    if bool(link) != bool(claims):
        raise table.error("claims", _("a link and claims about it belong together."))
    table.done()
    return ClassQuestion(ask, right, wrong, following, link, claims)
