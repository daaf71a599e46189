"""Benchmarks, each measured in one run with what a user would write instead."""
