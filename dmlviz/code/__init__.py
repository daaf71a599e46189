"""Your own code: a line of NumPy, PyTorch or another library as a chain of movements.

:func:`code` reads a text and runs it; :func:`read` only reads it. :func:`read_model` reads the
parts of an ONNX model that only move elements.
"""

from __future__ import annotations

from dmlviz.base.errors import Place
from dmlviz.code.address import code_parameters
from dmlviz.code.calling import code
from dmlviz.code.chain import Chain, Operation, read
from dmlviz.code.code_parts import CodePart, Computing
from dmlviz.code.comparing import Comparison, compared
from dmlviz.code.libraries import LIBRARIES, library_of
from dmlviz.code.model import Model, ModelPart, read_model
from dmlviz.code.model_walk import Refusal
from dmlviz.code.refusals import KINDS, CodeRefused
from dmlviz.code.running import ChainTrace, CodeStep, run_chain, run_code
from dmlviz.code.same import Same, same_as, same_as_run, same_movement, same_names

__all__ = [
    "KINDS",
    "LIBRARIES",
    "Chain",
    "ChainTrace",
    "CodePart",
    "CodeRefused",
    "CodeStep",
    "Comparison",
    "Computing",
    "Model",
    "ModelPart",
    "Operation",
    "Place",
    "Refusal",
    "Same",
    "code",
    "code_parameters",
    "compared",
    "library_of",
    "read",
    "read_model",
    "run_chain",
    "run_code",
    "same_as",
    "same_as_run",
    "same_movement",
    "same_names",
]
