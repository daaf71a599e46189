"""What GatherElements is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.gather_elements.operator import GatherElements
from dmlviz.operators.indices import INDICES
from dmlviz.operators.other_names import OtherName
from dmlviz.operators.teaching import Input, opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    more = {INDICES: Input((3, 2), data_type="INT64", literal="3,0,1,1,0,2")}
    picked = opening(GatherElements(1), (3, 4), more=more)
    return (
        OtherName("ONNX GatherElements", picked),
        OtherName(
            "np.take_along_axis",
            picked,
            "y = np.take_along_axis(x, indices, axis=1)",
            ("jnp.take_along_axis",),
        ),
        OtherName("torch.gather", picked, "y = torch.gather(x, 1, indices)"),
        OtherName("torch.take_along_dim", picked, "y = torch.take_along_dim(x, indices, dim=1)"),
        OtherName(
            "tf.gather (batch_dims)", picked, "y = tf.gather(x, indices, axis=1, batch_dims=1)"
        ),
        OtherName("tf.experimental.numpy.take_along_axis", picked, _IMITATED),
    )


_IMITATED = "y = tf.experimental.numpy.take_along_axis(x, indices, axis=1)"
