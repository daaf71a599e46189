"""What a page itself states about sizes, put to the test with its own examples.

Three forms are understood, in any language, because only names and signs are read:
``OutputTensor.Sizes[i] = InputTensor.Sizes[i] * Repeats[i]``; ``OutputHeight`` followed by a few
words and ``InputHeight * BlockSize``; and a list of dimensions in braces, such as
``{ Batch, Channels / (BlockSize * BlockSize), ... }``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from dmlviz.documents.arithmetic import Sum, read_sum
from dmlviz.documents.examples import PageExample
from dmlviz.documents.naming import FIELDS
from dmlviz.documents.text import Source
from dmlviz.tensors import MAX_RANK
from dmlviz.words import _

_OWNER = re.compile(r"(?<![\w.])(InputTensor|OutputTensor)(?!\w|\.|\s*\[)")
_LIST = re.compile(r"\{([^{}]{3,400})\}")
_EQUATION = re.compile(
    r"(?<![\w.])((?:InputTensor|OutputTensor)\.Sizes\[i\]|\w{1,30}\[i\])\s*=(?!=)"
)
_PER_DIMENSION = tuple(
    f"{name}[i]" for name in (*FIELDS, "InputTensor.Sizes", "OutputTensor.Sizes")
)
_NAME = re.compile(r"[A-Za-z]\w{0,60}")
# a few words in any language between a name and its sum
_WORDS = re.compile(r"[^{}\[\]().;:=+*/|\d]{1,60}?(?=\b[A-Za-z])")
_MOST = 100
# how often a page may name its sizes before the rest of it is left alone
_MENTIONS = 2_000


@dataclass(frozen=True)
class Statement:
    """One thing that a page says about sizes.

    Attributes:
        line: where.
        target: the name that it is about, or ``OutputTensor.Sizes[1]`` for a place in a list.
        total: what the page says it is.
        dimension: of the output, where the target is a place in a list; else -1.
        owner: the tensor of the list.
    """

    line: int
    target: str
    total: Sum
    dimension: int = -1
    owner: str = "OutputTensor"


@dataclass(frozen=True)
class Checked:
    """A statement with an example's numbers.

    Attributes:
        line: of the statement.
        agrees: whether it is so.
        message: the statement, its numbers, and what the example has.
        example: the example's title.
    """

    line: int
    agrees: bool
    message: str
    example: str


@dataclass(frozen=True)
class Statements:
    """All that a page states.

    Attributes:
        found: the statements.
        inputs, outputs: names of dimensions, in order, by which the page calls them.
    """

    found: tuple[Statement, ...]
    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[tuple[str, int], ...]

    def checked(self, examples: Sequence[PageExample]) -> tuple[Checked, ...]:
        """Each statement once: with the first example that belies it, else with the first."""
        told: dict[Statement, Checked] = {}
        for example in examples:
            for statement, checked in self._check(example):
                if statement not in told or (told[statement].agrees and not checked.agrees):
                    told[statement] = checked
        return tuple(told[statement] for statement in self.found if statement in told)

    def _check(self, example: PageExample) -> tuple[tuple[Statement, Checked], ...]:
        if example.operator is None or example.x is None or example.expected is None:
            return ()
        sizes = example.x.shape
        if example.operator.problems(sizes, None):
            return ()
        output = example.operator.output_sizes(sizes)
        names = self._names(example, sizes, output)
        return tuple(
            (statement, checked)
            for statement in self.found
            if (checked := _check(statement, example, names, (sizes, output)))
        )

    def _names(
        self, example: PageExample, sizes: tuple[int, ...], output: tuple[int, ...]
    ) -> dict[str, int]:
        names = {name: output[d] for name, d in self.outputs if d < len(output)}
        names |= {name: sizes[d] for name, d in self.inputs if d < len(sizes)}
        assert example.operator is not None
        desc = example.operator.desc
        return names | {k: v for k, v in desc.items() if type(v) is int}


def statements(source: Source) -> Statements:
    """What the page states about sizes, found by names and signs."""
    inputs: dict[str, int] = {}
    outputs: dict[str, int] = {}
    lists = []
    for owner, at, items in _lists(source.text):
        names = inputs if owner == "InputTensor" else outputs
        for d, item in enumerate(items):
            if item.is_plain:
                names.setdefault(item.tokens[0], d)
            else:
                lists.append(Statement(source.line(at), f"{owner}.Sizes[{d}]", item, d, owner))
    known = {*inputs, *FIELDS}
    usable = [s for s in lists if set(s.total.names) <= known]
    found = [*usable, *_equations(source), *_sentences(source, outputs, known)]
    found.sort(key=lambda statement: statement.line)
    return Statements(tuple(found[:_MOST]), tuple(inputs.items()), tuple(outputs.items()))


def _lists(text: str) -> Iterator[tuple[str, int, tuple[Sum, ...]]]:
    owners = [(found.start(), found[1]) for found in _OWNER.finditer(text)]
    here = -1
    for found in _LIST.finditer(text):
        while here + 1 < len(owners) and owners[here + 1][0] < found.start():
            here += 1
        words = found[1].split(",")
        if here < 0 or not 1 < len(words) <= MAX_RANK:
            continue
        items = []
        for word in words:
            item = read_sum(word, 0, lambda name: True)
            if item is None or word[item.end :].strip():
                break
            items.append(item)
        else:
            if any(item.names for item in items):
                yield owners[here][1], found.start(), tuple(items)


def _equations(source: Source) -> Iterator[Statement]:
    for found in _EQUATION.finditer(source.text):
        total = read_sum(source.text, found.end(), lambda name: name in _PER_DIMENSION)
        if total is not None and found[1] in _PER_DIMENSION:
            yield Statement(source.line(found.start()), found[1], total)


def _sentences(source: Source, outputs: dict[str, int], known: set[str]) -> Iterator[Statement]:
    if not outputs:
        return
    targets = set(outputs) - known
    named = (found for found in _NAME.finditer(source.text) if found[0] in targets)
    for found in islice(named, _MENTIONS):
        between = found.end()
        words = _WORDS.match(source.text, between)
        while words and words.end() - between < 80:
            name = _NAME.match(source.text, words.end())
            if name is None or name[0] in targets:
                break
            if name[0] in known:
                total = read_sum(source.text, words.end(), lambda n: n in known, targets)
                if total is not None and not total.is_plain:
                    yield Statement(source.line(found.start()), found[0], total)
                break
            words = _WORDS.match(source.text, name.end())


def _check(
    statement: Statement,
    example: PageExample,
    names: dict[str, int],
    sizes: tuple[tuple[int, ...], tuple[int, ...]],
) -> Checked | None:
    if statement.target.endswith("[i]"):
        return _check_each(statement, example, sizes)
    if statement.dimension >= 0:
        due = sizes[statement.owner == "OutputTensor"]
        actual = due[statement.dimension] if statement.dimension < len(due) else None
    else:
        actual = names.get(statement.target)
    if actual is None or not set(statement.total.names) <= names.keys():
        return None
    return _told(statement, example, names, actual, statement.target)


def _check_each(
    statement: Statement,
    example: PageExample,
    sizes: tuple[tuple[int, ...], tuple[int, ...]],
) -> Checked | None:
    """A statement about every dimension i: the first that differs, or the last."""
    assert example.operator is not None
    desc = example.operator.desc
    lists = {f"{k}[i]": tuple(v) for k, v in desc.items() if isinstance(v, list)}
    lists |= {"InputTensor.Sizes[i]": sizes[0], "OutputTensor.Sizes[i]": sizes[1]}
    needed = {statement.target, *statement.total.names}
    if not needed <= lists.keys() or len({len(lists[name]) for name in needed}) != 1:
        return None
    checked = None
    for d in range(len(lists[statement.target])):
        names = {name: lists[name][d] for name in needed}
        target = statement.target.replace("[i]", f"[{d}]")
        checked = _told(statement, example, names, names[statement.target], target)
        if not checked.agrees:
            break
    return checked


def _told(
    statement: Statement, example: PageExample, names: dict[str, int], actual: int, target: str
) -> Checked:
    value = statement.total.value(names)
    agrees = value == actual
    numbers = statement.total.show(names)
    named = {
        "target": statement.target,
        "letters": statement.total.show(),
        "numbers": numbers,
        "value": _("nothing") if value is None else value,
        "place": target,
        "actual": actual,
        "example": example.title,
    }
    if agrees:
        message = _("{target} = {letters}: {numbers} = {value}, as in {example}.")
    else:
        message = _(
            "{target} = {letters}: {numbers} = {value}, but in {example} {place} is {actual}."
        )
    return Checked(statement.line, agrees, message.format(**named), example.title)
