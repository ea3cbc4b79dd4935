"""Home: what does privacy cost, and what does it buy?"""

import streamlit as st

st.markdown("## DP Explorer")
