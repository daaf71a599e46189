"""Parts of ONNX models that only move: ONNX's own tests and networks, exports, bounds, damage."""

import io
import time
import tracemalloc
from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

import dmlviz
from dmlviz.base.errors import Error
from dmlviz.code import KINDS, CodeRefused, model_file, read_model
from dmlviz.code.builder import Builder
from dmlviz.code.model_nodes import CONTROLS
from dmlviz.states.pages import read_any_link
from tests.code.models import MODELS, damaged, model, scrambled
from tests.memory import at_most

DATA = Path(onnx.__file__).parent / "backend" / "test" / "data"
SECONDS = 0.5
MEMORY = 192 << 20


def whole(read):
    """The only part of a model that is nothing else; None if there is more."""
    if read.refused or len(read.parts) != 1:
        return None
    (part,) = read.parts
    return part if {*part.outputs.values()} == {*read.outputs} else None


def ran(part, given, engine="numpy"):
    """What a part makes of a model's inputs, by the file's names."""
    values = {
        name: given[tensor] if tensor in given else part.constants[name]
        for name, tensor in part.inputs.items()
    }
    trace = part.run(values, engine)
    assert trace.agrees
    assert all(step.trace.agrees for step in trace.steps)
    return {part.outputs[name]: array for name, array in trace.outputs.items()}


def stored(array):
    """The same bits in a type of ours."""
    if array.dtype == bool:
        return array.astype(np.uint8)
    return array.view(np.uint16) if array.dtype.name == "bfloat16" else array


def by_onnx(data, values):
    """What ONNX's reference implementation makes of a model."""
    from onnx.reference import ReferenceEvaluator

    read = onnx.load_from_string(data)
    made = ReferenceEvaluator(read).run(None, values)
    return dict(zip([output.name for output in read.graph.output], made, strict=True))


@pytest.mark.parametrize("engine", ["numpy", "onnxruntime"])
@pytest.mark.parametrize("name", ["focus", "from_shape", "older", "constants"])
def test_a_model_that_only_moves_is_one_part_and_does_what_onnx_does(name, engine):
    sizes = {"x": (4, 6)} if name == "from_shape" else {}
    part = whole(read_model(MODELS[name], sizes))
    (of,) = (part.chain.inputs[code] for code, tensor in part.inputs.items() if tensor == "x")
    x = np.arange(1, np.prod(of) + 1, dtype=np.float32).reshape(of)
    made = ran(part, {"x": x}, engine)
    for tensor, due in by_onnx(MODELS[name], {"x": x}).items():
        np.testing.assert_array_equal(made[tensor], due)


def test_parts_lie_between_what_computes():
    read = dmlviz.code(MODELS["attention"])
    assert [part.op_types for part in read.parts] == [
        ("Reshape", "Transpose", "Split", "Squeeze", "Squeeze", "Squeeze", "Transpose"),
        ("Transpose", "Reshape"),
    ]
    first, second = read.parts
    assert first.nodes[0] == "/Reshape_1"
    assert first.chain.inputs == {"qkv": (2, 5, 24)}
    assert list(first.outputs.values()) == ["q", "v", "kt"]
    assert second.chain.text == (
        "from onnxscript import opset17 as op\n"
        "back = op.Transpose(mixed, perm=[0, 2, 1, 3])\ny = op.Reshape(back, [2, 5, 8])"
    )
    assert [(r.node, r.kind) for r in read.refused] == [
        ("/MatMul_0", "computes"),
        ("/MatMul_8", "computes"),
        ("/Softmax_9", "computes"),
        ("/MatMul_10", "computes"),
    ]
    trace = first.run()
    assert trace.agrees
    qkv = np.arange(1, 241, dtype=np.float32).reshape(2, 5, 3, 2, 4)
    np.testing.assert_array_equal(trace.outputs["q"], qkv[:, :, 0].transpose(0, 2, 1, 3))
    np.testing.assert_array_equal(trace.outputs["kt"], qkv[:, :, 1].transpose(0, 2, 3, 1))


def test_large_constants_are_tensors_of_their_own():
    (part,) = read_model(MODELS["constants"]).parts
    assert "op.Gather(x, c1)" in part.chain.text
    assert "float('inf')" in part.chain.text
    assert part.inputs == {"x": "x", "large": "large"}
    assert part.constants["large"].shape == (30, 3)
    assert [*part.chain.controls] == ["c1"]


def test_sizes_that_a_file_leaves_open_are_chosen_or_given():
    read = read_model(MODELS["from_shape"])
    assert read.open_inputs == {"x": ("batch", 6)}
    assert read.chosen_sizes == read.inputs == {"x": (1, 6)}
    assert len(read.parts) == 1
    read = read_model(MODELS["from_shape"], {"x": (2, 6)})
    assert read.open_inputs == {"x": ("batch", 6)}
    assert (read.chosen_sizes, read.inputs) == ({}, {"x": (2, 6)})
    assert read.folded == 5


def test_values_that_say_where_elements_go_can_be_given():
    data = model([("Gather", ["x", "i"], ["y"], {})], {"x": [4], "i": [2]}, ["y"])
    (refusal,) = read_model(data).refused
    assert (refusal.kind, "i" in refusal.message) == ("values", True)
    (part,) = read_model(data, arrays={"i": np.array([3, 1])}).parts
    assert part.run().source.tolist() == [3, 1]


@pytest.mark.parametrize("name", MODELS)
def test_a_part_opens_from_its_link(name):
    for part in read_model(MODELS[name], {"x": (2, 6)} if name == "from_shape" else {}).parts:
        trace = part.run()
        opened = read_any_link(dmlviz.link(trace))
        assert opened.problems == ()
        again = opened.state.trace()
        for tensor, source in trace.sources.items():
            np.testing.assert_array_equal(again.sources[tensor], source)


def cases():
    """ONNX's own node tests that have a movement and plain tensors."""
    from onnx.backend.test.loader import load_model_tests

    moves = {*CONTROLS, "Concat", "Flatten", "Identity", "Transpose", "Dropout", "Upsample"}
    moves |= {"DepthToSpace", "SpaceToDepth", "Scatter"}
    for case in load_model_tests(kind="node"):
        inputs, outputs = case.data_sets[0]
        plain = all(isinstance(x, np.ndarray) for x in (*inputs, *outputs))
        if plain and moves & {node.op_type for node in case.model.graph.node}:
            yield case.name, case.model, inputs, outputs


def chosen(case):
    """The values of inputs that say where elements go."""
    places = {**CONTROLS, "Scatter": (1,), "Upsample": (1,), "Dropout": (1, 2)}
    return {
        name
        for node in case.graph.node
        for k, name in enumerate(node.input)
        if k in places.get(node.op_type, ())
    }


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning:onnx")
def test_onnx_own_node_tests():
    counts, wrong = Counter(), []
    for name, case, inputs, outputs in cases():
        given = dict(zip([i.name for i in case.graph.input], inputs, strict=False))
        controls = {tensor: given[tensor] for tensor in chosen(case) & given.keys()}
        sizes = {tensor: x.shape for tensor, x in given.items()}
        read = read_model(case.SerializeToString(), sizes, controls)
        part = whole(read)
        if part is None:
            assert all(refusal.message and refusal.kind in KINDS for refusal in read.refused)
            counts["parts" if read.parts else "refused"] += 1
            continue
        made = ran(part, {tensor: stored(x) for tensor, x in given.items()})
        counts["whole"] += 1
        for output, due in zip(case.graph.output, outputs, strict=True):
            if not np.array_equal(made[output.name], stored(due)):
                wrong.append(name)
    assert wrong == []
    # of 424 with onnx 1.23; more may come
    assert counts["whole"] >= 148
    assert counts["parts"] >= 150
    assert counts["refused"] <= 90


@pytest.mark.parametrize(
    ("folder", "equal"), [("pytorch-operator", 9), ("pytorch-converted", 5), ("simple", 4)]
)
def test_models_of_onnx_own_folders(folder, equal):
    count = 0
    for file in sorted((DATA / folder).rglob("model.onnx")):
        case = onnx.load(file)
        files = [
            sorted((file.parent / "test_data_set_0").glob(f"{k}put_*.pb")) for k in ("in", "out")
        ]
        try:
            inputs, outputs = (
                [numpy_helper.to_array(onnx.load_tensor(f)) for f in of] for of in files
            )
        except Exception:
            continue  # sequences and texts
        constant = {tensor.name for tensor in case.graph.initializer}
        names = [i.name for i in case.graph.input if i.name not in constant]
        given = dict(zip(names, inputs, strict=False))
        controls = {tensor: given[tensor] for tensor in chosen(case) & given.keys()}
        part = whole(
            read_model(file.read_bytes(), {n: x.shape for n, x in given.items()}, controls)
        )
        if part is None:
            continue
        made = ran(part, given)
        for output, due in zip(case.graph.output, outputs, strict=True):
            np.testing.assert_array_equal(made[output.name], due)
        count += 1
    assert count == equal


def test_networks_of_onnx():
    parts = {}
    for file in sorted((DATA / "light").glob("*.onnx")):
        read = read_model(file.read_bytes())
        parts[file.stem] = [part.op_types for part in read.parts]
        assert all(part.run().agrees for part in read.parts[:2])
    assert all(parts.values())
    shuffles = [part for part in parts["light_shufflenet"] if len(part) == 3]
    assert {*shuffles} == {("Reshape", "Transpose", "Reshape")}
    assert len(shuffles) >= 10


def exported(module, sizes):
    """A module of PyTorch as a file, an input, and what PyTorch makes of it."""
    torch = pytest.importorskip("torch")
    x = torch.arange(float(np.prod(sizes))).reshape(sizes)
    file = io.BytesIO()
    with torch.no_grad():
        torch.onnx.export(module, (x,), file, dynamo=False, opset_version=17, input_names=["x"])
        return file.getvalue(), x.numpy(), np.asarray(module(x))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("code", "sizes", "moving"),
    [
        ("torch.roll(x, (-1, -1), (1, 2)).view(1, 2, 2, 2, 2, 3).transpose(2, 3)", (1, 4, 4, 3), 8),
        ("torch.cat([x[..., ::2, ::2], x[..., 1::2, 1::2]], 1)", (1, 3, 4, 6), 5),
        (
            "x.unfold(2, 2, 2).unfold(3, 2, 2).permute(0, 2, 3, 1, 4, 5).flatten(3)",
            (1, 3, 4, 6),
            19,
        ),
        ("F.pad(F.interpolate(x, scale_factor=2), (1, 1, 1, 1), mode='reflect')", (1, 2, 3, 4), 2),
        ("F.pixel_shuffle(x, 2).flip(3)", (1, 8, 2, 3), 2),
        ("F.pad(x.unsqueeze(0).expand(3, -1, -1), (1, 0), value=-1.5)", (2, 3), 3),
    ],
)
def test_models_that_pytorch_exports(code, sizes, moving):
    torch = pytest.importorskip("torch")
    names = {"torch": torch, "F": torch.nn.functional}

    class Module(torch.nn.Module):
        def forward(self, x):
            return eval(code, names, {"x": x})

    data, x, due = exported(Module(), sizes)
    part = whole(read_model(data))
    assert len(part.nodes) == moving
    (made,) = ran(part, {"x": x}).values()
    np.testing.assert_array_equal(made, due)


def functions():
    node = helper.make_node("Identity", ["x"], ["y"])
    opsets = [helper.make_opsetid("", 17)]
    own = helper.make_function("own", "same", ["x"], ["y"], [node], opsets)
    return model([], {"x": [2]}, ["x"], functions=[own])


@pytest.mark.parametrize(
    ("data", "kind", "word"),
    [
        (functions(), "syntax", "functions of its own"),
        (b"", "syntax", "not an ONNX model"),
        (b"x.T", "syntax", "not an ONNX model"),
        (model([("Identity", ["x"], ["y"], {})] * 20_001, {"x": [2]}, ["y"]), "limit", "nodes"),
        (
            model([("Identity", ["x"], ["y"], {})] * 2, {"x": [2]}, ["y"]),
            "syntax",
            'Two nodes give the tensor "y"',
        ),
    ],
)
def test_what_is_no_model_of_one_file_is_refused(data, kind, word):
    with pytest.raises(CodeRefused, match=word) as refused:
        read_model(data)
    assert refused.value.kind == kind


def test_an_input_that_the_model_does_not_have_is_refused():
    with pytest.raises(CodeRefused, match='"z" is not an input of the model; its inputs are "x"'):
        read_model(MODELS["focus"], {"z": (2,)})


def test_a_path_and_bytes_are_models(tmp_path):
    file = tmp_path / "focus.onnx"
    file.write_bytes(MODELS["focus"])
    assert len(dmlviz.code(file).parts) == len(dmlviz.code(MODELS["focus"]).parts) == 1
    assert len(dmlviz.code(MODELS["from_shape"], x=(2, 6)).parts) == 1
    with pytest.raises(Error, match="cannot read"):
        dmlviz.code(tmp_path / "none.onnx")


def check(models):
    kinds = Counter()
    for data in models:
        start = time.process_time()
        try:
            read = read_model(data)
            kinds["read"] += 1
            for refusal in read.refused:
                assert refusal.kind in KINDS
                assert refusal.message
        except CodeRefused as refused:
            kinds[refused.kind] += 1
            assert str(refused).strip()
        assert time.process_time() - start < SECONDS
    return kinds


@pytest.mark.slow
def test_damaged_models_are_read_or_refused():
    assert min(check(damaged(2_000, 1)).values()) > 500
    assert check(scrambled(1_500, 1))["read"] > 1_000


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2, 5))
def test_many_damaged_models_are_read_or_refused(seed):
    check(damaged(5_000, seed))
    check(scrambled(3_000, seed))


def chained(nodes):
    """Nodes one after the other."""
    return [(op, [f"t{k}", *more], [f"t{k + 1}"], of) for k, (op, more, of) in enumerate(nodes)]


COUNT = 5_000
HOSTILE = {
    "a long chain": model(chained([("Transpose", [], {})] * COUNT), {"t0": [2, 3]}, [f"t{COUNT}"]),
    "many parts": model(
        chained([("Transpose", [], {}), ("Relu", [], {})] * (COUNT // 2)), {"t0": [2, 3]}, ["t9"]
    ),
    "many large tensors": model(
        chained([("Relu", [], {}), ("Transpose", [], {})] * (COUNT // 2)), {"t0": [256, 256]}, ["t9"]
    ),
    "long sizes": model(
        chained([("Reshape", ["s"], {})] * COUNT),
        {"t0": [2, 3]},
        ["t9"],
        {"s": np.zeros(65_536, np.int64)},
    ),
    "many sums": model(
        [("Add", ["c", "c"], [f"t{k}"], {}) for k in range(COUNT)],
        {"x": [2]},
        ["t9"],
        {"c": np.zeros(65_536, np.int64)},
    ),
    "many inputs": model(
        [("Concat", [f"x{k}" for k in range(20_000)], ["y"], {"axis": 0})],
        {f"x{k}": [1] for k in range(20_000)},
        ["y"],
    ),
    "a large copy": model(
        [("Expand", ["x", "s"], ["y"], {})], {"x": [1]}, ["y"], {"s": np.array([2**62] * 3)}
    ),
    "large padding": model(
        [("Pad", ["x", "s"], ["y"], {"mode": "reflect"})],
        {"x": [2]},
        ["y"],
        {"s": np.array([2**40] * 2)},
    ),
    "a large resize": model(
        [("Resize", ["x", "", "s"], ["y"], {})],
        {"x": [2]},
        ["y"],
        {"s": np.array([1e30], np.float32)},
    ),
    "a long range": model(
        [("Range", ["a", "b", "c"], ["y"], {})],
        {"x": [2]},
        ["y"],
        {"a": np.array(0), "b": np.array(2**62), "c": np.array(1)},
    ),
}  # fmt: skip


BOUNDS = {
    "a long chain": "This part has 5,000 nodes; at most 96",
    "many parts": "The model has more than 256 parts",
    "many large tensors": "The model moves more than 16,777,216 elements",
    "long sizes": "65,536 numbers; at most 64",
    "many sums": "The model moves more than 16,777,216 elements",
    "many inputs": "characters; at most 4,000",
    "a large copy": "at most 4,194,304",
    "large padding": "at most 4,194,304",
    "a large resize": "at most 4,194,304",
    "a long range": "at most 65,536",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_what_means_harm_costs_little(name):
    start = time.process_time()
    read = read_model(HOSTILE[name])
    assert time.process_time() - start < 5
    assert any(BOUNDS[name] in refusal.message for refusal in read.refused)
    with at_most(MEMORY):
        read_model(HOSTILE[name])


def test_inputs_of_the_same_sizes_are_numbered_once_a_node(monkeypatch):
    count, own = Counter(), Builder.numbered

    def counted(self, name, sizes):
        count["numbered"] += 1
        return own(self, name, sizes)

    monkeypatch.setattr(Builder, "numbered", counted)
    nodes = [("Concat", ["x", "y"] * 1_000, [f"t{k}"], {"axis": 0}) for k in range(5)]
    read_model(model(nodes, {"x": [1], "y": [1]}, [f"t{k}" for k in range(5)]))
    assert count["numbered"] == 5


def test_a_list_of_parts_holds_no_maps():
    nodes = [("Relu", [], {}), ("Transpose", [], {"perm": [1, 0]})] * 240
    data = model(chained(nodes), {"t0": [180, 180]}, [f"t{len(nodes)}"])
    tracemalloc.start()
    try:
        read = read_model(data)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
    assert len(read.parts) == 240
    part = read.parts[-1]
    assert (part.input_sizes, part.output_sizes) == (
        dict(part.chain.inputs),
        dict.fromkeys(part.outputs, (180, 180)),
    )


def test_fields_are_counted(monkeypatch):
    monkeypatch.setattr(model_file, "FIELD_LIMIT", 1_000)
    fields = b"\xf8\x01\x00" * 1_001
    with pytest.raises(CodeRefused, match="more than 1,000 fields"):
        read_model(b"\x3a\xbb\x17" + fields)
    with pytest.raises(CodeRefused, match="more than 1,000 fields"):
        read_model(fields)
