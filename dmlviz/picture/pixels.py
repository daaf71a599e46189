"""Pixels as a PNG file, without Pillow, which no browser has."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from dmlviz.tensors.types import Array

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_DEPTH, _WITH_OPACITY = 8, 6


def png_file(pixels: Array) -> bytes:
    """A PNG file as the PNG specification, second edition (ISO/IEC 15948), has it, unfiltered.

    Args:
        pixels: red, green, blue and opacity; uint8, rows by columns by 4.
    """
    high, wide, _channels = pixels.shape
    # every row begins with the number of its filter, none
    rows = np.zeros((high, 1 + 4 * wide), np.uint8)
    rows[:, 1:] = pixels.reshape(high, 4 * wide)
    header = struct.pack(">IIBBBBB", wide, high, _DEPTH, _WITH_OPACITY, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
