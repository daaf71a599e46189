"""Starts dmlviz: ``streamlit run app.py``.

Streamlit's server imports this file once, to find the app with its routes; then it runs it
as a script for every interaction.
"""

import streamlit as st

if __name__ == "__main__":
    from dmlviz.ui.navigation import navigate

    navigate()
else:
    from dmlviz.engines import contain
    from dmlviz.ui.classes import lifespan
    from dmlviz.ui.headers import middleware
    from dmlviz.ui.server import routes
    from dmlviz.ui.uploads import bounded

    contain()
    layers = [*middleware(), *bounded()]
    app = st.App(__file__, routes=routes(), middleware=layers, lifespan=lifespan)
