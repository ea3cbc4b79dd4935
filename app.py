"""The DP Explorer: page registry and nothing else."""

import streamlit as st

from ui import house

st.set_page_config(page_title="DP Explorer", page_icon="assets/icon.svg", layout="wide")
house.open_once()

PAGES = [
    st.Page("pages/home.py", title="Home", url_path="home", default=True),
    st.Page("pages/mechanisms.py", title="Mechanisms", url_path="mechanisms"),
    st.Page("pages/budget.py", title="Budget", url_path="budget"),
    st.Page("pages/descent.py", title="Gradient descent", url_path="descent"),
    st.Page("pages/relevance.py", title="Relevance learning", url_path="relevance"),
    st.Page("pages/matrix.py", title="Relevance matrix", url_path="matrix"),
    st.Page("pages/regression.py", title="Linear regression", url_path="regression"),
    st.Page("pages/autoencoder.py", title="Autoencoder", url_path="autoencoder"),
    st.Page("pages/kahm.py", title="Affine hulls", url_path="kahm"),
]

house.frame(st.navigation(PAGES, position="top"))
