"""The DP Explorer: page registry, and the server that Streamlit starts around it."""

import streamlit as st

from ui import house, server

PAGES = {
    "home": "Home",
    "mechanisms": "Mechanisms",
    "budget": "Budget",
    "descent": "Gradient descent",
    "relevance": "Relevance learning",
    "matrix": "Relevance matrix",
    "regression": "Linear regression",
    "autoencoder": "Autoencoder",
    "kahm": "Affine hulls",
}


def main() -> None:
    """Run the page that is asked for."""
    st.set_page_config(page_title="DP Explorer", page_icon="assets/icon.svg", layout="wide")
    house.open_once()
    pages = [
        st.Page(f"pages/{name}.py", title=title, url_path=name, default=name == "home")
        for name, title in PAGES.items()
    ]
    house.frame(st.navigation(pages, position="top"))


if __name__ == "__main__":  # Streamlit runs this file for every visit ...
    main()
else:  # ... and imports it once, as the server
    app = st.App(__file__, middleware=server.MIDDLEWARE, lifespan=server.lifespan)
