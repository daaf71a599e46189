"""Every text is read or refused with a sentence, in bounded time and memory."""

import time

import pytest

from dmlviz.code import KINDS, CodeRefused, read
from tests.code.damage import HOSTILE, damaged
from tests.code.lines import LINES
from tests.every import every
from tests.memory import at_most

ALL = [line for lines in LINES.values() for line in lines]
SECONDS = 0.2
MEMORY = 64 << 20


def answer(code, sizes):
    """The kind of refusal, or ``read``; and the seconds of the processor that it took."""
    start = time.process_time()
    try:
        read(code, dict(zip("xy", sizes, strict=False)))
        kind = "read"
    except CodeRefused as refused:
        kind = refused.kind
        assert kind in KINDS
        assert str(refused).strip()
        assert refused.line >= 1
        assert refused.column >= 1
    return kind, time.process_time() - start


def check(count, seed):
    kinds = {}
    for code, sizes in damaged(ALL, count, seed):
        kind, seconds = answer(code, sizes)
        kinds[kind] = kinds.get(kind, 0) + 1
        assert seconds < SECONDS or answer(code, sizes)[1] < SECONDS, code
    assert {"read", "syntax", "name", "argument", "sizes", "computes"} <= kinds.keys()


@pytest.mark.slow
def test_damaged_lines_are_read_or_refused():
    check(10_000, seed=1)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2, 11))
def test_many_damaged_lines_are_read_or_refused(seed):
    check(10_000, seed)


@every("code", HOSTILE, ids=lambda code: repr(code)[:60])
def test_what_means_harm_costs_little(code):
    with at_most(MEMORY):
        _kind, seconds = answer(code, [(2, 3)])
    # another program may take the processor's caches
    assert seconds < SECONDS or answer(code, [(2, 3)])[1] < SECONDS
