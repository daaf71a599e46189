"""Figures of speed, each beside what a user would write instead, in one run."""
