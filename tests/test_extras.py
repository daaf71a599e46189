"""What an extra brings is imported where a sentence says how to install it."""

import ast
import sys
from importlib import import_module

import pytest

import dmlviz
from dmlviz.base.extras import NotInstalled, extra
from tests.every import every
from tests.installing import EXTRAS, asked, modules
from tests.test_architecture import FILES, PAGES, name, room

ALONE = {*modules(asked()), *sys.stdlib_module_names, "dmlviz"}
BROUGHT = {one: modules(asked(one)) - ALONE for one in EXTRAS}
ROOMS = {"app": "app", "classroom": "app", "pages": "app"}
"""Rooms whose every module needs an extra, which the package's first file or app.py asks for."""

IMPORTED_BY = {"pytest": "pytest_plugin"}
"""Modules that import one of ours, and so need no extra in it."""


def type_checking(node):
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def asked_extra(node):
    """The extra that a ``with`` statement names, or None."""
    if isinstance(node, ast.With):
        call = node.items[0].context_expr
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "extra":
            return ast.literal_eval(call.args[0])
    return None


def imports_of(node, within=None):
    """Each module that is imported when the program runs, and the extra around it."""
    if type_checking(node):
        return
    if isinstance(node, ast.Import):
        yield from ((alias.name.split(".")[0], within) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield node.module.split(".")[0], within
    for child in ast.iter_child_nodes(node):
        yield from imports_of(child, asked_extra(node) or within)


@every("path", FILES + PAGES, ids=name)
def test_an_import_names_the_extra_that_brings_it(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for module, named in imports_of(tree):
        if module not in ALONE and IMPORTED_BY.get(module) != room(path):
            named = named or ROOMS.get(room(path))
            assert named is not None, f"{module}: no extra is named"
            assert module in BROUGHT[named], f"{module}: {named} does not bring it"


@pytest.mark.parametrize("package", ["app", "classroom"])
def test_the_rooms_of_an_extra_ask_for_it_first(monkeypatch, package):
    for loaded in [*sys.modules]:
        if loaded == f"dmlviz.{package}" or loaded.startswith(f"dmlviz.{package}."):
            monkeypatch.delitem(sys.modules, loaded)
    for missing in BROUGHT["app"]:
        monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(NotInstalled, match=r'is not installed; run pip install "dmlviz\[app\]"\.$'):
        import_module(f"dmlviz.{package}")


def test_a_missing_package_is_one_kind_of_error():
    with pytest.raises(dmlviz.Error) as caught, extra("mkdocs", "plugins"):
        import_module("a_package_that_is_missing.of_it")
    assert isinstance(caught.value, ModuleNotFoundError)
    assert (caught.value.name, caught.value.field) == ("a_package_that_is_missing", "plugins")
    assert str(caught.value).startswith("plugins: a_package_that_is_missing is not installed;")


def test_a_missing_module_of_dmlviz_is_a_fault_of_its_own():
    with pytest.raises(ModuleNotFoundError) as caught, extra("mkdocs"):
        import_module("dmlviz.missing")
    assert not isinstance(caught.value, NotInstalled)
