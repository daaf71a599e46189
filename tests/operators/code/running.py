"""Snippets that are run, and the states that they are run in."""

import json
import math
import os
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import currently_in_test_context, reject

import dmlviz
from dmlviz.code import LIBRARIES
from dmlviz.code.dialects import DIALECTS, snippets_of
from dmlviz.engines.trace import as_inputs
from dmlviz.operators import OPERATORS
from dmlviz.operators.code.base import NamedTensor
from dmlviz.operators.slots import descs_of
from dmlviz.tensors import DATA_TYPES
from tests.one_input import applied
from tests.onnx_resize import copying
from tests.operators.recordings import described
from tests.operators.recordings import tensors as family_tensors
from tests.strategies import MODES, ORDERS, bits, one_nan

copying()
os.environ.setdefault("KERAS_BACKEND", "numpy")

RECORDINGS = Path(__file__).resolve().parents[3] / "assets" / "recordings"
PYTHON = tuple(name for name in DIALECTS if name != "directml")

_OUTPUT_MOST = 1_000
# padding values, the last of each type among them; a type takes those that fit
_VALUES = (
    *(-0.0, 0.1, -10.6, 1e-40, 16777217, float("nan"), -float("nan"), float("inf"), -float("inf")),
    *(127, -128, 255, 32767, -32768, 65504, 65535, 2**31 - 128, -(2**31), 2**32 - 256),
    *(2**63 - 2**39, -(2**63), 2**64 - 2**40, 3.4028235e38, -3.4028235e38),
)

_OLD_ONNX = tuple(map(int, onnx.__version__.split(".")[:2])) < (1, 18)


def inputs_of(operator, x):
    """Inputs by name, contiguous and of native byte order."""
    return as_inputs(operator, x)


def snippet(operator, x, dialect, *, values=False):
    """The code of one dialect for an operator on an input, or on inputs by name."""
    descs = descs_of(inputs_of(operator, x), values=values)
    [found] = [s for s in snippets_of(operator, descs) if s.dialect == dialect]
    return found


def variables(operator, x):
    """The inputs by the names that code gives them."""
    given = inputs_of(operator, x)
    return {NamedTensor(name, array.shape, "").variable: array for name, array in given.items()}


def lacks_unsigned(error):
    """Whether PyTorch has no kernel of an operation for UINT32 or UINT64."""
    return "not implemented for 'UInt" in str(error)


def run(piece, given):
    """What the names hold after the code has run on given inputs, by the code's names."""
    names = {name: _give(piece.dialect, array.copy()) for name, array in given.items()}
    try:
        # some evaluators multiply by ones, of which a signaling NaN is "invalid"
        with np.errstate(invalid="ignore"):
            exec(f"{piece.imports}\n{piece.body}", names)
    except NotImplementedError as error:
        if _OLD_ONNX and "ScatterND" in str(error):
            pytest.skip("the evaluator of onnx before 1.18 scatters in a few ranks only")
        if lacks_unsigned(error) and currently_in_test_context():
            reject()
        raise
    return names


def outputs(piece, given):
    """``y`` of the code, or all of the list ``y``, as NumPy arrays."""
    y = run(piece, given)["y"]
    every = y if isinstance(y, list | tuple) else [y]
    return [one.numpy() if hasattr(one, "numpy") else np.asarray(one) for one in every]


def assert_same(operator, x, every, read=bits):
    """The outputs are what the operator gives, bit for bit."""
    due = dmlviz.run(operator, x).outputs.values()
    for y, wanted in zip(every, due, strict=True):
        assert y.dtype == wanted.dtype
        np.testing.assert_array_equal(read(y), read(wanted), strict=True)


def check(operator, x, dialect):
    """The dialect's code gives the operator's output; or it has none and says why."""
    piece = snippet(operator, x, dialect)
    if not piece.body:
        assert piece.text == ""
        assert piece.note
        return
    # PyTorch's kernels keep that a number is NaN, not which one
    read = {"pytorch": one_nan, "mlx": one_nan, "jax": _without_subnormals}.get(dialect, bits)
    assert_same(operator, x, outputs(piece, variables(operator, x)), read)


def _without_subnormals(array):
    """The bits of an array, of subnormal numbers those of 0: JAX's processors round them to it."""
    if array.dtype.kind != "f":
        return bits(array)
    small = np.abs(array) < np.finfo(array.dtype).tiny
    return bits(np.where(small, np.copysign(0, array).astype(array.dtype), array))


def _give(dialect, x):
    if dialect == "pytorch":
        import torch

        return torch.from_numpy(x)
    if dialect == "jax":
        import jax

        # inputs can be 64 bits wide where no line of the code is
        jax.config.update("jax_enable_x64", True)
        return jax.numpy.asarray(x)
    library = next((of for of in LIBRARIES.values() if of.dialect_key == dialect), None)
    if library is not None and library.tensors and not library.tested:
        names = {"x": x}
        exec(library.imports, names)
        return eval(library.tensors.loaded.format(array="x", dtype=x.dtype), names)
    return x


def examples():
    """The documentation's examples: operator, input."""
    return [(e.operator, e.inputs) for cls in OPERATORS for e in cls.examples()]


def recorded():
    """What DirectML answered: operator, input, for small outputs."""
    cases = []
    for file in sorted(RECORDINGS.glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8"))["cases"]:
            if "output" in case and math.prod(case["output_sizes"]) <= _OUTPUT_MOST:
                x = np.array(case["input"], DATA_TYPES[case["data_type"]].dtype)
                operator = dmlviz.operator_from_desc(case["operator"], case["desc"])
                cases.append((operator, x.reshape(case["input_sizes"])))
            elif "outputs" in case and "error" not in case:
                operator = dmlviz.operator_from_desc(case["operator"], described(case))
                operator = operator.with_output_sizes(
                    {told["name"]: tuple(told["sizes"]) for told in case["outputs"]}
                )
                tensors = family_tensors(case)
                # what DirectML reads for indices beyond the axis is refused here
                if not operator.refusals(tensors):
                    cases.append((operator, tensors))
    return cases


def corners():
    """States at the edges of what the dialects take: operator, input."""
    cases = []
    for known in DATA_TYPES.values():
        dtype = known.dtype
        for rank in range(1, 9):
            x = np.arange(2**rank).astype(dtype).reshape((2,) * rank)
            ones, none = (1,) * rank, (0,) * rank
            last = (*none[1:], 1)
            cases.append((dmlviz.Tile((2, *ones[1:])), x))
            cases.append((dmlviz.Tile(ones), x))
            for mode in MODES:
                for start, end in ((last, none), (none, none), (ones, none), (last, last)):
                    cases.append((dmlviz.Padding(mode, start, end, 7), x))
        for order in ORDERS:
            for block in (1, 2, 3):
                sizes = (2, 5 * block * block, 2, 3)
                x = np.arange(math.prod(sizes)).astype(dtype).reshape(sizes)
                to_space = dmlviz.DepthToSpace(block, order)
                cases.append((to_space, x))
                cases.append((dmlviz.SpaceToDepth(block, order), applied(to_space, x)))
        x = np.arange(6).astype(dtype).reshape(2, 3)
        for value in _VALUES:
            padding = dmlviz.Padding("CONSTANT", (0, 1), (2, 0), value)
            if not padding.problems(x.shape, known.name):
                cases.append((padding, x))
        for mode in MODES:
            for n, start, end in ((1, 3, 2), (3, 2, 3), (3, 3, 4), (4, 9, 13)):
                row = np.arange(n).astype(dtype).reshape(1, 1, n)
                cases.append((dmlviz.Padding(mode, (0, 0, start), (0, 0, end), 7), row))
    return cases
