"""Messages repeat what people typed: show them as text, whatever Markdown they hold."""

from __future__ import annotations

import re

from dmlviz.words import _

_FORMATTING = re.compile(r"([\\`*~$])")
_LINK = re.compile(r"\](?=[(\[:])")
_ADDRESS = re.compile(r"(://|(?<=www)\.|@)", re.IGNORECASE)
_DIRECTIVE = re.compile(r":(?=[\w-]+\[)")
_ICON = re.compile(r":(?=[a-z_+-][\w+-]*(?:/\w+)?:)", re.IGNORECASE)


def operator_titles() -> dict[str, str]:
    """For the key of each operator's page what people call it."""
    return {
        "tile": _("Tile"),
        "depth-to-space": _("Depth to space"),
        "space-to-depth": _("Space to depth"),
        "padding": _("Padding"),
    }


def plain(message: str) -> str:
    """The message with Markdown's links, pictures, icons, formulas and formatting taken apart.

    Streamlit shows HTML as text by itself.  An ordinary sentence stays as it is.

    >>> plain("values: 3.5 at [0, 2] is no whole number.")
    'values: 3.5 at [0, 2] is no whole number.'
    >>> plain(":material/home: and :smile:")
    ':\u2060material/home: and :\u2060smile:'
    >>> plain("![x](http://a) and :red[b]")
    '![x]\\\\(http\u2060://a) and \\\\:red[b]'
    """
    text = _FORMATTING.sub(r"\\\1", message)
    text = _LINK.sub(r"]\\", text)
    text = _DIRECTIVE.sub(r"\:", text)
    # an invisible joiner: icons are found after backslashes are gone, addresses despite them
    text = _ICON.sub(":\u2060", text)
    return _ADDRESS.sub("\u2060\\1", text)
