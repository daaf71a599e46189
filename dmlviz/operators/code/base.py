"""Snippets in other dialects, and the layout of their lines."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from itertools import accumulate
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.movement.expressions import names_of
from dmlviz.operators.slots import BufferDesc
from dmlviz.tensors import DATA_TYPES, element_count
from dmlviz.tensors.types import Array

PLAIN_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇", "01234567")
"""Turns the names of indices into Python identifiers, as einops requires."""

LITERAL_LIMIT = 64
"""The limit of elements that code lists; more are read from the file that Download saves."""

WIDTH = 88
"""Characters that a line of code should not exceed."""


@dataclass(frozen=True)
class Snippet:
    """An operator with its settings, written in one dialect.

    Attributes:
        dialect: a key of :data:`dmlviz.code.dialects.DIALECTS`.
        imports: the lines before everything else.
        make_x: the lines that make the inputs, named as :attr:`Tensor.variable` says; in C++
            their elements as arrays.
        body: the lines that make the output ``y`` from them, or a list ``y`` of several outputs;
            empty if the dialect cannot do it.
        note: one sentence if the dialect differs or cannot do it, otherwise empty.
        title: the dialect's name, for a heading.
        tested: whether the tests run such code, or compile it.
    """

    dialect: str
    imports: str = ""
    make_x: str = ""
    body: str = ""
    note: str = ""
    title: str = ""
    tested: bool = True

    @property
    def language(self) -> str:
        """The language for a syntax highlighter: ``"cpp"`` or ``"python"``."""
        return "cpp" if self.dialect == "directml" else "python"

    @property
    def text(self) -> str:
        """The whole piece; empty if the dialect cannot do it."""
        if not self.body:
            return ""
        shown = "print(y)" if self.language == "python" else ""
        code = "\n".join(part for part in (self.make_x, self.body, shown) if part)
        return f"{self.imports}\n\n{code}\n"


@dataclass(frozen=True)
class NamedTensor:
    """A tensor in code.

    Attributes:
        name: DirectML's, such as ``InputTensors[0]``.
        sizes: rank 1 to 8.
        data_type: one of DirectML's 11.
        below: for a control tensor, the number that its elements stay below; 0 for any other.
        buffer: for an input that is memory here, the description of the tensor for DirectML.
        values: its elements; None stands for numbers counted from 0.
    """

    name: str
    sizes: tuple[int, ...]
    data_type: str
    below: int = 0
    buffer: BufferDesc | None = None
    values: Array | None = field(default=None, compare=False)

    @property
    def variable(self) -> str:
        """What code calls it.

        >>> [NamedTensor(n, (1,), "INT8").variable for n in ("InputTensor", "InputTensors[1]")]
        ['x', 'x1']
        >>> NamedTensor("IndicesTensor", (1,), "INT64", 5).variable
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

    def counted(self, function: str) -> str:
        """``np.arange(6)``, if that is what the elements are; otherwise empty.

        Without elements, as many numbers as it has. If the type cannot count that far, or must
        not, they start again from 0.
        """
        count = element_count(self.sizes)
        if self.values is not None:
            first = self.values.flat[0].item()
            # a literal is as short, and other numbers can be more than a type counts to
            if count < 3 or not math.isfinite(first) or abs(first) > 1 << 24:
                return ""
            start = int(first)
            line = np.arange(start, start + count)
            same = np.array_equal(line, self.values.ravel())
            if not same or (not start and math.copysign(1, first) < 0):
                return ""
            return f"{function}({start}, {start + count})" if start else f"{function}({count})"
        reach = self.below or DATA_TYPES[self.data_type].highest_count + 1
        made = f"{function}({count})"
        return made if count <= reach else f"({made} % {reach})"

    @property
    def loaded(self) -> bool:
        """Whether code reads the elements from a file, as they are too many for a literal."""
        return (
            self.values is not None
            and self.values.size > LITERAL_LIMIT
            and not self.counted("np.arange")
        )

    def literal(self) -> tuple[str, bool]:
        """The elements as Python writes them, and whether the list is nested by dimension.

        Tensors of up to two dimensions are nested, others are one list, for a reshape.
        """
        assert self.values is not None
        texts = [literal_text(value) for value in self.values.flat]
        if len(self.sizes) == 1 or len(self.sizes) > 2:
            return f"[{', '.join(texts)}]", len(self.sizes) == 1
        width = self.sizes[1]
        rows = (texts[k : k + width] for k in range(0, len(texts), width))
        return f"[{', '.join('[' + ', '.join(row) + ']' for row in rows)}]", True


@dataclass(frozen=True)
class Case:
    """The inputs and outputs of an operator, which every dialect needs.

    Attributes:
        structure: DirectML's ``..._OPERATOR_DESC``.
        operator_type: DirectML's ``DML_OPERATOR_TYPE``.
        inputs, outputs: its tensors, in the operator's order.
        members: the slots' names in the structure's order, if that differs.
        file: the name of the NPZ file that Download saves, with the arrays by DirectML's names.
    """

    structure: str
    operator_type: str
    inputs: tuple[NamedTensor, ...]
    outputs: tuple[NamedTensor, ...]
    members: tuple[str, ...] = ()
    file: str = ""

    @property
    def loads(self) -> bool:
        """Whether code reads a file."""
        return any(tensor.loaded for tensor in self.inputs)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Of the first input; without inputs, of the first output."""
        return self._first.sizes

    @property
    def _first(self) -> NamedTensor:
        return (*self.inputs, *self.outputs)[0]

    @property
    def output_sizes(self) -> tuple[int, ...]:
        """Of the first output."""
        return self.outputs[0].sizes

    @property
    def data_type(self) -> str:
        """Of the first input; without inputs, of the first output."""
        return self._first.data_type

    @property
    def dtype(self) -> str:
        """The name of that type in NumPy, PyTorch and TensorFlow."""
        return self._first.dtype


@dataclass(frozen=True)
class TensorForms:
    """How a library's code makes a tensor: expressions with names in braces for what differs.

    Attributes:
        arange: the function that counts from 0, or from a first number to a last one.
        counted: of numbers that are counted: ``{counted}`` with ``{sizes}`` and ``{dtype}``.
        loaded: of an array that is read from a file, ``{array}``, with ``{dtype}``.
        literal: of ``{elements}``, nested by dimension, with ``{dtype}``.
        flat: of elements in one list, with ``{sizes}``; lines after the first one have ``{name}``.
        takes_long: whether code can have numbers that need 64 bits without a sign.
    """

    arange: str
    counted: str
    loaded: str
    literal: str
    flat: str
    takes_long: bool = True

    def takes(self, values: Array) -> bool:
        """Whether code can have these numbers."""
        return self.takes_long or values.dtype != np.uint64 or int(values.max()) < 1 << 63


NUMPY_TENSORS = TensorForms(
    "np.arange",
    "{counted}.astype(np.{dtype}).reshape({sizes})",
    "{array}",
    "np.array({elements}, dtype=np.{dtype})",
    "np.array({elements}, dtype=np.{dtype}).reshape({sizes})",
)


def made(forms: TensorForms, x: NamedTensor, file: str, variable: str = "") -> str:
    """The lines that make a tensor: its elements as a literal, or counted, or read from a file.

    Args:
        forms: of a library.
        x: with at most :data:`LITERAL_LIMIT` elements, or elements in the file.
        file: the NPZ file that Download saves.
        variable: its name in code, if that is not :attr:`Tensor.variable`.
    """
    name, sizes = variable or x.variable, commas(x.sizes)
    if counted := x.counted(forms.arange):
        return f"{name} = {forms.counted.format(counted=counted, sizes=sizes, dtype=x.dtype)}"
    if x.loaded:
        array = f'np.load("{file}")["{x.name}"]'
        return f"{name} = {forms.loaded.format(array=array, dtype=x.dtype)}"
    elements, nested = x.literal()
    form = forms.literal if nested else forms.flat
    if x.values is not None and not forms.takes(x.values):
        array = made(NUMPY_TENSORS, x, file, name)
        return f"{array}\n{name} = {forms.loaded.format(array=name, dtype=x.dtype)}"
    first, *more = form.splitlines()
    fields = {"sizes": sizes, "dtype": x.dtype}
    lines = [laid_out(f"{name} = ", first, elements=elements, **fields)]
    return "\n".join([*lines, *(line.format(name=name, **fields) for line in more)])


def all_made(forms: TensorForms, case: Case) -> str:
    """The lines that make all inputs."""
    return "\n".join(made(forms, x, case.file) for x in case.inputs)


def with_file(case: Case, note: str) -> str:
    """The note, and what file the code reads."""
    if not case.loads:
        return note
    sentence = _("The code reads {file}: Download saves it, under NumPy arrays.").format(
        file=case.file
    )
    return f"{note} {sentence}".strip()


def numpy_snippet(case: Case, body: Sequence[str], note: str = "") -> Snippet:
    """NumPy code with these lines."""
    return Snippet("numpy", body="\n".join(body), note=note)


def einops_snippet(case: Case, function: str, pattern: str, lengths: dict[str, int]) -> Snippet:
    """One call of ``einops.rearrange`` or ``einops.repeat`` on a NumPy array."""
    named = [f"{name}={length}" for name, length in lengths.items()]
    return Snippet(
        "einops",
        f"import numpy as np\nfrom einops import {function}",
        all_made(NUMPY_TENSORS, case),
        call(f"y = {function}", "x", f'"{pattern}"', *named),
        with_file(case, ""),
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


def pytorch_snippet(case: Case, body: Sequence[str], note: str = "") -> Snippet:
    """PyTorch code with these lines."""
    return Snippet("pytorch", body="\n".join(body), note=_on_types(case, body, note))


_NEWER_TYPES = ("UINT16", "UINT32", "UINT64")
_WITHOUT_THEM = (".index_select(", "torch.gather(", "torch.scatter(")


def _on_types(case: Case, body: Sequence[str], note: str) -> str:
    """The note, and a warning if some versions of PyTorch cannot run a function for the type."""
    used = [name for name in _WITHOUT_THEM if any(name in line for line in body)]
    if case.data_type not in _NEWER_TYPES or not used:
        return note
    warning = _("Not every version of PyTorch has {function} for {data_type}.").format(
        function=used[0].strip(".("), data_type=case.data_type
    )
    return f"{note} {warning}".strip()


def tensorflow_snippet(case: Case, body: Sequence[str], note: str = "") -> Snippet:
    """TensorFlow code with these lines."""
    return Snippet("tensorflow", body="\n".join(body), note=note)


def axis_by_axis(
    dimensions: Iterable[int], lines: Callable[[int, str], Iterable[str]], copy: str
) -> list[str]:
    """The lines that make ``y`` from ``x`` in one dimension after the other.

    Args:
        dimensions: those that change.
        lines: of a dimension, from the tensor of that name.
        copy: the line if no dimension changes.

    >>> axis_by_axis((0, 2), lambda d, tensor: [f"y = f({tensor}, {d})"], "y = x")
    ['y = f(x, 0)', 'y = f(y, 2)']
    """
    written: list[str] = []
    for d in dimensions:
        written += lines(d, "y" if written else "x")
    return written or [copy]


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


def literal_text(value: np.generic) -> str:
    """An element of a list, as short as the type that the list gives allows.

    >>> literal_text(np.float32(3)), literal_text(np.float32(0.1)), literal_text(np.float16(-0.0))
    ('3', '0.1', '-0.0')
    """
    if not isinstance(value, np.floating):
        return value_text(value)
    number = float(value)
    negative_zero = number == 0 and math.copysign(1, number) < 0
    short = number.is_integer() and abs(number) < 1e6 and not negative_zero
    return str(int(number)) if short else value_text(value)


def _broken(argument: str) -> str:
    """A list that is too long for a line, over several lines of at most :data:`WIDTH`."""
    if len(argument) + 5 <= WIDTH or not argument.startswith("["):
        return f"    {argument},\n"
    if argument.startswith("[["):
        rows = argument[1:-1].replace("], [", "],\n[").split("\n")
        inner = "".join(_indented(row.removesuffix(",")) for row in rows)
    else:
        inner = textwrap.fill(argument[1:-1], WIDTH - 8) + ",\n"
    return f"    [\n{textwrap.indent(inner, ' ' * 8)}    ],\n"


def _indented(row: str) -> str:
    if len(row) + 9 <= WIDTH:
        return f"{row},\n"
    inner = textwrap.fill(row[1:-1], WIDTH - 12) + ","
    return f"[\n{textwrap.indent(inner, '    ')}\n],\n"


def call(start: str, *arguments: str, end: str = "") -> str:
    """``start(arguments)end``, with each argument on a separate line if one line is too long.

    >>> call("y = np.tile", "x", "(2, 3)")
    'y = np.tile(x, (2, 3))'
    """
    line = f"{start}({', '.join(arguments)}){end}"
    if len(line) <= WIDTH:
        return line
    inner = "".join(map(_broken, arguments))
    return f"{start}(\n{inner}){end}"


def laid_out(start: str, form: str, /, **fields: Any) -> str:
    """A form with its fields, one argument a line if one line is too long.

    Args:
        start: what stands before it, such as ``y =``.
        form: an expression with names in braces; only one that is a call is laid out.
        fields: by these names.

    >>> laid_out("y = ", "np.tile({x}, {counts})", x="x", counts=(2, 3))
    'y = np.tile(x, (2, 3))'
    """
    function, bracket, rest = form.partition("(")
    depths = list(accumulate((sign == "(") - (sign == ")") for sign in bracket + rest))
    if not bracket or 0 not in depths:
        return f"{start}{form.format(**fields)}"
    last = depths.index(0)
    inner, end = rest[: last - 1], rest[last:]
    parts, depth = [""], 0
    for sign in inner:
        depth += (sign in "([{") - (sign in ")]}")
        parts = [*parts, ""] if sign == "," and not depth else [*parts[:-1], parts[-1] + sign]
    arguments = [part.strip().format(**fields) for part in parts]
    return call(f"{start}{function.format(**fields)}", *arguments, end=end.format(**fields))
