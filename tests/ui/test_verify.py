"""The page that verifies documentation pages, through AppTest."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dmlviz
from dmlviz.documents import available, built_in, read_document, write_example
from dmlviz.engines import ENGINES
from dmlviz.engines.directml import DirectMLEngine
from dmlviz.operators import OPERATORS
from tests.engines.standins import Machine, Runtime

PAGES = [page.key for page in built_in()]


@pytest.fixture
def verify(session):
    return session.open("verify")


def pasted(verify, text):
    verify.at.segmented_control("verify_way").set_value("paste").run()
    verify.at.text_area("verify_text").set_value(text).run()
    assert verify.exceptions == []
    return verify


def example(cls, **changed):
    first = cls.examples()[0]
    trace = dmlviz.run(first.operator, first.x)
    return write_example(first.operator, trace.inputs, trace.outputs)


def charts(verify):
    return [json.loads(chart.proto.spec) for chart in verify.at.get("plotly_chart")]


@pytest.mark.parametrize("key", PAGES)
def test_built_in_pages_match(verify, key):
    verify.at.selectbox("verify_built_in").set_value(key).run()
    assert verify.exceptions == []
    assert verify.errors == []
    [said] = [found.value for found in verify.at.success]
    structure = next(cls.structure for cls in OPERATORS if cls.key == key)
    assert said.startswith(f"**{structure}**: ")
    examples = read_document(next(p.text for p in built_in() if p.key == key)).examples
    count = len(examples)
    assert len(charts(verify)) == sum(2 * len(example.outputs) for example in examples[:6])
    links = [link.proto for link in verify.at.get("page_link")]
    assert all(link.page.replace("_", "-").endswith(key) for link in links)
    assert all(link.query_string.startswith("sizes=") for link in links)
    assert len(links) == min(count, 6)


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_a_pasted_example_matches(verify, cls):
    shown = pasted(verify, example(cls))
    assert [found.value for found in shown.at.success]
    first = cls.examples()[0]
    assert len(charts(shown)) == 2 * len(dmlviz.run(first.operator, first.x).outputs)


@pytest.mark.parametrize("with_directml", [False, True])
def test_an_altered_number_is_marked_on_both_sides(verify, monkeypatch, with_directml):
    if with_directml:
        monkeypatch.setitem(ENGINES, "directml", DirectMLEngine(Machine(Runtime())))
    text = example(dmlviz.Tile).replace("4, 5, 6, 4, 5, 6, 4, 5, 6", "4, 5, 6, 4, 5, 7, 4, 5, 6", 1)
    shown = pasted(verify, text)
    n = len(available())
    assert shown.errors == [f"**DML_TILE_OPERATOR_DESC**: 0 of {n} runs match."]
    assert any("out[0, 0, 1, 5] is 7 on the page, but the engine gives 6" in t for t in shown.texts)
    page, engine = charts(shown)
    marked = [
        [cell for row in chart["data"][0]["text"] for cell in row if cell.startswith("≠")]
        for chart in (page, engine)
    ]
    assert marked == [["≠7"], ["≠6"]]


def test_a_page_that_nothing_was_run_for_is_not_right(verify):
    shown = pasted(
        verify, "DML_TILE_OPERATOR_DESC\n" + example(dmlviz.Tile).replace("FLOAT32", "INT8")
    )
    shown.at.button_group("verify_engines").set_value(["directml-recorded"]).run()
    assert [found.value for found in shown.at.success] == []
    assert shown.errors == ["**DML_TILE_OPERATOR_DESC**: 0 of 0 runs match."]


def test_watching_it_move(verify):
    shown = pasted(verify, example(dmlviz.Tile).replace("9}, Data", "9}, Data"))
    assert shown.stages == []
    shown.at.toggle("verify-0-watch").set_value(True).run()
    assert len(shown.stages) == 1
    assert shown.exceptions == []


def test_what_cannot_be_read_is_a_sentence(verify):
    for text in (
        "hello",
        "DML_UPSAMPLE_2D_OPERATOR_DESC",
        "InputTensor: [" * 2_000,
        "<script>" * 99,
    ):
        shown = pasted(verify, text)
        assert charts(shown) == []
        assert len(shown.warnings) + len(shown.errors) == 1


def test_hostile_text_is_text(verify, hostile):
    page = f"### Example 1 {hostile[:100]}\n\n{example(dmlviz.Tile)}\n\n{hostile}"
    shown = pasted(verify, page)
    for text in shown.texts:
        assert "](http" not in text
        assert ":red[" not in text.replace("\\:red[", "")


def test_findings_stand_beside_their_lines(verify):
    text = example(dmlviz.Tile).replace("OutputTensor", "InputTensor")
    shown = pasted(verify, text)
    [table] = [found.value for found in shown.at.table]
    line = 1 + text[: text.rindex("InputTensor")].count("\n")
    assert table.to_numpy().tolist() == [
        [
            str(line),
            "InputTensor: (Sizes:{1, 1, 6, 9}, DataType:FLOAT32)",
            "the second InputTensor is the output.",
        ]
    ]


def test_nothing_is_lost_between_ways(verify):
    shown = pasted(verify, example(dmlviz.Padding))
    shown.at.segmented_control("verify_way").set_value("built-in").run()
    shown.at.segmented_control("verify_way").set_value("paste").run()
    assert shown.at.text_area("verify_text").value == example(dmlviz.Padding)


def test_engines_are_chosen(verify):
    shown = pasted(verify, example(dmlviz.Tile))
    shown.at.button_group("verify_engines").set_value(["onnxruntime"]).run()
    assert [found.value for found in shown.at.success] == [
        "**DML_TILE_OPERATOR_DESC**: 1 of 1 run matches."
    ]
    assert np.array([t.startswith(":material/check_circle: **ONNX") for t in shown.texts]).any()
