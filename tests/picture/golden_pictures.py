"""Small pictures that stand beside these tests, to compare new ones with.

After a change that is meant to be seen, ``python -m tests.picture.golden_pictures`` makes them
again; look at each of them before it is committed.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

import dmlviz
from dmlviz import tensors
from dmlviz.picture import exports
from dmlviz.picture.coloring import Mode
from dmlviz.picture.scene import Scene
from tests import several

_PIXELS = re.compile('data:image/png;base64,[^"]+')
FOLDER = Path(__file__).parent / "golden"


def _scene(operator: dmlviz.Operator, x: np.ndarray) -> Scene:
    return dmlviz.scene(dmlviz.run(operator, x))


def tile() -> Scene:
    """Planes with titles and indices; every number its own."""
    return _scene(dmlviz.Tile((1, 2, 1, 2)), np.arange(1, 7, dtype=np.int32).reshape(1, 1, 2, 3))


def depth_to_space() -> Scene:
    """Flights from eight planes, long and short, up and down."""
    x = np.arange(16, dtype=np.int16).reshape(1, 8, 1, 2)
    return _scene(dmlviz.DepthToSpace(2, "COLUMN_ROW_DEPTH"), x)


def padding() -> Scene:
    """Padding values, NaN, and an element that differs."""
    # an infinity would be written in whatever font of this machine has its sign
    x = np.array([[np.nan, 1.5, -0.25], [7, 1e-5, 65536]], np.float32)
    made = _scene(dmlviz.Padding("CONSTANT", (1, 2), (0, 1), 9), x)
    return replace(made, trace=replace(made.trace, differences={"OutputTensor": np.array([9])}))


def mirror() -> Scene:
    """Elements that are passed on from place to place in the output."""
    return _scene(dmlviz.Padding("REFLECTION", (0, 2), (0, 5)), np.array([[1, 2, 3]], np.uint8))


def small() -> Scene:
    """Cells too small for numbers, with NaN and padding values."""
    x = np.where(np.arange(54) % 5, np.arange(54), np.nan).reshape(6, 9)
    return _scene(dmlviz.Padding("CONSTANT", (1, 1), (1, 8), 40), x)


def picked() -> Scene:
    """Two inputs, one of which chooses, and has no colour."""
    return dmlviz.scene(several.picked((1, 3, 4), (2, 0, 2), 1))


def chained() -> Scene:
    """Two inputs that travel, of different sizes."""
    return dmlviz.scene(several.chained((1, 2, 2), (1, 1, 2), axis=1))


def cut() -> Scene:
    """Three outputs."""
    return dmlviz.scene(several.cut((1, 2, 6), (1, 3, 2), axis=2))


def planes() -> Scene:
    """A picture in tinted planes, with padding, and with what they compose to."""
    x = tensors.draw("sailboat", (1, 3, 6, 6), "UINT8")
    return _scene(dmlviz.Padding("CONSTANT", (0, 0, 0, 1), (0, 0, 0, 0), 60), x)


MOMENTS: dict[str, tuple[Callable[[], Scene], float | None, bool, int]] = {
    "tile-rest": (tile, 1, False, 480),
    "tile-narrow": (tile, 1.6, True, 300),
    "depth-to-space-flight": (depth_to_space, 1.45, False, 480),
    "padding-flight": (padding, 0.5, False, 400),
    "padding-grows": (padding, 1.6, False, 400),
    "padding-end": (padding, None, True, 400),
    "mirror-passes-on": (mirror, 2.5, False, 480),
    "mirror-rest": (mirror, 2, True, 480),
    "small-flight": (small, 0.4, False, 240),
    "small-end": (small, None, True, 240),
    "picked-flight": (picked, 1.5, False, 480),
    "picked-rest": (picked, 1, True, 480),
    "chained-flight": (chained, 1.4, False, 480),
    "cut-flight": (cut, 1.4, True, 400),
    "planes-flight": (planes, 0.6, False, 480),
    "planes-end": (planes, None, True, 480),
}
"""What is drawn: a scene, how far it has come, whether it is dark, how wide it is."""

FILMS: dict[str, tuple[Callable[[], Scene], bool]] = {
    "padding": (padding, False),
    "mirror": (mirror, True),
    "picked": (picked, False),
    "planes": (planes, True),
}

ALONE = {
    "alone-planes": (np.arange(12, dtype=np.int32).reshape(1, 2, 2, 3), False),
    "alone-row": (np.array([0.5, -1e20, np.nan], np.float32), True),
}


def colors_of(name: str) -> Mode:
    """What colors show."""
    return "planes" if name.startswith("planes") else "value"


def svg_of(name: str) -> str:
    """One moment as text, an element a line, so that changes are seen in a diff."""
    if name in ALONE:
        values, dark = ALONE[name]
        text = exports.tensor_svg(values, "Input", dark=dark, width=300)
    else:
        make, step, dark, width = MOMENTS[name]
        text = exports.svg(make(), step, dark=dark, width=width, colors=colors_of(name))
        # how pixels are compressed is not what is compared
        text = _PIXELS.sub("data:image/png", text)
    return text.replace("><", ">\n<") + "\n"


def png_of(name: str) -> bytes:
    """One moment as pixels."""
    make, step, dark, width = MOMENTS[name]
    return exports.png(make(), step, dark=dark, width=width, colors=colors_of(name))


def gif_of(name: str) -> bytes:
    """A movement, with some moments of every flight."""
    make, dark = FILMS[name]
    return exports.gif(make(), dark=dark, width=300, frames_per_second=5, colors=colors_of(name))


def main() -> None:
    """Make all of them again."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for name in (*MOMENTS, *ALONE):
        (FOLDER / f"{name}.svg").write_text(svg_of(name), encoding="utf-8", newline="\n")
    for name in MOMENTS:
        with Image.open(io.BytesIO(png_of(name))) as image:
            # 255 colours are near enough, and a third of the size
            image.quantize(255).save(FOLDER / f"{name}.png", optimize=True)
    for name in FILMS:
        (FOLDER / f"{name}.gif").write_bytes(gif_of(name))


if __name__ == "__main__":
    main()
