"""Input fields in which a student answers the parts of an exercise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.exercises.beside import heights
from ui.words import text
from ui.words.typeset import typeset

__all__ = ["ask"]

T = text.load_text(__file__)


def ask(part: Mapping[str, Any], key: str, figure: Mapping[str, Any]) -> Any:
    """Draw the input field for one part of an exercise; return the value that the student has entered.

    The kind of the part, such as "number" or "choice", determines the field. ``figure`` has the values of the
    figure's controls. If the part has no field, these values are the answer.
    """
    match part["kind"]:
        case "number":
            return st.text_input(_label(part), key=key, autocomplete="off", max_chars=60)
        case "interval":
            ends = zip(st.columns(2), ("lower", "upper"), strict=True)
            return [
                column.text_input(
                    T(f"answer.{end}", label=_label(part)), key=f"{key}.{end}", max_chars=60
                )
                for column, end in ends
            ]
        case "choice":
            options = part["options"]
            return st.radio(
                _label(part), list(options), format_func=lambda name: typeset(options[name]),
                index=None, key=key,
            )  # fmt: skip
        case "steps":
            return _order(part, key)
        case "curve":
            st.markdown(T("answer.curve", label=_label(part)))
            return heights(figure, len(part["x"]))
    st.markdown(T("answer.in_figure", label=_label(part)))
    return figure


def _order(part: Mapping[str, Any], key: str) -> list[str]:
    steps = part["steps"]
    st.markdown("\n".join(f"- **{letter}**: {typeset(step)}" for letter, step in steps.items()))
    return st.multiselect(
        T("answer.order", label=_label(part)),
        list(steps),
        key=key,
        placeholder=T("answer.order_placeholder"),
    )


def _label(part: Mapping[str, Any]) -> str:
    unit = f" ({part['unit']})" if part.get("unit") else ""
    return f"{part['label']}{unit}"
