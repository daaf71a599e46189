"""Outputs that hold indices of elements, not copies: an operator's methods for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.operators.slots import INDEX, OUTPUT, Slot

Array = np.ndarray[Any, Any]


class IndexOutputs:
    """Methods of every operator that only those with an output of indices override."""

    output_slots: ClassVar[tuple[Slot, ...]] = OUTPUT
    """Its output tensors, in the structure's order."""
    typed_tensors: ClassVar[tuple[str, ...]] = ()
    """Outputs whose data type is free, so that the description gives it."""

    @classmethod
    def index_slots(cls) -> dict[str, Slot]:
        """The outputs that hold indices, by name."""
        return {slot.name: slot for slot in cls.output_slots if slot.role == INDEX}

    def ranking(self, inputs: Mapping[str, Array]) -> Array | None:
        """All elements that move, in ascending order, if their order decides where they go.

        The run on indices then takes numbers in this order, so that everything moves as
        the values do. Equal elements are in the order that the operator gives them.

        Returns:
            Flat indices through all ``values`` inputs; int64. None if values do not matter.
        """
        return None

    def index_values(self, name: str, sources: Array, inputs: Mapping[str, Array]) -> Array:
        """What an output of indices must hold.

        Args:
            name: the output's name.
            sources: of the elements that its indices refer to, as reported by an engine.
            inputs: by name.

        Returns:
            int64, of the output's sizes; -1 if no index can name the source.
        """
        raise NotImplementedError

    def with_output_types(self, types: Mapping[str, str]) -> Self:
        """The same with outputs of these data types, if they are free and valid."""
        return self
