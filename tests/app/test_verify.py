"""The page that verifies documentation pages, through AppTest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dmlviz
from dmlviz.__main__ import main
from dmlviz.app import verify_page
from dmlviz.app.verify_page import verified_page
from dmlviz.engines import ENGINES
from dmlviz.engines.directml import DirectMLEngine
from dmlviz.operators import OPERATORS, operator_class
from dmlviz.verify import built_in, read_document, write_example
from tests.engines.standins import Machine, Runtime

PAGES = [page.key for page in built_in()]


@pytest.fixture
def verify(session):
    return session.open("verify")


def shown_text(verify):
    """The page's text as the browser was sent it, and where to look in it."""
    [text] = [json.loads(json.loads(sent.proto.json)["page"]) for sent in found(verify, "page")]
    [place] = [json.loads(sent.proto.json)["place"] for sent in found(verify, "place")]
    return text, place


def found(verify, name):
    # the first is the bar's, for the language
    every = verify.at.get("bidi_component")[1:]
    return [one for one in every if name in json.loads(one.proto.json)]


def marks_of(verify, *kinds):
    """Line, code and message of what is said at the lines of the text."""
    return [
        (mark["line"], mark["code"], mark["message"])
        for mark in shown_text(verify)[0]["marks"]
        if mark["kind"] in kinds
    ]


def choose(verify, number):
    verify.at.selectbox("verify_example").set_value(number).run()
    assert verify.exceptions == []
    return verify


def compared(verify):
    """The page and the engine side by side, also where they agree."""
    verify.at.button_group("verify_view_same").set_value("compared").run()
    return verify


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
    text = next(p.text for p in built_in() if p.key == key)
    examples = read_document(text).examples
    sent, place = shown_text(verify)
    assert sent["lines"] == text.split("\n")
    assert marks_of(verify, "error", "warning") == []
    assert len({m["example"] for m in sent["marks"]} - {-1}) == len(examples)
    assert place == {"example": 0, "only": False}
    assert len(verify.stages) == 1
    [link] = verify.links
    assert link.page == key
    begins = "sizes=" if operator_class(key).input_slots else "output_tensor_sizes="
    assert link.query_string.startswith(begins)


@pytest.mark.slow
@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_a_pasted_example_matches(verify, cls):
    shown = pasted(verify, example(cls))
    assert [found.value for found in shown.at.success]
    first = cls.examples()[0]
    outputs = dmlviz.run(first.operator, first.x).outputs
    assert len(charts(compared(shown))) == 2 * len(outputs)


@pytest.mark.parametrize("with_directml", [False, True])
def test_an_altered_number_is_marked_on_both_sides(session, monkeypatch, with_directml):
    if with_directml:
        monkeypatch.setitem(ENGINES, "directml", DirectMLEngine(Machine(Runtime())))
    text = example(dmlviz.Tile).replace("4, 5, 6, 4, 5, 6, 4, 5, 6", "4, 5, 6, 4, 5, 7, 4, 5, 6", 1)
    shown = pasted(session.open("verify"), text)
    (error,) = shown.errors
    # one example, on several engines
    assert error.startswith("**DML_TILE_OPERATOR_DESC**: 0 of 1 example matches. (NumPy; ")
    assert any("out[0, 0, 1, 5] is 7 on the page, but the engine gives 6" in t for t in shown.texts)
    copied = "out[0, 0, 1, 5] = 6: the engine copies it from in[0, 0, 1, 2]."
    assert copied in [caption.value for caption in shown.at.caption]
    page, engine = charts(shown)
    marked = [
        [cell for row in chart["data"][0]["text"] for cell in row if cell.startswith("≠")]
        for chart in (page, engine)
    ]
    assert marked == [["≠7"], ["≠6"]]


PYTHON = """```python
x = np.arange(6).reshape(2, 3)
x.T
# array([[0, 3],
#        [1, 4],
#        [2, 6]])
x.sum()  # array(15)
```
"""


def test_python_examples_are_shown_as_operators_are(verify):
    shown = pasted(verify, PYTHON)
    assert shown.errors[0].startswith("**Python examples**: 0 of ")
    assert any("out[2, 1] is 6 on the page, but the engine gives 5" in t for t in shown.texts)
    page, engine = charts(shown)
    marked = [
        [cell for row in chart["data"][0]["text"] for cell in row if cell.startswith("≠")]
        for chart in (page, engine)
    ]
    assert marked == [["≠6"], ["≠5"]]
    sent, _place = shown_text(shown)
    notes = [mark for mark in sent["marks"] if mark["line"] == 7]
    assert ["sum computes new values" in mark["message"] for mark in notes] == [True]
    [link] = shown.links
    assert link.page == "code"
    assert "code=x.T" in link.query_string
    right = pasted(shown, PYTHON.replace("2, 6", "2, 5"))
    assert right.errors == []
    assert len(right.stages) == 1


def test_a_page_that_nothing_was_run_for_is_not_right(verify):
    shown = pasted(
        verify, "DML_TILE_OPERATOR_DESC\n" + example(dmlviz.Tile).replace("FLOAT32", "INT8")
    )
    shown.at.button_group("verify_engines").set_value(["directml-recorded"]).run()
    assert [found.value for found in shown.at.success] == []
    assert shown.errors == ["**DML_TILE_OPERATOR_DESC**: 0 of 0 examples match."]


def test_watching_it_move(verify):
    shown = pasted(
        verify, example(dmlviz.Tile).replace("4, 5, 6, 4, 5, 6,", "4, 5, 7, 4, 5, 6,", 1)
    )
    assert shown.stages == []
    shown.at.button_group("verify_view_differs").set_value("movement").run()
    assert shown.exceptions == []
    [stage] = shown.stages
    assert stage["payload"]["differing"] == [11]
    # it has landed, and its formula is there
    assert stage["link"]["view"]["pinned"] == [11]
    assert stage["link"]["view"]["step"] == len(stage["payload"]["steps"])


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


def test_marks_are_what_the_command_reports(verify, tmp_path, monkeypatch, capsys):
    slips = example(dmlviz.Tile).replace("OutputTensor", "InputTensor").replace("6],", "6]")
    wrong = example(dmlviz.Tile).replace("4, 5, 6, 4, 5, 6,", "4, 5, 7, 4, 5, 6,", 1)
    text = f"DML_TILE_OPERATOR_DESC\n\n### Example 1\n{slips}\n\n### Example 2\n{wrong}"
    monkeypatch.chdir(tmp_path)
    Path("page.md").write_text(text)
    assert main(["verify", "--json", "page.md"]) == 1
    [told] = json.loads(capsys.readouterr().out)["documents"]
    shown = pasted(verify, text)
    kinds = [mark["kind"] for mark in shown_text(shown)[0]["marks"] if mark["code"]]
    due = [(p["line"], p["code"], p["message"]) for p in told["problems"]]
    assert {code for _line, code, _message in due} >= {"DOC101", "DOC301", "DOC302"}
    assert kinds == [problem["severity"] for problem in told["problems"]]
    # the line is beside it already
    bare = [(n, code, said.removeprefix(f"line {n}: ")) for n, code, said in due]
    assert marks_of(shown, "error", "warning") == bare
    rows = text.split("\n")
    for mark in shown_text(shown)[0]["marks"]:
        if mark["code"] == "DOC101":
            assert rows[mark["line"] - 1][mark["from"] - 1 : mark["to"] - 1].startswith("[4, 5, 7")
            assert mark["example"] == 1
    # the first example that fails is shown first; one with what its reader put right can wait
    assert shown_text(shown)[1]["example"] == 1
    assert len(charts(shown)) == 2


def test_only_problems(verify):
    right, wrong = (
        example(dmlviz.Tile),
        example(dmlviz.Tile).replace("3, 1, 2, 3,", "3, 1, 2, 9,", 1),
    )
    shown = pasted(verify, f"DML_TILE_OPERATOR_DESC\n\n{right}\n\n{wrong}\n\n{right}")
    assert shown_text(shown)[1] == {"example": 1, "only": False}
    assert len(shown.at.selectbox("verify_example").options) == 3
    choose(shown, 2).at.toggle("verify_only").set_value(True).run()
    assert shown_text(shown)[1] == {"example": 1, "only": True}
    assert len(shown.at.selectbox("verify_example").options) == 1


def test_the_buttons_go_on_and_back(verify):
    verify.at.selectbox("verify_built_in").set_value("padding").run()

    def state():
        at = verify.at
        buttons = [at.button(f"verify_chevron_{side}").disabled for side in ("left", "right")]
        return at.selectbox("verify_example").value, *buttons

    last = len(verify.at.selectbox("verify_example").options) - 1
    assert state() == (0, True, False)
    assert last > 0
    for number in range(1, last + 1):
        verify.at.button("verify_chevron_right").click().run()
        assert state() == (number, False, number == last)
        assert shown_text(verify)[1]["example"] == number
    verify.at.button("verify_chevron_left").click().run()
    assert state()[0] == last - 1
    assert verify.exceptions == []


def test_an_example_that_the_page_skips(verify):
    text = f"DML_TILE_OPERATOR_DESC\n\n<!-- dmlviz: skip (see issue 12) -->\n{example(dmlviz.Tile)}"
    shown = pasted(verify, f"{text}\n\n{example(dmlviz.Tile)}")
    [(_line, _code, message)] = marks_of(shown, "skip")
    assert message == "Example 1: see issue 12"
    shown.at.session_state["verify_checked"] = True
    shown.at.run()
    assert any("Example 1 is skipped: see issue 12" in told for told in shown.texts)
    assert any("checked: 1 example" in told for told in shown.texts)


def test_a_long_page_sends_one_example(verify):
    one = example(dmlviz.Tile)
    shown = pasted(verify, "\n\n".join(["DML_TILE_OPERATOR_DESC", *[one] * 200]))
    assert len(shown.at.selectbox("verify_example").options) == 200
    assert len(shown.stages) == 1
    before, marks = shown_text(shown)[0], len(marks_of(shown, "good"))
    assert marks == 200
    choose(shown, 150)
    # an equal message does not cross the wire again
    assert shown_text(shown) == (before, {"example": 150, "only": False})


def test_reports_and_the_corrected_page(verify):
    slips = example(dmlviz.Tile).replace("OutputTensor", "InputTensor")
    shown = pasted(verify, f"DML_TILE_OPERATOR_DESC\n\n{slips}")
    assert shown.at.get("download_button") == []
    shown.at.session_state["verify_saved"] = True
    shown.at.run()
    assert shown.exceptions == []
    titles = [button.proto.label for button in shown.at.get("download_button")]
    assert titles == [
        *("HTML with pictures", "Markdown", "Plain text", "JSON", "SARIF", "JUnit XML"),
        "Commas and labels",
    ]


@pytest.mark.parametrize("ending", ["html", "md", "txt", "json", "sarif", "xml", "fixed"])
def test_what_is_saved(monkeypatch, ending):
    slips = example(dmlviz.Tile).replace("OutputTensor", "InputTensor")
    text = f"DML_TILE_OPERATOR_DESC\n\n{slips}"
    made = {}
    monkeypatch.setattr(
        verify_page,
        "_button",
        lambda _title, _file, _mime, key, make: made.update({key: make}),
    )
    verify_page.downloads(
        text, "page.md", ("numpy",), verified_page(text, "page.md", ("numpy",)).report
    )
    saved = made[ending]()
    if ending == "fixed":
        assert saved == text[: text.rindex("Input")] + "Output" + text[text.rindex("Input") + 5 :]
    elif ending == "json":
        assert [p["code"] for p in json.loads(saved)["documents"][0]["problems"]] == ["DOC302"]
    else:
        assert "the second InputTensor is the output" in saved


def test_nothing_is_lost_between_ways(verify):
    shown = pasted(verify, example(dmlviz.Padding))
    shown.at.segmented_control("verify_way").set_value("built-in").run()
    shown.at.segmented_control("verify_way").set_value("paste").run()
    assert shown.at.text_area("verify_text").value == example(dmlviz.Padding)


def test_engines_are_chosen(verify):
    shown = pasted(verify, example(dmlviz.Tile))
    shown.at.button_group("verify_engines").set_value(["onnxruntime"]).run()
    assert [found.value for found in shown.at.success] == [
        "**DML_TILE_OPERATOR_DESC**: 1 of 1 example matches."
    ]
    assert any(t.startswith(":material/check_circle: **ONNX") for t in shown.texts)
