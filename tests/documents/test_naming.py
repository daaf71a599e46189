import pytest

import dmlviz
from dmlviz.documents.naming import class_of, classes_with, structure_of

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
    assert classes_with(["StartPadding", "EndPadding"]) == (dmlviz.Padding,)
    assert classes_with(["Repeats", "BlockSize"]) == ()
