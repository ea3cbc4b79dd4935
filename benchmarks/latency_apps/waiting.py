"""An app whose one page computes for ever, without a processor: what is measured is the asking alone."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import streamlit as st

from ui.server import application

app = st.App("waiting_page.py", routes=application.ROUTES, middleware=application.MIDDLEWARE)
