"""Pages of operators with several inputs and outputs."""

import pytest

from dmlviz.operators import OPERATORS
from dmlviz.states.inputs import input_names, list_slot, several_outputs

SEVERAL = [
    cls for cls in OPERATORS if len(cls.input_slots) > 1 or list_slot(cls) or several_outputs(cls)
]
PAGES = [cls.key.replace("-", "_") for cls in SEVERAL]


def press(shown, name):
    key = f"{shown.page}_{name}"
    next(button for button in shown.at.button if button.key == key).click().run()
    assert not shown.at.exception
    return shown


def heads(shown):
    return [head.value for head in shown.at.sidebar.subheader]


def drawn(shown):
    """The tensors of the picture, and their sizes."""
    sent = shown.stages[0]["payload"]
    tensors = [*sent["input"]["tensors"], *sent["output"]["tensors"]]
    return {tensor["name"]: tensor["sizes"] for tensor in tensors}


@pytest.mark.parametrize("cls", SEVERAL, ids=lambda cls: cls.key)
def test_each_tensor_has_a_block_of_its_name(explorer, cls):
    shown = explorer(cls.key.replace("-", "_"))
    names = list(cls.examples()[0].inputs)
    alone = len(names) == 1 and not list_slot(cls)
    assert heads(shown)[:-1] == (["Input"] if alone else names)
    assert set(names) < set(drawn(shown))
    assert not shown.at.exception


def test_control_types_are_those_that_the_operator_takes(explorer):
    shown = explorer("gather")
    box = shown.widget("IndicesTensor_data_type")
    assert set(box.options) == {"INT64", "INT32", "UINT64", "UINT32"}
    assert "A picture" not in shown.widget("IndicesTensor_values").options


def test_a_pasted_tensor_brings_its_sizes_and_type(explorer):
    shown = explorer("gather").set(IndicesTensor_values="own")
    assert shown.widget("IndicesTensor_literal").value
    shown.set(IndicesTensor_literal="IndicesTensor: (Sizes:{2}, DataType:INT32)\n[1, 0]")
    assert shown.widget("IndicesTensor_sizes").value == "2"
    assert shown.widget("IndicesTensor_data_type").value == "INT32"
    assert drawn(shown)["OutputTensor"] == [2]
    assert shown.at.query_params["IndicesTensor.literal"] == "1,0"


def test_what_is_wrong_stands_beside_its_tensor_and_nothing_typed_is_lost(explorer):
    shown = explorer("gather").set(IndicesTensor_values="own")
    shown.set(IndicesTensor_literal="[9]")
    assert [error.startswith("IndicesTensor: 9 ") for error in shown.errors] == [True]
    shown.set(IndicesTensor_sizes="x")
    assert len(shown.errors) == 1
    assert shown.errors[0].startswith("Sizes of IndicesTensor: ")
    assert shown.widget("IndicesTensor_literal").value == "[9]"
    shown.set(IndicesTensor_sizes="1", IndicesTensor_literal="[1]")
    assert not shown.errors
    # of two fields for sizes, a sentence says which
    shown.set(sizes="x")
    assert [error.startswith("Sizes of InputTensor: ") for error in shown.errors] == [True]
    shown.set(sizes="4")
    assert drawn(shown)["IndicesTensor"] == [1]


def test_indices_follow_in_rank_alone(explorer):
    shown = explorer("gather").set(sizes="4, 6")
    assert shown.widget("IndicesTensor_sizes").value == "1, 5"
    assert shown.widget("IndicesTensor_literal").value == "[[3, 1, 3, 0, 2]]"
    assert drawn(shown)["OutputTensor"] == [5, 6]
    assert shown.set(sizes="4").widget("IndicesTensor_sizes").value == "5"


def test_indices_stay_at_their_places_and_new_ones_are_said(explorer):
    shown = explorer("gather_elements").set(sizes="4, 4", IndicesTensor_sizes="2, 4")
    assert shown.widget("IndicesTensor_literal").value == "[[1, 2, 0, 0],\n [2, 0, 0, 0]]"
    assert "2 new places hold 0." in [caption.value for caption in shown.at.caption]
    shown.set(IndicesTensor_sizes="3, 4")
    assert shown.widget("IndicesTensor_literal").value.endswith("[2, 0, 0, 0],\n [0, 0, 0, 0]]")
    assert "4 new places hold 0." in [caption.value for caption in shown.at.caption]
    shown.set(IndicesTensor_literal="[[3, 2, 0, 0],\n [2, 0, 0, 0],\n [0, 0, 0, 1]]")
    assert drawn(shown)["OutputTensor"] == [3, 4]
    assert not any("new place" in caption.value for caption in shown.at.caption)


def test_sizes_that_are_refused_on_the_way_change_no_index(explorer):
    shown = explorer("gather_elements").set(IndicesTensor_values="own", IndicesTensor_sizes="x")
    shown.set(IndicesTensor_sizes="4, 3")
    assert not shown.errors
    assert shown.value("IndicesTensor_literal").startswith("[[1, 2, 0],\n [2, 0, 0],\n [0, 0, 0]")


def test_sizes_on_the_way_to_others_leave_no_trace_and_what_follows_is_said(explorer):
    def notice():
        return [c.value for c in shown.at.caption if c.value.startswith("Changed to fit")]

    shown = explorer("gather_elements")
    first = shown.state()
    shown.set(sizes="9")
    assert not shown.errors
    shown.set(sizes="3, 3, 3")
    assert not shown.errors
    assert (shown.value("IndicesTensor_sizes"), shown.value("axis")) == ("3, 2, 3", 1)
    assert len(notice()) == 1
    assert "Sizes of IndicesTensor: {2, 3} before, {3, 2, 3} now" in notice()[0].replace("\\", "")
    assert "Axis: 0 before, 1 now" in notice()[0]
    assert "12 new places hold 0." in [caption.value for caption in shown.at.caption]
    shown.set(sizes="3, 3")
    assert shown.state() == first
    assert not notice()
    # what the reader sets is what the next sizes start from
    shown.set(sizes="3, 3, 3", axis=2)
    assert not notice()
    assert shown.set(sizes="3, 3").value("axis") == 1


def test_a_list_grows_shrinks_and_follows(explorer):
    shown = explorer(
        "join", sizes="2,3", values="count-1", axis="0", **{"InputTensors[1].sizes": "4,3"}
    )
    shown.set(tensors=3)
    assert heads(shown)[:3] == [f"InputTensors[{k}]" for k in range(3)]
    assert drawn(shown)["OutputTensor"] == [10, 3]
    # equal dimensions follow, the others stay
    shown.set(sizes="2, 5")
    assert [shown.widget(f"InputTensors[{k}]_sizes").value for k in (1, 2)] == ["4, 5"] * 2
    shown.set(tensors=1)
    assert heads(shown)[:1] == ["InputTensors[0]"]
    assert drawn(shown) == {"InputTensors[0]": [2, 5], "OutputTensor": [2, 5]}
    assert shown.at.query_params["InputTensors[0].sizes"] == "2,5"
    # a number that no list has stays in its box
    shown.set(tensors=0)
    assert shown.refused("not a whole number from 1 to 8")
    assert shown.value("tensors") == 0


def test_a_link_opens_every_tensor(explorer):
    shown = explorer(
        "join",
        sizes="1,2",
        axis="1",
        values="own",
        literal="7,8",
        **{"InputTensors[1]": "[[5, 6, 9]]", "InputTensors[3].sizes": "1"},
    )
    assert drawn(shown)["OutputTensor"] == [1, 5]
    (warning,) = shown.at.warning
    assert "it needs InputTensors[2] before it" in warning.value.replace("\\", "")


def test_the_table_names_tensors_and_what_chose(explorer):
    table = explorer("gather").at.table[0].value
    assert list(table.columns) == ["Output element", "Value", "Comes from", "Chosen by"]
    assert table["Chosen by"][0] == "IndicesTensor[0]"
    table = explorer("split").at.table[0].value
    assert next(iter(table.columns)) == "Tensor"
    assert set(table["Tensor"]) == set(list(drawn(explorer("split")))[1:])


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("word", ["compare", "predict", "present", "embed"])
def test_every_way_to_look(explorer, page, word):
    shown = explorer(page, sections=False, **{word: "true"})
    assert not shown.at.exception
    assert not shown.errors
    assert shown.stages


@pytest.mark.parametrize("cls", SEVERAL, ids=lambda cls: cls.key)
def test_the_first_input_keeps_its_keys(cls):
    assert input_names(cls, 2)[0] == cls.first_input()


def test_a_refusal_that_is_asked_about_waits_for_the_answer(explorer):
    own = {"sizes": "2,1", "values": "own", "literal": "3,0", "data_type": "INT64"}
    shown = explorer(
        "gather_elements",
        sizes="2,3",
        data_type="INT32",
        values="count-1",
        axis="1",
        **{f"IndicesTensor.{name}": text for name, text in own.items()},
    )
    assert not shown.errors
    assert "There is no picture of this; the answer says why." in [i.value for i in shown.at.info]
    next(button for button in shown.at.button if button.label == "Answer").click().run()
    assert shown.whole().errors[0].startswith("IndicesTensor: 3 at [0, 0] is outside")


def test_outputs_of_several_types_have_a_type_each(explorer):
    shown = explorer("top_k", data_type="INT8")
    assert shown.told[1].endswith(", OutputValueTensor INT8, OutputIndexTensor UINT32")
