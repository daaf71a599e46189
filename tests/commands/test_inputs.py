"""Several inputs on the command line."""

import json

import numpy as np
import pytest

import dmlviz
from dmlviz.__main__ import main


def ran(capsys, *words):
    assert main(["run", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_inputs_go_by_name(capsys):
    told = ran(
        capsys, "gather", "--axis", "0", "--index-dimensions", "1",
        "--input", "InputTensor=[5, 6, 7]", "--input", "IndicesTensor=[2, 0]",
    )  # fmt: skip
    assert told["output"] == ["7", "5"]
    assert told["source"] == [2, 0]
    assert told["inputs"]["IndicesTensor"]["values"] == ["2", "0"]
    assert told["inputs"]["IndicesTensor"]["sizes"] == [2]
    assert told["outputs"] == {
        "OutputTensor": {"sizes": [2], "data_type": "FLOAT32", "values": ["7", "5"]}
    }
    assert told["sources"] == {"OutputTensor": [2, 0]}
    assert told["drivers"] == {"OutputTensor": [0, 1]}


def test_a_type_may_be_written(capsys):
    told = ran(capsys, "gather", "--input", "IndicesTensor=np.array([1], dtype=np.int32)")
    assert told["inputs"]["IndicesTensor"]["data_type"] == "INT32"


def test_one_input_keeps_its_keys(capsys):
    told = ran(capsys, "tile", "--sizes", "2", "--repeats", "2")
    assert told["sizes"] == [2]
    assert told["output_sizes"] == [4]
    assert told["output"] == ["1", "2", "1", "2"]
    assert told["source"] == [0, 1, 0, 1]
    assert told["drivers"] == {}


def test_several_outputs_are_named(capsys):
    told = ran(capsys, "split", "--sizes", "3", "--axis", "0", "--parts", "1,2")
    assert "output" not in told
    assert told["outputs"]["OutputTensors[1]"]["values"] == ["2", "3"]
    assert told["sources"]["OutputTensors[1]"] == [1, 2]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("IndicesTensor", "input: "),
        ("IndicesTensor=[9]", "IndicesTensor: 9"),
        ("IndicesTensor=[1", "IndicesTensor.values: "),
        ("Indices=[1]", "no such setting"),
    ],
)
def test_what_is_no_input_is_a_sentence(capsys, given, words):
    assert main(["run", "gather", "--input", given]) == 2
    assert words in capsys.readouterr().err


def test_one_array_of_several(tmp_path, capsys):
    path = tmp_path / "part.npy"
    assert main(["export", "split", str(path), "--part", "OutputTensors[1].source"]) == 0
    cls = dmlviz.Split
    example = cls.examples()[0]
    due = dmlviz.run(example.operator, example.inputs).sources["OutputTensors[1]"]
    np.testing.assert_array_equal(np.load(path), due)
    assert main(["export", "split", str(path), "--part", "output"]) == 2
    assert "OutputTensors[0].source" in capsys.readouterr().err
