"""What Tile is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.other_names import OtherName
from dmlviz.operators.teaching import opening
from dmlviz.operators.tile.operator import Tile


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    tiled = opening(Tile((2, 3)), (2, 3))
    # with a dimension of size 1, repeating the whole equals repeating each element
    row, column = opening(Tile((4, 1)), (1, 3)), opening(Tile((1, 2)), (3, 1))
    return (
        OtherName("ONNX Tile", tiled),
        OtherName("np.tile", tiled, "y = np.tile(x, (2, 3))", ("repmat",)),
        OtherName("np.broadcast_to", row, "y = np.broadcast_to(x, (4, 3))"),
        OtherName("np.repeat", column, "y = np.repeat(x, 2, axis=1)"),
        OtherName("torch.tile", tiled, "y = torch.tile(x, (2, 3))"),
        OtherName("torch.Tensor.repeat", tiled, "y = x.repeat(2, 3)"),
        OtherName("torch.Tensor.expand", row, "y = x.expand(4, 3)"),
        OtherName("torch.broadcast_to", row, "y = torch.broadcast_to(x, (4, 3))"),
        OtherName("torch.repeat_interleave", column, "y = torch.repeat_interleave(x, 2, dim=1)"),
        OtherName("tf.tile", tiled, "y = tf.tile(x, [2, 3])"),
        OtherName("tf.broadcast_to", row, "y = tf.broadcast_to(x, [4, 3])"),
        OtherName("tf.repeat", column, "y = tf.repeat(x, 2, axis=1)"),
        OtherName("einops.repeat", tiled, 'y = repeat(x, "h w -> (rh h) (rw w)", rh=2, rw=3)'),
    )
