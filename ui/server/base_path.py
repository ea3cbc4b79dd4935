"""Base path of the app on its server, for example behind a proxy."""

from __future__ import annotations

import streamlit as st

__all__ = ["prefix"]


def prefix() -> str:
    """Return the prefix of every path of the app: "" or "/folder", from `server.baseUrlPath`."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}" if base else ""
