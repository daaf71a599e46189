"""Pictures and arrays to download: PNG and SVG of a moment, GIF of the movement, NPZ, NPY."""

from __future__ import annotations

from dmlviz.drawing.svg import svg, tensors_svg
from dmlviz.exports.alone import tensor_svg
from dmlviz.exports.arrays import npy, npz
from dmlviz.exports.asked import Still, asked_svg, spoken, stills, svg_size
from dmlviz.exports.gif import gif
from dmlviz.exports.png import png

__all__ = [
    "Still",
    "asked_svg",
    "gif",
    "npy",
    "npz",
    "png",
    "spoken",
    "stills",
    "svg",
    "svg_size",
    "tensor_svg",
    "tensors_svg",
]
