"""Pictures and arrays to download: PNG and SVG of a moment, GIF of the movement, NPZ, NPY."""

from __future__ import annotations

from dmlviz.picture.alone import tensor_svg
from dmlviz.picture.arrays import npy, npz
from dmlviz.picture.asked import Still, image_address, inputs_svg, spoken, stills, svg_size
from dmlviz.picture.gif import gif
from dmlviz.picture.png import png
from dmlviz.picture.svg import svg, tensors_svg

__all__ = [
    "Still",
    "gif",
    "image_address",
    "inputs_svg",
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
