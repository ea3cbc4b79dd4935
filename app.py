"""The DP Explorer: the server around the script that runs for every visit."""

import streamlit as st

from pages import PAGES, specs
from pages.handout import titles
from ui import server
from ui.embed.routes import routes as embedded

app = st.App(
    "pages/main.py",
    routes=[server.start(PAGES[0]), *server.ROUTES, *embedded(specs, titles)],
    middleware=server.MIDDLEWARE,
    lifespan=server.lifespan(specs),
)
