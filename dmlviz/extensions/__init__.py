"""Playing movements in the documentation of any project, made when it is built.

Nothing here is imported by the rest of dmlviz, and each module only by the tool it is for.
"""
