"""ONNX models as PyTorch exports them, and models with damage."""

import random

import numpy as np
from onnx import TensorProto, helper, numpy_helper


def model(nodes, inputs, outputs, tensors=(), opset=17, **more):
    """The bytes of a model.

    Args:
        nodes: operator, inputs, outputs, and attributes.
        inputs: sizes by name; a text is a size that the file leaves open.
        outputs: names.
        tensors: constants by name.
    """
    made = [
        helper.make_node(op, list(taken), list(given), f"/{op}_{k}", **attributes)
        for k, (op, taken, given, attributes) in enumerate(nodes)
    ]
    graph = helper.make_graph(
        made,
        "main",
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, of) for n, of in inputs.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(x), name) for name, x in dict(tensors).items()],
    )
    opsets = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=opsets, **more).SerializeToString()


def attention():
    """Heads as PyTorch splits and joins them, with computing nodes between."""
    sizes = np.array([2, 5, 3, 2, 4])
    axis = np.array([0])
    return model(
        [
            ("MatMul", ["x", "w"], ["qkv"], {}),
            ("Reshape", ["qkv", "sizes"], ["heads"], {}),
            ("Transpose", ["heads"], ["turned"], {"perm": [2, 0, 3, 1, 4]}),
            ("Split", ["turned"], ["q0", "k0", "v0"], {"axis": 0}),
            ("Squeeze", ["q0", "axis"], ["q"], {}),
            ("Squeeze", ["k0", "axis"], ["k"], {}),
            ("Squeeze", ["v0", "axis"], ["v"], {}),
            ("Transpose", ["k"], ["kt"], {"perm": [0, 1, 3, 2]}),
            ("MatMul", ["q", "kt"], ["scores"], {}),
            ("Softmax", ["scores"], ["weights"], {"axis": -1}),
            ("MatMul", ["weights", "v"], ["mixed"], {}),
            ("Transpose", ["mixed"], ["back"], {"perm": [0, 2, 1, 3]}),
            ("Reshape", ["back", "joined"], ["y"], {}),
        ],
        {"x": [2, 5, 8]},
        ["y"],
        {
            "w": np.zeros((8, 24), np.float32),
            "sizes": sizes,
            "axis": axis,
            "joined": np.array([2, 5, 8]),
        },
    )


def focus():
    """Every second row and column, joined as channels: edges of 64 bits."""
    end = np.array([2**63 - 1])
    nodes, names = [], []
    for k, (row, column) in enumerate([(0, 0), (1, 0), (0, 1), (1, 1)]):
        names.append(f"part{k}")
        nodes += [
            ("Slice", ["x", f"n{row}", "end", "rows", "two"], [f"rows{k}"], {}),
            ("Slice", [f"rows{k}", f"n{column}", "end", "columns", "two"], [names[-1]], {}),
        ]
    nodes.append(("Concat", names, ["y"], {"axis": 1}))
    numbers = {"n0": [0], "n1": [1], "rows": [2], "columns": [3], "two": [2]}
    tensors = {"end": end, **{name: np.array(of) for name, of in numbers.items()}}
    return model(nodes, {"x": [1, 3, 4, 6]}, ["y"], tensors)


def from_shape():
    """A reshape whose sizes are calculated from those of the input, one of them open."""
    two, one, two_last = np.array(2), np.array(1), np.array([-1])
    return model(
        [
            ("Shape", ["x"], ["shape"], {}),
            ("Gather", ["shape", "one"], ["width"], {"axis": 0}),
            ("Div", ["width", "two"], ["half"], {}),
            ("Unsqueeze", ["half", "first"], ["halves"], {}),
            ("Concat", ["last", "halves"], ["due"], {"axis": 0}),
            ("Reshape", ["x", "due"], ["y"], {}),
        ],
        {"x": ["batch", 6]},
        ["y"],
        {"one": one, "two": two, "first": np.array([0]), "last": two_last},
    )


def older():
    """Nodes of opset 9: settings as attributes."""
    return model(
        [
            ("Unsqueeze", ["x"], ["a"], {"axes": [0]}),
            ("Upsample", ["a", "scales"], ["b"], {"mode": "nearest"}),
            ("Pad", ["b"], ["c"], {"pads": [0, 0, 1, 0, 0, 0, 0, 1], "value": 7.0}),
            ("Slice", ["c"], ["d"], {"starts": [1], "ends": [9], "axes": [3]}),
            ("Dropout", ["d"], ["e"], {"ratio": 0.5}),
            ("Squeeze", ["e"], ["y"], {"axes": [0]}),
        ],
        {"x": [2, 3, 3]},
        ["y"],
        {"scales": np.array([1, 1, 2, 2], np.float32)},
        opset=9,
    )


def constants():
    """A constant that is written out, one that is an input, indices that are too many."""
    return model(
        [
            ("Gather", ["x", "places"], ["a"], {"axis": 0}),
            ("Concat", ["a", "token"], ["b"], {"axis": 0}),
            ("Where", ["mask", "b", "zero"], ["c"], {}),
            ("Concat", ["c", "large"], ["y"], {"axis": 0}),
        ],
        {"x": [4, 3]},
        ["y"],
        {
            "places": np.arange(100) % 4,
            "token": np.full((1, 3), np.inf, np.float32),
            "mask": np.array([True, False, True]),
            "zero": np.zeros(1, np.float32),
            "large": np.arange(90, dtype=np.float32).reshape(30, 3),
        },
    )


MODELS = {
    "attention": attention(),
    "focus": focus(),
    "from_shape": from_shape(),
    "older": older(),
    "constants": constants(),
}


_BYTES = (0, 1, 2, 3, 7, 8, 0x10, 0x1A, 0x22, 0x7F, 0x80, 0xFF)


def damaged(count, seed):
    """Models with one to three bytes changed, put in, left out, or repeated; some cut short."""
    dice = random.Random(seed)
    for _turn in range(count):
        data = bytearray(dice.choice(list(MODELS.values())))
        for _place in range(dice.choice((1, 1, 1, 2, 3))):
            at, what = dice.randrange(len(data)), dice.random()
            if what < 0.85:
                data[at] = dice.choice((dice.randrange(256), *_BYTES))
            elif what < 0.9:
                data[at:at] = bytes(dice.randrange(256) for _k in range(dice.randint(1, 10)))
            elif what < 0.95:
                del data[at : at + dice.randint(1, 8)]
            else:
                del data[max(at, 1) :]
        yield bytes(data)


_OPERATORS = """Compress CenterCropPad Expand Gather GatherElements GatherND Pad Reshape Resize
ReverseSequence ScatterElements ScatterND Slice Split Squeeze Tile Trilu Unsqueeze Where Concat
Transpose Flatten Identity DepthToSpace SpaceToDepth Upsample Dropout Scatter Add Div Mod Range
ConstantOfShape Shape Cast ReduceSum NonZero Conv MaxPool MatMul If TopK Constant"""
_ATTRIBUTES = """axis axes perm blocksize mode allowzero batch_dims to start end keepdims reduction
num_outputs upper batch_axis time_axis kernel_shape pads strides nearest_mode value shape split
scales coordinate_transformation_mode keep_aspect_ratio_policy starts ends"""


def scrambled(count, seed):
    """Models of nodes with inputs, attributes and constants at random."""
    dice = random.Random(seed)
    numbers = (-(2**63), -(2**31), -9, -2, -1, 0, 1, 2, 3, 4, 6, 12, 65_537, 2**31, 2**63 - 1)
    few = (-1, 0, 1, 2, 3)
    texts = ("constant", "reflect", "nearest", "linear", "DCR", "CRD", "floor", "half_pixel", "?")

    def constant():
        of = few if dice.random() < 0.7 else numbers
        items = [dice.choice(of) for _k in range(dice.randint(0, 4))]
        made = np.array(items, np.int64)
        if dice.random() < 0.2:
            made = made.astype(dice.choice((np.float32, bool, np.int32, np.float64)))
        if dice.random() < 0.2:
            made = made.reshape(dice.choice(((-1, 1), (1, -1), (1, 1, -1))))
        return made.reshape(()) if made.size == 1 and dice.random() < 0.3 else made

    def attribute():
        what = dice.random()
        if what < 0.4:
            return dice.choice(few)
        if what < 0.7:
            return [dice.choice(few) for _k in range(dice.randint(1, 4))]
        return dice.choice((*texts, 0.5, dice.choice(numbers)))

    for _turn in range(count):
        names, nodes, tensors = ["x", "y"], [], {}
        for k in range(dice.randint(1, 5)):
            taken = []
            for _input in range(dice.randint(1, 4)):
                if taken and dice.random() < 0.75:
                    taken.append(f"c{len(tensors)}")
                    tensors[taken[-1]] = constant()
                else:
                    taken.append(dice.choice((*names[-2:], "x", "y", "")))
            given = [f"t{k}_{n}" for n in range(dice.choice((1, 1, 1, 2)))]
            chosen = dice.sample(_ATTRIBUTES.split(), dice.choice((0, 0, 1, 1, 2)))
            settings = {name: attribute() for name in chosen}
            nodes.append((dice.choice(_OPERATORS.split()), taken, given, settings))
            names += given
        sizes = [dice.choice(((2, 3), (1, 4, 2, 6), (4,), (), (2, 3, 2))) for _k in range(2)]
        opset = dice.choice((1, 9, 11, 13, 17, 21, 25))
        yield model(nodes, {"x": sizes[0], "y": sizes[1]}, names[-2:], tensors, opset)
