"""Where an answer is given: a field for each part, by its kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.exercises.beside import heights

__all__ = ["ask"]


def ask(asked: Mapping[str, Any], key: str, figure: Mapping[str, Any]) -> Any:
    """Draw the field of one part and return what stands in it; ``figure`` holds the values of its controls."""
    match asked["kind"]:
        case "number":
            return st.text_input(_label(asked), key=key, autocomplete="off", max_chars=60)
        case "interval":
            left, right = st.columns(2)
            ends = [
                column.text_input(f"{_label(asked)}: {end} end", key=f"{key}.{end}", max_chars=60)
                for column, end in ((left, "lower"), (right, "upper"))
            ]
            return ends
        case "choice":
            options = asked["options"]
            return st.radio(
                _label(asked), list(options), format_func=options.get, index=None, key=key
            )
        case "steps":
            return _order(asked, key)
        case "curve":
            st.markdown(f"**{_label(asked)}**: drag its points in the figure, or use the sliders.")
            return heights(figure, len(asked["x"]))
    st.markdown(f"**{_label(asked)}** in the figure, then check.")
    return figure


def _order(asked: Mapping[str, Any], key: str) -> list[str]:
    steps = asked["steps"]
    st.markdown("\n".join(f"- **{letter}**: {text}" for letter, text in steps.items()))
    return st.multiselect(
        f"{_label(asked)} (choose the letters in order)",
        list(steps),
        key=key,
        placeholder="First step, second step, …",
    )


def _label(asked: Mapping[str, Any]) -> str:
    unit = f" ({asked['unit']})" if asked.get("unit") else ""
    return f"{asked['label']}{unit}"
