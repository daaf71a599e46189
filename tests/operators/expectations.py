"""What each operator must say of states, written down by hand in ``expectations/<key>.toml``.

A file has ``[[states]]``, and ``short`` ones, one a line. A state has

* ``settings``: the operator's, in their order.
* ``sizes``: of the first input, or of all of them, one list each. Values count from 0 on, through all
  inputs; elements of a control tensor are 0.
* an input's name, for its elements instead.
* ``types``: the data type of the values, or of each input by name; otherwise FLOAT32, and the first of
  INT64 and UINT32 that a control tensor takes. A list of types makes a state of each.

All other keys are expectations, one function each in ``test_expectations.py``. ``rules`` of a file are
settings and sizes that break one rule each: the ``field`` that is named and the ``words`` that say
why, for a data ``type`` and a feature ``level`` or without. In texts and in lists,
… stands for anything. ``types`` above the states is for all of them.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from dmlviz.movement import CONTROL
from dmlviz.operators import OPERATORS
from dmlviz.tensors import DATA_TYPES

FOLDER = Path(__file__).with_name("expectations")
CLASSES = {cls.key: cls for cls in OPERATORS}
_STATE = {"settings", "sizes", "types"}


@dataclass(frozen=True)
class State:
    """An operator with inputs, and what is expected of it."""

    key: str
    number: int
    fields: dict

    def __str__(self):
        return f"{self.key}-{self.number}"

    @property
    def operator(self):
        return CLASSES[self.key](*self.fields["settings"])

    @cached_property
    def inputs(self):
        """Every input by name."""
        cls, fields = CLASSES[self.key], self.fields
        sizes = fields.get("sizes", [])
        sizes = sizes if sizes and isinstance(sizes[0], list) else [sizes]
        names = input_names(cls, len(sizes))
        arrays, start = {}, 0
        if not names:
            return arrays
        for name, of in zip(names, [*sizes, *[None] * (len(names) - len(sizes))], strict=True):
            dtype = DATA_TYPES[self._type(name)].dtype
            if name in fields:
                arrays[name] = np.array(fields[name], dtype)
            elif cls.role(name) == CONTROL:
                arrays[name] = np.zeros(of, dtype)
            else:
                count = int(np.prod(of))
                arrays[name] = np.arange(start, start + count).astype(dtype).reshape(of)
            start += arrays[name].size if cls.role(name) != CONTROL else 0
        return arrays

    def _type(self, name):
        cls, types = CLASSES[self.key], self.fields.get("types", {})
        if isinstance(types, str):
            types = {} if cls.role(name) == CONTROL else {name: types}
        if cls.role(name) != CONTROL:
            return types.get(name, "FLOAT32")
        (slot,) = [slot for slot in cls.input_slots if slot.name == name]
        return types.get(name, "INT64" if "INT64" in slot.data_types else "UINT32")

    @property
    def expected(self):
        """The expectations by kind."""
        beside = _STATE | set(self.inputs)
        return {kind: value for kind, value in self.fields.items() if kind not in beside}


def input_names(cls, count):
    """The names of an operator's inputs, of so many where they are a list."""
    first = cls.input_slots[0] if cls.input_slots else None
    if first is not None and first.most:
        return list(first.names(count))
    return [slot.name for slot in cls.input_slots]


def books():
    """What is written of each operator, by its key."""
    for path in sorted(FOLDER.glob("*.toml")):
        yield path.stem.replace("_", "-"), tomllib.loads(path.read_text(encoding="utf-8"))


def rules():
    """Operator, sizes, data type, feature level, field and words of each rule that is broken."""
    for key, book in books():
        cls = CLASSES[key]
        for rule in book.get("rules", []):
            sizes = rule.get("sizes", [])
            if isinstance(sizes, list):
                several = bool(sizes) and isinstance(sizes[0], list)
                every = [tuple(of) for of in (sizes if several else [sizes])]
                sizes = dict(zip(input_names(cls, len(every)), every, strict=False))
                sizes = sizes if several or not sizes else every[0]
            about = (rule.get("type"), rule.get("level"))
            yield cls(*rule["settings"]), sizes, *about, rule["field"], rule.get("words", "")


def states():
    """The states of all files."""
    found = []
    for key, book in books():
        usual = {"settings": [], "types": book.pop("types", {})}
        every = book.pop("states", []) + book.pop("short", [])
        assert {*book} <= {"rules"}, f"{key}: {', '.join(book)}"
        each = [one for fields in every for one in _of_each_type(usual | fields)]
        found += [State(key, number, fields) for number, fields in enumerate(each)]
    return found


def _of_each_type(fields):
    """The state, or one for each of the types that it lists."""
    types = fields["types"]
    if isinstance(types, list):
        return [fields | {"types": kind} for kind in types]
    several = (
        [] if isinstance(types, str) else [n for n, of in types.items() if isinstance(of, list)]
    )
    if not several:
        return [fields]
    (name,) = several
    return [fields | {"types": types | {name: kind}} for kind in types[name]]


def says(text, expected):
    """Whether a text is what is expected, in which … is any text."""
    return bool(re.fullmatch(".*".join(map(re.escape, expected.split("…"))), text, re.S))


def assert_list(elements, expected):
    """A list is what is expected, nested or flat; … at an end is any number of elements."""
    flat = np.ravel(elements).tolist()
    if expected and expected[0] == "…":
        flat, expected = flat[1 - len(expected) :], expected[1:]
    elif expected and expected[-1] == "…":
        flat, expected = flat[: len(expected) - 1], expected[:-1]
    assert flat == np.ravel(expected).tolist()
    if np.ndim(elements) > 1 and np.ndim(expected) > 1:
        assert np.shape(elements) == np.shape(expected)


def assert_lines(texts, expected):
    """Each text is a line of what is expected; a line … is any number of texts, and no line none."""
    lines = expected.strip("\n").split("\n") if expected else []
    assert says("\n".join(texts), "\n".join(lines)), f"{texts}\n\nare not\n\n{expected}"
    assert "…" in lines or len(texts) == len(lines)
