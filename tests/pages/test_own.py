"""A person's own table: what was computed from one never answers for another."""

import numpy as np
import pytest
import streamlit as st

from dpcore.datasets import OwnChoices, own_table, read_csv
from pages import specs
from ui.jobs import pools
from ui.live import tokens
from ui.runner.look import Look

PAGES = [
    spec
    for spec in specs()
    if getattr(spec, "pipeline", None) and spec.pipeline.data and spec.pipeline.data.own
]


@pytest.fixture
def session(monkeypatch):
    state = {}
    monkeypatch.setattr(st, "session_state", state)
    return state


def table(seed):
    rows = np.random.default_rng(seed).uniform(0, 1, (20, 2))
    raw = "a,b,kind\n" + "".join(f"{a},{b},{'uv'[i % 2]}\n" for i, (a, b) in enumerate(rows))
    said = OwnChoices(task="classification", target="kind", features=("a", "b"))
    return own_table(read_csv(raw.encode()), said)


def test_another_table_gets_another_name_and_the_same_one_keeps_its(session):
    session["own_data"] = table(1)
    first = tokens.token("own_data")
    assert tokens.token("own_data") == first
    assert len(first) == 32
    session["own_data"] = table(2)
    assert tokens.token("own_data") != first


@pytest.mark.parametrize("spec", PAGES, ids=lambda spec: spec.key)
def test_what_one_table_gave_is_kept_under_its_own_name(session, spec):
    data = spec.pipeline.data
    params = spec.params().but(**{data.choice: "own"})
    for stage in (data, *spec.pipeline.stages):
        session[data.own] = table(1)
        first = Look(spec.pipeline, params, computes=False)._job(stage)
        session[data.own] = table(2)
        second = Look(spec.pipeline, params, computes=False)._job(stage)
        reads = data.choice not in stage.ignored(params)
        assert (first[1] != second[1]) == reads, stage.name
        assert (first[0] is not pools.shared_jobs()) == reads, stage.name
