"""What a newcomer's operator must have: everything that the rest takes from it."""

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.operators import OPERATORS, by_family, operator_class
from dmlviz.operators.per_dimension import PerDimension
from dmlviz.operators.settings import Choice
from dmlviz.operators.texts import FAMILIES, family_title
from dmlviz.picture.words import alt_text
from dmlviz.tensors import data_type_of
from tests.strategies import ONE_TENSOR

pytestmark = pytest.mark.text

PACKAGE = Path(__file__).resolve().parents[1] / "dmlviz"
ROOT = Path(__file__).resolve().parents[1]
EACH = pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
EXAMPLES = [(cls, example) for cls in OPERATORS for example in cls.examples()]
EACH_EXAMPLE = pytest.mark.parametrize(
    ("cls", "example"), EXAMPLES, ids=[f"{c.key}: {e.title}" for c, e in EXAMPLES]
)


def test_every_operator_is_found_by_its_words():
    names = [path.stem for path in PACKAGE.glob("operators/*.toml")]
    names += [path.parent.name for path in PACKAGE.glob("operators/*/operator.py")]
    assert sorted(cls.key.replace("-", "_") for cls in OPERATORS) == sorted(names)
    places = [cls.place for cls in OPERATORS]
    assert places == sorted(set(places))


def test_the_first_four_are_there_in_their_order():
    first = ["tile", "depth-to-space", "space-to-depth", "padding"]
    assert [cls.key for cls in OPERATORS if cls.key in first] == first
    assert len({cls.place for cls in OPERATORS}) == len(OPERATORS)


@EACH
def test_it_says_how_it_is_taught(cls):
    assert cls.texts().family in FAMILIES
    assert cls.texts().icon
    assert cls.title()
    assert cls.sentence().endswith(".")


def test_every_operator_stands_in_its_family():
    families = by_family()
    assert list(families) == list(FAMILIES)
    assert sorted(cls.key for kin in families.values() for cls in kin) == sorted(
        cls.key for cls in OPERATORS
    )
    assert len({family_title(family) for family in FAMILIES}) == len(FAMILIES)
    kin = {cls.key: family for family, found in families.items() for cls in found}
    told = {"tile": "copy", "slice": "rearrange", "gather": "pick", "scatter": "put"}
    assert kin.items() >= {**told, "split": "combine", "join": "combine", "padding": "fill"}.items()


@EACH
def test_its_key_is_the_pages_address(cls):
    assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", cls.key)
    assert not (ROOT / "pages" / f"{cls.key.replace('-', '_')}.py").exists()
    assert [other.key for other in OPERATORS].count(cls.key) == 1


@EACH
def test_it_is_found_by_its_key(cls):
    assert operator_class(cls.key) is cls


@pytest.mark.parametrize("key", ["", "Tile", "resize", None, ["tile"]])
def test_keys_of_nothing(key):
    with pytest.raises(
        dmlviz.Error, match=f"is not one of {OPERATORS[0].key}, {OPERATORS[1].key}, "
    ) as caught:
        operator_class(key)
    assert caught.value.field == "operator"


@EACH
def test_its_names_are_directmls(cls):
    assert cls.operator_type.startswith("DML_OPERATOR_")
    kind = cls.operator_type.removeprefix("DML_OPERATOR_")
    assert cls.structure == f"DML_{kind}_OPERATOR_DESC"


@EACH
def test_every_field_is_offered_and_explained(cls):
    parameters = cls.parameters()
    assert {p.name for p in parameters} == {f.name for f in dataclasses.fields(cls)}
    assert len({p.label for p in parameters}) == len(parameters)
    for parameter in parameters:
        assert parameter.help.endswith(".")
        assert parameter.label.lower().replace(".", "") == parameter.name.replace("_", "")
    first = cls.examples()[0].operator
    now = first.settings
    told = {p.label for p in parameters if not p.unspoken(now[p.name])}
    # sizes and types of outputs that are free are told of the tensors
    members, free = set(cls.members), {*cls.free_tensors, *cls.typed_tensors}
    assert told & members == set(first.desc) - free == set(first.desc) & members


EACH_OF_ONE = pytest.mark.parametrize("cls", ONE_TENSOR, ids=lambda cls: cls.key)


@EACH_OF_ONE
def test_offered_values_can_be_had(cls):
    example = cls.examples()[0]
    for parameter in cls.parameters():
        if isinstance(parameter, Choice):
            options = parameter.options(example.x.shape)
            assert getattr(example.operator, parameter.name) in options
            assert parameter.initial in options
        elif type(parameter) is PerDimension:
            neutral = parameter.neutral(example.x.shape)
            options = [(parameter.least,) * len(neutral), neutral]
        elif parameter.ranked or parameter.listed:
            # what suits the other settings too, the test after this one looks at
            options = []
        else:
            options = [parameter.initial]
        for option in options:
            changed = dataclasses.replace(example.operator, **{parameter.name: option})
            assert changed.problems(example.x.shape, data_type_of(example.x)) == []


@EACH_OF_ONE
def test_neutral_values_go_together(cls):
    example = cls.examples()[0]
    sizes = example.x.shape
    plain = cls(**{p.name: p.neutral(sizes) for p in cls.parameters()})
    assert plain.problems(sizes, data_type_of(example.x)) == []


@EACH
def test_impossible_values_are_refused(cls):
    example = cls.examples()[0]
    sizes = {name: array.shape for name, array in example.inputs.items()}
    now, first = example.operator.settings, next(iter(sizes.values()), ())
    for parameter in cls.parameters():
        for value in parameter.refused(now[parameter.name], first):
            changed = dataclasses.replace(example.operator, **{parameter.name: value})
            assert changed.problems(sizes, None), value


def test_only_block_sizes_that_divide_are_offered():
    assert dmlviz.DepthToSpace.block_sizes((1, 36, 5, 7)) == (1, 2, 3, 6)
    assert dmlviz.SpaceToDepth.block_sizes((1, 5, 12, 18)) == (1, 2, 3, 6)
    assert dmlviz.SpaceToDepth.block_sizes((1, 1, 7, 11)) == (1,)


def test_the_padding_value_is_offered_for_constant_only():
    (value,) = [p for p in dmlviz.Padding.parameters() if p.name == "padding_value"]
    assert value.used({"padding_mode": "CONSTANT"})
    assert not value.used({"padding_mode": "EDGE"})


@EACH_EXAMPLE
def test_examples_run_at_the_newest_level(cls, example):
    operator, inputs = example.operator, example.inputs
    assert isinstance(operator, cls)
    assert example.title
    assert example.source.startswith(cls.structure)
    assert operator.refusals(inputs, "6_4") == []
    trace = dmlviz.run(operator, example.x)
    assert trace.agrees
    for name, due in operator.evaluate(inputs).items():
        np.testing.assert_array_equal(trace.outputs[name], due, strict=True)


@EACH_EXAMPLE
def test_examples_are_told_in_words(cls, example):
    trace = dmlviz.run(example.operator, example.x)
    scene = dmlviz.scene(trace)
    assert scene.steps
    for step in scene.steps:
        assert step.title
        assert step.caption.endswith(".")
    told = alt_text(scene)
    assert all(step.title in told and step.caption in told for step in scene.steps[:12])
    first = next(iter(trace.outputs.values()))
    assert "] = " in example.operator.explain(example.inputs, (0,) * first.ndim)


# The first state of a page is what the documentation prints: input and last row of the output.
FIRST = {
    "tile": ([1, 2, 3, 4, 5, 6], [4, 5, 6, 4, 5, 6, 4, 5, 6]),
    "depth-to-space": ([9 * c + i for c in range(8) for i in range(6)], [48, 66, 49, 67, 50, 68]),
    "space-to-depth": (
        [
            *(0, 18, 1, 19, 2, 20, 36, 54, 37, 55, 38, 56),
            *(3, 21, 4, 22, 5, 23, 39, 57, 40, 58, 41, 59),
            *(9, 27, 10, 28, 11, 29, 45, 63, 46, 64, 47, 65),
            *(12, 30, 13, 31, 14, 32, 48, 66, 49, 67, 50, 68),
        ],
        [66, 67, 68],
    ),
    "padding": ([1, 2, 3, 4, 5, 6, 7, 8] * 2, [9] * 10),
}


@pytest.mark.parametrize("key", FIRST)
def test_the_first_example_is_the_documentations(key):
    example = operator_class(key).examples()[0]
    x, last_row = FIRST[key]
    assert example.x.ravel().tolist() == x
    output = dmlviz.run(example.operator, example.x).output
    assert output.reshape(-1, output.shape[-1])[-1].tolist() == last_row
