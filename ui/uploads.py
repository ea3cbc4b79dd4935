"""A person's own CSV: read, asked about, kept in this session alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dpcore.datasets import (
    DataError,
    Dataset,
    Limits,
    RegressionDataset,
    Table,
    own_regression,
    read_csv_apart,
)
from ui import escape

__all__ = ["LIMITS", "classification_csv", "regression_csv"]

LIMITS = Limits()
_PRIVACY = (
    f"At most {LIMITS.megabytes:g} MB and {LIMITS.rows:,} rows: a header line, one column with the "
    "{target}, numbers in the others. The table is kept for this session alone: it is never logged, "
    "never shared with other sessions, and gone within 90 seconds of closing or reloading the tab."
)
_Make = Callable[[pd.DataFrame | None], object]
Ends = NDArray[np.float64] | None


def classification_csv(key: str, page: str, field: str = "dataset") -> None:
    """Ask for a CSV, its class column and bounds; the data set is kept as ``session_state[key]``.

    It is then chosen on ``page``, by setting the parameter ``field`` to "own".

    The name of the column is kept as ``session_state[f"{key}_class"]``.

    Everything that is wrong is said in a sentence; what was there before stays until it is replaced.
    """
    with st.expander("Your own data (CSV)"):
        _ask(key, "class", partial(_class_column, place=(page, field)))


def regression_csv(key: str) -> None:
    """Ask for a CSV, the number to predict and all bounds; kept as ``session_state[key]``."""
    with st.expander("Your own data (CSV)"):
        _ask(key, "number to predict", _number_column)


def _ask(key: str, target: str, column: Callable[[str, Table], None]) -> None:
    st.caption(_PRIVACY.format(target=target))
    file = st.file_uploader("A CSV file", type="csv", key=f"{key}_file", max_upload_size=100)
    if file is None:
        return
    try:
        column(key, _table(key, file))
    except DataError as error:
        st.error(escape.plain(error))


def _class_column(key: str, table: Table, *, place: tuple[str, str]) -> None:
    target = st.selectbox("Column with the class", table.targets(), key=f"{key}_target")
    if target is None:
        raise DataError(
            f"No column has 2 to {LIMITS.classes} different values: add a column of classes."
        )
    chosen = _features(key, table, target)

    def make(bounds: pd.DataFrame | None) -> Dataset:
        low, high = _ends(bounds)
        st.session_state[f"{key}_class"] = target  # for the code that reads the file again
        return table.to_dataset(target, chosen, low=low, high=high, estimate_bounds=bounds is None)

    _use(key, place, chosen, make)


def _number_column(key: str, table: Table) -> None:
    target = st.selectbox("Column to predict", table.numeric, key=f"{key}_target")
    chosen = _features(key, table, target)

    def make(bounds: pd.DataFrame | None) -> RegressionDataset:
        if bounds is None:
            return own_regression(table, target, chosen, estimate_bounds=True)
        low, high = _ends(bounds.loc[list(chosen)])
        outer = bounds.loc[target]
        return own_regression(
            table, target, chosen, low=low, high=high, target_low=float(outer["lower"]),
            target_high=float(outer["upper"]),
        )  # fmt: skip

    _use(key, ("regression", "dataset"), (*chosen, target), make)


def _features(key: str, table: Table, target: str) -> tuple[str, ...]:
    names = tuple(name for name in table.numeric if name != target)
    if not names:
        raise DataError(
            f"No numeric column is left beside “{target}”: add at least one column of numbers."
        )
    chosen = tuple(st.multiselect("Features", names, names, key=f"{key}_features_{target}"))
    if not chosen:
        raise DataError("No feature is chosen: choose at least one column of numbers.")
    return chosen


def _ends(bounds: pd.DataFrame | None) -> tuple[Ends, Ends]:
    if bounds is None:
        return None, None
    return bounds["lower"].to_numpy(float), bounds["upper"].to_numpy(float)


def _table(key: str, file: UploadedFile) -> Table:
    """The table of a file, read once: a refusal is kept like a table."""
    kept = st.session_state.get(f"{key}_table")
    if kept is None or kept[0] != file.file_id:
        try:
            found: Table | str = read_csv_apart(file.getvalue(), limits=LIMITS, report=_progress())
        except DataError as error:
            found = str(error)
        kept = st.session_state[f"{key}_table"] = (file.file_id, found)
    if isinstance(kept[1], str):
        raise DataError(kept[1])
    return kept[1]


def _progress() -> Callable[[float], None]:
    """What shows how far the reading is, when it takes longer than a second."""
    place, told = st.empty(), time.monotonic() + 0.8

    def report(part: float) -> None:
        nonlocal told
        if time.monotonic() - told > 0.2:
            told = time.monotonic()
            place.progress(part, "Reading the table")
        if part >= 1:
            place.empty()

    return report


def _edited(table: pd.DataFrame, key: str) -> pd.DataFrame:
    """Let a person fill in a table; what a forged message puts outside of it is refused.

    Streamlit applies what the browser sends without asking whether there is such a cell.
    """
    sent = st.session_state.get(key)
    edits = sent.get("edited_rows", {}) if isinstance(sent, Mapping) else {}
    for row, cells in edits.items():
        if not 0 <= int(row) < len(table) or not set(cells) <= set(table.columns):
            del st.session_state[key]
            raise DataError(
                f"The browser sent bounds for row {row}, columns {', '.join(map(str, cells))[:60]}: the table "
                f"has rows 0 to {len(table) - 1} and the columns {', '.join(table.columns)}. Nothing was taken "
                "over; fill in the table again."
            )
    return st.data_editor(table, key=key, width="stretch")


def _use(key: str, place: tuple[str, str], columns: tuple[str, ...], make: _Make) -> None:
    page, field = place
    estimate = st.checkbox(
        "Estimate the bounds from the data: this leaks, and is a demonstration only",
        key=f"{key}_estimate",
    )
    bounds = None
    if not estimate:
        st.markdown(
            "Bounds of every column, **from what you know without looking at the data**; values "
            "outside are put on the bound."
        )
        empty = pd.DataFrame({"lower": pd.NA, "upper": pd.NA}, index=list(columns), dtype="Float64")
        bounds = _edited(empty, f"{key}_bounds")
        if bounds.isna().to_numpy().any():
            st.info("Fill in both bounds of every column to go on.")
            return
    if st.button("Use this table", key=f"{key}_use", type="primary"):
        st.session_state[key] = make(bounds)
        params = st.session_state.get(f"params.{page}")
        if params is not None:
            st.session_state[f"params.{page}"] = params.but(**{field: "own"})
            st.query_params[field] = "own"
        st.rerun()
    if key in st.session_state:
        st.success(f"In use: {st.session_state[key].description}")
