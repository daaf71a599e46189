"""What GatherND is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.gather_nd.operator import GatherND
from dmlviz.operators.indices import INDICES
from dmlviz.operators.other_names import OtherName
from dmlviz.operators.teaching import Input, Opening, opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    # all ranks are equal in DirectML: a row of elements is a matrix of one row
    picked = _picked(GatherND(2, 2, 0), (3, 4), (3, 2), "2,1,0,3,1,0")
    batched = _picked(GatherND(2, 2, 1), (3, 4), (3, 1), "2,0,1")
    return (
        OtherName("ONNX GatherND", picked),
        OtherName(
            "x[i, j]",
            picked,
            "y = x[indices[:, 0], indices[:, 1]][None]",
            ("x[rows, columns]",),
            "numpy",
        ),
        OtherName("tf.gather_nd", picked, "y = tf.gather_nd(x, indices)[None]"),
        OtherName(
            "tf.gather_nd (batch_dims)",
            batched,
            "y = tf.gather_nd(x, indices, batch_dims=1)[None]",
        ),
    )


def _picked(
    operator: GatherND, sizes: tuple[int, ...], indices: tuple[int, ...], literal: str
) -> Opening:
    more = {INDICES: Input(indices, data_type="INT64", literal=literal)}
    return opening(operator, sizes, more=more)
