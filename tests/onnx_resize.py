"""ONNX's evaluator of Resize, told to copy: its own weighs neighbours, and 0 times NaN is NaN.

Which elements it takes is still its own answer: each axis is asked with whole numbers.
"""

import numpy as np
from onnx.reference.ops.op_resize import Resize

_own = Resize._run


def _copied(self, X, roi, scales=None, sizes=None, mode=None, **attributes):
    if mode != "nearest" or scales is None:
        return _own(self, X, roi, scales, sizes, mode=mode, **attributes)
    places = []
    for n, scale in zip(X.shape, scales, strict=True):
        row = np.arange(n, dtype=np.float64)
        (found,) = _own(self, row, roi, scales=np.array([scale]), mode=mode, **attributes)
        places.append(found.astype(np.int64))
    return (X[np.ix_(*places)],)


def copying():
    """From here on it copies."""
    Resize._run = _copied
