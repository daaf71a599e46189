"""Imports of many modules at once."""

from __future__ import annotations

import gc
from importlib import import_module
from types import ModuleType


def import_much(name: str) -> ModuleType:
    """A module whose import brings a hundred others, in some five sixths of the time.

    What modules make stays, so Python's collector, which looks through all of it again and again,
    is off until they are imported. It is off for other threads, too: for programs that begin.

    Args:
        name: such as ``dmlviz.commands.verify``.

    Raises:
        ImportError: there is no such module, or one that it imports is not there.
    """
    on = gc.isenabled()
    gc.disable()
    try:
        return import_module(name)
    finally:
        if on:
            gc.enable()
