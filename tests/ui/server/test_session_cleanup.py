"""Sessions that end: kept for a moment, then emptied and let go."""

import gc
import tomllib
import types
import weakref
from pathlib import Path

import pytest
from streamlit.proto.ClientState_pb2 import ClientState

from ui.jobs.pool import Jobs
from ui.server import session_cleanup
from ui.server.session_cleanup import SessionCleanup, collect


class Held:
    """A data set in a session."""


class State(dict):
    """As much of Streamlit's session state as is used: clearing leaves what the buttons call."""

    def __init__(self, **state):
        super().__init__(state)
        self._new_widget_state = types.SimpleNamespace(widget_metadata={"button": print})


class Session:
    """As much of Streamlit's session as is used."""

    def __init__(self, name, **state):
        self.id, self.session_state, self.closed = name, State(**state), 0
        self._fragment_storage = {"page": print}
        self._client_state = ClientState()
        self.me = self  # a cycle, as Streamlit's are

    def shutdown(self):
        self.closed += 1

    def flush_browser_queue(self):
        return []


class Manager:
    """As much of Streamlit's session manager as is used."""

    def __init__(self, *sessions):
        self.stored = {session.id: session for session in sessions}
        self.active = {}

    def list_sessions(self):
        everybody = [*self.stored.values(), *self.active.values()]
        return [types.SimpleNamespace(session=session) for session in everybody]

    def is_active_session(self, key):
        return key in self.active

    def close_session(self, key):
        self.stored.pop(key, None)


def test_a_session_is_kept_for_its_patience_and_then_emptied():
    session = Session("a", own_data=Held())
    found = SessionCleanup(Manager(session), 40)
    assert not found.look(100)
    assert not found.look(139)
    assert session.session_state
    assert found.look(140)
    assert not session.session_state
    assert not session.session_state._new_widget_state.widget_metadata
    assert session.closed == 1


def test_what_was_typed_in_goes_with_the_session():
    session = Session("a")
    session._client_state.widget_states.widgets.add(id="name", string_value="Ada")
    session._client_state.query_string = "name=Ada"
    assert SessionCleanup(Manager(session), 0).look(0)
    assert b"Ada" not in session._client_state.SerializeToString()


def test_a_session_that_comes_back_keeps_everything_and_its_time_begins_anew():
    session = Session("a", own_data=Held())
    manager = Manager(session)
    found = SessionCleanup(manager, 40)
    found.look(100)
    manager.active["a"] = manager.stored.pop("a")
    assert not found.look(130)
    assert not found.look(150)
    manager.stored["a"] = manager.active.pop("a")
    assert not found.look(160)
    assert not found.look(199)
    assert session.session_state
    assert found.look(200)


def test_a_session_the_server_forgot_is_emptied_at_the_next_look():
    session = Session("a", own_data=Held())
    manager = Manager(session)
    found = SessionCleanup(manager, 40)
    found.look(100)
    manager.stored.clear()
    assert found.look(105)
    assert not session.session_state


def test_the_work_of_a_session_is_stopped_and_dropped():
    jobs = Jobs(workers=1)
    heard = []

    def work(report, cancelled):
        while not cancelled():
            pass
        heard.append(True)

    jobs.poll("a", work)
    session_cleanup.empty(Session("a", own_jobs=jobs))
    assert jobs.peek("a") is None
    jobs._pool.shutdown(wait=True)
    assert heard == [True]


@pytest.mark.parametrize("frozen", [False, True])
def test_what_was_set_aside_is_collected_with_its_session(frozen):
    session = Session("a", own_data=Held())
    cycle = [session.session_state["own_data"]]
    cycle.append(cycle)  # a closure of the page, say
    session.cycle = cycle
    refs = weakref.ref(session), weakref.ref(cycle[0])
    found = SessionCleanup(Manager(session), 0)
    if frozen:
        gc.freeze()
    try:
        del session, cycle
        assert found.look(0)
        collect(found)
        assert [ref() for ref in refs] == [None, None]
    finally:
        gc.unfreeze()


def test_a_table_that_was_set_aside_is_collected_though_its_session_was_not():
    table = Held()
    cycle = [table]
    cycle.append(cycle)  # a form that was drawn when another session left
    ref = weakref.ref(table)
    gc.freeze()
    try:
        session = Session("a", own_table=("file", table, "token"))
        del table, cycle
        found = SessionCleanup(Manager(session), 0)
        del session
        assert found.look(0)
        collect(found)
        assert ref() is None
    finally:
        gc.unfreeze()


def test_a_session_that_is_still_held_is_emptied_again_and_given_up_in_the_end(monkeypatch):
    # This test itself holds the session: no collector could let it go, and none has to run 26 times.
    idle = types.SimpleNamespace(**dict.fromkeys(("collect", "freeze", "unfreeze"), lambda: None))
    monkeypatch.setattr(session_cleanup, "gc", idle)
    session = Session("a")
    found = SessionCleanup(Manager(session), 0)
    for n in range(session_cleanup._TRIES + 1):
        session.session_state["late"] = n  # a script that has not ended yet
        assert found.look(n)
        assert not session.session_state
        collect(found)
    assert not found.look(1000)


def test_everything_is_looked_through_once_for_a_session_without_own_data(monkeypatch):
    whole = []
    monkeypatch.setattr("gc.unfreeze", lambda: whole.append(0))
    monkeypatch.setattr("gc.freeze", lambda: None)
    for own, looks in (({}, 1), ({"own_data": Held()}, 3)):
        session = Session("a", **own)
        found = SessionCleanup(Manager(session), 0)
        whole.clear()
        for n in range(3):
            found.look(n)
            collect(found)
        assert len(whole) == looks


def test_memory_is_overwritten_when_own_data_are_freed_and_when_the_session_is(monkeypatch):
    overwritten = []
    monkeypatch.setattr(session_cleanup.freed_memory, "overwrite", overwritten.append)
    table = Held()
    table.frame = types.SimpleNamespace(size=60)
    session = Session("a", own_table=("file", table, "token"))
    found = SessionCleanup(Manager(session), 0)
    found.look(0)
    collect(found)
    assert overwritten == []
    assert found.holds_bytes
    del table
    found.look(1)
    collect(found)
    assert overwritten == [60]
    del session
    found.look(2)
    collect(found)
    assert overwritten == [60, 60]
    assert not found.holds_bytes


def test_memory_is_overwritten_after_a_table_that_was_refused_or_removed(monkeypatch):
    overwritten = []
    monkeypatch.setattr(session_cleanup.freed_memory, "overwrite", overwritten.append)
    senders = {"a", "b", "c"}
    refused = {"own_table": ("file", "a column is missing", "token")}
    for name, state in (("a", refused), ("b", {})):
        session = Session(name, **state)
        found = SessionCleanup(Manager(session), 0, senders)
        del session
        found.look(0)
        collect(found)
    assert overwritten == [session_cleanup._MOST_CELLS] * 2
    assert senders == {"c"}


def test_memory_stays_as_it_is_after_sessions_that_sent_no_file(monkeypatch):
    overwritten = []
    monkeypatch.setattr(session_cleanup.freed_memory, "overwrite", overwritten.append)
    session = Session("a", own_options="Tea 1", own_data_file=None, own_data_leave=False)
    found = SessionCleanup(Manager(session), 0, set())
    del session
    found.look(0)
    assert not found.holds_bytes
    collect(found)
    assert overwritten == []


def test_what_is_configured_keeps_the_promise():
    root = Path(__file__).resolve().parents[3]
    kept = tomllib.loads((root / ".streamlit" / "config.toml").read_text())["server"]
    assert kept["disconnectedSessionTTL"] + 2 * session_cleanup.LOOK < 60
