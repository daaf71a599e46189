"""The command that reads code: text, JSON, files, and exit codes."""

import json

import numpy as np
import pytest

from dmlviz.__main__ import main


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
    assert told["outputs"] == [{"name": "out", "sizes": [2, 2], "source": [4, 0, 5, 1]}]
    assert [step["text"] for step in told["steps"]] == ["[i]", ".T"]
    assert told["steps"][1]["columns"] == [5, 7]
    assert told["formula"] == "out[h, w] = x[2 − w · 2, h]"
    same = {one["text"]: one for one in told["same_as"]}
    assert same["x[::-2].T"]["library"] == "numpy"
    assert same["x[::-2].T"]["calls"] == 2
    assert all(one["link"].startswith("/code?") for one in same.values())
    assert told["inputs"] == [{"name": "x", "sizes": [3, 2]}]


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
