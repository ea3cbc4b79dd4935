"""Parameters of a page between its link and the session."""

from dataclasses import dataclass

import pytest
import streamlit as st

from dpcore.experiments.audit import AuditParams
from dpcore.experiments.params import Params, control
from ui.frame import controls


@dataclass(frozen=True)
class Numbers(Params):
    epsilon: float = control(1.0, grid=(0.5, 1.0, 2.0))


class Query(dict):
    """As much of Streamlit's query parameters as is used."""

    def from_dict(self, values):
        self.clear()
        self.update(values)


@pytest.fixture
def opened(monkeypatch):
    def open_link(**link):
        monkeypatch.setattr(st, "query_params", Query(link))
        monkeypatch.setattr(st, "session_state", {})
        return controls.current(Numbers, "page")

    return open_link


def test_a_link_of_another_version_is_said_and_its_values_are_taken(opened):
    params, problems = opened(epsilon="2", v="99")
    assert params.epsilon == 2.0
    assert problems == [
        "This link is of version 99; this app reads versions 1, 2, 3, 4, 5, 6 and 7. Check the values shown."
    ]


def test_a_link_of_an_older_version_means_what_it_meant(monkeypatch):
    monkeypatch.setattr(st, "query_params", Query({"trainings": "100", "v": "1"}))
    monkeypatch.setattr(st, "session_state", {})
    params, problems = controls.current(AuditParams, "audit")
    assert (params.target, params.trainings, problems) == ("laplace", 100, [])
    assert st.query_params["target"] == "laplace", "and what is written now says it"
    assert st.query_params["v"] == controls.LINK_VERSION


def test_a_control_that_is_not_there_is_said(opened):
    params, problems = opened(epsilon="2", lid="3", v="4", depth="look", seed="1", delta="0.1")
    assert params.epsilon == 2.0
    assert problems == ["The link sets “lid”, which this page does not have: it changes nothing."]


@pytest.mark.parametrize(
    "link",
    [
        {},
        {"epsilon": "2"},
        {"epsilon": "2", "v": "1"},
        {"epsilon": "2", "v": controls.LINK_VERSION},
    ],
)
def test_a_link_of_this_version_or_of_none_is_taken_without_a_word(opened, link):
    assert opened(**link)[1] == []


def test_a_long_version_is_cut(opened):
    (sentence,) = opened(v="9" * 500)[1]
    assert len(sentence) < 120


def test_what_is_stored_is_a_link_of_this_version(opened):
    opened(epsilon="2")
    assert st.query_params == {"epsilon": "2", "v": controls.LINK_VERSION}
