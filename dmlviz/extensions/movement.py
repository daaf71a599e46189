"""A link, code or an example -> a page that plays, beside those that documentation tools build.

Fences of Markdown whose language is ``dmlviz`` ask for them: both ``dmlviz height=420`` and MyST's
``{dmlviz} x.T`` with ``:height: 420`` below it are read.
"""

from __future__ import annotations

import hashlib
import html
import shlex
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from dmlviz.base.addresses import LANGUAGE as SPOKEN
from dmlviz.base.addresses import split_link, write_link
from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _, language_named, speaking
from dmlviz.code import ChainTrace, CodeRefused
from dmlviz.code.source import parsed
from dmlviz.picture.compared import compared
from dmlviz.picture.runs import joined_sentences, sizes_on_stage
from dmlviz.picture.scene import Scene
from dmlviz.picture.staged import staged
from dmlviz.picture.words import alt_text
from dmlviz.site import framed_page, shared_files
from dmlviz.states import State, read_link
from dmlviz.states.code import CODE, CodeState
from dmlviz.states.code_reading import read_code_parameters
from dmlviz.verify import Document, PageExample, read_document, verify, write_example
from dmlviz.verify.findings import without_line

HEIGHT = 560
"""Of a frame where none is asked for, in CSS pixels; where the browser permits it, it is fitted."""

MADE = regex(r"[a-z-]+-[0-9a-f]{12}\.html")
"""The names of movements' files."""

CODE_OPTIONS = (CODE, "library", "sizes", "data_type", "values", "controls")
"""The options of code, by the names of its link's parameters."""

_LINK = regex(r"(https?://|/)?[^\s?]+\?\S*|/\S+")

LANGUAGE = "dmlviz"

OPTIONS = ("height", "title", "alt", *CODE_OPTIONS)

# MyST's directive, with what it is about behind it
_DIRECTIVE = regex(rf"\{{{LANGUAGE}\}}(?:[ \t]+(?P<text>.*))?")

_OPTION = regex(r"[ \t]*:(?P<name>[a-z_]+):(?:[ \t]+(?P<value>.*))?")

_OPEN = regex(r"(?P<before>[ \t>]*)(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)")


class MovementRefused(Error):
    """An example that does not hold, a link that opens nothing, or code that is refused.

    Attributes:
        line: of the text that was given, from 1.
    """

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message, "example")
        self.line = line


NotHeld = MovementRefused
"""Its earlier name."""


@dataclass(frozen=True)
class MovementPage:
    """One movement for a page.

    Attributes:
        name: of its file, the same for the same contents.
        title: the operator and its settings.
        alt: what the picture shows, in words.
        example: the same as text, in the style of DirectML's documentation.
        page: HTML that plays beside :func:`dmlviz.site.shared_files`.
    """

    name: str
    title: str
    alt: str
    example: str
    page: str

    def figure(self, folder: str, title: str = "", alt: str = "", height: int = 0) -> str:
        """The HTML that frames it.

        Args:
            folder: the address of the folder that :meth:`write` wrote into, from the page.
            title: of the frame; else its own.
            alt: what the picture shows; else its own words.
            height: in CSS pixels; 0: as the movement needs, or :data:`HEIGHT`.
        """
        address = html.escape(f"{folder}/{self.name}")
        fit = "" if height else ' data-dmlviz="fit"'
        return (
            f'<figure class="dmlviz" style="margin:1em 0">'
            f'<iframe src="{address}" title="{html.escape(title or self.title)}" width="100%"'
            f' height="{height or HEIGHT}" style="border:0" loading="lazy" allow="fullscreen"{fit}>'
            "</iframe>"
            f"<figcaption><details><summary>{html.escape(title or self.title)}</summary>"
            # no blank line, at which Markdown would end the HTML
            f"<p>{html.escape(alt or self.alt)}</p>"
            f"<pre>{html.escape(self.example).replace(chr(10), '&#10;')}</pre>"
            "</details></figcaption></figure>"
        )

    def write(self, folder: Path) -> None:
        """Write its page, and what all share where that is not there.

        Raises:
            OSError: a file cannot be written.
        """
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in {**shared_files(), self.name: self.page}.items():
            data = text.encode()
            # what stays as it was need not be copied to a host again
            if not ((folder / name).is_file() and (folder / name).read_bytes() == data):
                (folder / name).write_bytes(data)


def movement(text: str, options: Mapping[str, str] | None = None) -> MovementPage:
    """What a link opens, what code moves, or what an example says, once it was run and holds.

    Args:
        text: a link of the app, with or without a host, whose ``lang`` is the language of the
            movement; code of the libraries of
            :data:`dmlviz.code.LIBRARIES`; or one example as DirectML's documentation writes it,
            with the name of the operator's structure in it.
        options: :data:`CODE_OPTIONS`, as the parameters of a link to code have them; with any of
            them the text is code, unless ``code`` itself has that. Sizes that are neither there
            nor in the code are the first that fit.

    Raises:
        MovementRefused: it opens nothing, it does not hold, or it cannot be shown; the line says
            where.

    >>> movement("/tile?sizes=3&repeats=2").title
    'TILE: Repeats=[2]'
    >>> movement("x.T", {"sizes": "x:2,3"}).title
    'x.T'
    """
    if options:
        return _of_code({CODE: text} | {name: value for name, value in options.items() if value})
    if is_link(text):
        with _spoken_by(text):
            return _at_line(1, _of_link, text.strip())
    document = read_document(text)
    if not document.examples and not document.structure and _is_code(text):
        return _of_code({CODE: text})
    return _of_example(document)


def is_link(text: str) -> bool:
    """Whether a text is the address of a page, and not code or an example.

    >>> is_link("/tile?sizes=3&repeats=2"), is_link("x[0] if y else z")
    (True, False)
    """
    return _LINK.fullmatch(text.strip()) is not None


def _is_code(text: str) -> bool:
    try:
        return bool(parsed(text)[0].body)
    except CodeRefused:
        return False


def _of_code(parameters: Mapping[str, str]) -> MovementPage:
    opened = read_code_parameters(parameters, CodeState(""))
    line = len(parameters[CODE]) - len(parameters[CODE].lstrip("\n"))
    for problem in opened.problems:
        reason = _refused(problem, parameters.get(problem.field, ""))
        raise MovementRefused(reason, line + 1)
    try:
        # the page that plays has the whole code, not call by call
        drawn = replace(opened.state.scene(), strip=None)
    except CodeRefused as refused:
        raise MovementRefused(str(refused), refused.line) from None
    except Error as error:
        raise MovementRefused(str(error), line + 1) from None
    try:
        return _made(drawn, opened.state.second_scene(), opened.state)
    except Error as error:
        # the code to compare it with has lines of its own
        raise MovementRefused(str(error), line + 1) from None


def _spoken_by(link: str) -> AbstractContextManager[str | None]:
    """The language that a link asks for; that of the page around it if it asks for none."""
    language = language_named(dict(split_link(link).parameters).get(SPOKEN, ""))
    return speaking(language) if language else nullcontext()


def _of_link(link: str) -> MovementPage:
    address = split_link(link)
    parameters = dict(address.parameters)
    if address.page == CODE:
        for problem in address.problems:
            raise Error(problem.message, problem.field)
        return _of_code({CODE: "", **parameters})
    # the example that a page opens with has sizes of its own
    if "literal" in parameters or "sizes" in parameters:
        parameters.setdefault("values", "own" if "literal" in parameters else "count-1")
    opened = read_link(write_link(address.page, parameters))
    for problem in (*address.problems, *opened.problems):
        raise Error(_refused(problem, parameters.get(problem.field, "")), problem.field)
    state = opened.state
    assert state is not None
    inputs = state.inputs()
    for problem in state.problems():
        raise Error(problem.message, problem.field)
    return _made(*_scenes(state, inputs), state)


def _refused(problem: Problem, value: str) -> str:
    """Why a build fails for a setting that the app, too, would not take but only ignore."""
    named = {"name": problem.field, "value": value}
    ignored = _("link: ignored {name}={value}: {rule}").format(rule="", **named)
    if not problem.message.startswith(ignored):
        return problem.message
    rule = problem.message.removeprefix(ignored).removeprefix(f"{problem.field}: ")
    return _("link: {name}={value} is not allowed: {rule}").format(rule=rule, **named)


def _scenes(state: State, inputs: Mapping[str, Any]) -> tuple[Scene, Scene | None]:
    how: dict[str, Any] = {"directions": dict(state.view.directions), "engine": state.view.engine}
    second = state.second()
    return (
        staged(state.operator(), inputs, **how),
        staged(second.operator(), inputs, **how) if second else None,
    )


def _of_example(document: Document) -> MovementPage:
    if document.problem:
        raise MovementRefused(document.problem, 1)
    if len(document.examples) != 1:
        message = _("{n} examples are given, but a movement shows exactly one.")
        raise MovementRefused(message.format(n=len(document.examples)), document.examples[1].line)
    (example,) = document.examples
    (verdict,) = verify(document)
    if verdict.status != "match":
        line = _line_of(example, verdict.line)
        # whoever reads it has the line in the page around
        raise MovementRefused(without_line(line, verdict.message), line)
    operator = example.operator
    assert operator is not None
    return _at_line(example.line, lambda: _made(staged(operator, example.inputs)))


def _line_of(example: PageExample, line: int) -> int:
    return line or (example.unreadable.line if example.unreadable else 0) or example.line


def _at_line(line: int, make: Any, *arguments: Any) -> MovementPage:
    """What is made, or why it cannot be, with the line."""
    try:
        made: MovementPage = make(*arguments)
    except Error as error:
        raise MovementRefused(str(error), line) from None
    return made


def _made(
    drawn: Scene, second: Scene | None = None, state: State | CodeState | None = None
) -> MovementPage:
    trace = drawn.trace
    title = trace.title
    if second is not None:
        drawn = compared(drawn, second)
        runs = {letter: one.title for letter, one in drawn.runs.items()}
        title = joined_sentences(runs, "; ")
    look = state.view.look(sizes_on_stage(trace, drawn.other)) if state else {}
    page = framed_page(drawn, title, look)
    key = hashlib.sha256(page.encode()).hexdigest()[:12]
    return MovementPage(
        f"{trace.operator.key}-{key}.html",
        title,
        alt_text(drawn),
        trace.example
        if isinstance(trace, ChainTrace)
        else write_example(trace.operator, trace.inputs, trace.outputs),
        page,
    )


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
        close = regex(rf"[ \t>]*{marks[0]}{{{len(marks)},}}[ \t]*")
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
