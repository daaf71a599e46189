"""A page's examples, run: does an engine give what the page says?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Refused
from dmlviz.base.words import _, ngettext
from dmlviz.engines import engine as engine_named
from dmlviz.engines import engines
from dmlviz.engines.recorded import recorded
from dmlviz.engines.trace import outputs_of
from dmlviz.tensors import element_count, print_sizes, print_value
from dmlviz.tensors.numbering import differing_bits
from dmlviz.tensors.types import Array
from dmlviz.verify.examples import PageExample, page_words
from dmlviz.verify.findings import at_line
from dmlviz.verify.reader import Document

MATCH, MISMATCH, REFUSED, UNREADABLE = "match", "mismatch", "refused", "unreadable"
SKIPPED = "skipped"
RECORDED = "directml-recorded"
"""The engine's name where the answer is one that DirectML gave elsewhere."""

OUTPUT_LIMIT = 1 << 12
"""The most elements of an output that is worked out although it is far from the page's sizes."""

WORK_LIMIT = 1 << 23
"""The most elements of inputs and outputs that each engine works on for one page.

It is four times what a page of the greatest length can hold."""

KEPT_LIMIT = 1 << 25
"""The most bytes of engines' outputs that are kept for one page, for pictures."""

LISTED_LIMIT = 100
"""How many of the elements that differ are listed; all of them are counted."""


@dataclass(frozen=True)
class FirstDifference:
    """The first place where a page and an engine differ.

    Attributes:
        tensor: the output's name.
        index: of the output element.
        expected: the page's value; empty where the page has none there.
        actual: the engine's value; empty where the engine has none there.
        line: of the page; 0 where it has none.
    """

    tensor: str
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
        status: match, mismatch, refused, unreadable, or skipped by the page itself.
        message: one sentence, or the reason why the page skips it.
        first_difference: where there is one.
        differing: for each output of the engine that differs, the flat indices of the first hundred
            elements that do; where the sizes differ, those that the page does not have or has
            otherwise.
        differing_count: how many there are in all.
        sizes: of the engine's outputs; empty where it gave none.
        outputs: the engine's; empty where it gave none, and where a page has so many that no more
            are kept.
        line: of the page, that the message is about.
    """

    example: PageExample
    engine: str
    status: str
    message: str
    first_difference: FirstDifference | None = None
    differing: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    differing_count: int = 0
    sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    outputs: Mapping[str, Array] = field(default_factory=dict)
    line: int = 0

    @property
    def engine_of_movement(self) -> str:
        """The engine whose run can be drawn: a recorded answer did not run here."""
        return "numpy" if self.engine == RECORDED else self.engine

    @property
    def actual(self) -> Array | None:
        """The engine's output, where there is one."""
        return next(iter(self.outputs.values())) if len(self.outputs) == 1 else None


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

    def kept(self, outputs: Mapping[str, Array]) -> Mapping[str, Array]:
        """The outputs, if there is still room for them."""
        self._bytes -= sum(output.nbytes for output in outputs.values())
        return outputs if self._bytes >= 0 else {}


def available() -> tuple[str, ...]:
    """The names of all engines that can run here, and of the recorded one."""
    return (*(engine.name for engine in engines() if engine.available), RECORDED)


def verify(document: Document, engine_names: Sequence[str] = ("numpy",)) -> tuple[Verdict, ...]:
    """Run every example of a page on every engine named.

    Work and memory are bounded for the page: where an engine has worked on :data:`WORK_LIMIT`
    elements, the examples that follow are not run, and are unreadable.

    Args:
        document: what :func:`dmlviz.verify.read_document` gave.
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
        for verdict in _verdicts(example, engine_names, share)
    )


def wrong_elements(expected: Array, actual: Array) -> Array:
    """Flat indices of all elements of ``actual`` that ``expected`` does not have there.

    They are compared bit by bit; any NaN is a NaN.

    >>> wrong_elements(np.int8([[1, 2], [3, 4]]), np.int8([[1, 0], [3, 4]])).tolist()
    [1]
    >>> wrong_elements(np.int8([1, 2]), np.int8([1, 2, 1])).tolist()
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


def wrong_numbers(verdict: Verdict) -> list[int]:
    """The numbers, through all outputs, of elements that the page has otherwise."""
    numbers: list[int] = []
    before = 0
    for label, actual in verdict.outputs.items():
        expected = verdict.example.outputs.get(label, actual)
        numbers += [before + n for n in wrong_elements(expected, actual).tolist()]
        before += actual.size
    return numbers


def _verdicts(example: PageExample, names: Sequence[str], share: _Share) -> Iterator[Verdict]:
    """Of each engine, in the order of their names."""
    outcome = _not_run(example)
    if isinstance(outcome, tuple):
        line, message, status = outcome
        yield from (Verdict(example, name, status, message, line=line) for name in names)
        return
    for name in names:
        yield from _ran(example, name, outcome, share)


def _not_run(example: PageExample) -> tuple[int, str, str] | int:
    """Line, message and status of an example that no engine runs; else its outputs' elements."""
    if example.skipped:
        return example.line, example.skipped, SKIPPED
    if example.unreadable is not None:
        return example.unreadable.line, str(example.unreadable), UNREADABLE
    operator, inputs, expected = example.operator, example.inputs, example.outputs
    assert operator is not None
    try:
        if refusals := operator.refusals(inputs):
            # what contradicts itself is wrong before any engine is asked
            word = MISMATCH if example.contradictions else REFUSED
            return *_contradiction_or(example, _with_line(example, Refused(refusals))), word
        output_sizes = operator.outputs_after({label: x.shape for label, x in inputs.items()})
    except Error as error:
        return example.line, str(error), REFUSED
    count = sum(map(element_count, output_sizes.values()))
    if not example.sizes and count > max(
        OUTPUT_LIMIT, 4 * sum(output.size for output in expected.values())
    ):
        return *_contradiction_or(example, _sizes_differ(example, output_sizes)), MISMATCH
    return count


def _ran(example: PageExample, name: str, count: int, share: _Share) -> Iterator[Verdict]:
    """One engine's, for outputs of so many elements; none where no recording answers it."""
    operator, inputs = example.operator, example.inputs
    assert operator is not None
    try:
        if name == RECORDED:
            recording = recorded(operator, inputs)
            if recording is None or not recording.outputs:
                return
            outputs = recording.outputs
        if not share.allows(name, sum(x.size for x in inputs.values()) + count):
            yield Verdict(example, name, UNREADABLE, _exhausted(example), line=example.line)
            return
        if name != RECORDED:
            outputs = outputs_of(operator, inputs, name)
    except Error as error:
        yield Verdict(example, name, REFUSED, str(error), line=example.line)
    else:
        yield _compared(example, name, outputs, share)


def _compared(
    example: PageExample, name: str, outputs: Mapping[str, Array], share: _Share
) -> Verdict:
    expected = example.outputs
    sizes = {label: output.shape for label, output in outputs.items()}
    if example.sizes:
        return _sizes_compared(example, name, sizes, share.kept(outputs))
    wrong = {
        # an output that the page does not have differs everywhere
        label: wrong_elements(expected[label], output)
        if label in expected
        else np.arange(output.size)
        for label, output in outputs.items()
    }
    differences = (_first(example, label, outputs[label], wrong[label]) for label in outputs)
    first = next(filter(None, differences), None)
    count = sum(places.size for places in wrong.values())
    total = sum(output.size for output in outputs.values())
    same_sizes = sizes == {label: output.shape for label, output in expected.items()}
    if example.contradictions:
        line, message = _contradiction_or(example, (0, ""))
    elif not same_sizes:
        line, message = _sizes_differ(example, sizes)
    elif first is not None:
        line, message = first.line, _difference_message(first, count, total, len(outputs) > 1)
    else:
        line = example.line
        message = ngettext("{n} element, equal.", "{n} elements, all equal.", total).format(
            n=f"{total:,}"
        )
    right = not example.contradictions and same_sizes and first is None
    return Verdict(
        example,
        name,
        MATCH if right else MISMATCH,
        message,
        first,
        {n: tuple(places[:LISTED_LIMIT].tolist()) for n, places in wrong.items() if places.size},
        count,
        sizes,
        share.kept(outputs),
        line,
    )


def _sizes_compared(
    example: PageExample,
    name: str,
    sizes: Mapping[str, tuple[int, ...]],
    outputs: Mapping[str, Array],
) -> Verdict:
    """Of an example of which the page gives the sizes and no values."""
    if dict(sizes) == dict(example.sizes):
        line, status = example.line, MATCH
        message = _("Sizes {sizes}, equal.").format(
            sizes=", ".join(map(print_sizes, sizes.values()))
        )
    else:
        (line, message), status = _sizes_differ(example, sizes), MISMATCH
    return Verdict(example, name, status, message, sizes=sizes, outputs=outputs, line=line)


def _differing(expected: Array, actual: Array) -> Array:
    """Where two arrays of the same sizes differ."""
    where = differing_bits(expected, actual)
    if expected.dtype.kind == "f" and where.size:
        with np.errstate(invalid="ignore"):
            both = np.isnan(expected.ravel()[where]) & np.isnan(actual.ravel()[where])
        where = where[~both]
    return where


def _first(
    example: PageExample, label: str, actual: Array, differing: Array
) -> FirstDifference | None:
    if not differing.size:
        return None
    expected = example.outputs.get(label)
    index = tuple(int(i) for i in np.unravel_index(differing[0], actual.shape))
    if expected is None or not all(i < n for i, n in zip(index, expected.shape, strict=True)):
        return FirstDifference(label, index, "", print_value(actual[index]), 0)
    flat = int(np.ravel_multi_index(index, expected.shape))
    lines = example.lines[label]
    line = lines[flat] if flat < len(lines) else 0
    return FirstDifference(
        label, index, print_value(expected[index]), print_value(actual[index]), line
    )


def _contradiction_or(example: PageExample, reason: tuple[int, str]) -> tuple[int, str]:
    """The page's first contradiction, where it has one: all else may only follow from it."""
    if not example.contradictions:
        return reason
    first = example.contradictions[0]
    return first.line, str(first)


def _difference_message(first: FirstDifference, wrong: int, count: int, several: bool) -> str:
    return _(
        "line {line}: {place} is {expected} on the page, but the engine gives {actual}; "
        "{wrong} of {n} elements differ."
    ).format(
        line=first.line,
        place=f"{first.tensor if several else 'out'}{list(first.index)}",
        expected=first.expected,
        actual=first.actual,
        wrong=f"{wrong:,}",
        n=f"{count:,}",
    )


def _sizes_differ(example: PageExample, actual: Mapping[str, tuple[int, ...]]) -> tuple[int, str]:
    """The first output of other sizes, or one too few or too many."""
    page = {label: output.shape for label, output in example.outputs.items()} | dict(example.sizes)
    label = next(name for name in (*actual, *page) if actual.get(name) != page.get(name))
    if len(actual) == len(page) == 1:
        message = _(
            "line {line}: the page's output has sizes {page}, but input and parameters give {due}."
        )
    elif label not in page:
        message = _("line {line}: the page has no {label}; inputs and parameters give it {due}.")
    elif label not in actual:
        message = _("line {line}: inputs and parameters give no {label}, but the page has one.")
    else:
        message = _(
            "line {line}: {label} has sizes {page} on the page, but inputs and parameters give "
            "{due}."
        )
    line = example.line_of(label if label in page else next(iter(page)))
    return line, message.format(
        line=line,
        label=label,
        page=print_sizes(page.get(label, ())),
        due=print_sizes(actual.get(label, ())),
    )


def _with_line(example: PageExample, refusal: Refused) -> tuple[int, str]:
    """The first reason, on the line of its parameter, under the page's name of it."""
    line, first = example.line_of(refusal.field), Refused(refusal.problems[:1])
    return line, at_line(line, page_words(first))


def _exhausted(example: PageExample) -> str:
    return _(
        "line {line}: not run; earlier examples used up the page's limit of {most} elements."
    ).format(line=example.line, most=f"{WORK_LIMIT:,}")
