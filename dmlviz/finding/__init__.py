"""Finding operators: every name of each operator, and a search among the names."""

from dmlviz.finding.compositions import Composition, compositions
from dmlviz.finding.names import DIRECTML, Name, names
from dmlviz.finding.search import LONGEST, MOST, Answer, answers, matching

__all__ = [
    "DIRECTML",
    "LONGEST",
    "MOST",
    "Answer",
    "Composition",
    "Name",
    "answers",
    "compositions",
    "matching",
    "names",
]
