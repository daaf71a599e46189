"""What libraries themselves make of lines: run where they are installed, recorded for the others.

``python -m tests.code.answers`` records the answers of the libraries that are not installed for the
tests, where they are; a folder can be given in which they are. What another one answered stays.
"""

import ast
import functools
import json
import os
import sys
from pathlib import Path

import numpy as np

from dmlviz.code import LIBRARIES
from tests.code.lines import LINES

os.environ.setdefault("KERAS_BACKEND", "numpy")

FILE = Path(__file__).with_name("answers.json")
RECORDED = tuple(key for key, of in LIBRARIES.items() if not of.tested)


def numbers(sizes):
    """Tensors whose elements all differ, the same each time."""
    dice = np.random.default_rng(1)
    return {
        name: dice.permutation(999)[: int(np.prod(of))].reshape(of) + 1
        for name, of in zip("xy", sizes, strict=False)
    }


class _Operators:
    """ONNX's reference implementation, a node at a time."""

    def __getattr__(self, op_type):
        from onnx import helper
        from onnx.reference import ReferenceEvaluator

        def run(*inputs, **attributes):
            arrays = {f"i{k}": np.asarray(x) for k, x in enumerate(inputs) if x is not None}
            if op_type == "Resize" and inputs[2] is not None:
                arrays["i2"] = arrays["i2"].astype(np.float32)
            names = [f"i{k}" if f"i{k}" in arrays else "" for k in range(len(inputs))]
            count = len(inputs[1]) if op_type == "Split" and len(inputs) > 1 else 1
            outputs = [f"o{k}" for k in range(attributes.get("num_outputs", count))]
            node = helper.make_node(op_type, names, outputs, **attributes)
            tensors = [
                helper.make_tensor_value_info(
                    name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape
                )
                for name, x in arrays.items()
            ]
            results = [helper.make_tensor_value_info(name, 0, None) for name in outputs]
            graph = helper.make_graph([node], "line", tensors, results)
            model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])
            made = ReferenceEvaluator(model).run(None, arrays)
            return made if len(made) > 1 else made[0]

        return run


def modules(library):
    """What the lines of a library are run with."""
    if library == "onnx":
        return {"op": _Operators()}
    if library == "jax":
        import jax

        return {"jax": jax, "jnp": jax.numpy, "lax": jax.lax}
    if library in RECORDED:
        names = {}
        exec(LIBRARIES[library].imports, names)
        return names
    import einops

    names = {"np": np, "einops": einops}
    names |= {name: getattr(einops, name) for name in ("rearrange", "repeat", "pack", "unpack")}
    if library == "torch":
        import torch
        from torch.nn import functional

        # PyTorch has it in torch alone
        functional.channel_shuffle = torch.channel_shuffle
        names |= {"torch": torch, "F": functional, "nn": torch.nn}
    return names


def tensor(library, array, names):
    """An array as a tensor of a library."""
    if library == "torch":
        return names["torch"].from_numpy(array.copy()).double()
    if library in RECORDED:
        return eval(LIBRARIES[library].of_list, names)(array.astype(np.int32))
    return array.copy()


def made_by_library(library, code, values, names):
    """What the library itself makes of a line: one of ours, so it can be run.

    Gives its tensors of the inputs by name, and those that the line makes.
    """
    inputs = {name: tensor(library, x, names) for name, x in values.items()}
    namespace = {**names, **inputs}
    *before, last = ast.parse(code).body
    exec(compile(ast.Module(before, []), "line", "exec"), namespace)
    made = eval(compile(ast.Expression(last.value), "line", "eval"), namespace)
    return inputs, list(made) if isinstance(made, list | tuple) else [made]


def by_library(library, code, values, names):
    """What the library itself makes of a line, as arrays."""
    return [np.asarray(x) for x in made_by_library(library, code, values, names)[1]]


@functools.cache
def _answers():
    return json.loads(FILE.read_text(encoding="utf-8"))


def recorded(library, code):
    """What a library made of a line when it was asked."""
    return [np.reshape(values, sizes) for sizes, values in _answers()[library][code]]


def record(folder=""):
    """Ask the libraries; a line that one of them refuses must be refused here, too."""
    sys.path.append(folder)
    answers = dict(_answers())
    for library in RECORDED:
        try:
            names = modules(library)
        except ImportError:
            continue
        answers[library] = {}
        for code, sizes, kind in LINES[library]:
            try:
                made = by_library(library, code, numbers(sizes), names)
            except Exception as error:
                assert kind, (library, code, error)
                continue
            if not kind:
                answers[library][code] = [
                    [list(x.shape), x.ravel().astype(int).tolist()] for x in made
                ]
    lines = ",\n".join(
        f"{json.dumps(library)}: {{\n"
        + ",\n".join(f"{json.dumps(code)}: {json.dumps(made)}" for code, made in of.items())
        + "\n}"
        for library, of in answers.items()
    )
    FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    record(*sys.argv[1:2])
