"""An operator that nobody knows, for the tests to drop into a copy of the project."""
