"""A plugin of markdown-it-py: fences whose language is ``dmlviz`` become playing movements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from dmlviz.extensions.movement import Fence, is_ours, movement_of


def dmlviz_plugin(md: MarkdownIt, folder: str | Path, address: str = "dmlviz") -> None:
    """Let fences become movements; all others are rendered as before.

    ``MarkdownIt().use(dmlviz_plugin, "site/dmlviz").render(text)`` writes the pages that play into
    the folder ``site/dmlviz``. ``render`` raises
    :class:`dmlviz.extensions.movement.MovementRefused`, with the line, where a link opens nothing
    or an example does not hold.

    Args:
        md: the parser.
        folder: where the pages that play are written.
        address: of that folder, from the rendered page.
    """
    before = md.renderer.rules["fence"]  # type: ignore[attr-defined]

    def fence(
        _renderer: RendererProtocol,
        tokens: Sequence[Token],
        number: int,
        options: OptionsDict,
        env: EnvType,
    ) -> Any:
        token = tokens[number]
        if not is_ours(token.info):
            return before(tokens, number, options, env)
        line = token.map[0] + 1 if token.map else 1
        made, figure = movement_of(Fence(line, token.info, token.content))
        made.write(Path(folder))
        return figure(address) + "\n"

    md.add_render_rule("fence", fence)
