"""Code as people call it: tensors, steps, places of refusals, links, every engine and type."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.base.addresses import split_link
from dmlviz.base.errors import Error
from dmlviz.code import CodeRefused, run_chain, run_code
from dmlviz.code import read as read_chain
from dmlviz.code.inputs import suggested
from dmlviz.code.operator import operator_of
from dmlviz.engines.contained import Contained, Process
from dmlviz.engines.frames import operator_of as rebuilt
from dmlviz.engines.frames import operator_words
from dmlviz.engines.onnxruntime import OnnxRuntimeEngine
from dmlviz.picture.payload import payload
from dmlviz.picture.scene import scene
from dmlviz.states.pages import read_any_link
from dmlviz.tensors import DATA_TYPES

SHARED = Path(__file__).resolve().parents[3] / "shared" / "code-cases.json"
EVERY_NODE = """a, b = np.split(np.pad(x, 1, constant_values=5), 2, axis=1)
y = np.where(np.tri(3, 4, dtype=bool), np.tile(a, (1, 2))[:3, :4], 3)
y[0, ::2] = 7
np.take_along_axis(np.roll(y, 1, axis=1)[[2, 0], ::-1], np.array([[1], [0]]), 1)"""


def refusal(code, **sizes):
    with pytest.raises(CodeRefused) as refused:
        read_chain(code, sizes)
    return refused.value


@pytest.mark.skipif(not SHARED.exists(), reason="the cases in ../shared are not here")
def test_the_cases_of_the_plans():
    for case in json.loads(SHARED.read_text(encoding="utf-8"))["cases"]:
        if case["code"] == "y = x\ny[0] = 0\nx":
            # a write through another name is followed
            case["expect"] = {"outputs": [{"sizes": [3, 4], "source": [-1] * 4 + [*range(4, 12)]}]}
        tensors = {name: tuple(of) for name, of in case["inputs"].items()}
        tensors |= {name: np.asarray(x) for name, x in case["controls"].items()}
        due = case["expect"]
        if "refused" in due:
            with pytest.raises(CodeRefused) as refused:
                run_code(case["code"], tensors, case["library"])
            assert refused.value.kind == due["refused"], case["code"]
            continue
        trace = run_code(case["code"], tensors, case["library"])
        assert trace.agrees
        for source, output in zip(trace.sources.values(), due["outputs"], strict=True):
            assert list(source.shape) == output["sizes"], case["code"]
            assert source.ravel().tolist() == output["source"], case["code"]


def test_steps_say_what_each_call_did():
    trace = dmlviz.code("y = x.reshape(2, 3, 4)\ny.permute(0, 2, 1)", x=(2, 12))
    assert [(s.name, s.text, s.line, s.columns) for s in trace.steps] == [
        ("reshape", ".reshape(2, 3, 4)", 1, (6, 23)),
        ("permute", ".permute(0, 2, 1)", 2, (2, 19)),
    ]
    assert [s.sizes for s in trace.steps] == [{"y": (2, 3, 4)}, {"out": (2, 4, 3)}]
    np.testing.assert_array_equal(
        trace.output, np.arange(1, 25).reshape(2, 3, 4).transpose(0, 2, 1)
    )


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("y = x.reshape(3, 2)\nz = y.T\nz[0]", ["y", "z", "out"]),
        ("x.T[::-1].T", ["t1", "t2", "out"]),
        ("y = x.T\nprint(y)", ["y"]),
        ("a, b = np.split(x, 2)\na, b", ["a", "b"]),
        # a second tensor of a name has a number
        ("x = x.T\nx = x[::-1]\nx.T", ["x1", "x2", "out"]),
        ("y = x.T\ny = y[::-1]", ["y1", "y"]),
        ("x1 = x.T\nx = x1[::-1]\nx.T", ["x1", "x2", "out"]),
    ],
)
def test_tensors_have_the_names_of_the_code(text, due):
    trace = dmlviz.code(text, x=(2, 3))
    assert [name for step in trace.steps for name in step.sizes] == due
    assert trace.agrees


def test_a_part_of_a_jax_array_is_written_in_one_step():
    trace = dmlviz.code("jnp.flip(x, 0).at[1:, ::2].set(0)", x=(2, 3))
    assert [step.text for step in trace.steps] == ["jnp.flip(x, 0)", ".at[1:, ::2].set(0)"]
    assert trace.source.tolist() == [[3, 4, 5], [-1, 1, -1]]


def test_several_inputs_and_outputs_have_the_names_of_the_code():
    trace = dmlviz.code("q, k, v = x.chunk(3, dim=-1)", x=(2, 6))
    assert list(trace.outputs) == ["q", "k", "v"]
    assert trace.sources["k"].tolist() == [[2, 3], [8, 9]]
    joined = dmlviz.code("np.concatenate([x, y])", x=(1, 2), y=(2, 2))
    assert joined.source.tolist() == [[0, 1], [2, 3], [4, 5]]


def test_an_array_is_a_control_where_the_code_uses_it_as_one():
    i, m = np.array([3, 0]), np.array([True, False, True])
    trace = dmlviz.code("i2 = i[::-1]\nx[m][:, i2]", i=i, x=(3, 4), m=m)
    assert list(trace.chain.inputs) == ["x"]
    assert list(trace.chain.controls) == ["i", "m"]
    # neither the numbers of i nor the call that turns them are counted
    assert trace.source.tolist() == [[0, 3], [8, 11]]
    assert [step.text for step in trace.steps] == ["[m]", "[:, i2]"]


def test_an_array_can_move_and_choose():
    both = dmlviz.code("np.concatenate([x[i], i])", x=np.arange(3), i=np.array([2, 0]))
    assert both.source.tolist() == [2, 0, 3, 4]
    assert both.output.tolist() == [2, 0, 2, 0]


@pytest.mark.parametrize("code", ["x + 1", "np.concatenate([x, x * 2])", "y = x > 3\ny"])
def test_what_is_calculated_from_an_input_is_no_part_of_a_result(code):
    with pytest.raises(CodeRefused) as refused:
        dmlviz.code(code, x=np.arange(6))
    assert refused.value.kind == "computes"


@pytest.mark.parametrize("engine", ["numpy", "onnxruntime"])
@pytest.mark.parametrize("data_type", DATA_TYPES)
def test_every_node_runs_bit_for_bit_in_every_type(engine, data_type):
    x = np.arange(12).reshape(2, 6).astype(DATA_TYPES[data_type].dtype)
    trace = run_code(EVERY_NODE, {"x": x}, "numpy", engine)
    assert trace.agrees
    assert all(step.trace.agrees for step in trace.steps)
    names = {"np": np, "x": x}
    exec(EVERY_NODE.rpartition("\n")[0], names)
    due = eval(EVERY_NODE.rpartition("\n")[2], names)
    np.testing.assert_array_equal(trace.output, due.astype(x.dtype))


def test_a_constant_that_is_no_number_of_the_type_is_refused():
    with pytest.raises(Error, match=r"-1 .* UINT8"):
        dmlviz.code("np.pad(x, 1, constant_values=-1)", x=np.zeros((2, 2), np.uint8))


def test_constants_can_differ_from_element_to_element():
    trace = dmlviz.code("np.pad(x, 1, constant_values=((1, 2), (3, 4)))", x=(1, 1))
    assert trace.output.tolist() == [[3, 1, 4], [3, 1, 4], [3, 2, 4]]
    assert trace.source.tolist() == [[-1, -1, -1], [-1, 0, -1], [-1, -1, -1]]
    assert trace.agrees
    assert trace.movement.moved(dict(trace.inputs))["out"].tolist() == trace.output.tolist()


def test_an_engine_that_does_something_else_is_found(monkeypatch):
    chain = read_chain("x[:, ::-1]", {"x": (3, 3)})
    other = read_chain("x[::-1]", {"x": (3, 3)})
    values = {"x": np.arange(9).reshape(3, 3)}
    assert run_chain(chain, values).agrees
    graph = type(chain).graph
    monkeypatch.setattr(type(chain), "graph", lambda self, *args: graph(other, *args))
    assert not run_chain(chain, values).agrees


def test_another_process_runs_code():
    process = Process()
    try:
        trace = dmlviz.code("x[i].T", x=(3, 2), i=np.array([2, 0]))
        operator = trace.every.operator
        assert rebuilt(json.loads(json.dumps(operator_words(operator)))) == operator
        ran = Contained(OnnxRuntimeEngine(), process).run(operator, trace.inputs)
        for name, made in ran.outputs.items():
            np.testing.assert_array_equal(made, trace.every.outputs[name])
    finally:
        process.close()


def test_the_model_has_every_tensor_as_an_output():
    import onnx

    from dmlviz.engines import model_file

    trace = dmlviz.code("x.reshape(2, 3, 4).permute(0, 2, 1)", x=(2, 12))
    model = onnx.load_from_string(model_file(trace.every.operator, trace.inputs))
    assert [output.name for output in model.graph.output] == ["t1", "out"]


@pytest.mark.parametrize(
    ("code", "kind", "line", "column"),
    [
        ("x.T\n\ny = x @ x", "computes", 3, 5),
        ("x.softmax(0)", "computes", 1, 2),
        ("x.T.foo()", "name", 1, 4),
        ("é = x\né.permute(1, 0).view(6)", "view", 2, 16),
        ("    x.T\n    x[", "syntax", 2, 6),
        ("x[:, 9]", "sizes", 1, 2),
        ("y = x.permute(1, 0)\ny[1:] = y[:-1]\nx", "view", 2, 1),
        ("torch.stack([x, x.masked_fill_(True, 0)])", "view", 1, 17),
        ("z", "name", 1, 1),
        ("x.ft", "name", 1, 2),
        ("y = x.T\ny.ft", "name", 2, 2),
        ("x.T.ft.T", "name", 1, 4),
        ("y = jnp.tril(x)\ny.at[0].add(1)", "computes", 2, 2),
        ("tf.identity(x)\nx[0] = 1", "name", 2, 1),
    ],
)
def test_a_refusal_has_its_place(code, kind, line, column):
    refused = refusal(code, x=(2, 3))
    assert (refused.kind, refused.line, refused.column) == (kind, line, column)
    assert isinstance(refused, ValueError)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("x.ft", "NumPy tensors have no attribute .ft that is read here."),
        ("x.foo()", "NumPy tensors have no movement .foo() that is read here."),
        (
            "np.rol(x, 1)",
            '"numpy.rol" is not supported here. Similar names that are read: numpy.roll.',
        ),
        ("x.flatten", ".flatten is a method; call it: .flatten(…)."),
        ("x.unsqueeze", "NumPy tensors have no .unsqueeze(); those of PyTorch have."),
        ("x.mT.H", "NumPy tensors have no .H; those of PyTorch have."),
    ],
)
def test_an_unknown_attribute_is_named(code, sentence):
    with pytest.raises(CodeRefused) as refused:
        read_chain(code, {"x": (2, 3)}, library="numpy")
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("code", "library", "accepted"),
    [
        ("x.transpose(0, 2, 1)", "torch", ["x.permute(0, 2, 1)"]),
        ("torch.transpose(x, (0, 2, 1))", "torch", ["x.permute(0, 2, 1)"]),
        ("np.transpose(x, 0, 1)", "numpy", ["x.swapaxes(0, 1)"]),
        ("jnp.transpose(x, 0, 2, 1)", "jax", ["x.transpose(0, 2, 1)"]),
        ("x[[1]][0] = 5", "numpy", ["x[1, 0] = 5"]),
        (
            "x[np.random.default_rng(0).permutation(2)]",
            "numpy",
            ["x = np.arange(6).reshape(2, 3)", "x = np.random.rand(2, 3)"],
        ),
        (
            "helper.make_node('Transpose', ['x'], ['y'])",
            "onnx",
            ["y = op.Transpose(x, perm=[1, 0])"],
        ),
        ("tf.space_to_depth(x, 2)", "tensorflow", ["tensorflow.nn.space_to_depth"]),
        ("np.eye(4)[labels]", "numpy", ["table[labels]"]),
    ],
)
def test_a_refusal_says_what_is_read_instead(code, library, accepted):
    name, sizes = ("labels", (3,)) if "labels" in code else ("x", (2, 3, 4))
    arrays = {"labels": np.array([0, 3, 1])} if name == "labels" else {}
    with pytest.raises(CodeRefused) as refused:
        read_chain(code, {name: sizes}, arrays, library)
    for line in accepted:
        assert line.split("\n")[-1] in str(refused.value)
        if "tensorflow" in line:
            line, sizes = f"{line}(x, 2)", (1, 4, 4, 2)
        elif "np." in line:
            line = f"{line}\nx.T"
        elif "op." in line:
            sizes = (2, 3)
        # what is suggested is read
        suggested(line, library, {} if "np." in line or name == "labels" else {"x": sizes})


def test_numbers_at_equal_distances_are_indices():
    for index in (
        "np.linspace(0, 4, 3, dtype=int)",
        "np.linspace(0, 5, 3, endpoint=True).astype(int)",
    ):
        chain = read_chain(f"x[{index}]", {"x": (6,)}, library="numpy")
        due = eval(index, {"np": np, "int": int}).tolist()
        assert chain.source(chain.outputs["out"]).tolist() == due


@pytest.mark.parametrize("engine", ["numpy", "onnxruntime"])
def test_one_element_is_a_tensor_without_dimensions(engine):
    trace = run_code("x[0, 1]", {"x": (2, 3)}, engine=engine)
    assert trace.agrees
    assert trace.outputs["out"].shape == trace.sources["out"].shape == ()
    assert scene(trace).outputs
    assert trace.outputs["out"].item() == 2
    assert trace.formula == "out = x[0, 1]"


@pytest.mark.parametrize("engine", ["numpy", "onnxruntime"])
@pytest.mark.parametrize(
    ("code", "arrays", "due"),
    [
        ("op.Slice(x, starts, ends)", {"starts": [1, 0], "ends": [3, 2]}, [[4, 5], [7, 8]]),
        ("x.T.reshape(n)", {"n": [2, 6]}, [[1, 4, 7, 10, 2, 5], [8, 11, 3, 6, 9, 12]]),
    ],
)
def test_an_array_of_sizes_or_axes_is_a_control(code, arrays, due, engine):
    arrays = {name: np.array(numbers) for name, numbers in arrays.items()}
    trace = run_code(code, {"x": (4, 3), **arrays}, engine=engine)
    assert trace.chain.controls.keys() == arrays.keys()
    assert list(trace.inputs) == ["x"]
    assert trace.agrees
    assert trace.outputs["out"].tolist() == due
    # in another process, too
    assert rebuilt(operator_words(trace.operator)).chain.maps["out"].tolist() == (
        trace.chain.maps["out"].tolist()
    )


@pytest.mark.parametrize(
    ("code", "library"),
    [
        ("x.permute(1, 0)", "torch"),
        ("x.transpose(0, 1)", "numpy"),
        ("np.roll(x, 1)", "numpy"),
        ("F.pad(x, (1, 1))", "torch"),
        ("rearrange(x, 'h w -> w h')", "einops"),
        ("x[::-1]", "numpy"),
        ("tf.transpose(x)", "tensorflow"),
        ("jnp.roll(x, 1)", "jax"),
        ("import jax.numpy as np\nnp.roll(x, 1)", "jax"),
        ("x.at[0].set(1)", "jax"),
        ("rearrange(jnp.roll(x, 1), 'h w -> w h')", "jax"),
    ],
)
def test_the_library_is_guessed_and_stated(code, library):
    assert read_chain(code, {"x": (2, 3)}).library == library


def test_the_library_can_be_changed():
    assert dmlviz.code("x.transpose(1, 0)", library="PyTorch", x=(2, 3)).chain.library == "torch"
    assert refusal_of("x.transpose(0, 1)", "numpy").kind == "argument"
    assert run_code("x.transpose(0, 1)", {"x": (2, 3, 4)}, "torch").output.shape == (3, 2, 4)
    with pytest.raises(CodeRefused, match="fortran"):
        run_code("x", {"x": (2,)}, "fortran")


def refusal_of(code, library):
    with pytest.raises(CodeRefused) as refused:
        run_code(code, {"x": (2, 3, 4)}, library)
    return refused.value


@pytest.mark.parametrize(
    "tensors",
    [
        {"x": (3, 4), "i": np.array([3, 0])},
        {"x": np.array([[1.5, -0.0, np.nan], [2, 3, 4]], np.float32), "i": np.array([0])},
        {"x": np.arange(6, dtype=np.uint8).reshape(2, 3), "i": np.array([True, False, True])},
    ],
)
def test_a_link_opens_the_same(tensors):
    trace = run_code("x[:, i].T", tensors)
    link = dmlviz.link(trace, lang="ko")
    assert split_link(link).parameters["lang"] == "ko"
    opened = read_any_link(link)
    again = opened.state.trace()
    assert (opened.problems, dmlviz.link(again, lang="ko")) == ((), link)
    for name, made in trace.outputs.items():
        assert again.outputs[name].dtype == made.dtype
        assert again.outputs[name].tobytes() == made.tobytes()


@pytest.mark.parametrize(
    ("part", "call"),
    [
        ("whole", "reshape → np.pad → [:, ::-1]"),
        ("0", "x.reshape(2, 3)"),
        ("1", "np.pad(x.reshape(2, 3), 1)"),
        ("2", "t2[:, ::-1]"),
    ],
)
def test_captions_name_the_calls_that_run(part, call):
    chain = read_chain("np.pad(x.reshape(2, 3), 1)[:, ::-1]", {"x": (6,)}, library="numpy")
    steps = operator_of(chain, part).moves({}).steps
    assert all(step.caption.startswith(f"{call}: ") for step in steps)


def test_a_long_call_has_its_name_in_its_caption():
    code = "np.concatenate([x, x, x, x, x, x, x, x, x, x, x, x, x, x], axis=0)"
    (step, *_rest) = (
        operator_of(read_chain(code, {"x": (2,)}, library="numpy"), "0").moves({}).steps
    )
    assert step.caption.startswith("np.concatenate: ")


def test_code_is_shown_as_any_run():
    trace = dmlviz.code("x.reshape(2, 3, 2).permute(0, 2, 1)", x=(2, 6))
    assert [part.title for part in trace.operator.rule_parts(trace.inputs)] == [
        ".reshape(2, 3, 2)",
        ".permute(0, 2, 1)",
    ]
    assert "<html" in dmlviz.player(trace).html()


def test_parts_of_code_hold_copies_constants_and_what_is_left_out():
    trace = dmlviz.code(
        "np.pad(np.tile(x, 2), 1, constant_values=((7, 8), (0, 0)))[:, 2:]", x=(1, 2)
    )
    tile, pad, cut = trace.operator.rule_parts(trace.inputs)
    assert tile.places.tolist() == [0, 1, 0, 1]
    assert not tile.rearranges
    assert pad.order.reshape(pad.sizes)[1].tolist() == [-1, 0, 1, 0, 1, -1]
    assert cut.places[0] == 2
    assert pad.constants[0].tolist() == [0, 7, 7, 7, 7, 0]
    told = payload(scene(trace))["parts"]
    assert [len(part["constants"]) for part in told] == [0, 14, 9]
    assert [part["places"] is None for part in told] == [False, False, False]
    # what follows from the order is not sent
    turned = payload(scene(dmlviz.code("x.T[::-1]", x=(2, 3))))["parts"]
    assert [part["places"] for part in turned] == [None, None]
    # a chain that takes other tensors, too, has no parts
    joined = dmlviz.code("np.concatenate([x, x.T])", x=(2, 2))
    assert joined.operator.rule_parts(joined.inputs) == ()


@pytest.mark.parametrize(
    ("code", "usual", "steps"),
    [
        ("x.reshape(2, 6).T[::-1]", "stages", "in 3 steps"),
        ("x.reshape(2, 6)", "steps", "in 2 steps"),
        ("np.concatenate([x, x[::-1]])", "steps", "in 6 steps"),
    ],
)
def test_all_calls_begin_call_by_call_where_each_takes_the_tensor_before_it(code, usual, steps):
    told = payload(scene(dmlviz.code(code, x=(3, 4))))
    assert told["usual"] == usual
    assert told["words"]["start_caption"].endswith(f"{steps}.")
    # an operator's own rule in parts is a view that is chosen
    assert (
        payload(scene(dmlviz.run(dmlviz.DepthToSpace(2), np.zeros((1, 4, 1, 1)))))["usual"]
        == "steps"
    )


def test_an_axis_of_einops_can_have_any_name():
    x = np.arange(24).reshape(4, 6)
    trace = dmlviz.code("rearrange(x, '(b n) (h w) -> b n h w', b=2, h=3)", x=x)
    np.testing.assert_array_equal(trace.output, x.reshape(2, 2, 3, 2))
    layer = "from einops.layers.torch import Rearrange\nRearrange('(b n) c -> b c n', b=2)(x)"
    assert dmlviz.code(layer, x=x).output.shape == (2, 6, 2)


@pytest.mark.parametrize(
    ("code", "sizes", "captions"),
    [
        ("F.pixel_shuffle(x, 2)", (1, 8, 2, 3), "From channels 0 and 4: 12 elements land"),
        ("F.pixel_shuffle(x, 2)", (4, 2, 3), "From channel 0: 6 elements land"),
        ("F.pixel_unshuffle(x, 2)", (1, 1, 4, 4), "Row 0, column 0 of every 2 by 2 block"),
        ("rearrange(x, 'n (c a b) h w -> n c (h a) (w b)', a=2, b=2)", (1, 4, 2, 2), "channel 0"),
        # a reshape alone has no blocks
        ("x.reshape(1, 1, 2, 2)", (1, 4, 1, 1), "the order of the elements stays;"),
    ],
)
def test_a_call_between_channels_and_blocks_has_the_steps_of_its_operator(code, sizes, captions):
    trace = dmlviz.code(code, x=sizes)
    (step,) = trace.steps
    for moves in (trace.moves, step.trace.moves):
        assert captions in moves.steps[0].caption
        assert np.bincount(moves.step_of).tolist() == [trace.output.size // len(moves.steps)] * len(
            moves.steps
        )


def test_a_copy_is_another_tensor_than_what_it_copies():
    trace = dmlviz.code("y = x.T.contiguous().view(6)", "torch", x=(2, 3))
    assert [step.operation.outputs for step in trace.steps] == [("t1",), ("t2",), ("y",)]
    # contiguous() gives x itself where x is in order
    trace = dmlviz.code("y = x.contiguous().view(6)", "torch", x=(2, 3))
    assert [step.operation.outputs for step in trace.steps] == [("x",), ("y",)]
    trace = dmlviz.code("x.clone()", "torch", x=(2, 3))
    assert trace.agrees
    assert [step.operation.outputs for step in trace.steps] == [("out",)]


@pytest.mark.parametrize(
    ("code", "sizes", "outputs"),
    [
        ("out = out.view(out.size(0), -1)", {"out": (2, 3, 2, 2)}, ["out0"]),
        ("out.T, out0.T", {"out": (2, 3), "out0": (3, 2)}, ["out1", "out2"]),
    ],
)
def test_an_input_may_have_the_name_of_an_output(code, sizes, outputs):
    trace = dmlviz.code(code, **sizes)
    assert trace.agrees
    assert list(trace.outputs) == outputs
    assert list(trace.inputs) == list(sizes)


def test_a_list_that_could_be_sizes_is_refused():
    with pytest.raises(
        Error, match=re.escape("x: [2, 3] could be sizes or values; use the tuple (2, 3)")
    ):
        dmlviz.code("x.T", x=[2, 3])
    with pytest.raises(Error, match=re.escape("the tuple (4,) for sizes")):
        dmlviz.code("x[::-1]", x=[4])
    assert dmlviz.code("x.T", x=(2, 3)).output.shape == (3, 2)
    # what cannot be sizes is values
    assert dmlviz.code("x.T", x=[[1, 2], [3, 4]]).output.tolist() == [[1, 3], [2, 4]]
    assert dmlviz.code("x[::-1]", x=[1.0, 2.0]).output.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        ("x = torch.rand(2, 12)\nx.view(2, 3, 4)", {"x": (2, 12)}),
        ("x = np.arange(6)\nx.reshape(2, 3).T", {"x": (6,)}),
        ("np.arange(6)[::-1]", {"x": (6,)}),
        ("# x: (2, 6)\nx.T", {"x": (2, 6)}),
    ],
)
def test_what_the_code_says_of_its_tensors_need_not_be_given(text, inputs):
    trace = dmlviz.code(text)
    assert {name: x.shape for name, x in trace.inputs.items()} == inputs
    assert trace.agrees


def test_what_it_does_not_say_is_asked_for():
    with pytest.raises(CodeRefused, match="x is not the name of an input"):
        dmlviz.code("i = np.arange(3)\nx[i]")
