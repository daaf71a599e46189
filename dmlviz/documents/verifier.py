"""A page's examples, run: does an engine give what the page says?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.documents.examples import PageExample, page_words
from dmlviz.documents.reader import Document
from dmlviz.engines import engine as engine_named
from dmlviz.engines import engines
from dmlviz.engines.recorded import recorded
from dmlviz.errors import Error, Refused
from dmlviz.tensors import element_count, print_sizes, print_value
from dmlviz.tensors.bits import differing_bits
from dmlviz.trace import run
from dmlviz.words import _, ngettext

Array = np.ndarray[Any, Any]

MATCH, MISMATCH, REFUSED, UNREADABLE = "match", "mismatch", "refused", "unreadable"
RECORDED = "directml-recorded"
"""The engine's name where the answer is one that DirectML gave elsewhere."""

OUTPUT_LIMIT = 1 << 12
"""The most elements of an output that is worked out although it is far from the page's sizes."""

WORK_LIMIT = 1 << 21
"""The most elements of inputs and outputs that each engine works on for one page.

It is four times what a page of the greatest length can hold."""

KEPT_LIMIT = 1 << 23
"""The most bytes of engines' outputs that are kept for one page, for pictures."""

LISTED_LIMIT = 100
"""How many of the elements that differ are listed; all of them are counted."""


@dataclass(frozen=True)
class Difference:
    """The first place where a page and an engine differ.

    Attributes:
        index: of the output element.
        expected: the page's value; empty where the page has none there.
        actual: the engine's value; empty where the engine has none there.
        line: of the page; 0 where it has none.
    """

    index: tuple[int, ...]
    expected: str
    actual: str
    line: int


@dataclass(frozen=True, eq=False)
class Verdict:
    """One example through one engine.

    Attributes:
        example: of the page.
        engine: ``numpy``, ``onnxruntime``, ``directml`` or ``directml-recorded``.
        status: match, mismatch, refused or unreadable.
        message: one sentence.
        first_difference: where there is one.
        differing: flat indices of the first hundred differing elements of the engine's output;
            where the sizes differ, those that the page does not have or has otherwise.
        differing_count: how many there are in all.
        sizes: of the engine's output; empty where it gave none.
        actual: the engine's output; None where it gave none, and where a page has so many that
            no more are kept.
    """

    example: PageExample
    engine: str
    status: str
    message: str
    first_difference: Difference | None = None
    differing: tuple[int, ...] = ()
    differing_count: int = 0
    sizes: tuple[int, ...] = ()
    actual: Array | None = None


class _Share:
    """What is left of a page's share of work and memory."""

    def __init__(self) -> None:
        self._elements: dict[str, int] = {}
        self._bytes = KEPT_LIMIT

    def allows(self, engine: str, count: int) -> bool:
        """Whether an engine may work on so many elements more; once refused, always refused."""
        left = self._elements.get(engine, WORK_LIMIT)
        self._elements[engine] = left - count if count <= left else 0
        return count <= left

    def kept(self, output: Array) -> Array | None:
        """The output, if there is still room for it."""
        self._bytes -= output.nbytes
        return output if self._bytes >= 0 else None


def available() -> tuple[str, ...]:
    """The names of all engines that can run here, and of the recorded one."""
    return (*(engine.name for engine in engines() if engine.available), RECORDED)


def verify(document: Document, engine_names: Sequence[str] = ("numpy",)) -> tuple[Verdict, ...]:
    """Every example of a page through every engine named.

    Work and memory are bounded for the page: where an engine has worked on :data:`WORK_LIMIT`
    elements, the examples that follow are not run, and are unreadable.

    Args:
        document: what :func:`dmlviz.documents.read_document` gave.
        engine_names: engines that are available here; ``directml-recorded`` answers where
            DirectML was once asked exactly this, and is left out elsewhere.

    Raises:
        EngineUnavailable: there is no such engine, or it cannot run here.
    """
    for name in engine_names:
        if name != RECORDED:
            engine_named(name)
    share = _Share()
    return tuple(
        verdict
        for example in document.examples
        for name in engine_names
        for verdict in _verdicts(example, name, share)
    )


def differing_elements(expected: Array, actual: Array) -> Array:
    """Flat indices of all elements of ``actual`` that ``expected`` does not have there.

    They are compared bit by bit; any NaN is a NaN.

    >>> differing_elements(np.int8([[1, 2], [3, 4]]), np.int8([[1, 0], [3, 4]])).tolist()
    [1]
    >>> differing_elements(np.int8([1, 2]), np.int8([1, 2, 1])).tolist()
    [2]
    """
    if expected.ndim != actual.ndim:
        return np.empty(0, np.int64)
    if expected.shape == actual.shape:
        return _differing(expected, actual)
    common = tuple(slice(0, min(a, b)) for a, b in zip(expected.shape, actual.shape, strict=True))
    mine, theirs = np.ascontiguousarray(actual[common]), np.ascontiguousarray(expected[common])
    wrong = np.ones(actual.shape, bool)
    inside = np.zeros(mine.size, bool)
    inside[_differing(theirs, mine)] = True
    wrong[common] = inside.reshape(mine.shape)
    return np.flatnonzero(wrong)


def _verdicts(example: PageExample, name: str, share: _Share) -> Iterator[Verdict]:
    if example.unreadable is not None:
        yield Verdict(example, name, UNREADABLE, str(example.unreadable))
        return
    operator, x, expected = example.operator, example.x, example.expected
    assert operator is not None
    assert x is not None
    assert expected is not None
    try:
        sizes = operator.output_sizes(x.shape)
        if element_count(sizes) > max(OUTPUT_LIMIT, 4 * expected.size):
            told = _told_first(example, _sizes_differ(example, expected.shape, sizes))
            yield Verdict(example, name, MISMATCH, told)
            return
        if name == RECORDED:
            known = recorded(operator, x)
            output = known.output if known else None
            if output is None:
                return
        if not share.allows(name, x.size + element_count(sizes)):
            yield Verdict(example, name, UNREADABLE, _exhausted(example))
            return
        if name != RECORDED:
            output = run(operator, x, name).output
    except Refused as refusal:
        # what contradicts itself is wrong before any engine is asked
        status = MISMATCH if example.contradictions else REFUSED
        yield Verdict(example, name, status, _told_first(example, _with_line(example, refusal)))
    except Error as error:
        yield Verdict(example, name, REFUSED, str(error))
    else:
        assert output is not None
        yield _compared(example, name, expected, output, share)


def _compared(
    example: PageExample, name: str, expected: Array, actual: Array, share: _Share
) -> Verdict:
    wrong = differing_elements(expected, actual)
    first = _first(example, expected, actual, wrong)
    if example.contradictions:
        message = _told_first(example, "")
    elif expected.shape != actual.shape:
        message = _sizes_differ(example, expected.shape, actual.shape)
    elif first is not None:
        message = _told(first, wrong.size, actual.size)
    else:
        message = ngettext("{n} element, equal.", "{n} elements, all equal.", actual.size).format(
            n=f"{actual.size:,}"
        )
    right = not example.contradictions and expected.shape == actual.shape and first is None
    return Verdict(
        example,
        name,
        MATCH if right else MISMATCH,
        message,
        first,
        tuple(wrong[:LISTED_LIMIT].tolist()),
        wrong.size,
        actual.shape,
        share.kept(actual),
    )


def _differing(expected: Array, actual: Array) -> Array:
    """Where two arrays of the same sizes differ."""
    where = differing_bits(expected, actual)
    if expected.dtype.kind == "f" and where.size:
        with np.errstate(invalid="ignore"):
            both = np.isnan(expected.ravel()[where]) & np.isnan(actual.ravel()[where])
        where = where[~both]
    return where


def _first(
    example: PageExample, expected: Array, actual: Array, differing: Array
) -> Difference | None:
    if not differing.size:
        return None
    index = tuple(int(i) for i in np.unravel_index(differing[0], actual.shape))
    if not all(i < n for i, n in zip(index, expected.shape, strict=True)):
        return Difference(index, "", print_value(actual[index]), 0)
    flat = int(np.ravel_multi_index(index, expected.shape))
    line = example.lines[flat] if flat < len(example.lines) else 0
    return Difference(index, print_value(expected[index]), print_value(actual[index]), line)


def _told_first(example: PageExample, message: str) -> str:
    """The page's first contradiction, where it has one: all else may only follow from it."""
    return str(example.contradictions[0]) if example.contradictions else message


def _told(first: Difference, wrong: int, count: int) -> str:
    return _(
        "line {line}: out{index} is {expected} on the page, {actual} by the engine; {wrong} of "
        "{n} elements differ."
    ).format(
        line=first.line,
        index=list(first.index),
        expected=first.expected,
        actual=first.actual,
        wrong=f"{wrong:,}",
        n=f"{count:,}",
    )


def _sizes_differ(example: PageExample, page: tuple[int, ...], due: tuple[int, ...]) -> str:
    return _(
        "line {line}: the page's output has sizes {page}, but input and parameters give {due}."
    ).format(line=example.line_of("OutputTensor"), page=print_sizes(page), due=print_sizes(due))


def _with_line(example: PageExample, refusal: Refused) -> str:
    """The first reason, on the line of its parameter, under the page's name of it."""
    line, first = example.line_of(refusal.field), Refused(refusal.problems[:1])
    return _("line {line}: {message}").format(line=line, message=page_words(first))


def _exhausted(example: PageExample) -> str:
    return _(
        "line {line}: not run; the examples before it used up the {most} elements that one page "
        "may take."
    ).format(line=example.line, most=f"{WORK_LIMIT:,}")
