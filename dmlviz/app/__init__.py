"""Everything that imports Streamlit, apart from app.py and pages/."""
