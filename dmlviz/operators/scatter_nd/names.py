"""What ScatterND is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.indices import INDICES, UPDATES
from dmlviz.operators.other_names import OtherName
from dmlviz.operators.scatter_nd.operator import ScatterND
from dmlviz.operators.teaching import Input, Opening, opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    # no place is named twice: none of the libraries defines which update wins
    put = _put("1,2,3,4,5,6,7,8,9,10,11,12")
    zeros = _put(",".join("0" * 12))
    return (
        OtherName("ONNX ScatterND", put),
        OtherName("x[i, j] = updates", put, _ASSIGNED, (), "numpy"),
        OtherName("torch.index_put", put, _PUT, ("torch.Tensor.index_put_",)),
        OtherName("tf.tensor_scatter_nd_update", put, _UPDATED),
        OtherName("tf.scatter_nd", zeros, "y = tf.scatter_nd(indices, updates[0], [3, 4])"),
    )


_ASSIGNED = "y = x.copy()\ny[indices[:, 0], indices[:, 1]] = updates[0]"
_PUT = "y = torch.index_put(x, (indices[:, 0], indices[:, 1]), updates[0])"
_UPDATED = "y = tf.tensor_scatter_nd_update(x, indices, updates[0])"


def _put(literal: str) -> Opening:
    more = {
        INDICES: Input((2, 2), data_type="INT64", literal="2,0,0,3"),
        UPDATES: Input((1, 2), literal="101,102"),
    }
    return opening(ScatterND(2, 2), (3, 4), literal=literal, more=more)
