"""What Scatter is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.indices import INDICES, UPDATES
from dmlviz.operators.other_names import OtherName
from dmlviz.operators.scatter.operator import Scatter
from dmlviz.operators.teaching import Input, Opening, opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    # no place is named twice: none of the libraries defines which update wins
    put = _put(Scatter(1), (3, 4), (3, 2), "3,0,1,2,0,2", "101,102,103,104,105,106")
    flat = _put(Scatter(0), (7,), (3,), "5,0,2", "101,102,103")
    # the same index throughout a row: whole rows are overwritten
    rows = _put(Scatter(0), (4, 3), (2, 3), "3,3,3,1,1,1", "101,102,103,104,105,106")
    return (
        OtherName("ONNX ScatterElements", put),
        OtherName("np.put_along_axis", put, _AXIS, ("jnp.put_along_axis",)),
        OtherName("np.put", flat, "y = x.copy()\nnp.put(y, indices, updates)"),
        OtherName("torch.scatter", put, "y = torch.scatter(x, 1, indices, updates)"),
        OtherName("torch.Tensor.scatter_", put, "y = x.clone().scatter_(1, indices, updates)"),
        OtherName("torch.Tensor.put_", flat, "y = x.clone().put_(indices, updates)"),
        OtherName("torch.index_copy", rows, "y = torch.index_copy(x, 0, indices[:, 0], updates)"),
        OtherName("tf.tensor_scatter_nd_update", flat, _UPDATED),
    )


_AXIS = "y = x.copy()\nnp.put_along_axis(y, indices, updates, axis=1)"
_UPDATED = "y = tf.tensor_scatter_nd_update(x, indices[:, None], updates)"


def _put(
    operator: Scatter,
    sizes: tuple[int, ...],
    updated: tuple[int, ...],
    indices: str,
    updates: str,
) -> Opening:
    more = {
        INDICES: Input(updated, data_type="INT64", literal=indices),
        UPDATES: Input(updated, literal=updates),
    }
    return opening(operator, sizes, more=more)
