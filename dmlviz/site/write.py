"""Pages -> a folder of static files that need no server and no network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dmlviz.player.files import gallery_style, page_script, plotly_script, style
from dmlviz.player.page import json_safe
from dmlviz.player.payload import payload
from dmlviz.player.policy import OWN
from dmlviz.scene import Scene, check_stage, scene
from dmlviz.scene.compared import compared
from dmlviz.scene.runs import told_together
from dmlviz.site.entries import SitePage, check_pages
from dmlviz.site.fill import FOLDER, PLOTLY, SCRIPT, STYLE, fill
from dmlviz.site.folder import Folder
from dmlviz.templates import trusted
from dmlviz.tensors.numbering import print_all_sizes, sizes_by_name
from dmlviz.words import _

Thumbnail = Callable[[Scene], str]
INDEX = "index.html"


def write_site(
    folder: str | Path,
    pages: Sequence[SitePage],
    progress: Callable[[int, int], None] | None = None,
    thumbnail: Thumbnail | None = None,
    dark_thumbnail: Thumbnail | None = None,
) -> Path:
    """A gallery and one page per movement; they share one plotly.js (1.5 MB), script and style.

    All links are relative: the folder works on any web host, below any address, and opened
    from the disk. Pages run no script but the two files beside them. A folder that was written
    before is brought up to date; what dmlviz did not write there is left alone.

    Args:
        folder: one that is empty, was written by this function, or is not there yet.
        pages: at least one, in the order of "previous" and "next".
        progress: called after every page with how many are written, and how many there are.
        thumbnail: gives a small still picture of a scene, as the text of an SVG file, such as
            ``dmlviz.exports.asked_svg`` of its inputs; without it the gallery has words only.
        dark_thumbnail: the same for readers whose system is dark; without it they get the other.

    Returns:
        The gallery's file, ``index.html``.

    Raises:
        Error: the folder holds somebody else's files, two pages share a slug, or there is none.
        TooLarge: a tensor has more than 65,536 elements; nothing was written.
        OSError: a file cannot be written.
    """
    check_pages(pages)
    for page in pages:
        for trace in filter(None, (page.trace, page.second)):
            check_stage(sizes_by_name(trace.inputs), sizes_by_name(trace.outputs))
    drawers = {".svg": thumbnail, ".dark.svg": dark_thumbnail if thumbnail else None}
    drawn_as = {ending: draw for ending, draw in drawers.items() if draw}
    names = [PLOTLY, SCRIPT, STYLE, INDEX]
    names += [page.slug + ending for page in pages for ending in (".html", *drawn_as)]
    place = Folder(Path(folder), names)
    place.write(PLOTLY, plotly_script())
    place.write(SCRIPT, page_script())
    own = (FOLDER / "site.css").read_text(encoding="utf-8")
    place.write(STYLE, f"{style()}{gallery_style()}\n{own}")
    around = [None, *pages, None]
    for number, page in enumerate(pages):
        drawn = scene(page.trace)
        neighbours = (around[number], around[number + 2])
        place.write(page.file, _stage_page(page, drawn, neighbours, tuple(drawn_as)))
        for ending, draw in drawn_as.items():
            place.write(page.slug + ending, draw(drawn))
        if progress:
            progress(number + 1, len(pages))
    place.write(INDEX, _gallery(pages, tuple(drawn_as)))
    place.finish()
    return place.path / INDEX


def _stage_page(
    page: SitePage,
    drawn: Scene,
    neighbours: tuple[SitePage | None, SitePage | None],
    pictures: tuple[str, ...],
) -> str:
    settings = page.trace.title
    if page.second is not None:
        drawn = compared(drawn, scene(page.second))
        titles = {letter: run.title for letter, run in drawn.runs.items()}
        settings = told_together(titles, " \u2002 ")
    sent = payload(drawn)
    if page.look:
        sent = {**sent, "look": dict(page.look)}
    around = zip(("prev", "next"), (_("Previous"), _("Next")), neighbours, strict=True)
    return fill(
        "page.html",
        _("{title} · dmlviz").format(title=page.title),
        scripts=OWN,
        page=page,
        pictures=pictures if page.choices else (),
        settings=settings,
        check=sent["check"],
        payload=trusted(json_safe(sent)),
        around=[(rel, name, other) for rel, name, other in around if other],
        words={
            "home": _("All movements"),
            "answer": _("Answer"),
            "around": _("Other movements"),
        },
    )


def _gallery(pages: Sequence[SitePage], pictures: tuple[str, ...]) -> str:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for page in pages:
        groups.setdefault(page.group, []).append(_card(page))
    return fill(
        INDEX,
        _("dmlviz: see where every element goes"),
        scripts="'none'",
        heading=_("See where every element goes"),
        intro=_(
            "Choose a movement and press Play: each element travels from its place in the "
            "input to its place in the output. Every picture is what an engine really did: "
            "it ran the operator on the values, then on their indices, and the second answer "
            "is the movement you see."
        ),
        groups=groups,
        pictures=pictures,
    )


def _card(page: SitePage) -> Mapping[str, Any]:
    """A card with the inputs and the question; only the page shows the output."""
    question = page.words[-1 if page.choices else 0] if page.words else ""
    return {
        "page": page,
        "title": page.title if page.words else "",
        "question": question or page.title,
        "sizes": f"{print_all_sizes(sizes_by_name(page.trace.inputs))} → ?",
    }
