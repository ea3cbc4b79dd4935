"""The three steps of the upload form.

Each function of a step draws fields, stores answers, and returns whether the step is complete.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpcore.datasets import DataError, OwnChoices, Table, left_out
from dpcore.datasets.own_table import GROUPS
from ui.upload import draft as own_draft
from ui.upload import task
from ui.upload.draft import SAME, Draft
from ui.upload.form import TableForm, fact, pair, place_of
from ui.words import escape
from ui.words.text import load_text

__all__ = ["empty", "listed", "predicted", "public", "roles", "tell"]

T = load_text(__file__)
_FEW = 12  # columns whose bounds have a box each
_HOW = T.group("public.how")


def predicted(form: TableForm, table: Table, groups: bool) -> bool:
    """Draw the first step, on target, features and groups; return whether it is complete."""
    st.subheader(T("predicted.title"), anchor=False)
    draft, names = form.draft, own_draft.targets(table, form.draft)
    what = "either" if draft.either else draft.task
    target = st.selectbox(
        T(f"predicted.column_of.{what}"), names, index=place_of(names, draft.target),
        placeholder=T("predicted.choose"), key=form.name("target"), help=_offered(what, table),
    )  # fmt: skip
    if target != draft.target:
        rest = own_draft.first_features(table, target) if target else ()
        form.keep(target=target, features=rest, group=None, pairs={}, public=(), is_chosen=False)
    if target is None or (draft.either and not task.ask_task(form, table, names.index(target))):
        return False
    numbers = [name for name in table.numeric if name != target]
    st.multiselect(
        T("predicted.features"), numbers, default=form.draft.features,
        key=form.asks(
            f"features_{names.index(target)}", lambda _, chosen: {"features": tuple(chosen)}
        ),
    )  # fmt: skip
    form.take()
    if groups:
        _group(form, table, target)
    _dropped(form.draft, table)
    wrong = own_draft.trouble(table, form.draft)
    if wrong:
        st.error(escape.plain(wrong))
    return not wrong


def _offered(what: str, table: Table) -> str:
    """Return a sentence on which columns can be predicted."""
    if what == "regression":
        return T("predicted.offered.regression")
    return T(f"predicted.offered.{what}", classes=table.limits.classes)


def _group(form: TableForm, table: Table, target: str) -> None:
    frame = table.frame
    names = [str(n) for n in frame if n != target and 2 <= frame[n].nunique() <= GROUPS]
    st.selectbox(
        T("predicted.group.label"), names, index=place_of(names, form.draft.group),
        placeholder=T("predicted.group.none"),
        key=form.asks(f"group_{list(frame).index(target)}", lambda _, chosen: {"group": chosen}),
        help=T("predicted.group.help"),
    )  # fmt: skip
    form.take()


def _dropped(draft: Draft, table: Table) -> None:
    """Display the names of unused columns and of constant columns."""
    said = OwnChoices(
        task=draft.task, target=draft.target or "", features=draft.features, group=draft.group or ""
    )
    gone = [
        T("predicted.column", name=escape.plain(name), why=why)
        for name, why in left_out(table, said)
    ]
    st.markdown(T("predicted.left_out", columns=_some(gone) or T("predicted.no_column")))
    same = own_draft.constants(table, draft.features)
    if same:
        st.markdown(T("predicted.same", columns=listed(same)))
    _numbered(draft, table)


def _numbered(draft: Draft, table: Table) -> None:
    """Display the names of the columns that may be row numbers, and so are not used unless the user selects them."""
    names = [name for name in table.numeric if name != draft.target]
    numbers = own_draft.numbered(table, names)
    chosen = [name for name in numbers if name in draft.features]
    others = [name for name in numbers if name not in draft.features]
    if chosen:
        st.markdown(T("predicted.numbered", columns=listed(chosen)))
    if others:
        st.markdown(T("predicted.numbered_out", columns=listed(others)))


def public(form: TableForm, table: Table, groups: bool) -> bool:
    """Draw the second step, on public facts; return whether it is complete."""
    st.subheader(T("public.title"), anchor=False)
    st.markdown(T("public.opening"))
    how = st.radio(
        T("public.bounds"), list(_HOW), index=place_of(_HOW, form.draft.how),
        format_func=_HOW.__getitem__, key=form.asks("how", lambda _, how: {"how": how or ""}),
    )  # fmt: skip
    form.take()
    if how in ("each", "same"):
        _pairs(form, list(table.frame))
    _facts(form, table)
    _rows_per_person(form, table)
    if not how:
        return False
    try:
        own_draft.bounds(form.draft)
    except DataError as error:
        st.info(escape.plain(error))
        return False
    tell(form.draft.status, form.draft.rows_per_person)
    return True


def _rows_per_person(form: TableForm, table: Table) -> None:
    """Draw the field for the number of rows per person.

    ε depends on this number.
    """
    st.number_input(
        T("public.rows_per_person"), 1, len(table.frame), form.draft.rows_per_person,
        step=1,
        key=form.asks("rows_per_person", lambda _, k: {"rows_per_person": int(k or 1)}),
        help=T("public.rows_per_person_help"),
    )  # fmt: skip
    form.take()


def _pairs(form: TableForm, columns: list[str]) -> None:
    draft = form.draft
    names = (SAME,) if draft.how == "same" else draft.bounded
    if len(names) > _FEW:
        _in_lines(form, names)
        return
    for name in names:
        label = T("public.bounds_of_all") if name == SAME else escape.plain(name)
        st.text_input(
            label, draft.pairs.get(name, ""), placeholder=T("public.pair"), max_chars=80,
            key=form.asks(_place(name, columns), pair(name)),
        )  # fmt: skip
    st.caption(T("public.pair_help"))
    form.take()


def _place(name: str, columns: list[str]) -> str:
    return f"pair_{columns.index(name) if name else 'all'}"


def _in_lines(form: TableForm, names: Sequence[str]) -> None:
    """Draw one text field for the bounds of many columns, with a line of two numbers for each column."""

    def fold(draft: Draft, text: str) -> dict[str, Any]:
        lines = [*text.splitlines(), *[""] * len(names)]
        return {"pairs": {**draft.pairs, **dict(zip(names, lines, strict=False))}}

    known = "\n".join(form.draft.pairs.get(name, "") for name in names).rstrip()
    text = st.text_area(
        T("public.lines", n=len(names)), known,
        key=form.asks(f"lines_{len(names)}", fold), placeholder=T("public.lines_example"), max_chars=40 * len(names),
    )  # fmt: skip
    st.caption(T("public.lines_order", columns=listed(names, 30)))
    form.take()
    n_lines = len(text.splitlines())
    if n_lines > len(names):
        raise DataError(T("public.too_many_lines", lines=n_lines, n=len(names)))


def _facts(form: TableForm, table: Table) -> None:
    """Draw checkboxes for public facts other than bounds.

    If a fact is not declared public, ε is only nominal.
    """
    draft, frame = form.draft, table.frame
    if draft.task == "classification" and draft.target:
        classes = own_draft.classes(table, draft.target)
        st.checkbox(
            T("public.classes", classes=listed(classes)),
            "classes" in draft.public,
            key=form.asks("classes", fact("classes")),
        )
    st.checkbox(
        T("public.n_rows", n=len(frame)),
        "n" in draft.public,
        key=form.asks("rows", fact("n")),
    )
    form.take()


def empty(form: TableForm, table: Table, groups: bool) -> bool:
    """Draw the third step, on empty cells; return whether it is complete.

    The step also shows a summary of the used data.
    """
    st.subheader(T("empty.title"), anchor=False)
    draft, counts = form.draft, own_draft.gaps(table, form.draft)
    ready = True
    if counts:
        ready = _fill(form, counts)
    else:
        st.markdown(T("empty.none"))
    target, features = escape.plain(draft.target), listed(draft.features)
    st.markdown(T("empty.learned", target=target, features=features))
    tell(form.draft.status, draft.rows_per_person)
    return ready


def _fill(form: TableForm, counts: Mapping[str, int]) -> bool:
    """Draw the choice of how to treat empty cells; return whether the user has chosen."""
    draft = form.draft
    columns = [
        T("empty.column", name=escape.plain(name), n=count) for name, count in counts.items()
    ]
    st.markdown(T("empty.columns", columns=_some(columns)))
    reads_n = draft.neighbouring == "replace_one"
    ways = {
        "leave_out": T("empty.ways.leave_out_nominal" if reads_n else "empty.ways.leave_out"),
        "middle": T("empty.ways.middle"),
    }
    how = st.radio(
        T("empty.question"), list(ways), index=place_of(ways, draft.empty_cells), format_func=ways.__getitem__,
        key=form.asks("gaps", lambda _, how: {"empty_cells": how}),
        help=T("empty.help_n_rows" if reads_n else "empty.help"),
    )  # fmt: skip
    if draft.target in counts:
        kind = "class" if draft.task == "classification" else "number"
        st.caption(T(f"empty.target_{kind}", target=escape.plain(draft.target)))
    form.take()
    return how is not None


def roles(table: Table, draft: Draft) -> dict[str, str]:
    """Return the role of each column: "predicted", "used", "groups" or "left_out"."""
    if not draft.target:
        return {}
    used = {draft.target: "predicted", **dict.fromkeys(draft.features, "used")}
    if draft.group:
        used.setdefault(draft.group, "groups")
    return {str(name): used.get(str(name), "left_out") for name in table.frame}


def tell(status: str, rows_per_person: int = 1) -> None:
    """Display whether ε is only nominal, and for how many rows of one person it holds."""
    if status:
        st.warning(T("status.nominal", status=status))
    else:
        st.success(T("status.declared"))
    if rows_per_person > 1:
        st.info(T("status.rows_per_person", n=rows_per_person))


def listed(names: Sequence[object], most: int = 8) -> str:
    """Return at most ``most`` names as a list, escaped for Markdown."""
    return _some([escape.plain(name) for name in names], most)


def _some(words: Sequence[str], most: int = 8) -> str:
    first = ", ".join(words[:most])
    return T("wizard.more", names=first, n=len(words) - most) if len(words) > most else first
