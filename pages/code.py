"""The page for a line of NumPy, PyTorch or einops."""

from dmlviz.app.code_page import code_page

code_page()
