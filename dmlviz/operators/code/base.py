"""Snippets in other dialects, and the layout of their lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.movement.expressions import names_of
from dmlviz.operators.slots import BufferDesc
from dmlviz.tensors import DATA_TYPES, element_count
from dmlviz.words import _

DIALECTS = {
    "directml": "DirectML (C++)",
    "onnx": "ONNX",
    "numpy": "NumPy",
    "pytorch": "PyTorch",
    "tensorflow": "TensorFlow",
    "einops": "einops",
}
"""The names of the dialects, in display order."""

UNTESTED = frozenset({"tensorflow"})
"""Dialects whose code the tests do not run."""

PLAIN_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇", "01234567")
"""Turns the names of indices into Python identifiers, as einops requires."""

WIDTH = 88
"""Characters that a line of code should not exceed."""


@dataclass(frozen=True)
class Snippet:
    """An operator with its settings, written in one dialect.

    Attributes:
        dialect: a key of :data:`DIALECTS`.
        imports: the lines before everything else.
        make_x: the lines that make the inputs of the right sizes and data types, named as
            :attr:`Tensor.variable` says; empty in C++.
        body: the lines that make the output ``y`` from them, or a list ``y`` of several outputs;
            empty if the dialect cannot do it.
        note: one sentence if the dialect differs or cannot do it, otherwise empty.
    """

    dialect: str
    imports: str = ""
    make_x: str = ""
    body: str = ""
    note: str = ""

    @property
    def title(self) -> str:
        """The dialect's name, for a heading."""
        return DIALECTS[self.dialect]

    @property
    def tested(self) -> bool:
        """Whether the tests run such code, or compile it."""
        return self.dialect not in UNTESTED

    @property
    def language(self) -> str:
        """The language for a syntax highlighter: ``"cpp"`` or ``"python"``."""
        return "cpp" if self.dialect == "directml" else "python"

    @property
    def text(self) -> str:
        """The whole piece; empty if the dialect cannot do it."""
        if not self.body:
            return ""
        code = "\n".join(part for part in (self.make_x, self.body) if part)
        return f"{self.imports}\n\n{code}\n"


@dataclass(frozen=True)
class Tensor:
    """A tensor in code.

    Attributes:
        name: DirectML's, such as ``InputTensors[0]``.
        sizes: rank 1 to 8.
        data_type: one of DirectML's 11.
        below: for a control tensor, the number that its elements stay below; 0 for any other.
        buffer: for an input that is memory here, the description of the tensor for DirectML.
    """

    name: str
    sizes: tuple[int, ...]
    data_type: str
    below: int = 0
    buffer: BufferDesc | None = None

    @property
    def variable(self) -> str:
        """What code calls it.

        >>> [Tensor(n, (1,), "INT8").variable for n in ("InputTensor", "InputTensors[1]")]
        ['x', 'x1']
        >>> Tensor("IndicesTensor", (1,), "INT64", 5).variable
        'indices'
        """
        slot, _bracket, number = self.name.removesuffix("]").partition("[")
        plain = {"Input": "x", "Output": "y"}
        stem = slot.removesuffix("s").removesuffix("Tensor").removesuffix("Gradient")
        return plain.get(stem, stem.lower()) + number

    @property
    def dtype(self) -> str:
        """The type's name in NumPy, PyTorch and TensorFlow."""
        return str(DATA_TYPES[self.data_type].dtype)

    def numbers(self, function: str) -> str:
        """``np.arange(6)``: as many numbers as it has elements.

        If the type cannot count that far, or must not, they start again from 0.
        """
        count = element_count(self.sizes)
        reach = self.below or DATA_TYPES[self.data_type].highest_count + 1
        made = f"{function}({count})"
        return made if count <= reach else f"({made} % {reach})"


@dataclass(frozen=True)
class Case:
    """The inputs and outputs of an operator, which every dialect needs.

    Attributes:
        structure: DirectML's ``..._OPERATOR_DESC``.
        operator_type: DirectML's ``DML_OPERATOR_TYPE``.
        inputs, outputs: its tensors, in the operator's order.
        members: the slots' names in the structure's order, if that differs.
    """

    structure: str
    operator_type: str
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    members: tuple[str, ...] = ()

    @property
    def sizes(self) -> tuple[int, ...]:
        """Of the first input."""
        return self.inputs[0].sizes

    @property
    def output_sizes(self) -> tuple[int, ...]:
        """Of the first output."""
        return self.outputs[0].sizes

    @property
    def data_type(self) -> str:
        """Of the first input."""
        return self.inputs[0].data_type

    @property
    def dtype(self) -> str:
        """The name of the first input's type in NumPy, PyTorch and TensorFlow."""
        return self.inputs[0].dtype


def numpy_x(case: Case) -> str:
    """The lines that make the inputs with NumPy."""
    return "\n".join(
        f"{x.variable} = {x.numbers('np.arange')}.astype(np.{x.dtype}).reshape({commas(x.sizes)})"
        for x in case.inputs
    )


def numpy_snippet(case: Case, body: Sequence[str], note: str = "") -> Snippet:
    """NumPy code with these lines."""
    return Snippet("numpy", "import numpy as np", numpy_x(case), "\n".join(body), note)


def einops_snippet(case: Case, function: str, pattern: str, lengths: dict[str, int]) -> Snippet:
    """One call of ``einops.rearrange`` or ``einops.repeat`` on a NumPy array."""
    named = [f"{name}={length}" for name, length in lengths.items()]
    return Snippet(
        "einops",
        f"import numpy as np\nfrom einops import {function}",
        numpy_x(case),
        call(f"y = {function}", "x", f'"{pattern}"', *named),
    )


def einops_axes(rank: int, axis: int) -> str:
    """The axes of a tensor as ``pack`` and ``unpack`` take them, with a star for one.

    >>> einops_axes(4, 1)
    'n * h w'
    """
    return " ".join("*" if d == axis else name for d, name in enumerate(plain_names(rank)))


def plain_names(rank: int) -> list[str]:
    """Letters for a tensor's axes, in ASCII.

    >>> plain_names(2), plain_names(7)[:2]
    (['h', 'w'], ['i0', 'i1'])
    """
    return [name.translate(PLAIN_DIGITS) for name in names_of(rank)]


def pytorch_snippet(
    case: Case, body: Sequence[str], note: str = "", functional: bool = False
) -> Snippet:
    """PyTorch code with these lines; ``functional`` also imports ``F``."""
    imports = "import torch" + ("\nimport torch.nn.functional as F" if functional else "")
    made = (
        f"{x.variable} = {x.numbers('torch.arange')}.reshape({commas(x.sizes)}).to(torch.{x.dtype})"
        for x in case.inputs
    )
    return Snippet(
        "pytorch", imports, "\n".join(made), "\n".join(body), _on_types(case, body, note)
    )


_NEWER_TYPES = ("UINT16", "UINT32", "UINT64")
_WITHOUT_THEM = (".index_select(", "torch.gather(", "torch.scatter(")


def _on_types(case: Case, body: Sequence[str], note: str) -> str:
    """The note, and a warning if some versions of PyTorch cannot run a function for the type."""
    used = [name for name in _WITHOUT_THEM if any(name in line for line in body)]
    if case.data_type not in _NEWER_TYPES or not used:
        return note
    told = _("Not every version of PyTorch has {function} for {data_type}.").format(
        function=used[0].strip(".("), data_type=case.data_type
    )
    return f"{note} {told}".strip()


def tensorflow_snippet(case: Case, body: Sequence[str], note: str = "") -> Snippet:
    """TensorFlow code with these lines."""
    made = (
        f"{x.variable} = tf.reshape(tf.cast({x.numbers('tf.range')}, tf.{x.dtype}), "
        f"[{commas(x.sizes)}])"
        for x in case.inputs
    )
    return Snippet("tensorflow", "import tensorflow as tf", "\n".join(made), "\n".join(body), note)


def commas(numbers: Sequence[float]) -> str:
    """``1, 1, 2, 3``."""
    return ", ".join(map(str, numbers))


def tuple_text(numbers: Sequence[int]) -> str:
    """``(1, 1, 2, 3)``, and ``(3,)``."""
    return str(tuple(int(n) for n in numbers))


def digits(value: np.floating[Any]) -> str:
    """The fewest digits that read back as a finite float, with a point or an exponent.

    >>> digits(np.float32(0.1)), digits(np.float32(-9)), digits(np.float32(3e38))
    ('0.1', '-9.0', '3.0e+38')
    """
    if value == 0 or 1e-4 <= abs(float(value)) < 1e9:
        return np.format_float_positional(value, trim="0")
    return np.format_float_scientific(value, trim="0")


def value_text(value: np.generic) -> str:
    """A number of one of the eleven types, as Python writes it, exactly.

    >>> value_text(np.int8(-3)), value_text(np.float32(0.1)), value_text(np.float64(-np.inf))
    ('-3', '0.1', '-float("inf")')
    """
    if isinstance(value, np.integer):
        return str(int(value))
    number: Any = value
    sign = "-" if math.copysign(1, number) < 0 else ""
    if math.isnan(number):
        return f'{sign}float("nan")'
    if math.isinf(number):
        return f'{sign}float("inf")'
    short = digits(number)
    # a double with these digits can exceed the type's largest number, which PyTorch refuses
    fits = abs(float(short)) <= float(np.finfo(number.dtype).max)
    return short if fits and type(number)(float(short)) == number else repr(float(number))


def call(start: str, *arguments: str) -> str:
    """``start(arguments)``, with each argument on a separate line if one line is too long.

    >>> call("y = np.tile", "x", "(2, 3)")
    'y = np.tile(x, (2, 3))'
    """
    line = f"{start}({', '.join(arguments)})"
    if len(line) <= WIDTH:
        return line
    inner = "".join(f"    {argument},\n" for argument in arguments)
    return f"{start}(\n{inner})"
