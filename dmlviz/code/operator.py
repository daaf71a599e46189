"""A chain as an operator, so that engines, stage, exports and notebooks take it as any other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from dmlviz.cache import cached
from dmlviz.code.chain import Chain, read
from dmlviz.code.libraries import LIBRARIES
from dmlviz.errors import Problem
from dmlviz.movement import VALUES
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import Graph
from dmlviz.movement.nodes import run_graph
from dmlviz.movement.steps import Part, Steps, outermost_steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.feature_levels import ALL, ANY_RANK, Support
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.tensors import data_type_of, print_sizes
from dmlviz.tensors.types import Array, Sizes
from dmlviz.words import _

Values = tuple[str, Sizes, tuple[Any, ...]]
"""An array as JSON has it: NumPy's name of its type, its sizes, its elements."""

WHOLE = "whole"
"""From the inputs to the outputs."""

EVERY = "every"
"""From the inputs to every tensor of the chain, the outputs included."""


@dataclass(frozen=True)
class CodeOperator(Operator):
    """What a chain does, or one operation of it.

    Attributes:
        text: the code.
        library: a key of :data:`dmlviz.code.libraries.LIBRARIES`.
        sizes: of each input of the code, by name.
        arrays: the values of the inputs that choose elements, by name.
        part: :data:`WHOLE`, :data:`EVERY`, or the number of an operation.
        indices: whether this is the run on indices.
    """

    text: str
    library: str
    sizes: tuple[tuple[str, Sizes], ...]
    arrays: tuple[tuple[str, Values], ...] = ()
    part: str = WHOLE
    indices: bool = False

    key: ClassVar[str] = "code"
    place: ClassVar[int] = 0
    operator_type: ClassVar[str] = "CODE"
    structure: ClassVar[str] = "CODE"
    members: ClassVar[tuple[str, ...]] = ()
    maker: ClassVar[str] = f"{__name__}:rebuilt"
    support: ClassVar[tuple[Support, ...]] = (Support("1_0", ANY_RANK, ALL),)

    def __post_init__(self) -> None:
        # JSON has lists
        sizes = tuple((name, tuple(of)) for name, of in self.sizes)
        arrays = tuple(
            (name, (kind, tuple(of), tuple(items))) for name, (kind, of, items) in self.arrays
        )
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "arrays", arrays)

    @property
    def chain(self) -> Chain:
        """The chain that the code describes."""
        return _chain(self.text, self.library, self.sizes, self.arrays)

    @property
    def taken(self) -> tuple[str, ...]:
        """The chain's tensors that are the inputs here, in order."""
        if self.part in (WHOLE, EVERY):
            return tuple(self.chain.inputs)
        return self.chain.operations[int(self.part)].inputs

    @property
    def made(self) -> Mapping[str, str]:
        """For each output here, the chain's tensor."""
        chain = self.chain
        if self.part == WHOLE:
            return chain.outputs
        if self.part == EVERY:
            return {name: name for name in chain.tensors} | dict(chain.outputs)
        own = chain.operations[int(self.part)]
        return {
            # a tensor that does not move has a second name
            name if name not in own.inputs else f"{name} ": name
            for name in own.outputs
        }

    @property
    def desc(self) -> dict[str, Any]:
        return {"text": self.text, "library": self.library}

    def print_settings(self) -> dict[str, str]:
        """The code on one line, and its library."""
        return {_("Code"): self.on_one_line(), _("Library"): LIBRARIES[self.library].title}

    def on_one_line(self) -> str:
        """The code."""
        return " ".join(self.text.split())

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        return ()

    @classmethod
    def parameters(cls) -> tuple[Any, ...]:
        return ()

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        return [
            Problem(
                name,
                _("{name} must have sizes {sizes}.").format(name=name, sizes=print_sizes(due)),
                self.structure,
            )
            for name, due in ((name, self.chain.sizes[name]) for name in self.taken)
            if sizes[name] != due
        ]

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {name: self.chain.sizes[tensor] for name, tensor in self.made.items()}

    def evaluate(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        data_type = data_type_of(next(iter(inputs.values())).dtype)
        made = run_graph(self._graph(data_type), inputs, tuple(self.made))
        return {name: np.asarray(array, order="C") for name, array in made.items()}

    def _graph(self, data_type: str) -> Graph:
        return self.chain.graph(self.made, data_type, self.indices, self.taken)

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        return None

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        return self._graph(next(iter(inputs.values())).data_type)

    def constants(self, name: str, sizes: Sizes, data_type: str) -> Array | None:
        return self.chain.constants_of(self.made[name], data_type)

    def padding(self, data_type: str) -> np.generic | None:
        """The value of every constant, if they all have one."""
        values = [self.constants(name, (), data_type) for name in self.made]
        maps = [self.chain.maps[tensor] for tensor in self.made.values()]
        pairs = zip(values, maps, strict=True)
        used = [of[numbers < 0] for of, numbers in pairs if of is not None]
        line = np.unique(np.concatenate(used)) if used else np.zeros(0)
        return line[0] if line.size == 1 else None

    def formulas(self, inputs: Mapping[str, Array]) -> dict[str, tuple[Formula, ...]]:
        chain = self.chain
        if self.part == EVERY:
            return dict.fromkeys(self.made, ())
        if self.part == WHOLE:
            return dict(chain.formulas)
        formulas = chain.formulas_of(int(self.part))
        return {name: formulas[tensor] for name, tensor in self.made.items()}

    def moves(self, inputs: Mapping[str, Array]) -> Steps:
        return outermost_steps({n.strip(): of for n, of in self.outputs_after({}).items()})

    def on_indices(self) -> Operator:
        return type(self)(self.text, self.library, self.sizes, self.arrays, self.part, True)

    def rule_parts(self, inputs: Mapping[str, Array]) -> tuple[Part, ...]:
        """The tensors between, of a chain in which each call takes the tensor before it alone."""
        chain = self.chain
        if self.part != WHOLE or len(chain.inputs) != 1 or len(chain.operations) < 2:
            return ()
        data_type = data_type_of(next(iter(inputs.values())).dtype)
        parts: list[Part] = []
        before: Part | Sizes = next(iter(chain.inputs.values()))
        current = next(iter(chain.inputs))
        for number, operation in enumerate(chain.operations):
            if operation.inputs != (current,) or len(operation.outputs) != 1:
                return ()
            (name,) = operation.outputs
            sizes = chain.sizes[name]
            part = Part(
                operation.text,
                f"{print_sizes(chain.sizes[current])} → {print_sizes(sizes)}",
                sizes,
                before,
                _taking(chain.between(number).outputs[name].source),
                chain.constants_of(name, data_type),
            )
            parts.append(part)
            before, current = part, name
        return tuple(parts)

    @classmethod
    def rule_parts_title(cls) -> str:
        return _("Call by call")


def _taking(source: Array) -> Callable[[Array], Array]:
    return lambda tensor: np.where(source < 0, -1, tensor.ravel()[source])


def operator_of(chain: Chain, part: str = WHOLE) -> CodeOperator:
    """A chain, or one of its operations, as an operator.

    Args:
        chain: the chain.
        part: :data:`WHOLE`, :data:`EVERY`, or the number of an operation.
    """
    sizes = {**chain.inputs, **{name: array.shape for name, array in chain.controls.items()}}
    ordered = tuple((name, sizes[name]) for name in chain.order)
    arrays = tuple((name, _values(array)) for name, array in chain.arrays.items())
    plain = CodeOperator(chain.text, chain.library, ordered, arrays, part)
    cls = _class(plain.taken, tuple(plain.made))
    return cls(chain.text, chain.library, ordered, arrays, part)


def rebuilt(**settings: Any) -> CodeOperator:
    """The operator with these settings, as JSON has them: for another process."""
    plain = CodeOperator(**settings)
    made = operator_of(plain.chain, plain.part)
    return type(made)(**settings)


def _values(array: Array) -> Values:
    return array.dtype.name, array.shape, tuple(array.ravel().tolist())


@lru_cache(maxsize=256)
def _class(inputs: tuple[str, ...], outputs: tuple[str, ...]) -> type[CodeOperator]:
    """The operator with these tensors: slots belong to classes."""

    class Code(CodeOperator):
        input_slots = tuple(map(Slot, inputs))
        output_slots = tuple(map(Slot, outputs))

        @classmethod
        def role(cls, name: str) -> str:
            return VALUES

    return Code


@cached(megabytes=8)
def _chain(
    text: str,
    library: str,
    sizes: tuple[tuple[str, Sizes], ...],
    arrays: tuple[tuple[str, Values], ...],
) -> Chain:
    values = {name: np.asarray(items, kind).reshape(of) for name, (kind, of, items) in arrays}
    return read(text, dict(sizes), values, library)
