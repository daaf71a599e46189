"""``python -m dmlviz site DIR``: all presets as linked static pages, for any web host."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from dmlviz.errors import Error
from dmlviz.presets import Preset, presets
from dmlviz.scene import Scene
from dmlviz.site import SitePage, write_site
from dmlviz.words import _

NAME = "site"
_THUMBNAIL = 760


def help() -> str:
    """What it does."""
    return _("write all presets as linked static pages that need no server")


def add(parser: ArgumentParser) -> None:
    """A folder."""
    parser.add_argument(
        "folder",
        metavar="DIR",
        help=_("an empty folder, one that is not there yet, or one written by this command"),
    )


def run(arguments: Namespace) -> int:
    """Write the pages; where they are, on standard error."""
    from tqdm import tqdm

    pages = [_page(preset) for preset in presets() if preset.opens]
    with tqdm(total=len(pages), desc=_("pages"), disable=not sys.stderr.isatty()) as bar:
        try:
            index = write_site(
                arguments.folder,
                pages,
                progress=lambda done, total: bar.update(done - bar.n),
                thumbnail=_thumbnail,
                dark_thumbnail=_dark_thumbnail,
            )
        except OSError as error:
            raise Error(
                _("folder: {folder} cannot be written: {reason}.").format(
                    folder=arguments.folder, reason=error.strerror or error
                ),
                "folder",
            ) from None
    print(
        _("{index}: {n} pages").format(index=index, n=len(pages)),
        file=sys.stderr,
    )
    return 0


def _page(preset: Preset) -> SitePage:
    trace = preset.trace()
    look: dict[str, Any] = preset.state.view.look(trace.output.shape)
    return SitePage(
        preset.key,
        preset.title,
        (preset.question,),
        trace,
        preset.operator.structure.removesuffix("_OPERATOR_DESC"),
        look=look,
        second=preset.second_trace() if preset.second is not None else None,
        answer=preset.answer,
    )


def _thumbnail(drawn: Scene) -> str:
    from dmlviz import exports

    return exports.svg(drawn, width=_THUMBNAIL)


def _dark_thumbnail(drawn: Scene) -> str:
    from dmlviz import exports

    return exports.svg(drawn, dark=True, width=_THUMBNAIL)
