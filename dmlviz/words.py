"""Words for people: the one place where a message becomes the reader's language.

Every word that a user reads passes through :func:`_`.  Messages are written in
English with named placeholders, filled in after translation, so that a
translator may change the order of words::

    _("{field} is {value}").format(field="repeats", value=0)
"""

from __future__ import annotations

import gettext
from pathlib import Path

LOCALE = Path(__file__).resolve().parent.parent / "assets" / "locale"

_catalogue = gettext.translation("dmlviz", LOCALE, fallback=True)


def _(message: str) -> str:
    """The message in the reader's language; the message itself where there is no translation.

    >>> _("Input")
    'Input'
    """
    return _catalogue.gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    """The form of a message that fits ``count``.

    >>> ngettext("{n} element", "{n} elements", 54).format(n=54)
    '54 elements'
    """
    return _catalogue.ngettext(one, many, count)
