"""Streamlit's command line with a thread that lists which objects with a user's own data still exist.

Run it like ``streamlit``. When the file named by the variable DP_CENSUS plus ".ask" appears, the list is
written to the file named by DP_CENSUS.
"""

import gc
import json
import os
import sys
import threading
import time
import weakref
from pathlib import Path

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dpcore.datasets import Dataset, RegressionDataset, Table
from dpcore.experiments import matrix, regression, relevance

MARK = "arbez"[::-1]  # begins the name of a column, so that whatever else keeps a piece is seen
_BORN: list[weakref.ref] = []


def _is_empty(session: AppSession) -> bool:
    # The server's main loop remembers the last session it served: nothing may be left in it.
    there = (
        session.session_state,
        session.session_state._new_widget_state.widget_metadata,
        session._fragment_storage._fragments,
        session._client_state.widget_states.widgets,
    )
    return session._uploaded_file_mgr.file_storage == {} and not any(map(len, there))


def _own(thing: object) -> bool:
    data = getattr(thing, "dataset", thing)
    return (
        isinstance(thing, AppSession | UploadedFile | Table) or getattr(data, "name", "") == "own"
    )


def _mark(kind: type) -> None:
    first = kind.__init__

    def marked(self, *args, **kwargs):
        first(self, *args, **kwargs)
        if _own(self):
            _BORN.append(weakref.ref(self))

    kind.__init__ = marked


def _census() -> list[str]:
    born = [thing for ref in list(_BORN) if (thing := ref()) is not None]
    left = [type(t).__name__ for t in born if not (isinstance(t, AppSession) and _is_empty(t))]
    for thing in gc.get_objects():  # without what was frozen: that is in the list above
        if isinstance(thing, dict | list | tuple) and thing is not globals():
            # A copy in one step: other threads go on changing what they own.
            cells = list(thing.items()) if isinstance(thing, dict) else [(c,) for c in list(thing)]
            found = [c for pair in cells for c in pair if isinstance(c, str) and MARK in c]
            left += [f"{type(thing).__name__} with {found[0][:60]!r}"] if found else []
    return left


def _steady_census() -> list[str]:
    """Return the list of `_census`, trying again when another thread changes a container meanwhile."""
    for _ in range(20):
        try:
            return _census()
        except (
            Exception
        ) as error:  # the listener must live: what it says instead of a census fails the test
            failed = repr(error)
            time.sleep(0.05)
    return [f"no census: {failed}"]


def _listen(answer: Path) -> None:
    ask = answer.with_suffix(".ask")
    while True:
        time.sleep(0.2)
        if ask.exists():
            ask.unlink()
            part = answer.with_suffix(".part")
            part.write_text(json.dumps(_steady_census()))
            part.rename(answer)


if __name__ == "__main__":
    for kind in (
        AppSession, UploadedFile, Table, Dataset, RegressionDataset, relevance.Problem,
        matrix.MatrixProblem, regression.Problem,
    ):  # fmt: skip
        _mark(kind)
    threading.Thread(target=_listen, args=[Path(os.environ["DP_CENSUS"])], daemon=True).start()
    from streamlit.web.cli import main

    sys.exit(main())
