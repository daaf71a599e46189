"""All tensors of a chain beside each other, one for each call, as the stage shows them small."""

from __future__ import annotations

import hashlib

from dmlviz.base.deferred import dataclass
from dmlviz.tensors.types import Array

STRIP_LIMIT = 262_144
"""The limit of cells in all small pictures together, 6 bytes of what is sent each."""


@dataclass(frozen=True, eq=False)
class StripTensor:
    """One tensor of a chain.

    Attributes:
        name: in the chain.
        sizes: of the tensor.
        call: the number of the call that makes it, from 1; 0 for an input of the chain.
        text: the part of the code that makes it; empty for an input.
        numbers: for each element, flat, the number of its source through all inputs of the chain;
            below 0 for a constant; int64. None where all tensors have more cells than
            :data:`STRIP_LIMIT`.
    """

    name: str
    sizes: tuple[int, ...]
    call: int
    text: str
    numbers: Array | None


@dataclass(frozen=True, eq=False)
class Strip:
    """A chain's tensors, and the part of it that is on the stage.

    Attributes:
        tensors: the inputs, then what each call makes.
        call: the call on the stage, from 1; 0 for all of them, from first to last.
        input: the numbers, as of a tensor, of the stage's elements that move.
        output: the numbers, as of a tensor, of the stage's output cells.
        values: of the elements of all inputs, and of those that calls compute.
        whole: whether all calls are one movement; not if one of them computes.
    """

    tensors: tuple[StripTensor, ...]
    call: int
    input: Array
    output: Array
    values: Array
    whole: bool = True

    @property
    def digest(self) -> bytes:
        """A name that is equal for strips with the same content."""
        hasher = hashlib.sha256(repr(self.call).encode())
        for tensor in self.tensors:
            hasher.update(repr((tensor.name, tensor.sizes, tensor.call, tensor.text)).encode())
            hasher.update(b"" if tensor.numbers is None else tensor.numbers.tobytes())
        hasher.update(self.values.tobytes())
        return hasher.digest()
