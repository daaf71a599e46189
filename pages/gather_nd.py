"""The GatherND page."""

from dmlviz.operators import operator_class
from dmlviz.ui.explorer import explorer

explorer(operator_class("gather-nd"))
