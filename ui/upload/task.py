"""Choice between classification and regression for a user's table with a numeric target."""

from __future__ import annotations

import streamlit as st

from dpcore.datasets import Table
from ui.upload.form import TableForm, place_of
from ui.words import escape, text

__all__ = ["ask_task"]

T = text.load_text(__file__)
_TASKS = T.group("task.options")


def ask_task(form: TableForm, table: Table, at: int) -> bool:
    """Ask whether a numeric target is a class or a number.

    Return whether the question has been answered.
    """
    draft = form.draft
    if draft.target not in table.numeric:
        form.keep(task="classification", is_chosen=True)
        return True
    st.radio(
        T("task.question", target=escape.plain(draft.target)), list(_TASKS),
        index=place_of(_TASKS, draft.task if draft.is_chosen else None),
        format_func=_TASKS.__getitem__,
        key=form.asks(
            f"task_{at}", lambda draft, task: {"task": task or draft.task, "is_chosen": bool(task)}
        ),
        help=T("task.help"),
    )  # fmt: skip
    form.take()
    return form.draft.is_chosen
