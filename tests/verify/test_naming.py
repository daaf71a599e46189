import pytest

import dmlviz
from dmlviz.verify.naming import class_of, classes_with, names_operator, structure_of

A, B = "DML_TILE_OPERATOR_DESC", "DML_CAST_OPERATOR_DESC"


@pytest.mark.parametrize(
    "text",
    [
        f"{B}\nstruct {B}\nUID: NS:directml.{A}",
        f"# {B}\nstruct {B}\nNS:directml.{A}",
        f"# {B}\n{B}\nstruct {A} {{",
        f"{B}\n# {B}\ntitle: {A}",
        f"{B} is its inverse\n\n## The {A} structure",
        f"{A} structure; see also {B}",
    ],
)
def test_the_surest_sign_counts(text):
    assert structure_of(text) == A


@pytest.mark.parametrize("text", ["", "DML_TILE", f"X{A}", f"{A}_2", "dml_tile_operator_desc"])
def test_no_name(text):
    assert structure_of(text) == ""


def test_classes():
    assert class_of(A) is dmlviz.Tile
    assert class_of(B) is None
    assert class_of("") is None
    assert classes_with(["BlockSize"]) == (dmlviz.DepthToSpace, dmlviz.SpaceToDepth)
    assert classes_with(["PaddingMode", "EndPadding"]) == (dmlviz.Padding,)
    assert classes_with(["Repeats", "BlockSize"]) == ()


@pytest.mark.parametrize(
    ("text", "file", "fields"),
    [
        (f"UID: NS:directml.{A}", "", ()),
        (f"UID: NS:directml.{A.replace('TILE', 'TLE')}", "", ()),
        ("UID: NS:directml.DML_PADING_OPERATOR_DESC", "", ()),
        (f"UID: NS:directml.{B}", "pages/ns-directml-dml_tile_operator_desc.md", ()),
        (f"A tutorial.\n\n## {B}\n\n## {A}", "", ()),
        (f"{A} structure (directml.h)\nLike {B}.", "", ()),
        (f"A tutorial. After {B}, tiling.", "", ["Repeats"]),
        ("", "", ["BlockSize"]),
    ],
)
def test_a_page_of_ours(text, file, fields):
    assert names_operator(text, file, fields)


@pytest.mark.parametrize(
    ("text", "file", "fields"),
    [
        ("", "", ()),
        (f"See {A}.", "readme.md", ()),
        (f"UID: NS:directml.{B}\n# {A}", "", ["Repeats"]),
        # other versions of ours share our fields
        ("struct DML_PADDING2_OPERATOR_DESC {", "", ["StartPadding", "EndPadding"]),
        ("DML_DEPTH_TO_SPACE2_OPERATOR_DESC structure", "", ["BlockSize"]),
        ("# DML_CAST_OPERATOR_DESC", "ns-directml-dml_cast_operator_desc.md", ()),
        ("", "", ["Repeats", "BlockSize"]),
        ("", "dml_tile_operator_desc/readme.md", ()),
        ("", "dml_tile_operator_desc\\readme.md", ()),
    ],
)
def test_a_page_of_others(text, file, fields):
    assert not names_operator(text, file, fields)
