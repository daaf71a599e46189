"""What a page itself states about sizes, put to the test with its own examples, and others.

In any language, because only names and signs are read: equations of two sums, such as
``OutputTensor.Sizes[i] = InputTensor.Sizes[i] * Repeats[i]``; ``OutputHeight`` followed by a few
words and ``InputHeight * BlockSize``; and a list of dimensions in braces, such as
``{ Batch, Channels / (BlockSize * BlockSize), ... }``. :mod:`dmlviz.verify.notation` has put
spellings aside before, and what is not understood is counted as unread.
"""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import islice, product
from typing import Any

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.base.words import _, listed
from dmlviz.operators import Operator
from dmlviz.tensors import MAX_RANK, print_sizes
from dmlviz.verify.examples import PageExample
from dmlviz.verify.naming import FIELDS, is_derived
from dmlviz.verify.notation import in_one_notation, with_names
from dmlviz.verify.sums import Sum, read_sum
from dmlviz.verify.text import PageText

# letters of other scripts may stand right beside a name
_BEFORE, _AFTER = r"(?<![A-Za-z0-9_.])", r"(?![A-Za-z0-9_(\[]|\.[A-Za-z])"
_OWNER = regex(r"(?<![A-Za-z0-9_.])(InputTensor|OutputTensor)(?![A-Za-z0-9_.]|\s*\[)")
_LIST = regex(r"\{([^{}]{3,400})\}")
_MENTION = regex(
    rf"{_BEFORE}[A-Za-z]\w{{0,60}}+(?:\.Sizes)?(?:\[[^\[\]\n]{{1,60}}\])?+{_AFTER}", re.ASCII
)
_AFTER_SIGN = regex(rf"[-*+]\s{{0,20}}({_MENTION.pattern})", re.ASCII)
_EACH = regex(r"(.{1,80})\[([ijkdn])\]")
_SETTING = regex(rf"\b(?:{'|'.join(FIELDS)})\b", re.ASCII)
# the layout of every page whose tensors have four dimensions
_LAYOUT = ("BatchCount", "ChannelCount", "Height", "Width")
_INPUTS, _OUTPUTS = (
    {f"{side}{n}": d for d, n in enumerate(_LAYOUT)} for side in ("Input", "Output")
)

_DIMENSION = regex(r"(?:Input|Output)(?:Batch|Channel|Depth|Height|Width)\w{0,20}", re.ASCII)

_EQUALS = regex(r"[ \t]*\n?[ \t]*(?P<sign>:?={1,3}|:(?![:/]))\s{0,20}")
# a few words in any language, or the edge of a table's cell, between a name and its sum
_WORDS = regex(r"[^{}\[\]().;:=+*/|\d]{1,60}?(?=\b[A-Za-z]|\d|\()|[ \t]*\|[ \t]*")
_SAID = regex(r"[^\W\d_]|\|")
_IS = regex(r"\s*(?:is|are)\s*")
_UNEQUAL = regex(
    r"[<>≤≥≠!]|\b(?:not|most|least|less|more|than|up|multiples?|any|below|above|divisible)\b"
)
_CONDITION = regex(r"\b(?:if|when|whenever|unless|while|until|suppose|assume)[ \t(]{1,9}$", re.I)
_END = regex(r"\s*(?:[.,;|)\]\"']|\n|$)|[^\x00-\x7f]")
# what is worked out with a value, in words that are no sign's
_ARITHMETIC = (
    r"(?:(?:multipl(?:y|ied|ying)|product|divid(?:e|ed|ing)|quotient|sum|add(?:ed|ing)"
    r"|difference|subtract(?:ed|ing)?|increased|decreased|reduced|scaled|raised|squared|cubed"
    r"|half|halved|twice|doubled?|modulo|mod|remainder|rounded|floor|ceil(?:ing)?)\b"
    r"|곱|더[하한]|나[누눈]|[빼뺀])"
)
_WORKED = regex(rf"\b{_ARITHMETIC}")
# such words, or a sign or a command of mathematics that is none of a sum's
_GOES_ON = regex(rf"[ \t]*,?[ \t]*(?:{_ARITHMETIC}|[\u2200-\u22ff]|\\[a-z])")
_SIGN_AFTER = regex(
    r"\s*(?:\*\*|//|[-+*/%^×·])\s*(?:[(\d]|[A-Za-z]\w{0,60}[A-Z([.]|[A-Z]\w)", re.ASCII
)
_SIGN_BEFORE = regex(r"[\w)\]][ \t]*(?:[+*/%^×·]|(?<=[)\]])[ \t]*-)[ \t]*\(*$")
_FACTOR = regex(r"(?:\(|\d[ \t]*\*)[ \t]*$")
_ITEM = regex(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]")
_LISTED = (*FIELDS, "InputTensor.Sizes", "OutputTensor.Sizes")
_MOST = 100
# the examples with which each statement is tried; more would say the same
_CASES = 20
# how often a page may name its sizes before the rest of it is left alone
_MENTIONS = 2_000


@dataclass(frozen=True)
class Statement:
    """One thing that a page says about sizes.

    Attributes:
        line: where.
        left: what it is about, mostly a single name; ``OutputTensor.Sizes[1]`` for a place in a
            list.
        total: what the page says it is.
        beside_settings: whether its line names a setting.
    """

    line: int
    left: Sum
    total: Sum
    beside_settings: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """What has to be known to try it."""
        return (*self.left.names, *self.total.names)

    def is_general(self, examples_from: int) -> bool:
        """Whether it is said of all inputs and settings.

        A number may stand for a setting that is given nearby: where BlockSize is 2, a height of
        ``InputHeight * 2`` is right.
        """
        has_numbers = any(token[0].isdigit() for token in (*self.left.tokens, *self.total.tokens))
        has_settings = any(name.partition("[")[0] in FIELDS for name in self.names)
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
        unread: the lines of formulas that were not understood.
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
        names = dict(case.places)
        for sizes, layout, dimensions in (
            (case.sizes, _INPUTS, self.inputs),
            (case.output, _OUTPUTS, self.outputs),
        ):
            names |= {name: sizes[d] for name, d in layout.items() if len(sizes) == len(layout)}
            names |= {name: sizes[d] for name, d in dimensions if d < len(sizes)}
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
        lists = {k: tuple(v) for k, v in desc.items() if isinstance(v, list)}
        return lists | {"InputTensor.Sizes": self.sizes, "OutputTensor.Sizes": self.output}

    @cached_property
    def places(self) -> dict[str, int]:
        """The numbers of these lists, also counted from the end: ``InputTensor.Sizes[-1]``."""
        return {
            f"{name}[{d}]": values[d]
            for name, values in self.lists.items()
            for d in range(-len(values), len(values))
        }

    def settings(self, names: Sequence[str]) -> str:
        """Its sizes, and the settings among some names, as a page writes them."""
        desc = self.operator.desc
        lists = {name.partition("[")[0] for name in names}
        used = [name for name in desc if name in lists]
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
    text = with_names(in_one_notation(source.text), (*FIELDS, *_INPUTS, *_OUTPUTS))
    inputs: dict[str, int] = {}
    outputs: dict[str, int] = {}
    items = []
    for owner, at, sums in _lists(text):
        names = inputs if owner == "InputTensor" else outputs
        for d, item in enumerate(sums):
            if item.is_plain:
                names.setdefault(item.tokens[0], d)
            else:
                items.append((at, Sum((f"{owner}.Sizes[{d}]",), at), item))
    formulas = _Formulas(
        with_names(text, (*inputs, *outputs)), frozenset((*_INPUTS, *inputs)), frozenset(outputs)
    )
    usable = [each for each in items if {*each[2].names} <= {*inputs, *FIELDS}]
    formulas.read(usable)
    beside = {*source.lines_of([name.start() for name in _SETTING.finditer(text)])}
    lines = source.lines_of([at for at, _left, _total in formulas.equations])
    all_statements = [
        Statement(line, left, total, line in beside)
        for line, (_at, left, total) in zip(lines, formulas.equations, strict=True)
    ]
    all_statements.sort(key=lambda statement: statement.line)
    unread = source.lines_of(formulas.unread)
    return Statements(
        tuple(all_statements[:_MOST]),
        tuple(inputs.items()),
        tuple(outputs.items()),
        (*unread, *(statement.line for statement in all_statements[_MOST:])),
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


class _Formulas:
    """The equations of a text in one notation, and where there are others.

    Attributes:
        equations: of each the offset, and its two sides.
        unread: the offsets of those that were not understood.
    """

    def __init__(self, text: str, inputs: frozenset[str], outputs: frozenset[str]) -> None:
        self.equations: list[tuple[int, Sum, Sum]] = []
        self.unread: list[int] = []
        self._text = text
        self._outputs = (outputs | {*_OUTPUTS}) - inputs - {*FIELDS}
        self._operands = inputs | outputs | {*_OUTPUTS, *FIELDS}
        # the parts of the text that are understood
        self._spans: list[tuple[int, int]] = []

    def read(self, items: Iterable[tuple[int, Sum, Sum]]) -> None:
        """Find all equations.

        Args:
            items: those of lists, which are known already.
        """
        self.equations += items
        braces = {at: self._text.find("}", at) for at, _left, _total in items}
        self._spans += sorted(braces.items())
        mentions = [
            mention
            for mention in _MENTION.finditer(self._text)
            if mention[0] in self._operands
            or (
                mention[0][-1] == "]"
                and (self._is_operand(mention[0]) or _EACH.fullmatch(mention[0]))
            )
            or self._is_size(mention[0])
        ]
        passed = 0
        for mention in islice(mentions, _MENTIONS):
            if mention.start() >= passed:
                passed = self._read_from(mention, passed)
        lines: dict[int, list[re.Match[str]]] = {}
        for mention in islice(mentions, _MENTIONS):
            lines.setdefault(self._text.rfind("\n", 0, mention.start()), []).append(mention)
        for line in lines.values():
            self._note_unread(line)

    def _is_operand(self, name: str) -> bool:
        stem, bracket, _index = name.partition("[")
        return stem in _LISTED if bracket else name in self._operands

    def _is_size(self, name: str) -> bool:
        """Whether it names a size, also one that the page does not explain."""
        stem, bracket, _index = name.partition("[")
        if bracket:
            return stem.endswith("Sizes") and stem not in FIELDS
        if name in self._operands:
            return name not in FIELDS
        return name.startswith(("Input", "Output")) and bool(_DIMENSION.fullmatch(name))

    def _is_output(self, name: str) -> bool:
        return name in self._outputs or name.startswith("OutputTensor.Sizes[")

    def _read_from(self, mention: re.Match[str], passed: int) -> int:
        """Read the equation that begins with a name; the offset after its left side, or the name.

        Args:
            mention: the name.
            passed: the offset up to which names belong to other equations.
        """
        text, start = self._text, mention.start()
        while factor := _FACTOR.search(text, max(passed, start - 20), start):
            start = factor.start()
        left = read_sum(text, start, self._is_operand)
        equals = left and _EQUALS.match(text, left.end)
        # it may be the right side of another equation, but no more than that, nor other lines
        if not (left and equals) or "\n" in text[start : left.end] or self._ends_after(start, left):
            start, left = mention.start(), Sum((mention[0],), mention.end())
            equals = _EQUALS.match(text, left.end)
        if equals:
            self._read_right(start, left, equals)
        elif not self._is_read(start) and (
            self._is_output(mention[0]) or _EACH.fullmatch(mention[0])
        ):
            self._read_words(start, left)
        return left.end

    def _read_right(self, start: int, left: Sum, equals: re.Match[str]) -> None:
        """Read what follows a sign of equality."""
        text, name = self._text, left.tokens[0]
        if _CONDITION.search(text, max(0, start - 20), start):
            return
        total = self._total(start, left, equals.end())
        is_each = left.is_plain and bool(_EACH.fullmatch(name))
        is_size = any(map(self._is_size, left.names))
        if total is None or not all(map(self._is_operand, left.names)):
            is_list = text.startswith(("{", "["), equals.end())
            if equals["sign"] != ":" and (is_each or is_size) and not is_list:
                self.unread.append(start)
        elif total.is_plain and not (total.names or is_each):
            # a number is an example's
            insort(self._spans, (start, total.end))
        elif not total.names and not is_each:
            self.unread += [start] * is_size
        elif not (total.is_plain and equals["sign"] == ":") or _END.match(text, total.end):
            self._add(start, left, total)

    def _read_words(self, start: int, left: Sum) -> None:
        """Read the sum that follows a few words."""
        text, between = self._text, left.end
        is_output = self._is_output(left.tokens[0])
        words = _WORDS.match(text, between)
        while words and words.end() - left.end < 80:
            name = _MENTION.match(text, words.end())
            if name and is_output and self._is_output(name[0]):
                return
            if name is None or self._is_operand(name[0]):
                said = text[left.end : words.end()]
                if _UNEQUAL.search(said) or not _SAID.search(said):
                    return
                total = self._total(start, left, words.end())
                is_claim = _IS.fullmatch(said) and total and _END.match(text, total.end)
                if total and total.names and (is_claim or not total.is_plain):
                    self._add(start, left, total)
                return
            between = name.end()
            words = _WORDS.match(text, between)

    def _add(self, start: int, left: Sum, total: Sum) -> None:
        self.equations.append((start, left, total))
        insort(self._spans, (start, total.end))

    def _total(self, start: int, left: Sum, at: int) -> Sum | None:
        """The right side of an equation; None where it is not understood."""
        text = self._text
        of_output = left.is_plain and self._is_output(left.tokens[0])
        line = text.rfind("\n", 0, start) + 1
        is_item = bool(_ITEM.match(text, line))

        def ends(sign: int) -> bool:
            """Whether a dash or the mark of an item begins the next equation."""
            mention = _AFTER_SIGN.match(text, sign)
            if mention and text[sign] == "-":
                name_is_output = of_output and self._is_output(mention[1])
                if name_is_output or _EQUALS.match(text, mention.end()):
                    return True
            before = text.rfind("\n", 0, sign) + 1
            if before <= line or not _ITEM.match(text, before) or text[before:sign].strip():
                return False
            # else it is a sum that goes on
            return is_item or _indent(text, before) <= _indent(text, line)

        total = read_sum(text, at, self._is_operand, ends)
        return None if total is None or _GOES_ON.match(text, total.end) else total

    def _note_unread(self, mentions: Sequence[re.Match[str]]) -> None:
        """Note a line that names a size, outside of what is understood, and works with it."""
        left = [m for m in mentions if not self._is_read(m.start())]
        if not any(self._is_size(m[0]) for m in left):
            return
        text, start = self._text, mentions[0].start()
        begin, end = text.rfind("\n", 0, start) + 1, text.find("\n", start)
        end = len(text) if end < 0 else end
        for mention in left:
            after = _SIGN_AFTER.match(text, mention.end(), end)
            before = _SIGN_BEFORE.search(text, max(begin, mention.start() - 40), mention.start())
            if after or before:
                self.unread.append(mention.start())
                return
        if len(left) > 1 and _WORKED.search(text, left[0].end(), end):
            self.unread.append(left[0].start())

    def _ends_after(self, start: int, left: Sum) -> bool:
        """Whether a sum goes on after the equation in which it begins."""
        return self._is_read(start) and not self._is_read(left.end - 1)

    def _is_read(self, at: int) -> bool:
        place = bisect_right(self._spans, (at, len(self._text))) - 1
        return place >= 0 and self._spans[place][0] <= at < self._spans[place][1]


def _indent(text: str, line: int) -> int:
    """How many blanks a line begins with."""
    return len(text[line : line + 100]) - len(text[line : line + 100].lstrip(" \t"))


def _check(
    statement: Statement, case: _Case, names: dict[str, int], only_wrong: bool
) -> CheckedStatement | None:
    """What a case says of a statement; None where it says nothing, or no more than others have."""
    if any(_EACH.fullmatch(name) for name in statement.names):
        return _check_each(statement, case, only_wrong)
    if not set(statement.names) <= names.keys():
        return None
    return _compared(statement, case, names, only_wrong)


def _check_each(statement: Statement, case: _Case, only_wrong: bool) -> CheckedStatement | None:
    """A statement about every dimension i: the first that differs, or the last."""
    parts = [_EACH.fullmatch(name) for name in statement.names]
    lists = {part[1]: case.lists.get(part[1], ()) for part in parts if part}
    lengths = {len(values) for values in lists.values()}
    if not all(parts) or len({part[2] for part in parts if part}) != 1 or len(lengths) != 1:
        return None
    checked = None
    for d in range(max(lengths)):
        names = {name: lists[name.partition("[")[0]][d] for name in statement.names}
        # of those that agree, only the last one is told
        later = d + 1 < max(lengths)
        checked = _compared(statement, case, names, only_wrong or later, d)
        if checked and not checked.agrees:
            break
    return checked


def _compared(
    statement: Statement,
    case: _Case,
    names: dict[str, int],
    only_wrong: bool,
    dimension: int | None = None,
) -> CheckedStatement | None:
    left = statement.left.show()
    value = statement.total.value(names)
    actual = names[left] if statement.left.is_plain else statement.left.value(names)
    agrees = value == actual
    if agrees and only_wrong:
        return None
    named = {
        "target": left,
        "letters": statement.total.show(),
        "numbers": statement.total.show(names),
        "value": _("nothing") if value is None else value,
        "place": left if dimension is None else re.sub(r"\[[a-z]\]", f"[{dimension}]", left),
        "actual": _("nothing") if actual is None else actual,
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
        named["settings"] = case.settings(statement.names)
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
    for setting in cls.declared.values():
        options[setting.name] = setting.probed(sizes, _PRIMES[at:], turn)
        at += len(setting.dimensions(sizes))
    return [dict(zip(options, values, strict=True)) for values in product(*options.values())]
