"""What Join is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.join.operator import Join
from dmlviz.operators.other_names import OtherName
from dmlviz.operators.teaching import Input, Opening, opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    rows, columns = _joined(Join(0), (1, 3), (2, 3)), _joined(Join(1), (2, 3), (2, 2))
    # stacking first adds a dimension of size 1; in DirectML the inputs already have it
    stacked = _joined(Join(0), (1, 2, 3), (1, 2, 3))
    return (
        OtherName("ONNX Concat", columns),
        OtherName(
            "np.concatenate", columns, "y = np.concatenate([x0, x1], axis=1)", ("np.concat",)
        ),
        OtherName("np.append", columns, "y = np.append(x0, x1, axis=1)"),
        OtherName("np.hstack", columns, "y = np.hstack([x0, x1])"),
        OtherName("np.vstack", rows, "y = np.vstack([x0, x1])"),
        OtherName("np.stack", stacked, "y = np.stack([x0[0], x1[0]])"),
        OtherName(
            "torch.cat",
            columns,
            "y = torch.cat([x0, x1], dim=1)",
            ("torch.concat", "torch.concatenate"),
        ),
        OtherName("torch.hstack", columns, "y = torch.hstack([x0, x1])"),
        OtherName("torch.vstack", rows, "y = torch.vstack([x0, x1])"),
        OtherName("torch.stack", stacked, "y = torch.stack([x0[0], x1[0]])"),
        OtherName("tf.concat", columns, "y = tf.concat([x0, x1], axis=1)"),
        OtherName("tf.stack", stacked, "y = tf.stack([x0[0], x1[0]])"),
        OtherName(
            "tf.keras.layers.Concatenate",
            columns,
            "y = tf.keras.layers.Concatenate(axis=1)([x0, x1])",
        ),
        OtherName("einops.pack", columns, 'y, sizes = pack([x0, x1], "h *")'),
    )


def _joined(operator: Join, first: tuple[int, ...], second: tuple[int, ...]) -> Opening:
    return opening(operator, first, more={"InputTensors[1]": Input(second, "count-on")})
