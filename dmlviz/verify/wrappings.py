"""What formats put round the lines of an example, replaced by blanks.

Block quotes, comments, tables, AsciiDoc and reStructuredText become the lines that DirectML's own
pages have.  Every replacement is as long as what it replaces, so that each sign stays at its
offset, on its line.  What has more than one meaning stays as it is: the reader says that it
cannot be read.
"""

from __future__ import annotations

import re

from dmlviz.verify.naming import FIELDS, TENSOR
from dmlviz.verify.spellings import NAME, VALUE

_LABEL = re.compile(rf"(?:{TENSOR})[\"'*_ \t]{{0,9}}[:=]")
_QUOTE = re.compile(r"^[ \t]{0,20}>[> \t]{0,20}", re.MULTILINE)
# the lines of one comment: from /* to */, or with the same sign before each
_COMMENTS = (
    (
        "/*",
        re.compile(
            r"^[ \t]{0,40}/\*[^\n]{0,400}\n(?:[ \t]{0,40}\*(?!/)[^\n]*\n)++[ \t]{0,40}\*/",
            re.MULTILINE,
        ),
        re.compile(r"^[ \t]{0,40}(?:/\*{1,3}|\*/?)", re.MULTILINE),
    ),
    (
        "//",
        re.compile(r"^(?:[ \t]{0,40}//[^\n]*(?:\n|\Z)){2,}+", re.MULTILINE),
        re.compile(r"^[ \t]{0,40}//[/!]?", re.MULTILINE),
    ),
    (
        "#",
        re.compile(r"^(?:[ \t]{0,40}#(?!#)[^\n]*(?:\n|\Z)){3,}+", re.MULTILINE),
        re.compile(r"^[ \t]{0,40}#", re.MULTILINE),
    ),
)
# a row of a table with a name and its value; and such a row with a line for each cell
_ROW = re.compile(
    rf"^[ \t|]{{0,20}}{NAME}[ \t]{{0,20}}(?P<colon>[|\t])[ \t|]{{0,20}}(?P<kept>{VALUE})"
    r"(?P<after>[ \t|]{0,20})$",
    re.MULTILINE,
)


def _cells(name: str, more: str = "") -> re.Pattern[str]:
    return re.compile(
        rf"^[ \t]{{0,20}}\|[ \t|]{{0,20}}{name}[ \t|]{{0,20}}(?P<colon>\n)"
        rf"[ \t]{{0,20}}\|[ \t|]{{0,20}}(?P<kept>{VALUE})(?P<after>[ \t|]{{0,20}})"
        rf"(?=\n{more}[ \t]{{0,20}}(?:\n|\Z|\|===))",
        re.MULTILINE,
    )


_CELLS = _cells(NAME)
# a parameter's description, which is no other value of it
_DESCRIBED_CELLS = _cells(
    rf"(?:{'|'.join(sorted(FIELDS, key=len, reverse=True))})",
    rf"[ \t]{{0,20}}\|[ \t|]{{0,20}}+(?!{VALUE}[ \t|]{{0,20}}\n)[^|\n]{{1,400}}\|?[ \t]{{0,20}}\n",
)
# a row of three or four cells, of which one may be a name and another one its value
_WIDE_ROW = re.compile(
    r"^[ \t]{0,20}+\|?[^|\t\n]{1,400}+(?:[|\t][|\t ]{0,9}+[^|\t\n]{1,400}+){2,3}[|\t]?[ \t]{0,20}$",
    re.MULTILINE,
)
_PARAMETERS = frozenset(FIELDS)
_WHOLE_VALUE = re.compile(VALUE)
# lines of a table that have one cell with something in it: code with a row for each line
_CODE_ROWS = re.compile(
    rf"^[ \t|]{{0,20}}\|[ \t|]{{0,20}}{NAME}[ \t]{{0,9}}[:=][^|\n]{{0,400}}\|[ \t|]{{0,20}}\n"
    r"(?:(?:[ \t|]{0,40}|[ \t|]{0,20}\|[^|\n]{1,2000}\|[ \t|]{0,20})\n)*+",
    re.MULTILINE,
)
_PIPE = re.compile(r"\|")

# AsciiDoc and reStructuredText: Name:: value, a block that :: announces, and what fences blocks
_TERM = re.compile(rf"(?P<name>{NAME}[+*_ \t]{{0,9}}):(?=:\s)")
_ANNOUNCED = re.compile(r"(?<=[\s)\]}])::(?=[ \t]{0,20}$)", re.MULTILINE)
_DIRECTIVE = re.compile(
    r"^[ \t]{0,40}\.\. (?:code|code-block|sourcecode|parsed-literal|highlight)::[^\n]{0,80}"
    r"(?:\n[ \t]{1,40}:[a-z-]{1,30}:[^\n]{0,80})*+$"
    r"|^\[(?:source|listing|literal|subs|%)[^\[\]\n]{0,80}\][ \t]{0,20}$"
    r"|^[ \t]{0,20}(?:-{4,80}|\.{4,80}|={4,80}|\+)[ \t]{0,20}$",
    re.MULTILINE,
)
_PASSED = re.compile(rf"\+(?P<kept>{VALUE})\+")
# MDX puts code between braces
_JSX = re.compile(r"(?<=>)\{(?=[ \t]{0,9}$)|^[ \t]{0,40}\}(?=</[A-Z])", re.MULTILINE)
_HEADING = re.compile(r"^={2,6}(?=[ \t]\S)", re.MULTILINE)
_CAPTION = re.compile(r"^\.(?=[A-Z][a-z])", re.MULTILINE)


def unwrapped(text: str) -> str:
    """The text without what formats put round its lines, as long as before.

    >>> unwrapped("> Repeats: {2}\\n\\nInputTensor::\\n")
    '  Repeats: {2}\\n\\nInputTensor :\\n'
    """
    text = _QUOTE.sub(blank, text)
    for sign, lines, mark in _COMMENTS:
        if sign in text:
            text = lines.sub(lambda found, mark=mark: _uncommented(found[0], mark), text)  # type: ignore[misc]
    if "|" in text or "\t" in text:
        text = _CELLS.sub(_with_colon, text)
        text = _DESCRIBED_CELLS.sub(_with_colon, text)
        text = _ROW.sub(_with_colon, text)
        text = _WIDE_ROW.sub(_described, text)
        text = _CODE_ROWS.sub(lambda found: _PIPE.sub(" ", found[0]), text)
    if "::" in text:
        text = _TERM.sub(lambda found: found["name"] + " ", text)
        text = _ANNOUNCED.sub("  ", text)
    text = _HEADING.sub(lambda found: "#" * len(found[0]), text)
    text = _DIRECTIVE.sub(blank, text)
    text = _CAPTION.sub(" ", text)
    text = _JSX.sub(blank, text)
    return _PASSED.sub(lambda found: f" {found['kept']} ", text) if "+" in text else text


def blank(found: re.Match[str]) -> str:
    """Blanks in place of a match, on as many lines."""
    return "\n".join(" " * len(line) for line in found[0].split("\n"))


def _uncommented(lines: str, mark: re.Pattern[str]) -> str:
    """A comment that holds a tensor, without its signs; another one as it is."""
    return mark.sub(blank, lines) if _LABEL.search(lines) else lines


def _described(found: re.Match[str]) -> str:
    """A row's name and value without its description; as it is where several may be either."""
    cells = [cell.strip(" *_") for cell in re.split(r"[|\t]", found[0])]
    names = [cell for cell in cells if cell in _PARAMETERS]
    values = [cell for cell in cells if _WHOLE_VALUE.fullmatch(cell)]
    if len(names) != 1 or len(values) != 1:
        return found[0]
    return f"{names[0]}: {values[0]}".ljust(len(found[0]))


def _with_colon(found: re.Match[str]) -> str:
    """A row's name, a colon, and its value."""
    colon, start = (found.start(group) - found.start() for group in ("colon", "kept"))
    name = found[0][:colon].replace("|", " ").rstrip()
    between = found[0][colon:start].replace("|", " ")
    # where the next line has the value, the pipe before the name makes room for the colon
    name, between = (name, between[1:]) if between[0] != "\n" else (name[1:], between)
    return (
        (name + ":").ljust(start - len(between))
        + between
        + found["kept"].ljust(len(found[0]) - start)
    )
