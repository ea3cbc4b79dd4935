"""Base path of the application on its server, for example behind a proxy."""

from __future__ import annotations

import streamlit as st

__all__ = ["prefix"]


def prefix() -> str:
    """Return the prefix of all paths of the application, "" or "/folder", from the setting `server.baseUrlPath`."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}" if base else ""
