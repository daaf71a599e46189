"""Imports of many modules at once."""

from __future__ import annotations

import atexit
import gc
from importlib import import_module
from types import ModuleType


def import_much(name: str) -> ModuleType:
    """A module whose import brings a hundred others, for programs that begin.

    What modules make stays, so Python's collector, which would look through all of it again and
    again, is off until they are imported, in other threads too. Nor does it look through it when
    the process ends, which would take as long as to import NumPy.

    Args:
        name: such as ``dmlviz.commands.verify``.

    Raises:
        ImportError: there is no such module, or one that it imports is not there.
    """
    atexit.register(gc.freeze)
    on = gc.isenabled()
    gc.disable()
    try:
        return import_module(name)
    finally:
        if on:
            gc.enable()
