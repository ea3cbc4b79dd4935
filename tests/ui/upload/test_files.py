"""A person's own CSV: read once, and progress while it is read."""

import types

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.testing.v1 import AppTest

from ui.upload import files


def _spoilt():
    import types

    import streamlit as st

    from dpcore.datasets import DataError
    from ui.upload import files

    def read(*_, **__):
        st.session_state["reads"] = st.session_state.get("reads", 0) + 1
        raise DataError("Line 2 has 3 cells.")

    files.read_csv_in_subprocess = read
    file = types.SimpleNamespace(file_id="1", getvalue=lambda: b"")
    st.file_uploader = lambda *_, **__: file
    try:
        files.table("own_data")
    except DataError as error:
        st.error(str(error))


def test_a_file_that_was_refused_is_not_read_again(monkeypatch):
    monkeypatch.setattr(files, "read_csv_in_subprocess", files.read_csv_in_subprocess)
    monkeypatch.setattr(files.st, "file_uploader", files.st.file_uploader)
    found = AppTest.from_function(_spoilt, default_timeout=30).run()
    found.run()
    assert [error.value for error in found.error] == ["Line 2 has 3 cells."]
    assert found.session_state["reads"] == 1


def test_progress_is_shown_after_a_second_and_taken_away(monkeypatch):
    shown, clock = [], iter([0.0, 0.5, 1.5, 1.5, 1.6, 2.0, 2.0, 2.0, 2.0])
    place = types.SimpleNamespace(
        progress=lambda part, text: shown.append(part), empty=lambda: shown.append("gone")
    )
    monkeypatch.setattr(files.st, "empty", lambda: place)
    monkeypatch.setattr(files.time, "monotonic", lambda: next(clock))
    report = files._progress()
    for part in (0.1, 0.4, 0.5, 1.0):
        report(part)
    assert shown == [0.4, 1.0, "gone"]


def test_the_bytes_of_a_file_that_was_read_are_given_up(monkeypatch):
    manager = MemoryUploadedFileManager("/upload")
    context = types.SimpleNamespace(session_id="s", uploaded_file_mgr=manager)
    for name in ("read", "waiting"):
        manager.add_file("s", UploadedFileRec(name, f"{name}.csv", "text/csv", b"a,b\n1,2"))
    monkeypatch.setattr(files, "get_script_run_ctx", lambda: context)
    files.release("read")
    files.release("gone")
    read, waiting = manager.get_files("s", ["read", "waiting"])
    assert (read.name, read.data, waiting.data) == ("read.csv", b"", b"a,b\n1,2")
    monkeypatch.setattr(files, "get_script_run_ctx", lambda: None)
    files.release("waiting")


def test_a_table_gives_up_the_bytes_of_its_file(monkeypatch):
    given_up = []
    monkeypatch.setattr(files, "release", given_up.append)
    monkeypatch.setattr(files, "read_csv_in_subprocess", files.read_csv_in_subprocess)
    monkeypatch.setattr(files.st, "file_uploader", files.st.file_uploader)
    AppTest.from_function(_spoilt, default_timeout=30).run()
    assert given_up == ["1"]
