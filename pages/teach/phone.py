"""Preview of a lesson: a drawn phone whose screen shows the page that the class opens."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from ui.web import static_files
from ui.web.base_path import prefix
from ui.words import text

__all__ = ["link", "show"]

T = text.load_text(__file__)
_CSS = """
.dp-mobile {box-sizing: border-box; width: 100%; max-width: 25.4rem; height: min(43rem, 74vh); min-height: 26rem;
  margin: 0 auto; padding: 0.7rem 0.5rem; border-radius: 2rem; background: light-dark(#1c2030, #5b6478);
  outline: 1px solid color-mix(in srgb, currentColor 30%, transparent);
  box-shadow: 0 0.3rem 1.2rem rgb(0 0 0 / 25%);}
.dp-mobile iframe {display: block; width: 100%; height: 100%; border: 0; border-radius: 1.5rem; background: Canvas;}
"""
# The page is loaded when the phone comes into sight; another lesson takes its place without a step of "Back". The
# modules of the figures are loaded for what they repair of Streamlit's own elements.
_JS = """
export default function ({ data, parentElement }) {
  let frame = parentElement.querySelector("iframe");
  if (!frame) {
    const phone = document.createElement("div");
    phone.className = "dp-mobile";
    frame = document.createElement("iframe");
    frame.loading = "lazy";
    frame.src = data.src;
    frame.addEventListener("load", () => phone.classList.add("dp-shown"));
    phone.append(frame);
    parentElement.append(phone);
    import(new URL(data.modules, document.baseURI).href).then((live) => live.attend());
  } else if (frame.dataset.shown !== data.src) frame.contentWindow.location.replace(data.src);
  frame.dataset.shown = data.src;
  frame.title = data.title;
}
"""


@lru_cache(maxsize=1)
def _component() -> ComponentRenderer:
    return st.components.v2.component("dp_phone", css=_CSS, js=_JS, isolate_styles=False)


def link(code: str, base: str) -> str:
    """Return the link that a class opens.

    ``code`` is the lesson packed as a text, or its short key. ``base`` is the address of the application.
    """
    return f"{base}/handout/{code}"


def show(address: str) -> None:
    """Draw a phone that shows the page at this address."""
    modules = f"{prefix()}/app/static/{static_files.entry()}"
    _component()(
        key="teach_phone", data={"src": address, "title": T("phone.title"), "modules": modules}
    )
