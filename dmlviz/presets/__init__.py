"""Presets: useful states of the explorers, each with one question.

They are the documentation's examples and common confusions.  Each operator's
folder declares its own; each answer uses the engine's output, so that its numbers
are correct.
"""

from __future__ import annotations

from dmlviz.errors import Error
from dmlviz.kept import kept
from dmlviz.operators import OPERATORS
from dmlviz.operators.teaching import EngineCase
from dmlviz.operators.texts import CaseText, translated
from dmlviz.presets.base import Preset, opened, opened_state
from dmlviz.teaching.facts import state_of
from dmlviz.tensors import shown
from dmlviz.words import _

__all__ = ["Preset", "engine_cases", "opened_state", "preset", "presets", "presets_of"]


def presets() -> tuple[Preset, ...]:
    """All presets, by operator, in display order."""
    return tuple(preset for cls in OPERATORS for preset in presets_of(cls.key))


@kept(megabytes=4)
def presets_of(key: str) -> tuple[Preset, ...]:
    """The presets of one operator's page; empty if it has none.

    >>> [preset.key for preset in presets_of("tile")][0]
    'tile-documentation'
    """
    for cls in OPERATORS:
        if cls.key == key:
            return tuple(opened(key, question) for question in cls.teaching().presets())
    return ()


def engine_cases() -> tuple[EngineCase, ...]:
    """The runs on the engines page, by operator, in display order."""
    return tuple(_case(case) for cls in OPERATORS for case in cls.teaching().cases())


def _case(case: EngineCase | CaseText) -> EngineCase:
    if isinstance(case, EngineCase):
        return case
    state = state_of(case.link)
    return EngineCase(
        case.key, translated(case.title), state.operator(), state.inputs(), translated(case.trap)
    )


def preset(key: str) -> Preset:
    """The preset of that name.

    Raises:
        Error: there is none.

    >>> preset("padding-size-1").x.tolist()
    [7]
    """
    for found in presets():
        if found.key == key:
            return found
    raise Error(_("preset: there is no preset {key}.").format(key=shown(key)), "preset")
