"""What Gather is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.gather.operator import Gather
from dmlviz.operators.indices import INDICES
from dmlviz.operators.other_names import OtherName
from dmlviz.operators.teaching import Input, Opening, opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    # all tensors have the same rank in DirectML: a row of indices is a matrix with one row
    rows = _taken(Gather(0, 1), (5, 3), (1, 4), "2,0,2,4")
    columns = _taken(Gather(1, 1), (3, 5), (1, 2), "4,1")
    flat = _taken(Gather(0, 1), (7,), (4,), "5,0,5,6")
    table = _taken(Gather(0, 1), (5, 3), (1, 4), "2,0,2,4", "FLOAT32")
    return (
        OtherName("ONNX Gather", rows),
        OtherName("np.take", rows, "y = np.take(x, indices[0], axis=0)", ("jnp.take",)),
        OtherName("x[:, indices]", columns, "y = x[:, indices[0]]", ("fancy indexing",), "numpy"),
        OtherName("torch.index_select", rows, "y = torch.index_select(x, 0, indices[0])"),
        OtherName("torch.take", flat, "y = torch.take(x, indices)"),
        OtherName("F.embedding", table, "y = F.embedding(indices[0], x)", ("lookup table",)),
        OtherName(
            "nn.Embedding",
            table,
            "y = torch.nn.Embedding.from_pretrained(x)(indices[0])",
        ),
        OtherName("tf.gather", rows, "y = tf.gather(x, indices[0])"),
        OtherName("tf.nn.embedding_lookup", table, "y = tf.nn.embedding_lookup(x, indices[0])"),
    )


def _taken(
    operator: Gather,
    sizes: tuple[int, ...],
    indices: tuple[int, ...],
    literal: str,
    data_type: str = "INT32",
) -> Opening:
    more = {INDICES: Input(indices, data_type="INT64", literal=literal)}
    return opening(operator, sizes, data_type=data_type, more=more)
