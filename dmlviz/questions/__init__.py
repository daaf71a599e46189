"""Questions about operators, made from their descriptions; the same seed gives the same ones.

>>> question = ask(7, 1, operator="tile", kind="sizes")
>>> question.choices[question.right].text in question.explanation
True
"""

from __future__ import annotations

from dmlviz.questions.asked import Asked, read_asked
from dmlviz.questions.asking import MOST_NUMBER, MOST_SEED, ask
from dmlviz.questions.question import KINDS, LEVELS, Choice, Question

__all__ = ["KINDS", "LEVELS", "MOST_NUMBER", "MOST_SEED", "Asked", "Choice", "Question"]
__all__ += ["ask", "read_asked"]
