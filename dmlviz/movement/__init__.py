"""A movement: where every element of an output comes from, as a value.

It does not depend on what made it: an operator, or a chain of several. This package imports only
:mod:`dmlviz.tensors`.
"""

from __future__ import annotations

from dmlviz.movement.value import COMPUTED, CONTROL, INDEX, VALUES, Difference, Movement, Output

__all__ = ["COMPUTED", "CONTROL", "INDEX", "VALUES", "Difference", "Movement", "Output"]
