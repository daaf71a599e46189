"""Names and values as formats quote, link and spell them, put as DirectML's own pages have them.

Every replacement is as long as what it replaces, so that each sign stays at its offset, on its
line.  What has more than one meaning stays as it is: the reader says that it cannot be read.
"""

from __future__ import annotations

import re

from dmlviz.verify.naming import ENUMERATIONS, FIELDS, MEMBERS, TENSOR


def _any(names: tuple[str, ...]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


NAME = rf"(?<![A-Za-z0-9.>])(?:{TENSOR}(?:\[\d{{1,4}}\])?|(?:{_any(FIELDS)}))"
"""A pattern of the name of a tensor or of a parameter."""
_NUMBER = r"[-+]?\.?\d(?:[\w.]{0,40}\w)?"
_MEMBER = rf"(?:(?:{'|'.join(ENUMERATIONS)})_[A-Z_]{{1,60}}\w|(?:{_any(MEMBERS)}))(?!\w)"
VALUE = rf"(?:{_NUMBER}|[\[{{(][^\[\]{{}}()\"'|\n]{{0,400}}[\]}})]|{_MEMBER})"
"""A pattern of a parameter's value that is a number, a list or a member of an enumeration."""

_END = r"(?=[ \t]{0,9}(?:[,;.]?[ \t]{0,9}(?:\n|\Z)|,[ \t]{0,9}[\"')]|[)}]))"
_QUOTED_NAME = re.compile(
    rf"([\"'])(?P<kept>{NAME}|Sizes|Strides|DataType)[ ]?\1(?=[ \t]{{0,9}}[:=])"
)
_QUOTED_VALUE = re.compile(
    rf"(?P<name>(?:{NAME}|DataType)[*_]{{0,3}}[ \t]{{0,20}}[:=][*_ \t]{{0,20}})([\"'])"
    rf"(?P<kept>{VALUE}|[A-Z]{{3,7}}\d{{1,2}})\2{_END}"
)
_LINK = re.compile(
    rf"(?P<name>{NAME}[*_]{{0,3}}[ \t]{{0,20}}:[*_ \t]{{0,20}})\[[*_ ]{{0,3}}"
    rf"(?P<kept>{_NUMBER}|{_MEMBER}|DML_\w{{1,80}}?)[*_ ]{{0,3}}\]\([^()\s]{{0,400}}\)"
)
_LONGEST_FIRST = sorted(FIELDS, key=len, reverse=True)
# BlockSize as blocksize, block size, block_size: where it begins a line and has a value
_CASED = re.compile(
    r"^(?P<lead>(?![ \t]{0,3}#{1,6}[ \t])[^\w\n]{0,20}+)(?=[^\n:]{1,60}:)(?:"
    + "|".join(
        f"(?P<n{n}>(?i:{re.sub(r'(?<=[a-z])(?=[A-Z])', '[ _-]?', name)}))"
        for n, name in enumerate(_LONGEST_FIRST)
    )
    + r")(?=[*_\"']{0,3}[ \t]{0,20}:[*_ \t\"'\[]{0,20}"
    + rf"(?:[-+]?\.?\d|[\[{{]\s{{0,9}}[-+]?\.?\d|{_MEMBER}))",
    re.MULTILINE,
)


def respelled(text: str) -> str:
    """The text with names and values as DirectML's pages have them, as long as before.

    >>> respelled('"Repeats": "{1, 2}"')
    ' Repeats :  {1, 2} '
    >>> respelled("block_size: 2")
    'BlockSize : 2'
    """
    text = _CASED.sub(_cased, text)
    if '"' in text or "'" in text:
        text = _QUOTED_NAME.sub(_kept, text)
        text = _QUOTED_VALUE.sub(_kept, text)
    if "](" in text:
        text = _LINK.sub(_kept, text)
    return text


def _kept(found: re.Match[str]) -> str:
    """What the signs stand round, with blanks for them."""
    start, end = (edge - found.start() for edge in found.span("kept"))
    before = len(found.groupdict().get("name") or "")
    return found[0][:before] + " " * (start - before) + found["kept"] + " " * (len(found[0]) - end)


def _cased(found: re.Match[str]) -> str:
    name = _LONGEST_FIRST[int((found.lastgroup or "n0")[1:])]
    return found["lead"] + name.ljust(len(found[0]) - len(found["lead"]))
