"""Where the app lies on its server: behind a proxy it may have a folder of its own."""

from __future__ import annotations

import streamlit as st

__all__ = ["prefix"]


def prefix() -> str:
    """Return what stands before every path of the app: "" or "/folder", as `server.baseUrlPath` says."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}" if base else ""
