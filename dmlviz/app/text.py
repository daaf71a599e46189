"""Shows messages, which may repeat what users typed, as text without Markdown."""

from __future__ import annotations

import re

from dmlviz.base.deferred import regex
from dmlviz.operators import OPERATORS

# the sign of an entity and of an address in angles among them; no line inside a name
_FORMATTING = regex(r"([\\`*~$&<|]|(?<![^\W_])_|_(?![^\W_]))")
# what makes a heading, a list, a quotation, a rule or a block of the line that it begins
_BLOCK = regex(r"^[ \t]*(?:([#>=]|::|[-+](?![^\s-]))|(\d+)([.)])(?!\S))?", re.MULTILINE)
_LINK = regex(r"\](?=[(\[:])")
_ADDRESS = regex(r"(://|(?<=www)\.|@)", re.IGNORECASE)
_DIRECTIVE = regex(r":(?=[a-z]|[\w-]+[\[{])")
_ICON = regex(r":(?=[a-z_+-][\w+-]*(?:/\w+)?:)", re.IGNORECASE)


def operator_titles() -> dict[str, str]:
    """Each operator's title by its page's key."""
    return {cls.key: cls.title() for cls in OPERATORS}


def plain(message: str) -> str:
    """The message with Markdown's links, pictures, icons, formulas and formatting taken apart.

    Streamlit shows HTML as text by itself.  An ordinary sentence stays as it is.

    >>> plain("values: 3.5 at [0, 2] is no whole number.")
    'values: 3.5 at [0, 2] is no whole number.'
    >>> plain(":material/home: and :smile:")
    '\\\\:\u2060material/home: and \\\\:\u2060smile:'
    >>> plain("![x](http://a) and :red[b]")
    '![x]\\\\(http\u2060://a) and \\\\:red[b]'
    >>> print(plain("# data_type: _a_&colon;b, <tel:1>"))
    \\# data_type: \\_a\\_\\&colon;b, \\<tel:1>
    """
    text = _FORMATTING.sub(r"\\\1", message)
    text = _BLOCK.sub(_harmless, text)
    text = _LINK.sub(r"]\\", text)
    text = _DIRECTIVE.sub(r"\:", text)
    # an invisible joiner: icons are found after backslashes are gone, addresses despite them
    text = _ICON.sub(":\u2060", text)
    return _ADDRESS.sub("\u2060\\1", text)


def _harmless(begins: re.Match[str]) -> str:
    sign, number, dot = begins.groups(default="")
    return f"\\{sign}" if sign else f"{number}\\{dot}" if dot else ""


def typed_lines(text: object) -> str:
    """A text of some lines, without the empty ones and without signs that nobody sees."""
    return "\n".join(filter(None, map(typed_line, str(text or "").splitlines())))


def typed_line(text: object) -> str:
    """A text as one line without signs that nobody sees."""
    spaced = " ".join(str(text or "").split())
    return "".join(sign for sign in spaced if sign.isprintable())
