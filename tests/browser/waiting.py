"""Waiting for something that holds in a page, whatever the page's policy allows to be run."""

from __future__ import annotations

import time
from typing import Any


def wait_for_function(
    page: Any, expression: str, *, arg: Any = None, timeout: float = 30_000, polling: float = 20
) -> None:
    """As Playwright's, which the content security policy of the app's pages stops.

    Playwright evaluates the text again and again inside the page; what is asked from outside,
    again each time, may be evaluated.

    Raises:
        TimeoutError: of Playwright; it did not come true.
    """
    from playwright.sync_api import Error, TimeoutError

    end = time.monotonic() + timeout / 1000
    text = (
        f"arg => {{ const found = ({expression.strip()});"
        " return Boolean(typeof found === 'function' ? found(arg) : found); }"
    )
    while True:
        try:
            if page.evaluate(text, arg):
                return
        except Error as error:
            # on the way to another page, or of a page that is not there yet
            if not any(word in error.message for word in ("context", "null", "undefined")):
                raise
        if time.monotonic() > end:
            raise TimeoutError(f"after {timeout:.0f} ms still not true: {expression}")
        page.wait_for_timeout(polling)
