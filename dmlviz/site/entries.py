"""What one page of a site is about."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dmlviz.errors import Error
from dmlviz.trace import Trace
from dmlviz.words import _

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
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
        look: how the player starts, as :class:`dmlviz.player.Player` takes it; None: as ever.
        second: another run of the same operator on the same inputs, whose outputs stand on the
            same stage; what differs is marked.
        answer: to what the words ask; the reader opens it.
        choices: answers to choose from, each with what is said of it. Where there are any, the
            last of the words asks, and the movement is hidden until the reader has chosen.

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
    def file(self) -> str:
        """The name of the page's file."""
        return f"{self.slug}.html"


def check_pages(pages: Sequence[SitePage]) -> None:
    """Check that there is at least one page and that every page has its own address.

    Raises:
        Error: two pages share a slug, or there is no page.
    """
    if not pages:
        raise Error(_("pages is empty; a site needs at least 1 page."), "pages")
    seen: set[str] = set()
    for page in pages:
        if page.slug in seen:
            raise Error(
                _("slug {slug!r} is used by two pages; each needs its own.").format(slug=page.slug),
                "slug",
            )
        seen.add(page.slug)
