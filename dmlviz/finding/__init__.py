"""Finding operators: every name of each operator, and a search among the names."""

from dmlviz.finding.names import DIRECTML, Name, names
from dmlviz.finding.search import LONGEST, MOST, find, matching

__all__ = ["DIRECTML", "LONGEST", "MOST", "Name", "find", "matching", "names"]
