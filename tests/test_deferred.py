"""Dataclasses and regular expressions that are compiled late are those of the standard library."""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dmlviz
from dmlviz.base import deferred
from tests.every import every

ROOT = Path(__file__).resolve().parents[1]
FILES = [ROOT / "app.py", *sorted(p for f in ("pages", "dmlviz") for p in (ROOT / f).rglob("*.py"))]

DEFAULTED = (
    "= 7",
    "= field(default=7)",
    "= field(default=7, compare=False)",
    "= field(default=7, hash=False)",
    "= field(default=7, compare=False, hash=True)",
    "= field(default=7, repr=False)",
    "= field(default=7, init=False)",
    "= field(default_factory=tuple)",
    "= field(default_factory=tuple, init=False)",
    "= field(default_factory=tuple, kw_only=True)",
    "= field(default=7, kw_only=True)",
)
REQUIRED = ("", "= field()", "= field(kw_only=True)", "= field(compare=False)")
BODIES = (
    "def __post_init__(self): object.__setattr__(self, 'total', 1)",
    "def __eq__(self, other): return True",
    "def __hash__(self): return 5",
    "def __repr__(self): return 'own'",
    "common: ClassVar[int] = 3",
)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "frozen": st.booleans(),
        "eq": st.booleans(),
        "repr": st.booleans(),
        "order": st.just(True),
    },
).filter(lambda options: options.get("eq", True) or not options.get("order"))


@st.composite
def declarations(draw):
    """The text of a class, and of another one that has it as a base."""
    # with a base, what is required comes before all that is not
    required = draw(st.lists(st.sampled_from(REQUIRED), max_size=3))
    defaulted = draw(st.lists(st.sampled_from(DEFAULTED), max_size=4))
    later = draw(st.lists(st.sampled_from(DEFAULTED), max_size=2))
    lines = [f"    a{n}: int {text}" for n, text in enumerate([*required, *defaulted])]
    lines += [f"    {body}" for body in draw(st.lists(st.sampled_from(BODIES), unique=True))]
    options = draw(OPTIONS)
    decorator = f"@dataclass({', '.join(f'{n}={v}' for n, v in options.items())})"
    above = [f"    b{n}: int {text}" for n, text in enumerate(later)]
    above += ["    a0: int = 2"] * draw(st.booleans()) * (not required)
    return "\n".join(
        [
            *[decorator, "class One:", "    'One.'", *lines],
            *[decorator, "class Two(One):", "    'Two.'", *above],
        ]
    )


def made(text, dataclass):
    names = {"field": dataclasses.field, "__name__": __name__}
    exec("from __future__ import annotations\nfrom typing import ClassVar\n", names)
    names["dataclass"] = dataclass
    code = compile(f"from __future__ import annotations\n{text}", "<text>", "exec")
    exec(code, names)
    return names["One"], names["Two"]


def told(function, *arguments, **named):
    """What a call gives, or the error's type and sentence."""
    try:
        return function(*arguments, **named)
    except Exception as error:
        return type(error), str(error)


def report(cls):
    """All that a class and its instances say."""
    fields = dataclasses.fields(cls)
    count = sum(field.init and not field.kw_only for field in fields)
    yield from map(repr, fields)
    yield repr(cls.__dataclass_params__), cls.__match_args__, str(inspect.signature(cls))
    yield {f.name: vars(cls).get(f.name, "none") for f in fields}
    named = {field.name: 4 for field in fields if field.init and field.kw_only}
    calls = [((*range(n),), also) for n in range(count + 2) for also in (named, {}, {"c": 0})]
    instances = []
    for arguments, also in calls:
        instance = told(cls, *arguments, **also)
        yield instance
        instances += [instance] * isinstance(instance, cls)
    for one in instances:
        yield vars(one), dataclasses.asdict(one), cls.__eq__ is object.__eq__
        yield cls.__eq__ is object.__eq__ or told(hash, one)
        changed = told(dataclasses.replace, one, **{f.name: 9 for f in fields if f.init})
        yield vars(changed) if isinstance(changed, cls) else changed
        for other in instances:
            yield one == other, one != other, told(cls.__lt__, one, other)
            yield told(cls.__ge__, one, other), one == 3
    for one in instances:
        yield told(setattr, one, "a0", 1), told(setattr, one, "other", 1), vars(one)
        yield told(delattr, one, "a0"), told(delattr, one, "other")


def without_addresses(values):
    return [re.sub(r"0x[0-9a-f]+|<function .*?>", "0x", str(value)) for value in values]


@settings(max_examples=60)
@given(declarations())
def test_a_late_dataclass_is_that_of_the_standard_library(text):
    due = made(text, dataclasses.dataclass)
    for ours, theirs in zip(made(text, deferred.dataclass), due, strict=True):
        assert [*without_addresses(report(ours))] == [*without_addresses(report(theirs))], text


def test_a_frozen_dataclass_of_the_standard_library_can_have_one_as_its_base():
    @deferred.dataclass(frozen=True)
    class Base:
        first: int

    @dataclasses.dataclass(frozen=True)
    class Derived(Base):
        second: int = 2

    assert repr(Derived(1)).endswith("Derived(first=1, second=2)")


def test_nothing_is_compiled_before_the_first_instance():
    @deferred.dataclass(frozen=True)
    class Late:
        first: int

    assert not inspect.isfunction(vars(Late)["__init__"])
    assert [field.name for field in dataclasses.fields(Late)] == ["first"]
    Late(1)
    assert inspect.isfunction(vars(Late)["__init__"])


def test_many_threads_can_make_the_first_instance():
    @deferred.dataclass(frozen=True)
    class Shared:
        first: int

    barrier, instances = threading.Barrier(16), []

    def make(number):
        barrier.wait()
        instances.append(Shared(number))

    threads = [threading.Thread(target=make, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {one.first for one in instances} == {*range(16)}


def test_a_late_pattern_is_that_of_the_standard_library():
    late, due = (make(r"(?P<word>[a-z]+)", re.IGNORECASE) for make in (deferred.regex, re.compile))
    assert "findall" not in vars(late)
    text = "One two"
    for name in ("match", "search", "fullmatch"):
        assert str(getattr(late, name)(text)) == str(getattr(due, name)(text))
    assert late.findall(text) == due.findall(text) == ["One", "two"]
    assert late.sub("x", text) == due.sub("x", text) == "x x"
    assert (late.pattern, late.flags, late.groups) == (due.pattern, due.flags, due.groups)
    with pytest.raises(re.error):
        deferred.regex("(").search(text)


def test_every_pattern_compiles():
    """One that is invalid would be found at its first use only."""
    found = 0
    for module in pkgutil.walk_packages(dmlviz.__path__, "dmlviz."):
        if module.name.endswith("__main__"):
            continue
        try:
            names = vars(importlib.import_module(module.name))
        except ImportError:
            continue  # of a host that is not installed
        patterns = [value for value in names.values() if isinstance(value, deferred._Regex)]
        found += sum(isinstance(pattern.pattern, str) for pattern in patterns)
    assert found > 100


@every("path", FILES, ids=str)
def test_nothing_is_compiled_when_a_module_is_imported(path):
    """Use ``dataclass`` and ``regex`` of ``dmlviz/base/deferred.py``."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    late = {id(part) for f in ast.walk(tree) if isinstance(f, functions) for part in ast.walk(f)}
    for part in ast.walk(tree):
        if isinstance(part, ast.Call) and id(part) not in late:
            assert ast.unparse(part.func) != "re.compile", f"line {part.lineno}"
        if isinstance(part, ast.ImportFrom) and part.module == "dataclasses":
            names = {alias.name for alias in part.names}
            assert "dataclass" not in names or path.name == "deferred.py", f"line {part.lineno}"
