"""Entry point of DP Explorer, which defines the server application ``app``.

The server runs the script ``pages/main.py`` for every visit.
"""

import streamlit as st
from starlette.middleware import Middleware

from pages import PAGES, specs, with_first_figures
from pages.handout import titles
from ui.embed.routes import routes as embedded
from ui.server import application
from ui.share.link_preview import LinkPreview
from ui.share.routes import routes as shared

app = st.App(
    "pages/main.py",
    routes=[
        application.start(PAGES[0]),
        *application.ROUTES,
        *embedded(specs, titles),
        *shared(specs),
    ],
    middleware=[*application.MIDDLEWARE, Middleware(LinkPreview, pages=specs)],
    lifespan=application.lifespan(with_first_figures),
)
