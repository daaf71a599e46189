"""The Depth to space page."""

from dmlviz.operators import DepthToSpace
from dmlviz.ui.explorer import explorer
from dmlviz.words import _

explorer(
    DepthToSpace,
    _("Depth to space"),
    _(
        "Takes a group of channels and lays them out as blocks of rows and columns: fewer "
        "channels, a larger picture."
    ),
)
