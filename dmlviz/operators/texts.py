"""An operator's words: the TOML file beside its module.

Code names a message by its key; the file says it in English, and a catalogue in other languages.
``python -m tests.words.extract`` reads both, so a message in a file is translated like any other.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _, ngettext

FAMILIES = ("copy", "rearrange", "pick", "put", "combine", "fill")
"""The families of operators, in display order."""


def family_title(family: str) -> str:
    """What a family does, in a few words.

    >>> [family_title(family) for family in FAMILIES][-2:]
    ['Combine and divide', 'Fill']
    """
    titles = (
        _("Copy"),
        _("Rearrange"),
        _("Pick by index"),
        _("Put by index"),
        _("Combine and divide"),
        _("Fill"),
    )
    return dict(zip(FAMILIES, titles, strict=True))[family]


def translated(text: str) -> str:
    """A text of a TOML file in the reader's language; empty stays empty."""
    return _(text) if text else ""


@dataclass(frozen=True)
class PresetText:
    """A useful state, and the one question that its picture answers.

    Attributes:
        key: its name among the operator's presets.
        title: a few words, for menus.
        question: one question.
        answer: one or two sentences with placeholders such as ``{out[0, :]}``, which the engine
            fills in: see :class:`dmlviz.teaching.state_facts.StateFacts`.
        link: the state that a page opens, such as ``/tile?sizes=3&repeats=2``.
        pictured: whether Home shows it as a card: one or two for each operator; those compare
            nothing.
    """

    key: str
    title: str
    question: str
    answer: str
    link: str
    pictured: bool = False


@dataclass(frozen=True)
class NameText:
    """An operator's name in another library, and a state in which both do the same.

    Attributes:
        name: its usual spelling: ``torch.gather``, ``ONNX Gather``. The arguments that it
            depends on come after a space or a bracket.
        link: the state in which the operator does exactly what the call does; in the file, that
            of the name before unless it has one.
        call: the lines that make ``y`` from the inputs, named as in snippets; empty if
            the dialect's own snippet for that state is used, and for ONNX, where the
            operator's own graph is used.
        also: other names of the same function, for searching.
        dialect: the library, a key of :data:`dmlviz.code.dialects.DIALECTS`, if the name
            does not begin with the library's.
    """

    name: str
    link: str
    call: str = ""
    also: tuple[str, ...] = ()
    dialect: str = ""


@dataclass(frozen=True)
class CaseText:
    """A run on the engines page.

    Attributes:
        key: its name among all cases; it begins with the operator's key.
        title: its special feature, in a few words.
        link: the state that runs.
        trap: an error in versions of a provider, and how dmlviz avoids it; empty if there is none.
    """

    key: str
    title: str
    link: str
    trap: str = ""


@dataclass(frozen=True)
class Texts:
    """Everything that an operator's TOML file says.

    Attributes:
        title: the operator's display name.
        also: titles in other languages and other words for it, for searching.
        sentence: what it does.
        accepts: which inputs and settings it accepts at every feature level, for questions about
            what it refuses.
        sizes: where the sizes of its outputs come from; for those that no calculation
            explains; empty if all have one.
        icon: in the navigation, a name from Material Symbols.
        family: one of :data:`FAMILIES`.
        settings: one sentence for a learner on each setting, by its Python name.
        words: messages by key; a message that depends on a number has a table with ``one`` and
            ``many``.
        plain: what the operator does to a row of numbers (``row``), and to a table along each
            dimension (``down``, ``across``), in plain words with its settings; ``state`` are the
            settings that it must have for that, ``zero`` the words where a setting is 0, by
            setting, ``whole`` those for a row whose every number is meant, ``counted`` why a row
            has so many numbers if no simple sum says it, and ``mistakes`` what is wrong with
            misreadings, by their keys without the number of the changed dimension.
            Empty if plain words cannot say it.
        presets: in display order: a first example in plain words, then the documentation's.
        names: in other libraries.
        cases: for the engines page.
        near: the keys of operators that people take for it, to which its page leads.
    """

    title: str
    sentence: str
    accepts: str
    icon: str
    family: str
    settings: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str | Mapping[str, str]] = field(default_factory=dict)
    plain: Mapping[str, Any] = field(default_factory=dict)
    presets: tuple[PresetText, ...] = ()
    names: tuple[NameText, ...] = ()
    cases: tuple[CaseText, ...] = ()
    sizes: str = ""
    also: tuple[str, ...] = ()
    near: tuple[str, ...] = ()

    def say(self, key: str, count: int = 0, /, **numbers: Any) -> str:
        """A message in the reader's language, filled in.

        Args:
            key: of the message.
            count: the number that decides between one and many, if the message has both.
            numbers: for its placeholders.

        Raises:
            KeyError: the file has no such message, or no number for a placeholder.
        """
        message = self.words[key]
        if isinstance(message, str):
            return translated(message).format(**numbers)
        one, many = message["one"], message["many"]
        return ngettext(one, many, count).format(**numbers)


def read_texts(path: Path) -> Texts:
    """The words of a TOML file.

    Raises:
        TypeError: a field is missing or unknown; a test reads every file.
    """
    data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    names: list[NameText] = []
    for name in data.pop("names", ()):
        state = {"link": names[-1].link} if names else {}
        names.append(NameText(**{**state, **name, "also": tuple(name.get("also", ()))}))
    return Texts(
        also=tuple(data.pop("also", ())),
        near=tuple(data.pop("near", ())),
        presets=tuple(PresetText(**preset) for preset in data.pop("presets", ())),
        names=tuple(names),
        cases=tuple(CaseText(**case) for case in data.pop("cases", ())),
        **data,
    )
