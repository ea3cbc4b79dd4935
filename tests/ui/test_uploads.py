"""A person's own CSV: read once, and progress while it is read."""

import types

from streamlit.testing.v1 import AppTest

from ui import uploads


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
    try:
        uploads.table("own_data")
    except DataError as error:
        st.error(str(error))


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
