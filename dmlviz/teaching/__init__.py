"""What teaches; modules use those of the lines before theirs.

- ``facts`` fill in the placeholders of texts, and ``claims`` check them; ``files`` reads texts.
- ``presets`` and ``code_presets``: useful states, each with one question.
- ``answers`` and ``answer_inputs``, ``questions``, ``misread``, ``subjects``; ``predict``: what
  Predict first asks; ``plain`` words; ``kinds``: one module a kind of question; ``practice``:
  questions from a seed.
- ``lessons``, ``posed`` for a class, ``runs``; ``exercises`` and ``worksheets`` for paper.
- ``glossary``; ``names`` of operators and their ``search``.
"""
