"""``python -m dmlviz example`` and ``run``: a state named by a link or by options."""

import io
import json
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings

import dmlviz
from dmlviz.__main__ import main
from dmlviz.operators import OPERATORS
from dmlviz.verify import read_document, write_example
from tests.strategies import runs
from tests.thorough import tries

EXAMPLES = [(cls, n) for cls in OPERATORS for n in range(len(cls.examples()))]


def printed(capsys, *arguments):
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(("cls", "number"), EXAMPLES, ids=lambda v: getattr(v, "key", v))
def test_documentation_examples(capsys, cls, number):
    example = cls.examples()[number]
    trace = dmlviz.run(example.operator, example.inputs)
    text = printed(capsys, "example", cls.key, "--values", f"example-{number}")
    assert text == write_example(example.operator, trace.inputs, trace.outputs) + "\n"


def test_in_the_style_of_the_pages(capsys):
    text = printed(capsys, "example", "tile", "--unnamed")
    assert text.startswith(
        "RepeatsCount: 4\nRepeats: {1, 1, 3, 3}\n\n"
        "InputTensor: (Sizes:{1, 1, 2, 3}, DataType:FLOAT32)\n[[[[1, 2, 3],\n"
    )
    assert "\nOutputTensor: (Sizes:{1, 1, 6, 9}, DataType:FLOAT32)\n" in text


@settings(max_examples=tries(40))
@given(pair=runs())
def test_a_link_gives_the_example_that_is_read_back(pair):
    operator, x = pair
    out = io.StringIO()
    stdout, sys.stdout = sys.stdout, out
    try:
        assert main(["example", dmlviz.link(operator, x)]) == 0
    finally:
        sys.stdout = stdout
    [example] = read_document(out.getvalue()).examples
    # the page leaves out a padding value that is not used
    assert repr(example.operator.documented) == repr(operator.documented)
    np.testing.assert_array_equal(example.x, x, strict=True)
    assert example.expected.shape == operator.output_sizes(x.shape)


def test_what_is_written_is_verified(capsys, monkeypatch):
    text = printed(capsys, "example", "padding", "--padding-mode", "SYMMETRIC")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    assert "match" in printed(capsys, "verify", "-")


def test_for_the_page_of_an_older_structure(capsys, monkeypatch):
    structure = "DML_SLICE_OPERATOR_DESC"
    text = printed(capsys, "example", "slice", "--structure", structure)
    assert text.startswith(f"{structure}\n\nOffsets: {{0, 0, 0, 1}}\nSizes: {{1, 1, 2, 2}}\n")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    assert "match" in printed(capsys, "verify", "-")
    own = printed(capsys, "example", "slice", "--structure", "DML_SLICE1_OPERATOR_DESC")
    assert own == printed(capsys, "example", "slice")


def test_options_and_a_link_say_the_same(capsys):
    by_link = printed(capsys, "run", "/tile?sizes=2,3&data_type=INT8&values=count-1&repeats=2,1")
    options = ["--sizes", "2,3", "--data-type", "INT8", "--repeats", "2,1"]
    assert printed(capsys, "run", "tile", *options) == by_link
    assert "NumPy: 12 elements, each equal to its source." in by_link


def test_a_literal_brings_its_sizes(capsys):
    arguments = ["--literal", "[[1, 2, 3]]", "--repeats", "2,1", "--data-type", "INT64"]
    data = json.loads(printed(capsys, "run", "tile", *arguments, "--json"))
    assert data["sizes"] == [1, 3]
    assert data["output_sizes"] == [2, 3]
    assert data["output"] == ["1", "2", "3", "1", "2", "3"]
    assert data["source"] == [0, 1, 2, 0, 1, 2]
    assert data["data_type"] == "INT64"
    assert data["agrees"] is True


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["foo"], 'there is no page "foo"; the pages are'),
        (["tile", "--repeats", "0,1,1,1"], "repeats=0,1,1,1"),
        (["tile", "--literal", "[1, 2"], "never closed"),
        (["tile", "--data-type", "FLOAT8"], "FLOAT8"),
        (["depth-to-space", "--block-size", "3"], "does not fit"),
        (["tile", "--engine", "nothing"], "nothing"),
        (["tile", "--structure", "DML_TILE1"], '"DML_TILE1" is not one of DML_TILE_OPERATOR_DESC.'),
        (
            [
                "slice",
                "--input-window-strides",
                "1,1,-1,1",
                "--structure",
                "DML_SLICE_OPERATOR_DESC",
            ],
            "each number must be 1 or more",
        ),
        (["padding", "--feature-level", "2_1", "--padding-mode", "SYMMETRIC"], "2_1"),
    ],
)
def test_a_sentence_for_what_is_not_possible(capsys, arguments, sentence):
    assert main(["example", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("dmlviz: ")
    assert sentence in said.err
    assert said.err.count("\n") == 1
