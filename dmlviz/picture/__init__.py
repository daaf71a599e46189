"""A run as a picture: laid out, drawn at any moment, played, and written to files.

``scene`` lays all tensors of a run out as cells; ``board`` and its neighbors are one model of a
moment (cells, marks, words, flights); ``figure``, ``payload`` and ``page`` make the player of it,
with Plotly and the JavaScript in ``js/``; ``exports`` has the functions that write files.
"""
