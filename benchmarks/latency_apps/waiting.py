"""Application with one page whose computation waits and uses no processor time, so that only polling costs time."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import streamlit as st

from ui.server import application

app = st.App("waiting_page.py", routes=application.ROUTES, middleware=application.MIDDLEWARE)
