"""What OneHot is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.indices import INDICES
from dmlviz.operators.one_hot.operator import OneHot
from dmlviz.operators.other_names import OtherName
from dmlviz.operators.teaching import Input, Opening, opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    # DirectML's values are a tensor, PyTorch's and NumPy's are always 0 and 1
    plain, exact = _hot("0,1", "INT64"), _hot("0,1", "FLOAT64")
    return (
        OtherName("ONNX OneHot", plain),
        OtherName("np.eye", exact, "y = np.eye(5)[indices[:, 0]]", ("np.identity",)),
        OtherName("F.one_hot", plain, "y = F.one_hot(indices[:, 0], 5)", ("dummy variables",)),
        OtherName("tf.one_hot", _hot("3,8", "INT32"), _VALUES),
        OtherName("tf.keras.utils.to_categorical", exact, _CATEGORICAL),
    )


_VALUES = "y = tf.one_hot(indices[:, 0], 5, on_value=values[0, 1], off_value=values[0, 0])"
_CATEGORICAL = """y = tf.keras.utils.to_categorical(indices[:, 0].numpy(), 5)
y = y.astype("float64")"""


def _hot(values: str, data_type: str) -> Opening:
    more = {INDICES: Input((3, 1), data_type="INT64", literal="1,4,0")}
    return opening(OneHot(1, 5), (1, 2), data_type=data_type, literal=values, more=more)
