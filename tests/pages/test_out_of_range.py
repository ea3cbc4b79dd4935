"""Numbers beyond what a control has, through a link and through an event: a sentence, on every page."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from pages import specs
from tests.pages.visits import app
from ui.frame import page_spec
from ui.frame.page_spec import PageSpec
from ui.live import component

PAGES = {spec.key: spec for spec in specs() if isinstance(spec, PageSpec)}
BELOW_OR_ABOVE = [(page, place % 2) for place, page in enumerate(PAGES)]
"""Pages, each with the side on which its link leaves the ranges; an event then leaves them on the other side."""


def beyond(params):
    """For every number of a page, a value below its range and one above: name, value, its ends."""
    found = []
    for name, item in params.controls().items():
        if item.grid is not None:
            low, high = item.grid[0], item.grid[-1]
        elif item.low is not None and item.high is not None:
            low, high = item.low, item.high
        else:
            continue
        found += [(name, value, low, high) for value in (low - 7, high * 3 + 7)]
    return found


def plain(text):
    """A number as a test compares it, however it is written."""
    return re.sub(r"[\s\u2009\u202f,`\\]", "", text).lower()


def is_told(sentences, case):
    """Whether a sentence names the value, both ends of the range, and what to do or what is done."""
    _, value, low, high = case
    for text in map(plain, sentences):
        if all(f"{number:.12g}" in text or f"{number:g}" in text for number in (value, low, high)):
            return "give" in text or "nearest" in text or "use" in text
    return False


@pytest.mark.parametrize(("page", "side"), BELOW_OR_ABOVE)
def test_a_link_beyond_every_range_gets_a_sentence_for_each(page, side):
    params = PAGES[page].params
    cases = beyond(params)[side::2]
    assert cases
    found = app(page, **{name: f"{value:.12g}" for name, value, *_ in cases})
    assert not found.exception
    said = [item.value for item in found.warning]
    assert [case for case in cases if not is_told(said, case)] == []
    assert found.session_state[f"params.{page}"] == params()


def told(key):
    """Open a page, and on the second run take an event in first: what `component.event` gives."""
    import streamlit as st

    from pages import specs
    from ui.frame import page_spec

    spec = next(one for one in specs() if one.key == key)
    if f"params.{key}" in st.session_state:
        page_spec._on_event(spec)
    page_spec.open_page(spec)


@pytest.mark.parametrize(("page", "side"), BELOW_OR_ABOVE)
def test_an_event_beyond_every_range_gets_a_sentence_for_each(page, side, monkeypatch):
    params = PAGES[page].params
    cases = beyond(params)[1 - side :: 2]
    assert cases
    found = AppTest.from_function(told, kwargs={"key": page}, default_timeout=60).run()
    sent = component.Event(phase="commit", values={name: value for name, value, *_ in cases})
    monkeypatch.setattr(page_spec.component, "event", lambda key: sent)
    found.run()
    assert not found.exception
    said = [item.value for item in found.warning]
    assert [case for case in cases if not is_told(said, case)] == []
    assert found.session_state[f"params.{page}"] == params()
