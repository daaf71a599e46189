"""Finding one's way: every name that an operator goes by, and a search among them."""

from dmlviz.finding.names import DIRECTML, Name, names
from dmlviz.finding.search import LONGEST, MOST, find, matching

__all__ = ["DIRECTML", "LONGEST", "MOST", "Name", "find", "matching", "names"]
