"""Operators without inputs: settings alone make the output, whose elements are all constants."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any, ClassVar

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.movement.expressions import index, names_of
from dmlviz.movement.formulas import Formula
from dmlviz.movement.steps import Step, Steps, grouped_steps
from dmlviz.operators.base import Operator
from dmlviz.operators.checks import sizes_problems
from dmlviz.operators.scalar_union import (
    TYPE_PREFIX,
    VALUE_TYPE,
    ExactScalar,
    cpp_scalar,
    cpp_scalar_note,
    scalar,
    scalar_message,
    type_named,
)
from dmlviz.operators.settings import Dice, Numbers, OutputType, setting, with_settings
from dmlviz.operators.slots import Slot
from dmlviz.tensors import DATA_TYPES, MAX_RANK, element_count
from dmlviz.tensors.numbering import print_flat_index
from dmlviz.tensors.types import Array, Sizes, Tensors


@dataclass(frozen=True)
class OutputSizes(Numbers):
    """The output's sizes, which no input gives."""

    def neutral(self, sizes: Sizes) -> Sizes:
        return (1, 1, 2, 4)

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        yield (1,) * (MAX_RANK + 1)
        for d in range(len(value)):
            yield (*value[:d], 0, *value[d + 1 :])

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        # the rank and the sizes that a level draws for an input
        return sizes

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        return (sizes,)


@dataclass(frozen=True)
class ValueType(OutputType):
    """The type of the output and of the members that a union holds."""

    def checked(self, value: Any) -> str:
        if not isinstance(value, str):
            return type_named(self.label, value)
        # an unknown name is one of the operator's problems
        return value.strip().upper().removeprefix(TYPE_PREFIX)

    def unspoken(self, value: Any) -> bool:
        return False

    def documented(self, value: Any) -> str:
        return f"{TYPE_PREFIX}{value}"

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        return dice.choice(("FLOAT32", "INT32", "UINT8"))


@with_settings
class Generated(Operator):
    """An operator whose only tensor is its output.

    Args:
        output_tensor_sizes: of the output, 1 to 8 numbers, each at least 1.
        value_data_type: of the output and of the numbers that make it, such as ``FLOAT32``.

    A subclass has a :class:`~dmlviz.operators.scalar_union.ExactScalar` for each number.
    """

    output_tensor_sizes: tuple[int, ...] = setting(OutputSizes, "OutputTensor.Sizes")
    value_data_type: str = setting(
        ValueType, VALUE_TYPE, offered=lambda sizes: tuple(DATA_TYPES), initial="FLOAT32"
    )

    input_slots: ClassVar[tuple[Slot, ...]] = ()
    # nothing is copied, and a setting says the sizes
    unasked: ClassVar[tuple[str, ...]] = ("sizes", "source", "value", "arrows", "mistake")
    signed_scalars: ClassVar[tuple[str, ...]] = ()
    """Numbers that can be negative in every type, where they are two's complements."""

    # ---- what each has

    @abstractmethod
    def elements(self, number: Array) -> Array:
        """The elements with these flat numbers, in the output's type.

        Args:
            number: int64.
        """

    @abstractmethod
    def written(self, number: int) -> str:
        """How the element of that flat number is calculated, such as ``3 + 2 · 2 = 7``."""

    @abstractmethod
    def in_letters(self, number: str) -> str:
        """The same for every element, whose flat number is an expression or a letter."""

    @classmethod
    def scalars(cls) -> tuple[str, ...]:
        """The names of its numbers, in the structure's order."""
        return tuple(n for n, kind in cls.declared.items() if isinstance(kind, ExactScalar))

    def number(self, name: str) -> np.generic:
        """One of its numbers in the output's type."""
        return scalar(self._unsigned(name), self.value_data_type)

    def _unsigned(self, name: str) -> float:
        """One of its numbers, or the two's complement that an unsigned type has for it."""
        value: float = getattr(self, name)
        dtype = DATA_TYPES[self.value_data_type].dtype
        wrapped = value + (1 << 8 * dtype.itemsize)
        negative = name in self.signed_scalars and dtype.kind == "u" and value < 0
        return wrapped if negative and 2 * wrapped > np.iinfo(dtype).max else value

    # ---- the rule

    def output_type(self, name: str, data_type: str) -> str:
        return self.value_data_type

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        problems = sizes_problems(self.output_tensor_sizes)
        if self.value_data_type in DATA_TYPES:
            for name in self.scalars():
                if message := scalar_message(name, self._unsigned(name), self.value_data_type):
                    source = f"{self.structure}, {self.declared[name].label}"
                    problems.append(Problem(name, message, source))
        return problems

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {self.output_slots[0].name: self.output_tensor_sizes}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        numbers = np.arange(element_count(self.output_tensor_sizes), dtype=np.int64)
        return {self.output_slots[0].name: self.elements(numbers).reshape(self.output_tensor_sizes)}

    def constants(self, name: str, sizes: Sizes, data_type: str) -> Array:
        return self.evaluate({})[name]

    def with_output_sizes(self, outputs: Mapping[str, Sizes]) -> Operator:
        sizes = outputs.get(self.output_slots[0].name, self.output_tensor_sizes)
        return replace(self, output_tensor_sizes=sizes)

    # ---- moves and formula

    def moves(self, inputs: Tensors) -> Steps:
        count = element_count(self.output_tensor_sizes)
        return grouped_steps(np.arange(count), self._step, lambda k: self._rest(k, count - k))

    def _step(self, number: int) -> Step:
        return Step(self._cell(number), self.say("appears", element=self.written(number)))

    def _rest(self, number: int, n: int) -> Step:
        first, last = self._cell(number), self._cell(number + n - 1)
        title = first if n == 1 else f"{first} – {last}"
        written = self.written(number + n - 1)
        return Step(title, self.say("appear", n, n=n, element=written))

    def _cell(self, number: int) -> str:
        return f"out{print_flat_index(number, self.output_tensor_sizes)}"

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        return {self.output_slots[0].name: ()}

    def rule_lines(self, inputs: Tensors) -> list[str]:
        sizes = self.output_tensor_sizes
        names = names_of(len(sizes))
        strides = [element_count(sizes[d + 1 :]) for d in range(len(sizes))]
        # a dimension of size 1 has index 0 only
        terms = [index(d) * k for d, (n, k) in enumerate(zip(sizes, strides, strict=True)) if n > 1]
        number = reduce(add, terms).show(names) if terms else "0"
        bracketed = f"({number})" if len(terms) > 1 else number
        return [f"out[{', '.join(names)}] = {self.in_letters(bracketed)}"]

    def remarks_at(self, inputs: Tensors, indices: Iterable[Sequence[int]]) -> Iterator[list[str]]:
        for at in indices:
            number = int(np.ravel_multi_index(tuple(at), self.output_tensor_sizes))
            yield [f"{self._cell(number)} = {self.written(number)}"]

    # ---- code

    def cpp_members(self) -> dict[str, str | Sequence[float]]:
        members: dict[str, str | Sequence[float]] = {}
        for name in self.scalars():
            label = self.declared[name].label
            members |= cpp_scalar(self.number(name), self.value_data_type, label)
        return members

    def directml_note(self) -> str:
        return cpp_scalar_note(self.value_data_type, *map(self.number, self.scalars()))
