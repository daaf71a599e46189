"""What Resample is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.other_names import OtherName
from dmlviz.operators.resample.operator import Resample
from dmlviz.operators.teaching import opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    # a whole scale: each element becomes a block, under any rule
    doubled = opening(_whole((1, 1, 2, 2)), (1, 1, 2, 3), data_type="FLOAT32")
    plane = opening(_whole((2, 2)), (2, 3), data_type="FLOAT32")
    # PyTorch has two rules: from the start of each pixel, and from its center
    starts = opening(_whole((1, 1, 1.5)), (1, 1, 4), data_type="FLOAT32")
    centres = opening(
        Resample("DECREASING", (1, 1, 1.5), (0,) * 3, (-0.5,) * 3), (1, 1, 4), data_type="FLOAT32"
    )
    return (
        OtherName("ONNX Resize", doubled, "", ("ONNX Upsample",)),
        OtherName("np.repeat", plane, "y = np.repeat(np.repeat(x, 2, axis=0), 2, axis=1)"),
        OtherName("np.kron", plane, "y = np.kron(x, np.ones((2, 2), x.dtype))"),
        OtherName("F.interpolate", starts, 'y = F.interpolate(x, size=6, mode="nearest")'),
        OtherName(
            "F.interpolate (nearest-exact)",
            centres,
            'y = F.interpolate(x, size=6, mode="nearest-exact")',
        ),
        OtherName("nn.Upsample", doubled, "y = torch.nn.Upsample(scale_factor=2)(x)"),
        OtherName(
            "nn.UpsamplingNearest2d",
            doubled,
            "y = torch.nn.UpsamplingNearest2d(scale_factor=2)(x)",
        ),
        OtherName(
            "torch.repeat_interleave",
            plane,
            "y = x.repeat_interleave(2, dim=0).repeat_interleave(2, dim=1)",
        ),
        OtherName("tf.image.resize", doubled, _RESIZED),
        OtherName("tf.keras.layers.UpSampling2D", doubled, _LAYER),
        OtherName("tf.repeat", plane, "y = tf.repeat(tf.repeat(x, 2, axis=0), 2, axis=1)"),
        OtherName("einops.repeat", plane, 'y = repeat(x, "h w -> (h a) (w b)", a=2, b=2)'),
    )


_RESIZED = """last = tf.transpose(x, [0, 2, 3, 1])
y = tf.transpose(tf.image.resize(last, [4, 6], method="nearest"), [0, 3, 1, 2])"""
_LAYER = """last = tf.transpose(x, [0, 2, 3, 1])
y = tf.transpose(tf.keras.layers.UpSampling2D(2)(last), [0, 3, 1, 2])"""


def _whole(scales: tuple[float, ...]) -> Resample:
    none = (0,) * len(scales)
    return Resample("DECREASING", scales, none, none)
