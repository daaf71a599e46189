"""Split a link into its page and parameters, and build it from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote_plus, urlencode

from dmlviz.addresses.reading import LANGUAGE, MOST_LINK, SOURCE
from dmlviz.errors import Problem
from dmlviz.words import _, language_named

Parameters = Mapping[str, str]
"""A link's parameters: texts by name."""

PRESENT = "present"
"""The parameter that opens a page for presenting: ``present=true``."""

MOST_PARTS = 200


@dataclass(frozen=True)
class Address:
    """What a link names.

    Attributes:
        page: the end of its path, such as ``tile``; empty for the app's home page.
        parameters: as the link has them.
        problems: the parts that were ignored because the link is too long.
    """

    page: str
    parameters: dict[str, str]
    problems: tuple[Problem, ...] = ()


def split_link(text: str) -> Address:
    """The page and the parameters of a link; never raises, whatever the text.

    Args:
        text: ``/tile?...``, ``tile?...`` or a whole address of any host; up to 200,000
            characters and 200 parameters are read; if a name repeats, its last value counts.

    >>> found = split_link("https://example.org/dmlviz/tile?sizes=2,3&step=2")
    >>> found.page, found.parameters
    ('tile', {'sizes': '2,3', 'step': '2'})
    """
    problems = []
    if len(text) > MOST_LINK:
        sentence = _("link: it has {count:,} characters; the limit is {most:,}.")
        sentence = sentence.format(count=len(text), most=MOST_LINK)
        text = text[:1_000].partition("?")[0]
        problems.append(Problem("link", sentence, SOURCE))
    # messages cannot contain a lone surrogate
    text = text.encode("utf-8", "replace").decode()
    before, _mark, query = text.partition("#")[0].partition("?")
    parts = query.split("&", MOST_PARTS)
    if len(parts) > MOST_PARTS:
        sentence = _("link: only the first {most} parts were read.").format(most=MOST_PARTS)
        problems.append(Problem("link", sentence, SOURCE))
    named = [part.partition("=") for part in parts[:MOST_PARTS]]
    parameters = {unquote_plus(name): unquote_plus(value) for name, _is, value in named if name}
    return Address(before.rstrip("/").rpartition("/")[2], parameters, tuple(problems))


def write_link(page: str, parameters: Parameters) -> str:
    """The link, relative to the app's root; commas and colons stay readable.

    >>> write_link("tile", {"sizes": "2,3"}), write_link("tile", {})
    ('/tile?sizes=2,3', '/tile')
    """
    return f"/{page}?{urlencode(parameters, safe=',:;')}" if parameters else f"/{page}"


def content_parameters(parameters: Parameters) -> dict[str, str]:
    """The parameters of the content, without those of presenting and language."""
    return {
        name: text
        for name, text in parameters.items()
        if not name.lower().startswith("embed")
        and (name, text) != (PRESENT, "true")
        and not (name == LANGUAGE and language_named(text))
    }
