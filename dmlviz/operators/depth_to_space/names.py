"""What DepthToSpace is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.depth_to_space.operator import DepthToSpace
from dmlviz.operators.other_names import OtherName
from dmlviz.operators.teaching import opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    # both orders: PyTorch has one, TensorFlow the other
    depth_first = opening(DepthToSpace(2), (1, 8, 2, 3), data_type="FLOAT32")
    rows_first = opening(DepthToSpace(2, "COLUMN_ROW_DEPTH"), (1, 8, 2, 3), data_type="FLOAT32")
    return (
        OtherName("ONNX DepthToSpace", depth_first),
        OtherName(
            "F.pixel_shuffle",
            rows_first,
            "y = F.pixel_shuffle(x, 2)",
            ("torch.pixel_shuffle", "sub-pixel convolution"),
        ),
        OtherName("nn.PixelShuffle", rows_first, "y = torch.nn.PixelShuffle(2)(x)"),
        OtherName("tf.nn.depth_to_space", depth_first),
        OtherName("einops.rearrange", depth_first),
    )
