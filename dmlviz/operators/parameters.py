"""An operator's settings as the page offers them: data, so that no page knows an operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Sizes = tuple[int, ...]


@dataclass(frozen=True)
class Parameter:
    """One setting.

    Attributes:
        name: the Python field, such as ``repeats``.
        label: its name in DirectML, such as ``Repeats``.
        help: one sentence for a learner.
        used: whether it matters, given the other settings.
    """

    name: str
    label: str
    help: str
    used: Callable[[Mapping[str, Any]], bool] = lambda settings: True


@dataclass(frozen=True)
class PerDimension(Parameter):
    """A whole number for each dimension, from ``least`` on; ``neutral`` changes nothing."""

    least: int = 0
    neutral: int = 0


@dataclass(frozen=True)
class Choice(Parameter):
    """One of a few values; ``options`` are those that an input of given sizes allows."""

    options: Callable[[Sizes], tuple[Any, ...]] = lambda sizes: ()
    default: Any = None


@dataclass(frozen=True)
class Number(Parameter):
    """A real number, typed."""

    default: float = 0.0
