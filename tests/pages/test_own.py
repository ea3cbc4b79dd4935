"""A person's own table: what was computed from one never answers for another."""

import numpy as np
import pytest
import streamlit as st

from dpcore.datasets import read_csv
from dpcore.experiments.kahm import KahmParams
from pages.kahm import pipeline as kahm
from ui import own
from ui.jobs import Jobs, Stage

KEYS = {
    "kahm": ("own_data", lambda: kahm._key("study", kahm._STUDY, KahmParams(table="own"))),
}


@pytest.fixture
def session(monkeypatch):
    state = {}
    monkeypatch.setattr(st, "session_state", state)
    return state


def table(seed):
    rows = np.random.default_rng(seed).uniform(0, 1, (20, 2))
    raw = "a,b,kind\n" + "".join(f"{a},{b},{'uv'[i % 2]}\n" for i, (a, b) in enumerate(rows))
    return read_csv(raw.encode()).to_dataset("kind", estimate_bounds=True)


def test_another_table_gets_another_name_and_the_same_one_keeps_its(session):
    session["own_data"] = table(1)
    first = own.token("own_data")
    assert own.token("own_data") == first
    assert len(first) == 32
    session["own_data"] = table(2)
    assert own.token("own_data") != first


@pytest.mark.parametrize("page", KEYS)
def test_another_table_at_the_same_address_gets_no_stale_result(session, monkeypatch, page):
    where, key = KEYS[page]
    jobs = Jobs()
    session[where] = table(1)
    jobs.poll(key(), lambda report, _: report(Stage("of the first", 1.0)), wait=10)
    assert jobs.peek(key()).value == "of the first"
    session[where] = table(2)
    assert jobs.peek(key()) is None
