"""States of the page for code, and their links."""

import re
import time
from dataclasses import replace
from urllib.parse import parse_qsl, quote, urlsplit

import numpy as np
import pytest

import dmlviz
from dmlviz.base.errors import Error
from dmlviz.code.dialects import snippets_of
from dmlviz.operators import OPERATORS
from dmlviz.operators.slots import descs_of
from dmlviz.states import View, first_state
from dmlviz.states.code import CodeState, fitted
from dmlviz.states.code_form import code_form
from dmlviz.states.code_reading import read_code_parameters
from dmlviz.states.inputs import InputState, Tensors
from dmlviz.states.pages import changed, first_of, read_any_link
from dmlviz.states.same import code_of_snippet
from dmlviz.teaching.code_presets import code_named, code_presets, usual_code
from dmlviz.teaching.facts import facts_on
from tests.code.damage import HOSTILE
from tests.every import every
from tests.memory import at_most

COUNTED = InputState((2, 3), "FLOAT32", "count-1")


def opened(**parameters):
    return read_code_parameters(parameters, usual_code())


def messages(found):
    return [problem.message for problem in found.problems]


@pytest.mark.parametrize(
    "state",
    [
        CodeState("x.T", "", Tensors((("x", COUNTED),))),
        CodeState("x.repeat(2, 1)", "torch", Tensors((("x", COUNTED),))),
        CodeState(
            "np.take(x, i, axis=1)[..., ::-1]",
            "",
            Tensors(
                (
                    ("x", InputState((2, 5), "INT8", "random", seed=7)),
                    ("i", InputState((2,), "", "own", "4,0")),
                )
            ),
            1,
            View(step=1.5, pinned=((0, 1),), colors="position"),
        ),
        CodeState(
            "np.where(m, x, y)",
            "",
            Tensors(
                (
                    ("m", InputState((2,), "", "own", "True,False")),
                    ("x", InputState((2,), "FLOAT64", "own", "0.5,-1")),
                    ("y", InputState((2,), "FLOAT64", "count-on")),
                )
            ),
        ),
        CodeState(
            "a, b = x.chunk(2)",
            "",
            Tensors((("x", InputState((4, 3, 8, 8), "UINT8", "picture", picture="astronaut")),)),
            view=View(pinned=((1, 0, 0, 0, 0),), predict=True, directions=((0, "down"),)),
        ),
    ],
    ids=lambda state: state.code,
)
def test_a_link_opens_the_same_state(state):
    first = next(iter(state.tensors.values()))
    if first.picture:
        from dmlviz.tensors import PICTURES

        state = replace(
            state,
            tensors=Tensors((("x", replace(first, picture=list(PICTURES)[-1])),)),
        )
    address = urlsplit(state.address())
    found = opened(**dict(parse_qsl(address.query)))
    assert messages(found) == []
    assert found.state == state


def test_the_link_of_a_run_opens_it():
    x, i = np.array([[5, 6, 7]], np.int16), np.array([2, 0])
    trace = dmlviz.code("x[:, i]", x=x, i=i)
    address = urlsplit(dmlviz.link(trace))
    state = opened(**dict(parse_qsl(address.query))).state
    assert state.trace().output.tolist() == [[7, 5]]
    assert state.trace().data_type == "INT16"


def test_calls_compose_to_the_whole():
    state = CodeState("np.pad(x, 1)[1:, ::2].T", "", Tensors((("x", COUNTED),)))
    whole = state.scene()
    assert [len(whole.strip.tensors), whole.strip.call] == [4, 0]
    last = replace(state, call=3).scene()
    assert next(iter(last.trace.inputs.values())).shape == (3, 3)
    np.testing.assert_array_equal(last.trace.output, whole.trace.output)
    np.testing.assert_array_equal(last.strip.output, whole.strip.output)
    assert whole.digest != last.digest
    with pytest.raises(Error, match="there is no call 4"):
        replace(state, call=4).scene()


def test_tensors_follow_the_code():
    before = Tensors((("x", InputState((4, 5), "INT32", "random", seed=3)),))
    # what still fits stays
    assert fitted("x.T", "", before) == before
    renamed = dict(fitted("np.concatenate([x, y])", "", before))
    assert renamed["x"] == before["x"]
    assert renamed["y"] == InputState((4, 5), "INT32", "count-on")
    # sizes that somebody typed stay even if the code is then refused
    assert dict(fitted("x.reshape(2, 3)", "", before, {"x"}))["x"].sizes == (4, 5)
    assert dict(fitted("x.reshape(2, 3)", "", before))["x"].sizes == (6,)
    # what the code says comes first
    assert dict(fitted("# x: (3, 4)\nx.T", "", before, {"x"}))["x"].sizes == (3, 4)
    assert dict(fitted("x[i]", "", before))["i"] == InputState((2,), "", "own", "1,0")
    made = dict(fitted("x = np.array([[7, 8]])\nx.T", "", Tensors()))
    assert made["x"] == InputState((1, 2), "INT64", "own", "7,8")


@pytest.mark.parametrize(
    ("text", "before", "kind", "numbers"),
    [
        ("x = torch.arange(6).reshape(2, 3)\nx.T", COUNTED, "INT64", [[0, 1, 2], [3, 4, 5]]),
        ("x = torch.tensor([[1.0, 5.0]])\nx.T", COUNTED, "FLOAT32", [[1, 5]]),
        ("x = np.array([[1.0, 5.0]])\nx.T", None, "FLOAT64", [[1, 5]]),
        ("x = torch.rand(2, 3)\nx.T", COUNTED, "FLOAT32", [[1, 2, 3], [4, 5, 6]]),
    ],
)
def test_a_tensor_has_the_numbers_that_the_code_makes(text, before, kind, numbers):
    made = fitted(text, "", Tensors((("x", before),) if before else ()))
    (tensor,) = made.values()
    assert tensor.data_type == kind
    (x,) = CodeState(text, "", made).trace().inputs.values()
    np.testing.assert_array_equal(x, np.array(numbers))


@pytest.mark.parametrize(
    ("parameters", "due"),
    [
        ({"code": "x.T", "library": "julia"}, "library"),
        ({"code": "x.T", "sizes": "x:0"}, "x.sizes"),
        ({"code": "x.T", "sizes": "x:4194305"}, "x.sizes"),
        ({"code": "x.T", "sizes": "2,3"}, "sizes"),
        ({"code": "x.T", "sizes": "x:2,3", "values": "x:1,2"}, "x.literal"),
        ({"code": "x.T", "sizes": "x:2,3", "values": "y:1,2"}, "values"),
        ({"code": "x.T", "sizes": "x:2,3", "values": "x:random:-1"}, "x.seed"),
        ({"code": "x.T", "sizes": "x:2,3", "values": "x:picture:nobody"}, "x.picture"),
        ({"code": "x[i]", "sizes": "x:2,3;i:2", "controls": "i:a,b"}, "i.literal"),
        ({"code": "x.T", "data_type": "FLOAT7"}, "data_type"),
        ({"code": "x.T", "call": "2"}, "call"),
        ({"code": "x.T", "call": "-1"}, "call"),
        ({"code": "x.T", "call": "1", "compare": "x[::-1]"}, "call"),
        ({"code": "x.T", "compare": "x" * 4_001}, "compare"),
        ({"code": "x.T", "compare": "x[::-1]", "b_library": "julia"}, "b_library"),
        ({"code": "x.T", "b_library": "torch"}, "b_library"),
        ({"compare": "x.T"}, "compare"),
        ({"code": "x.T", "pinned": "9,9"}, "pinned"),
        ({"code": "x.T", "middle": "a"}, "middle"),
        ({"code": "x.T", "engine": "abacus"}, "engine"),
        ({"code": "x" * 4_001}, "code"),
        ({"sizes": "x:2,3"}, "sizes"),
        ({"code": "x.T", "nothing": "1"}, "nothing"),
    ],
)
def test_an_invalid_part_of_a_link_is_named_and_left_out(parameters, due):
    found = opened(**parameters)
    assert [problem.field for problem in found.problems] == [due]
    assert due.partition(".")[0] in messages(found)[0]


@pytest.mark.parametrize(
    ("parameters", "typed"),
    [
        ({"sizes": "x:2,0"}, {"x.sizes": "2,0"}),
        ({"sizes": "x:2,3", "values": "x:1,2"}, {"x.literal": "1,2"}),
        ({"sizes": "x:2,3;i:2", "controls": "i:1,2,3"}, {"i.literal": "1,2,3"}),
        # a tensor that the code does not take has no row in which the text could stand
        ({"sizes": "x:2,3;y:0"}, {}),
    ],
)
def test_a_text_that_a_link_has_wrong_stays_in_its_row(parameters, typed):
    found = opened(code="x[i]" if "i.literal" in typed else "x.T", **parameters)
    assert found.typed == typed
    rows = {row.name for group in code_form(found.state) for row in group.fields}
    assert {*typed} <= rows
    assert len(found.problems) == 1


@pytest.mark.parametrize(
    ("one", "two", "library", "due"),
    [
        ("x.reshape(3, 2)", "x.T", "", "numpy"),
        ("x.permute(1, 0)", "x.repeat(2, 1)", "", "torch"),
        ("x.permute(1, 0)", "x.repeat(2, 1)", "numpy", "numpy"),
        ("x.permute(1, 0)", "np.repeat(x, 2)", "", "numpy"),
    ],
)
def test_two_codes_are_one_link(one, two, library, due):
    state = CodeState(one, "", Tensors((("x", COUNTED),)), compare=two, compare_library=library)
    assert state.second().reads_as == due
    parameters = state.parameters()
    assert (parameters["compare"], parameters["b_library"]) == (two, due)
    again = opened(**parameters)
    assert (again.state, again.problems) == (state, ())


def test_two_codes_have_two_pictures_and_their_pins():
    state = CodeState("x.reshape(3, 2)", "", Tensors((("x", COUNTED),)), compare="x.T")
    both = {"A.out": (3, 2), "B.out": (3, 2)}
    assert [state.outputs(), state.second().outputs()] == [{"out": (3, 2)}] * 2
    assert state.stage_sizes() == [*both.values()]
    np.testing.assert_array_equal(state.second_scene().trace.source, [[0, 3], [1, 4], [2, 5]])
    assert state.comparison().difference.count == 4
    pinned = replace(state, view=View(pinned=((1, 2, 0),)))
    assert opened(**pinned.parameters()).state == pinned
    assert state.view.look(both)["pinned"] == []
    assert pinned.view.look(both)["pinned"] == [10]


def test_the_second_code_takes_the_tensors_of_the_first():
    indices = ("i", InputState((2,), "", "own", "1,0"))
    state = CodeState("x[:, i]", "", Tensors((("x", COUNTED), indices)))
    # it need not use the indices
    both = replace(state, compare="x[:, ::-1][:, 1:]").comparison()
    assert (both.same, both.difference) == (True, None)
    assert replace(state, compare="x[:, [1, 0]]").comparison().same
    with pytest.raises(Error, match="z is not the name of an input"):
        replace(state, compare="z.T").second_scene()
    with pytest.raises(Error, match=r"inputs: the two codes must take the same tensors"):
        replace(state, compare="np.concatenate([x.ravel(), i])").second_scene()


@every("text", [*HOSTILE, "x" * 100_000, "[" * 3_000, "x[" * 1_000])
def test_a_hostile_link_costs_little(text):
    start = time.process_time()
    with at_most(128 << 20):
        found = opened(code=text, sizes=";".join(f"x{k}:65536" for k in range(64)))
        try:
            found.state.scene()
        except Error as error:
            assert str(error).strip()
    assert time.process_time() - start < 2.5


@every("text", HOSTILE)
def test_a_hostile_second_code_costs_little(text):
    start = time.process_time()
    with at_most(128 << 20):
        state = opened(code="x.T", sizes="x:256,256", compare=text).state
        for draw in (state.second_scene, state.comparison):
            try:
                draw()
            except Error as error:
                assert str(error).strip()
    assert time.process_time() - start < 2.5


def test_presets_are_right_in_every_part():
    presets = code_presets()
    assert len(presets) >= 24
    assert len({preset.key for preset in presets}) == len(presets)
    for preset in presets:
        assert preset.question.endswith("?"), preset.key
        # nothing but sizes has braces
        assert re.findall(r"\{[^\d]", preset.answer) == [], preset.key
        assert preset.opens == (preset.key != "softmax")
        again = read_code_parameters(preset.state.parameters(), usual_code())
        assert again.state == preset.state
        assert again.problems == ()
        if preset.opens:
            assert preset.state.trace().agrees, preset.key
            calls = len(preset.state.trace().chain.operations)
            # of a single call the stage shows every tensor
            assert (preset.state.scene().strip is None) == (calls == 1), preset.key
        if preset.state.compare:
            assert preset.state.second_scene().trace.agrees
    assert len([preset for preset in presets if preset.state.compare]) >= 3


@pytest.mark.parametrize("asked", ["nothing", "z[0]", "copy of z[0]", "out[0]"])
def test_a_fact_that_is_none_is_refused(asked):
    with pytest.raises(Error):
        facts_on(usual_code())(asked)


# a sort depends on values, and what has no input moves nothing
NO_CODE = {"top-k", "fill-value-constant", "fill-value-sequence"}


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_an_operator_opens_as_code(cls):
    state = first_state(cls.key)
    trace = dmlviz.run(state.operator(), state.inputs())
    snippets = snippets_of(trace.operator, descs_of(trace.inputs, values=True))
    states = {s.dialect: code_of_snippet(s, trace) for s in snippets}
    assert states["onnx"] is None
    assert states["directml"] is None
    readable = {name: one for name, one in states.items() if one is not None}
    assert bool(readable) == (cls.key not in NO_CODE)
    for one in readable.values():
        again = opened(**dict(parse_qsl(urlsplit(one.address()).query)))
        assert messages(again) == []
        made = again.state.trace()
        assert made.agrees
        for output, due in zip(made.outputs.values(), trace.outputs.values(), strict=True):
            np.testing.assert_array_equal(output, due)
            assert output.dtype == due.dtype


def test_code_that_gives_something_else_is_not_offered():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    trace = dmlviz.run(dmlviz.Tile((1, 2)), x)
    (snippet,) = (
        s for s in snippets_of(trace.operator, descs_of(trace.inputs)) if s.dialect == "numpy"
    )
    assert code_of_snippet(snippet, trace) is not None
    assert code_of_snippet(replace(snippet, body="y = np.tile(x, (2, 1))"), trace) is None
    assert code_of_snippet(replace(snippet, body="y = np.sort(x)"), trace) is None
    large = np.random.default_rng(1).random((70, 70), np.float32)
    assert code_of_snippet(snippet, dmlviz.run(dmlviz.Tile((1, 2)), large)) is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x.reshape(2,3,4).permute(0,2,1)", "x.reshape(2,3,4).permute(0,2,1)"),
        ("np.take(x,i,axis=1)[..., ::-1]", "np.take(x,i,axis=1)[..., ::-1]"),
        ("x.T", "x.T"),
        ("reshape", "x.reshape(3, 2)"),
        ("View", "x.view(3, 2)"),
        ("torch.squeeze", "x.squeeze(1)"),
        ("permute()", "x.permute(2, 0, 1)"),
        ("np.roll", "np.roll(x, 1, axis=1)"),
        ("flip", "np.flip(x, 0)"),
        ("torch.where", "np.where(mask, x, y)"),
        ("x.view(a, b)", "x.view(a, b)"),
        ("x.view(a, b, *c)", "x.view(3, 2)"),
    ],
)
def test_a_search_leads_to_code(text, code):
    found = code_named(text)
    assert found.code == code
    assert found.scene().steps


@pytest.mark.parametrize("text", ["", "x", "softmax", "SLICE1", "hello world", "[1, 2]", "x +"])
def test_a_search_for_something_else_does_not(text):
    assert code_named(text) is None


def test_every_name_of_a_call_has_a_line_that_moves_something():
    from dmlviz.teaching.code_presets import _calls

    for name, state in _calls().items():
        trace = state.trace()
        assert trace.agrees, name
        assert trace.steps, name


def array_of(tensor):
    return CodeState("x.T", "", Tensors((("x", tensor),))).array("x")


@pytest.mark.parametrize("sizes", [(8, 10, 3), (2, 8, 10, 3)])
def test_a_picture_with_channels_last_is_the_picture_with_its_channels_moved(sizes):
    *outer, height, width, channels = sizes
    given = InputState(sizes, "UINT8", "picture", picture="cat")
    first = given.drawn((*outer, channels, height, width))
    np.testing.assert_array_equal(array_of(given), np.moveaxis(first, -3, -1))
    # channels that are first stay there
    other = InputState((3, 5, 3), "UINT8", "picture", picture="cat")
    np.testing.assert_array_equal(array_of(other), other.drawn((3, 5, 3)))


def test_code_that_computes_is_opened_as_the_library_that_moves_something_in_it():
    link = "/code?code=" + quote("attn = (q @ k.transpose(-2, -1)) * scale")
    for state in (
        read_any_link(link).state,
        changed(first_of("code"), "code", "attn = (q @ k.transpose(-2, -1)) * scale"),
    ):
        assert state.reads_as == "torch"
        around = state.around()
        assert [part.text for part in around.parts] == ["k.transpose(-2, -1)"]
        assert [one.name for one in around.computing] == ["@", "*"]
