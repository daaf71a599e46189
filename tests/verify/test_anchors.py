import pytest

from dmlviz.verify.anchors import Block, Field, anchors
from dmlviz.verify.text import plain


def read(page):
    source = plain(page)
    return source, anchors(source)


def values(page):
    return [(a.name, a.value) for a in read(page)[1] if isinstance(a, Field)]


@pytest.mark.parametrize(
    ("page", "value"),
    [
        ("Repeats: {1, 2}", "{1, 2}"),
        ("**Repeats:** {1,\n 2}", "{1,\n 2}"),
        ("Repeats:\n{1}", "{1}"),
        ("- Repeats : [1] and more", "[1]"),
    ],
)
def test_lists(page, value):
    assert values(page) == [("Repeats", value)]


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("BlockSize: 2", [("BlockSize", "2")]),
        ("BlockSize: 2.", [("BlockSize", "2.")]),
        ("PaddingValue: -1.5e3f\n", [("PaddingValue", "-1.5e3f")]),
        ("PaddingValue: NaN", [("PaddingValue", "NaN")]),
        ("PaddingMode: EDGE,\n", [("PaddingMode", "EDGE")]),
        (
            "Order: DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH",
            [("Order", "DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH")],
        ),
        ("RepeatsCount: 2 Repeats: {1, 1}", [("RepeatsCount", "2"), ("Repeats", "{1, 1}")]),
    ],
)
def test_other_values(page, found):
    assert values(page) == found


@pytest.mark.parametrize(
    "page",
    [
        "Repeats: how many copies there are.",
        "Repeats\nType: const UINT*",
        "BlockSize: UINT\n",
        "BlockSize: 2nd field",
        "PaddingMode: DML_PADDING_MODE. The mode.",
        "desc.Repeats: {1}",
        "desc->BlockSize: 2",
        "MyRepeats: {1}",
        "InputTensor: the tensor to read",
        "InputTensor: const DML_TENSOR_DESC*",
        "OutputTensor: { Batch, Channels, Height * 2 }",
    ],
)
def test_prose(page):
    assert read(page)[1] == ()


def tensor(page):
    source, (block,) = read(page)
    assert isinstance(block, Block)
    return source.text[block.start : block.end]


def test_a_tensor_ends_with_its_last_bracket():
    assert tensor("InputTensor: (Sizes:{2}, DataType:INT8)\n[1, 2] [3]") == (
        "(Sizes:{2}, DataType:INT8)\n[1, 2]"
    )
    assert tensor("OutputTensor: {{1}, {2}}; done") == "{{1}, {2}}"


def test_a_tensor_without_an_end_stops_at_the_next_thing():
    assert tensor("InputTensor: [[1, 2]\n [3, 4]\n\n[link](x)") == "[[1, 2]\n [3, 4]"
    assert tensor("InputTensor: [[1, 2]\n## Next [1]") == "[[1, 2]"
    _, (block, field) = read("InputTensor: [[1, 2] Repeats: {1}")
    assert (block.end, field.name) == (21, "Repeats")


@pytest.mark.parametrize(
    ("before", "title"),
    [
        ("Example 1\n", "Example 1"),
        ("### Example 1. Two copies\n\n```\n", "Example 1. Two copies"),
        ("## Ejemplo\n", "Ejemplo"),
        ("**Exemple 2**\n---\n", "Exemple 2"),
        ("Examples\n", ""),
        ("Use 2 copies:\n", ""),
        ("Example 1\nSome words of prose.\n", ""),
        ("1" * 200 + "\n", ""),
    ],
)
def test_titles(before, title):
    (field,) = read(before + "Repeats: {1}")[1]
    assert field.title == title
    assert field.line == before.count("\n") + 1
