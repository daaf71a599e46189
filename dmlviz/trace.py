"""Run an operator on values and on indices: what came out, and where each element came from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.engines import Ran
from dmlviz.engines import engine as engine_named
from dmlviz.errors import Error, Refused
from dmlviz.operators import Operator
from dmlviz.tensors import DATA_TYPES, check_element_count, data_type_of, print_sizes
from dmlviz.words import _, ngettext

Array = np.ndarray[Any, Any]

RUN_LIMIT = 1 << 26
"""The most elements that ``run`` takes or makes: 67,108,864."""


@dataclass(frozen=True)
class Trace:
    """What an engine really did, and the proof.

    Attributes:
        operator: what ran.
        x: the input, read-only.
        output: the engine's output for the values, of the input's data type.
        source: for each output element the flat index of the input element that it is a copy
            of, or -1 for a padding value; int64, of the output's sizes.  It is the engine's
            own output for a tensor of indices.
        engine: the engine's name.
        data_type: DirectML's name of the type.
        differing: flat indices of output elements that are not equal, bit for bit, to their
            source or to the padding value; empty where both runs agree.
        ran: what executed the values: provider, operations, native or lowered, seconds.
    """

    operator: Operator
    x: Array
    output: Array
    source: Array
    engine: str
    data_type: str
    differing: Array
    ran: Ran

    @property
    def agrees(self) -> bool:
        """Whether every output element equals its source."""
        return self.differing.size == 0

    def check(self) -> str:
        """The comparison of the two runs, in words."""
        title = engine_named(self.engine).status().title
        n = self.output.size
        if not self.agrees:
            first = np.unravel_index(int(self.differing[0]), self.output.shape)
            return _(
                "{engine}: {wrong} of {n} elements differ from their source, first at {index}."
            ).format(engine=title, wrong=self.differing.size, n=n, index=[int(i) for i in first])
        new = int(np.count_nonzero(self.source < 0))
        copies = n - new
        if new:
            return _(
                "{engine}: {n} elements, {copies} equal to their source and {new} to the "
                "padding value."
            ).format(engine=title, n=f"{n:,}", copies=f"{copies:,}", new=f"{new:,}")
        return ngettext(
            "{engine}: {n} element, equal to its source.",
            "{engine}: {n} elements, each equal to its source.",
            n,
        ).format(engine=title, n=f"{n:,}")


def run(operator: Operator, x: Any, engine: str = "numpy", form: str = "") -> Trace:
    """Run ``operator`` on ``x``, then on a tensor of indices, and check one against the other.

    Args:
        operator: what to do.
        x: a NumPy array of one of the 11 types, rank 1 to 8.
        engine: the name of an engine that is available here.
        form: ``"native"`` for the operator as ONNX writes it, ``"lowered"`` for its lowering;
            empty for whichever the engine runs exactly.

    Raises:
        Refused: the operator cannot take such an input; its ``problems`` say why.
        TooLarge: input or output has more than 67,108,864 elements; nothing was allocated.
        EngineUnavailable, EngineRefused: the engine cannot run here, or said no.
        Error: ``x`` is no such array, or the engine's answer is not of the right sizes.

    >>> import numpy as np
    >>> from dmlviz.operators import Tile
    >>> trace = run(Tile(repeats=(3,)), np.array([7, 8], np.uint8))
    >>> trace.output.tolist(), trace.source.tolist()
    ([7, 8, 7, 8, 7, 8], [0, 1, 0, 1, 0, 1])
    """
    runner = engine_named(engine)
    x = as_input(x)
    data_type = data_type_of(x.dtype)
    found = operator.problems(x.shape, data_type)
    if found:
        raise Refused(found)
    out = operator.output_sizes(x.shape)
    check_element_count(x.shape, RUN_LIMIT, "sizes")
    check_element_count(out, RUN_LIMIT, "output_sizes")
    ran = runner.run(operator, x, form)
    output = _as_due(ran.output, out, x.dtype)
    kind = DATA_TYPES[runner.index_type(operator, x, form)].dtype
    indices = np.arange(x.size, dtype=kind).reshape(x.shape)
    asked = runner.run(operator.on_indices(), indices, ran.form)
    with np.errstate(invalid="ignore"):
        source = _as_due(asked.output, out, kind).astype(np.int64)
    differing = _differing(x, output, source, operator.padding(data_type))
    for array in (output, source, differing):
        array.setflags(write=False)
    return Trace(operator, x, output, source, engine, data_type, differing, ran)


def differing_bits(a: Array, b: Array) -> Array:
    """Flat indices where two arrays of one type and the same sizes differ, bit for bit."""
    bits = f"u{a.dtype.itemsize}"
    return np.flatnonzero(a.ravel().view(bits) != b.ravel().view(bits))


def as_input(x: Any) -> Array:
    """A read-only, contiguous array of native byte order that shares nothing writable.

    Raises:
        Error: it is no array of one of the 11 types.
    """
    try:
        array = np.asarray(x)
    except ValueError:
        raise Error(
            _("x: a ragged list is not a tensor; every row needs the same length."), "x"
        ) from None
    data_type_of(array.dtype)
    native = array.dtype.newbyteorder("=")
    array = np.array(array, dtype=native, order="C", copy=True)
    array.setflags(write=False)
    return array


def _as_due(output: Array, sizes: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    if output.dtype != dtype:
        raise Error(
            _("output: the engine answered in {got} where {due} was due.").format(
                got=output.dtype, due=dtype
            ),
            "output",
        )
    if output.shape != sizes:
        raise Error(
            _("output: the engine answered with sizes {got} where {sizes} were due.").format(
                got=print_sizes(output.shape), sizes=print_sizes(sizes)
            ),
            "output",
        )
    return np.ascontiguousarray(output)


def _differing(x: Array, output: Array, source: Array, padding: np.generic | None) -> Array:
    """Flat indices where an output element is not, bit for bit, what its source says."""
    flat = source.ravel()
    count = math.prod(x.shape)
    known = (flat >= 0) & (flat < count)
    expected = x.ravel()[np.where(known, flat, 0)]
    if padding is not None:
        is_padding = flat == -1
        expected[is_padding] = padding
        known |= is_padding
    bits = f"u{x.dtype.itemsize}"
    same = expected.view(bits) == output.ravel().view(bits)
    return np.flatnonzero(~(same & known))
