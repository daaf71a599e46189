"""Whatever anybody asks for, what is kept of it is bounded in bytes: nobody adds a cache unseen.

Three ways to find one: the sources name it, an object of the process is one, or something that
a module holds has grown while the app was used.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib
import inspect
import pkgutil
import subprocess
import sys
import types
from collections import deque

import pytest

import dmlviz
from dmlviz.app import result, stage
from dmlviz.base.cache import CachedFunction
from dmlviz.picture.formats import DATA, PICTURES, PictureLook
from tests.app.conftest import EXPLORERS, ROOT, Session
from tests.every import every
from tests.limits import CACHES

SOURCES = [*sorted((ROOT / "dmlviz").rglob("*.py")), *(ROOT / "pages").glob("*.py")]

FEW = {
    "dmlviz.states.inputs._examples": "an operator in a language that has a catalogue",
    "dmlviz.classroom.assets._bytes": "a file of ours",
    "dmlviz.code.arguments._signature": "a function of a library's table",
    "dmlviz.code.model_nodes._parameters": "an operator that is read; another is an error",
    "dmlviz.code.operator._class": "256 sets of names of tensors, of 4,000 characters each at most",
    "dmlviz.code.source.parsed": "8 texts of 4,000 characters and 2,000 parts each at most",
    "dmlviz.verify.anchors._anchor": "the structures of operators and their older forms",
    "dmlviz.verify.built_in._built_in": "a language that has a catalogue",
    "dmlviz.verify.statements.probes": "an operator and one of 8 ranks: a few states of small numbers",
    "dmlviz.verify.anchors._line": "the settings of an operator, or of all",
    "dmlviz.engines.worker._runner": "an engine of ours, on an adapter that is there",
    "dmlviz.picture.lettering._face": "16 faces of 1 MB",
    "dmlviz.picture.lettering._file_of": "2,048 letters with the name of a file",
    "dmlviz.picture.lettering._font_path": "64 names of files",
    "dmlviz.base.templates._environment": "a folder of ours",
    "dmlviz.operators.declaration._parameters": "an operator, in a locale that has a catalogue",
    "dmlviz.states.state._first_states": "an operator; another key is an error",
    "dmlviz.tensors.starting.picture": "one of PICTURES; another is an error",
    "dmlviz.app.form_widgets._file": "a file of ours",
    "dmlviz.app.page._groups": "the form of a state",
    "dmlviz.app.page._rows": "the rows of a state",
    "dmlviz.app.result._script": "a file of ours",
    "dmlviz.app.packed._bytes": "a file of Streamlit's; another is not kept",
    "dmlviz.base.words.vocabularies.vocabulary": "two vocabularies in a language that has a catalogue",
    "dmlviz.base.words._catalogue": "a language that has a catalogue",
    "dmlviz.base.words._locale": "a language that has a catalogue, in one of two vocabularies",
}
"""Caches of functools whose function takes arguments, and why they stay small."""

LATER = {
    "dmlviz.base.cache.CachedFunction._made": "a function",
    "dmlviz.base.cache.CachedFunction._results": "the cache itself, bounded in bytes",
    "dmlviz.app.outcome.PageOutcome.preset": "one of the presets, which are kept anyhow",
    "dmlviz.app.outcome.PageOutcome.verdict": "two sentences",
    "dmlviz.code.chain.Chain._constant_values": "the chain's own constants once more",
    "dmlviz.code.refusals.CodeRefused.around": "of refusals that nothing keeps",
    "dmlviz.code.between.Between.model": "a run of at most 1,024 elements",
    "dmlviz.code.between.Between.formula": "a text",
    "dmlviz.code.observing.Observed.formula": "a text",
    "dmlviz.app.outcome.PageOutcome.parameters": "the words of an address",
    "dmlviz.code.equal_operators._Subject.result": "while a search lasts",
    "dmlviz.code.equal_operators._Subject.sample": "while a search lasts",
    "dmlviz.code.equal_operators._Subject.x": "while a search lasts",
    "dmlviz.code.chain.Chain.formulas": "rules of a few KB, and tables of indices as int64",
    "dmlviz.code.chain.Chain.tensors": "names",
    "dmlviz.code.chain.Chain.unnamed": "names",
    "dmlviz.code.model_walk.ModelWalk._departs": "while a model is read",
    "dmlviz.code.model_walk.ModelWalk._makers": "while a model is read",
    "dmlviz.code.native_run.NativeTrace.disagreements": "one for each element that differs",
    "dmlviz.code.operator.CodeOperator.chain": "the chain of a run, which the run has",
    "dmlviz.movement.linear.Linear._hash": "a number",
    "dmlviz.movement.linear.Linear.weight": "a number",
    "dmlviz.verify.report.Report._baseline_places": "the known problems of a page",
    "dmlviz.verify.statements._Case.places": "while a page is read",
    "dmlviz.code.operator.CodeOperator.choosing": "index tensors and drivers, which its run has",
    **dict.fromkeys(
        (f"dmlviz.code.equal_operators._Subject.{name}" for name in ("x", "sample", "result")),
        "while operators are looked for",
    ),
    "dmlviz.code.running.ChainTrace.same_as": "no cache holds a trace of code",
    "dmlviz.code.running.ChainTrace.steps": "no cache holds a trace of code",
    "dmlviz.verify.statements._Case.lists": "while a page is read; no report holds it",
    "dmlviz.verify.statements._Case.output": "while a page is read; no report holds it",
    "dmlviz.verify.text.PageText._newlines": "while a page is read; no report holds it",
    "dmlviz.verify.text.PageText._pieces": "while a page is read; no report holds it",
    "dmlviz.operators.rulers.Ruler.places": "while code or steps are written; nothing holds a ruler",
    "dmlviz.operators.rulers.Ruler.repeats": "a number",
    "dmlviz.picture.scene.Scene.digest": "64 letters",
    **dict.fromkeys(
        (
            f"dmlviz.movement.linear.{name}.range"
            for name in (
                *("Atom", "IfLess", "Index", "Inside", "Limited", "Linear", "Look", "Other"),
                *("Quotient", "Remainder"),
            )
        ),
        "two numbers, while a formula is made",
    ),
    "dmlviz.movement.steps.Part.order": "as many bytes as the elements of the part as int64",
    "dmlviz.movement.steps.Part.places": "the same",
    "dmlviz.movement.value.Movement.steps": "at most 20 bytes for each element of the outputs",
    "dmlviz.engines.trace.Trace.movement": "its sources are the trace's; a rule of a few KB, and indices as int64",
    "dmlviz.states.own_picture.PictureChoice.part": "256 by 256 pixels at most",
}
"""What objects make when it is first asked for, uncounted where they are kept."""


def module_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def functions(tree, prefix):
    """All functions of a file by their full name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{prefix}.{node.name}"
            if not isinstance(node, ast.ClassDef):
                yield name, node
            yield from functions(node, name)


def last(decorator):
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    return getattr(node, "attr", getattr(node, "id", ""))


def few_by_type(function):
    """Whether a function has no arguments, or none but true or false."""
    told = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return not (function.args.vararg or function.args.kwarg) and all(
        argument.annotation is not None and ast.unparse(argument.annotation) == "bool"
        for argument in told
    )


def cached_functions(decorators):
    return {
        name: function
        for path in SOURCES
        for name, function in functions(ast.parse(path.read_text("utf-8")), module_of(path))
        if {last(one) for one in function.decorator_list} & decorators
    }


def test_caches_of_functools_have_few_entries():
    found = cached_functions({"cache", "lru_cache"})
    assert {name for name, function in found.items() if not few_by_type(function)} == set(FEW)


def test_what_objects_keep_of_themselves_is_known():
    assert set(cached_functions({"cached_property"})) == set(LATER)


@every("path", SOURCES, ids=module_of)
def test_nothing_else_caches(path):
    """A cache is a decorator of ours or of functools: what neither test above sees is not there."""
    tree = ast.parse(path.read_text("utf-8"))
    decorators = {
        part
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        for part in ast.walk(decorator)
    }
    for node in ast.walk(tree):
        name = getattr(node, "attr", getattr(node, "id", ""))
        assert name not in {"cache_data", "cache_resource", "WeakValueDictionary"}
        if name in {"cache", "lru_cache", "cached_property"} and isinstance(node, ast.expr):
            assert node in decorators, f"line {node.lineno}: {name} that decorates nothing"
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {alias.name for alias in node.names} | {getattr(node, "module", "")}
            assert "cachetools" not in names or module_of(path) == "dmlviz.base.cache"


@pytest.fixture(scope="module")
def modules():
    """Every module of the project."""
    found = pkgutil.walk_packages(dmlviz.__path__, "dmlviz.")
    names = ["dmlviz", *(one.name for one in found if one.name != "dmlviz.__main__")]
    return {name: importlib.import_module(name) for name in names}


def of_ours(found):
    return str(getattr(found, "__module__", "")).partition(".")[0] == "dmlviz"


@pytest.mark.usefixtures("modules")
def test_no_cache_of_the_process_is_unbounded():
    objects = [found for found in gc.get_objects() if type(found) is functools._lru_cache_wrapper]
    names = {
        f"{found.__module__}.{found.__qualname__}"
        for found in objects
        if of_ours(found)
        and any(p.annotation != "bool" for p in inspect.signature(found).parameters.values())
    }
    assert names == set(FEW)
    kept = [found for found in gc.get_objects() if type(found) is CachedFunction and of_ours(found)]
    assert len(kept) > 15
    assert sum(found.most for found in kept) <= CACHES


def held(modules):
    """How much each container holds that a module of ours can reach, by its holder and name there.

    Caches of ours are left out: they have bounds.  The third item keeps the holder alive.
    """
    sizes, seen = {}, set()
    todo = [(module, name, "", vars(module)) for name, module in modules.items()]
    while todo:
        holder, name, path, found = todo.pop()
        path = f"{path}.{name}"
        if isinstance(found, dict | list | set | deque | bytearray):
            sizes[id(holder), name] = len(found), path, holder
        if id(found) in seen or isinstance(found, types.ModuleType | CachedFunction):
            continue
        seen.add(id(found))
        if isinstance(found, dict):
            inside = list(found.items())
        elif isinstance(found, list | tuple | set | frozenset | deque):
            inside = [(id(value), value) for value in list(found)]
        elif of_ours(found if isinstance(found, types.FunctionType | type) else type(found)):
            inside = list(getattr(found, "__dict__", {}).items())
            inside += [(at, getattr(found, at, None)) for at in getattr(found, "__slots__", ())]
            cells = getattr(found, "__closure__", None) or ()
            inside += [(number, cell.cell_contents) for number, cell in enumerate(cells)]
        else:
            continue
        todo += [(found, at, path[-200:], value) for at, value in inside]
    return sizes


def grown(before, after):
    """Paths of the containers that hold more than before."""
    return [path for at, (n, path, _holder) in after.items() if at in before and n > before[at][0]]


def use(number):
    """Everything that the app does, in states that only this number has."""
    sizes = f"1,4,2,{2 * number}"
    for page in EXPLORERS:
        shown = Session().open(page, sizes=sizes, values="random", seed=str(number), predict="true")
        shown.answered()
    drawn = stage.picture(
        dmlviz.Tile((1, number)), {"InputTensor": dmlviz.Tile.examples()[0].x[0, 0]}
    )
    look = PictureLook(0.25 * number, "planes")
    assert all(result._picture(drawn, ending, look) for ending in PICTURES)
    assert all(result.data_of_run(drawn, ending) for ending in DATA)
    pages = ("home", "lessons", "glossary", "teach", "practice", "worksheet", "engines", "names")
    for page in pages:
        query = {"seed": str(number)} if page in ("practice", "worksheet") else {}
        assert Session().open(page, **query).exceptions == []
    verify = Session().open("verify")
    verify.at.segmented_control("verify_way").set_value("paste").run()
    verify.at.text_area("verify_text").set_value(f"Repeats: {{{number}, 2}}").run()
    assert verify.exceptions == []


@pytest.mark.slow
def test_nothing_that_a_module_holds_grows_with_use(modules):
    use(2)
    before = held(modules)
    use(3)
    use(4)
    assert grown(before, held(modules)) == []


def test_a_dict_in_a_corner_is_found(modules):
    """The walk itself: what hides in a module, an object, a class or a closure is seen."""

    class Corner:
        shared: dict = {}

        def __init__(self):
            self.own = {}

    Corner.__module__ = "dmlviz.planted"

    def asked():
        return closed

    closed, corner = [], Corner()
    asked.__module__ = "dmlviz.planted"
    planted = types.ModuleType("dmlviz.planted")
    planted.__dict__.update(direct={}, corner=corner, asked=asked, kind=Corner)
    before = held({"planted": planted})
    for holder in (planted.direct, Corner.shared):
        holder["more"] = 1
    corner.own = {"another": 1}
    closed.append(1)
    assert len(grown(before, held({"planted": planted}))) == 4


ATTACK = """
import sys
from dmlviz.base.cache import CachedFunction
from tests.app.conftest import Session
import gc

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096

link = dict(sizes="1,65536,1,1", values="random", data_type="FLOAT64", block_size="128")
for seed in range(3):
    Session().open("depth_to_space", sections=False, predict="true", seed=str(seed), **link)
begun = resident()
for seed in range(3, int(sys.argv[1])):
    shown = Session().open("depth_to_space", sections=False, predict="true", seed=str(seed), **link)
    assert shown.stages, shown.errors
    del shown
gc.collect()
caches = [found for found in gc.get_objects() if type(found) is CachedFunction]
print(sum(found.bytes for found in caches), resident() - begun)
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_pictures_of_the_largest_size_do_not_fill_the_server():
    """A picture of 65,536 elements and 16,384 steps takes 15 MB; 20 of them are not kept."""
    done = subprocess.run(
        [sys.executable, "-c", ATTACK, "20"],
        cwd=ROOT, capture_output=True, encoding="utf-8", timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    kept, grown = map(int, done.stdout.split())
    assert 20_000_000 < kept < 80_000_000
    assert grown < 200_000_000
