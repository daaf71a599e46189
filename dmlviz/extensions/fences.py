"""Fences of Markdown whose language is ``dmlviz``: where they stand, and what they ask for."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass

from dmlviz.extensions.movement import MovementPage, MovementRefused, movement
from dmlviz.words import _

LANGUAGE = "dmlviz"
OPTIONS = ("height", "title", "alt")

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

    >>> is_ours(" dmlviz height=420"), is_ours("dmlvizual"), is_ours("")
    (True, False, False)
    """
    return info.strip().partition(" ")[0] == LANGUAGE


def movement_of(fence: Fence) -> tuple[MovementPage, Callable[[str], str]]:
    """The movement of a fence, and its HTML for a given address of the folder of its page.

    Raises:
        MovementRefused: its link or example does not hold, or an option is unknown; its line is the
            page's.
    """
    options = _options(fence)
    try:
        made = movement(fence.text)
    except MovementRefused as error:
        raise MovementRefused(str(error), fence.line + error.line) from None
    height = int(options.get("height", "0"))
    title, alt = options.get("title", ""), options.get("alt", "")
    return made, lambda folder: made.figure(folder, title, alt, height)


def _options(fence: Fence) -> dict[str, str]:
    """``height=420 title="Two copies"`` behind the language."""
    try:
        words = shlex.split(fence.info)[1:]
    except ValueError:
        words = [fence.info]
    named = [word.partition("=") for word in words]
    for name, equals, value in named:
        if not equals or name not in OPTIONS or (name == "height" and not _is_height(value)):
            message = _("dmlviz: {option} is not an option such as {such_as}.")
            option = f"{name}{equals}{value}"
            raise MovementRefused(message.format(option=option, such_as="height=420"), fence.line)
    return {name: value for name, _equals, value in named}


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
