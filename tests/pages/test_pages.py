"""Every page through AppTest: it runs, takes links and events, and answers bad ones in sentences."""

import re

import pytest

from pages import PAGES, specs
from tests.pages.visits import ALONG, app, data, opened, until
from ui.frame.page_spec import PageSpec
from ui.live.depth import Depth

CARDS = [spec for spec in specs() if spec.card]
SPECS = [spec for spec in specs() if isinstance(spec, PageSpec)]
FIRST = SPECS[0].key
OWN = [spec for spec in SPECS if spec.pipeline.data and spec.pipeline.data.own]


@pytest.mark.parametrize("name", [name for name in PAGES if name not in {s.key for s in SPECS}])
def test_every_page_runs_and_shows_a_live_figure(name):
    """A page of one figure does so at each of its depths, see below."""
    found = app(name)
    assert not found.exception
    if not found.get("bidi_component"):  # a page may ask before it shows
        found = app(name, verdict="wrong")
        assert not found.exception
    assert found.get("bidi_component")


@pytest.mark.parametrize(
    ("name", "value"), [("epsilon", "-1"), ("epsilon", "abc"), ("delta", "nope"), ("seed", "1.5")]
)
def test_a_bad_link_is_named_and_the_page_goes_on(name, value):
    spec = next(spec for spec in SPECS if name in spec.params.controls())
    found = app(spec.key, **{name: value})
    assert not found.exception
    assert any(f"to “{value}”. It can be " in item.value for item in found.warning)
    assert data(found)["values"]


@pytest.mark.parametrize("spec", OWN, ids=lambda spec: spec.key)
def test_own_data_that_was_not_given_is_said(spec):
    found = app(spec.key, **{spec.pipeline.data.choice: "own"})
    assert not found.exception
    assert any("Your own table is not in use yet" in item.value for item in found.warning)
    assert data(found)["panels"]


def test_epsilon_is_shared_by_all_pages_of_a_session():
    found = app(FIRST, epsilon="5")
    assert found.session_state["params.shared"]["epsilon"] == 5.0


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.key)
def test_each_depth_shows_more_the_link_keeps_it_and_the_card_gives_two_verdicts(spec):
    sizes, names = [], []
    for depth in Depth:
        found = app(spec.key, **({} if depth is Depth.LOOK else {"depth": depth.in_link}))
        assert not found.exception
        assert found.query_params.get("depth", "look") == depth.in_link
        until(found, lambda found=found: data(found)["panels"])  # of some the data are read behind
        names.append({panel["key"] for panel in data(found)["panels"]})
        sizes.append(len(found.markdown))
    assert names[0] <= names[1] <= names[2]
    assert sizes == sorted(sizes)
    _card_gives_two_verdicts_and_says_what_it_rests_on(spec, found)


def _card_gives_two_verdicts_and_says_what_it_rests_on(spec, found):
    texts = [item.value for item in found.markdown]
    text = "\n".join(texts)
    assert "-badge[protection: " in text
    assert "Declared public by this page" in text
    assert "except with probability" not in text
    if "proof: none" in text:  # a release that has no guarantee which noise could keep
        return
    draws = spec.params().draws_noise
    assert "proof: holds under an assumption" in text
    assert ("public seed" in text) == draws
    assert re.search(
        "After seeing this result they can be|This result may make them practically certain", text
    )
    assert ("Several results together" in text) == draws


def test_a_depth_that_is_not_there_is_said():
    found = app(FIRST, depth="bottom")
    assert not found.exception
    assert any("asks for a depth of “bottom”" in item.value for item in found.warning)


def test_a_depth_goes_from_page_to_page():
    found = app("mechanisms", depth="understand")
    found.query_params.clear()
    found.switch_page("budget/page.py").run()
    assert not found.exception
    assert found.session_state["depth"] is Depth.UNDERSTAND


def test_the_copy_without_seed_is_offered_on_the_page():
    name = next(spec.key for spec in SPECS if "seed" in spec.params.controls())
    found = opened(app(name), ALONG)
    assert any("take it away" in item.value for item in found.caption)
    found.toggle(key=f"no_seed.{name}").set_value(True).run()
    assert not found.exception
    assert any("does not contain the seed" in item.value for item in found.caption)


@pytest.mark.parametrize("name", ["mechanisms", "budget"])
def test_the_second_reader_of_a_page_gets_the_figure_of_the_first(name, monkeypatch):
    found = app(name)
    until(found, lambda: data(found)["busy"] is None)
    made = []
    monkeypatch.setattr(
        "ui.frame.depth_filter._figure_at", lambda *of: made.append(of)
    )  # None would be no figure
    assert data(app(name))["panels"] == data(found)["panels"]
    assert not made
