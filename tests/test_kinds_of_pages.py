"""A page is a value and what its kind does: a third kind needs nothing else, and nobody asks which it is."""

import ast
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.app.page import PageForm
from dmlviz.base.addresses import Reading
from dmlviz.base.errors import Problem
from dmlviz.base.spelling import read_integer
from dmlviz.live.page import view_of_state
from dmlviz.picture.staged import staged_once
from dmlviz.states import Opened, View
from dmlviz.states.controls import FormControl, FormField, FormGroup
from dmlviz.states.inputs import InputState, Tensors
from dmlviz.states.page import PageState
from dmlviz.states.pages import KINDS, Kind, changed, first_of, form_of, read_any_link
from dmlviz.states.tensor_rows import PARTS, changed_tensor, tensor_rows, titles_of_values
from dmlviz.states.view import CHANGES_OF_VIEW, LIMITS, changed_view, read_view, view_rows

ROOT = Path(__file__).resolve().parents[1]
KEY = "copies"
OPTIONS = ("count-1", "random", "own")
ROW = Tensors((("row", InputState((3,), "FLOAT32", "count-1")),))


@dataclass(frozen=True)
class Copies(PageState):
    """A row of numbers, copied some times: a kind of page that is neither operator nor code."""

    times: int = 2
    tensors: Tensors = ROW
    view: View = field(default_factory=View)
    key: str = field(default=KEY, init=False)

    def with_view(self, view):
        return replace(self, view=view)

    def second(self):
        return None

    def values_of(self, name, limit):
        return self.tensors[name].array(None, 0, limit)

    def problems(self):
        return [] if self.times else [Problem("times", "times: 0 copies are no picture.", "")]

    def scene(self, inputs=None, pair=None):
        inputs = self.arrays() if inputs is None else inputs
        return staged_once(dmlviz.Tile((self.times,)), {"InputTensor": inputs["row"]})

    def outputs(self):
        return {"out": (self.times * self.tensors["row"].sizes[0],)}

    def parameters(self, *, whole=False):
        (size,) = self.tensors["row"].sizes
        return {"times": str(self.times), "size": str(size)} | self.view.parameters(())


def _form(state, picture=None):
    number = FormControl("number", least=0, most=9, step=1)
    times = FormField("times", "Times", "", (number,), values=(str(state.times),))
    rows = tensor_rows(state, "row", OPTIONS, titles_of_values(OPTIONS), ("FLOAT32", "INT8"))
    return (
        FormGroup("row", tuple(rows)),
        FormGroup("", (times,)),
        FormGroup("", view_rows(state, LIMITS)),
    )


def _changed(state, name, text):
    if name in CHANGES_OF_VIEW:
        return state.with_view(changed_view(state.view, name, text, state))
    tensor, _dot, part = name.rpartition(".")
    if tensor in state.tensors and part in PARTS:
        now = changed_tensor(
            state.tensors[tensor],
            part,
            text,
            options=OPTIONS,
            types=("FLOAT32", "INT8"),
            least_rank=1,
            array=lambda: state.array(tensor),
        )
        return replace(state, tensors=state.tensors.with_tensor(tensor, now))
    return replace(state, times=read_integer("times", text, 0, 9))


def _read(key, parameters, own_picture):
    reading = Reading(parameters)
    state = Copies(reading.whole("times", 0, 9, 2))
    size = reading.whole("size", 1, 64, 3)
    row = replace(state.tensors["row"], sizes=(size,))
    state = replace(state, tensors=state.tensors.with_tensor("row", row))
    return Opened(state.with_view(View(**read_view(reading, state))), reading.all_problems())


@pytest.fixture(autouse=True)
def third_kind(monkeypatch):
    kind = Kind(_form, _changed, lambda state, tensor, choice: state, lambda key: Copies(), _read)
    monkeypatch.setitem(KINDS, KEY, kind)


def test_a_kind_has_ten_members():
    declared = {name for name in PageState.__annotations__ if not hasattr(PageState, name)}
    members = {*PageState.__abstractmethods__, *declared}
    assert len(members) <= 10, sorted(members)
    for kind in (Copies, type(first_of("tile")), type(first_of("code"))):
        assert not kind.__abstractmethods__


def test_hosts_take_a_third_kind():
    state = first_of(KEY)
    names = [row.name for group in form_of(state) for row in group.fields]
    assert names[:4] == ["row.sizes", "row.data_type", "row.values", "times"]
    # without a server
    shown = view_of_state(state)
    assert shown["problems"] == []
    assert shown["picture"]["output"]["tensors"][0]["sizes"] == [6]
    # in the app: texts that are refused stay, and are tried again
    form = PageForm(state).after("times", "x")
    assert form.rows()["times"].values == ("x",)
    assert form.state == state
    form = form.after("row.sizes", "4").after("times", "3")
    assert form.refused == {}
    assert form.state.scene().trace.output.shape == (12,)
    np.testing.assert_array_equal(form.state.inputs()["row"], [1, 2, 3, 4])


def test_a_third_kind_has_an_address_and_refusals():
    state = changed(changed(first_of(KEY), "times", "3"), "row.sizes", "4")
    assert state.address() == "/copies?times=3&size=4"
    assert read_any_link(state.address()) == Opened(state)
    (problem,) = read_any_link("/copies?times=70").problems
    assert problem.field == "times"
    refused = view_of_state(replace(state, times=0))
    assert refused["picture"] is None
    assert refused["problems"] == ["Times: 0 copies are no picture."]


def _asks(path):
    """The lines of a file that ask which kind of page something is."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
            names = {getattr(n, "id", "") for n in ast.walk(node.args[1])}
            if names & {"State", "CodeState", "CodeOperator"}:
                yield node.lineno
        elif isinstance(node, ast.Compare) and "CODE" in {
            getattr(n, "id", "") for n in (node.left, *node.comparators)
        }:
            sides = {
                getattr(n, "attr", getattr(n, "id", "")) for n in (node.left, *node.comparators)
            }
            # a row of that name is no kind
            if not sides & {"field", "name"}:
                yield node.lineno
        elif isinstance(node, ast.UnaryOp | ast.BoolOp | ast.If | ast.IfExp):
            tests = (
                node.values
                if isinstance(node, ast.BoolOp)
                else [node.operand if isinstance(node, ast.UnaryOp) else node.test]
            )
            if any(getattr(n, "attr", "") == "operators" for n in tests):
                yield node.lineno


def test_at_most_six_places_ask_which_kind_it_is():
    asks = []
    for path in sorted((ROOT / "dmlviz").rglob("*.py")):
        inside = path.relative_to(ROOT / "dmlviz").as_posix()
        # where the kinds are declared
        if not inside.startswith(("code/", "states/code", "states/page")):
            asks += [f"{inside}:{line}" for line in sorted({*_asks(path)})]
    assert len(asks) <= 6, asks
