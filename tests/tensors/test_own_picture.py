"""A learner's picture: every mode and orientation is read, and whatever is not a picture refused."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from dmlviz.base.errors import Error
from dmlviz.picture.own_picture import MOST_BYTES, MOST_PIXELS, read_own_picture
from dmlviz.tensors import OwnPicture
from dmlviz.tensors.own_picture import KEPT_SIDE, USED_SIDE, read_pixels

COLORS = np.array(
    [[[255, 0, 0], [0, 255, 0], [0, 0, 255]], [[255, 255, 0], [10, 20, 30], [255, 255, 255]]],
    np.uint8,
)
"""Two rows of three pixels, none like another."""


def file_of(image: Image.Image, kind: str = "PNG", **how) -> bytes:
    out = BytesIO()
    image.save(out, kind, **how)
    return out.getvalue()


def colors(data: bytes) -> list:
    return read_own_picture(data).rows.tolist()


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(
    width: int,
    height: int,
    pixels: bytes = zlib.compress(bytes(9)),
    bits: int = 8,
    kind: int = 2,
    after: bytes = b"",
) -> bytes:
    """A PNG whose header says that size, with hardly any pixels in it unless they are given."""
    header = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)
    found = chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + after + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + found


def test_pixels_are_read_as_they_are():
    assert colors(file_of(Image.fromarray(COLORS))) == COLORS.tolist()


@pytest.mark.parametrize("orientation", range(1, 9))
def test_orientation_is_respected(orientation):
    turned = {
        1: COLORS,
        2: COLORS[:, ::-1],
        3: COLORS[::-1, ::-1],
        4: COLORS[::-1],
        5: COLORS.transpose(1, 0, 2),
        6: np.rot90(COLORS, -1),
        7: np.rot90(COLORS, 2).transpose(1, 0, 2),
        8: np.rot90(COLORS),
    }[orientation]
    exif = Image.Exif()
    exif[274] = orientation
    assert colors(file_of(Image.fromarray(COLORS), exif=exif)) == turned.tolist()


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "PA", "RGBA"])
def test_every_mode_of_a_png(mode):
    black_and_white = Image.fromarray(np.array([[0, 255]], np.uint8)).convert("RGB")
    image = black_and_white.convert("P" if mode == "PA" else mode)
    if mode == "PA":
        image = black_and_white.convert("RGBA").quantize()
    assert colors(file_of(image)) == [[[0] * 3, [255] * 3]]


def test_sixteen_bits_keep_their_brightness():
    levels = np.array([[0, 257 * 100, 65535]], np.uint16)
    assert read_own_picture(file_of(Image.fromarray(levels))).rows[0, :, 0].tolist() == [
        0,
        100,
        255,
    ]


def test_what_is_transparent_is_shown_on_white():
    clear = Image.fromarray(np.array([[[255, 0, 0, 0], [255, 0, 0, 255]]], np.uint8))
    assert colors(file_of(clear)) == [[[255, 255, 255], [255, 0, 0]]]


def test_of_an_animation_the_first_frame_is_read():
    red, blue = (Image.new("RGB", (4, 4), color) for color in ("red", "blue"))
    data = file_of(red, save_all=True, append_images=[blue])
    assert colors(data)[0][0] == [255, 0, 0]


def test_a_large_picture_is_scaled_down_and_keeps_its_shape():
    found = read_own_picture(file_of(Image.new("RGB", (1600, 400), "red")))
    assert (found.height, found.width) == (KEPT_SIDE // 4, KEPT_SIDE)
    part = found.cropped((0, 100), (0, 100))
    assert (part.height, part.width) == (USED_SIDE // 4, USED_SIDE)


WHOLE = file_of(Image.fromarray(np.random.default_rng(1).integers(0, 256, (64, 64, 3), np.uint8)))
DAMAGED, OTHER, MANY = "damaged or incomplete", "not a PNG picture", "too many pixels"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", OTHER),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", OTHER),
        (b"%!PS-Adobe-3.0 EPSF-3.0", OTHER),
        (file_of(Image.new("RGB", (4, 4)), "GIF"), OTHER),
        (file_of(Image.new("RGB", (4, 4)), "TIFF"), OTHER),
        # whose cost their size does not bound: the browser makes PNGs of them
        (file_of(Image.new("RGB", (4, 4)), "JPEG"), OTHER),
        (file_of(Image.new("RGB", (4, 4)), "WEBP"), OTHER),
        (WHOLE[: len(WHOLE) // 2], DAMAGED),
        (png(100, 100), DAMAGED),
        (png(MOST_PIXELS // 2000 + 1, 2000), MANY),
        # Pillow itself warns of the first and refuses the second
        (png(10_000, 10_000), MANY),
        (png(60_000, 60_000), MANY),
        (png(0, 5), OTHER),
        (WHOLE + b"x" * MOST_BYTES, "bytes"),
    ],
)
def test_what_is_no_picture_is_refused_in_a_sentence(data, why):
    with pytest.raises(Error, match=why) as refused:
        read_own_picture(data)
    assert refused.value.field == "picture"


def test_truncated_files_never_pass():
    for end in (20, len(WHOLE) // 3, len(WHOLE) // 2):
        with pytest.raises(Error):
            read_own_picture(WHOLE[:end])


def test_a_part_has_at_least_one_pixel():
    whole = read_own_picture(file_of(Image.fromarray(COLORS)))
    assert whole.cropped((0, 50), (34, 67)).rows.tolist() == [[[0, 255, 0]]]
    assert whole.cropped((100, 100), (0, 0)).rows.tolist() == [[[255, 255, 0]]]


OWN = OwnPicture(2, 3, COLORS.tobytes())


@pytest.mark.parametrize(("data_type", "full"), [("UINT8", 255), ("INT16", 255), ("FLOAT32", 1)])
def test_a_tensor_of_its_own_size_is_the_picture(data_type, full):
    found = OWN.draw((1, 3, 2, 3), data_type)
    due = COLORS.transpose(2, 0, 1)[None] / 255 * full
    assert found.dtype == np.dtype(data_type.lower())
    assert not found.flags.writeable
    np.testing.assert_allclose(found, due, rtol=1e-6)


def test_smaller_pixels_are_means_and_one_channel_is_brightness():
    assert OWN.draw((3, 1, 1), "UINT8").ravel().tolist() == [129, 131, 90]
    gray = OWN.draw((1, 1, 2, 3), "UINT8")
    assert gray.ravel().tolist() == [76, 150, 29, 226, 18, 255]
    assert OWN.draw((3,), "UINT8").tolist() == gray[0, 0, 1].tolist()
    assert OWN.draw((2, 2, 3, 4, 6), "FLOAT16").shape == (2, 2, 3, 4, 6)


def test_a_type_that_cannot_hold_it_is_refused():
    with pytest.raises(Error, match="INT8 ends at 127") as refused:
        OWN.draw((1, 3, 2, 3), "INT8")
    assert refused.value.field == "values"


def test_pixels_that_a_browser_has_decoded():
    pixels = bytes(range(18))
    picture = read_pixels(f"2,3,{b64encode(pixels).decode()}")
    assert (picture.height, picture.width, picture.pixels) == (2, 3, pixels)


@pytest.mark.parametrize(
    "text",
    ["", "2,3", "2,3,AAAA", "0,3,", "-1,3,AAAA", "1,1,????", "513,1," + "AAAA" * 513, "²,1,AAAA"],
)
def test_other_texts_are_no_picture(text):
    with pytest.raises(Error, match="picture: the file is damaged"):
        read_pixels(text)
