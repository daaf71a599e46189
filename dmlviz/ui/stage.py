"""The player as a Streamlit component, fed by value from a cache that all sessions share."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

import numpy as np
import streamlit as st

from dmlviz.operators import Operator
from dmlviz.player.files import loader, style
from dmlviz.player.payload import payload
from dmlviz.scene import Scene, check_stage, scene
from dmlviz.trace import run
from dmlviz.ui.server import player_address, plotly_address
from dmlviz.words import _

Array = np.ndarray[Any, Any]


def picture(operator: Operator, x: Array, engine: str = "numpy") -> Scene:
    """The scene of a run; the same operation is run once for everybody.

    Raises:
        TooLarge: a tensor is too large for the stage; nothing was computed.
        Refused, EngineUnavailable, EngineRefused: as :func:`dmlviz.run`.
    """
    check_stage(x.shape, operator.output_sizes(x.shape))
    return _picture(operator, x.tobytes(), x.dtype.str, x.shape, engine)


def show(drawn: Scene, key: str, *, compact: bool = False, tall: int = 560) -> None:
    """Put the player on the page.

    Args:
        drawn: from :func:`picture`.
        key: the component keeps its moment over reruns of the same key.
        compact: a small one without controls, that plays while it is visited.
        tall: pixels down that are pleasant to have.
    """
    x = drawn.trace.x
    identity = _identity(drawn.trace.operator, x.tobytes(), x.dtype.str, x.shape)
    component = st.components.v2.component(
        "dmlviz_player", js=loader(), css=style(), isolate_styles=False
    )
    component(
        key=key,
        data={
            "identity": identity,
            "plotly": plotly_address(),
            "player": player_address(),
            "failed": _("The player could not be loaded from the server:"),
            "options": {"compact": compact, "tall": tall},
            "payload": _payload(drawn, identity),
        },
    )


# Large enough for a class at work, small enough to hold: about 64 pictures of 300 kB.
@lru_cache(maxsize=64)
def _picture(
    operator: Operator, values: bytes, dtype: str, sizes: tuple[int, ...], engine: str
) -> Scene:
    x = np.frombuffer(values, dtype).reshape(sizes)
    return scene(run(operator, x, engine))


class _ByIdentity:
    """Payloads by what they show; a Scene holds arrays and has no hash of its own."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.kept: dict[str, dict[str, Any]] = {}

    def __call__(self, drawn: Scene, identity: str) -> dict[str, Any]:
        found = self.kept.pop(identity, None) or payload(drawn)
        self.kept[identity] = found
        while len(self.kept) > self.size:
            self.kept.pop(next(iter(self.kept)), None)
        return found


_payload = _ByIdentity(64)


def _identity(operator: Operator, values: bytes, dtype: str, sizes: tuple[int, ...]) -> str:
    digest = hashlib.sha256(values)
    digest.update(repr((operator, dtype, sizes)).encode())
    return digest.hexdigest()[:24]
