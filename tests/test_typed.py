"""What type checkers read of the package, where it is installed, is what Python runs."""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
import sys
import sysconfig
import venv

import pytest

import dmlviz
import dmlviz.operators
from dmlviz.base.places import ROOT
from dmlviz.operators import OPERATORS
from tests.stubs import stubs

ARRAY = "numpy.ndarray[Any, Any]"
TYPES = {
    "dmlviz.Tile((1, 2)).repeats": "tuple[int, ...]",
    "Tile((1, 2)).repeats": "tuple[int, ...]",
    "dmlviz.Padding('EDGE', (1,), (2,)).padding_value": "float",
    "dmlviz.run(dmlviz.Tile((2,)), [1]).source": ARRAY,
    "dmlviz.run(dmlviz.Tile((2,)), [1]).outputs": f"typing.Mapping[str, {ARRAY}]",
    "dmlviz.code('x.T', x=(2, 3)).same_as": "tuple[dmlviz.code.same.Same, ...]",
    "dmlviz.code(b'').parts": "tuple[dmlviz.code.model.ModelPart, ...]",
    "dmlviz.__version__": "str",
}
ERRORS = {
    "dmlviz.Tile(repeat=3)": "call-arg",
    "Tile(repeat=3)": "call-arg",
    "dmlviz.Tile()": "call-arg",
    "dmlviz.Tile(repeats=3)": "arg-type",
    "dmlviz.Tile((1, 2)).repeat": "attr-defined",
    "dmlviz.Tile((1, 2)).repeats = (3,)": "misc",
    "dmlviz.OneHot(axis=0)": "call-arg",
    "dmlviz.ScatterND(1, depth=2)": "call-arg",
    "dmlviz.TopK(0, 1, 'INCREASING', 'UINT64', 5)": "call-arg",
    "dmlviz.run('Tile')": "arg-type",
    "dmlviz.code(3)": "call-overload",
    "dmlviz.sys": "attr-defined",
    "dmlviz.Nothing": "attr-defined",
    "from dmlviz.operators import Nothing": "attr-defined",
}
"""Wrong uses, and mypy's name for what is wrong."""


@pytest.fixture(scope="module")
def mypy_says(tmp_path_factory):
    """What mypy says of a file's lines in a project that has dmlviz among its packages."""
    folder = tmp_path_factory.mktemp("project")
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv" / "bin" / "python"
    scheme = {"base": str(folder / "venv"), "platbase": str(folder / "venv")}
    packages = sysconfig.get_path("purelib", "venv", scheme)
    hidden = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "dmlviz", f"{packages}/dmlviz", ignore=hidden)
    # all other packages are those of the tests
    others = "\n".join({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
    (folder / packages / "others.pth").write_text(others, encoding="utf-8")

    def told(lines):
        (folder / "uses.py").write_text("\n".join(lines), encoding="utf-8")
        options = ("--strict", "--config-file=", "--no-pretty", "--cache-dir", "cache")
        command = [sys.executable, "-m", "mypy", *options, "--python-executable", python, "uses.py"]
        ran = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=300, check=False
        )
        assert not ran.stderr, ran.stderr
        said = re.findall(r"^uses\.py:(\d+): (note|error): (.*)$", ran.stdout, re.MULTILINE)
        assert len(said) == len(ran.stdout.splitlines()) - 1, ran.stdout
        return [(lines[int(number) - 1], kind, text) for number, kind, text in said]

    return told


def constructor(cls):
    """The type of an operator's class, as mypy prints it, from the parameters that Python has."""
    parameters = ", ".join(
        f"{one.name}: {one.annotation}" + (" =" if one.default is not one.empty else "")
        for one in inspect.signature(cls).parameters.values()
    )
    return f"def ({parameters}) -> {cls.__module__}.{cls.__name__}"


def test_a_type_checker_sees_what_python_has_and_refuses_the_rest(mypy_says):
    due = TYPES | {f"dmlviz.{cls.__name__}": constructor(cls) for cls in OPERATORS}
    lines = ["import dmlviz", "from dmlviz.operators import Tile"]
    lines += [*(f"reveal_type({use})" for use in due), *ERRORS]
    said = mypy_says(lines)
    revealed = {line: text for line, kind, text in said if kind == "note" and "Revealed" in text}
    assert revealed == {
        f"reveal_type({use})": f'Revealed type is "{text}"' for use, text in due.items()
    }
    errors = {line: text.rpartition("[")[2][:-1] for line, kind, text in said if kind == "error"}
    assert errors == ERRORS


def test_its_stubs_are_those_of_the_names_it_has():
    for path, text in stubs():
        assert (ROOT / path).read_text(encoding="utf-8") == text, "run python -m tests.stubs"


def test_it_shows_its_public_names_alone():
    assert dir(dmlviz) == dmlviz.__all__
    ran = "import dmlviz, sys; print(*dir(dmlviz)); assert 'dmlviz.code' not in sys.modules"
    told = subprocess.run(
        [sys.executable, "-c", ran],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert told.stdout.split() == dmlviz.__all__


def test_help_says_an_operators_parameters_and_what_they_are():
    assert str(inspect.signature(dmlviz.Tile)) == "(repeats: 'tuple[int, ...]') -> None"
    for cls in OPERATORS:
        text = inspect.getdoc(cls)
        assert all(f"{name}:" in text for name in inspect.signature(cls).parameters), cls
