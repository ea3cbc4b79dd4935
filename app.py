"""Entry point of DP Explorer: the server application, with the script that runs for every visit."""

import streamlit as st

from pages import PAGES, specs
from pages.handout import titles
from ui.embed.routes import routes as embedded
from ui.server import application

app = st.App(
    "pages/main.py",
    routes=[application.start(PAGES[0]), *application.ROUTES, *embedded(specs, titles)],
    middleware=application.MIDDLEWARE,
    lifespan=application.lifespan(specs),
)
