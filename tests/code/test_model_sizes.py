"""The sizes of what a node gives that computes are those of ONNX's own shape inference."""

import random

import numpy as np
import onnx
import pytest
from onnx import helper

from dmlviz.code.model_sizes import sizes_after
from tests.thorough import tries


def inferred(op_type, sizes, arrays, attributes):
    """What ONNX's shape inference says of one node; None if it says nothing, or refuses it."""
    names = [f"x{k}" for k in range(len(sizes) + len(arrays))]
    node = helper.make_node(op_type, names, ["y"], **attributes)
    kind = onnx.TensorProto.FLOAT
    made_kind = onnx.TensorProto.INT64 if op_type.startswith("Arg") else kind
    graph = helper.make_graph(
        [node],
        "main",
        [helper.make_tensor_value_info(n, kind, of) for n, of in zip(names, sizes, strict=False)],
        [helper.make_tensor_value_info("y", made_kind, None)],
        [
            onnx.numpy_helper.from_array(array, n)
            for n, array in zip(names[len(sizes) :], arrays, strict=True)
        ],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    try:
        shaped = onnx.shape_inference.infer_shapes(made, strict_mode=True, data_prop=True)
    except Exception:
        return None
    of = shaped.graph.output[0].type.tensor_type
    return tuple(d.dim_value for d in of.shape.dim) if of.HasField("shape") else None


def windows(dice, kernel):
    """Settings of windows over two axes."""
    attributes = {"kernel_shape": kernel} if dice.random() < 0.5 else {}
    for name, most, count in (("strides", 3, 2), ("dilations", 2, 2)):
        if dice.random() < 0.6:
            attributes[name] = [dice.randint(1, most) for _ in range(count)]
    if dice.random() < 0.4:
        attributes["auto_pad"] = dice.choice(["SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"])
    if attributes.get("auto_pad", "NOTSET") == "NOTSET" and dice.random() < 0.7:
        attributes["pads"] = [dice.randint(0, n - 1) for n in (*kernel, *kernel)]
    return attributes


def node(op_type, dice):
    """A node with random settings: sizes, arrays and attributes."""
    kernel = [dice.randint(1, 3) for _ in range(2)]
    image = (2, 4, dice.randint(4, 9), dice.randint(4, 9))
    match op_type:
        case "Conv" | "ConvTranspose":
            attributes = windows(dice, kernel)
            groups = dice.choice([1, 2])
            attributes["group"] = groups
            if op_type == "Conv":
                return [image, (6, 4 // groups, *kernel)], [], attributes
            if dice.random() < 0.3:
                attributes["output_padding"] = [0, 0]
            return [image, (4, 3, *kernel)], [], attributes
        case "MaxPool" | "AveragePool" | "LpPool":
            attributes = {**windows(dice, kernel), "kernel_shape": kernel}
            if op_type == "AveragePool":
                # they came with opset 19
                attributes.pop("dilations", None)
            # what SAME makes of a rounded size is not the specification's in shape inference
            if dice.random() < 0.5 and "SAME" not in attributes.get("auto_pad", ""):
                attributes["ceil_mode"] = 1
            return [image], [], attributes
        case "ArgMax" | "ArgMin":
            return [image], [], {"axis": dice.randint(-4, 3), "keepdims": dice.randint(0, 1)}
        case "Gemm":
            a, b = (3, 5), (5, 7)
            flags = {"transA": dice.randint(0, 1), "transB": dice.randint(0, 1)}
            turned = [
                x[::-1] if flag else x for x, flag in zip((a, b), flags.values(), strict=True)
            ]
            return turned, [], flags
    axes = dice.sample(range(-4, 4), dice.randint(0, 2))
    axes = [d for k, d in enumerate(axes) if d % 4 not in [e % 4 for e in axes[:k]]]
    arrays = [np.array(axes, np.int64)] if dice.random() < 0.7 else []
    return (
        [image],
        arrays,
        {"keepdims": dice.randint(0, 1), "noop_with_empty_axes": dice.randint(0, 1)},
    )


@pytest.mark.parametrize(
    "op_type",
    [
        *("Conv", "ConvTranspose", "MaxPool", "AveragePool", "LpPool", "ArgMax", "ArgMin"),
        *("Gemm", "ReduceSum", "ReduceMean", "ReduceMax"),
    ],
)
def test_sizes_are_those_of_shape_inference(op_type):
    dice, known, wrong = random.Random(5), 0, []
    for _turn in range(tries(120)):
        sizes, arrays, attributes = node(op_type, dice)
        due = inferred(op_type, sizes, arrays, attributes)
        if due is None:
            continue
        beyond = any(attributes.get("pads", ())[2:]) or attributes.get("auto_pad") == "VALID"
        if attributes.get("ceil_mode") and beyond:
            # ONNX Runtime makes no window that begins after the end; see test_open_sizes
            continue
        every = [*sizes, *(array.shape for array in arrays)]
        made = sizes_after(op_type, every, [*[None] * len(sizes), *arrays], attributes)
        known += made is not None
        if made not in (None, due):
            wrong.append((sizes, arrays, attributes, made, due))
    assert wrong == []
    assert known > 10
