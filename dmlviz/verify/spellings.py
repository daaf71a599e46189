"""A page's text as DirectML's own pages write it, whatever the page's format puts round it.

Block quotes, comments, tables, AsciiDoc, reStructuredText and JSON objects round an example become
the lines that DirectML's pages have, and so do names and values in other spellings.  Every
replacement is as long as what it replaces, so that each sign stays at its offset, on its line.
What has more than one meaning stays as it is: the reader says that it cannot be read.
"""

from __future__ import annotations

import re

from dmlviz.base.deferred import regex
from dmlviz.verify.naming import ENUMERATIONS, FIELDS, MEMBERS, TENSOR


def _any(names: tuple[str, ...]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


_NAME = rf"(?<![A-Za-z0-9.>])(?:{TENSOR}(?:\[\d{{1,4}}\])?|(?:{_any(FIELDS)}))"
"""A pattern of the name of a tensor or of a parameter."""
_NUMBER = r"[-+]?\.?\d(?:[\w.]{0,40}\w)?"
_MEMBER = rf"(?:(?:{'|'.join(ENUMERATIONS)})_[A-Z_]{{1,60}}\w|(?:{_any(MEMBERS)}))(?!\w)"
_VALUE = rf"(?:{_NUMBER}|[\[{{(][^\[\]{{}}()\"'|\n]{{0,400}}[\]}})]|{_MEMBER})"
"""A pattern of a parameter's value that is a number, a list or a member of an enumeration."""


def respelled(text: str) -> str:
    """The text as DirectML's pages write it, as long as before.

    >>> respelled('> {"Repeats": 2}')
    '    Repeats : 2 '
    """
    return _spelled(_without_objects(_unwrapped(text)))


_LABEL = regex(rf"(?:{TENSOR})[\"'*_ \t]{{0,9}}[:=]")
_QUOTE = regex(r"^[ \t]{0,20}>[> \t]{0,20}", re.MULTILINE)
# the lines of one comment: from /* to */, or with the same sign before each
_COMMENTS = (
    (
        "/*",
        regex(
            r"^[ \t]{0,40}/\*[^\n]{0,400}\n(?:[ \t]{0,40}\*(?!/)[^\n]*\n)++[ \t]{0,40}\*/",
            re.MULTILINE,
        ),
        regex(r"^[ \t]{0,40}(?:/\*{1,3}|\*/?)", re.MULTILINE),
    ),
    (
        "//",
        regex(r"^(?:[ \t]{0,40}//[^\n]*(?:\n|\Z)){2,}+", re.MULTILINE),
        regex(r"^[ \t]{0,40}//[/!]?", re.MULTILINE),
    ),
    (
        "#",
        regex(r"^(?:[ \t]{0,40}#(?!#)[^\n]*(?:\n|\Z)){3,}+", re.MULTILINE),
        regex(r"^[ \t]{0,40}#", re.MULTILINE),
    ),
)
# a row of a table with a name and its value; and such a row with a line for each cell
_ROW = regex(
    rf"^[ \t|]{{0,20}}{_NAME}[ \t]{{0,20}}(?P<colon>[|\t])[ \t|]{{0,20}}(?P<kept>{_VALUE})"
    r"(?P<after>[ \t|]{0,20})$",
    re.MULTILINE,
)


def _cells(name: str, more: str = "") -> re.Pattern[str]:
    return regex(
        rf"^[ \t]{{0,20}}\|[ \t|]{{0,20}}{name}[ \t|]{{0,20}}(?P<colon>\n)"
        rf"[ \t]{{0,20}}\|[ \t|]{{0,20}}(?P<kept>{_VALUE})(?P<after>[ \t|]{{0,20}})"
        rf"(?=\n{more}[ \t]{{0,20}}(?:\n|\Z|\|===))",
        re.MULTILINE,
    )


_CELLS = _cells(_NAME)
# a parameter's description, which is no other value of it
_DESCRIBED_CELLS = _cells(
    rf"(?:{'|'.join(sorted(FIELDS, key=len, reverse=True))})",
    rf"[ \t]{{0,20}}\|[ \t|]{{0,20}}+(?!{_VALUE}[ \t|]{{0,20}}\n)[^|\n]{{1,400}}\|?[ \t]{{0,20}}\n",
)
# a row of three or four cells, of which one may be a name and another one its value
_WIDE_ROW = regex(
    r"^[ \t]{0,20}+\|?[^|\t\n]{1,400}+(?:[|\t][|\t ]{0,9}+[^|\t\n]{1,400}+){2,3}[|\t]?[ \t]{0,20}$",
    re.MULTILINE,
)
_PARAMETERS = frozenset(FIELDS)
_WHOLE_VALUE = regex(_VALUE)
# lines of a table that have one cell with something in it: code with a row for each line
_CODE_ROWS = regex(
    rf"^[ \t|]{{0,20}}\|[ \t|]{{0,20}}{_NAME}[ \t]{{0,9}}[:=][^|\n]{{0,400}}\|[ \t|]{{0,20}}\n"
    r"(?:(?:[ \t|]{0,40}|[ \t|]{0,20}\|[^|\n]{1,2000}\|[ \t|]{0,20})\n)*+",
    re.MULTILINE,
)
_PIPE = regex(r"\|")

# AsciiDoc and reStructuredText: Name:: value, a block that :: announces, and what fences blocks
_TERM = regex(rf"(?P<name>{_NAME}[+*_ \t]{{0,9}}):(?=:\s)")
_ANNOUNCED = regex(r"(?<=[\s)\]}])::(?=[ \t]{0,20}$)", re.MULTILINE)
_DIRECTIVE = regex(
    r"^[ \t]{0,40}\.\. (?:code|code-block|sourcecode|parsed-literal|highlight)::[^\n]{0,80}"
    r"(?:\n[ \t]{1,40}:[a-z-]{1,30}:[^\n]{0,80})*+$"
    r"|^\[(?:source|listing|literal|subs|%)[^\[\]\n]{0,80}\][ \t]{0,20}$"
    r"|^[ \t]{0,20}(?:-{4,80}|\.{4,80}|={4,80}|\+)[ \t]{0,20}$",
    re.MULTILINE,
)
_PASSED = regex(rf"\+(?P<kept>{_VALUE})\+")
# MDX puts code between braces
_JSX = regex(r"(?<=>)\{(?=[ \t]{0,9}$)|^[ \t]{0,40}\}(?=</[A-Z])", re.MULTILINE)
_HEADING = regex(r"^={2,6}(?=[ \t]\S)", re.MULTILINE)
_CAPTION = regex(r"^\.(?=[A-Z][a-z])", re.MULTILINE)


def _unwrapped(text: str) -> str:
    """The text without what formats put round its lines, as long as before.

    >>> _unwrapped("> Repeats: {2}\\n\\nInputTensor::\\n")
    '  Repeats: {2}\\n\\nInputTensor :\\n'
    """
    text = _QUOTE.sub(_blank, text)
    for sign, lines, mark in _COMMENTS:
        if sign in text:
            text = lines.sub(lambda match, mark=mark: _uncommented(match[0], mark), text)  # type: ignore[misc]
    if "|" in text or "\t" in text:
        text = _CELLS.sub(_with_colon, text)
        text = _DESCRIBED_CELLS.sub(_with_colon, text)
        text = _ROW.sub(_with_colon, text)
        text = _WIDE_ROW.sub(_described, text)
        text = _CODE_ROWS.sub(lambda match: _PIPE.sub(" ", match[0]), text)
    if "::" in text:
        text = _TERM.sub(lambda match: match["name"] + " ", text)
        text = _ANNOUNCED.sub("  ", text)
    text = _HEADING.sub(lambda match: "#" * len(match[0]), text)
    text = _DIRECTIVE.sub(_blank, text)
    text = _CAPTION.sub(" ", text)
    text = _JSX.sub(_blank, text)
    return _PASSED.sub(lambda match: f" {match['kept']} ", text) if "+" in text else text


def _blank(match: re.Match[str]) -> str:
    """Blanks in place of a match, on as many lines."""
    return "\n".join(" " * len(line) for line in match[0].split("\n"))


def _uncommented(lines: str, mark: re.Pattern[str]) -> str:
    """A comment that holds a tensor, without its signs; another one as it is."""
    return mark.sub(_blank, lines) if _LABEL.search(lines) else lines


def _described(match: re.Match[str]) -> str:
    """A row's name and value without its description; as it is where several may be either."""
    cells = [cell.strip(" *_") for cell in re.split(r"[|\t]", match[0])]
    names = [cell for cell in cells if cell in _PARAMETERS]
    values = [cell for cell in cells if _WHOLE_VALUE.fullmatch(cell)]
    if len(names) != 1 or len(values) != 1:
        return match[0]
    return f"{names[0]}: {values[0]}".ljust(len(match[0]))


def _with_colon(match: re.Match[str]) -> str:
    """A row's name, a colon, and its value."""
    colon, start = (match.start(group) - match.start() for group in ("colon", "kept"))
    name = match[0][:colon].replace("|", " ").rstrip()
    between = match[0][colon:start].replace("|", " ")
    # where the next line has the value, the pipe before the name makes room for the colon
    name, between = (name, between[1:]) if between[0] != "\n" else (name[1:], between)
    return (
        (name + ":").ljust(start - len(between))
        + between
        + match["kept"].ljust(len(match[0]) - start)
    )


_END = r"(?=[ \t]{0,9}(?:[,;.]?[ \t]{0,9}(?:\n|\Z)|,[ \t]{0,9}[\"')]|[)}]))"
_QUOTED_NAME = regex(rf"([\"'])(?P<kept>{_NAME}|Sizes|Strides|DataType)[ ]?\1(?=[ \t]{{0,9}}[:=])")
_QUOTED_VALUE = regex(
    rf"(?P<name>(?:{_NAME}|DataType)[*_]{{0,3}}[ \t]{{0,20}}[:=][*_ \t]{{0,20}})([\"'])"
    rf"(?P<kept>{_VALUE}|[A-Z]{{3,7}}\d{{1,2}})\2{_END}"
)
_LINK = regex(
    rf"(?P<name>{_NAME}[*_]{{0,3}}[ \t]{{0,20}}:[*_ \t]{{0,20}})\[[*_ ]{{0,3}}"
    rf"(?P<kept>{_NUMBER}|{_MEMBER}|DML_\w{{1,80}}?)[*_ ]{{0,3}}\]\([^()\s]{{0,400}}\)"
)
_LONGEST_FIRST = sorted(FIELDS, key=len, reverse=True)
# BlockSize as blocksize, block size, block_size: where it begins a line and has a value
_CASED = regex(
    r"^(?P<lead>(?![ \t]{0,3}#{1,6}[ \t])[^\w\n]{0,20}+)(?=[^\n:]{1,60}:)(?:"
    + "|".join(
        f"(?P<n{n}>(?i:{re.sub(r'(?<=[a-z])(?=[A-Z])', '[ _-]?', name)}))"
        for n, name in enumerate(_LONGEST_FIRST)
    )
    + r")(?=[*_\"']{0,3}[ \t]{0,20}:[*_ \t\"'\[]{0,20}"
    + rf"(?:[-+]?\.?\d|[\[{{]\s{{0,9}}[-+]?\.?\d|{_MEMBER}))",
    re.MULTILINE,
)


def _spelled(text: str) -> str:
    """The text with names and values as DirectML's pages have them.

    >>> _spelled('"Repeats": "{1, 2}"')
    ' Repeats :  {1, 2} '
    >>> _spelled("block_size: 2")
    'BlockSize : 2'
    """
    text = _CASED.sub(_cased, text)
    if '"' in text or "'" in text:
        text = _QUOTED_NAME.sub(_kept, text)
        text = _QUOTED_VALUE.sub(_kept, text)
    if "](" in text:
        text = _LINK.sub(_kept, text)
    return text


def _kept(match: re.Match[str]) -> str:
    """What the signs stand round, with blanks for them."""
    start, end = (edge - match.start() for edge in match.span("kept"))
    before = len(match.groupdict().get("name") or "")
    return match[0][:before] + " " * (start - before) + match["kept"] + " " * (len(match[0]) - end)


def _cased(match: re.Match[str]) -> str:
    name = _LONGEST_FIRST[int((match.lastgroup or "n0")[1:])]
    return match["lead"] + name.ljust(len(match[0]) - len(match["lead"]))


_KEY = regex(rf"\{{\s{{0,40}}[\"'](?:(?P<header>Sizes|DataType|Strides)|{_NAME})[\"'][ \t]{{0,9}}:")
_BRACE = regex(r"[{}]")
_VALUES = regex(r"[\"'](?i:Values|Data)[\"'][ \t]{0,9}:")


def _without_objects(text: str) -> str:
    """The text with blanks for the braces of objects that have a parameter's or tensor's name.

    An object with a tensor's sizes becomes its header, which ends where its values begin.

    >>> _without_objects('{"Repeats": [2]}')
    ' "Repeats": [2] '
    >>> _without_objects('{"Sizes": [1], "Values": [7]}')
    '("Sizes": [1], )         [7] '
    """
    headers = {match.start(): bool(match["header"]) for match in _KEY.finditer(text)}
    if not headers:
        return text
    signs = list(text)
    opened: list[int] = []
    for brace in _BRACE.finditer(text):
        if brace[0] == "{":
            opened.append(brace.start())
            continue
        start = opened.pop() if opened else -1
        if start not in headers:
            continue
        # a header is short
        until = min(start + 700, brace.start())
        values = _VALUES.search(text, start, until) if headers[start] else None
        if values:
            signs[start] = "("
            signs[values.start() : values.end()] = ")".ljust(len(values[0]))
            signs[brace.start()] = " "
        elif not headers[start]:
            signs[start] = signs[brace.start()] = " "
    return "".join(signs)
