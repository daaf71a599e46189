"""A live class: polls, rounds and votes, their store, and the routes that telephones speak to.

From pure values outward: ``polls``, ``phases``, ``tally`` and ``report`` know nothing of a
database; ``store`` says what one must do, and ``tables``, ``database``, ``statements``,
``reads``, ``writer`` and ``sql`` do it; ``hub`` and ``watch`` tell whoever listens; ``routes``
is what a browser meets, and its docstring is the interface for pages.  Nothing here imports
Streamlit.
"""
