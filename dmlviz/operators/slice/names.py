"""What Slice is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.other_names import OtherName
from dmlviz.operators.slice.operator import Slice
from dmlviz.operators.teaching import opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    stepped = opening(Slice((0, 1), (3, 5), (1, 2)), (3, 7))
    window = opening(Slice((1, 2), (2, 3), (1, 1)), (3, 7))
    columns = opening(Slice((0, 2), (3, 3), (1, 1)), (3, 7))
    # a negative stride begins at the window's last element
    across = opening(Slice((0, 0), (3, 4), (1, -1)), (3, 4))
    down = opening(Slice((0, 0), (3, 4), (-1, 1)), (3, 4))
    return (
        OtherName("ONNX Slice", stepped),
        OtherName(
            "x[a:b:s]", stepped, "y = x[0:3, 1:6:2]", ("indexing", "start:stop:step"), "numpy"
        ),
        OtherName("np.flip", across, "y = np.flip(x, axis=1)", ("x[::-1]",)),
        OtherName("np.fliplr", across, "y = np.fliplr(x)"),
        OtherName("np.flipud", down, "y = np.flipud(x)"),
        OtherName("torch.narrow", columns, "y = torch.narrow(x, 1, 2, 3)"),
        OtherName("torch.flip", across, "y = torch.flip(x, [1])"),
        OtherName("torch.fliplr", across, "y = torch.fliplr(x)"),
        OtherName("torch.flipud", down, "y = torch.flipud(x)"),
        OtherName("tf.slice", window, "y = tf.slice(x, [1, 2], [2, 3])"),
        OtherName("tf.strided_slice", stepped, "y = tf.strided_slice(x, [0, 1], [3, 6], [1, 2])"),
        OtherName("tf.reverse", across, "y = tf.reverse(x, [1])"),
    )
