"""Your own code: a line of NumPy, PyTorch, TensorFlow, JAX or einops as a chain of movements.

:func:`code` reads a text and runs it; :func:`read` only reads it.
"""

from __future__ import annotations

from dmlviz.code.address import code_parameters, code_tensors
from dmlviz.code.chain import Chain, Operation, read
from dmlviz.code.libraries import LIBRARIES, library_of
from dmlviz.code.refusals import KINDS, CodeRefused, Place
from dmlviz.code.running import ChainTrace, CodeStep, code, run_chain, run_code
from dmlviz.code.same import Same, same_as, same_movement

__all__ = [
    "KINDS",
    "LIBRARIES",
    "Chain",
    "ChainTrace",
    "CodeRefused",
    "CodeStep",
    "Operation",
    "Place",
    "Same",
    "code",
    "code_parameters",
    "code_tensors",
    "library_of",
    "read",
    "run_chain",
    "run_code",
    "same_as",
    "same_movement",
]
