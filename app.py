"""The DP Explorer: the server around the script that runs for every visit."""

import streamlit as st

from ui import server

app = st.App("pages/main.py", middleware=server.MIDDLEWARE, lifespan=server.lifespan)
