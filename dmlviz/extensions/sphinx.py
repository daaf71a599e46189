"""An extension of Sphinx: the directive ``dmlviz`` puts playing movements into pages.

In ``conf.py``: ``extensions = ["dmlviz.extensions.sphinx"]``. Then in a page::

    .. dmlviz:: /tile?sizes=1,3&repeats=1,2
       :height: 420

Instead of a link the directive takes code, such as ``.. dmlviz:: rearrange(x, 'h w -> w h')``, with
``:library:``, ``:sizes: x:2,3`` and the other parameters of a link to code as options; code of
several lines is its content. Or its content is one example in the style of DirectML's
documentation. Where a link opens nothing, code is refused or an example does not hold, the build
says in which file and line, and fails. Builders of HTML pages get a frame that plays; all others
the example as text.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from dmlviz.base.extras import extra
from dmlviz.base.words import _, speaking
from dmlviz.extensions.movement import (
    CODE_OPTIONS,
    MADE,
    MovementPage,
    MovementRefused,
    is_link,
    movement,
)
from dmlviz.states.code import CODE

with extra("sphinx"):
    from docutils import nodes
    from docutils.parsers.rst import directives
    from sphinx.util import logging
    from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_LOGGER = logging.getLogger(__name__)
FOLDER = "_static/dmlviz"
_ONE_FILE = {"epub", "applehelp", "devhelp", "htmlhelp", "qthelp"}
"""Builders whose HTML is read by what runs no scripts."""


class MovementNode(nodes.container):  # type: ignore[misc]
    """A movement; what it holds is for builders that play nothing."""


class DmlvizDirective(SphinxDirective):
    """``.. dmlviz:: LINK`` or ``.. dmlviz:: CODE``; or code or an example as its content."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        "height": directives.positive_int,
        "title": directives.unchanged_required,
        "alt": directives.unchanged_required,
        **dict.fromkeys(CODE_OPTIONS, directives.unchanged),
    }

    def run(self) -> list[nodes.Node]:
        """The node, with the example as text in it."""
        argument = "\n".join(self.arguments)
        link = "".join(argument.split())
        # a long link may go on in the next line
        text = (link if is_link(link) else argument) or "\n".join(self.content)
        code = {name: self.options[name] for name in CODE_OPTIONS if name in self.options}
        try:
            if (argument or code.get(CODE)) and self.content:
                raise MovementRefused(_("dmlviz takes either a link or an example, not both."), 1)
            made = _spoken(self.config.language, text, code)
        except MovementRefused as error:
            inside = self.content and not argument and not code.get(CODE)
            line = self.content_offset + error.line if inside else self.lineno
            return self._failed(str(error), line)
        _pages(self.env).setdefault(self.env.docname, set()).add(made.name)
        shown = {name: value for name, value in self.options.items() if name not in CODE_OPTIONS}
        node = MovementNode("", text=text, code=code, **shown)
        node += nodes.literal_block(made.example, made.example, language="none")
        self.set_source_info(node)
        return [node]

    def _failed(self, message: str, line: int) -> list[nodes.Node]:
        """Say so now and, as the page is read again, in every build until it holds."""
        source, number = self.state_machine.get_source_and_line(line)
        _LOGGER.error(message, location=f"{source}:{number}")
        _failed_pages(self.env).add(self.env.docname)
        self.env.note_reread()
        return []


def _failed_pages(env: Any) -> set[str]:
    """The pages with a movement that cannot be shown; Sphinx keeps them with what it read."""
    if not hasattr(env, "dmlviz_failed"):
        env.dmlviz_failed = set()
    pages: set[str] = env.dmlviz_failed
    return pages


def _pages(env: Any) -> dict[str, set[str]]:
    """The files of each page's movements; Sphinx keeps them with what it read."""
    if not hasattr(env, "dmlviz_pages"):
        env.dmlviz_pages = {}
    pages: dict[str, set[str]] = env.dmlviz_pages
    return pages


def _forget(_app: Sphinx, env: BuildEnvironment, page: str) -> None:
    _failed_pages(env).discard(page)
    _pages(env).pop(page, None)


def _merge(_app: Sphinx, env: BuildEnvironment, pages: set[str], other: BuildEnvironment) -> None:
    _failed_pages(env).update(_failed_pages(other) & pages)
    _pages(env).update((page, names) for page, names in _pages(other).items() if page in pages)


def _tidy(app: Sphinx, failed: Exception | None) -> None:
    """Remove movements of earlier builds that no page shows any more."""
    if failed:
        return
    used = set[str]().union(*_pages(app.env).values())
    for path in (Path(app.outdir) / FOLDER).glob("*.html"):
        if MADE.fullmatch(path.name) and path.name not in used:
            path.unlink()


def _fail(app: Sphinx, env: BuildEnvironment) -> None:
    if _failed_pages(env):
        app.statuscode = 1


def _spoken(language: str | None, text: str, code: Mapping[str, str]) -> MovementPage:
    with speaking(language or "en"):
        return movement(text, code)


def _visit(translator: Any, node: MovementNode) -> None:
    builder = translator.builder
    if builder.name in _ONE_FILE:
        translator.visit_container(node)
        return
    made = _spoken(translator.config.language, node["text"], node["code"])
    made.write(Path(builder.outdir) / FOLDER)
    # beside the folder of pictures, as this page sees it
    folder = posixpath.join(posixpath.dirname(builder.imgpath), FOLDER)
    options = (node.get("title", ""), node.get("alt", ""), node.get("height", 0))
    translator.body.append(made.figure(folder, *options))
    raise nodes.SkipNode


def _depart(translator: Any, node: MovementNode) -> None:
    translator.depart_container(node)


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx calls."""
    app.add_node(MovementNode, html=(_visit, _depart))
    app.add_directive("dmlviz", DmlvizDirective)
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
    app.connect("env-check-consistency", _fail)
    app.connect("build-finished", _tidy)
    return {
        "version": "2",
        "env_version": 1,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
