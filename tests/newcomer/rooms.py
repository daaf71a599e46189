"""Every room with Roll in it; run inside a copy of the project that has it.

python rooms.py ROOM
"""

import json
import sys
from pathlib import Path

import numpy as np

import dmlviz
from dmlviz.operators import OPERATORS


def interface():
    op = dmlviz.operator_from_desc("DML_OPERATOR_ROLL", {"Shifts": [0, -2]})
    assert op == dmlviz.Roll((0, -2))
    assert op.output_sizes((2, 3)) == (2, 3)
    assert dmlviz.Roll((1,)).problems((2, 3), "FLOAT32")[0].field == "shifts"
    assert op.explain((2, 3), (0, 0)).endswith("in[0, 2]")


def engines():
    x = np.arange(6, dtype=np.int16).reshape(2, 3)
    for engine in ("numpy", "onnxruntime"):
        trace = dmlviz.run(dmlviz.Roll((1, -1)), x, engine)
        assert trace.agrees
        np.testing.assert_array_equal(trace.output, np.roll(x, (1, -1), (0, 1)))


def links():
    from dmlviz.states import read_link

    x = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
    op = dmlviz.Roll((-1, 2))
    opened = read_link(dmlviz.link(op, x, step=1))
    assert not opened.problems
    assert opened.state.operator() == op
    problems = read_link("/roll?sizes=2,3&shifts=1,x").problems
    assert len(problems) == 1


def player():
    trace = dmlviz.run(dmlviz.Roll((1,)), np.arange(5))
    assert "Roll" in dmlviz.player(trace).html()
    assert dmlviz.figure(trace, 0).data


def exports():
    from dmlviz.exports import gif, png, svg

    scene = dmlviz.scene(dmlviz.run(dmlviz.Roll((1,)), np.arange(5)))
    assert svg(scene).startswith("<svg")
    assert png(scene)[:4] == b"\x89PNG"
    assert gif(scene)[:3] == b"GIF"


def questions():
    from dmlviz.questions import LEVELS, ask

    asked = [ask(s, 1, level=level, operator="roll") for level in LEVELS for s in range(4)]
    assert {type(question.operator).__name__ for question in asked} == {"Roll"}
    for number in range(1, 40):
        ask(1, number, level=number % 3 + 1)


def documents():
    from dmlviz.documents import read_document, verify, write_example

    op, x = dmlviz.Roll((1, 0)), np.float32([[1, 2], [3, 4]])
    page = "DML_ROLL_OPERATOR_DESC\n\n" + write_example(op, x, dmlviz.run(op, x).output)
    (verdict,) = verify(read_document(page), ("numpy",))
    assert verdict.status == "match", verdict.message
    (wrong,) = verify(read_document(page.replace("[[3", "[[4")), ("numpy",))
    assert wrong.status == "mismatch"


def commands():
    from dmlviz.__main__ import main

    for words in (
        ["run", "roll", "--sizes", "2,3", "--shifts", "-1,2"],
        ["export", "/roll?shifts=1,1", "moved.svg"],
        ["example", "roll", "--sizes", "2", "--shifts", "1"],
        ["worksheet", "--seed", "3", "--operator", "roll", "-o", "sheet.html"],
    ):
        assert main(words) == 0, words
    assert Path("moved.svg").stat().st_size > 500


def pages():
    from streamlit.testing.v1 import AppTest

    def at(page, **query):
        app = AppTest.from_file(str(Path("app.py").resolve()), default_timeout=60)
        for name, value in query.items():
            app.query_params[name] = value
        app.run()
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception, app.exception
        return app

    app = at("roll")
    assert app.title[0].value == "Roll"
    assert [box.value for box in app.number_input][:2] == [1, -1]
    app.number_input[1].set_value(-2).run()
    assert not app.exception
    for page in ("home", "practice", "worksheet", "engines", "glossary", "lessons"):
        at(page)


if __name__ == "__main__":
    assert "roll" in [cls.key for cls in OPERATORS]
    globals()[sys.argv[1]]()
    sys.stdout.write(json.dumps({"room": sys.argv[1]}) + "\n")
