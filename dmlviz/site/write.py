"""Pages -> a folder of static files that need no server and no network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from dmlviz.player.files import gallery_style, page_script, plotly_script, style
from dmlviz.player.page import json_safe, title
from dmlviz.player.payload import payload
from dmlviz.player.policy import OWN
from dmlviz.scene import Scene, check_stage, scene
from dmlviz.scene.compared import compared
from dmlviz.scene.runs import told_together
from dmlviz.site.entries import SitePage, check_pages
from dmlviz.site.fill import PLOTLY, SCRIPT, STYLE, fill, head, read_part, text_of
from dmlviz.site.folder import Folder
from dmlviz.tensors.numbering import print_all_sizes, sizes_by_name
from dmlviz.words import _, language

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
            check_stage(trace.operator, sizes_by_name(trace.inputs))
    drawers = {".svg": thumbnail, ".dark.svg": dark_thumbnail if thumbnail else None}
    drawn_as = {ending: draw for ending, draw in drawers.items() if draw}
    names = [PLOTLY, SCRIPT, STYLE, INDEX]
    names += [page.slug + ending for page in pages for ending in (".html", *drawn_as)]
    place = Folder(Path(folder), names)
    place.write(PLOTLY, plotly_script())
    place.write(SCRIPT, page_script())
    place.write(STYLE, f"{style()}{gallery_style()}\n{read_part('site.css')}")
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
    settings = title(page.trace.operator)
    if page.second is not None:
        drawn = compared(drawn, scene(page.second))
        titles = {letter: title(run.operator) for letter, run in drawn.runs.items()}
        settings = told_together(titles, " \u2002 ")
    sent = payload(drawn)
    if page.look:
        sent = {**sent, "look": dict(page.look)}
    return fill(
        "page.html",
        language=language(),
        head=head(_("{title} · dmlviz").format(title=page.title), scripts=OWN),
        home=text_of(_("All movements")),
        heading=text_of(page.title),
        settings=text_of(settings),
        words="\n".join(f"<p>{text_of(paragraph)}</p>" for paragraph in page.words)
        + _answer(page.answer)
        + _choices(page),
        still=_picture(page, pictures) if page.choices else "",
        check=text_of(sent["check"]),
        payload=json_safe(sent),
        around=text_of(_("Other movements")),
        links="\n".join(
            f'<a rel="{rel}" href="{other.file}"><small>{text_of(name)}</small>'
            f"<span>{text_of(other.title)}</span></a>"
            for rel, name, other in zip(
                ("prev", "next"), (_("Previous"), _("Next")), neighbours, strict=True
            )
            if other
        ),
    )


def _answer(words: str) -> str:
    if not words:
        return ""
    summary = text_of(_("Answer"))
    return f"\n<details><summary>{summary}</summary><p>{text_of(words)}</p></details>"


def _choices(page: SitePage) -> str:
    """Choices that open their explanation and the movement, without a script."""
    if not page.choices:
        return ""
    listed = "\n".join(
        f'<details name="choice"><summary>{text_of(text)}</summary><p>{text_of(told)}</p></details>'
        for text, told in page.choices
    )
    return f'\n<div class="choices">\n{listed}\n</div>'


def _gallery(pages: Sequence[SitePage], pictures: tuple[str, ...]) -> str:
    groups: dict[str, list[SitePage]] = {}
    for page in pages:
        groups.setdefault(page.group, []).append(page)
    return fill(
        "index.html",
        language=language(),
        head=head(_("dmlviz: see where every element goes"), scripts="'none'"),
        heading=text_of(_("See where every element goes")),
        intro=text_of(
            _(
                "Choose a movement and press Play: each element travels from its place in the "
                "input to its place in the output. Every picture is what an engine really did: "
                "it ran the operator on the values, then on their indices, and the second answer "
                "is the movement you see."
            )
        ),
        groups="\n".join(
            f'<section><h2>{text_of(group)}</h2>\n<ul class="dmlviz-cards">\n'
            + "\n".join(_card(page, pictures) for page in members)
            + "\n</ul></section>"
            for group, members in groups.items()
        ),
    )


def _card(page: SitePage, pictures: tuple[str, ...]) -> str:
    """A card with the inputs and the question; only the page shows the output."""
    asked = page.words[-1 if page.choices else 0] if page.words else ""
    title = f'<p class="dmlviz-card-title">{text_of(page.title)}</p>' if page.words else ""
    sizes = f"{print_all_sizes(sizes_by_name(page.trace.inputs))} → ?"
    return (
        f'<li class="dmlviz-card">{_picture(page, pictures)}{title}'
        f'<a class="dmlviz-card-question" href="{page.file}">{text_of(asked or page.title)}</a>'
        f"<small>{text_of(sizes)}</small></li>"
    )


def _picture(page: SitePage, pictures: tuple[str, ...]) -> str:
    if not pictures:
        return ""
    dark = (
        f'<source media="(prefers-color-scheme: dark)" srcset="{page.slug}.dark.svg">'
        if ".dark.svg" in pictures
        else ""
    )
    image = f'<img src="{page.slug}.svg" alt="" loading="lazy">'
    return f'<picture class="dmlviz-card-picture">{dark}{image}</picture>'
