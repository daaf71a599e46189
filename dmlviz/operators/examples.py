"""The examples of DirectML's documentation."""

from dmlviz.operators.base import Example

__all__ = ["Example"]
