"""Every room with Roll in it; run inside a copy of the project that has it.

python rooms.py ROOM
"""

import json
import sys
from pathlib import Path

import numpy as np

import dmlviz
from dmlviz.operators import OPERATORS

ORDER = "OrderTensor"


def given(*sizes, rows=(1, 0), dtype=np.float32):
    """Both inputs: what is rolled, and which rows are taken."""
    x = np.arange(1, 1 + int(np.prod(sizes)), dtype=dtype).reshape(sizes)
    order = np.int64(rows).reshape((1,) * (len(sizes) - 1) + (-1,))
    return {"InputTensor": x, ORDER: order}


def interface():
    op = dmlviz.operator_from_desc("DML_OPERATOR_ROLL", {"Shifts": [0, -2]})
    assert op == dmlviz.Roll((0, -2))
    assert op.output_sizes({"InputTensor": (2, 3), ORDER: (1, 5)}) == (5, 3)
    assert (
        dmlviz.Roll((1,)).problems({"InputTensor": (2, 3), ORDER: (1, 5)}, "FLOAT32")[0].field
        == "shifts"
    )
    assert op.problems({"InputTensor": (2, 3), ORDER: (5,)}, None)[0].field == f"{ORDER}.sizes"
    assert op.refusals(given(2, 3, rows=[2]))[0].field == ORDER
    assert op.explain(given(2, 3), (0, 0)).endswith("in[1, 2]")


def engines():
    inputs = given(2, 3, rows=[1, 1, 0], dtype=np.int16)
    for engine in ("numpy", "onnxruntime"):
        trace = dmlviz.run(dmlviz.Roll((1, -1)), inputs, engine)
        assert trace.agrees
        due = np.roll(inputs["InputTensor"], (1, -1), (0, 1))[[1, 1, 0]]
        np.testing.assert_array_equal(trace.output, due)
        assert trace.drivers["OutputTensor"][:, 0].tolist() == [0, 1, 2]


def links():
    from dmlviz.states import read_link

    inputs, op = given(2, 3), dmlviz.Roll((-1, 2))
    opened = read_link(dmlviz.link(op, inputs, step=1))
    assert not opened.problems
    assert opened.state.operator() == op
    for name, array in opened.state.inputs().items():
        np.testing.assert_array_equal(array, inputs[name])
    problems = read_link("/roll?sizes=2,3&shifts=1,x&OrderTensor.sizes=0").problems
    assert [problem.field for problem in problems] == ["shifts", f"{ORDER}.sizes"]


def player():
    trace = dmlviz.run(dmlviz.Roll((1,)), given(5))
    assert ORDER in dmlviz.player(trace).html()
    assert dmlviz.figure(trace, 0).data


def exports():
    from dmlviz.picture.exports import gif, png, svg
    from dmlviz.picture.formats import npz

    trace = dmlviz.run(dmlviz.Roll((1,)), given(5))
    scene = dmlviz.scene(trace)
    assert svg(scene).startswith("<svg")
    assert png(scene)[:4] == b"\x89PNG"
    assert gif(scene)[:3] == b"GIF"
    assert npz(trace)[:2] == b"PK"


def questions():
    from dmlviz.teaching.kinds import kinds_for
    from dmlviz.teaching.practice import ask
    from dmlviz.teaching.questions import LEVELS

    for kind in kinds_for(dmlviz.Roll):
        asked = [ask(s, 1, level=n, operator="roll", kind=kind) for n in LEVELS for s in range(4)]
        assert {type(question.operator).__name__ for question in asked} == {"Roll"}
        for question in asked:
            assert dmlviz.run(question.operator, question.inputs).agrees
            assert kind == "refused" or "InputTensor {" in question.prompt
    for number in range(1, 40):
        ask(1, number, level=number % 3 + 1)


def documents():
    from dmlviz.verify import read_document, verify, write_example

    op, inputs = dmlviz.Roll((1, 0)), given(2, 2)
    page = "DML_ROLL_OPERATOR_DESC\n\n" + write_example(op, inputs, dmlviz.run(op, inputs).output)
    (verdict,) = verify(read_document(page), ("numpy",))
    assert verdict.status == "match", verdict.message
    (wrong,) = verify(read_document(page.replace("[[1, 0]]", "[[1, 1]]")), ("numpy",))
    assert wrong.status == "mismatch"


def commands():
    from dmlviz.__main__ import main

    own = ["--input", f"{ORDER}=[[1, 0]]"]
    for words in (
        ["run", "roll", "--sizes", "2,3", "--shifts", "-1,2"],
        ["run", "roll", "--json", *own],
        ["export", "/roll?shifts=1,1", "moved.svg", *own],
        ["export", "roll", "order.npy", "--part", ORDER],
        ["example", "roll", "--sizes", "2", "--shifts", "1"],
        ["worksheet", "--seed", "3", "--operator", "roll", "-o", "sheet.html"],
        ["site", "site"],
    ):
        assert main(words) == 0, words
    assert Path("moved.svg").stat().st_size > 500
    assert ORDER in Path("sheet.html").read_text(encoding="utf-8")
    assert np.load("order.npy").tolist() == [[1, 0, 1]]
    assert main(["run", "roll", "--input", f"{ORDER}=[[2]]"]) != 0


def pages():
    from opening import go_to
    from streamlit.testing.v1 import AppTest

    def at(page, **query):
        app = AppTest.from_file(str(Path("app.py").resolve()), default_timeout=60)
        for name, value in query.items():
            app.query_params[name] = value
        app.run()
        go_to(app, page).run()
        assert not app.exception, app.exception
        return app

    app = at("roll")
    assert app.title[0].value == "Roll"
    assert [head.value for head in app.subheader] == ["InputTensor", ORDER, "Operator"]
    assert [box.value for box in app.number_input][:2] == [1, -1]
    app.number_input[1].set_value(-2).run()
    # the stage alone was drawn
    app.run()
    assert not app.exception
    # what chooses follows in rank alone, and goes on with what it held
    app.text_input(key="roll_sizes").set_value("1, 2, 3").run()
    assert app.text_input(key=f"roll_{ORDER}_sizes").value == "1, 1, 3"
    assert app.text_area(key=f"roll_{ORDER}_literal").value == "[[[1, 0, 1]]]"
    app.text_area(key=f"roll_{ORDER}_literal").set_value("[[[0, 7]]]").run()
    assert len(app.error) == 1
    assert app.error[0].value.startswith(f"{ORDER}: 7")
    app = at("roll", **{f"{ORDER}.sizes": "1,1", f"{ORDER}.values": "count-1", "compare": "true"})
    assert not app.error
    for options in ({"present": "true"}, {"embed": "true"}, {"predict": "true"}):
        at("roll", **options)
    for page in ("home", "practice", "worksheet", "engines", "glossary", "lessons", "names"):
        at(page)
    at("practice", operator="roll", seed="3", level="2")
    at("worksheet", operator="roll", seed="3")


if __name__ == "__main__":
    assert "roll" in [cls.key for cls in OPERATORS]
    globals()[sys.argv[1]]()
    sys.stdout.write(json.dumps({"room": sys.argv[1]}) + "\n")
