"""Two settings on one stage: nothing of either run is lost, and nothing is the other's."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.movement import INDEX
from dmlviz.operators import OPERATORS
from dmlviz.operators.base import alternative_on
from dmlviz.picture import exports
from dmlviz.picture.compared import compared
from dmlviz.picture.figure import head_titles
from dmlviz.picture.marks import heads
from dmlviz.picture.payload import payload
from dmlviz.picture.runs import output_name, print_settings, settings_apart
from dmlviz.picture.scene import labels
from dmlviz.states.code_reading import read_code_parameters
from dmlviz.teaching.code_presets import usual_code
from dmlviz.teaching.presets import presets
from dmlviz.tensors.numbering import differing_elements, print_cell

JS = Path(__file__).resolve().parent / "js"
MOST_EXPLAINED = 60
"""Elements of a stage whose lines are compared."""


@cache
def pairs():
    """By name, the runs of every preset that compares, and of every operator's alternative."""
    found = {p.key: (p.trace(), p.second_trace()) for p in presets() if p.second is not None}
    for cls in OPERATORS:
        example = cls.examples()[0]
        other = alternative_on(example.operator, example.inputs)
        found[cls.key] = tuple(dmlviz.run(op, example.inputs) for op in (example.operator, other))
    return found


@pytest.fixture(params=pairs())
def both(request):
    """Two scenes and the one that has both."""
    a, b = (dmlviz.scene(trace) for trace in pairs()[request.param])
    return a, b, compared(a, b)


def test_both_outputs_are_there_bit_for_bit(both):
    a, b, drawn = both
    count = a.output.count
    assert drawn.output.count == count + b.output.count
    for letter, run in (("A", a.trace), ("B", b.trace)):
        for name, output in run.outputs.items():
            held = drawn.outputs[output_name(letter, name, run)]
            assert (held.dtype, held.shape) == (output.dtype, output.shape)
            assert held.tobytes() == output.tobytes()
    assert drawn.source.tolist() == [*a.source, *b.source]
    assert drawn.output_labels == a.output_labels + b.output_labels
    assert drawn.input_labels == a.input_labels
    assert drawn.naming.tolist() == [*a.naming, *b.naming]
    if a.drivers is not None:
        assert drawn.drivers.tolist() == [*a.drivers, *b.drivers]
    later = np.where(b.via < 0, -1, b.via + count)
    assert drawn.via.tolist() == [*a.via, *later]
    assert drawn.contested.tolist() == [*a.contested, *(b.contested + count)]
    places, before = drawn.covered
    assert places.tolist() == [*a.covered[0], *(b.covered[0] + count)]
    assert before.tolist() == [*a.covered[1], *b.covered[1]]


def test_the_steps_of_both_land_together(both):
    a, b, drawn = both
    assert len(drawn.steps) == max(len(a.steps), len(b.steps))
    assert drawn.step_of.tolist() == [*a.step_of, *b.step_of]
    for k, step in enumerate(drawn.steps):
        for scene in (a, b):
            if k < len(scene.steps):
                assert scene.steps[k].title in step.title
                assert scene.steps[k].caption in step.caption
                assert set(scene.steps[k].marks) <= set(step.marks)
        assert {p.tensor for p in step.points} <= {
            t.name for t in (*drawn.input.tensors, *drawn.output.tensors)
        }


def test_what_differs_is_marked_in_both(both):
    a, b, drawn = both
    where = differing_elements(a.trace.outputs, b.trace.outputs)
    count = a.output.count
    assert drawn.differing.tolist() == where + [count + i for i in where]


def test_tensors_stand_clear_of_each_other(both):
    for side in both[2].input, both[2].output:
        for k, one in enumerate(side.tensors):
            assert one.x + one.layout.width <= side.width + 1e-6
            assert one.y + one.layout.height <= side.height + 1e-6
            for other in side.tensors[:k]:
                beside = other.x + other.layout.width < one.x or one.x + one.layout.width < other.x
                assert beside or other.y + other.layout.height < one.y


def test_titles_say_what_the_two_differ_in(both):
    a, b, drawn = both
    told = print_settings(settings_apart(a.trace, b.trace))
    mine = [head for head in heads(drawn) if head.name.startswith("A")]
    assert len(mine) == len(a.output.tensors)
    assert all(told in head.whole for head in mine)


def test_a_setting_in_a_title_stands_with_its_name(both):
    for head in heads(both[2]):
        for title in head_titles(head):
            says = head.setting in title.text or head.brief in title.text
            assert says or "settings" not in title.holds
            for label, text in head.settings.items():
                if text.startswith("{") and text in title.text and text != head.sizes:
                    assert f"{label.rpartition('.')[2]}: {text}" in title.text


def test_the_player_reads_what_was_sent(node):
    scenes = [compared(*map(dmlviz.scene, runs)) for runs in pairs().values()]
    asked = json.dumps([payload(scene) for scene in scenes])
    answers = json.loads(node(JS / "check_models.mjs", text=asked))
    for scene, answer in zip(scenes, answers, strict=True):
        outputs = scene.outputs
        assert answer["names"] == [
            print_cell(i, outputs, "") for i in range(sum(x.size for x in outputs.values()))
        ]
        assert answer["labels"] == [text for x in outputs.values() for text in labels(x)]
        assert answer["source"] == scene.source.tolist()
        assert answer["stepOf"] == scene.step_of.tolist()
        assert answer["via"] in (None, scene.via.tolist())
        assert answer["covered"] == scene.covered.tolist()


def test_every_output_has_its_own_formula(node):
    scenes = [compared(*map(dmlviz.scene, runs)) for runs in pairs().values()]
    sent = [payload(scene) for scene in scenes]
    asked = [{name: one[name] for name in ("formula", "input", "output")} for one in sent]
    answers = json.loads(node(JS / "check_formulas.mjs", text=json.dumps(asked)))
    for scene, answer in zip(scenes, answers, strict=True):
        names = {
            output_name(letter, name, run): (letter, name, run)
            for letter, run in scene.runs.items()
            for name in run.outputs
        }
        for cell in range(0, scene.output.count, -(-scene.output.count // MOST_EXPLAINED)):
            tensor, index = scene.output.at(cell)
            letter, name, run = names[tensor.name]
            due = run.operator.explain(run.inputs, index, name)
            called = name if len(run.outputs) > 1 else "out"
            for own in run.outputs if len(run.outputs) > 1 else [called]:
                due = due.replace(f"{own}[", f"{output_name(letter, own, run)}[")
            assert answer["lines"][cell] == due
            if run.operator.formulas(run.inputs)[name] and tensor.role != INDEX:
                assert answer["source"][cell] == scene.source[cell]


def test_padding_values_of_their_own():
    x = np.int32([1, 2])
    one, two = (
        dmlviz.scene(dmlviz.run(dmlviz.Padding("CONSTANT", (1,), (0,), value), x))
        for value in (7, -8)
    )
    sent = payload(compared(one, two))
    assert [tensor["labels"] for tensor in sent["output"]["tensors"]] == [None, ["-8", "1", "2"]]
    assert sent["paddingLabel"] == "7"
    same = payload(compared(one, one))
    assert [tensor["labels"] for tensor in same["output"]["tensors"]] == [None, None]


def test_where_one_has_more_steps_the_other_rests():
    x = np.arange(6).reshape(2, 3)
    a, b = (dmlviz.scene(dmlviz.run(dmlviz.Tile(r), x)) for r in ((1, 2), (1, 3)))
    drawn = compared(a, b)
    assert (len(a.steps), len(b.steps), len(drawn.steps)) == (2, 3, 3)
    assert drawn.steps[2].title == f"B: {b.steps[2].title}"
    assert drawn.steps[2].caption == b.steps[2].caption


def test_a_comparison_has_a_name_of_its_own():
    a, b = (dmlviz.scene(trace) for trace in pairs()["padding-mirrors"])
    names = {scene.digest for scene in (a, b, compared(a, b), compared(b, a), compared(a, a))}
    assert len(names) == 5
    assert compared(a, b).digest == compared(a, b).digest


def test_a_comparison_can_be_taken_away():
    drawn = compared(*(dmlviz.scene(trace) for trace in pairs()["padding-mirrors"]))
    text = exports.svg(drawn, width=900)
    for told in ("PaddingMode: REFLECTION", "PaddingMode: SYMMETRIC"):
        assert told in text
    assert exports.png(drawn, width=400)[:4] == b"\x89PNG"
    assert exports.gif(drawn, width=300, seconds_per_step=0.1)[:3] == b"GIF"


def test_index_tensors_of_two_codes_keep_apart():
    code = "torch.gather(x, 0, torch.tensor([[2, 0], [0, 1]]))"
    link = {
        "code": code,
        "sizes": "x:3,2",
        "compare": "torch.index_select(x, 0, torch.tensor([2, 0]))",
    }
    state = read_code_parameters(link, usual_code(), None).state
    told = payload(compared(*state.scenes()))["formula"]
    assert told["tables"]["A.idx"]["values"] == [2, 0, 0, 1]
    assert told["tables"]["B.idx"]["values"] == [2, 0]
    assert [told["of"][letter][0]["source"][0][1] for letter in "AB"] == ["A.idx", "B.idx"]
