"""What a page itself states about sizes, put to the test with its own examples, and others.

Three forms are understood, in any language, because only names and signs are read:
``OutputTensor.Sizes[i] = InputTensor.Sizes[i] * Repeats[i]``; ``OutputHeight`` followed by a few
words and ``InputHeight * BlockSize``; and a list of dimensions in braces, such as
``{ Batch, Channels / (BlockSize * BlockSize), ... }``. The sums in them are worked out exactly.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import islice, product
from operator import add, mul, sub, truediv
from typing import Any

from dmlviz.base.errors import Error
from dmlviz.base.words import _, listed
from dmlviz.operators import Operator
from dmlviz.tensors import MAX_RANK, print_sizes
from dmlviz.verify.examples import PageExample
from dmlviz.verify.naming import FIELDS, is_derived
from dmlviz.verify.text import PageText

# letters of other scripts may stand right beside a name
_OWNER = re.compile(r"(?<![A-Za-z0-9_.])(InputTensor|OutputTensor)(?![A-Za-z0-9_.]|\s*\[)")
_LIST = re.compile(r"\{([^{}]{3,400})\}")
_EQUATION = re.compile(
    r"(?<![A-Za-z0-9_.])((?:InputTensor|OutputTensor)\.Sizes\[i\]|[A-Za-z]\w{0,30}\[i\])\s*=(?!=)",
    re.ASCII,
)
_PER_DIMENSION = tuple(
    f"{name}[i]" for name in (*FIELDS, "InputTensor.Sizes", "OutputTensor.Sizes")
)
_NAME = re.compile(r"[A-Za-z]\w{0,60}", re.ASCII)
_SETTING = re.compile(rf"\b(?:{'|'.join(FIELDS)})\b", re.ASCII)
# a few words in any language between a name and its sum
_WORDS = re.compile(r"[^{}\[\]().;:=+*/|\d]{1,60}?(?=\b[A-Za-z])")
_MOST = 100
# the examples with which each statement is tried; more would say the same
_CASES = 20
# how often a page may name its sizes before the rest of it is left alone
_MENTIONS = 2_000

_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z][A-Za-z0-9_]{0,60}(?:\.Sizes)?(?:\[i\](?![0-9_\[(]|\.[A-Za-z])"
    r"|(?![A-Za-z0-9_\[(]|\.[A-Za-z])))"
    r"|(?P<number>[0-9]{1,10})(?![A-Za-z0-9_]|\.[0-9])"
    r"|(?P<sign>[-+*/×·()]))"
)

# what goes on after a sum on the same line was not understood
_MORE = re.compile(r"[ \t]*(?:[-+*/×·]|x(?=[ \t]))[ \t]*([A-Za-z][A-Za-z0-9_]{0,60}|[0-9(])")

_DEEPEST = 20

_LONGEST = 40

Names = Mapping[str, int]


@dataclass(frozen=True)
class Statement:
    """One thing that a page says about sizes.

    Attributes:
        line: where.
        target: the name that it is about, or ``OutputTensor.Sizes[1]`` for a place in a list.
        total: what the page says it is.
        dimension: of the output, where the target is a place in a list; else -1.
        owner: the tensor of the list.
        beside_settings: whether its line names a setting.
    """

    line: int
    target: str
    total: Sum
    dimension: int = -1
    owner: str = "OutputTensor"
    beside_settings: bool = False

    def is_general(self, examples_from: int) -> bool:
        """Whether it is said of all inputs and settings.

        A number may stand for a setting that is given nearby: where BlockSize is 2, a height of
        ``InputHeight * 2`` is right.
        """
        has_numbers = any(token[0].isdigit() for token in self.total.tokens)
        has_settings = any(name.removesuffix("[i]") in FIELDS for name in self.total.names)
        nearby = self.beside_settings or self.line >= examples_from
        return has_settings or not (has_numbers and nearby)


@dataclass(frozen=True)
class CheckedStatement:
    """A statement with the numbers of an example, or of other sizes and settings.

    Attributes:
        line: of the statement.
        agrees: whether it is so.
        message: the statement, its numbers, and what the operator gives.
        example: the example's title; empty if it is not on the page.
    """

    line: int
    agrees: bool
    message: str
    example: str


@dataclass(frozen=True)
class Statements:
    """All that a page states.

    Attributes:
        statements: in their order.
        inputs, outputs: names of dimensions, in order, by which the page calls them.
        unread: the lines of equations about every dimension that were not understood.
    """

    statements: tuple[Statement, ...]
    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[tuple[str, int], ...]
    unread: tuple[int, ...] = ()

    def checked(self, examples: Sequence[PageExample]) -> tuple[CheckedStatement, ...]:
        """Each statement once: with the first example that belies it, else with the first.

        What no example belies is tried with other sizes and settings: 2 + 2 is 2 * 2.
        """
        different: dict[tuple[Operator, tuple[int, ...]], _Case] = {}
        for example in examples:
            for case in _cases(example):
                different.setdefault((case.operator, case.sizes), case)
        cases = tuple(islice(different.values(), _CASES))
        results: dict[Statement, CheckedStatement] = {}
        for case in cases:
            names = self._names(case)
            for statement in self.statements:
                if statement in results and not results[statement].agrees:
                    continue
                checked = _check(statement, case, names, only_wrong=statement in results)
                if checked:
                    results[statement] = checked
        start = min((example.line for example in examples), default=0)
        general = [s for s, checked in results.items() if checked.agrees and s.is_general(start)]
        kinds = dict.fromkeys((type(case.operator), len(case.sizes)) for case in cases)
        results |= self._belied(general, kinds)
        return tuple(results[statement] for statement in self.statements if statement in results)

    def _belied(
        self, general: list[Statement], kinds: Iterable[tuple[type[Operator], int]]
    ) -> dict[Statement, CheckedStatement]:
        results: dict[Statement, CheckedStatement] = {}
        for cls, rank in kinds:
            for operator, sizes in probes(cls, rank):
                case = _Case(operator, sizes)
                names = self._names(case)
                for statement in general:
                    if statement not in results:
                        checked = _check(statement, case, names, only_wrong=True)
                        if checked:
                            results[statement] = checked
        return results

    def _names(self, case: _Case) -> dict[str, int]:
        names = {name: case.output[d] for name, d in self.outputs if d < len(case.output)}
        names |= {name: case.sizes[d] for name, d in self.inputs if d < len(case.sizes)}
        return names | {k: v for k, v in case.operator.desc.items() if type(v) is int}


@dataclass(frozen=True)
class _Case:
    """Sizes and settings with which a statement is tried: an example's where it has a title."""

    operator: Operator
    sizes: tuple[int, ...]
    title: str = ""

    @cached_property
    def output(self) -> tuple[int, ...]:
        return self.operator.output_sizes(self.sizes)

    @cached_property
    def lists(self) -> dict[str, tuple[int, ...]]:
        """By the names that statements about every dimension use."""
        desc = self.operator.desc
        lists = {f"{k}[i]": tuple(v) for k, v in desc.items() if isinstance(v, list)}
        return lists | {"InputTensor.Sizes[i]": self.sizes, "OutputTensor.Sizes[i]": self.output}

    def settings(self, names: Sequence[str]) -> str:
        """Its sizes, and the settings among some names, as a page writes them."""
        desc = self.operator.desc
        used = [name for name in desc if name in names or f"{name}[i]" in names]
        used = used or [name for name, value in desc.items() if not isinstance(value, str)]
        values = [print_sizes(v) if isinstance(v := desc[n], list) else str(v) for n in used]
        parts = [f"Sizes {print_sizes(self.sizes)}"]
        return listed([*parts, *(f"{n} {v}" for n, v in zip(used, values, strict=True))])


def _cases(example: PageExample) -> Iterator[_Case]:
    operator, x = example.operator, example.x
    # formulas about several tensors are not read
    if operator is None or x is None or not is_derived(type(operator)):
        return
    if operator.problems(x.shape, None):
        return
    yield _Case(operator, x.shape, example.title)


def statements(source: PageText) -> Statements:
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
    names_defined = {*inputs, *FIELDS}
    usable = [s for s in lists if set(s.total.names) <= names_defined]
    equations, unread = _equations(source)
    all_statements = [*usable, *equations, *_sentences(source, outputs, names_defined)]
    if all_statements:
        beside = {*source.lines_of([name.start() for name in _SETTING.finditer(source.text)])}
        all_statements = [replace(s, beside_settings=s.line in beside) for s in all_statements]
    all_statements.sort(key=lambda statement: statement.line)
    unread += [statement.line for statement in all_statements[_MOST:]]
    return Statements(
        tuple(all_statements[:_MOST]), tuple(inputs.items()), tuple(outputs.items()), tuple(unread)
    )


def _lists(text: str) -> Iterator[tuple[str, int, tuple[Sum, ...]]]:
    owners = [(match.start(), match[1]) for match in _OWNER.finditer(text)]
    here = -1
    for match in _LIST.finditer(text):
        while here + 1 < len(owners) and owners[here + 1][0] < match.start():
            here += 1
        words = match[1].split(",")
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
                yield owners[here][1], match.start(), tuple(items)


def _equations(source: PageText) -> tuple[list[Statement], list[int]]:
    """Equations about every dimension, and the lines of those that are not understood."""
    read, unread = [], []
    for match in _EQUATION.finditer(source.text):
        total = read_sum(source.text, match.end(), lambda name: name in _PER_DIMENSION)
        line = source.line(match.start())
        if total is not None and match[1] in _PER_DIMENSION:
            read.append(Statement(line, match[1], total))
        else:
            unread.append(line)
    return read, unread


def _sentences(
    source: PageText, outputs: dict[str, int], names_defined: set[str]
) -> Iterator[Statement]:
    if not outputs:
        return
    targets = set(outputs) - names_defined
    named = (match for match in _NAME.finditer(source.text) if match[0] in targets)
    for match in islice(named, _MENTIONS):
        between = match.end()
        words = _WORDS.match(source.text, between)
        while words and words.end() - between < 80:
            name = _NAME.match(source.text, words.end())
            if name is None or name[0] in targets:
                break
            if name[0] in names_defined:
                total = read_sum(source.text, words.end(), lambda n: n in names_defined, targets)
                if total is not None and not total.is_plain:
                    yield Statement(source.line(match.start()), match[0], total)
                break
            words = _WORDS.match(source.text, name.end())


def _check(
    statement: Statement, case: _Case, names: dict[str, int], only_wrong: bool
) -> CheckedStatement | None:
    """What a case says of a statement; None where it says nothing, or no more than others have."""
    if statement.target.endswith("[i]"):
        return _check_each(statement, case, only_wrong)
    if statement.dimension >= 0:
        actual_sizes = case.output if statement.owner == "OutputTensor" else case.sizes
        actual = (
            actual_sizes[statement.dimension] if statement.dimension < len(actual_sizes) else None
        )
    else:
        actual = names.get(statement.target)
    if actual is None or not set(statement.total.names) <= names.keys():
        return None
    return _compared(statement, case, names, actual, statement.target, only_wrong)


def _check_each(statement: Statement, case: _Case, only_wrong: bool) -> CheckedStatement | None:
    """A statement about every dimension i: the first that differs, or the last."""
    lists = case.lists
    needed = {statement.target, *statement.total.names}
    if not needed <= lists.keys() or len({len(lists[name]) for name in needed}) != 1:
        return None
    checked = None
    for d in range(len(lists[statement.target])):
        names = {name: lists[name][d] for name in needed}
        target = statement.target.replace("[i]", f"[{d}]")
        # of those that agree, only the last one is told
        later = d + 1 < len(lists[statement.target])
        checked = _compared(
            statement, case, names, names[statement.target], target, only_wrong or later
        )
        if checked and not checked.agrees:
            break
    return checked


def _compared(
    statement: Statement,
    case: _Case,
    names: dict[str, int],
    actual: int,
    target: str,
    only_wrong: bool,
) -> CheckedStatement | None:
    value = statement.total.value(names)
    agrees = value == actual
    if agrees and only_wrong:
        return None
    named = {
        "target": statement.target,
        "letters": statement.total.show(),
        "numbers": statement.total.show(names),
        "value": _("nothing") if value is None else value,
        "place": target,
        "actual": actual,
        "example": case.title,
    }
    if agrees:
        message = _("{target} = {letters}: {numbers} = {value}, as in {example}.")
    elif case.title:
        message = _(
            "{target} = {letters}: {numbers} = {value}, but in {example} {place} is {actual}."
        )
    else:
        message = _(
            "{target} = {letters}: {numbers} = {value}, but for {settings}, {place} is {actual}."
        )
        named["settings"] = case.settings(statement.total.names)
    return CheckedStatement(statement.line, agrees, message.format(**named), case.title)


# 8 dimensions, two lists of 8 settings, and some to move on by
_PRIMES = tuple(n for n in range(2, 110) if all(n % d for d in range(2, n)))
# what block sizes 2, 3 and 5 divide, and what nothing divides
_MULTIPLES = (4, 9, 25, 1)


@cache
def probes(cls: type[Operator], rank: int) -> tuple[tuple[Operator, tuple[int, ...]], ...]:
    """Operators of one input and one output, and sizes of an input that they take.

    Each dimension and each setting has a prime of its own, so that different formulas differ.

    >>> from dmlviz.operators import Tile
    >>> probes(Tile, 2)[0]
    (Tile(repeats=(5, 7)), (8, 12))
    """
    states = []
    for turn, multiple in enumerate(_MULTIPLES):
        sizes = tuple(_PRIMES[(d + turn) % rank] * multiple for d in range(rank))
        for settings in _settings(cls, sizes, turn):
            try:
                operator = cls(**settings)
            except Error:
                continue
            if not operator.problems(sizes, None):
                states.append((operator, sizes))
    # small sizes leave less to choose from
    return tuple(dict.fromkeys(states))


def _settings(cls: type[Operator], sizes: tuple[int, ...], turn: int) -> list[dict[str, Any]]:
    options: dict[str, tuple[Any, ...]] = {}
    at = len(sizes) + turn
    for setting in cls.parameters():
        options[setting.name] = setting.probed(sizes, _PRIMES[at:], turn)
        at += len(setting.dimensions(sizes))
    return [dict(zip(options, values, strict=True)) for values in product(*options.values())]


@dataclass(frozen=True)
class Sum:
    """A sum of names and numbers.

    Attributes:
        tokens: as the page writes them.
        end: the offset behind it.
    """

    tokens: tuple[str, ...]
    end: int

    @property
    def names(self) -> tuple[str, ...]:
        """What has to be known to work it out."""
        return tuple(t for t in self.tokens if t[0].isalpha())

    @property
    def is_plain(self) -> bool:
        """Whether it is a single name or number, and nothing to work out."""
        return len(self.tokens) == 1

    def show(self, names: Names | None = None) -> str:
        """The sum in letters, or with numbers put in.

        >>> total = read_sum("Height*(Block + 1)", 0, lambda name: True)
        >>> numbers = {"Height": 3, "Block": 4}
        >>> total.show(), total.show(numbers), total.value(numbers)
        ('Height * (Block + 1)', '3 * (4 + 1)', Fraction(15, 1))
        """
        words = [str(names[t]) if names and t in names else t for t in self.tokens]
        return " ".join(words).replace("( ", "(").replace(" )", ")")

    def value(self, names: Names) -> Fraction | None:
        """The result; None where something is divided by zero."""
        numbers = [
            f"({names[t]})" if t[0].isalpha() else t.lstrip("0") or t[:1] for t in self.tokens
        ]
        try:
            return _worked_out(ast.parse(" ".join(numbers), mode="eval").body)
        except ZeroDivisionError:
            return None


def read_sum(
    text: str, start: int, is_name: Callable[[str], bool], beyond: Container[str] = ()
) -> Sum | None:
    """The sum that begins at ``start``; None where there is none, or one that goes on unread.

    Args:
        text: of a page.
        start: an offset.
        is_name: whether a name may be a part of it.
        beyond: names that begin something else: a sign before one of them is a dash.
    """
    tokens: list[str] = []
    best: Sum | None = None
    depth, at, wants_value = 0, start, True
    while len(tokens) < _LONGEST:
        token = _TOKEN.match(text, at)
        if token is None:
            break
        word = token[0].strip()
        # between two values, this letter is a sign
        is_sign = token["sign"] or (word == "x" and not wants_value)
        if is_sign and word not in "()":
            if wants_value:
                break
            wants_value = True
        elif word == "(":
            if not wants_value or depth == _DEEPEST:
                break
            depth += 1
        elif word == ")":
            if wants_value or depth == 0:
                break
            depth -= 1
        elif not wants_value or (token["name"] and not is_name(word)):
            break
        else:
            wants_value = False
        tokens.append("*" if is_sign and word in "×·x" else word)
        at = token.end()
        if not wants_value and depth == 0:
            best = Sum(tuple(tokens), at)
    more = _MORE.match(text, best.end) if best else None
    return None if more and more[1] not in beyond else best


_SIGNS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: truediv,
}


def _worked_out(node: ast.expr) -> Fraction:
    """The value of numbers with signs between them."""
    if isinstance(node, ast.BinOp):
        return _SIGNS[type(node.op)](_worked_out(node.left), _worked_out(node.right))
    if isinstance(node, ast.UnaryOp):
        # of a name's own value: sums have no signs in front
        return -_worked_out(node.operand)
    assert isinstance(node, ast.Constant)
    return Fraction(str(node.value))
