"""Own tables of the regression page: asked about, used, kept in the session."""

import types

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dpcore.datasets import DataError
from ui import uploads


def _script(estimate):
    import types

    import numpy as np
    import streamlit as st

    from dpcore.experiments.regression import RegressionParams
    from ui import uploads

    st.session_state.setdefault("params.regression", RegressionParams())
    rows = "".join(f"{a:.2f},{3 * a:.2f}\n" for a in np.linspace(0, 1, 40))
    content = ("a,y\n" + rows).encode()
    file = types.SimpleNamespace(file_id="1", getvalue=lambda: content)
    st.file_uploader = lambda *_, **__: file
    uploads.regression_csv("own_regression")


def _run():
    return AppTest.from_function(_script, args=(True,), default_timeout=30).run()


def test_bounds_are_asked_for_before_a_table_is_used():
    found = _run()
    assert not found.exception
    assert "Fill in both bounds" in found.info[0].value
    assert not found.button


def test_estimated_bounds_are_marked_and_the_page_turns_to_the_table():
    found = _run()
    found.selectbox[0].select("y").run()
    found.checkbox[0].check().run()
    found.button[0].click().run()
    assert not found.exception
    data = found.session_state["own_regression"]
    assert (data.bounds_status, data.feature_names, data.target_name) == ("estimated", ("a",), "y")
    assert found.session_state["params.regression"].dataset == "own"


def _spoilt():
    import types

    import streamlit as st

    from dpcore.datasets import DataError
    from ui import uploads

    def read(*_, **__):
        st.session_state["reads"] = st.session_state.get("reads", 0) + 1
        raise DataError("Line 2 has 3 cells.")

    uploads.read_csv_apart = read
    file = types.SimpleNamespace(file_id="1", getvalue=lambda: b"")
    st.file_uploader = lambda *_, **__: file
    uploads.regression_csv("own_regression")


def test_a_file_that_was_refused_is_not_read_again(monkeypatch):
    monkeypatch.setattr(uploads, "read_csv_apart", uploads.read_csv_apart)
    monkeypatch.setattr(uploads.st, "file_uploader", uploads.st.file_uploader)
    found = AppTest.from_function(_spoilt, default_timeout=30).run()
    found.run()
    assert [error.value for error in found.error] == ["Line 2 has 3 cells."]
    assert found.session_state["reads"] == 1


def test_progress_is_shown_after_a_second_and_taken_away(monkeypatch):
    shown, clock = [], iter([0.0, 0.5, 1.5, 1.5, 1.6, 2.0, 2.0, 2.0, 2.0])
    place = types.SimpleNamespace(
        progress=lambda part, text: shown.append(part), empty=lambda: shown.append("gone")
    )
    monkeypatch.setattr(uploads.st, "empty", lambda: place)
    monkeypatch.setattr(uploads.time, "monotonic", lambda: next(clock))
    report = uploads._progress()
    for part in (0.1, 0.4, 0.5, 1.0):
        report(part)
    assert shown == [0.4, 1.0, "gone"]


@pytest.mark.parametrize(
    "edits", [{99: {"lower": 0.0}}, {-1: {"lower": 0.0}}, {0: {"elsewhere": 0.0}}]
)
def test_bounds_outside_of_the_table_are_refused_in_a_sentence(monkeypatch, edits):
    table = pd.DataFrame({"lower": [pd.NA], "upper": [pd.NA]}, index=["a"], dtype="Float64")
    drawn = []
    monkeypatch.setattr(uploads.st, "session_state", {"bounds": {"edited_rows": edits}})
    monkeypatch.setattr(uploads.st, "data_editor", lambda found, **_: drawn.append(found) or found)
    with pytest.raises(DataError, match="fill in the table again"):
        uploads._edited(table, "bounds")
    assert drawn == []
    assert "bounds" not in uploads.st.session_state
    uploads.st.session_state["bounds"] = {"edited_rows": {0: {"lower": 1.0, "upper": 2.0}}}
    assert uploads._edited(table, "bounds") is table
