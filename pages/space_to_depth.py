"""The Space to depth page."""

from dmlviz.operators import SpaceToDepth
from dmlviz.ui.explorer import explorer
from dmlviz.words import _

explorer(
    SpaceToDepth,
    _("Space to depth"),
    _(
        "Takes blocks of rows and columns apart and stacks them as channels: more channels, a "
        "smaller picture. It undoes Depth to space."
    ),
)
