"""Which output elements the answer of a preset names."""

from __future__ import annotations

import pytest

from dmlviz.states import read_link
from dmlviz.teaching.code_presets import code_presets
from dmlviz.teaching.facts import facts_on
from dmlviz.teaching.presets import answer_cells, preset, presets

TILE = "/tile?sizes=1,2,3&values=count-1&repeats=1,1,2"
OUT = {"OutputTensor": (1, 2, 6)}


@pytest.mark.parametrize(
    ("template", "cells"),
    [
        ("It is {out[0, 1, 5]}.", ((0, 1, 5),)),
        ("From {source[2] of out[0, 1, 4]} and {remark of out[0, 0, 0]}.", ((0, 1, 4), (0, 0, 0))),
        ("{out[0, 1, 5]} is {out[0, 1, 5]}", ((0, 1, 5),)),
        ("At {copy[2] of in[0, 1, 2]}.", ((0, 1, 2),)),
        ("In {copies of in[0, 0, 1]} places.", ((0, 0, 1),)),
        ("The column {out[0, :, 3]}", ((0, 0, 3), (0, 1, 3))),
        # twelve do not fit; what fits is marked
        ("{out[0, :, :]}, then {out[0, 1, 2]}", ((0, 1, 2),)),
        ("{in[0, 1, 1]} of {sizes[1]}, {elements}, {out}", ()),
        ("{out[0, 9, 9]}", ()),
    ],
)
def test_cells(template, cells):
    facts = facts_on(read_link(TILE).state)
    assert answer_cells(template, facts, OUT, compared=False) == cells


def test_two_outputs_are_told_apart():
    sizes = {"A": (10,), "B": (10,)}
    facts = facts_on(preset("padding-edge-or-wrap").state)
    cells = answer_cells("{other[1]}, {out[0]}", facts, sizes, compared=True)
    assert cells == ((1, 1), (0, 0))
    several = {"OutputTensors[0]": (2,), "OutputTensors[1]": (2,)}
    cells = answer_cells("{OutputTensors[1][1]} and {out[0]}", facts, several, compared=False)
    assert cells == ((1, 1),)


def test_many_answers_mark_cells():
    shown = [one for one in presets() if one.opens and one.second is None]
    marking = [
        one for one in shown if one.cells({n: x.shape for n, x in one.trace().outputs.items()})
    ]
    assert 2 * len(marking) > len(shown)
    code = next(one for one in code_presets() if one.key == "split-columns")
    assert code.cells({"out": code.state.scene().trace.output.shape})
