"""Scene -> a player for the app, a notebook or one HTML file."""

from __future__ import annotations

from dmlviz.player.figure import figure
from dmlviz.player.page import Player, player
from dmlviz.player.payload import payload

__all__ = ["Player", "figure", "payload", "player"]
