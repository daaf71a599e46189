"""Python itself, read on sizes: statements, functions, classes and numbers; nothing is executed.

Nothing here knows a tensor: :class:`dmlviz.code.reader.CodeReader` adds tensors and libraries.
"""
