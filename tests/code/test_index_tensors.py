"""Index tensors and masks of code on the stage, and what each of their cells chooses."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

import dmlviz
from dmlviz.code.operator import rebuilt
from dmlviz.code.running import with_indices
from dmlviz.movement import CONTROL
from dmlviz.picture.payload import payload
from dmlviz.picture.scene import STAGE_LIMIT, scene
from dmlviz.picture.sections import move_rows
from dmlviz.states.code_reading import read_code_parameters
from dmlviz.teaching.code_presets import usual_code

CASES = [
    ("x[idx]", {"idx": [2, -1]}, {"idx": [2, -1]}, [[0] * 3, [1] * 3], "idx[1] = -1"),
    ("x[idx].T", {"idx": [2, 0]}, {"idx": [2, 0]}, [[0, 1]] * 3, "idx[1] = 0"),
    (
        "torch.gather(x, 1, idx)",
        {"idx": [[2, 0], [1, 1]]},
        {"idx": [[2, 0], [1, 1]]},
        [[0, 1], [2, 3]],
        "idx[1, 1] = 1",
    ),
    ("x[[2, 0]]", {}, {"idx": [2, 0]}, [[0] * 3, [1] * 3], "idx[1] = 0"),
    ("x[[2, 0], [1, 2]]", {}, {"i0": [2, 0], "i1": [1, 2]}, [0, 1], "i0[1] = 0, i1[1] = 2"),
    (
        "x[m]",
        {"m": [True, False, True, False]},
        {"m": [1, 0, 1, 0]},
        [[0] * 3, [2] * 3],
        "m[2] = True",
    ),
    (
        "np.where(m, x, 0)",
        {"m": [[True], [False], [True], [False]]},
        {"m": [[1], [0], [1], [0]]},
        [[k] * 3 for k in range(4)],
        "m[3, 0] = False",
    ),
    (
        "x[idx] = x[:2].copy()",
        {"idx": [3, 1]},
        {"idx": [3, 1]},
        [[-1] * 3, [1] * 3, [-1] * 3, [0] * 3],
        "idx[0] = 3",
    ),
    (
        "x.scatter(0, idx, x[:2])",
        {"idx": [[3, 0, 1], [1, 2, 3]]},
        {"idx": [[3, 0, 1], [1, 2, 3]]},
        [[-1, 1, -1], [3, -1, 2], [-1, 4, -1], [0, -1, 5]],
        "idx[1, 2] = 3",
    ),
]


@pytest.mark.parametrize(("code", "numbers_of_code", "tensors", "drivers", "last"), CASES)
def test_an_index_tensor_is_an_input_whose_cells_choose(
    code, numbers_of_code, tensors, drivers, last
):
    arrays = {name: np.array(numbers) for name, numbers in numbers_of_code.items()}
    trace = with_indices(dmlviz.code(code, x=(4, 3), **arrays), STAGE_LIMIT)
    assert {n: x.tolist() for n, x in trace.inputs.items() if n != "x"} == tensors
    assert {trace.roles[name] for name in tensors} == {CONTROL}
    assert trace.drivers["out"].tolist() == drivers
    assert trace.agrees
    at = tuple(n - 1 for n in trace.output.shape)
    assert [*trace.remarks_at([at])] == [[last]]
    drawn = payload(scene(trace))
    assert drawn["formula"]["remarks"]["out"][",".join(map(str, at))] == last


def test_a_row_names_one_cell_of_each_list():
    trace = with_indices(dmlviz.code("x[[2, 0], [1, 2]]", x=(4, 3)), STAGE_LIMIT)
    assert [row["Chosen by"] for row in move_rows(trace)] == ["i0[0], i1[0]", "i0[1], i1[1]"]


def test_another_process_makes_the_same_operator():
    trace = with_indices(dmlviz.code("x[idx]", x=(3, 2), idx=np.array([2, 0])), STAGE_LIMIT)
    settings = {each.name: getattr(trace.operator, each.name) for each in fields(trace.operator)}
    again = dmlviz.run(rebuilt(**settings), dict(trace.inputs))
    assert again.drivers["out"].tolist() == trace.drivers["out"].tolist()
    assert again.source.tolist() == trace.source.tolist()


def test_an_index_from_the_end_is_worked_out():
    trace = with_indices(dmlviz.code("x[idx]", x=(3, 2), idx=np.array([-1])), STAGE_LIMIT)
    formulas = payload(scene(trace))["formula"]
    # the picture shows -1, the formula needs the index from the front
    assert trace.inputs["idx"].tolist() == [-1]
    assert formulas["tables"]["idx"]["values"] == [2]


def test_there_is_no_room_for_an_index_tensor_beside_a_large_tensor():
    trace = dmlviz.code("x[idx]", x=(3, 2), idx=np.array([2, 0]))
    assert with_indices(trace, 7) is trace
    assert with_indices(trace, 8).inputs.keys() == {"x", "idx"}
    plain = dmlviz.code("x.T", x=(3, 2))
    assert with_indices(plain, STAGE_LIMIT) is plain


def test_the_page_draws_those_of_both_codes():
    link = {"code": "x[idx]", "sizes": "x:4,3;idx:2", "controls": "idx:2,0"}
    state = read_code_parameters(link, usual_code(), None).state
    assert state.scene().trace.inputs.keys() == {"x", "idx"}
    assert state.controls() == {"idx"}
    # equal ones are drawn once
    compared = read_code_parameters(link | {"compare": "x[idx]"}, usual_code(), None).state
    assert [one.trace.inputs.keys() for one in compared.scenes()] == [{"x", "idx"}] * 2
    assert compared.controls() == {"idx"}


@pytest.mark.parametrize(
    ("one", "two", "due", "drivers"),
    [
        (
            "x[[2, 0]]",
            "x[[0, 1]]",
            {"idx": [2, 0], "B.idx": [0, 1]},
            ([0, 0, 0, 1, 1, 1], [2, 2, 2, 3, 3, 3]),
        ),
        ("x[:2]", "x[[0, 1]]", {"idx": [0, 1]}, ([-1] * 6, [0, 0, 0, 1, 1, 1])),
        # two cells choose an element in one, and one in the other
        ("x[[2, 0], [1, 2]]", "x[[2, 0]]", {}, None),
    ],
)
def test_two_codes_have_their_cells(one, two, due, drivers):
    link = {"code": one, "compare": two, "sizes": "x:4,3"}
    scenes = read_code_parameters(link, usual_code(), None).state.scenes()
    for drawn in scenes:
        inputs = drawn.trace.inputs.items()
        assert {name: x.tolist() for name, x in inputs if name != "x"} == due
        assert drawn.trace.agrees
    if drivers is not None:
        made = tuple(one.trace.drivers["out"].ravel().tolist() for one in scenes)
        assert made == drivers
