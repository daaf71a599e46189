"""A live class: polls, rounds and votes, their store, and the routes that phones use.

``polls``, ``phases``, ``tally`` and ``report`` are pure and use no database. ``store`` has all
reads and writes; ``tables``, ``database`` and ``writer`` are below it. ``hub`` and ``watch`` notify
listeners. ``routes`` serves browsers, and its docstring documents the interface for pages. Nothing
here imports Streamlit.
"""

from dmlviz.base.extras import extra

# before any module of this folder; what else they need takes longer to import
with extra("app"):
    import starlette  # noqa: F401
