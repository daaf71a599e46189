"""What an interaction costs at least: one widget and an empty chart."""

import plotly.graph_objects as go
import streamlit as st

st.number_input("n", 0, 1_000_000, key="n")
st.plotly_chart(go.Figure(), key="chart")
