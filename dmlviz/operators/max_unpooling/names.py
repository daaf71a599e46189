"""What MaxUnpooling is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.indices import INDICES
from dmlviz.operators.max_unpooling.operator import MaxUnpooling
from dmlviz.operators.other_names import OtherName
from dmlviz.operators.teaching import Input, opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    # PyTorch counts from 0 again in each plane: the indices are the same for one plane
    more = {INDICES: Input((1, 1, 2, 2), data_type="UINT32", literal="5,7,12,10")}
    put = opening(
        MaxUnpooling((1, 1, 4, 4)),
        (1, 1, 2, 2),
        data_type="FLOAT32",
        literal="6,8,9,7",
        more=more,
    )
    return (
        OtherName("ONNX MaxUnpool", put),
        OtherName("np.put", put, "y = np.zeros((1, 1, 4, 4), x.dtype)\nnp.put(y, indices, x)"),
        OtherName("F.max_unpool2d", put, "y = F.max_unpool2d(x, indices.to(torch.int64), 2)"),
        OtherName("nn.MaxUnpool2d", put, "y = torch.nn.MaxUnpool2d(2)(x, indices.to(torch.int64))"),
        OtherName("tf.scatter_nd", put, _FLAT),
    )


_FLAT = """places = tf.reshape(tf.cast(indices, tf.int64), [-1, 1])
y = tf.reshape(tf.scatter_nd(places, tf.reshape(x, [-1]), [16]), [1, 1, 4, 4])"""
