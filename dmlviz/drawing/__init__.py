"""One model of a moment: cells, marks, words and moves, used by the player and by files."""
