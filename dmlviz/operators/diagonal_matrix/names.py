"""What DiagonalMatrix is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.diagonal_matrix.operator import DiagonalMatrix
from dmlviz.operators.other_names import OtherName
from dmlviz.operators.teaching import opening

_LEAST, _MOST = -(2**31), 2**31 - 1


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    # libraries name the diagonals to keep; DirectML names the diagonals to fill
    upper = opening(DiagonalMatrix(0, _LEAST, 0), (4, 5), data_type="FLOAT32")
    lower = opening(DiagonalMatrix(0, 1, _MOST), (4, 5), data_type="FLOAT32")
    band = opening(DiagonalMatrix(0, 2, -1), (4, 5), data_type="FLOAT32")
    main = opening(DiagonalMatrix(7, 0, 1), (4, 4), data_type="FLOAT32")
    masked = opening(DiagonalMatrix(-1000, 1, _MOST), (4, 4), data_type="FLOAT32")
    return (
        OtherName("ONNX Trilu", upper),
        OtherName("np.triu", upper, "y = np.triu(x)"),
        OtherName("np.tril", lower, "y = np.tril(x)"),
        OtherName("np.fill_diagonal", main, "y = x.copy()\nnp.fill_diagonal(y, 7)"),
        OtherName("torch.triu", upper, "y = torch.triu(x)"),
        OtherName("torch.tril", lower, "y = torch.tril(x)"),
        OtherName("torch.Tensor.fill_diagonal_", main, "y = x.clone().fill_diagonal_(7)"),
        OtherName("torch.Tensor.masked_fill", masked, _MASKED, ("causal mask",)),
        OtherName("tf.linalg.band_part", band, "y = tf.linalg.band_part(x, 1, 1)"),
        OtherName("tf.linalg.set_diag", main, "y = tf.linalg.set_diag(x, tf.fill([4], 7.0))"),
    )


_MASKED = """later = torch.ones((4, 4), dtype=torch.bool).triu(1)
y = x.masked_fill(later, -1000)"""
