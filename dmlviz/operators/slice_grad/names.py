"""What SliceGrad is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.other_names import OtherName
from dmlviz.operators.slice_grad.operator import SliceGrad
from dmlviz.operators.teaching import opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    put = opening(SliceGrad((0, 1), (3, 5), (2, 2), (3, 7)), (2, 3), data_type="FLOAT32")
    columns = opening(SliceGrad((0, 1), (3, 5), (1, 2), (3, 7)), (3, 3), data_type="FLOAT32")
    return (
        OtherName("y[a:b:s] = x", put, _ASSIGNED, ("zero insertion",), "numpy"),
        OtherName("torch.slice_scatter", columns, _SCATTERED),
        OtherName("torch.autograd.grad", put, _GRADIENT, ("backward of a slice",)),
        OtherName("tf.raw_ops.StridedSliceGrad", put, _RAW, ("gradient of tf.strided_slice",)),
    )


_ASSIGNED = "y = np.zeros((3, 7), dtype=x.dtype)\ny[0:3:2, 1:6:2] = x"
_SCATTERED = "y = torch.slice_scatter(torch.zeros((3, 7)), x, dim=1, start=1, end=6, step=2)"
_GRADIENT = """z = torch.zeros((3, 7), requires_grad=True)
(y,) = torch.autograd.grad(z[0:3:2, 1:6:2], z, x)"""
_RAW = """begin, end = [0, 1], [3, 6]
y = tf.raw_ops.StridedSliceGrad(shape=[3, 7], begin=begin, end=end, strides=[2, 2], dy=x)"""
