"""Unguessable tokens of users' own tables, for cache keys and URLs."""

from __future__ import annotations

import secrets

import streamlit as st

__all__ = ["PREFIX", "is_there", "token"]

PREFIX = "own_"  # begins the name of everything in a session that is a person's own


def is_there() -> bool:
    """Return whether this session contains a user's own data."""
    return any(
        str(key).startswith(PREFIX) and st.session_state.get(key) is not None
        for key in list(st.session_state)
    )


def token(key: str) -> str:
    """Return the token of the table in ``session_state[key]``, for use in the cache keys of its results.

    Every table has its own token. A memory address is no token, since it may be reused after the table is freed.

    Raises
    ------
    ValueError
        When the key does not begin with `PREFIX`. Data under other keys are not treated as private.
    """
    if not key.startswith(PREFIX):
        raise ValueError(f"key={key!r}: keys of a person's own data begin with {PREFIX!r}.")
    data = st.session_state.get(key)
    entry = st.session_state.get(f"{key}_token")
    if entry is None or entry[0] is not data:
        entry = st.session_state[f"{key}_token"] = (data, secrets.token_hex(16))
    return entry[1]
