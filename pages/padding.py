"""The Padding page."""

from dmlviz.operators import Padding
from dmlviz.ui.explorer import explorer
from dmlviz.words import _

explorer(
    Padding,
    _("Padding"),
    _(
        "Puts elements before and behind each dimension: one value, the edge repeated, a mirror "
        "image, or the other end."
    ),
)
