"""The three steps of the wizard: each asks, keeps the answers, and says whether it is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpcore.datasets import DataError, OwnChoices, Table, left_out
from dpcore.datasets.own_table import GROUPS
from ui.upload import draft as own_draft
from ui.upload import task
from ui.upload.draft import SAME, Draft
from ui.upload.form import Asked, fact, pair, place_of
from ui.words import escape
from ui.words.numbers import show

__all__ = ["empty", "listed", "predicted", "public", "roles", "tell"]

_FEW = 12  # columns whose bounds have a box each
_HOW = {
    "each": "I give them for each column",
    "same": "They are the same for all columns",
    "estimate": "Estimate them from the data (nothing is proved then)",
}
_GAPS = {
    "leave_out": "Leave out the rows that have an empty cell",
    "middle": "Keep these rows, and put the middle of the bounds there",
}
_READS_N = " (nothing is proved then)"


def predicted(asked: Asked, table: Table, groups: bool) -> bool:
    """Ask what is predicted, and from what."""
    st.subheader("Step 1 of 3: what is predicted?", anchor=False)
    draft, names = asked.draft, own_draft.targets(table, asked.draft)
    what = "either" if draft.either else draft.task
    target = st.selectbox(
        f"Column with the {task.WHAT[what]} to predict", names, index=place_of(names, draft.target),
        placeholder="Choose a column", key=asked.name("target"),
        help=task.OFFERED[what].format(table.limits.classes),
    )  # fmt: skip
    if target != draft.target:
        rest = own_draft.first_features(table, target) if target else ()
        asked.keep(target=target, features=rest, group=None, pairs={}, public=(), told=False)
    if target is None or (draft.either and not task.told(asked, table, names.index(target))):
        return False
    numbers = [name for name in table.numeric if name != target]
    st.multiselect(
        "Learn from these columns of numbers", numbers, default=asked.draft.features,
        key=asked.asks(
            f"features_{names.index(target)}", lambda _, chosen: {"features": tuple(chosen)}
        ),
    )  # fmt: skip
    asked.take()
    if groups:
        _group(asked, table, target)
    _dropped(asked.draft, table)
    wrong = own_draft.trouble(table, asked.draft)
    if wrong:
        st.error(escape.plain(wrong))
    return not wrong


def _group(asked: Asked, table: Table, target: str) -> None:
    frame = table.frame
    names = [str(n) for n in frame if n != target and 2 <= frame[n].nunique() <= GROUPS]
    st.selectbox(
        "Compare the groups of a column (optional)", names, index=place_of(names, asked.draft.group),
        placeholder="No groups",
        key=asked.asks(f"group_{list(frame).index(target)}", lambda _, chosen: {"group": chosen}),
        help="How often the result is wrong is then shown for each group. Nothing is learned from the column "
        "unless it is chosen above.",
    )  # fmt: skip
    asked.take()


def _dropped(draft: Draft, table: Table) -> None:
    """Name the columns that are left out, and those that teach nothing."""
    said = OwnChoices(
        task=draft.task, target=draft.target or "", features=draft.features, group=draft.group or ""
    )
    gone = [f"{escape.plain(name)} ({why})" for name, why in left_out(table, said)]
    st.markdown(f"**Left out**: {_some(gone) or 'no column'}.")
    same = own_draft.constants(table, draft.features)
    if same:
        st.markdown(
            f"The same value stands in every row of {listed(same)}: nothing can be learned from that."
        )
    _numbered(draft, table)


def _numbered(draft: Draft, table: Table) -> None:
    """Say which columns may only number the rows: they are left out unless somebody chooses them."""
    names = [name for name in table.numeric if name != draft.target]
    numbers = own_draft.numbered(table, names)
    chosen = [name for name in numbers if name in draft.features]
    others = [name for name in numbers if name not in draft.features]
    if chosen:
        st.markdown(
            f"Every row has a whole number of its own in {listed(chosen)}. If these only number the people, leave "
            "the column out above: it costs accuracy and says nothing."
        )
    if others:
        st.markdown(
            f"Every row has a whole number of its own in {listed(others)}, as if to number the people. So the column "
            "is not used. Choose it above if it holds a measurement."
        )


def public(asked: Asked, table: Table, groups: bool) -> bool:
    """Ask what everybody may know."""
    st.subheader("Step 2 of 3: what may everybody know?", anchor=False)
    st.markdown(
        "Noise hides one person only if the facts below come from you and not from the table. Enter only what you "
        "knew before you saw the table."
    )
    how = st.radio(
        "Lowest and highest possible values", list(_HOW), index=place_of(_HOW, asked.draft.how),
        format_func=_HOW.__getitem__, key=asked.asks("how", lambda _, how: {"how": how or ""}),
    )  # fmt: skip
    asked.take()
    if how in ("each", "same"):
        _pairs(asked, list(table.frame))
    _facts(asked, table)
    _rows_per_person(asked, table)
    if not how:
        return False
    try:
        own_draft.bounds(asked.draft)
    except DataError as error:
        st.info(escape.plain(error))
        return False
    tell(asked.draft.status, asked.draft.rows_per_person)
    return True


def _rows_per_person(asked: Asked, table: Table) -> None:
    """Ask how many rows one person may have: ε counts rows."""
    st.number_input(
        "At most so many rows belong to one person", 1, len(table.frame), asked.draft.rows_per_person,
        step=1,
        key=asked.asks("rows_per_person", lambda _, k: {"rows_per_person": int(k or 1)}),
        help="1 where everybody has one row. Somebody who came to a clinic five times may have five rows. ε is then "
        "about one row, and five rows together are promised less.",
    )  # fmt: skip
    asked.take()


def _pairs(asked: Asked, columns: list[str]) -> None:
    draft = asked.draft
    names = (SAME,) if draft.how == "same" else draft.bounded
    if len(names) > _FEW:
        _in_lines(asked, names)
        return
    for name in names:
        label = "Lowest and highest value of all columns" if name == SAME else escape.plain(name)
        st.text_input(
            label, draft.pairs.get(name, ""), placeholder="lowest, highest", max_chars=80,
            key=asked.asks(_place(name, columns), pair(name)),
        )  # fmt: skip
    st.caption("Two numbers with a comma, as in 0, 120. Values outside are put on the bound.")
    asked.take()


def _place(name: str, columns: list[str]) -> str:
    return f"pair_{columns.index(name) if name else 'all'}"


def _in_lines(asked: Asked, names: Sequence[str]) -> None:
    """Many columns: a line of two numbers for each, in their order."""

    def fold(draft: Draft, text: str) -> dict[str, Any]:
        lines = [*text.splitlines(), *[""] * len(names)]
        return {"pairs": {**draft.pairs, **dict(zip(names, lines, strict=False))}}

    known = "\n".join(asked.draft.pairs.get(name, "") for name in names).rstrip()
    text = st.text_area(
        f"One line for each of the {len(names)} columns, in this order: lowest, highest", known,
        key=asked.asks(f"lines_{len(names)}", fold), placeholder="0, 120", max_chars=40 * len(names),
    )  # fmt: skip
    st.caption(f"The order: {listed(names, 30)}.")
    asked.take()
    n_lines = len(text.splitlines())
    if n_lines > len(names):
        raise DataError(f"There are {n_lines} lines: give {len(names)}, one for each column.")


def _facts(asked: Asked, table: Table) -> None:
    """Ask which facts beside the bounds are public: unless they are, ε is nominal."""
    draft, frame = asked.draft, table.frame
    if draft.task == "classification" and draft.target:
        classes = own_draft.classes(table, draft.target)
        st.checkbox(
            f"Everybody may know which classes there are: {listed(classes)}",
            "classes" in draft.public,
            key=asked.asks("classes", fact("classes")),
        )
    st.checkbox(
        f"Everybody may know how many rows are used (the table has {show(len(frame), 'd')})",
        "n" in draft.public,
        key=asked.asks("rows", fact("n")),
    )
    asked.take()


def empty(asked: Asked, table: Table, groups: bool) -> bool:
    """Ask what becomes of empty cells, and say what will be used."""
    st.subheader("Step 3 of 3: empty cells", anchor=False)
    draft, counts = asked.draft, own_draft.gaps(table, asked.draft)
    ready = True
    if counts:
        named_counts = [
            f"{escape.plain(name)} ({show(count, 'd')})" for name, count in counts.items()
        ]
        st.markdown(f"Empty cells, by column: {_some(named_counts)}.")
        reads_n = draft.neighbouring == "replace_one"
        ways = _GAPS | {"leave_out": _GAPS["leave_out"] + _READS_N * reads_n}
        how = st.radio(
            "What becomes of them?", list(ways), index=place_of(ways, draft.empty_cells),
            format_func=ways.__getitem__, key=asked.asks("gaps", lambda _, how: {"empty_cells": how}),
            help="A mean of the other rows is not offered: it would tell of other people."
            + " The guarantee of this page needs a public number of rows. If rows are left out, their number "
            "depends on what single rows hold." * reads_n,
        )  # fmt: skip
        if draft.target in counts:
            instead = (
                "one of the classes in turn, which says nothing of the row"
                if draft.task == "classification"
                else "the middle of its bounds"
            )
            st.caption(
                f"A row that is kept without {escape.plain(draft.target)} gets {instead}. Many such rows "
                "cost accuracy."
            )
        asked.take()
        ready = how is not None
    else:
        st.markdown("No cell that is used is empty. There is nothing to decide.")
    st.markdown(
        f"{escape.plain(draft.target)} is predicted from {listed(draft.features)}. Nothing is computed before "
        "you press the button."
    )
    tell(asked.draft.status, draft.rows_per_person)
    return ready


def roles(table: Table, draft: Draft) -> dict[str, str]:
    """Say of each column what it is for."""
    if not draft.target:
        return {}
    used = {draft.target: "predicted", **dict.fromkeys(draft.features, "used")}
    if draft.group:
        used.setdefault(draft.group, "groups")
    return {str(name): used.get(str(name), "left out") for name in table.frame}


def tell(status: str, rows_per_person: int = 1) -> None:
    """Say what ε is worth, and for how many rows."""
    if status:
        st.warning(f"ε is {status}. It is for demonstration: nothing is proved.")
    else:
        st.success("Everything that has to be public was declared: ε means what it says.")
    if rows_per_person > 1:
        st.info(
            f"ε is about one row. One person may have {show(rows_per_person, 'd')} rows: the guarantee says what "
            "it means for so many rows together."
        )


def listed(names: Sequence[object], most: int = 8) -> str:
    """Return names in a row, inert, the first few of many."""
    return _some([escape.plain(name) for name in names], most)


def _some(words: Sequence[str], most: int = 8) -> str:
    more = f" and {show(len(words) - most, 'd')} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more
