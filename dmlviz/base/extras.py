"""Packages that only one of dmlviz's extras brings, and the command that installs them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dmlviz.base.errors import Error
from dmlviz.base.words import _


class NotInstalled(Error, ModuleNotFoundError):
    """A package is missing that an extra of dmlviz brings; the message has the command.

    Args:
        package: the name that Python imports.
        extra: of dmlviz, as ``pyproject.toml`` names it.
        field: the setting that asked for the package, if one did.
    """

    def __init__(self, package: str, extra: str, field: str = "") -> None:
        message = _("{package} is not installed; run {command}.").format(
            package=package, command=installing(extra)
        )
        super().__init__(f"{field}: {message}" if field else message, field)
        self.name = package


def installing(extra: str) -> str:
    """The command that installs what an extra of dmlviz brings.

    >>> installing("app")
    'pip install "dmlviz[app]"'
    """
    return f'pip install "dmlviz[{extra}]"'


@contextmanager
def extra(name: str, field: str = "") -> Iterator[None]:
    """Around the import of a package that only an extra of dmlviz brings.

    Args:
        name: the extra, as ``pyproject.toml`` names it.
        field: the setting that asks for the package, if one does.

    Raises:
        NotInstalled: the package, or one that it needs itself, is missing.

    >>> try:
    ...     with extra("sphinx"):
    ...         import missing_one
    ... except NotInstalled as error:
    ...     print(error)
    missing_one is not installed; run pip install "dmlviz[sphinx]".
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if isinstance(error, NotInstalled) or package in ("", "dmlviz"):
            raise
        raise NotInstalled(package, name, field) from None
