"""Fences of Markdown whose language is ``dmlviz``: where they stand, and what they ask for.

Both ``dmlviz height=420`` and MyST's ``{dmlviz} x.T`` with ``:height: 420`` below it are read.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass

from dmlviz.base.words import _
from dmlviz.extensions.movement import CODE_OPTIONS, MovementPage, MovementRefused, movement
from dmlviz.states.code import CODE

LANGUAGE = "dmlviz"
OPTIONS = ("height", "title", "alt", *CODE_OPTIONS)

# MyST's directive, with what it is about behind it
_DIRECTIVE = re.compile(rf"\{{{LANGUAGE}\}}(?:[ \t]+(?P<text>.*))?")
_OPTION = re.compile(r"[ \t]*:(?P<name>[a-z_]+):(?:[ \t]+(?P<value>.*))?")
_OPEN = re.compile(r"(?P<before>[ \t>]*)(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)")


@dataclass(frozen=True)
class Fence:
    """A fence.

    Attributes:
        line: of its opening marks, from 1.
        info: what stands behind the marks.
        text: what stands in it, without the indentation of its marks.
    """

    line: int
    info: str
    text: str


def is_ours(info: str) -> bool:
    """Whether a fence with this behind its marks is for dmlviz.

    >>> is_ours(" dmlviz height=420"), is_ours("{dmlviz} x.T"), is_ours("dmlvizual"), is_ours("")
    (True, True, False, False)
    """
    return info.split(maxsplit=1)[:1] in ([LANGUAGE], [f"{{{LANGUAGE}}}"])


def movement_of(fence: Fence) -> tuple[MovementPage, Callable[[str], str]]:
    """The movement of a fence, and its HTML for a given address of the folder of its page.

    Raises:
        MovementRefused: its link or example does not hold, or an option is unknown; its line is the
            page's.
    """
    directive = _DIRECTIVE.fullmatch(fence.info.strip())
    if directive:
        text, line, options = _of_directive(fence, directive["text"] or "")
    else:
        text, line, options = fence.text, fence.line + 1, _options(fence)
    code = {name: value for name, value in options.items() if name in CODE_OPTIONS}
    try:
        made = movement(text, code)
    except MovementRefused as error:
        raise MovementRefused(str(error), line + error.line - 1) from None
    height = int(options.get("height", "0"))
    title, alt = options.get("title", ""), options.get("alt", "")
    return made, lambda folder: made.figure(folder, title, alt, height)


def _of_directive(fence: Fence, argument: str) -> tuple[str, int, dict[str, str]]:
    """What a directive is about, the line where that begins, and ``:height: 420`` and so on."""
    lines = fence.text.split("\n")
    options: dict[str, str] = {}
    while lines and (option := _OPTION.fullmatch(lines[0])):
        name, value = option["name"], (option["value"] or "").strip()
        _check_option(name, value, fence.line + len(options) + 1)
        options[name] = value
        del lines[0]
    body = "\n".join(lines)
    if not argument:
        return body, fence.line + len(options) + 1, options
    if body.strip():
        message = _("dmlviz takes either a link or an example, not both.")
        raise MovementRefused(message, fence.line)
    return argument, fence.line, options


def _options(fence: Fence) -> dict[str, str]:
    """``height=420 title="Two copies"`` behind the language."""
    try:
        words = shlex.split(fence.info)[1:]
    except ValueError:
        words = [fence.info]
    named = [word.partition("=") for word in words]
    for name, equals, value in named:
        _check_option(name, value, fence.line, equals)
    return {name: value for name, _equals, value in named}


def _check_option(name: str, value: str, line: int, sign: str = "=") -> None:
    if name == CODE and not value:
        return
    if not sign or name not in OPTIONS or (name == "height" and not _is_height(value)):
        message = _("dmlviz: {option} is not an option such as {such_as}.")
        option = f"{name}{sign}{value}"
        raise MovementRefused(message.format(option=option, such_as="height=420"), line)


def _is_height(text: str) -> bool:
    return text.isascii() and text.isdigit() and 0 < int(text[:9]) <= 10_000


def replaced(markdown: str, replace: Callable[[Fence], str]) -> str:
    """Markdown with a paragraph of its own for each of our fences, indented as the fence was.

    Fences of other languages, and what stands in them, stay.

    Args:
        markdown: the page.
        replace: gives the paragraph, one line.

    >>> page = "- a\\n\\n  ~~~ dmlviz\\n  /tile\\n  ~~~\\n"
    >>> print(replaced(page, lambda fence: f"{fence.line}: {fence.text}"))
    - a
    <BLANKLINE>
    <BLANKLINE>
      3: /tile
    <BLANKLINE>
    <BLANKLINE>
    """
    kept: list[str] = []
    lines = iter(enumerate(markdown.split("\n"), 1))
    for number, line in lines:
        opened = _OPEN.fullmatch(line)
        if not opened or ("`" in opened["info"] and "`" in opened["marks"]):
            kept.append(line)
            continue
        before, marks = opened["before"], opened["marks"]
        close = re.compile(rf"[ \t>]*{marks[0]}{{{len(marks)},}}[ \t]*")
        inside: list[str] = []
        end = None
        for _number, inner in lines:
            if close.fullmatch(inner):
                end = inner
                break
            inside.append(inner)
        if is_ours(opened["info"]):
            text = "\n".join(inner.removeprefix(before) for inner in inside)
            paragraph = replace(Fence(number, opened["info"], text))
            kept += [before.rstrip(" \t"), before + paragraph, before.rstrip(" \t")]
        else:
            kept += [line, *inside, *([] if end is None else [end])]
    return "\n".join(kept)
