"""The Tile page."""

from dmlviz.operators import Tile
from dmlviz.ui.explorer import explorer
from dmlviz.words import _

explorer(
    Tile,
    _("Tile"),
    _("Puts copies of the whole input side by side: Repeats says how many along each dimension."),
)
