"""What Padding is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.other_names import OtherName
from dmlviz.operators.padding.operator import Padding
from dmlviz.operators.teaching import Opening, opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    constant = _padded("CONSTANT", 9)
    zeros = _padded("CONSTANT", 0)
    mirrored, copied = _padded("REFLECTION"), _padded("EDGE")
    symmetric, wrapped = _padded("SYMMETRIC"), _padded("WRAP")
    return (
        OtherName("ONNX Pad", constant),
        OtherName("ONNX Pad (reflect)", mirrored),
        OtherName("ONNX Pad (edge)", copied),
        OtherName("np.pad", constant, f"y = np.pad(x, {_PAIRS}, constant_values=9)"),
        OtherName("np.pad (reflect)", mirrored, f'y = np.pad(x, {_PAIRS}, mode="reflect")'),
        OtherName("np.pad (symmetric)", symmetric, f'y = np.pad(x, {_PAIRS}, mode="symmetric")'),
        OtherName("np.pad (edge)", copied, f'y = np.pad(x, {_PAIRS}, mode="edge")'),
        OtherName("np.pad (wrap)", wrapped, f'y = np.pad(x, {_PAIRS}, mode="wrap")'),
        OtherName("F.pad", constant, "y = F.pad(x, (2, 0, 1, 2), value=9)"),
        OtherName("F.pad (reflect)", mirrored, 'y = F.pad(x, (2, 0, 1, 2), mode="reflect")'),
        OtherName("F.pad (replicate)", copied, 'y = F.pad(x, (2, 0, 1, 2), mode="replicate")'),
        OtherName("F.pad (circular)", wrapped, 'y = F.pad(x, (2, 0, 1, 2), mode="circular")'),
        OtherName("nn.ConstantPad2d", constant, "y = torch.nn.ConstantPad2d((2, 0, 1, 2), 9)(x)"),
        OtherName("nn.ZeroPad2d", zeros, "y = torch.nn.ZeroPad2d((2, 0, 1, 2))(x)"),
        OtherName("nn.ReflectionPad2d", mirrored, "y = torch.nn.ReflectionPad2d((2, 0, 1, 2))(x)"),
        OtherName("nn.ReplicationPad2d", copied, "y = torch.nn.ReplicationPad2d((2, 0, 1, 2))(x)"),
        OtherName("nn.CircularPad2d", wrapped, "y = torch.nn.CircularPad2d((2, 0, 1, 2))(x)"),
        OtherName("tf.pad", constant, f"y = tf.pad(x, {_PAIRS}, constant_values=9)"),
        OtherName("tf.pad (REFLECT)", mirrored, f'y = tf.pad(x, {_PAIRS}, mode="REFLECT")'),
        OtherName("tf.pad (SYMMETRIC)", symmetric, f'y = tf.pad(x, {_PAIRS}, mode="SYMMETRIC")'),
        OtherName("tf.keras.layers.ZeroPadding2D", zeros, _LAYER),
    )


_START, _END = (0, 0, 1, 2), (0, 0, 2, 0)
_PAIRS = "[[0, 0], [0, 0], [1, 2], [2, 0]]"
_LAYER = """layer = tf.keras.layers.ZeroPadding2D(((1, 2), (2, 0)))
y = tf.transpose(layer(tf.transpose(x, [0, 2, 3, 1])), [0, 3, 1, 2])"""


def _padded(mode: str, value: float = 0) -> Opening:
    operator = Padding(mode, _START, _END, value)
    return opening(operator, (1, 1, 3, 3), data_type="FLOAT32")
