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
from dmlviz.trace import Trace, differing_bits, run
from dmlviz.words import _, ngettext

Array = np.ndarray[Any, Any]

MATCH, MISMATCH, REFUSED, UNREADABLE = "match", "mismatch", "refused", "unreadable"
RECORDED = "directml-recorded"
"""The engine's name where the answer is one that DirectML gave elsewhere."""

OUTPUT_LIMIT = 1 << 12
"""The most elements of an output that is worked out although it is far from the page's sizes."""


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
        differing: flat indices of all differing elements of the engine's output; where the
            sizes differ, those of the elements that the page does not have or has otherwise.
        actual: the engine's output; None where it gave none.
        trace: the run, for a picture; None where nothing ran here.
    """

    example: PageExample
    engine: str
    status: str
    message: str
    first_difference: Difference | None = None
    differing: tuple[int, ...] = ()
    actual: Array | None = None
    trace: Trace | None = None


def available() -> tuple[str, ...]:
    """The names of all engines that can run here, and of the recorded one."""
    return (*(engine.name for engine in engines() if engine.available), RECORDED)


def verify(document: Document, engine_names: Sequence[str] = ("numpy",)) -> tuple[Verdict, ...]:
    """Every example of a page through every engine named.

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
    return tuple(
        verdict
        for example in document.examples
        for name in engine_names
        for verdict in _verdicts(example, name)
    )


def _verdicts(example: PageExample, name: str) -> Iterator[Verdict]:
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
            if known is not None and known.output is not None:
                yield _compared(example, name, expected, known.output, None)
            return
        trace = run(operator, x, name)
    except Refused as refusal:
        # what contradicts itself is wrong before any engine is asked
        status = MISMATCH if example.contradictions else REFUSED
        yield Verdict(example, name, status, _told_first(example, _with_line(example, refusal)))
    except Error as error:
        yield Verdict(example, name, REFUSED, str(error))
    else:
        yield _compared(example, name, expected, trace.output, trace)


def _compared(
    example: PageExample, name: str, expected: Array, actual: Array, trace: Trace | None
) -> Verdict:
    if expected.shape == actual.shape:
        differing = _differing(expected, actual)
    else:
        differing = _differing_anywhere(expected, actual)
    first = _first(example, expected, actual, differing)
    if example.contradictions:
        message = _told_first(example, "")
    elif expected.shape != actual.shape:
        message = _sizes_differ(example, expected.shape, actual.shape)
    elif first is not None:
        message = _told(first, len(differing), actual.size)
    else:
        message = ngettext("{n} element, equal.", "{n} elements, all equal.", actual.size).format(
            n=f"{actual.size:,}"
        )
        return Verdict(example, name, MATCH, message, actual=actual, trace=trace)
    return Verdict(example, name, MISMATCH, message, first, differing, actual, trace)


def _differing(expected: Array, actual: Array) -> tuple[int, ...]:
    """Flat indices of elements that are not the same, bit for bit; any NaN is a NaN."""
    where = differing_bits(expected, actual)
    if expected.dtype.kind == "f" and where.size:
        with np.errstate(invalid="ignore"):
            both = np.isnan(expected.ravel()[where]) & np.isnan(actual.ravel()[where])
        where = where[~both]
    return tuple(int(i) for i in where)


def _differing_anywhere(expected: Array, actual: Array) -> tuple[int, ...]:
    """The engine's elements that the page's tensor, of other sizes, does not have there."""
    if expected.ndim != actual.ndim:
        return ()
    common = tuple(slice(0, min(a, b)) for a, b in zip(expected.shape, actual.shape, strict=True))
    wrong = np.ones(actual.shape, bool)
    mine, theirs = np.ascontiguousarray(actual[common]), np.ascontiguousarray(expected[common])
    same = np.ones(mine.shape, bool)
    same.ravel()[list(_differing(theirs, mine))] = False
    wrong[common] = ~same
    return tuple(int(i) for i in np.flatnonzero(wrong))


def _first(
    example: PageExample, expected: Array, actual: Array, differing: tuple[int, ...]
) -> Difference | None:
    if not differing:
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
    line, message = example.line_of(refusal.field), page_words(refusal)
    return _("line {line}: {message}").format(line=line, message=message)
