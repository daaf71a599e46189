"""Pages that contradict themselves or DirectML.h beside their examples."""

import pytest

from dmlviz.verify import built_in, read_document, verify

PAGES = {page.key: page for page in built_in()}
TILE, PADDING = PAGES["tile"], PAGES["padding"]
DEPTH, SPACE = PAGES["depth-to-space"], PAGES["space-to-depth"]


def changed(page, old, new):
    assert old in page.text, old
    text = page.text.replace(old, new, 1)
    where = page.text[: page.text.index(old)].count("\n") + 1
    document = read_document(text)
    assert {v.status for v in verify(document)} == {"match"}
    return where, [(f.line, f.message) for f in document.findings]


@pytest.mark.parametrize("page", built_in(), ids=lambda page: page.key)
def test_pages_that_are_right(page):
    assert read_document(page.text).findings == ()


STRUCTS = [
    (TILE, "  UINT RepeatsCount;\n", "", "the member RepeatsCount is missing."),
    (TILE, "UINT RepeatsCount", "UINT RepeatCount", "DirectML.h has no member RepeatCount."),
    (TILE, "UINT RepeatsCount", "INT RepeatsCount", "RepeatsCount is INT on the page, UINT in"),
    (TILE, "const UINT *Repeats;", "const UINT Repeats;", "Repeats is UINT on the page, UINT* in"),
    (DEPTH, "UINT BlockSize", "FLOAT BlockSize", "BlockSize is FLOAT on the page, UINT in"),
    (
        DEPTH,
        "DML_DEPTH_SPACE_ORDER Order;",
        "DML_PADDING_MODE Order;",
        "Order is DML_PADDING_MODE on the page, DML_DEPTH_SPACE_ORDER in DirectML.h.",
    ),
    (
        DEPTH,
        "  UINT BlockSize;\n  DML_DEPTH_SPACE_ORDER Order;\n",
        "  DML_DEPTH_SPACE_ORDER Order;\n  UINT BlockSize;\n",
        "the order of members in DirectML.h is InputTensor, OutputTensor, BlockSize, Order.",
    ),
    (PADDING, "FLOAT PaddingValue", "UINT PaddingValue", "PaddingValue is UINT on the page, FLOAT"),
    (SPACE, "DML_TENSOR_DESC *OutputTensor", "UINT *OutputTensor", "OutputTensor is UINT* on the"),
    (
        TILE,
        "const UINT *Repeats;",
        "const UINT *Repeats[4];",
        'cannot read the member "const UINT *Repeats[4]"',
    ),
]


@pytest.mark.parametrize(("page", "old", "new", "message"), STRUCTS)
def test_a_changed_declaration(page, old, new, message):
    _where, found = changed(page, old, new)
    line = page.text[: page.text.index("struct DML_")].count("\n") + 1
    assert any(n == line and m.startswith(f"struct: {message}") for n, m in found), found


@pytest.mark.parametrize(
    "declared",
    [
        "  _Field_size_(RepeatsCount) const UINT* Repeats; // one for each dimension\n",
        "  CONST_FREE const UINT * Repeats ;\n".replace("CONST_FREE ", ""),
    ],
)
def test_declarations_in_another_dress(declared):
    assert changed(TILE, "  const UINT *Repeats;\n", declared)[1] == []


def test_a_heading_with_the_other_orders_name():
    _where, found = changed(DEPTH, "Example 1. Depth-column-row", "Example 1. Column-row-depth")
    assert [message for _line, message in found] == [
        "the heading names COLUMN_ROW_DEPTH, but Order is DEPTH_COLUMN_ROW in this example."
    ]


@pytest.mark.parametrize(
    ("heading", "wrong"),
    [
        ("Example 1. The EDGE mode", True),
        ("Example 1. DML_PADDING_MODE_EDGE", True),
        ("Example 1. CONSTANT, not EDGE", False),
        ("Example 1. Over the edge", False),
        ("Example 1. EDGES", False),
    ],
)
def test_a_heading_with_another_mode(heading, wrong):
    _where, found = changed(PADDING, "Example 1. A constant", heading)
    assert [
        message.startswith("the heading names EDGE, but PaddingMode") for _, message in found
    ] == [True] * wrong


@pytest.mark.parametrize(
    "reference", ["See Example 7.", "(see [Example 7](#example-7))", "Example 0"]
)
def test_an_example_that_there_is_not(reference):
    document = read_document(f"{PADDING.text}\n{reference}\n")
    (found,) = document.findings
    assert found.line == PADDING.text.count("\n") + 2
    assert found.message.startswith("the page mentions Example ")
    assert found.message.endswith(", but has no such example.")


def test_examples_that_there_are():
    document = read_document(f"{PADDING.text}\nSee Example 4, and for example 7 of these.\n")
    assert document.findings == ()


def test_findings_are_bounded():
    declared = (
        "struct DML_TILE_OPERATOR_DESC {" + "".join(f"UINT a{n};" for n in range(300)) + "}\n"
    )
    page = TILE.text[TILE.text.index("## -struct-fields") :]
    document = read_document(declared + "See Example 7.\n" * 300 + page)
    assert 0 < len(document.findings) <= 40
