"""A person's own CSV for classification: read, asked about, kept in this session alone."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dpcore.datasets import DataError, Limits, Table, read_csv

__all__ = ["LIMITS", "classification_csv"]

LIMITS = Limits()
_PRIVACY = (
    f"At most {LIMITS.megabytes:g} MB and {LIMITS.rows:,} rows: a header line, one column with the "
    "class, numbers in the others. The table stays in the memory of this session alone: it is never "
    "logged, never shared with other sessions, and gone when you close the tab."
)


def classification_csv(key: str, page: str = "relevance", field: str = "dataset") -> None:
    """Ask for a CSV, its class column and bounds; the data set is kept as ``session_state[key]``.

    It is then chosen on ``page``, by setting the parameter ``field`` to "own".

    Everything that is wrong is said in a sentence; what was there before stays until it is replaced.
    """
    st.caption(_PRIVACY)
    file = st.file_uploader("A CSV file", type="csv", key=f"{key}_file", max_upload_size=100)
    if file is None:
        return
    try:
        table = _table(key, file.file_id, file.getvalue())
        target = st.selectbox("Column with the class", table.targets(), key=f"{key}_target")
        if target is None:
            raise DataError(
                f"No column has 2 to {LIMITS.classes} different values: add a column of classes."
            )
        names = tuple(name for name in table.numeric if name != target)
        chosen = st.multiselect("Features", names, names, key=f"{key}_features")
        _use(key, table, target, tuple(chosen), page, field)
    except DataError as error:
        st.error(str(error))


def _table(key: str, file_id: str, content: bytes) -> Table:
    kept = st.session_state.get(f"{key}_table")
    if kept is None or kept[0] != file_id:
        kept = st.session_state[f"{key}_table"] = (file_id, read_csv(content, limits=LIMITS))
    return kept[1]


def _use(
    key: str, table: Table, target: str, features: tuple[str, ...], page: str, field: str
) -> None:
    estimate = st.checkbox(
        "Estimate the bounds from the data: this leaks, and is a demonstration only",
        key=f"{key}_estimate",
    )
    low = high = None
    if not estimate:
        st.markdown(
            "Bounds of every feature, **from what you know without looking at the data**; values "
            "outside are put on the bound."
        )
        empty = pd.DataFrame(
            {"lower": pd.NA, "upper": pd.NA}, index=list(features), dtype="Float64"
        )
        bounds = st.data_editor(empty, key=f"{key}_bounds", width="stretch")
        if bounds.isna().to_numpy().any():
            st.info("Fill in both bounds of every feature to go on.")
            return
        low, high = bounds["lower"].to_numpy(float), bounds["upper"].to_numpy(float)
    if st.button("Use this table", key=f"{key}_use", type="primary"):
        st.session_state[key] = table.to_dataset(
            target, features, low=low, high=high, estimate_bounds=estimate
        )
        params = st.session_state.get(f"params.{page}")
        if params is not None:
            st.session_state[f"params.{page}"] = params.but(**{field: "own"})
            st.query_params[field] = "own"
        st.rerun()
    if key in st.session_state:
        st.success(f"In use: {st.session_state[key].description}")
