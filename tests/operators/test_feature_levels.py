"""Support at each feature level, as the pages' tables have it."""

import itertools

import pytest

import dmlviz
from dmlviz.movement import CONTROL, VALUES
from dmlviz.operators import FEATURE_LEVELS, feature_level
from dmlviz.tensors import DATA_TYPES, data_type_of
from dmlviz.verify import built_in, read_document
from tests.strategies import EACH, hold, sampled, typed

LEVELS = [
    *("1_0", "2_0", "2_1", "3_0", "3_1", "4_0", "4_1", "5_0"),
    *("5_1", "5_2", "6_0", "6_1", "6_2", "6_3", "6_4"),
]
ALL11 = sorted(DATA_TYPES)


def test_every_level_of_the_header():
    assert list(FEATURE_LEVELS) == LEVELS


PAGES = {page.key: read_document(page.text).support for page in built_in()}


def newest(key, tensor, level):
    """The row of the page's table that holds at a level; None if there is none."""
    rows = [row.support for row in PAGES[key] if row.tensor == tensor]
    rows = [row for row in rows if LEVELS.index(row.level) <= LEVELS.index(level)]
    return max(rows, key=lambda row: LEVELS.index(row.level), default=None)


@pytest.mark.slow
@EACH
def test_every_operator_has_the_levels_of_its_page(cls):
    """In each of its ranks, and in a few more states."""
    roles = sorted({slot.role for slot in cls.input_slots} or {VALUES})

    def check(run):
        operator, inputs = run
        for level, kind, role in itertools.product((*LEVELS, None), ALL11, roles):
            types = {
                name: kind if cls.role(name) == role else data_type_of(array.dtype)
                for name, array in inputs.items()
            }
            sizes = {name: array.shape for name, array in inputs.items()}
            # without inputs the type is a setting
            operator = typed(operator, kind)
            fields = [problem.field for problem in operator.problems(sizes, types, level)]
            due = due_at(operator, sizes, types, level)
            assert sorted(fields) == sorted(due), (operator, types, level)

    for rank in cls.ranks_ever():
        check(sampled(cls, rank))
    hold(check, cls, 6)


def due_at(operator, sizes, types, level):
    """The fields that a page's tables refuse at a level, or, without one, at every level."""
    key, names = operator.key, ("sizes", "data_type")
    if not operator.input_slots:
        names = ("output_tensor_sizes", "value_data_type")
        sizes = operator.outputs_after({})
        types = dict.fromkeys(sizes, operator.values_type({}))
    first = next(iter(sizes))
    row = newest(key, first.partition("[")[0], level or LEVELS[-1])
    due = {problem.field for problem in operator.level_rules(level)} if level else set()
    if row is None:
        due.add("feature_level")
    else:
        ever = operator.unlisted_types if level is None else ()
        ranked = level is None or operator.directml_rank(sizes[first]) in row.ranks
        due |= set() if ranked else {names[0]}
        due |= set() if types[first] in (*row.data_types, *ever) else {names[1]}
    indices = {name: operator.output_type(name, "") for name in operator.index_slots()}
    control = [slot.name for slot in operator.input_slots if slot.role == CONTROL]
    indices |= {name: kind for name, kind in types.items() if name in control}
    for name, kind in indices.items():
        row = newest(key, name, level or LEVELS[-1]) or newest(key, name, LEVELS[-1])
        due |= set() if kind in row.data_types else {name}
    return due


@pytest.mark.parametrize(("mode", "first"), [("SYMMETRIC", "3_0"), ("WRAP", "6_4")])
def test_modes_that_came_later(mode, first):
    operator = dmlviz.Padding(mode, (0, 0, 1, 0), (0, 0, 0, 0))
    for level in LEVELS:
        found = operator.problems((1, 1, 2, 2), "FLOAT32", level)
        if LEVELS.index(level) >= LEVELS.index(first):
            assert found == [], level
        else:
            (problem,) = found
            assert problem.field == "padding_mode"
            assert problem.message == (
                f"padding_mode: {mode} is not available at feature level {level}; feature level "
                f"{first} and above accept it."
            )


@pytest.mark.parametrize("name", ["3_1", "DML_FEATURE_LEVEL_3_1", "3.1", " dml_feature_level_3_1 "])
def test_spellings(name):
    assert feature_level(name) == "3_1"


@pytest.mark.parametrize("name", ["3_2", "7_0", "", "latest", 3.5, ["5_0"]])
def test_levels_that_do_not_exist(name):
    with pytest.raises(dmlviz.Error, match="not a DirectML feature level") as caught:
        dmlviz.Tile((1,)).problems((2,), "INT8", name)
    assert caught.value.field == "feature_level"
