"""What ReverseSubsequences is called elsewhere."""

from __future__ import annotations

from dmlviz.operators.other_names import OtherName
from dmlviz.operators.reverse_subsequences.operator import ReverseSubsequences
from dmlviz.operators.reverse_subsequences.turning import LENGTHS
from dmlviz.operators.teaching import Input, opening


def names() -> tuple[OtherName, ...]:
    """The names, with a state for each."""
    # ONNX and TensorFlow have one length for each row of a batch, as a matrix has here
    more = {LENGTHS: Input((3, 1), data_type="UINT32", literal="4,1,3")}
    turned = opening(ReverseSubsequences(1), (3, 5), more=more)
    return (
        OtherName("ONNX ReverseSequence", turned),
        OtherName("tf.reverse_sequence", turned, _TURNED),
    )


_TURNED = """lengths = tf.cast(sequencelengths[:, 0], tf.int32)
y = tf.reverse_sequence(x, lengths, seq_axis=1, batch_axis=0)"""
