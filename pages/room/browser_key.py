"""Component with which a lecturer's browser stores the key of a room in a cookie."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from ui.classroom import lecturer_key
from ui.web.base_path import prefix
from ui.words import text

__all__ = ["forget", "keep"]

T = text.load_text(__file__)
# Streamlit's own messages set no cookies: the browser asks a route of the server for it, and whether it was kept.
_JS = """
export default function ({ data, parentElement }) {
  const wanted = `${data.code} ${data.key}`;
  if (parentElement.dpKey === wanted) return;
  parentElement.dpKey = wanted;
  const path = new URL(data.path, document.baseURI);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ code: data.code, key: data.key });
  fetch(path, { method: "POST", headers, body })
    .then(() => (data.key ? fetch(`${path}/${data.code}`).then((answer) => answer.json()) : { kept: true }))
    .catch(() => ({ kept: false }))
    .then(({ kept }) => {
      const said = parentElement.querySelector("p") ?? document.createElement("p");
      said.textContent = kept ? "" : data.refused;
      said.role = "status";
      parentElement.append(said);
    });
}
"""
_CSS = "p {font-size: 0.9rem; margin: 0;}"


@lru_cache(maxsize=1)
def _component() -> ComponentRenderer:
    return st.components.v2.component("dp_lecturer_key", css=_CSS, js=_JS)


def keep(code: str, key: str) -> None:
    """Let the lecturer's browser store the key of a room in a cookie; display a message if the browser refuses."""
    if lecturer_key.key_of(st.context.cookies, code) != key:
        _draw(code, key)


def forget(code: str) -> None:
    """Let the lecturer's browser delete the key of a closed room."""
    if lecturer_key.key_of(st.context.cookies, code) or code in st.session_state.get(
        "room.told", ()
    ):
        _draw(code, "")


def _draw(code: str, key: str) -> None:
    st.session_state.setdefault("room.told", set()).add(code)
    data = {
        "code": code,
        "key": key,
        "path": f"{prefix()}{lecturer_key.PATH}",
        "refused": T("lecturer.not_kept") if key else "",
    }
    _component()(key="room_key", data=data)
