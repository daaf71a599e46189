"""TensorFlow's movements of images: ``tf.image``, and blocks of pixels as channels.

Source of the rules: TensorFlow 2.21, whose answers the tests hold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.code import rules
from dmlviz.code.arguments import as_tensor, ints, number, one_int
from dmlviz.code.builder import Builder
from dmlviz.code.library import Function
from dmlviz.code.refusals import CodeRefused, computes_values
from dmlviz.code.tensor import Tensor, control


def _of_images(move: Callable[..., Tensor]) -> Function:
    """A movement of channels, height and width, for both orders in which images have them."""

    def moved(
        b: Builder, input: Any, block_size: Any, data_format: Any = "NHWC", name: Any = None
    ) -> Tensor:
        x, block = as_tensor(b, input), one_int(b, block_size)
        if x.rank != 4 or data_format not in ("NHWC", "NCHW"):
            raise CodeRefused("sizes", _("An image needs 4 dimensions in the order NHWC or NCHW."))
        if data_format == "NCHW":
            return move(b, x, block, depth_first=False)
        made = move(b, b.transpose(x, (0, 3, 1, 2)), block, depth_first=False)
        return b.transpose(made, (0, 2, 3, 1))

    return moved


def _image(b: Builder, image: Any) -> Tensor:
    x = as_tensor(b, image)
    if x.rank not in (3, 4):
        raise CodeRefused(
            "sizes",
            _("An image has 3 dimensions, and a batch of images 4, not {rank}.").format(
                rank=x.rank
            ),
        )
    return x


def _flip_left_right(b: Builder, image: Any) -> Tensor:
    return b.flip(_image(b, image), [-2])


def _flip_up_down(b: Builder, image: Any) -> Tensor:
    return b.flip(_image(b, image), [-3])


def _rot90(b: Builder, image: Any, k: Any = 1, name: Any = None) -> Tensor:
    return rules.rotated(b, _image(b, image), k, (-3, -2))


def _transpose_image(b: Builder, image: Any, name: Any = None) -> Tensor:
    return rules.swapped(b, _image(b, image), -3, -2)


def _central_crop(b: Builder, image: Any, central_fraction: Any) -> Tensor:
    x, part = _image(b, image), number(central_fraction)
    if not 0 < part <= 1:
        raise CodeRefused("argument", _("central_fraction must be above 0 and at most 1."))
    parts = []
    for d in (x.rank - 3, x.rank - 2):
        n = x.sizes[d]
        start = int((n - n * part) / 2)
        parts.append((d, start, n - start, 1))
    return b.slice(x, parts)


def _crop_to_bounding_box(
    b: Builder,
    image: Any,
    offset_height: Any,
    offset_width: Any,
    target_height: Any,
    target_width: Any,
) -> Tensor:
    x = _image(b, image)
    x = rules.narrowed(b, x, x.rank - 3, offset_height, target_height)
    return rules.narrowed(b, x, x.rank - 2, offset_width, target_width)


def _pad_to_bounding_box(
    b: Builder,
    image: Any,
    offset_height: Any,
    offset_width: Any,
    target_height: Any,
    target_width: Any,
) -> Tensor:
    x = _image(b, image)
    before, after = [0] * x.rank, [0] * x.rank
    for d, offset, target in (
        (x.rank - 3, one_int(b, offset_height), one_int(b, target_height)),
        (x.rank - 2, one_int(b, offset_width), one_int(b, target_width)),
    ):
        before[d], after[d] = offset, target - offset - x.sizes[d]
        if offset < 0 or after[d] < 0:
            raise CodeRefused(
                "sizes",
                _("Size {size} from {offset} on does not fit {target}.").format(
                    size=x.sizes[d], offset=offset, target=target
                ),
            )
    return b.pad(x, before, after)


def _resize_with_crop_or_pad(
    b: Builder, image: Any, target_height: Any, target_width: Any
) -> Tensor:
    x = _image(b, image)
    before, after = [0] * x.rank, [0] * x.rank
    for d, target in (
        (x.rank - 3, one_int(b, target_height)),
        (x.rank - 2, one_int(b, target_width)),
    ):
        more = target - x.sizes[d]
        # cropping and padding leave the odd element at the end
        before[d] = more // 2 if more > 0 else -(-more // 2)
        after[d] = more - before[d]
    return b.pad(x, before, after)


def _resize(
    b: Builder,
    images: Any,
    size: Any,
    method: Any = "bilinear",
    preserve_aspect_ratio: Any = False,
    antialias: Any = False,
    name: Any = None,
) -> Tensor:
    if method != "nearest":
        raise computes_values()
    if preserve_aspect_ratio:
        raise CodeRefused("argument", _("preserve_aspect_ratio is not read; write the sizes."))
    x, due = _image(b, images), rules.pair(b, size)
    b.check((*x.sizes[:-3], *due, x.sizes[-1]))
    for d, new in zip((x.rank - 3, x.rank - 2), due, strict=True):
        n = x.sizes[d]
        scale = np.float32(n) / np.float32(new)
        # it counts in float32
        places = np.floor((np.arange(new, dtype=np.float32) + np.float32(0.5)) * scale)
        x = b.gather(x, d, control(np.minimum(places.astype(np.int64), n - 1)))
    return x


def _extract_patches(
    b: Builder, images: Any, sizes: Any, strides: Any, rates: Any, padding: Any, name: Any = None
) -> Tensor:
    x = rules.batch_of_images(b, images)
    kernel, steps, apart = (_middle(b, of) for of in (sizes, strides, rates))
    if padding not in ("SAME", "VALID"):
        raise CodeRefused("argument", _("padding must be SAME or VALID."))
    return windows_of_images(b, x, kernel, steps, apart, padding == "SAME")


def windows_of_images(
    b: Builder,
    x: Tensor,
    kernel: tuple[int, int],
    steps: tuple[int, int],
    apart: tuple[int, int],
    same: bool,
) -> Tensor:
    """Windows of images: rows, columns, and the elements of a window one after the other.

    Args:
        b: the builder.
        x: images, channels last.
        kernel, steps, apart: rows and columns of a window, from one to the next, and from one
            element to the next.
        same: whether zeros around the images make a window begin at every step.
    """
    reach = [(k - 1) * rate + 1 for k, rate in zip(kernel, apart, strict=True)]
    before, after = [0] * 4, [0] * 4
    for d, (window, step) in enumerate(zip(reach, steps, strict=True), start=1) if same else ():
        wide = max(0, (-(-x.sizes[d] // step) - 1) * step + window - x.sizes[d])
        before[d], after[d] = wide // 2, wide - wide // 2
    x = b.pad(x, before, after)
    for d, (k, step, rate) in enumerate(zip(kernel, steps, apart, strict=True)):
        axis, n = 1 + 2 * d, x.sizes[1 + 2 * d]
        count = (n - reach[d]) // step + 1
        if count < 1:
            raise CodeRefused("sizes", _("The window is larger than the image."))
        b.check((*x.sizes[:axis], count, k, *x.sizes[axis + 1 :]))
        places = np.arange(count)[:, None] * step + np.arange(k) * rate
        x = b.gather(x, axis, control(places))
    x = b.transpose(x, (0, 1, 3, 2, 4, 5))
    return b.reshape(x, (*x.sizes[:3], -1))


def _middle(b: Builder, numbers: Any) -> tuple[int, int]:
    """Height and width of four numbers that begin and end with 1."""
    lengths = ints(b, numbers)
    if len(lengths) != 4 or (lengths[0], lengths[3]) != (1, 1) or min(lengths) < 1:
        raise CodeRefused("argument", _("There must be four numbers, [1, rows, columns, 1]."))
    return lengths[1], lengths[2]


FUNCTIONS: dict[str, Function] = {
    "tensorflow.nn.depth_to_space": _of_images(rules.depth_to_pixels),
    "tensorflow.nn.space_to_depth": _of_images(rules.pixels_to_depth),
    "tensorflow.image.flip_left_right": _flip_left_right,
    "tensorflow.image.flip_up_down": _flip_up_down,
    "tensorflow.image.rot90": _rot90,
    "tensorflow.image.transpose": _transpose_image,
    "tensorflow.image.central_crop": _central_crop,
    "tensorflow.image.crop_to_bounding_box": _crop_to_bounding_box,
    "tensorflow.image.pad_to_bounding_box": _pad_to_bounding_box,
    "tensorflow.image.resize_with_crop_or_pad": _resize_with_crop_or_pad,
    "tensorflow.image.resize": _resize,
    "tensorflow.image.extract_patches": _extract_patches,
}
