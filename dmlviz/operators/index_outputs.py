"""Outputs that hold indices of elements, and no copies: what an operator says of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.operators.slots import INDEX, OUTPUT, Slot

Array = np.ndarray[Any, Any]


class IndexOutputs:
    """The part of every operator that only those with an output of indices fill in."""

    output_slots: ClassVar[tuple[Slot, ...]] = OUTPUT
    """Its output tensors, in the structure's order."""
    typed_tensors: ClassVar[tuple[str, ...]] = ()
    """Outputs whose data type is free, so that its description gives it."""

    @classmethod
    def index_slots(cls) -> dict[str, Slot]:
        """The outputs that hold indices, by name."""
        return {slot.name: slot for slot in cls.output_slots if slot.role == INDEX}

    def ranking(self, inputs: Mapping[str, Array]) -> Array | None:
        """All elements that travel, the least first, where their order says where they go.

        The run on indices then takes numbers that are in this order, so that everything moves as
        the values do. Elements that are equal stand as the operator tells them apart.

        Returns:
            Flat indices through all ``values`` inputs; int64. None where values do not matter.
        """
        return None

    def index_values(self, name: str, sources: Array, inputs: Mapping[str, Array]) -> Array:
        """What an output of indices has to hold.

        Args:
            name: of the output.
            sources: of the elements that its indices are of, whatever an engine says they are.
            inputs: by name.

        Returns:
            int64, of the output's sizes; -1 where the source is none that an index could name.
        """
        raise NotImplementedError

    def with_output_types(self, types: Mapping[str, str]) -> Self:
        """The same with outputs of these data types, where they are free and possible."""
        return self
