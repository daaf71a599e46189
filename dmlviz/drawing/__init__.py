"""One model of a moment: cells, marks, words and flights, from which player and files are made."""
