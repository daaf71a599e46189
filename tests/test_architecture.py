"""Dependencies point the way that CONTRIBUTING.md says."""

import ast
import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dmlviz
from tests.every import every
from tests.storeys import STOREYS

pytestmark = pytest.mark.text

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "dmlviz"
FILES = sorted(PACKAGE.rglob("*.py"))
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]

APART = {
    # a scene is of a run, whatever made it
    "picture": {"code"},
    # two that are read and run elsewhere than pages are verified
    "classroom": {"verify"},
    "live": {"verify", "classroom"},
    "site": {"classroom", "notebook"},
    "notebook": {"code", "verify", "teaching", "classroom", "live", "site"},
    "extensions": {"tensors", "movement", "operators", "teaching", "classroom", "live", "notebook"},
    "commands": {"classroom", "notebook", "extensions"},
    # the server is a host beside the others
    "app": {"live", "site", "notebook", "extensions", "commands"},
    "__init__": {"classroom", "live", "site", "extensions", "commands", "app"},
    "__main__": {room for rooms in STOREYS.values() for room in rooms} - {"base", "commands"},
    "pages": {
        "classroom",
        "live",
        "site",
        "notebook",
        "extensions",
        "commands",
        "__init__",
        "__main__",
    },
}
"""What a room does not import although it is below or to its left."""

UPWARD = {
    # the operator that does the same as code has an address, which a state writes
    ("dmlviz/code/same.py", "dmlviz.states.links"),
    # an operator's own code is written by the libraries' forms
    ("dmlviz/operators/base.py", "dmlviz.code.dialects"),
}
"""The arrows up."""

CORE = STOREYS["core"]


def may_import(own):
    """The rooms below a room, those to its left in its own storey, and itself."""
    allowed = {own}
    for rooms in STOREYS.values():
        if own in rooms:
            return (allowed | {*rooms[: rooms.index(own)]}) - APART.get(own, set())
        allowed |= {*rooms}
    raise AssertionError(f"{own} is in no storey")


ONLY_IN = {
    "streamlit": {"app", "pages"},
    "pandas": {"app", "pages"},
    "plotly": {"picture"},
    "onnxruntime": {"engines"},
    "onnx": set(),
    "PIL": {"picture"},
    "resvg_py": {"picture"},
    "einops": {"code"},
    "segno": {"picture", "teaching", "classroom"},
    "polib": {"base"},
    "cachetools": {"base"},
    "jinja2": {"base"},
    "markupsafe": {"base"},
    "msgspec": {"base", "teaching", "classroom"},
    "sqlalchemy": {"classroom"},
    "psycopg": {"classroom"},
    "platformdirs": {"classroom"},
    "sphinx": {"extensions"},
    "docutils": {"extensions"},
    "mkdocs": {"extensions"},
    "anywidget": {"notebook"},
    "traitlets": {"notebook"},
}
KINDS = {"Tile", "DepthToSpace", "SpaceToDepth", "Padding", "BlockOperator"}


def test_the_order_is_the_documented_one():
    """The document that the first line of this file names has it."""
    (document,) = re.findall(r"\S+\.md", __doc__)
    text = (ROOT / document).read_text(encoding="utf-8")
    (order,) = re.findall(r"`([^`]+ <- [^`]+)`", text)
    rooms = order.split(" <- ")
    for place, own in enumerate(rooms):
        assert not may_import(own) & {*rooms[place + 1 :]}, own
        assert place == 0 or rooms[place - 1] in may_import(own), own


def test_the_guide_has_every_storey():
    """Its layout names the storeys, from the top down, and below each its rooms."""
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    headings = re.findall(r"^  # (.+?):", guide, re.MULTILINE)
    storeys = [name for name in STOREYS if name != "front door"]
    assert headings == ["core", "uses", "hosts", "base"]
    assert sorted(headings) == sorted(storeys)
    for heading in headings:
        _before, _heading, rest = guide.partition(f"\n  # {heading}:")
        below = re.split(r"\n(?:  #|\w)", rest)[0]
        assert sorted(re.findall(r"^  (\w+)/ ", below, re.MULTILINE)) == sorted(STOREYS[heading])


def room(path):
    if path in PAGES:
        return "pages"
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def parts(path):
    """Everything a file is made of."""
    return ast.walk(ast.parse(path.read_text(encoding="utf-8")))


@functools.cache
def imports(path):
    """Full names of all modules that a file names, the guarded and the late ones included."""
    found = []
    for part in parts(path):
        if isinstance(part, ast.Import):
            found += [alias.name for alias in part.names]
        elif isinstance(part, ast.ImportFrom):
            assert part.level == 0, f"{path}: relative import"
            if part.module == "dmlviz":
                found += [f"dmlviz.{alias.name}" for alias in part.names]
            else:
                found.append(part.module)
    return found


def name(path):
    return path.relative_to(ROOT).as_posix()


@every("path", FILES + PAGES, ids=name)
def test_dependencies_point_one_way(path):
    allowed = may_import(room(path))
    for module in imports(path):
        if module.startswith("dmlviz.") and (name(path), module) not in UPWARD:
            assert module.split(".")[1] in allowed, module


def test_the_arrow_up_is_there():
    """Take it off the list when it is cut."""
    for path, module in UPWARD:
        assert module in imports(ROOT / path), path


@every("path", FILES + PAGES, ids=name)
def test_each_library_has_its_room(path):
    for module in imports(path):
        top = module.split(".")[0]
        if top == "plotly" and name(path) == "dmlviz/app/server.py":
            continue  # which version to serve
        assert room(path) in ONLY_IN.get(top, {room(path)}), module


def test_a_scene_is_that_of_a_run_whatever_made_it():
    operator = [name(f) for f in FILES if room(f) == "picture" and "dmlviz.operators" in imports(f)]
    assert operator == ["dmlviz/picture/staged.py"]


@every("path", [f for f in FILES if room(f) in CORE], ids=name)
def test_the_core_names_numpy_only(path):
    for module in imports(path):
        top = module.split(".")[0]
        assert top in {"numpy", "dmlviz"} or top in sys.stdlib_module_names, module


ALONE = """
import importlib, pkgutil, sys
import copy, pickle, numpy  # the first two look for modules of Jython

CORE = {core}

class Refusal:
    def find_spec(self, name, path=None, target=None):
        top, _dot, room = name.partition(".")
        room = room.split(".")[0]
        if top == "dmlviz" and room in ("", "base", *CORE):
            return None
        if top == "numpy" or top in sys.stdlib_module_names:
            return None
        refused.append(name)
        raise ImportError(name)

refused = []
sys.meta_path.insert(0, Refusal())
for room in CORE:
    package = importlib.import_module(f"dmlviz.{{room}}")
    for module in pkgutil.walk_packages(package.__path__, f"{{package.__name__}}."):
        importlib.import_module(module.name)
from dmlviz.engines.trace import run
from dmlviz.operators import operator_class
trace = run(operator_class("tile")((1, 3)), numpy.arange(2).reshape(1, 2), "numpy")
print(trace.output.tolist(), trace.source.tolist(), refused)
"""


def test_the_core_runs_with_numpy_alone():
    """All its modules are imported, and an operator runs, where nothing else can be imported."""
    done = subprocess.run(
        [sys.executable, "-c", ALONE.format(core=CORE)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[[0, 1, 0, 1, 0, 1]] [[0, 1, 0, 1, 0, 1]] []"


@every("path", [f for f in FILES + PAGES if room(f) != "operators"], ids=name)
def test_nobody_asks_which_operator_it_is(path):
    for part in parts(path):
        if isinstance(part, ast.Call) and getattr(part.func, "id", "") in (
            "isinstance",
            "issubclass",
        ):
            asked = {getattr(n, "id", getattr(n, "attr", "")) for n in ast.walk(part.args[1])}
            assert not asked & KINDS, f"line {part.lineno}"
        if isinstance(part, ast.MatchClass):
            assert getattr(part.cls, "id", "") not in KINDS


@every("path", FILES + PAGES, ids=name)
def test_types_of_tensors_are_declared_once(path):
    """Import them from ``dmlviz/tensors/types.py``."""
    if name(path) == "dmlviz/tensors/types.py":
        return
    for part in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(part, ast.Assign):
            assert ast.unparse(part.value) not in ("np.ndarray[Any, Any]", "tuple[int, ...]")


@every("path", FILES + PAGES, ids=name)
def test_no_file_is_long(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 700


def test_importing_dmlviz_is_light():
    code = (
        "import sys, dmlviz\n"
        "heavy = {'streamlit', 'plotly', 'pandas', 'onnxruntime', 'onnx', 'PIL', 'sqlalchemy'}\n"
        "heavy |= {'polib', 'anywidget', 'ipywidgets'}\n"
        "at_once = {'numpy', 'dmlviz.operators', 'importlib.metadata'} & sys.modules.keys()\n"
        "dmlviz.run(dmlviz.Tile((2,)), [1])\n"
        "print(sorted(at_once), sorted(heavy & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == "[] []"


def test_packages_do_not_hide_the_functions_of_their_names():
    code = (
        "import dmlviz.code, dmlviz.engines\n"
        "print(*(f.__name__ for f in (dmlviz.code, dmlviz.engines)))"
    )
    command = [sys.executable, "-c", code]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    assert told.stdout.split() == ["code", "engines"]


@pytest.mark.slow
def test_operators_can_be_imported_alone():
    for module in (
        *(*CORE, "code", "picture", "states"),
        "picture.figure",
        "teaching.practice",
        "teaching.search",
        "picture.exports",
        "verify",
    ):
        subprocess.run(
            [sys.executable, "-c", f"import dmlviz.{module}"], cwd=ROOT, check=True, timeout=60
        )


PUBLIC = (
    *("Tile", "DepthToSpace", "SpaceToDepth", "Padding", "operator_from_desc", "run", "engines"),
    *("player", "figure", "link", "Error", "EngineUnavailable", "EngineRefused", "Problem"),
)


@pytest.mark.parametrize("public", PUBLIC)
def test_public_names(public):
    assert public in dmlviz.__all__
    assert getattr(dmlviz, public) is not None


def test_all_is_complete_and_sorted():
    assert all(hasattr(dmlviz, public) for public in dmlviz.__all__)
    assert list(dmlviz.__all__) == sorted(dmlviz.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = dmlviz.Nothing


def test_one_family_of_errors():
    assert issubclass(dmlviz.Error, ValueError)
    for child in ("EngineUnavailable", "EngineRefused", "LiteralError", "Refused", "TooLarge"):
        assert issubclass(getattr(dmlviz, child), dmlviz.Error)


def test_what_passes_between_rooms_is_frozen():
    import dataclasses

    for frozen in (dmlviz.Tile, dmlviz.Padding, dmlviz.Trace, dmlviz.Scene, dmlviz.Engine):
        assert frozen.__dataclass_params__.frozen
    with pytest.raises(dataclasses.FrozenInstanceError):
        dmlviz.Tile((2,)).repeats = (3,)
    assert hash(dmlviz.Padding("EDGE", [1], [2])) == hash(dmlviz.Padding("EDGE", (1,), (2,)))
