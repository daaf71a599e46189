"""What Strided is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.other_names import OtherName
from dmlviz.operators.strided.operator import Strided
from dmlviz.operators.teaching import opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    # the input is memory: a call that takes a tensor gets it in that tensor's sizes
    turned = opening(Strided((3, 2), (1, 3)), (6,))
    last = opening(Strided((1, 2, 3, 2), (12, 3, 1, 6)), (12,))
    repeated = opening(Strided((4, 3), (0, 1)), (3,))
    windows = opening(Strided((5, 3), (1, 1)), (7,))
    slanted = opening(Strided((3,), (4,)), (9,))
    return (
        OtherName("ONNX Transpose", turned),
        OtherName("ONNX Expand", repeated),
        OtherName("np.transpose", turned, "y = np.transpose(x.reshape(2, 3))", ("x.T",)),
        OtherName("np.swapaxes", turned, "y = np.swapaxes(x.reshape(2, 3), 0, 1)"),
        OtherName("np.moveaxis", last, "y = np.moveaxis(x.reshape(1, 2, 2, 3), (1, 2), (3, 1))"),
        OtherName("np.broadcast_to", repeated, "y = np.broadcast_to(x, (4, 3))"),
        OtherName("np.lib.stride_tricks.as_strided", turned, _STRIDES),
        OtherName(
            "np.lib.stride_tricks.sliding_window_view",
            windows,
            "y = np.lib.stride_tricks.sliding_window_view(x, 3)",
        ),
        OtherName("np.diagonal", slanted, "y = np.diagonal(x.reshape(3, 3))"),
        OtherName("torch.permute", last, "y = torch.permute(x.reshape(1, 2, 2, 3), (0, 2, 3, 1))"),
        OtherName("torch.transpose", turned, "y = torch.transpose(x.reshape(2, 3), 0, 1)"),
        OtherName("torch.as_strided", turned, "y = torch.as_strided(x, (3, 2), (1, 3))"),
        OtherName("torch.Tensor.expand", repeated, "y = x.expand(4, 3)"),
        OtherName("torch.Tensor.unfold", windows, "y = x.unfold(0, 3, 1)"),
        OtherName("torch.diagonal", slanted, "y = torch.diagonal(x.reshape(3, 3))"),
        OtherName("tf.transpose", turned, "y = tf.transpose(tf.reshape(x, [2, 3]))"),
        OtherName("tf.broadcast_to", repeated, "y = tf.broadcast_to(x, [4, 3])"),
        OtherName("tf.signal.frame", windows, "y = tf.signal.frame(x, 3, 1)"),
        OtherName("tf.linalg.diag_part", slanted, "y = tf.linalg.diag_part(tf.reshape(x, [3, 3]))"),
        OtherName("einops.rearrange", turned, 'y = rearrange(x.reshape(2, 3), "h w -> w h")'),
    )


# NumPy counts in bytes
_STRIDES = """n = x.itemsize
y = np.lib.stride_tricks.as_strided(x, (3, 2), (n, 3 * n))"""
