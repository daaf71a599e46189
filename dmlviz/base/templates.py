"""HTML from a folder's templates, by Jinja: a text is escaped unless it is :class:`Markup`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup


def render(folder: Path, name: str, /, **values: Any) -> Markup:
    """A template with its values.

    Args:
        folder: of the template, and of those that it includes.
        name: of its file.
        values: by the names that the template uses; it uses no others.
    """
    return trusted(_environment(folder).get_template(name).render(values))


def trusted(html: str) -> Markup:
    """HTML, CSS, JavaScript or JSON that the program has made, which is not escaped.

    No text from outside may be in it, unless what made it has escaped the text for its place, as
    :func:`dmlviz.picture.page.json_safe` does for a script element.
    """
    return Markup(html)  # noqa: S704


@cache
def _environment(folder: Path) -> Environment:
    return Environment(
        autoescape=True,
        keep_trailing_newline=True,
        loader=FileSystemLoader(folder),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
