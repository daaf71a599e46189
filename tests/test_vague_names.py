"""Functions, classes and attributes of these rooms say what they are, and no two classes share a name."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "dmlviz"
ROOMS = (
    *("app", "classroom", "code", "commands", "engines", "extensions", "live"),
    *("movement", "notebook", "operators", "picture", "site", "states", "teaching", "tensors"),
    "verify",
)
VAGUE = {"asked", "due", "found", "given", "held", "known", "own", "said", "seen", "shown", "told"}
TERMS = re.compile("NotFound|[Oo]wn_?[Pp]icture")
"""A word of HTTP, and what the app calls a picture that a reader brings."""


def defined(tree):
    """The names of functions, classes and attributes."""
    for part in ast.walk(tree):
        if isinstance(part, ast.FunctionDef | ast.ClassDef):
            yield part.name
        if isinstance(part, ast.ClassDef):
            yield from (
                field.target.id
                for field in part.body
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
            )
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
            yield part.attr


def vague(tree):
    """The names with a word that says nothing, such as ``_told_first`` and ``ShownPage``."""
    words = {name: re.findall("[A-Z]?[a-z]+", TERMS.sub("", name)) for name in defined(tree)}
    return [name for name, parts in words.items() if VAGUE & {part.lower() for part in parts}]


@pytest.mark.parametrize("room", ROOMS)
def test_names_say_what_they_are(room):
    paths = sorted((PACKAGE / room).rglob("*.py"))
    assert paths
    trees = {path.name: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    assert {name: names for name, tree in trees.items() if (names := vague(tree))} == {}


def test_each_kind_of_name_is_found():
    source = "class ShownPage:\n  held: int\n\ndef _told_first():\n  page.known = 1\n  unknown = 2"
    assert vague(ast.parse(source)) == ["ShownPage", "held", "_told_first", "known"]


def test_no_two_classes_share_a_name():
    names = Counter(
        part.name
        for path in PACKAGE.rglob("*.py")
        for part in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(part, ast.ClassDef)
    )
    assert len(names) > 400
    assert sorted(name for name, count in names.items() if count > 1) == []
