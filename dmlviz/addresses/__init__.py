"""Addresses of the app's pages: read, written, told apart, and what is wrong in one.

A link is text from outside: it is read in bounded time, its good parameters are kept, and every
bad one gets a sentence.
"""

from dmlviz.addresses.history import History
from dmlviz.addresses.link import PRESENT, Parameters, seen, split_link, write_link
from dmlviz.addresses.reading import LANGUAGE, MOST_LINK, SOURCE, Reading

__all__ = ["LANGUAGE", "MOST_LINK", "PRESENT", "SOURCE", "History", "Parameters", "Reading"]
__all__ += ["seen", "split_link", "write_link"]
