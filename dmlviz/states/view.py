"""How an operation is looked at: the parameters of a link that change no number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dmlviz.states.settings import Settings
from dmlviz.tensors import element_count
from dmlviz.tensors.types import Sizes

COLORS = ("value", "channel", "position", "picture", "planes")
"""What a cell's color can show."""

MOVES = ("steps", "all", "stages")
"""What can move together."""

MOST_PINS = 6
"""How many output elements can be pinned at once."""

PLAYER_PARAMETERS = ("colors", "moves", "step", "pinned", "memory")
"""The parameters of a link that the player keeps by itself, without the server."""


@dataclass(frozen=True)
class View:
    """How an operation is looked at.

    Attributes:
        feature_level: such as ``"5_0"``, or None for DirectML's newest.
        engine: whose run is drawn, such as ``"numpy"`` or ``"directml:1"``.
        colors: one of :data:`COLORS`.
        moves: one of :data:`MOVES`.
        step: the moment: how many steps are done, with up to two decimals.
        pinned: indices of up to six output elements; if there can be several outputs, each
            after the number of its output. Those of what it is compared with come after its own.
        directions: for outer dimensions, ``"across"`` or ``"down"``; the others go by themselves.
        compare: the second operator's settings, or None where nothing is compared.
        memory: whether every tensor is shown as it is in memory, too: all its elements in a row.
        predict: whether the output is hidden until the learner predicts it.
    """

    feature_level: str | None = None
    engine: str = "numpy"
    colors: str = "value"
    moves: str = "steps"
    step: float = 0
    pinned: tuple[tuple[int, ...], ...] = ()
    directions: tuple[tuple[int, str], ...] = ()
    compare: Settings | None = None
    predict: bool = False
    memory: bool = False

    def look(self, outputs: Sizes | Mapping[str, Sizes]) -> dict[str, Any]:
        """The player's initial values: colors, moves, step, memory, pins as cell numbers.

        Args:
            outputs: the sizes of the output, or of each by name, in which pinned elements are
                found; those outside are left out.
        """
        named = outputs if isinstance(outputs, Mapping) else {"": outputs}
        sizes = list(named.values())
        several = len(named) > 1 or "[" in next(iter(named)) or self.compare is not None
        # cells are numbered through all outputs one after the other
        first = [sum(map(element_count, sizes[:k])) for k in range(len(sizes))]
        pinned = []
        for index in self.pinned:
            k, at = (index[0], index[1:]) if several else (0, index)
            if (
                k < len(sizes)
                and len(at) == len(sizes[k])
                and all(0 <= i < n for i, n in zip(at, sizes[k], strict=True))
            ):
                pinned.append(first[k] + int(np.ravel_multi_index(at, sizes[k])))
        return {
            "colors": self.colors,
            "moves": self.moves,
            "step": self.step,
            "pinned": pinned,
            "memory": self.memory,
        }

    def without_player(self) -> View:
        """The view as far as the server keeps it."""
        usual = View()
        return replace(self, **{name: getattr(usual, name) for name in PLAYER_PARAMETERS})

    def parameters(self, settings: Settings, *, several: bool = False) -> dict[str, str]:
        """The parameters of a link, without defaults.

        Args:
            settings: of the first operator; the second's are written where they differ.
            several: whether there may be several outputs, so that a pinned index begins with the
                number of its own.
        """
        first = dict(settings)
        second = self.compare or ()
        several = several or self.compare is not None
        parameters = {
            "feature_level": self.feature_level or "",
            "engine": "" if self.engine == "numpy" else self.engine,
            "compare": "" if self.compare is None else "true",
            **{f"b_{name}": text for name, text in second if first.get(name) != text},
            "predict": "true" if self.predict else "",
            "directions": ",".join(f"{d}:{way}" for d, way in self.directions),
            "colors": "" if self.colors == "value" else self.colors,
            "moves": "" if self.moves == "steps" else self.moves,
            "step": f"{self.step:.2f}".rstrip("0").rstrip(".") if self.step else "",
            "pinned": ";".join(_pinned(index, several) for index in self.pinned),
            "memory": "true" if self.memory else "",
        }
        return {name: text for name, text in parameters.items() if text}


def _pinned(index: tuple[int, ...], several: bool) -> str:
    before = f"{index[0]}:" if several else ""
    return before + ",".join(map(str, index[1:] if several else index))
