"""A user's own CSV file: uploaded, parsed in a subprocess, stored only in this session."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dpcore.datasets import DataError, Limits, Table, read_csv_in_subprocess
from ui.words import text

__all__ = ["LIMITS", "UploadedTable", "release", "table", "target_name"]

T = text.load_text(__file__)
LIMITS = Limits()


@dataclass(frozen=True, eq=False)
class UploadedTable:
    """A user's parsed table, with a ``token`` that is unique to the upload."""

    table: Table
    token: str


def table(key: str) -> UploadedTable | None:
    """Display the upload field; return the uploaded table, or None before an upload.

    The file is parsed once. The table remains in the session, also on other pages, until the user
    removes the file.

    Raises
    ------
    DataError
        When the file cannot be used; the error is stored like a table and raised again.
    """
    file = st.file_uploader(
        T("wizard.file"), type="csv", key=f"{key}_file", on_change=_changed, args=[key],
        max_upload_size=int(LIMITS.megabytes),
    )  # fmt: skip
    entry = st.session_state.get(f"{key}_table")
    if file is not None and (entry is None or entry[0] != file.file_id):
        entry = st.session_state[f"{key}_table"] = (
            file.file_id,
            _read(file),
            secrets.token_hex(16),
        )
        release(file.file_id)
    if entry is None:
        return None
    if isinstance(entry[1], str):
        raise DataError(entry[1])
    return UploadedTable(entry[1], entry[2])


def release(file_id: str) -> None:
    """Release the bytes of a file that was read.

    Streamlit would keep them until the session ends.
    """
    context = get_script_run_ctx()
    if context is None or not isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        return
    for file in context.uploaded_file_mgr.get_files(context.session_id, [file_id]):
        context.uploaded_file_mgr.add_file(context.session_id, file._replace(data=b""))


def target_name(key: str) -> str:
    """Return the name of the chosen target column.

    The downloadable program reads the file again and needs this name.
    """
    table = st.session_state.get(key)
    return T("code.target") if table is None else table.choices.target


def _changed(key: str) -> None:
    """Remove the table and its declarations if the user has removed the file."""
    if st.session_state.get(f"{key}_file") is None:
        for name in ("table", "draft"):
            st.session_state.pop(f"{key}_{name}", None)


def _read(file: UploadedFile) -> Table | str:
    try:
        return read_csv_in_subprocess(file.getvalue(), limits=LIMITS, report=_progress())
    except DataError as error:
        return str(error)


def _progress() -> Callable[[float], None]:
    """Return a callback that shows the progress of parsing if it takes longer than a second."""
    place, last_time = st.empty(), time.monotonic() + 0.8

    def report(part: float) -> None:
        nonlocal last_time
        if time.monotonic() - last_time > 0.2:
            last_time = time.monotonic()
            place.progress(part, T("wizard.reading"))
        if part >= 1:
            place.empty()

    return report
