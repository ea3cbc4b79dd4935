"""Home: what does privacy cost, and what does it buy?"""

import streamlit as st

from ui import house

house.enter()
st.markdown("## DP Explorer")
