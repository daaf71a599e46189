"""The worst PNG files that the server reads: no file of the largest size costs more than seconds."""

import struct
import warnings
import zlib
from contextlib import suppress

import pytest
from PIL import Image

from dmlviz.base.errors import Error
from dmlviz.picture.own_picture import KEPT_SIDE, MOST_BYTES, MOST_PIXELS, read_own_picture
from tests.tensors.test_own_picture import chunk, file_of, png

SECONDS = 5
"""Of the processor's time, for one file: ten times what the slowest needs."""


def hostile(*chunks: bytes) -> bytes:
    """A small PNG with these chunks after its header."""
    data = file_of(Image.new("RGB", (10, 10)))
    return data[:33] + b"".join(chunks) + data[33:]


def packed(count: int) -> bytes:
    """So many zero bytes, compressed."""
    maker, block = zlib.compressobj(9), bytes(1_000_000)
    blocks = [maker.compress(block) for _each in range(count // len(block))]
    return b"".join([*blocks, maker.compress(bytes(count % len(block))), maker.flush()])


def frames(count: int) -> bytes:
    """An animated PNG of so many frames of 500 by 500 pixels."""
    size, rows = struct.pack(">II", 500, 500), packed(500 * 1501)
    control = size + struct.pack(">IIHHBB", 0, 0, 1, 1, 0, 0)
    found = [chunk(b"acTL", struct.pack(">II", count, 0)), chunk(b"fcTL", bytes(4) + control)]
    found.append(chunk(b"IDAT", rows))
    for k in range(1, 2 * count - 1, 2):
        found.append(chunk(b"fcTL", struct.pack(">I", k) + control))
        found.append(chunk(b"fdAT", struct.pack(">I", k + 1) + rows))
    header = chunk(b"IHDR", size + bytes([8, 2, 0, 0, 0]))
    return b"".join([b"\x89PNG\r\n\x1a\n", header, *found, chunk(b"IEND", b"")])


def about_the_camera() -> bytes:
    """60,000 entries, each of which Pillow warns of: 9 MB in the server's log."""
    entries = (struct.pack("<HHII", k, 2, 30, 8) for k in range(60_000))
    return chunk(b"eXIf", b"II*\0\x08\0\0\0" + struct.pack("<H", 60_000) + b"".join(entries))


HOSTILE = {
    "the most pixels, the most bits": lambda: png(2000, 2000, packed(2000 * 16_001), 16, 6),
    "one long row": lambda: png(MOST_PIXELS, 1, packed(4 * MOST_PIXELS + 1), 8, 6),
    "more rows than it says": lambda: png(10, 10, packed(900_000_000)),
    "a large profile": lambda: hostile(chunk(b"iCCP", b"x\0\0" + packed(500_000_000))),
    "texts": lambda: hostile(*[chunk(b"zTXt", b"k\0\0" + packed(1_000_000))] * 1_500),
    "texts after the pixels": lambda: png(
        10, 10, packed(310), after=chunk(b"zTXt", b"k\0\0" + packed(1_000_000)) * 60
    ),
    "empty chunks": lambda: hostile(chunk(b"abCd", b"") * 150_000),
    "frames": lambda: frames(1_500),
    "about the camera": lambda: hostile(about_the_camera()),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_the_worst_files_cost_little(name, bounded):
    data = HOSTILE[name]()
    assert len(data) <= MOST_BYTES
    bounded(SECONDS)
    with suppress(Error), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        found = read_own_picture(data)
        assert max(found.height, found.width) <= KEPT_SIDE
    assert len(warned) < 1_000
