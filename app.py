"""Starts dmlviz: ``streamlit run app.py``.

Streamlit's server imports this file once, to find the app with its routes; then it runs it
as a script for every interaction.
"""

import streamlit as st

if __name__ == "__main__":
    from dmlviz.app.navigation import navigate

    navigate()
else:
    from dmlviz.base.importing import import_much

    # these take the rest
    import_much("dmlviz.app.headers")
    from dmlviz.app.headers import middleware
    from dmlviz.app.server import lifespan, routes
    from dmlviz.app.uploads import bounded
    from dmlviz.engines import contain

    contain()
    layers = [*middleware(), *bounded()]
    app = st.App(__file__, routes=routes(), middleware=layers, lifespan=lifespan)
