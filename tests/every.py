"""A law of many small cases as one test, where a test of each would cost more than the cases."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any


def every(
    names: str | tuple[str, ...], cases: Iterable[Any], ids: Callable[[Any], str] = repr
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As ``pytest.mark.parametrize``, but all cases are one test, which names each that fails.

    Fixtures are the same for all cases, so none may be changed by a case, and no case may skip.

    Args:
        names: the arguments that a case gives.
        cases: a value, or a tuple of values of as many names.
        ids: how a failure names a case.
    """
    values = list(cases)
    several = not isinstance(names, str)
    given = tuple(names) if several else (names,)

    def test_of(law: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(law)
        def test(**fixtures: Any) -> None:
            assert values, "no cases"
            failures = []
            for case in values:
                try:
                    law(**dict(zip(given, case if several else (case,), strict=True)), **fixtures)
                except Exception as failure:
                    failure.add_note(f"Case: {ids(case)[:200]}")
                    failures.append(failure)
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(values)} cases", failures[:10])

        signature = inspect.signature(law)
        others = [p for name, p in signature.parameters.items() if name not in given]
        test.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return test

    return test_of
