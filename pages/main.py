"""Script that Streamlit runs for every visit: navigation, and the requested page."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages import specs, with_first_figures
from ui.frame import shell
from ui.frame.page_spec import declare

_ICON = Path(__file__).resolve().parents[1] / "assets" / "icon.svg"


def main() -> None:
    """Run the requested page inside the common frame."""
    st.set_page_config(
        page_title="DP Explorer", page_icon=str(_ICON), layout="wide", menu_items=shell.menu()
    )
    shell.warm_up(with_first_figures)
    declare(specs())
    groups: dict[str, list[st.Page]] = {}
    for place, spec in enumerate(specs()):
        entry = st.Page(
            shell.script(spec.key), title=spec.title, url_path=spec.key, default=place == 0
        )
        groups.setdefault(spec.group, []).append(entry)
    page = st.navigation(groups, position="top")
    st.set_page_config(page_title=f"{page.title} · DP Explorer")
    shell.frame(page, keys=[spec.key for spec in specs()])


if __name__ == "__main__":
    main()
