"""Results are kept in a bounded number of bytes, made once, and few heavy ones at a time."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest

from dmlviz.base.cache import AT_ONCE, cached, size_of
from dmlviz.base.words import language, speaking


@dataclass(frozen=True)
class Holder:
    array: np.ndarray
    name: str = ""


def test_values_of_any_kind_never_take_more_than_the_bound():
    @cached(megabytes=1)
    def made(number):
        return (
            np.zeros(100_000, np.uint8),
            b"x" * 100_000,
            Holder(np.zeros(100_000, np.uint8)),
            np.zeros(100_000, np.uint8)[:1],
        )[number % 4]

    for number in range(40):
        made(number)
        assert made.bytes <= made.most == 1_000_000
    assert 8 <= len(made) <= 9


def test_arguments_are_counted_too():
    @cached(megabytes=1)
    def made(text):
        return None

    for number in range(30):
        made(f"{number:0100000}")
    assert len(made) == 9


def test_what_tells_arguments_apart_is_kept_in_their_place():
    @cached(megabytes=1, key=lambda text: text[:3])
    def made(text):
        return text[-1]

    assert [made(f"{number:03}{0:0600000}") for number in range(50)] == ["0"] * 50
    assert (len(made), made.bytes < 100_000) == (50, True)
    # equal for whoever says so
    assert (made("000x"), made.hits) == ("0", 1)


def test_the_least_recently_used_goes_first():
    @cached(megabytes=1)
    def made(name):
        return b"x" * 300_000

    for name in "abcad":
        made(name)
    assert made.hits == 1
    made("a")
    assert made.hits == 2
    made("b")
    assert made.hits == 2


def test_what_is_larger_than_the_cache_is_given_and_not_kept():
    calls = []

    @cached(megabytes=1)
    def made():
        calls.append(1)
        return b"x" * 2_000_000

    assert len(made()) == len(made()) == 2_000_000
    assert len(calls) == 2
    assert (len(made), made.bytes) == (0, 0)


def test_what_fails_is_tried_again():
    calls = []

    @cached(megabytes=1)
    def made():
        calls.append(1)
        raise ValueError(len(calls))

    for number in (1, 2):
        with pytest.raises(ValueError, match=str(number)):
            made()
    assert len(made) == 0


def test_each_language_has_its_own_words():
    @cached(megabytes=1)
    def spoken():
        return language()

    @cached(megabytes=1, words=False)
    def silent():
        return object()

    first = spoken(), silent()
    with speaking("ko"):
        assert (spoken(), silent()) == ("ko", first[1])
    assert (spoken(), spoken.hits) == ("en", 1)


def test_who_asks_for_what_is_being_made_waits_for_it():
    begun, go_on = threading.Event(), threading.Event()
    calls = []

    @cached(megabytes=1)
    def made(name):
        calls.append(name)
        begun.set()
        assert go_on.wait(30)
        return object()

    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(made, "a")
        assert begun.wait(30)
        others = [pool.submit(made, "a") for _ in range(7)]
        go_on.set()
        assert {id(found.result(30)) for found in (first, *others)} == {id(first.result())}
    assert calls == ["a"]


def test_few_heavy_results_are_made_at_once_whatever_the_function():
    lock, go_on = threading.Lock(), threading.Event()
    now, most = 0, 0

    def work(_name):
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
            if now > AT_ONCE:
                go_on.set()
        # nobody else comes in while one waits
        go_on.wait(0.05)
        with lock:
            now -= 1

    one, other = cached(megabytes=1, heavy=True)(work), cached(megabytes=1, heavy=True)(work)
    with ThreadPoolExecutor(3 * AT_ONCE + 3) as pool:
        asked = [pool.submit(f, n) for f in (one, other) for n in range(2 * AT_ONCE)]
        for found in asked:
            found.result(30)
    assert most == AT_ONCE


def test_a_heavy_result_that_fails_leaves_its_place():
    @cached(megabytes=1, heavy=True)
    def made(name):
        raise ValueError(name)

    for name in range(AT_ONCE + 1):
        with pytest.raises(ValueError):
            made(name)


def test_a_heavy_result_is_made_of_no_other():
    inner = cached(megabytes=1, heavy=True)(lambda: 1)
    outer = cached(megabytes=1, heavy=True)(lambda: inner())
    with pytest.raises(AssertionError, match="another heavy"):
        outer()
    assert inner() == 1


def test_sizes_hold_everything_once():
    array = np.zeros(100_000)
    assert 800_000 < size_of(array) < 801_000
    assert 800_000 < size_of([array, array, {"again": array}]) < 802_000
    assert 800_000 < size_of(array[::2][:3]) < 801_000
    assert 800_000 < size_of(Holder(array, "name")) < 802_000
    assert 100_000 < size_of(np.frombuffer(b"x" * 100_000, np.uint8)) < 101_000
    assert 200_000 < size_of("→" * 100_000) < 201_000
    # a program's own things are no part of a value
    assert size_of([np, Holder, size_of, len]) < 200
