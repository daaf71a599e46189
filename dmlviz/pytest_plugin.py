"""A plugin of pytest: the fixture :func:`assert_array_equal`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest


@pytest.fixture(name="assert_array_equal")
def assert_array_equal_in_folder(tmp_path: Path) -> Callable[..., None]:
    """:func:`dmlviz.testing.assert_array_equal` that saves its pages into ``tmp_path``."""
    # pytest imports plugins whether or not a test uses them
    from dmlviz.testing import assert_array_equal

    return partial(assert_array_equal, folder=tmp_path)
