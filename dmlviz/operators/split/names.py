"""What Split is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.other_names import OtherName
from dmlviz.operators.split.operator import Split
from dmlviz.operators.teaching import opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    parts = opening(Split(1, (2, 1, 4)), (2, 7))
    columns, rows = opening(Split(1, (3, 3)), (2, 6)), opening(Split(0, (2, 2)), (4, 3))
    # libraries differ if it cannot be cut into equal parts
    uneven, rest = opening(Split(1, (3, 2, 2)), (2, 7)), opening(Split(1, (3, 3, 1)), (2, 7))
    return (
        OtherName("ONNX Split", parts),
        OtherName("np.split", parts, "y = np.split(x, [2, 3], axis=1)"),
        OtherName("np.array_split", uneven, "y = np.array_split(x, 3, axis=1)"),
        OtherName("np.hsplit", columns, "y = np.hsplit(x, 2)"),
        OtherName("np.vsplit", rows, "y = np.vsplit(x, 2)"),
        OtherName("torch.split", parts, "y = torch.split(x, [2, 1, 4], dim=1)"),
        OtherName("torch.chunk", rest, "y = torch.chunk(x, 3, dim=1)"),
        OtherName("torch.tensor_split", uneven, "y = torch.tensor_split(x, 3, dim=1)"),
        OtherName("torch.hsplit", columns, "y = torch.hsplit(x, 2)"),
        OtherName("torch.vsplit", rows, "y = torch.vsplit(x, 2)"),
        OtherName("tf.split", parts, "y = tf.split(x, [2, 1, 4], axis=1)"),
        OtherName("einops.unpack", parts, 'y = unpack(x, [(2,), (1,), (4,)], "h *")'),
    )
