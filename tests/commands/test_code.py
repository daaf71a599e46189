"""The command that reads code: text, JSON, files, and exit codes."""

import json

import numpy as np
import pytest

from dmlviz.__main__ import main
from dmlviz.base.addresses import split_link
from tests.code.models import MODELS, model


def run(capsys, *arguments):
    code = main(["code", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_it_prints_tensors_and_the_check(capsys):
    code, out, _err = run(capsys, "x[:, ::-1].T", "--input", "x=2,3")
    assert code == 0
    assert ".T  ->  out" in out
    assert "out[h, w] = x[w, 2 − h]" in out
    assert "The same as x[:, ::-1].T" in out
    assert "6 elements, each equal to its source." in out


@pytest.mark.parametrize("engine", ["numpy", "onnxruntime"])
def test_json_has_sizes_sources_and_steps(capsys, engine):
    arguments = ("x[i].T", "--input", "x=3,2", "--input", "i=[2, 0]", "--json")
    code, out, _err = run(capsys, *arguments, "--engine", engine)
    told = json.loads(out)
    assert code == 0
    # no line is as short as the code
    assert told["same_as"] == []
    assert told["outputs"] == [{"name": "out", "sizes": [2, 2], "source": [4, 0, 5, 1]}]
    assert [step["text"] for step in told["steps"]] == ["[i]", ".T"]
    assert told["steps"][1]["columns"] == [5, 7]
    assert told["formula"] == "out[h, w] = x[i[w], h]"
    assert told["inputs"] == [{"name": "x", "sizes": [3, 2]}]


def test_what_only_the_sizes_make_equal_is_printed_as_such(capsys):
    _code, out, _err = run(capsys, "x.permute(0, 2, 3, 1)", "--input", "x=1,1,2,2")
    told = [line for line in out.splitlines() if "the same as" in line.lower()]
    assert told[0] == "The same as x.permute(0, 2, 3, 1)"
    assert told[1] == "The same as channels_last"
    assert told[2].startswith("Only with these sizes the same as Strided(")
    assert "reshape" not in out


def test_json_has_what_is_the_same_and_how_far(capsys):
    _code, out, _err = run(capsys, "np.rot90(x)", "--input", "x=3,2", "--json")
    same = {one["text"]: one for one in json.loads(out)["same_as"]}
    assert same["x[:, ::-1].T"]["library"] == "numpy"
    assert same["x[:, ::-1].T"]["calls"] == 2
    assert same["x[:, ::-1].T"]["any_sizes"] is True
    assert same["x[:, ::-1].T"]["link"].startswith("/code?")


def test_a_mask_is_a_control(capsys):
    arguments = ("x[m]", "--input", "x=3", "--input", "m=[True, False, True]", "--json")
    assert json.loads(run(capsys, *arguments)[1])["outputs"][0]["source"] == [0, 2]


def test_a_refusal_has_its_place_and_exit_code_2(capsys):
    code, out, err = run(capsys, "x.T\nx @ x", "--input", "x=2,2")
    assert (code, out) == (2, "")
    assert "line 2, column 1" in err
    code, out, _err = run(capsys, "x.T\nx @ x", "--input", "x=2,2", "--json")
    error = json.loads(out)["error"]
    assert (code, error["kind"], error["line"], error["column"]) == (2, "computes", 2, 1)


def test_code_that_computes_has_its_parts(capsys):
    given = ("y = (q @ k.mT) * 2\ny.flatten(1)", "--input", "q=1,2,3", "--input", "k=1,2,3")
    code, out, err = run(capsys, *given)
    assert (code, out) == (2, "")
    assert [line for line in err.split("\n") if line] == [
        "1. k {1, 2, 3} -> out {1, 3, 2}",
        "   k.mT",
        "2. y {1, 2, 2} -> out {1, 4}",
        "   y.flatten(1)",
        "Calls that compute:",
        "   Line 1: @ computes {1, 2, 2} from {1, 2, 3}, {1, 3, 2}.",
        "   Line 1: * computes {1, 2, 2} from {1, 2, 2}.",
        "dmlviz: line 1, column 6: @ computes new values; only movements are shown.",
    ]
    error = json.loads(run(capsys, *given, "--json")[1])["error"]
    assert [(part["code"], part["computed"]) for part in error["parts"]] == [
        ("k.mT", {}),
        ("y.flatten(1)", {"y": "(q @ k.mT) * 2"}),
    ]
    assert [each["name"] for each in error["computing"]] == ["@", "*"]
    code, out, _err = run(capsys, *given, "--part", "2", "--json")
    assert (code, json.loads(out)["outputs"][0]["source"]) == (0, [0, 1, 2, 3])
    assert "1 is" not in run(capsys, *given, "--part", "3")[2]
    assert "3 is not a part of the code; it has 2" in run(capsys, *given, "--part", "3")[2]


def test_a_library_that_was_guessed_is_said(capsys):
    given = ("k.repeat(1, 3, 1, 1)", "--input", "k=1,2,3,2", "--json")
    for more, guessed in (((), True), (("--library", "torch"), False)):
        described = json.loads(run(capsys, *given, *more)[1])
        assert (described["library"], described["library_guessed"]) == ("torch", guessed)
    code, _out, err = run(capsys, *given[:3], "--library", "numpy")
    assert code == 2
    assert err.endswith("As code of PyTorch it is read: choose PyTorch for it.\n")


def test_sizes_that_nothing_says_are_named(capsys):
    given = ("y = self.up(x)\ny.flatten(1)", "--input", "x=2,3,4")
    line = "   Line 1: self.up computes from {2, 3, 4}; the code does not say the sizes of what it gives"
    assert line in run(capsys, *given)[2]
    assert "y {2, 5, 7} -> out {2, 35}" in run(capsys, *given, "--input", "y=2,5,7")[2]


@pytest.mark.parametrize("given", ["x", "x=", "=2,3", "x=a", "x=[[1], [2, 3]]", "a b=2"])
def test_an_input_that_is_none_is_refused(capsys, given):
    code, _out, err = run(capsys, "x.T", "--input", given)
    assert code == 2
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("ending", "start"),
    [
        (".html", b"<!doctype html>"),
        (".png", b"\x89PNG"),
        (".svg", b"<svg"),
        (".gif", b"GIF8"),
        (".npz", b"PK"),
    ],
)
def test_it_saves_what_an_operator_saves(capsys, tmp_path, ending, start):
    file = tmp_path / f"code{ending}"
    assert run(capsys, "np.pad(x, 1)", "--input", "x=2,3", "-o", str(file))[0] == 0
    assert file.read_bytes().lower().startswith(start.lower())


def test_the_model_runs(capsys, tmp_path):
    import onnxruntime

    file = tmp_path / "code.onnx"
    assert run(capsys, "np.tile(x, 2).T", "--input", "x=2,3", "-o", str(file))[0] == 0
    session = onnxruntime.InferenceSession(file.read_bytes(), providers=["CPUExecutionProvider"])
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    tiled, out = session.run(None, {"x": x})
    np.testing.assert_array_equal(tiled, np.tile(x, 2))
    np.testing.assert_array_equal(out, np.tile(x, 2).T)


def test_an_unknown_ending_is_refused(capsys, tmp_path):
    code, _out, err = run(capsys, "x.T", "--input", "x=2,3", "-o", str(tmp_path / "code.doc"))
    assert code == 2
    assert ".doc" in err


@pytest.fixture
def attention(tmp_path):
    file = tmp_path / "attention.onnx"
    file.write_bytes(MODELS["attention"])
    return str(file)


def test_a_model_is_listed_in_parts(capsys, attention):
    code, out, _err = run(capsys, attention)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "attention.onnx: 13 nodes, 0 of them calculated from constants"
    # what has a name first
    assert lines[2:4] == [
        "2. mixed {2, 2, 5, 4} -> y {2, 5, 8}",
        "   The same as rearrange(mixed, 'n c h w -> n h (c w)')",
    ]
    assert "1. qkv {2, 5, 24} -> q {2, 2, 5, 4}, v {2, 2, 5, 4}, kt {2, 2, 4, 5}" in lines
    assert "   op.Reshape(qkv, [2, 5, 3, 2, 4])  # /Reshape_1" in lines
    assert "   MatMul (3): This computes new values; only movements are shown." in lines


def test_a_model_as_json(capsys, attention):
    read = json.loads(run(capsys, attention, "--json")[1])
    assert [part["operators"] for part in read["parts"]][1] == ["Transpose", "Reshape"]
    assert read["parts"][1]["outputs"] == [{"name": "y", "tensor": "y", "sizes": [2, 5, 8]}]
    assert read["parts"][1]["same_as"] == "rearrange(mixed, 'n c h w -> n h (c w)')"
    assert read["parts"][0]["same_as"] is None
    assert read["refused"][0]["node"] == "/MatMul_0"


def test_a_part_of_a_model_is_shown_and_saved_as_code_is(capsys, attention, tmp_path):
    shown = json.loads(run(capsys, attention, "--part", "2", "--json")[1])
    assert [step["name"] for step in shown["steps"]] == ["op.Transpose", "op.Reshape"]
    assert shown["agrees"]
    file = tmp_path / "part.gif"
    assert run(capsys, attention, "--part", "2", "-o", str(file))[0] == 0
    assert file.read_bytes().startswith(b"GIF")


def test_the_graph_of_a_model_is_saved_as_a_picture(capsys, attention, tmp_path):
    file = tmp_path / "graph.svg"
    assert run(capsys, attention, "-o", str(file))[0] == 0
    assert file.read_text(encoding="utf-8").count("<rect") == 7
    assert "1. Reshape," in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_an_engine_runs_each_part_of_the_list(capsys, attention, tmp_path, form):
    code, out, _err = run(capsys, attention, "--engine", "onnxruntime", *form)
    assert code == 0
    assert form or out.count("each equal to its source.") == 2
    file = tmp_path / "resize.onnx"
    file.write_bytes(resize(0.8, "round_prefer_ceil"))
    code, out, _err = run(capsys, str(file), "--engine", "onnxruntime", *form)
    assert code == 1
    assert form or "1 of 4 elements differ from the rule" in out
    assert run(capsys, attention, "--engine", "none", *form)[0] == 2


def test_equal_parts_are_listed_together(capsys, tmp_path):
    file = tmp_path / "twice.onnx"
    nodes = [
        ("Relu", ["x"], ["a"], {}),
        ("Transpose", ["a"], ["b"], {"perm": [1, 0]}),
        ("Relu", ["b"], ["c"], {}),
        ("Flatten", ["c"], ["d"], {"axis": 0}),
        ("Relu", ["d"], ["e"], {}),
        ("Reshape", ["e", "s"], ["f"], {}),
        ("Relu", ["f"], ["g"], {}),
        ("Transpose", ["g"], ["y"], {"perm": [1, 0]}),
    ]
    file.write_bytes(model(nodes, {"x": [3, 3]}, ["y"], {"s": np.array([3, 3])}))
    lines = run(capsys, str(file))[1].splitlines()
    assert "1, 4. a {3, 3} -> b {3, 3}  × 2" in lines
    names = [part["same_as"] for part in json.loads(run(capsys, str(file), "--json")[1])["parts"]]
    assert names[0] == names[3] == "a.T"


def resize(scale, nearest):
    modes = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": nearest}
    nodes = [("Resize", ["x", "", "s"], ["y"], modes)]
    return model(nodes, {"x": [5]}, ["y"], {"s": np.array([scale], np.float32)}, opset=19)


def test_where_the_engine_answers_otherwise_than_the_rule(capsys, tmp_path):
    file = tmp_path / "resize.onnx"
    file.write_bytes(resize(0.8, "round_prefer_ceil"))
    arguments = (str(file), "--part", "1", "--engine", "onnxruntime")
    code, out, _err = run(capsys, *arguments)
    assert code == 1
    assert "\n[1, 2, 3, 5]\n" in out
    assert (
        "1 of 4 elements differ from the rule, first y[2]: x[3] where the rule gives x[2]." in out
    )
    code, out, _err = run(capsys, *arguments, "--json")
    told = json.loads(out)
    assert code == 1
    assert told["agrees"] is False
    assert [(one["output"], one["index"]) for one in told["disagreements"]] == [("y", [2])]
    assert told["outputs"][0]["source"] == [0, 1, 2, 4]
    file.write_bytes(resize(2, "floor"))
    code, out, _err = run(capsys, *arguments, "--json")
    assert (code, json.loads(out)["agrees"]) == (0, True)
    assert "disagreements" not in json.loads(out)


def test_sizes_that_a_model_leaves_open_are_given(capsys, tmp_path):
    file = tmp_path / "open.onnx"
    file.write_bytes(MODELS["from_shape"])
    out = run(capsys, str(file))[1]
    assert "Sizes that the file leaves open: x {batch, 6}\n" in out
    assert "Chosen; give others in the same way: --input x=1,6\n" in out
    assert "1. x {1, 6} -> y {2, 3}" in out
    out = run(capsys, str(file), "--input", "x=2,6")[1]
    assert "1. x {2, 6} -> y {4, 3}" in out
    assert "Chosen" not in out
    told = json.loads(run(capsys, str(file), "--json")[1])
    assert told["open_inputs"] == [{"name": "x", "sizes": ["batch", 6]}]
    assert told["chosen_sizes"] == {"x": [1, 6]}
    told = json.loads(run(capsys, str(file), "--input", "x=2,6", "--json")[1])
    assert told["open_inputs"] == [{"name": "x", "sizes": ["batch", 6]}]
    assert told["chosen_sizes"] == {}


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--part", "3"], "part: 3 is not a part of the model; it has 2"),
        (["-o", "all.gif"], "--part"),
        (["--input", "z=2"], "not an input of the model"),
    ],
)
def test_a_model_is_refused_in_one_sentence(capsys, attention, arguments, word):
    code, _out, err = run(capsys, attention, *arguments)
    assert code == 2
    assert word in err


def test_code_has_no_parts(capsys, tmp_path):
    assert "only a model, a file that" in run(capsys, "x.T", "--input", "x=2,3", "--part", "1")[2]
    assert "cannot read" in run(capsys, str(tmp_path / "none.onnx"))[2]


@pytest.mark.parametrize(
    ("two", "due", "words"),
    [
        ("np.transpose(x)", 0, ["A and B give the same output, all 6 elements."]),
        (
            "x.reshape(3, 2)",
            1,
            [
                "4 of 6 elements differ, first at out[0, 1]: A has 4 from x[1, 0], "
                "B has 2 from x[0, 1].",
                "The first calls already give different tensors.",
                "B is the result of A after this:",
            ],
        ),
        ("x.ravel()", 1, ["The outputs have different sizes: A {3, 2}, B {6}."]),
    ],
)
def test_two_codes_are_compared(capsys, two, due, words):
    code, out, _err = run(capsys, "x.T", "--compare", two, "--input", "x=2,3")
    assert code == due
    assert all(word in out for word in words)


def test_a_comparison_as_json(capsys):
    arguments = ("x.T", "--compare", "x.reshape(3, 2)", "--input", "x=2,3", "--json")
    code, out, _err = run(capsys, *arguments)
    both = json.loads(out)
    assert (code, both["same"]) == (1, False)
    assert both["difference"] == {
        "output": "out",
        "index": [0, 1],
        "count": 4,
        "a": {"input": "x", "index": [1, 0]},
        "b": {"input": "x", "index": [0, 1]},
    }
    assert both["b"]["outputs"] == [{"name": "out", "sizes": [3, 2]}]
    assert "A.T.reshape(3, 2)" in [same["text"] for same in both["b_of_a"]]
    link = split_link(both["link"]).parameters
    assert (link["code"], link["compare"]) == ("x.T", "x.reshape(3, 2)")


def test_the_second_code_is_refused_with_its_place(capsys):
    arguments = ("x.T", "--compare", "x\nx @ x", "--input", "x=2,2")
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert "line 2, column 1: B: " in err
    code, out, _err = run(capsys, *arguments, "--json")
    assert (code, json.loads(out)["error"]["kind"]) == (2, "computes")
    for wrong in (["--part", "1"], ["-o", "x.png"]):
        code, _out, err = run(capsys, *arguments, *wrong)
        assert (code, "--compare takes two codes" in err) == (2, True)
    assert run(capsys, "x.T", "--compare-library", "torch")[0] == 2
