"""Functions, classes, attributes and variables say what they are; no two classes share a name."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.text

PACKAGE = Path(__file__).resolve().parent.parent / "dmlviz"
ROOMS = (
    *("app", "classroom", "code", "commands", "engines", "extensions", "live"),
    *("movement", "notebook", "operators", "picture", "site", "states", "teaching", "tensors"),
    "verify",
)
VAGUE = {"asked", "due", "found", "given", "held", "known", "own", "said", "seen", "shown", "told"}
VAGUE_VARIABLES = {"found", "given", "told"}
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


def variables(tree):
    """The names of parameters and variables, also those that only a part of a line has."""
    for part in ast.walk(tree):
        if isinstance(part, ast.arg):
            yield part.arg
        elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
        elif isinstance(part, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and part.name:
            yield part.name


def vague(names, vague_words=VAGUE):
    """The names with a word that says nothing, such as ``_told_first`` and ``ShownPage``."""
    words = {name: re.findall("[A-Z]?[a-z]+", TERMS.sub("", name)) for name in names}
    return [name for name, parts in words.items() if vague_words & {part.lower() for part in parts}]


def trees(folder):
    """The modules in a folder, by their paths."""
    paths = sorted(folder.rglob("*.py"))
    assert paths
    return {
        str(path.relative_to(PACKAGE)): ast.parse(path.read_text(encoding="utf-8"))
        for path in paths
    }


@pytest.mark.parametrize("room", ROOMS)
def test_names_say_what_they_are(room):
    modules = trees(PACKAGE / room).items()
    assert {path: names for path, tree in modules if (names := vague(defined(tree)))} == {}


def test_variables_say_what_they_hold():
    modules = trees(PACKAGE).items()
    wrong = {path: vague(variables(tree), VAGUE_VARIABLES) for path, tree in modules}
    assert {path: names for path, names in wrong.items() if names} == {}


def test_each_kind_of_name_is_found():
    source = "class ShownPage:\n  held: int\n\ndef _told_first():\n  page.known = 1\n  unknown = 2"
    assert vague(defined(ast.parse(source))) == ["ShownPage", "held", "_told_first", "known"]


def test_each_kind_of_variable_is_found():
    source = (
        "def f(given, *told_args, founder):\n"
        "  with a as told: found: int = 1\n"
        "  try: [b for _found, c in d]\n"
        "  except E as told_why: call(found=e.given)\n"
        "  match g:\n    case [toldFirst, *given_rest]: (found_last := g)"
    )
    every = ["given", "told_args", "told", "found", "_found", "told_why", "toldFirst", "given_rest"]
    assert set(vague(variables(ast.parse(source)), VAGUE_VARIABLES)) == {*every, "found_last"}


def test_no_two_classes_share_a_name():
    names = Counter(
        part.name
        for tree in trees(PACKAGE).values()
        for part in ast.walk(tree)
        if isinstance(part, ast.ClassDef)
    )
    assert len(names) > 400
    assert sorted(name for name, count in names.items() if count > 1) == []
