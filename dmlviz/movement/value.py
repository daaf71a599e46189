"""Movements as frozen values: compose, invert, compare.

The elements of all inputs are numbered one tensor after the other, each in row-major order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from types import MappingProxyType

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.movement.formulas import Formula
from dmlviz.movement.steps import Steps, outermost_steps
from dmlviz.tensors import print_sizes
from dmlviz.tensors.types import Array, Sizes

NO_SOURCE = -1
"""The source of an element that is a constant."""

VALUES = "values"
"""The role of an input whose elements move."""

CONTROL = "control"
"""The role of an input that controls the moves (indices, lengths): unchanged in both runs."""

INDEX = "index"
"""The role of an output whose elements are not copies: each is the index of an element."""

COMPUTED = "computed"
"""The role of an output whose elements are new values, such as sums of products: no movement."""


@dataclass(frozen=True, eq=False)
class Output:
    """Where the elements of one output come from.

    Attributes:
        source: for each element, the flat index of its source through all inputs, or
            :data:`NO_SOURCE`; int64, of the output's sizes, read-only.
        constants: the value of each element without a source, of the output's data type and
            sizes; it means nothing elsewhere. None if there are none, or if only places matter.
        formulas: the rule of the sources, one formula for each element; empty if there is none.
    """

    source: Array
    constants: Array | None = None
    formulas: tuple[Formula, ...] = ()

    @property
    def sizes(self) -> Sizes:
        """The output's sizes."""
        return tuple(self.source.shape)

    @property
    def is_constant(self) -> Array:
        """Whether each element is a constant; bool, of the output's sizes."""
        return self.source < 0


@dataclass(frozen=True)
class Difference:
    """The first element that two movements with equal sizes take from different places.

    Attributes:
        output: the output's name.
        at: the element's index, the first in row-major order.
        count: how many elements of all outputs differ.
    """

    output: str
    at: tuple[int, ...]
    count: int


@dataclass(frozen=True, eq=False)
class Movement:
    """Where every element of the outputs comes from.

    Attributes:
        inputs: the sizes of the tensors whose elements move, by name, in the order of numbers.
        outputs: by name.
    """

    inputs: Mapping[str, Sizes]
    outputs: Mapping[str, Output] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "inputs", MappingProxyType(dict(self.inputs)))
        object.__setattr__(self, "outputs", MappingProxyType(dict(self.outputs)))
        for output in self.outputs.values():
            output.source.setflags(write=False)

    @property
    def count(self) -> int:
        """How many elements the inputs have together."""
        return sum(map(math.prod, self.inputs.values()))

    @property
    def sizes(self) -> dict[str, Sizes]:
        """The outputs' sizes, by name."""
        return {name: output.sizes for name, output in self.outputs.items()}

    @cached_property
    def steps(self) -> Steps:
        """What to show one after the other: the indices of the outputs' outermost dimension."""
        return outermost_steps(self.sizes)

    def moved(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """The outputs for these inputs, by name.

        Args:
            inputs: by name, of one data type, of the movement's sizes.

        Raises:
            Error: an input is missing, or has other sizes; or an element has neither a source nor
                a constant.
        """
        for name, sizes in self.inputs.items():
            if name not in inputs or inputs[name].shape != sizes:
                raise Error(
                    _("inputs: {name} must be a tensor of sizes {sizes}.").format(
                        name=name, sizes=print_sizes(sizes)
                    ),
                    name,
                )
        parts = [inputs[name].ravel() for name in self.inputs]
        values = np.concatenate(parts) if parts else np.zeros(0)
        moved = {}
        for name, output in self.outputs.items():
            where, constants = output.is_constant, output.constants
            if not where.any():
                moved[name] = values[output.source]
            elif constants is None:
                raise Error(
                    _("outputs: {name} has elements without a source or a value.").format(
                        name=name
                    ),
                    name,
                )
            elif where.all():
                moved[name] = np.array(constants)
            else:
                moved[name] = np.where(where, constants, values[output.source])
        return moved

    def then(self, after: Movement, names: Mapping[str, str] | None = None) -> Movement:
        """The movement of both, one after the other.

        Args:
            after: a movement whose inputs are outputs of this one.
            names: the output here for each input there; by default the one with the same name,
                or the only output for the only input.

        Raises:
            Error: an input there is no output here, or has other sizes.
        """
        wired = dict(names or {})
        if len(after.inputs) == len(self.outputs) == 1:
            wired = dict(zip(after.inputs, self.outputs, strict=True)) | wired
        sources, constants = [], []
        for name, sizes in after.inputs.items():
            output = self.outputs.get(wired.get(name, name))
            if output is None or output.sizes != sizes:
                raise Error(
                    _("then: {name} of sizes {sizes} is no output of the first movement.").format(
                        name=name, sizes=print_sizes(sizes)
                    ),
                    name,
                )
            sources.append(output.source.ravel())
            constants.append(output.constants)
        # without inputs, everything after it is a constant
        source = np.concatenate(sources) if sources else np.array([NO_SOURCE])
        held = None
        if any(array is not None for array in constants):
            kinds = [array.dtype for array in constants if array is not None]
            held = np.concatenate(
                [
                    np.zeros(of.size, kinds[0]) if array is None else array.ravel()
                    for of, array in zip(sources, constants, strict=True)
                ]
            )
        return Movement(
            self.inputs, {name: _composed(out, source, held) for name, out in after.outputs.items()}
        )

    def inverse(self) -> Movement | None:
        """The movement back; None if an element is copied twice, lost, or a constant.

        Its inputs are the outputs here, its outputs the inputs here.
        """
        source = np.concatenate([output.source.ravel() for output in self.outputs.values()])
        if source.size != self.count or not np.array_equal(np.sort(source), np.arange(self.count)):
            return None
        back = np.argsort(source)
        outputs, start = {}, 0
        for name, sizes in self.inputs.items():
            end = start + math.prod(sizes)
            outputs[name] = Output(back[start:end].reshape(sizes))
            start = end
        return Movement(self.sizes, outputs)

    def same_as(self, other: Movement) -> bool:
        """Whether the sizes, the sources and the constants of both are equal, bit for bit.

        The names of tensors do not matter, their order does.
        """
        return (
            list(self.inputs.values()) == list(other.inputs.values())
            and list(self.sizes.values()) == list(other.sizes.values())
            and self.first_difference(other) is None
        )

    def first_difference(self, other: Movement) -> Difference | None:
        """The first element that comes from another place, or is another constant.

        Raises:
            Error: the outputs of the two do not have the same sizes.
        """
        if list(self.sizes.values()) != list(other.sizes.values()):
            raise Error(
                _("sizes: the outputs have sizes {one} and {two}.").format(
                    one=", ".join(map(print_sizes, self.sizes.values())),
                    two=", ".join(map(print_sizes, other.sizes.values())),
                ),
                "sizes",
            )
        first, count = None, 0
        pairs = zip(self.outputs.items(), other.outputs.values(), strict=True)
        for (name, one), two in pairs:
            differing = np.flatnonzero(_differing(one, two))
            count += differing.size
            if differing.size and first is None:
                first = name, tuple(int(i) for i in np.unravel_index(differing[0], one.sizes))
        return first and Difference(*first, count)


def _composed(output: Output, source: Array, constants: Array | None) -> Output:
    """The output of a second movement, by the sources of the first."""
    is_constant = output.is_constant
    through = np.where(is_constant, NO_SOURCE, source[output.source])
    new = output.constants
    if constants is not None:
        carried = constants[np.where(is_constant, 0, output.source)]
        new = carried if new is None else np.where(is_constant, new, carried)
    return Output(through, new)


def _differing(one: Output, two: Output) -> Array:
    differing: Array = one.source != two.source
    if one.constants is None or two.constants is None:
        return differing
    bits = f"u{one.constants.dtype.itemsize}"
    unlike: Array = np.ascontiguousarray(one.constants).view(bits) != np.ascontiguousarray(
        two.constants.astype(one.constants.dtype)
    ).view(bits)
    return differing | (one.is_constant & unlike)
