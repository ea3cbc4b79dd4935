"""Form in three steps for a user's own table, next to the figure.

Nothing is computed before the last step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dpcore.datasets import DataError, OwnTable, Table, own_table
from dpcore.datasets.own_table import Task
from dpcore.units import Neighbouring
from ui.upload import files, steps
from ui.upload.draft import Draft
from ui.upload.form import TableForm
from ui.upload.preview import preview
from ui.words import escape, text

__all__ = ["forget", "in_use", "wizard"]

T = text.load_text(__file__)


def in_use(key: str) -> OwnTable[Any] | None:
    """Return the accepted table in ``session_state[key]``.

    Return None until the last step is complete.
    """
    table: OwnTable[Any] | None = st.session_state.get(key)
    return table


def wizard(
    key: str,
    *,
    task: Task = "classification",
    either: bool = False,
    groups: bool = False,
    neighbouring: Neighbouring = "replace_one",
    used: Callable[[], None] | None = None,
    leave: Callable[[], None] | None = None,
) -> OwnTable[Any] | None:
    """Draw the form for a user's CSV file, and for facts about it, in three steps.

    Parameters
    ----------
    key : str
        Session key of the table, beginning with "own_"; one key per task.
    task : "classification" or "regression"
        Type of the prediction.
    either : bool
        Whether both tasks are possible. For a numeric target, the user is then asked for the task.
    groups : bool
        Whether to ask for a column whose groups are compared.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the page's guarantee, which affects the status of ε.
    used : callable, optional
        Called after a new table was accepted, before the page is redrawn.
    leave : callable, optional
        Called when the user chooses public data instead.

    Returns
    -------
    OwnTable or None
        The accepted table. It stays until another table is accepted or this one is removed.
    """
    table = in_use(key)
    asks = table is None or st.session_state.get(f"{key}_changing", False)
    with st.container(key="own_wizard" if asks else "own_in_use", border=True):
        st.header(T("wizard.title"), anchor=False)
        if table is not None and not asks:
            _summary(key, table.under(neighbouring))
        else:
            _ask(key, _Page(task, either, groups, neighbouring), used)
        if leave and asks:
            st.button(
                T("wizard.leave"), key=f"{key}_leave", type="tertiary", on_click=_anew, args=[leave]
            )  # fmt: skip
    return table


def forget(key: str) -> None:
    """Remove a user's table and all declarations about it from the session."""
    for name in [str(name) for name in st.session_state if str(name).startswith(key)]:
        del st.session_state[name]


def _summary(key: str, table: OwnTable[Any]) -> None:
    target, features = escape.plain(table.choices.target), steps.listed(table.choices.features)
    st.markdown(
        T("wizard.in_use", n=table.n_used, target=target, features=features, gaps=table.gaps)
    )
    steps.tell(table.status, table.choices.rows_per_person)
    left, right = st.columns(2)
    left.button(
        T("wizard.change"), key=f"{key}_change", width="stretch", on_click=_change, args=[key]
    )
    right.button(
        T("wizard.forget"),
        key=f"{key}_forget",
        width="stretch",
        on_click=_anew,
        args=[forget, key],
    )


def _anew(act: Callable[..., None], *arguments: Any) -> None:
    """Call ``act``, and rerun the whole page."""
    act(*arguments)
    st.rerun()


def _change(key: str) -> None:
    form = TableForm(key, st.session_state[f"{key}_draft"])
    form.keep(step=1)
    st.session_state[f"{key}_changing"] = True


@dataclass(frozen=True)
class _Page:
    """What a page requires of the table that a user uploads; the fields are arguments of `wizard`."""

    task: Task
    either: bool
    groups: bool
    neighbouring: Neighbouring


def _ask(key: str, page: _Page, used: Callable[[], None] | None) -> None:
    st.caption(T("wizard.promise"))
    try:
        upload = files.table(key)
        if upload is None:
            return
        form = TableForm(key, _draft(key, page, upload.token))
        draw = (steps.predicted, steps.public, steps.empty)[form.draft.step - 1]
        place = st.container(key="own_preview")
        ready = draw(form, upload.table, page.groups)
        roles = steps.roles(upload.table, form.draft)
        # What is declared public should not be read off the rows.
        place.html(preview(upload.table.frame, roles, cells=form.draft.step != 2))
    except DataError as error:
        st.error(escape.plain(error))
        return
    _buttons(form, ready, lambda: _use(form, upload.table, used))
    refused = st.session_state.pop(f"{key}_refused", "")
    if refused:
        st.error(escape.plain(refused))


def _draft(key: str, page: _Page, token: str) -> Draft:
    """Return the stored declarations about this upload, or empty ones for a new upload."""
    draft = st.session_state.get(f"{key}_draft")
    new = Draft(token=token, task=page.task, either=page.either, neighbouring=page.neighbouring)
    if not isinstance(draft, Draft) or (draft.token, draft.either) != (token, page.either):
        return new
    same = page.either or draft.task == page.task
    return replace(draft, neighbouring=page.neighbouring) if same else new


def _buttons(form: TableForm, ready: bool, use: Callable[[], None]) -> None:
    """Draw the buttons that lead to the previous and to the next step."""
    step = form.draft.step
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        if step > 1:
            st.button(T("wizard.back"), key=form.name("back"), on_click=form.go, args=[step - 1])
        if step < 3:
            st.button(
                T("wizard.next", step=step + 1), key=form.name("next"), on_click=form.go,
                args=[step + 1], disabled=not ready,
            )  # fmt: skip
        else:
            st.button(
                T("wizard.use"), key=form.name("use"), on_click=_anew, args=[use], disabled=not ready
            )  # fmt: skip


def _use(form: TableForm, table: Table, used: Callable[[], None] | None) -> None:
    """Create a data set from the user's declarations, and make it the current one.

    Errors are stored, and appear next to the buttons.
    """
    form.take()
    try:
        own = own_table(table, form.draft.choices(table), neighbouring=form.draft.neighbouring)
    except DataError as error:
        st.session_state[f"{form.key}_refused"] = str(error)
        return
    st.session_state[form.key] = own
    st.session_state[f"{form.key}_changing"] = False
    if used:
        used()
