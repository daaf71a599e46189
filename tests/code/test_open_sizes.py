"""Sizes that a model leaves open, weights that are not read, and what has sizes of its own."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import dmlviz
from dmlviz.code import CodeRefused, read_model
from dmlviz.code import model_file as reading
from dmlviz.code.model_groups import grouped
from dmlviz.code.model_sizes import is_sized
from dmlviz.code.model_walk import ModelWalk
from tests.code.models import MODELS
from tests.memory import at_most

FLOAT = TensorProto.FLOAT
LIGHT = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"


def network(inputs, nodes, tensors=(), outputs=("y",), **more):
    """The bytes of a model with open sizes; a size is a number, a name or None."""
    made = [
        helper.make_node(op, list(taken), list(given), f"{op}_{k}", **attributes)
        for k, (op, taken, given, attributes) in enumerate(nodes)
    ]
    graph = helper.make_graph(
        made,
        "main",
        [helper.make_tensor_value_info(n, FLOAT, of) for n, of in inputs.items()],
        [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(x), name) for name, x in dict(tensors).items()],
        **more,
    )
    opsets = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


def weights(*sizes):
    return np.zeros(sizes, np.float32)


def skips():
    """Halves an image five times and adds what it was before: only some heights fit."""
    nodes, last = [], "x"
    for k in range(5):
        nodes.append(("Conv", [last, "w"], [f"d{k}"], {"strides": [2, 2], "pads": [1, 1, 1, 1]}))
        last = f"d{k}"
    for k in range(3, -1, -1):
        nodes.append(("Resize", [last, "", "twice"], [f"u{k}"], {"mode": "nearest"}))
        nodes.append(("Concat", [f"u{k}", f"d{k}"], [f"c{k}"], {"axis": 1}))
        nodes.append(("Slice", [f"c{k}", "zero", "three", "one"], [f"s{k}"], {}))
        last = f"s{k}"
    nodes.append(("Transpose", [last], ["y"], {"perm": [0, 2, 3, 1]}))
    return network(
        {"x": ["batch", 3, "height", "width"]},
        nodes,
        {
            "w": weights(3, 3, 3, 3),
            "twice": np.array([1, 1, 2, 2], np.float32),
            "zero": np.array([0]),
            "three": np.array([3]),
            "one": np.array([1]),
        },
    )


def reader():
    """Rows of a fixed height whose length is open, as the features of a line of text."""
    return network(
        {"x": [None, 3, "?", "width"]},
        [
            ("Conv", ["x", "w"], ["a"], {"strides": [16, 1]}),
            ("Squeeze", ["a", "two"], ["b"], {}),
            ("Transpose", ["b"], ["c"], {"perm": [2, 0, 1]}),
            ("LSTM", ["c", "lw", "lr"], ["d", "", ""], {"hidden_size": 5}),
            ("Squeeze", ["d", "one"], ["e"], {}),
            ("Transpose", ["e"], ["y"], {"perm": [1, 0, 2]}),
        ],
        {
            "w": weights(4, 3, 16, 1),
            "two": np.array([2]),
            "one": np.array([1]),
            "lw": weights(1, 20, 4),
            "lr": weights(1, 20, 5),
        },
    )


def two_inputs():
    """Two inputs of one length, and a state of as many numbers as a matrix has rows."""
    return network(
        {"x": ["batch", "steps", 8], "mask": ["batch", "steps", 1], "state": [1, None]},
        [
            ("Mul", ["x", "mask"], ["a"], {}),
            ("Transpose", ["a"], ["b"], {"perm": [0, 2, 1]}),
            ("MatMul", ["state", "w"], ["c"], {}),
            ("Reshape", ["c", "eights"], ["d"], {}),
            ("Concat", ["d", "b"], ["y"], {"axis": 2}),
        ],
        {"w": weights(24, 16), "eights": np.array([1, 8, 2])},
    )


OPEN = {"skips": skips(), "reader": reader(), "two inputs": two_inputs()}


@pytest.mark.parametrize("name", OPEN)
def test_onnx_runtime_runs_the_whole_model_at_the_chosen_sizes(name):
    data = OPEN[name]
    read = read_model(data)
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    assert {one.name for one in session.get_inputs()} == read.chosen_sizes.keys()
    session.run(None, {n: weights(*of) for n, of in read.chosen_sizes.items()})
    moving = [r for r in read.refused if r.kind != "computes"]
    assert (moving, bool(read.parts)) == ([], True)


def test_a_batch_is_one_and_one_name_is_one_number():
    chosen = read_model(OPEN["two inputs"]).chosen_sizes
    assert chosen["x"][0] == chosen["mask"][0] == 1
    assert chosen["x"][1] == chosen["mask"][1] > 1
    assert chosen["state"] == (1, 24)


def test_what_is_given_fixes_names_and_is_never_advised():
    read = read_model(OPEN["two inputs"], {"x": (1, 5, 8)})
    assert read.chosen_sizes == {"mask": (1, 5, 1), "state": (1, 24)}
    assert [*read.open_inputs] == ["x", "mask", "state"]
    read = read_model(OPEN["two inputs"], {"x": (1, 5, 8), "mask": (1, 5, 1), "state": (1, 7)})
    (refusal,) = [r for r in read.refused if r.op_type == "Reshape"]
    assert refusal.message == (
        'The sizes of "c" are unknown, because MatMul does not take tensors of the sizes '
        '"{1, 7}, {24, 16}".'
    )


def test_each_input_is_looked_at_a_few_times(monkeypatch):
    looked, own = [], reading.sizes_in_numbers
    monkeypatch.setattr(
        reading, "sizes_in_numbers", lambda *given: looked.append(given) or own(*given)
    )
    names = [f"x{k}" for k in range(300)]
    node = ("Concat", names, ["y"], {"axis": 0})
    read_model(network({name: [2] for name in names}, [node]))
    assert len(looked) <= 5 * len(names)


def test_a_question_mark_says_nothing():
    assert read_model(OPEN["reader"]).open_inputs == {"x": (None, 3, None, "width")}


def unstated(op, domain=""):
    """A node that has no rule, before a movement."""
    node = helper.make_node(op, ["x"], ["t"], "own", domain=domain)
    move = helper.make_node("Transpose", ["t"], ["y"], "turned", perm=[1, 0])
    graph = helper.make_graph(
        [node, move],
        "main",
        [helper.make_tensor_value_info("x", FLOAT, ["n", 4])],
        [helper.make_tensor_value_info("y", FLOAT, None)],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    return helper.make_model(graph, opset_imports=opsets)


def test_what_sizes_depend_on_is_named_and_its_sizes_can_be_given():
    data = unstated("Widen", "own").SerializeToString()
    read = read_model(data)
    (refusal,) = [r for r in read.refused if r.op_type == "Transpose"]
    assert refusal.message == (
        'The sizes of "t" depend on Widen, and the file does not state them; give those of "t".'
    )
    (part,) = read_model(data, {"t": (3, 2)}).parts
    assert part.output_sizes == {"y": (2, 3)}
    with pytest.raises(CodeRefused, match='"y" is not an input of the model'):
        read_model(data, {"t": (3, 2), "y": (9, 9)})


def test_sizes_that_the_file_states_of_other_tensors_hold_with_their_names():
    case = unstated("Widen", "own")
    case.graph.value_info.append(helper.make_tensor_value_info("t", FLOAT, ["n", 7]))
    (part,) = read_model(case.SerializeToString(), {"x": (3, 4)}).parts
    assert part.input_sizes == {"t": (3, 7)}
    # an input of other sizes than the file states: the others need not hold
    assert read_model(case.SerializeToString(), {"x": (3, 5)}).parts == ()


def branch(name, outputs, nodes, tensors=()):
    made = [helper.make_tensor_value_info(one, FLOAT, None) for one in outputs]
    return helper.make_graph(nodes, name, [], made, list(tensors))


def choosing(condition=None):
    """Two branches that give the same sizes under one name each."""
    node = helper.make_node
    turned = [
        node("Transpose", ["x"], ["a"], perm=[1, 0]),
        node("Transpose", ["a"], ["out"], perm=[1, 0]),
    ]
    flat = [node("Relu", ["x"], ["a"]), node("Identity", ["a"], ["out"])]
    branches = {
        "then_branch": branch("t", ["out"], turned),
        "else_branch": branch("e", ["out"], flat),
    }
    nodes = [node("If", ["c"], ["t"], "if", **branches), node("Flatten", ["t"], ["y"], "flat")]
    tensors = [] if condition is None else [numpy_helper.from_array(np.array(condition), "c")]
    inputs = [helper.make_tensor_value_info("x", FLOAT, ["n", 4])]
    if condition is None:
        inputs.append(helper.make_tensor_value_info("c", TensorProto.BOOL, []))
    ends = [helper.make_tensor_value_info("y", FLOAT, None)]
    graph = helper.make_graph(nodes, "main", inputs, ends, tensors)
    opsets = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


@pytest.mark.parametrize("condition", [None, True, False])
def test_the_branches_of_if_are_read_before_it(condition):
    data = choosing(condition)
    onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    read = read_model(data)
    assert read.nodes == 6
    assert {part.op_types for part in read.parts} == {("Transpose", "Transpose"), ("Flatten",)}
    assert [r.kind for r in read.refused if r.op_type == "Identity"] == ["nothing"]


def test_a_tensor_that_only_a_graph_within_a_node_takes_is_taken():
    node = helper.make_node
    body = helper.make_graph(
        [node("Add", ["s", "turned"], ["o"]), node("Identity", ["k"], ["p"])],
        "body",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("k", TensorProto.BOOL, []),
            helper.make_tensor_value_info("s", FLOAT, [4, 2]),
        ],
        [
            helper.make_tensor_value_info("p", TensorProto.BOOL, []),
            helper.make_tensor_value_info("o", FLOAT, [4, 2]),
        ],
    )
    nodes = [
        node("Transpose", ["x"], ["turned"], perm=[1, 0]),
        node("Loop", ["m", "k0", "s0"], ["y"], body=body),
    ]
    info = helper.make_tensor_value_info
    inputs = [info("x", FLOAT, [2, 4]), info("s0", FLOAT, [4, 2])]
    tensors = [
        numpy_helper.from_array(np.array(3), "m"),
        numpy_helper.from_array(np.array(True), "k0"),
    ]
    graph = helper.make_graph(nodes, "main", inputs, [info("y", FLOAT, [4, 2])], tensors)
    opsets = [helper.make_opsetid("", 17)]
    (part,) = read_model(helper.make_model(graph, opset_imports=opsets).SerializeToString()).parts
    assert part.op_types == ("Transpose",)


def test_a_number_is_a_tensor_of_rank_0():
    nodes = [("Reshape", ["x", "one"], ["a"], {}), ("Tile", ["a", "three"], ["b"], {}),
             ("Gather", ["b", "last"], ["y"], {})]  # fmt: skip
    tensors = {"one": np.array([1]), "three": np.array([3]), "last": np.array(2)}
    (part,) = read_model(network({"x": []}, nodes, tensors)).parts
    assert (part.input_sizes, part.output_sizes) == ({"x": ()}, {"y": ()})
    for engine in ("numpy", "onnxruntime"):
        trace = part.run({"x": np.float32(7)}, engine)
        assert trace.agrees
        assert (trace.output.shape, trace.output.item(), trace.source.item()) == ((), 7, 0)


def test_a_number_is_listed_beside_other_tensors():
    nodes = [("Reshape", ["s", "one"], ["a"], {}), ("Concat", ["a", "x"], ["y"], {"axis": 0}),
             ("Reshape", ["t", "one"], ["z"], {})]  # fmt: skip
    data = network({"s": [], "x": [3], "t": []}, nodes, {"one": np.array([1])}, ("y", "z"))
    read = read_model(data)
    assert [part.output_sizes for part in read.parts] == [{"y": (4,)}, {"z": (1,)}]
    assert sorted(number for group in grouped(read.parts) for number in group.parts) == [0, 1]
    assert [part.run(engine="onnxruntime").agrees for part in read.parts] == [True, True]
    assert [part.run().formula for part in read.parts]
    for part in read.parts:
        assert part.displayed_summary()


def test_runs_of_identity_are_no_parts():
    nodes = [("Identity", ["x"], ["a"], {}), ("Dropout", ["a"], ["b"], {}), ("Relu", ["b"], ["c"], {}),
             ("Identity", ["c"], ["d"], {}), ("Transpose", ["d"], ["y"], {"perm": [1, 0]})]  # fmt: skip
    read = read_model(network({"x": [2, 3]}, nodes))
    assert [part.op_types for part in read.parts] == [("Identity", "Transpose")]
    assert [(r.op_type, r.kind) for r in read.refused] == [
        ("Identity", "nothing"),
        ("Dropout", "nothing"),
        ("Relu", "computes"),
    ]


# ---- weights


ROWS = 60_000


def weighted(how):
    """A matrix of weights before movements, its elements in the graph, a node, a file, or nowhere."""
    tensor = numpy_helper.from_array(weights(ROWS, 8).T.copy(), "w")
    node = helper.make_node
    nodes = [
        node("MatMul", ["x", "w"], ["t"], "product"),
        node("Transpose", ["t"], ["u"], "turned", perm=[1, 0]),
        node("Slice", ["u", "from", "to"], ["y"], "cut"),
    ]
    tensors = [
        tensor,
        numpy_helper.from_array(np.array([0]), "from"),
        numpy_helper.from_array(np.array([2]), "to"),
    ]
    if how == "node":
        nodes.insert(0, node("Constant", [], ["w"], "weights", value=tensors.pop(0)))
    elif how == "external":
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        entry = tensor.external_data.add()
        entry.key, entry.value = "location", "/etc/passwd"
    elif how == "missing":
        tensor.ClearField("raw_data")
    graph = helper.make_graph(
        nodes,
        "main",
        [helper.make_tensor_value_info("x", FLOAT, ["batch", 8])],
        [helper.make_tensor_value_info("y", FLOAT, None)],
        tensors,
    )
    opsets = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


@pytest.mark.parametrize("how", ["initializer", "node", "external", "missing"])
def test_the_elements_of_weights_are_not_needed(how):
    read = read_model(weighted(how))
    assert read.chosen_sizes == {"x": (1, 8)}
    (part,) = read.parts
    assert part.op_types == ("Transpose", "Slice")
    assert part.input_sizes["t"] == (1, ROWS)


def test_a_large_file_is_not_read_into_memory(tmp_path):
    # 3 GB of weights: a gap that takes no place on the disk
    size = 3 << 30
    tensor = reading_tensor("w", (size // 4,))
    node = helper.make_node("Transpose", ["x"], ["y"], perm=[1, 0])
    info = helper.make_tensor_value_info
    graph = helper.make_graph([node], "g", [info("x", FLOAT, [2, 3])], [info("y", FLOAT, [3, 2])])
    start = tensor + field(9, size)
    body = graph.SerializeToString() + field(5, len(start) + size) + start
    file = tmp_path / "large.onnx"
    with file.open("wb") as out:
        opset = helper.make_opsetid("", 17).SerializeToString()
        out.write(field(8, len(opset)) + opset + field(7, len(body) + size) + body)
        out.truncate(out.tell() + size)
    with at_most(64 << 20):
        (part,) = dmlviz.code(file).parts
    assert part.op_types == ("Transpose",)


def reading_tensor(name, sizes):
    return TensorProto(name=name, data_type=FLOAT, dims=sizes).SerializeToString()


def field(number, length):
    """The beginning of a field of so many bytes."""
    made = bytearray([number << 3 | 2])
    while length > 0x7F:
        made.append(length & 0x7F | 0x80)
        length >>= 7
    return bytes([*made, length])


def test_indices_are_read_and_weights_are_not():
    tensors = {
        "indices": np.arange(2_000),
        "few": weights(4, 4),
        "many": weights(reading.VALUES_LIMIT + 1),
    }
    data = network({"x": [2, 3]}, [("Identity", ["x"], ["y"], {})], tensors)
    read = reading.read_model_file(memoryview(data)).tensors
    assert {name: of.values is not None for name, of in read.items()} == {
        "indices": True,
        "few": True,
        "many": False,
    }


# ---- the rules of sizes, held by ONNX Runtime

CONV = {"strides": [2, 1], "pads": [1, 0, 2, 1], "dilations": [1, 2]}
RULES = {
    "Conv": (CONV, [(2, 4, 9, 8), (6, 2, 3, 2)], {"group": 2}),
    "Conv same": ({}, [(1, 3, 7, 5), (2, 3, 3, 3)], {"auto_pad": "SAME_UPPER", "strides": [2, 3]}),
    "ConvTranspose": ({}, [(1, 3, 4, 5), (3, 2, 3, 3)], {"strides": [2, 2], "output_padding": [1, 0]}),
    **{
        f"MaxPool {n} {ceil}": (
            {}, [(1, 2, n)], {"kernel_shape": [3], "strides": [2], "pads": [1, 1], "ceil_mode": ceil}
        )
        for n in range(3, 9)
        for ceil in (0, 1)
    },
    **{
        f"{op} {n} beyond": (
            {}, [(1, 2, n)], {"kernel_shape": [2], "strides": [3], "pads": [1, 1], "ceil_mode": 1}
        )
        for op in ("MaxPool", "AveragePool")
        for n in (4, 5, 7)
    },
    "MaxPool valid": (
        {}, [(1, 2, 9)], {"kernel_shape": [1], "strides": [3], "auto_pad": "VALID", "ceil_mode": 1}
    ),
    "AveragePool": ({}, [(1, 2, 7, 6)], {"kernel_shape": [2, 3], "strides": [3, 2], "ceil_mode": 1}),
    "GlobalMaxPool": ({}, [(2, 3, 4, 5)], {}),
    "MatMul": ({}, [(2, 1, 3, 4), (5, 4, 6)], {}),
    "MatMul rows": ({}, [(4,), (2, 4, 3)], {}),
    "Gemm": ({}, [(4, 3), (5, 4)], {"transA": 1, "transB": 1}),
    "Einsum": ({}, [(2, 3, 4), (4, 3, 5)], {"equation": "bij,jik->bk"}),
    "LSTM": ({}, [(5, 2, 3), (1, 16, 3), (1, 16, 4)], {"hidden_size": 4}),
    "GRU": ({}, [(5, 2, 3), (2, 12, 3), (2, 12, 4)], {"hidden_size": 4, "direction": "bidirectional"}),
    "ReduceMean": ({}, [(2, 3, 4)], {"axes": [-1, 0], "keepdims": 0}),
    "GridSample": ({}, [(1, 2, 4, 5), (1, 3, 6, 2)], {}),
    "BatchNormalization": ({}, [(2, 3, 4), (3,), (3,), (3,), (3,)], {}),
    "PRelu": ({}, [(2, 3, 4), (3, 1)], {}),
}  # fmt: skip


def of_rule(name):
    more, sizes, attributes = RULES[name]
    op = name.split()[0]
    names = [f"x{k}" for k in range(len(sizes))]
    count = {"LSTM": 3, "GRU": 2}.get(op, 1)
    outputs = [f"y{k}" for k in range(count)]
    node = (op, names, outputs, {**more, **attributes})
    return network(dict(zip(names, sizes, strict=True)), [node], outputs=tuple(outputs)), op


@pytest.mark.parametrize("name", RULES)
def test_the_rules_of_sizes_are_those_of_onnx_runtime(name):
    data, op = of_rule(name)
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    sizes = {one.name: one.shape for one in session.get_inputs()}
    due = [x.shape for x in session.run(None, {n: weights(*of) for n, of in sizes.items()})]
    assert is_sized(op)
    outputs = [one.name for one in session.get_outputs()]
    file = reading.read_model_file(memoryview(data))
    walk = ModelWalk(file, file.stated_inputs(), {})
    assert [walk.sizes[name] for name in outputs] == due


@pytest.mark.parametrize("name", ["Conv", "ConvTranspose", "MatMul", "Gemm", "Einsum", "LSTM"])
def test_sizes_that_onnx_runtime_refuses_do_not_fit(name):
    _more, sizes, _attributes = RULES[name]
    data, _op = of_rule(name)
    session = onnxruntime.InferenceSession(
        _with_open_inputs(data), providers=["CPUExecutionProvider"]
    )
    for k in range(2):
        for d in range(len(sizes[k])):
            other = [[*of] for of in sizes]
            other[k][d] += 1
            try:
                session.run(None, {f"x{n}": weights(*of) for n, of in enumerate(other)})
                runs = True
            except Exception:
                runs = False
            file = reading.read_model_file(memoryview(_with_open_inputs(data)))
            given = {f"x{n}": tuple(of) for n, of in enumerate(other)}
            misfits = ModelWalk(file, given, {}).misfits
            assert bool(misfits) is not runs, (k, d)


def _with_open_inputs(data):
    case = onnx.load_from_string(data)
    for one in case.graph.input:
        for k, dim in enumerate(one.type.tensor_type.shape.dim):
            dim.dim_param = f"{one.name}_{k}"
    return case.SerializeToString()


def test_the_names_of_parts_are_searched_once_for_equal_parts():
    read = dmlviz.code(LIGHT / "light_shufflenet.onnx")
    groups = grouped(read.parts)
    shuffles = [group for group in groups if group.name.startswith("nn.ChannelShuffle(4)")]
    assert [len(group.parts) for group in shuffles] == [8, 3]
    assert sorted(n for group in groups for n in group.parts) == [*range(len(read.parts))]
    assert [bool(group.name) for group in groups] == sorted(
        (bool(group.name) for group in groups), reverse=True
    )


# ---- each part, held by ONNX Runtime on the file's own nodes


def by_runtime(data, part, values):
    """What ONNX Runtime makes of the nodes of a part, taken from the file as they are."""
    case = onnx.load_from_string(data)
    graph = case.graph
    outputs = {name for node in graph.node if node.name in part.nodes for name in node.output}
    nodes = [node for node in graph.node if outputs & {*node.output}]
    taken = {name for node in nodes for name in node.input} - outputs
    tensors = [t for t in graph.initializer if t.name in taken and t.name not in values]
    constants = [n for n in graph.node if n.op_type == "Constant" and taken & {*n.output}]
    made = helper.make_graph(
        [*constants, *nodes],
        "part",
        [helper.make_tensor_value_info(n, FLOAT, x.shape) for n, x in values.items()],
        [helper.make_tensor_value_info(name, FLOAT, None) for name in part.outputs.values()],
        tensors,
    )
    model = helper.make_model(made, opset_imports=case.opset_import, ir_version=8)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, values)


PROVED = {
    **{name: MODELS[name] for name in ("attention", "focus", "constants")},
    **OPEN,
    **{n: (LIGHT / f"{n}.onnx").read_bytes() for n in ("light_shufflenet", "light_squeezenet")},
}


@pytest.mark.parametrize("name", PROVED)
def test_each_part_is_what_onnx_runtime_makes_of_the_own_nodes_on_random_inputs(name):
    data, dice = PROVED[name], np.random.default_rng(7)
    read = read_model(data)
    for part in read.parts[:16]:
        values = {
            tensor: dice.random(part.input_sizes[code], np.float32)
            for code, tensor in part.inputs.items()
        }
        movement = part.chain.movement(data_type="FLOAT32")
        line = np.concatenate([values[part.inputs[code]].ravel() for code in movement.inputs])
        made = by_runtime(data, part, values)
        for answer, output in zip(made, movement.outputs.values(), strict=True):
            due = line[output.source]
            if output.constants is not None:
                due = np.where(output.source < 0, output.constants, due)
            np.testing.assert_array_equal(answer, due)
