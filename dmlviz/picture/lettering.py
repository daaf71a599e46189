"""Measures lines of text, and finds font files that have their letters.

Pictures use the included font Inter, so that plain English words look the same everywhere.
Characters that it lacks are looked up one by one in the fonts of this machine. Without Pillow, as
in a browser, widths are those of single letters, a little too wide where letters are kerned.
"""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from dmlviz.base.errors import Error
from dmlviz.base.places import ASSETS
from dmlviz.base.words import _

if TYPE_CHECKING:
    from PIL import ImageFont

CAP = 0.727
"""The height of a digit, in sizes of the font."""

SCREEN_FAMILIES = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
"""The fonts of an SVG file, as CSS lists them: it is shown where other fonts are."""

_FONTS = ASSETS / "fonts"
_OWN = {bold: _FONTS / f"Inter-{'SemiBold' if bold else 'Regular'}.otf" for bold in (0, 1)}
_FAMILY = "Inter"
_ELSEWHERE = (
    *("DejaVuSans.ttf", "NotoSans-Regular.ttf", "segoeui.ttf", "Arial Unicode.ttf"),
    *("NotoSansCJK-Regular.ttc", "NotoSansKR-Regular.otf", "NotoSansKR-Regular.ttf"),
    *("NotoSansCJK-VF.ttc", "NotoSansCJKkr-Regular.otf", "NotoSansCJK.ttc", "UnDotum.ttf"),
    *("NanumGothic.ttf", "NanumBarunGothic.ttf", "malgun.ttf", "AppleSDGothicNeo.ttc"),
    *("AppleGothic.ttf", "DroidSansFallbackFull.ttf", "wqy-zenhei.ttc"),
    *("msyh.ttc", "YuGothR.ttc", "seguisym.ttf"),
)
_MEASURED = 64
_FIRST = ord(" ")
"""The first letter of letter_widths.toml."""
_USUAL = 0.6
"""About the width of other letters, in sizes of the font; East Asian ones are as wide as high."""


def length(text: str, size: float, bold: bool = False, font: str | None = None) -> float:
    """The width of a line of text in pixels."""
    if not _measures():
        return sum(_width(character, bold) for character in text) * size
    runs = groupby(text, key=lambda character: _file_of(character, font, bold))
    return sum(_face(file).getlength("".join(part)) for file, part in runs) * size / _MEASURED


def wrap(
    text: str, size: float, width: float, bold: bool = False, font: str | None = None
) -> list[str]:
    """Text in lines of at most ``width`` pixels, broken at blanks; a longer word gets a line."""
    if "\n" in text:
        rows = (wrap(row, size, width, bold, font) for row in text.splitlines())
        return [line for lines in rows for line in lines]
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and length(longer, size, bold, font) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def can_write(text: str, font: str | None = None) -> bool:
    """Whether this machine's fonts have every letter of a text; other characters do not count.

    >>> can_write("Input {1, 2}")
    True
    """
    letters = {letter for letter in text if letter.isalpha()}
    return all(_has(_file_of(letter, font, False), letter) for letter in letters)


def files_for(text: str, font: str | None = None) -> tuple[str, ...]:
    """The font files that together have the characters of a text, as far as any font has them."""
    letters = set(text) - {"\n"}
    used = {_file_of(letter, font, bold) for letter in letters for bold in (False, True)}
    return tuple(sorted({*map(str, _OWN.values()), *used}))


def families(font: str | None = None) -> str:
    """The names of the fonts to write in, the preferred one first, as CSS lists them."""
    preferred = _font_path(font) if font else None
    name = _face(preferred).getname()[0] if preferred else None
    return _FAMILY if name is None else f"'{name}', {_FAMILY}"


def check_font(font: str | None) -> None:
    """Refuse a font that cannot be read.

    Raises:
        Error: this machine has no such font file, or the file is not a font.
    """
    if font is not None and _font_path(font) is None:
        raise Error(_("font: cannot read the font file {font}.").format(font=font), "font")


@cache
def _measures() -> bool:
    """Whether Pillow is here to measure text."""
    return find_spec("PIL") is not None


def _width(character: str, bold: bool) -> float:
    """The width of a letter without Pillow, in sizes of the font."""
    widths, number = _widths()["bold" if bold else "regular"], ord(character) - _FIRST
    if 0 <= number < len(widths):
        return widths[number] / 1000
    return 1.0 if east_asian_width(character) in "WF" else _USUAL


@cache
def _widths() -> dict[str, list[int]]:
    text = Path(__file__).with_name("letter_widths.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@lru_cache(maxsize=2048)
def _file_of(character: str, font: str | None, bold: bool) -> str:
    """The first font file that has a character; the included one if none has it."""
    own = str(_OWN[bold])
    for file in (font and _font_path(font), own):
        if file and _has(file, character):
            return file
    candidates = (_font_path(name) for name in _ELSEWHERE)
    return next((file for file in candidates if file and _has(file, character)), own)


def _has(file: str, character: str) -> bool:
    face = _face(file)
    missing = face.getmask("\U0010fffe")
    mask = face.getmask(character)
    return (mask.size, bytes(mask)) != (missing.size, bytes(missing))


@lru_cache(maxsize=64)
def _font_path(name: str) -> str | None:
    """The path of a font file of this machine, by its path or its name."""
    from PIL import ImageFont

    try:
        return str(Path(str(ImageFont.truetype(name, _MEASURED).path)).resolve())
    except (OSError, ValueError):  # missing, not a font, or not a valid file name
        return None


@lru_cache(maxsize=16)  # a face with Chinese, Japanese and Korean letters takes a megabyte
def _face(file: str) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(file, _MEASURED)
