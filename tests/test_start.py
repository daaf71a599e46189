"""What a command does not use is not imported, and no package is before it is needed."""

import ast
import gc
import graphlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from benchmarks.start import PAGE
from dmlviz.base import importing
from dmlviz.commands import COMMANDS
from dmlviz.tensors.numbering import distinct
from tests.test_architecture import FILES, PAGES, room

ROOT = Path(__file__).resolve().parents[1]

HOSTS = {"streamlit", "pandas", "plotly", "sqlalchemy", "starlette", "jinja2", "anywidget", "tqdm"}
"""What draws pages and serves them."""
ENGINES = {"onnxruntime", "onnx", "PIL", "resvg_py", "polib", "multiprocessing", "numpy.ma"}
"""What runs models, writes pictures and catalogues; NumPy imports its own part when it is asked."""
PICTURES = {"dmlviz.picture.svg", "dmlviz.picture.page", "dmlviz.picture.figure", "xml.etree"}


def imported(*arguments):
    """The modules that a command has imported when it ends, and the TOML files that it has read."""
    code = (
        "import sys\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, of: event == 'open' and opened.append(str(of[0])))\n"
        "from dmlviz.__main__ import main\n"
        "try:\n    code = main(sys.argv[1:])\n"
        "except SystemExit as error:\n    code = error.code\n"
        "words = [path for path in opened if path.endswith('.toml')]\n"
        "print('\\n', *sorted(sys.modules), *words, sep='\\n')\n"
        "sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return {*done.stdout.split("\n\n")[-1].split()}


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_what_a_program_says_of_itself_needs_nothing(option):
    modules = imported(option)
    assert not modules & (HOSTS | ENGINES | PICTURES | {"numpy", "msgspec", "markdown_it"})
    packages = {module.split(".")[1] for module in modules if module.startswith("dmlviz.")}
    assert packages == {"__main__", "base", "commands"}
    assert not [one for one in COMMANDS if f"dmlviz.commands.{one}" in modules]


def test_a_line_of_code_imports_no_page_and_no_picture():
    modules = imported("code", "x.T", "--input", "x=2,3")
    assert not modules & (HOSTS | ENGINES | PICTURES | {"msgspec", "markdown_it", "dmlviz.verify"})
    assert "dmlviz.code" in modules
    # an operator's words are read when one is said
    assert sum(module.endswith(".toml") for module in modules) < 3


def test_a_page_is_verified_without_pictures_and_processes(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    modules = imported("verify", str(page))
    assert not modules & (HOSTS | ENGINES | PICTURES | {"msgspec", "concurrent.futures.process"})
    assert "dmlviz.verify" in modules
    assert sum(module.endswith(".toml") for module in modules) < 3


AT_ONCE = {
    "PIL": {"picture"},
    "anywidget": {"notebook"},
    # pytest itself imports it
    "pytest": {"pytest_plugin"},
    "docutils": {"extensions"},
    "einops": {"code"},
    "jinja2": {"base"},
    "markdown_it": {"extensions", "verify"},
    "markupsafe": {"base"},
    "mkdocs": {"extensions"},
    "msgspec": {"base", "classroom", "teaching"},
    "platformdirs": {"classroom"},
    "resvg_py": {"picture"},
    "segno": {"classroom", "teaching"},
    "sphinx": {"extensions"},
    "sqlalchemy": {"classroom"},
    "starlette": {"app", "base", "classroom"},
    "streamlit": {"app", "pages"},
    "traitlets": {"notebook"},
    "uvicorn": {"app"},
}
"""The packages that modules import when they are imported, by room; NumPy is imported anywhere.

Any other one is imported in the function that needs it."""


def later_parts(tree):
    """The ids of the nodes in functions, and of those that only type checkers read."""
    later = [
        part
        for part in ast.walk(tree)
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
        or (isinstance(part, ast.If) and ast.unparse(part.test) == "TYPE_CHECKING")
    ]
    return {id(inner) for part in later for inner in ast.walk(part)}


def imported_at_once(path):
    """The packages that are not Python's, of a file's imports that run when it is imported."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    outside = later_parts(tree)
    for part in ast.walk(tree):
        if id(part) not in outside:
            names = [alias.name for alias in part.names] if isinstance(part, ast.Import) else []
            names += [part.module] if isinstance(part, ast.ImportFrom) else []
            yield from (top for full in names if (top := full.split(".")[0]) not in OURS)


OURS = {"dmlviz", "pages", "numpy", *sys.stdlib_module_names}


def test_packages_are_imported_at_once_only_where_they_may_be():
    found = {}
    for path in FILES + PAGES:
        for package in imported_at_once(path):
            found.setdefault(package, set()).add(room(path))
    assert found == AT_ONCE


@given(
    st.lists(arrays.arrays(np.int64, st.integers(0, 9), elements=st.integers(-3, 3)), min_size=1)
)
def test_distinct_numbers_are_those_of_numpy(several):
    due = np.unique(np.concatenate(several))
    assert distinct(*several).tolist() == due.tolist()
    assert distinct(*several).dtype == due.dtype


SERVER = """
import asyncio, sys, threading
import app
print(*sorted(sys.modules), sep="\\n")
print("then")

async def run():
    async with app.lifespan(None):
        threads = [one for one in threading.enumerate() if one.name == "preparing"]
        assert len(threads) == 1, threads
        await asyncio.to_thread(threads[0].join)

asyncio.run(run())
print(*sorted(sys.modules), sep="\\n")
"""


def test_a_server_answers_before_it_loads_what_visitors_need(tmp_path):
    environment = os.environ | {"DMLVIZ_DATABASE": str(tmp_path / "classes.db")}
    done = subprocess.run(
        [sys.executable, "-c", SERVER],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    before, after = ({*part.split()} for part in done.stdout.split("\nthen\n"))
    pages = {f"dmlviz.app.{path.stem}" for path in (ROOT / "dmlviz" / "app").glob("[!_]*.py")}
    assert "dmlviz.app.practice_page" in pages - before
    assert pages - after == set()
    # for a grid, and for other languages
    assert not before & {"pandas", "polib"}


def imports_at_once(path):
    """Modules of dmlviz that a file imports when it is imported, by their full names."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    outside = later_parts(tree)
    for part in ast.walk(tree):
        if isinstance(part, ast.ImportFrom) and id(part) not in outside:
            yield part.module
            yield from (f"{part.module}.{alias.name}" for alias in part.names)


def test_no_module_imports_one_that_imports_it():
    """Two threads that import such modules at a time would each get an unfinished one."""
    files = {".".join(f.relative_to(ROOT).with_suffix("").parts): f for f in FILES}
    files = {module.removesuffix(".__init__"): file for module, file in files.items()}
    graph = {
        # a package is there, if unfinished, when one of its modules is imported
        module: {
            of
            for of in imports_at_once(file)
            if of in files and not f"{module}.".startswith(f"{of}.")
        }
        for module, file in files.items()
    }
    assert sum(map(len, graph.values())) > 1_000
    graphlib.TopologicalSorter(graph).prepare()


def test_nothing_looks_for_garbage_while_much_is_imported(tmp_path, monkeypatch):
    (tmp_path / "much_of_it.py").write_text("import gc\non = gc.isenabled()\n", encoding="utf-8")
    (tmp_path / "none_of_it.py").write_text("raise ImportError('none')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    registered = []
    monkeypatch.setattr(importing.atexit, "register", registered.append)
    assert not importing.import_much("much_of_it").on
    assert gc.isenabled()
    with pytest.raises(ImportError, match="none"):
        importing.import_much("none_of_it")
    assert gc.isenabled()
    assert gc.freeze in registered
