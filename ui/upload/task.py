"""Whether a person's own table is about a class or about a number: numbers may stand for either."""

from __future__ import annotations

import streamlit as st

from dpcore.datasets import Table
from ui.upload.form import Asked, place_of
from ui.words import escape

__all__ = ["OFFERED", "WHAT", "told"]

_TASKS = {
    "classification": "Names of classes: right or wrong",
    "regression": "A number: the closer, the better",
}
WHAT = {"classification": "class", "regression": "number", "either": "class or number"}
OFFERED = {
    "either": "Columns with 2 to {} different values can be a class, columns of numbers a number.",
    "classification": "Columns with 2 to {} different values can be a class.",
    "regression": "Columns of numbers can be predicted.",
}


def told(asked: Asked, table: Table, at: int) -> bool:
    """Ask whether a column of numbers is a class or a number; return whether that is known."""
    draft = asked.draft
    if draft.target not in table.numeric:
        asked.keep(task="classification", told=True)
        return True
    st.radio(
        f"{escape.plain(draft.target)} holds numbers. What are they?", list(_TASKS),
        index=place_of(_TASKS, draft.task if draft.told else None),
        format_func=_TASKS.__getitem__,
        key=asked.asks(
            f"task_{at}", lambda draft, task: {"task": task or draft.task, "told": bool(task)}
        ),
        help="With a number the result is off by so much; with a class it is right or wrong.",
    )  # fmt: skip
    asked.take()
    return asked.draft.told
