"""The pages' tables of support, written down a second time, and asked about in full."""

import itertools

import pytest
from hypothesis import given, settings

import dmlviz
from dmlviz.movement import CONTROL, VALUES
from dmlviz.operators import FEATURE_LEVELS, OPERATORS, feature_level
from dmlviz.tensors import data_type_of
from dmlviz.verify import built_in, read_document
from tests.strategies import states, typed

LEVELS = [
    *("1_0", "2_0", "2_1", "3_0", "3_1", "4_0", "4_1", "5_0"),
    *("5_1", "5_2", "6_0", "6_1", "6_2", "6_3", "6_4"),
]
FLOATS = {"FLOAT32", "FLOAT16"}
S8 = FLOATS | {"INT32", "INT16", "INT8", "UINT32", "UINT16", "UINT8"}
ALL11 = S8 | {"FLOAT64", "INT64", "UINT64"}
ANY = set(range(1, 9))

_BLOCKS = {
    **dict.fromkeys(["1_0", "2_0"], (set(), set())),
    **dict.fromkeys(["2_1", "3_0", "3_1", "4_0", "4_1"], ({4}, S8)),
    **dict.fromkeys(LEVELS[7:], ({4}, ALL11)),
}
TABLE = {
    "tile": {
        **dict.fromkeys(["1_0", "2_0"], ({4}, FLOATS)),
        **dict.fromkeys(["2_1", "3_0"], ({4}, S8)),
        **dict.fromkeys(["3_1", "4_0"], (ANY, S8)),
        **dict.fromkeys(LEVELS[6:], (ANY, ALL11 - {"FLOAT64"})),
    },
    "padding": {
        **dict.fromkeys(["1_0", "2_0"], ({4, 5}, FLOATS)),
        **dict.fromkeys(["2_1", "3_0"], ({4, 5}, S8)),
        **dict.fromkeys(["3_1", "4_0", "4_1"], (ANY, S8)),
        **dict.fromkeys(LEVELS[7:], (ANY, ALL11)),
    },
    "depth-to-space": _BLOCKS,
    "space-to-depth": _BLOCKS,
}


def of_rank(key, rank):
    return {
        "tile": dmlviz.Tile([1] * rank),
        "padding": dmlviz.Padding("EDGE", [1] * rank, [0] * rank),
        "depth-to-space": dmlviz.DepthToSpace(1),
        "space-to-depth": dmlviz.SpaceToDepth(1),
    }[key]


def test_every_level_of_the_header():
    assert list(FEATURE_LEVELS) == LEVELS


@pytest.mark.parametrize(("key", "level"), [*itertools.product(TABLE, LEVELS)])
def test_table(key, level):
    ranks, data_types = TABLE[key][level]
    for rank, data_type in itertools.product(range(1, 9), sorted(ALL11)):
        found = of_rank(key, rank).problems([2] * rank, data_type, level)
        wrong = {problem.field for problem in found}
        if key.endswith(("space", "depth")) and rank != 4:
            assert wrong == {"sizes"}, (rank, data_type)
        elif not ranks:
            assert wrong == {"feature_level"}, (rank, data_type)
        else:
            due = {"sizes"} if rank not in ranks else set()
            due |= {"data_type"} if data_type not in data_types else set()
            assert wrong == due, (rank, data_type)


PAGES = {page.key: read_document(page.text).support for page in built_in()}


def newest(key, tensor, level):
    """The row of the page's table that holds at a level; None if there is none."""
    rows = [row.support for row in PAGES[key] if row.tensor == tensor]
    rows = [row for row in rows if LEVELS.index(row.level) <= LEVELS.index(level)]
    return max(rows, key=lambda row: LEVELS.index(row.level), default=None)


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_every_operator_has_the_levels_of_its_page(cls):
    roles = sorted({slot.role for slot in cls.input_slots} or {VALUES})

    @settings(max_examples=20)
    @given(states(cls))
    def check(state):
        operator, inputs = state
        for level, kind, role in itertools.product((*LEVELS, None), sorted(ALL11), roles):
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

    check()


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
        ranked = level is None or operator.described_rank(sizes[first]) in row.ranks
        due |= set() if ranked else {names[0]}
        due |= set() if types[first] in (*row.data_types, *ever) else {names[1]}
    indices = {name: operator.output_type(name, "") for name in operator.index_slots()}
    control = [slot.name for slot in operator.input_slots if slot.role == CONTROL]
    indices |= {name: kind for name, kind in types.items() if name in control}
    for name, kind in indices.items():
        row = newest(key, name, level or LEVELS[-1]) or newest(key, name, LEVELS[-1])
        due |= set() if kind in row.data_types else {name}
    return due


@pytest.mark.parametrize("key", TABLE)
def test_without_a_level_directml_itself_decides(key):
    for data_type in ALL11:
        assert of_rank(key, 4).problems((2, 2, 2, 2), data_type) == []


@pytest.mark.parametrize(
    ("key", "rank", "data_type", "level", "field", "words"),
    [
        ("tile", 5, "FLOAT32", "2_1", "sizes", "5 dimensions are not accepted by DML_TILE at feature level 2_1, which takes 4; feature level 3_1 and above accept it."),
        ("padding", 6, "INT8", "3_0", "sizes", "takes 4 or 5; feature level 3_1 and above"),
        ("tile", 4, "INT64", "4_0", "data_type", "INT64 is not accepted by DML_TILE at feature level 4_0, which takes FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8; feature level 4_1 and above accept it."),
        ("padding", 4, "FLOAT64", "4_1", "data_type", "feature level 5_0 and above accept it."),
        ("padding", 4, "UINT8", "2_0", "data_type", "feature level 2_1 and above accept it."),
        ("space-to-depth", 4, "UINT64", "3_0", "data_type", "feature level 5_0 and above"),
        ("depth-to-space", 4, "FLOAT32", "1_0", "feature_level", "1_0 does not have DML_DEPTH_TO_SPACE1; it was added in feature level 2_1."),
    ],
)  # fmt: skip
def test_the_message_says_which_level_would(key, rank, data_type, level, field, words):
    (problem,) = of_rank(key, rank).problems([2] * rank, data_type, level)
    assert problem.field == field
    assert problem.message.startswith(f"{field}: ")
    assert words in problem.message


@pytest.mark.parametrize("level", ["1_0", "4_1", "6_4"])
def test_tile_of_float64_is_listed_nowhere_and_runs(level):
    assert dmlviz.Tile((1,) * 4).problems((2,) * 4, "FLOAT64") == []
    (problem,) = dmlviz.Tile((1,) * 4).problems((2,) * 4, "FLOAT64", level)
    assert problem.field == "data_type"
    assert f"no feature level lists FLOAT64 for DML_TILE, not even {level};" in problem.message
    assert "DirectML 1.15.4 still runs it" in problem.message


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
