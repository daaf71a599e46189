"""A plugin of MkDocs: fences whose language is ``dmlviz`` become playing movements.

In ``mkdocs.yml``::

    plugins:
      - search
      - dmlviz
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dmlviz.base.extras import extra
from dmlviz.base.words import speaking
from dmlviz.extensions.movement import Fence, MovementRefused, movement_of, replaced

with extra("mkdocs"):
    from mkdocs.config import Config
    from mkdocs.config.config_options import Type
    from mkdocs.exceptions import PluginError
    from mkdocs.plugins import BasePlugin
    from mkdocs.utils import get_relative_url

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

FOLDER = "assets/dmlviz"


class DmlvizConfig(Config):  # type: ignore[no-untyped-call]
    """What ``mkdocs.yml`` may say."""

    language = Type(str, default="en")


class DmlvizPlugin(BasePlugin[DmlvizConfig]):  # type: ignore[no-untyped-call]
    """The plugin, ``dmlviz`` in ``mkdocs.yml``."""

    def on_page_markdown(
        self, markdown: str, /, *, page: Page, config: MkDocsConfig, **_more: Any
    ) -> str:
        """A paragraph instead of each fence, which becomes the movement once there is HTML.

        Raises:
            PluginError: a fence does not hold, and its file and line.
        """
        self._figures: dict[str, tuple[str, str]] = {}
        above = _lines_above(page, markdown)

        def replace(fence: Fence) -> str:
            where = f"{page.file.src_uri}:{fence.line + above}"
            try:
                made, figure = movement_of(fence)
            except MovementRefused as error:
                raise PluginError(f"{page.file.src_uri}:{error.line + above}: {error}") from None
            made.write(Path(config.site_dir) / FOLDER)
            token = f"dmlvizmovement{len(self._figures)}"
            self._figures[token] = (where, figure(get_relative_url(FOLDER, page.url)))
            return token

        with speaking(self.config.language):
            return replaced(markdown, replace)

    def on_page_content(self, html: str, /, **_more: Any) -> str:
        """The movements instead of their paragraphs.

        Raises:
            PluginError: a fence is in something that is no text, such as indented code.
        """
        for token, (where, figure) in self._figures.items():
            match = re.search(rf"<p>\s*{token}\s*</p>", html)
            if match is None:
                raise PluginError(f"{where}: the dmlviz fence is not a paragraph of its own.")
            html = html[: match.start()] + figure + html[match.end() :]
        return html


def _lines_above(page: Page, markdown: str) -> int:
    """How many lines of the file stand above the Markdown: its metadata."""
    source = page.file.content_string.replace("\r\n", "\n")
    start = source.rfind(markdown.strip("\n")) if markdown.strip("\n") else -1
    return source[: max(start, 0)].count("\n") - (len(markdown) - len(markdown.lstrip("\n")))
