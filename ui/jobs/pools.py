"""Pools of background jobs: one for all sessions, and one of each session for a user's own data."""

from __future__ import annotations

import streamlit as st

from ui.jobs.pool import Jobs

__all__ = ["own_jobs", "shared_jobs"]


@st.cache_resource(show_spinner=False)
def shared_jobs() -> Jobs:
    """Return the pool of background jobs shared by all sessions, for public data only."""
    return Jobs()


def own_jobs() -> Jobs:
    """Return the pool of background jobs of this session, for a user's own data."""
    if "own_jobs" not in st.session_state:
        st.session_state["own_jobs"] = Jobs(workers=1, max_bytes=64 * 2**20)
    own: Jobs = st.session_state["own_jobs"]
    return own
