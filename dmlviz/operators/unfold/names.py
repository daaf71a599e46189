"""What Unfold is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.other_names import OtherName
from dmlviz.operators.teaching import opening
from dmlviz.operators.unfold.operator import Unfold


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    ones, none = (1, 1), (0, 0)
    slid = opening(Unfold((2, 2), ones, ones, none, none), (1, 2, 3, 4), data_type="FLOAT32")
    # one channel: then only the place in the window orders the rows
    plane = opening(Unfold((2, 2), (1, 2), ones, none, none), (1, 1, 3, 6), data_type="FLOAT32")
    row = opening(Unfold((3,), (1,), (1,), (0,), (0,)), (1, 1, 7))
    blocks = opening(Unfold((2, 2), (2, 2), ones, none, none), (1, 2, 4, 6))
    return (
        OtherName("np.lib.stride_tricks.sliding_window_view", row, _VIEW),
        OtherName("F.unfold", slid, "y = F.unfold(x, 2)", ("im2col",)),
        OtherName("nn.Unfold", slid, "y = torch.nn.Unfold(2)(x)", ("im2col",)),
        OtherName("torch.Tensor.unfold", row, "y = x[0, 0].unfold(0, 3, 1).T[None]"),
        OtherName("tf.image.extract_patches", plane, _PATCHES),
        OtherName("einops.rearrange", blocks, _BLOCKS, ("patchify",)),
    )


_VIEW = "y = np.lib.stride_tricks.sliding_window_view(x[0, 0], 3).T[None]"
_PATCHES = """last, window = tf.transpose(x, [0, 2, 3, 1]), [1, 2, 2, 1]
y = tf.image.extract_patches(last, window, [1, 1, 2, 1], [1, 1, 1, 1], "VALID")
y = tf.reshape(tf.transpose(y, [0, 3, 1, 2]), [1, 4, 6])"""
_BLOCKS = 'y = rearrange(x, "n c (h a) (w b) -> n (c a b) (h w)", a=2, b=2)'
