"""Two settings of one operator on one stage, and the table of moves."""

from __future__ import annotations

import base64

import numpy as np
import pytest

import dmlviz
from dmlviz.movement import INDEX, VALUES
from dmlviz.operators import OPERATORS
from dmlviz.operators.base import alternative_on
from dmlviz.tensors import print_value
from dmlviz.tensors.numbering import (
    differing_elements,
    located,
    print_all_sizes,
    print_cell,
    sizes_by_name,
)

CLASSES = {cls.key.replace("-", "_"): cls for cls in OPERATORS}


def toggle(shown):
    (found,) = [t for t in shown.at.toggle if t.key == f"{shown.page}_compare"]
    return found


def compare(explorer, page, **query):
    """An explorer with the other setting switched on."""
    shown = explorer(page, **query)
    toggle(shown).set_value(True).run()
    assert shown.exceptions == []
    return shown


def of_b(shown, name):
    """A widget of the other setting."""
    for kind in ("number_input", "selectbox", "text_input"):
        for found in getattr(shown.at, kind):
            if found.key == f"{shown.page}_b_{name}":
                return found
    raise KeyError(name)


def alone(shown):
    """Whether A is drawn, and B is not."""
    (stage,) = shown.stages
    return len(stage["payload"]["output"]["tensors"]) == 1


def sentence(shown):
    """What is said of the difference."""
    words = (" elements differ, first at ", "same output", "different sizes")
    (found,) = [text for text in shown.texts if any(w in text for w in words)]
    return found


def due(cls, a=None, b=None):
    """What there is to say of two operators on the first example's input."""
    example = cls.examples()[0]
    a = a or example.operator
    b = b or alternative_on(a, example.inputs)
    runs = [dmlviz.run(operator, example.inputs) for operator in (a, b)]
    one, two = (trace.outputs for trace in runs)
    sizes = [print_all_sizes(sizes_by_name(outputs)) for outputs in (one, two)]
    if sizes[0] != sizes[1]:
        return [], "The outputs have different sizes: A {}, B {}.".format(*sizes)
    where, count = differing_elements(one, two), sum(output.size for output in one.values())
    if not where:
        return [], f"A and B give the same output, all {count} elements."
    name, at = located(where[0], one)
    has = [has_of(trace, name, at) for trace in runs]
    return where, (
        f"{len(where)} of {count} elements differ, first at {print_cell(where[0], one, 'out')}: "
        f"A has {has[0]}, B has {has[1]}."
    )


def has_of(trace, name, at):
    """The value of an element and where it comes from."""
    value, source = print_value(trace.outputs[name][at]), int(trace.sources[name][at])
    if source < 0 or trace.roles[name] == INDEX:
        return value
    moving = {n: x for n, x in trace.inputs.items() if trace.roles[n] == VALUES}
    return f"{value} from {print_cell(source, moving, 'in')}"


@pytest.mark.slow
@pytest.mark.parametrize("page", CLASSES)
def test_beside_the_setting_that_people_mix_it_up_with(explorer, page):
    cls = CLASSES[page]
    shown = compare(explorer, page)
    example = cls.examples()[0]
    differing, words = due(cls)
    assert sentence(shown) == words
    (stage,) = shown.stages
    operators = (example.operator, alternative_on(example.operator, example.inputs))
    sources = [dmlviz.run(operator, example.inputs).sources for operator in operators]
    sent = np.frombuffer(base64.b64decode(stage["payload"]["source"]["bdata"]), "<i4")
    assert sent.tolist() == [int(n) for run in sources for x in run.values() for n in x.ravel()]
    # marked in both
    count = sum(source.size for source in sources[0].values())
    assert stage["payload"]["differing"] == differing + [count + i for i in differing]


@pytest.mark.slow
@pytest.mark.parametrize("page", CLASSES)
def test_switched_off_there_is_one_stage_again(explorer, page):
    shown = compare(explorer, page)
    toggle(shown).set_value(False).run()
    shown.drawn()
    (stage,) = shown.stages
    assert stage["payload"]["differing"] == []
    names = [tensor["name"] for tensor in stage["payload"]["output"]["tensors"]]
    assert not any(name.startswith(("A", "B")) for name in names)


@pytest.mark.parametrize("predict", ["true", "false"])
def test_a_wall_hides_both_outputs_until_they_are_asked_for(session, predict):
    session.open("tile", compare="true", predict=predict, present="true")
    (stage,) = session.stages
    assert len(stage["payload"]["output"]["tensors"]) == 2
    assert stage["options"]["present"]["hidden"] == (predict == "true")


def titles(shown):
    """What stands above the outputs, in full."""
    (stage,) = shown.stages
    return [titles[0]["text"] for titles in stage["payload"]["figure"]["layout"]["meta"][-2:]]


def test_titles_name_what_the_two_differ_in(explorer):
    shown = compare(explorer, "depth_to_space")
    assert titles(shown) == [
        "<b>A</b>  Order: DEPTH_COLUMN_ROW  {1, 2, 4, 6} UINT32",
        "<b>B</b>  Order: COLUMN_ROW_DEPTH  {1, 2, 4, 6} UINT32",
    ]


def test_titles_leave_out_what_a_mode_does_not_use(explorer):
    shown = compare(explorer, "padding")
    (stage,) = shown.stages
    told = stage["payload"]["figure"]["layout"]["meta"][-1]
    assert told[2]["text"] == "<b>B</b>  PaddingMode: EDGE", "EDGE has no padding value"


def test_the_same_setting_twice(explorer):
    shown = compare(explorer, "depth_to_space")
    of_b(shown, "order").set_value("DEPTH_COLUMN_ROW").run()
    assert sentence(shown) == "A and B give the same output, all 48 elements."
    (stage,) = shown.stages
    assert stage["payload"]["differing"] == []


def test_outputs_of_different_sizes(explorer):
    shown = compare(explorer, "tile")
    of_b(shown, "repeats_3").set_value(2).run()
    words = due(dmlviz.Tile, b=dmlviz.Tile((1, 3, 3, 2)))[1]
    assert sentence(shown) == words
    assert "A {1, 1, 6, 9}, B {1, 3, 6, 6}" in words
    assert [stage["payload"]["differing"] for stage in shown.stages] == [[]]


def test_reflection_beside_symmetric(explorer):
    """The pair of the operator's page that looks alike."""
    shown = explorer("padding").set(padding_mode="REFLECTION")
    toggle(shown).set_value(True).run()
    assert of_b(shown, "padding_mode").value == "SYMMETRIC"
    padding = ((0, 0, 1, 2), (0, 0, 3, 4), 9)
    words = due(
        dmlviz.Padding,
        dmlviz.Padding("REFLECTION", *padding),
        dmlviz.Padding("SYMMETRIC", *padding),
    )[1]
    assert sentence(shown) == words


def test_settings_of_a_go_on_being_used_while_b_stays(explorer):
    shown = compare(explorer, "padding")
    shown.set(padding_value="-3", data_type="INT8")
    assert "A has -3, B has 1 from in[0, 0, 0, 0]." in sentence(shown)
    assert of_b(shown, "padding_mode").value == "EDGE"
    (stage,) = shown.stages
    assert stage["payload"]["words"]["picture"].count("INT8") == 3, "one input, two outputs"


def test_a_problem_of_b_is_said_and_a_is_drawn(explorer):
    shown = compare(explorer, "depth_to_space", sizes="1,8,2,3", values="count-0")
    # two blocks that do not fit together: B keeps what A has given up
    of_b(shown, "block_size")
    shown.set(sizes="1, 9, 2, 3")
    shown.set(block_size=3)
    assert shown.exceptions == []
    assert shown.errors, "B's block of 2 does not divide 9 channels"
    assert all("BlockSize: 2 does not fit {1, 9, 2, 3}" in error for error in shown.errors)
    assert alone(shown)
    assert shown.stages[0]["payload"]["output"]["tensors"][0]["sizes"] == [1, 1, 6, 9]
    of_b(shown, "block_size").set_value(1).run()
    assert shown.errors == []
    (stage,) = shown.stages
    assert [tensor["name"] for tensor in stage["payload"]["output"]["tensors"]] == ["A", "B"]


def test_an_output_of_b_that_is_too_large(explorer):
    shown = compare(explorer, "tile")
    of_b(shown, "repeats_0").set_value(5_000).run()
    assert shown.exceptions == []
    assert any("65,536" in error for error in shown.errors)
    assert alone(shown)


def test_text_that_is_no_number_in_b(explorer):
    shown = compare(explorer, "padding")
    of_b(shown, "padding_mode").set_value("CONSTANT").run()
    of_b(shown, "padding_value").set_value("nine").run()
    assert shown.exceptions == []
    assert [error for error in shown.errors if "PaddingValue" in error and "nine" in error]
    assert alone(shown)


def test_the_sentence_of_b_stands_under_the_widgets_of_b(explorer):
    shown = compare(explorer, "tile")
    of_b(shown, "repeats_0").set_value(5_000).run()
    order = [(found.type, getattr(found, "key", None)) for found in shown.at.sidebar]
    kinds = [kind for kind, _key in order]
    keys = [key for _kind, key in order]
    error = kinds.index("error")
    assert error > keys.index("tile_b_repeats_0")


def test_cells_of_both_are_pinned_by_the_address(explorer):
    words = {"compare": "true", "b_order": "COLUMN_ROW_DEPTH", "pinned": "1:0,0,0,1;0:0,0,0,1"}
    (stage,) = explorer("depth_to_space", **words).stages
    assert stage["link"]["view"]["pinned"] == [48 + 1, 1]


def test_an_address_from_before_pins_cells_of_a(explorer):
    words = {"compare": "true", "b_order": "COLUMN_ROW_DEPTH", "pinned": "0,0,0,1"}
    (stage,) = explorer("depth_to_space", **words).stages
    assert stage["link"]["view"]["pinned"] == [1]


@pytest.mark.parametrize("page", CLASSES)
def test_the_movement_as_a_table(explorer, page):
    example = CLASSES[page].examples()[0]
    trace = dmlviz.run(example.operator, example.inputs)
    (table,) = explorer(page).at.table
    rows = table.value
    assert list(rows.columns) == [
        *(["Tensor"] if len(trace.outputs) > 1 else []),
        *["Output element", "Value", "Comes from"],
        *(["Chosen by"] if trace.drivers else []),
    ]
    assert len(rows) == sum(output.size for output in trace.outputs.values())
    role, indices = trace.operator.role, trace.operator.index_slots()
    values = {name: x for name, x in trace.inputs.items() if role(name) == VALUES}
    sources = np.concatenate([source.ravel() for source in trace.sources.values()])
    told = zip(rows["Output element"], rows["Value"], rows["Comes from"], strict=True)
    for number, (element, value, origin) in enumerate(told):
        name, index = located(number, trace.outputs)
        assert element == str(list(index))
        assert value == print_value(trace.outputs[name][index])
        source = int(sources[number])
        due = "padding value" if source < 0 else print_cell(source, values, "")
        assert origin == (f"index of {due}" if name in indices else due)


def test_a_long_table_says_how_much_it_shows(explorer):
    shown = explorer("tile", sizes="20, 20", values="count-1", repeats="2,1")
    assert len(shown.at.table[0].value) == 256
    assert "The first 256 of 800 elements." in [c.value for c in shown.at.caption]
