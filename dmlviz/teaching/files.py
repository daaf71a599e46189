"""TOML files of lessons, runs and the glossary; unexpected content is refused."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from dmlviz.base.decoding import InvalidValue, below, decode
from dmlviz.base.errors import Error
from dmlviz.base.words import _, of_file
from dmlviz.teaching.answers import Choices
from dmlviz.teaching.facts import fill

# they name a state, facts, keys or code instead of saying something
_VERBATIM = {
    *("answer", "calls", "claim", "claims", "hides_settings"),
    *("key", "lines", "link", "practice"),
}

_T = TypeVar("_T")


def file_in(folder: Path, key: str, language: str) -> Path:
    """A text's file in a language, or in English if there is none."""
    path = folder / f"{key}.{language}.toml"
    return path if path.exists() else folder / f"{key}.en.toml"


def read_all(
    folder: Path, language: str, read: Callable[[str, str, str], _T], order: Sequence[str] = ()
) -> tuple[_T, ...]:
    """What every file of a folder says.

    Args:
        folder: of the files; each has a key, such as ``tile`` for ``tile.en.toml``.
        language: of the files to read; English where there is none.
        read: makes a value from a file's text, its key and its name.
        order: the keys that come first; others follow by name.
    """
    keys = {path.name.removesuffix(".en.toml") for path in folder.glob("*.en.toml")}
    ordered = [key for key in order if key in keys] + sorted(keys - set(order))
    files = ((key, file_in(folder, key, language)) for key in ordered)
    return tuple(read(file.read_text(encoding="utf-8"), key, file.name) for key, file in files)


def read_toml(text: str, file: str) -> dict[str, Any]:
    """The contents of a file.

    Raises:
        Error: it is not TOML; the message names the file and the line.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Error(f"{file}: {error}", file) from None


def decode_table(table: object, kind: type[_T], file: str, place: str = "") -> _T:
    """A table of a file as a struct; its texts still have placeholders.

    Args:
        table: as :mod:`tomllib` reads it.
        kind: the struct.
        file: its name, for messages.
        place: of the table in the file.

    Raises:
        Error: a key is unknown, missing or of the wrong type; the message names the file and
            the key.
    """
    try:
        return decode(table, kind, place)
    except InvalidValue as error:
        raise error_at(file, error.place, error.rule) from None


def error_at(file: str, place: str, rule: str) -> Error:
    """An error that names the file and the key, such as ``parts[2].predict``."""
    return Error(_("{file}: {key}: {rule}").format(file=file, key=place, rule=rule), place)


def fill_texts(value: Any, file: str, place: str = "", link: str = "") -> Any:
    """A struct of a file with its texts on one line each, and with numbers filled in.

    Args:
        value: the struct, or a tuple or a text of one.
        file: its name, for messages.
        place: of the value in the file.
        link: of the state whose facts the texts name, unless the struct has a ``link`` itself.

    Raises:
        Error: a text names a fact that its state does not have, or ``hides_settings`` a setting
            that its operator does not have.
    """
    try:
        if isinstance(value, str):
            text = of_file(" ".join(value.split()))
            return fill(text, link) if link else text
        if isinstance(value, Choices):
            value.check_settings(link)
    except Error as error:
        place = below(place, "hides_settings") if isinstance(value, Choices) else place
        raise error_at(file, place, str(error)) from None
    if isinstance(value, tuple):
        return tuple(fill_texts(each, file, f"{place}[{i}]", link) for i, each in enumerate(value))
    if not isinstance(value, Struct):
        return value
    keys = dict(zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True))
    if "link" in keys:
        link = cast(Any, value).link or link
    texts = {
        name: fill_texts(getattr(value, name), file, below(place, key), link)
        for name, key in keys.items()
        if name not in _VERBATIM
    }
    value = replace(value, **texts)
    return replace(value, answers=value.with_claims) if isinstance(value, Choices) else value
