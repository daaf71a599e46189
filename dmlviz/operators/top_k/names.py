"""What TopK is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.other_names import OtherName
from dmlviz.operators.teaching import Opening, opening
from dmlviz.operators.top_k.operator import TopK


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    # no two elements are equal: not all libraries define which comes first
    largest, first = _picked(2), _picked(1)
    smallest, ordered = _picked(2, "INCREASING"), _picked(4, "INCREASING")
    return (
        OtherName("ONNX TopK", largest),
        OtherName("np.sort", ordered, _NP_SORT, ("np.argsort",)),
        OtherName("np.argmax", first, _NP_ARGMAX, ("np.max",)),
        OtherName("torch.topk", largest, _TOPK.format("2, dim=1")),
        OtherName("torch.topk (largest=False)", smallest, _TOPK.format("2, dim=1, largest=False")),
        OtherName("torch.sort", ordered, _TOPK.replace("topk", "sort").format("dim=1")),
        OtherName("torch.argsort", ordered, _ARGSORT),
        OtherName("torch.max", first, _TOPK.replace("topk", "max").format("dim=1, keepdim=True")),
        OtherName("tf.math.top_k", largest, _TF_TOP_K, ("tf.nn.top_k",)),
        OtherName("tf.argsort", ordered, _TF_SORT, ("tf.sort",)),
    )


_NP_SORT = """indices = np.argsort(x, axis=1).astype(np.uint32)
y = [np.sort(x, axis=1), indices]"""
_NP_ARGMAX = """indices = np.argmax(x, axis=1, keepdims=True).astype(np.uint32)
y = [np.max(x, axis=1, keepdims=True), indices]"""
_TOPK = "values, indices = torch.topk(x, {})\ny = [values, indices.to(torch.uint32)]"
_ARGSORT = """indices = torch.argsort(x, dim=1)
y = [torch.gather(x, 1, indices), indices.to(torch.uint32)]"""
_TF_TOP_K = """values, indices = tf.math.top_k(x, k=2)
y = [values, tf.cast(indices, tf.uint32)]"""
_TF_SORT = """indices = tf.argsort(x, axis=1)
y = [tf.sort(x, axis=1), tf.cast(indices, tf.uint32)]"""


def _picked(k: int, direction: str = "DECREASING") -> Opening:
    literal = "3,9,1,7,8,2,6,4,5,10,12,11"
    return opening(TopK(1, k, direction), (3, 4), data_type="FLOAT32", literal=literal)
