"""Choice between classification and regression for a user's table, made by the user if the target is numeric."""

from __future__ import annotations

import streamlit as st

from dpcore.datasets import Table
from ui.upload.form import Asked, place_of
from ui.words import escape, text

__all__ = ["ask_task"]

T = text.beside(__file__)
_TASKS = T.group("task.options")


def ask_task(form: Asked, table: Table, at: int) -> bool:
    """Draw the question whether a numeric target is a class or a number; return whether it has been answered."""
    draft = form.draft
    if draft.target not in table.numeric:
        form.keep(task="classification", told=True)
        return True
    st.radio(
        T("task.question", target=escape.plain(draft.target)), list(_TASKS),
        index=place_of(_TASKS, draft.task if draft.told else None),
        format_func=_TASKS.__getitem__,
        key=form.asks(
            f"task_{at}", lambda draft, task: {"task": task or draft.task, "told": bool(task)}
        ),
        help=T("task.help"),
    )  # fmt: skip
    form.take()
    return form.draft.told
