"""Pages -> a folder of static files that need no server and no network."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dmlviz.base.addresses import PRESENT
from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.base.templates import render, trusted
from dmlviz.base.words import ENGLISH, _, endonym, language, speaking
from dmlviz.engines.trace import Trace
from dmlviz.live.bundle import LiveFiles
from dmlviz.picture.compared import compared
from dmlviz.picture.files import form_style, gallery_style, page_script, plotly_script, style
from dmlviz.picture.page import json_safe
from dmlviz.picture.payload import payload
from dmlviz.picture.policy import OWN, policy
from dmlviz.picture.runs import settings_line
from dmlviz.picture.scene import Scene, check_stage, scene
from dmlviz.picture.strip import Strip
from dmlviz.states.pages import AnyState
from dmlviz.tensors.numbering import print_all_sizes, sizes_by_name

_PLOTLY, _SCRIPT, _STYLE = "plotly.min.js", "player.js", "player.css"
"""The files beside the pages that all of them share."""

_FOLDER = Path(__file__).resolve().parent
"""The folder of the templates."""

WAYS = ("previous", "next")
"""The ways in which a question for a room leads on."""

Thumbnail = Callable[[Scene], str]
INDEX = "index.html"

_SLUG = regex(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_SLUG = 80
# the gallery's own name, and names that Windows reserves for devices
_TAKEN = {"index", "con", "prn", "aux", "nul"} | {
    f"{d}{n}" for d in ("com", "lpt") for n in "0123456789"
}


@dataclass(frozen=True)
class SitePage:
    """One movement, and the words above it.

    Attributes:
        slug: the page's file is ``slug.html``: lower-case letters, digits and single hyphens,
            at most 80.
        title: what the page and its card are called.
        words: paragraphs above the stage, plain text; there may be none.
        trace: what ``dmlviz.run`` gave; at most 65,536 elements in and out.
        group: its heading in the gallery.
        look: how the player starts, as :class:`dmlviz.picture.page.Player` takes it; None: as ever.
        second: another run of the same operator on the same inputs, whose outputs stand on the
            same stage; what differs is marked.
        answer: to what the words ask; the reader opens it.
        choices: answers to choose from, each with what is said of it. Where there are any, the
            last of the words asks, and the movement is hidden until the reader has chosen.
        settings: what runs, above the stage; None for what the run says itself.
        strip: all tensors of the chain that is run, to be seen below the stage.
        language: of its texts, for a site in several; its file is then ``slug.ko.html``. Empty for
            the first one, whose files have plain names.
        state: that its trace is of; None if no link names it.
        wall: its question for a room, as :func:`dmlviz.picture.wall.wall_content` has it, which a
            live page shows; its keys lead to the pages of its group that have one. None for none.
        live: its state as :func:`dmlviz.live.still.written` has it; None for a page that
            stays still.

    Raises:
        Error: the slug cannot be a file's name, or the title is empty.
    """

    slug: str
    title: str
    words: tuple[str, ...]
    trace: Trace
    group: str
    look: Mapping[str, Any] | None = None
    second: Trace | None = None
    answer: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    settings: str | None = None
    strip: Strip | None = None
    language: str = ""
    state: AnyState | None = None
    wall: Mapping[str, Any] | None = None
    live: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        slug = self.slug
        if len(slug) > _LONGEST_SLUG or not _SLUG.fullmatch(slug) or slug in _TAKEN:
            raise Error(
                _(
                    "slug is {slug!r}; it must be 1 to {most} lowercase letters, digits and single "
                    "hyphens, and not a reserved name such as 'index'."
                ).format(slug=slug[:_LONGEST_SLUG], most=_LONGEST_SLUG),
                "slug",
            )
        if not self.title.strip():
            raise Error(_("title of page {slug!r} is empty.").format(slug=slug), "title")

    @property
    def name(self) -> str:
        """The name of the page's files, without their ending."""
        return f"{self.slug}.{self.language}" if self.language else self.slug

    @property
    def file(self) -> str:
        """The name of the page's file."""
        return f"{self.name}.html"

    @property
    def for_a_room(self) -> str:
        """The address of its question for a room; empty if it has none."""
        if self.live is None or self.wall is None:
            return ""
        link = self.live["shown"]["link"]
        return f"{self.file}#{link}{'&' if '?' in link else '?'}{PRESENT}=true"

    @property
    def index(self) -> str:
        """The gallery's file in the page's language."""
        return f"index.{self.language}.html" if self.language else INDEX


def write_site(
    folder: str | Path,
    pages: Sequence[SitePage],
    progress: Callable[[int, int], None] | None = None,
    thumbnail: Thumbnail | None = None,
    dark_thumbnail: Thumbnail | None = None,
    live: LiveFiles | None = None,
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
            :func:`dmlviz.picture.exports.inputs_svg` of its inputs; without it the gallery has
            words only.
        dark_thumbnail: the same for readers whose system is dark; without it they get the other.
        live: what pages with a state need to become live in the reader's browser.

    Returns:
        The gallery's file, ``index.html``.

    Raises:
        Error: the folder holds somebody else's files, two pages share a slug, or there is none.
        TooLarge: a tensor has more than 65,536 elements; nothing was written.
        OSError: a file cannot be written.
    """
    _check_pages(pages)
    for page in pages:
        for trace in filter(None, (page.trace, page.second)):
            check_stage(sizes_by_name(trace.inputs), sizes_by_name(trace.outputs))
    drawers = {".svg": thumbnail, ".dark.svg": dark_thumbnail if thumbnail else None}
    drawn_as = {ending: draw for ending, draw in drawers.items() if draw}
    extra = live.files if live else {}
    names = [_PLOTLY, _SCRIPT, _STYLE, *extra, *{page.index for page in pages}]
    names += [page.name + ending for page in pages for ending in (".html", *drawn_as)]
    place = _Folder(Path(folder), names)
    place.write(_PLOTLY, plotly_script())
    place.write(_SCRIPT, page_script())
    styles = (style(), gallery_style(), *((form_style(),) if live else ()))
    own_style = (_FOLDER / "site.css").read_text(encoding="utf-8")
    place.write(_STYLE, f"{''.join(styles)}\n{own_style}")
    for name, data in extra.items():
        place.write(name, data)
    done = 0
    for spoken in dict.fromkeys(page.language for page in pages):
        edition = [page for page in pages if page.language == spoken]
        others = {page.slug: page for page in pages if page.language != spoken}
        around = [None, *edition, None]
        with speaking(spoken or language()):
            for number, page in enumerate(edition):
                drawn = replace(scene(page.trace), strip=page.strip)
                neighbours = (around[number], around[number + 2])
                other = others.get(page.slug)
                text = _stage_page(page, drawn, neighbours, tuple(drawn_as), other)
                place.write(page.file, text)
                for ending, draw in drawn_as.items():
                    place.write(page.name + ending, draw(drawn))
                done += 1
                if progress:
                    progress(done, len(pages))
            other = next(iter(others.values()), None)
            place.write(edition[0].index, _gallery(edition, tuple(drawn_as), other, bool(live)))
    place.finish()
    return place.path / INDEX


def _stage_page(
    page: SitePage,
    drawn: Scene,
    neighbours: tuple[SitePage | None, SitePage | None],
    pictures: tuple[str, ...],
    other: SitePage | None,
) -> str:
    if page.second is not None:
        drawn = compared(drawn, scene(page.second))
    settings = settings_line(drawn.runs) if page.settings is None else page.settings
    sent = payload(drawn)
    if page.look:
        sent = {**sent, "look": dict(page.look)}
    live = page.live
    if live and page.wall:
        kin = {way: one for way, one in zip(WAYS, neighbours, strict=True) if one}
        turns = {way: one.for_a_room for way, one in kin.items() if one.group == page.group}
        live = {**live, "posed": {"wall": page.wall, "turns": turns}}
    around = zip(("prev", "next"), (_("Previous"), _("Next")), neighbours, strict=True)
    return _fill(
        "page.html",
        _("{title} · dmlviz").format(title=page.title),
        scripts=OWN,
        workers=OWN if page.live else "",
        fetched=OWN if page.wall and page.live else "",
        page=page,
        live=trusted(json_safe(live)) if live else "",
        other=_named(other),
        pictures=pictures if page.choices else (),
        settings=settings,
        check=sent["check"],
        payload=trusted(json_safe(sent)),
        around=[(rel, name, other) for rel, name, other in around if other],
        words={
            "home": _("All movements"),
            "answer": _("Answer"),
            "around": _("Other movements"),
            "settings": _("Settings"),
            "present": _("Present"),
        },
    )


def _named(page: SitePage | None) -> tuple[str, str, str] | None:
    """A page in another language: its language, that language's own name, and the file."""
    if page is None:
        return None
    spoken = page.language or ENGLISH
    return spoken, endonym(spoken), page.file


def _gallery(
    pages: Sequence[SitePage], pictures: tuple[str, ...], other: SitePage | None, live: bool
) -> str:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for page in pages:
        groups.setdefault(page.group, []).append(_card(page))
    return _fill(
        INDEX,
        _("dmlviz: see where every element goes"),
        scripts=OWN if live else "'none'",
        live=live,
        other=(*(_named(other) or ())[:2], other.index) if other else None,
        heading=_("See where every element goes"),
        intro=_(
            "Choose a movement and press Play: each element travels from its place in the "
            "input to its place in the output. Every picture is what an engine really did: "
            "it ran the operator on the values, then on their indices, and the second result "
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


def framed_page(drawn: Scene, title: str, look: Mapping[str, Any]) -> str:
    """A page that plays beside the files of :func:`shared_files`, and loads nothing else.

    Args:
        drawn: what plays.
        title: of the page, plain text.
        look: how the player starts, as :class:`dmlviz.picture.page.Player` takes it.
    """
    sent = {**payload(drawn), "look": dict(look)}
    return _fill(
        "framed.html", title, scripts=OWN, check=sent["check"], payload=trusted(json_safe(sent))
    )


def shared_files() -> dict[str, str]:
    """The files beside the pages by name, 1.7 MB in all."""
    return {_PLOTLY: plotly_script(), _SCRIPT: page_script(), _STYLE: style()}


def _check_pages(pages: Sequence[SitePage]) -> None:
    """Check that there is at least one page and that every page has its own address.

    Raises:
        Error: two pages share a slug, or there is no page.
    """
    if not pages:
        raise Error(_("pages is empty; a site needs at least 1 page."), "pages")
    files: set[str] = set()
    for page in pages:
        if page.file in files:
            raise Error(
                _("slug {slug!r} is used by two pages; each needs its own.").format(slug=page.slug),
                "slug",
            )
        files.add(page.file)


def _fill(
    name: str, title: str, scripts: str, workers: str = "", fetched: str = "", **values: Any
) -> str:
    """A page from a template of this folder.

    Args:
        name: of the template's file.
        title: of the page.
        scripts: where scripts may come from, as a content security policy says it.
        workers: where workers may come from.
        fetched: what scripts may fetch.
        values: what else the template uses; texts are escaped.
    """
    rules = policy(scripts, styles=OWN, images=OWN, workers=workers, fetched=fetched)
    return render(
        _FOLDER, name, language=language(), policy=rules, title=title, style=_STYLE, **values
    )


MARKER = ".dmlviz-site"
"""A file in every folder that we wrote; it lists the files that we wrote."""

_OWN_NAME = regex(
    r"[a-z0-9-]+(\.[a-z]{2,3})?\.(html|svg|dark\.svg)|player\.(js|css)|plotly\.min\.js"
    r"|(live|worker|engine|pyodide|pyodide\.asm)\.js|pyodide\.asm\.wasm|python_stdlib\.zip|core\.zip"
    r"|ort\.wasm\.min\.js|ort-wasm-simd-threaded\.(js|wasm)"
    r"|pyodide-lock\.json|numpy-[\w.-]+\.whl|LICENSES\.txt"
)
_LONGEST_MARKER = 1_000_000


class _Folder:
    """A folder that we may write into.

    Args:
        path: of a folder that is empty, was written by us, or is not there yet.
        names: of all the files that will be written.

    Raises:
        Error: the folder holds files of somebody else's, or is a file.
        OSError: the folder cannot be made or read.
    """

    def __init__(self, path: Path, names: Iterable[str]) -> None:
        self.path = path
        self.names = sorted(names)
        if path.exists() and not path.is_dir():
            raise Error(_("folder {path} is a file.").format(path=path), "folder")
        path.mkdir(parents=True, exist_ok=True)
        self.before = _written_before(path)
        there = {entry.name for entry in path.iterdir()}
        foreign = there & set(self.names) - self.before if self.before else there
        if foreign:
            raise Error(
                _(
                    "folder {path} holds {name!r}, which dmlviz did not write; "
                    "a site needs a folder that is empty or was written by dmlviz."
                ).format(path=path, name=min(foreign)),
                "folder",
            )
        # first, so that an interrupted site can be written again
        self.write(MARKER, json.dumps(sorted({*self.names, *self.before, MARKER})))

    def write(self, name: str, text: str | bytes) -> None:
        """Write one file completely or not at all; replace a link in its place, do not follow it.

        Raises:
            OSError: the file cannot be written.
        """
        handle, temporary = tempfile.mkstemp(dir=self.path, prefix=".dmlviz-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode() if isinstance(text, str) else text)
            Path(temporary).chmod(0o644)  # a web server must be able to read it
            Path(temporary).replace(self.path / name)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def finish(self) -> None:
        """Delete files of an earlier site that this one does not have.

        Raises:
            OSError: a file cannot be deleted.
        """
        for name in self.before - {*self.names, MARKER}:
            (self.path / name).unlink(missing_ok=True)
        self.write(MARKER, json.dumps([MARKER, *self.names]))


def _written_before(path: Path) -> set[str]:
    """The names that our marker lists; a damaged marker does not count as ours."""
    marker = path / MARKER
    try:
        if marker.is_symlink() or marker.stat().st_size > _LONGEST_MARKER:
            return set()
        listed = json.loads(marker.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return set()
    if not isinstance(listed, list) or MARKER not in listed:
        return set()
    # only names that we would give, in this folder, whatever the marker lists
    return {n for n in listed if isinstance(n, str) and (n == MARKER or _OWN_NAME.fullmatch(n))}
