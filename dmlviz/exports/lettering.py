"""Text as grey masks, by Pillow, in the font that Pillow brings along.

What that font lacks is looked for in the fonts of this machine, character by character, so
that a picture with plain English words is the same everywhere.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import groupby
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from dmlviz.errors import Error
from dmlviz.kept import kept
from dmlviz.words import _

Array = np.ndarray[Any, Any]

ASCENT = 1.0
"""The baseline of a mask, in sizes of the font from its upper edge."""
LINE = 1.3
"""The height of a mask, in sizes of the font."""
CAP = 0.71
"""The height of a digit, in sizes of the font."""

_FINE = 4
_BOLD = 0.021
_APART = 0.022
_ELSEWHERE = (
    *("DejaVuSans.ttf", "NotoSans-Regular.ttf", "segoeui.ttf", "Arial Unicode.ttf"),
    *("NotoSansCJK-Regular.ttc", "NotoSansKR-Regular.otf", "NotoSansKR-Regular.ttf"),
    *("NotoSansCJK-VF.ttc", "NotoSansCJKkr-Regular.otf", "NotoSansCJK.ttc", "UnDotum.ttf"),
    *("NanumGothic.ttf", "NanumBarunGothic.ttf", "malgun.ttf", "AppleSDGothicNeo.ttc"),
    *("AppleGothic.ttf", "DroidSansFallbackFull.ttf", "wqy-zenhei.ttc"),
    *("msyh.ttc", "YuGothR.ttc", "seguisym.ttf"),
)
_ALIKE = str.maketrans({"−": "-", "–": "-", "—": "-", "’": "'", "×": "x"})
_INSTEAD = {"∞": "inf", "…": "...", "·": "."}


def length(text: str, size: float, bold: bool = False, font: str | None = None) -> float:
    """How many pixels a line of text is wide."""
    plain = sum(face.getlength(part) for part, face in _runs(text, font)) * size / _MEASURED
    return plain + len(text) * size * _APART if bold else plain


@kept(megabytes=8, words=False)
def mask(text: str, size: float, bold: bool = False, font: str | None = None) -> Array:
    """One line of text, as a picture of its ink.

    Args:
        text: a line; empty gives a mask of width 1.
        size: of the font, in pixels.
        bold: whether strokes are thicker.
        font: the name or path of a font file to prefer; see :func:`check_font`.

    Returns:
        uint8 from 0, no ink, to 255; as wide as :func:`length` says, rounded up, with the
        baseline at ``ASCENT * size``.  Read-only.
    """
    width = math.ceil(length(text, size, bold, font)) + 1
    height = math.ceil(size * LINE)
    large = Image.new("L", (width * _FINE, height * _FINE))
    pen = ImageDraw.Draw(large)
    stroke = max(1, round(size * _FINE * _BOLD)) if bold else 0
    x, baseline = float(stroke), ASCENT * size * _FINE
    for run, face in _runs(text, font, size * _FINE):
        # thicker letters stand a little further apart
        for part in run if bold else [run]:
            at = (x, baseline)
            pen.text(at, part, fill=255, font=face, anchor="ls", stroke_width=stroke)
            x += face.getlength(part) + (size * _FINE * _APART if bold else 0)
    found = np.asarray(large.reduce(_FINE))
    found.setflags(write=False)
    return found


def wrap(
    text: str, size: float, width: float, bold: bool = False, font: str | None = None
) -> list[str]:
    """Text in lines of at most ``width`` pixels, broken at blanks; a longer word stands alone."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and length(longer, size, bold, font) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def can_write(text: str, font: str | None = None) -> bool:
    """Whether fonts of this machine have every letter of a text; other characters do not count.

    >>> can_write("Input {1, 2}")
    True
    """
    return all(_piece(letter, font)[0] == letter for letter in set(text) if letter.isalpha())


def check_font(font: str | None) -> None:
    """Refuse a font that cannot be read.

    Raises:
        Error: there is no such file among this machine's fonts, or it is no font.
    """
    if font is not None and _named(font, 12) is None:
        raise Error(
            _("font: {font} is not a font file that can be read here.").format(font=font), "font"
        )


_MEASURED = 64


def _runs(
    text: str, font: str | None, size: float = _MEASURED
) -> list[tuple[str, ImageFont.FreeTypeFont]]:
    """Parts of a text that one font has all characters of, in reading order."""
    # what looks alike does not need another font
    text = text if font else text.translate(_ALIKE)
    pieces = [_piece(character, font) for character in text]
    return [
        ("".join(part for part, _name in group), _face(name, size))
        for name, group in groupby(pieces, key=lambda piece: piece[1])
    ]


@lru_cache(maxsize=1024)
def _piece(character: str, font: str | None) -> tuple[str, str]:
    """What to write for a character, and the name of the font that has it."""
    for name in (*((font,) if font else ()), "", *_ELSEWHERE):
        face = _default(_MEASURED) if not name else _named(name, _MEASURED)
        if face is not None and _has(face, character):
            return character, name
    return _INSTEAD.get(character, "?"), ""


def _has(face: ImageFont.FreeTypeFont, character: str) -> bool:
    missing = face.getmask("\U0010fffe")
    found = face.getmask(character)
    return (found.size, bytes(found)) != (missing.size, bytes(missing))


def _face(name: str, size: float) -> ImageFont.FreeTypeFont:
    face = _named(name, size) if name else None
    return face or _default(size)


@lru_cache(maxsize=64)
def _default(size: float) -> ImageFont.FreeTypeFont:
    face = ImageFont.load_default(size)
    assert isinstance(face, ImageFont.FreeTypeFont), "Pillow without FreeType"
    return face


@lru_cache(maxsize=32)  # a face with Chinese, Japanese and Korean letters takes a megabyte
def _named(name: str, size: float) -> ImageFont.FreeTypeFont | None:
    try:
        return ImageFont.truetype(name, size)
    except (OSError, ValueError):  # not there, no font, or no name of a file
        return None
