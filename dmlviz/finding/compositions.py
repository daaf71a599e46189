"""Calls that no single operator does, and what does them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from dmlviz.kept import kept
from dmlviz.places import ASSETS
from dmlviz.words import ENGLISH, language


@dataclass(frozen=True)
class Step:
    """A part of what does the same.

    Attributes:
        title: the operator's, or what its output has.
        link: the address of a state that computes it.
    """

    title: str
    link: str


@dataclass(frozen=True)
class Composition:
    """What does the same as a call.

    Attributes:
        key: its name in the files.
        calls: names of functions without their module, ``x[...]``, or ``ONNX`` and an operator.
        sentence: why no operator does it, and what does.
        steps: in order; none where nothing here does it.
    """

    key: str
    calls: tuple[str, ...]
    sentence: str
    steps: tuple[Step, ...]


def compositions() -> tuple[Composition, ...]:
    """All of them, in the reader's language.

    >>> [step.title for each in compositions() if each.key == "roll" for step in each.steps]
    ['Slice', 'Join']
    """
    return _read(language())


@kept(megabytes=1)
def _read(spoken: str) -> tuple[Composition, ...]:
    path = ASSETS / f"compositions.{spoken}.toml"
    path = path if path.exists() else ASSETS / f"compositions.{ENGLISH}.toml"
    return tuple(
        Composition(
            key,
            tuple(table["calls"]),
            table["sentence"],
            tuple(Step(**step) for step in table.get("steps", ())),
        )
        for key, table in tomllib.loads(path.read_text(encoding="utf-8")).items()
    )
