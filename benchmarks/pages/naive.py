"""The movement of Tile as one would write it with Plotly Express: a frame for each step."""

import numpy as np
import plotly.express as px
import streamlit as st

side = st.number_input("side", 1, 128, 8, key="side")
repeats = st.number_input("repeats", 1, 9, 2, key="repeats")
x = np.arange(side * side, dtype=np.int32).reshape(side, side)
output = np.tile(x, (1, repeats)).astype(float)
column = np.arange(output.shape[1])
landed = [np.where(column < k * side, output, np.nan) for k in range(1, repeats + 1)]
st.plotly_chart(px.imshow(np.stack(landed), animation_frame=0, text_auto=True), key="chart")
