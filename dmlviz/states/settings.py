"""An operator's settings as text, as widgets and links write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dmlviz.base.spelling import print_setting
from dmlviz.operators import Operator

Settings = tuple[tuple[str, str], ...]
"""Names and texts, in the order of the page; texts, so that NaN equals itself."""


def settings_of(operator: Operator) -> Settings:
    """The settings that matter, as text.

    >>> from dmlviz.operators import Padding
    >>> settings_of(Padding("EDGE", (1,), (2,), 9))
    (('padding_mode', 'EDGE'), ('start_padding', '1'), ('end_padding', '2'))
    """
    return used_settings(type(operator), operator.settings)


def used_settings(cls: type[Operator], values: Mapping[str, Any]) -> Settings:
    """Those of the values that matter, given the others, as text."""
    return tuple(
        (setting.name, print_setting(values[setting.name]))
        for setting in cls.declared.values()
        if setting.used(values)
    )
