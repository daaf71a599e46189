"""What SpaceToDepth is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.other_names import OtherName
from dmlviz.operators.space_to_depth.operator import SpaceToDepth
from dmlviz.operators.teaching import opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    # both orders: PyTorch has one, TensorFlow the other
    depth_first = opening(SpaceToDepth(2), (1, 2, 4, 6), data_type="FLOAT32")
    rows_first = opening(SpaceToDepth(2, "COLUMN_ROW_DEPTH"), (1, 2, 4, 6), data_type="FLOAT32")
    return (
        OtherName("ONNX SpaceToDepth", depth_first),
        OtherName(
            "F.pixel_unshuffle",
            rows_first,
            "y = F.pixel_unshuffle(x, 2)",
            ("torch.pixel_unshuffle",),
        ),
        OtherName("nn.PixelUnshuffle", rows_first, "y = torch.nn.PixelUnshuffle(2)(x)"),
        OtherName("tf.nn.space_to_depth", depth_first),
        OtherName("tf.image.extract_patches", depth_first, _PATCHES),
        OtherName("einops.rearrange", depth_first),
    )


_PATCHES = """last, block = tf.transpose(x, [0, 2, 3, 1]), [1, 2, 2, 1]
y = tf.image.extract_patches(last, block, block, [1, 1, 1, 1], "VALID")
y = tf.transpose(y, [0, 3, 1, 2])"""
