"""Presets: states of the explorers that are worth opening, each with one question.

They are the documentation's examples and what people are known to mix up.  One short file an
operator; each answer is written from what the engine gives, so that its numbers are right.
"""

from __future__ import annotations

from collections.abc import Callable

from dmlviz.errors import Error
from dmlviz.kept import kept
from dmlviz.presets import depth_to_space, padding, space_to_depth, tile
from dmlviz.presets.base import Preset
from dmlviz.tensors import shown
from dmlviz.words import _

__all__ = ["Preset", "preset", "presets", "presets_of"]

_FILES: dict[str, Callable[[], tuple[Preset, ...]]] = {
    "tile": tile.presets,
    "depth-to-space": depth_to_space.presets,
    "space-to-depth": space_to_depth.presets,
    "padding": padding.presets,
}


def presets() -> tuple[Preset, ...]:
    """All presets, operator by operator, in the order in which to show them."""
    return tuple(preset for key in _FILES for preset in presets_of(key))


@kept(megabytes=4)
def presets_of(key: str) -> tuple[Preset, ...]:
    """The presets of one operator's page; none where it has none.

    >>> [preset.key for preset in presets_of("tile")][0]
    'tile-documentation'
    """
    return _FILES[key]() if key in _FILES else ()


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
    raise Error(_("preset: {key} is no preset.").format(key=shown(key)), "preset")
