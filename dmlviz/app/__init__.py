"""Everything that imports Streamlit, apart from app.py and pages/."""

from dmlviz.base.extras import extra

# before any module of this folder
with extra("app"):
    import streamlit  # noqa: F401
