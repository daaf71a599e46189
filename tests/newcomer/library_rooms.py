"""Every room with the library Wren in it; run inside a copy of the project that has it.

python library_rooms.py ROOM
"""

import json
import sys
from pathlib import Path

import numpy as np

import dmlviz
from dmlviz.code import LIBRARIES

CODE = "wr.mirror(wr.copies(x, (1, 2)), 1)"


def reader():
    from dmlviz.code import CodeRefused, library_of, read, run_chain

    assert library_of(CODE) == library_of("x = wr.grid([1])\nx") == "wren"
    chain = read(CODE, {"x": (2, 3)})
    assert chain.library == "wren"
    x = np.arange(6).reshape(2, 3)
    trace = run_chain(chain, {"x": x}, "onnxruntime")
    np.testing.assert_array_equal(trace.output, np.tile(x, (1, 2))[:, ::-1])
    for code, words in {
        "wr.miror(x)": "Similar names that are read: wren.mirror.",
        "wr.pick(x, [0])[[1, 0]]": "Wren takes no lists as indices; write wr.grid(...).",
        "x.mirror()[0] = 1": "Wren tensors cannot be changed; use wr.put.",
        "wr.mirror(wr.grid([1, 2]))": "",
    }.items():
        try:
            read(code, {"x": (2, 3)}, library="wren")
        except CodeRefused as refused:
            assert words in str(refused), str(refused)
        else:
            raise AssertionError(code)


def call():
    for library in (None, "wren", "wr", "Wren"):
        run = dmlviz.code(CODE, library, x=(2, 3))
        assert run.chain.library == "wren"
        assert run.formula.startswith("out[h, w] = x[h, (5"), run.formula
    assert dmlviz.link(run).endswith("&library=wren&sizes=x:2,3")


def same():
    from dmlviz.operators import Gather
    from dmlviz.states.same import same_of

    assert "x[::-1]" in [str(one) for one in dmlviz.code("wr.mirror(x)", x=(2, 3)).same_as]
    inputs = {
        "InputTensor": np.arange(1, 7, dtype=np.float32).reshape(3, 2),
        "IndicesTensor": np.array([[2, 1]], np.int64),
    }
    calls = {one.library: one.text for one in same_of(dmlviz.run(Gather(0, 1), inputs))}
    assert "wr.pick(" in calls["wren"], calls


def pages():
    from dmlviz.verify import read_document, verify

    page = ">>> x = wr.grid([[1, 2], [3, 4]])\n>>> wr.mirror(x)\ngrid([[3, 4],\n      [1, 2]])\n"
    (verdict,) = verify(read_document(page), ("numpy",))
    assert verdict.status == "match", verdict.message
    (wrong,) = verify(read_document(page.replace("[1, 2]])\n", "[1, 9]])\n")), ("numpy",))
    assert wrong.status == "mismatch"


def panel():
    from dmlviz.__main__ import main
    from dmlviz.code.dialects import DIALECTS
    from dmlviz.live.below import section_of_state
    from dmlviz.states import first_state

    assert DIALECTS["wren"] == "Wren"
    assert main(["export", "tile", "-", "--code", "wren"]) == 0
    parts = {part["key"]: part for part in section_of_state(first_state("tile"), "code")}
    assert parts["wren"]["text"].startswith("import wren as wr\n\nx = wr."), parts["wren"]["text"]
    assert "\ny = wr.copies(x, " in parts["wren"]["text"]
    parts = {part["key"]: part for part in section_of_state(first_state("split"), "code")}
    (note,) = parts["wren"]["notes"]
    assert note == "There is no short code for it in Wren: it has no Split."


def menus():
    from dmlviz.states.code import CodeState
    from dmlviz.states.pages import changed, form_of

    state = CodeState(CODE)
    rows = [row for group in form_of(state) for row in group.fields]
    (library,) = [row for row in rows if row.name == "library"]
    (menu,) = library.controls
    assert dict(zip(menu.options, menu.titles, strict=True))["wren"] == "Wren"
    assert changed(state, "library", "wren").reads_as == "wren"


def commands():
    from dmlviz.__main__ import main

    assert main(["code", CODE, "--input", "x=2,3"]) == 0
    assert main(["code", CODE, "--input", "x=2,3", "--library", "wren", "--json"]) == 0


def search():
    from dmlviz.code.libraries import function_named
    from dmlviz.teaching.names import compositions, names
    from dmlviz.teaching.search import answers

    assert function_named("wr.mirror") == "wren.mirror"
    (answer,) = answers("wr.copies(x, (2, 3))", names(), compositions())
    assert [(name.text, name.library, name.key) for name in answer.names] == [
        ("wr.copies", "Wren", "tile")
    ]


def names():
    from opening import go_to
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_file(str(Path("app.py").resolve()), default_timeout=60).run()
    go_to(app, "names").run()
    assert not app.exception, app.exception
    assert any("`wr.copies`" in part.value for part in app.markdown)
    go_to(app, "code").run()
    assert not app.exception, app.exception


if __name__ == "__main__":
    assert "wren" in LIBRARIES
    globals()[sys.argv[1]]()
    sys.stdout.write(json.dumps({"room": sys.argv[1]}) + "\n")
