"""Input fields for the answers to an exercise; the kind of each part determines its field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.exercises.beside import heights
from ui.words import text
from ui.words.typeset import typeset

__all__ = ["ask"]

T = text.beside(__file__)


def ask(asked: Mapping[str, Any], key: str, figure: Mapping[str, Any]) -> Any:
    """Draw the input field of one part and return the entered value; ``figure`` maps controls of the figure to
    values.
    """
    match asked["kind"]:
        case "number":
            return st.text_input(_label(asked), key=key, autocomplete="off", max_chars=60)
        case "interval":
            ends = zip(st.columns(2), ("lower", "upper"), strict=True)
            return [
                column.text_input(
                    T(f"answer.{end}", label=_label(asked)), key=f"{key}.{end}", max_chars=60
                )
                for column, end in ends
            ]
        case "choice":
            options = asked["options"]
            return st.radio(
                _label(asked), list(options), format_func=lambda name: typeset(options[name]),
                index=None, key=key,
            )  # fmt: skip
        case "steps":
            return _order(asked, key)
        case "curve":
            st.markdown(T("answer.curve", label=_label(asked)))
            return heights(figure, len(asked["x"]))
    st.markdown(T("answer.in_figure", label=_label(asked)))
    return figure


def _order(asked: Mapping[str, Any], key: str) -> list[str]:
    steps = asked["steps"]
    st.markdown("\n".join(f"- **{letter}**: {typeset(step)}" for letter, step in steps.items()))
    return st.multiselect(
        T("answer.order", label=_label(asked)),
        list(steps),
        key=key,
        placeholder=T("answer.order_placeholder"),
    )


def _label(asked: Mapping[str, Any]) -> str:
    unit = f" ({asked['unit']})" if asked.get("unit") else ""
    return f"{asked['label']}{unit}"
