"""Streamlit page with one st.plotly_chart and no code of this project, for comparison."""

import plotly.graph_objects as go
import streamlit as st

st.set_page_config(layout="wide")
st.plotly_chart(go.Figure(go.Scatter(x=list(range(100)), y=[x**0.5 for x in range(100)])))
