"""Addresses of the app's pages: read, write and compare them, and report problems.

A link is untrusted text: it is read in bounded time, its valid parameters are kept, and every
invalid one gets a message.
"""

from dmlviz.addresses.history import History
from dmlviz.addresses.link import PRESENT, Parameters, content_parameters, split_link, write_link
from dmlviz.addresses.reading import LANGUAGE, MOST_LINK, SOURCE, Reading

__all__ = ["LANGUAGE", "MOST_LINK", "PRESENT", "SOURCE", "History", "Parameters", "Reading"]
__all__ += ["content_parameters", "split_link", "write_link"]
