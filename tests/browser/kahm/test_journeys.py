"""Journeys through the affine hull page in a real browser."""

import re
from functools import partial

import numpy as np
import pytest

from tests.browser import journey
from tests.browser.journey import (
    PATIENCE,
    answered,
    given,
    heard,
    held,
    listening,
    near,
    painted,
    picture,
)

pytestmark = pytest.mark.browser
NAME = "kahm"
N = "n, dimensions of the image"
SMALL = "table=iris&n_records=40"
live_figure, known, rested = (
    partial(act, name=NAME) for act in (journey.live_figure, journey.known, journey.settled)
)


def opened(page, address, query=SMALL):
    journey.opened(page, address, f"kahm?{query}", idle=False)


@pytest.mark.parametrize(
    ("name", "field", "panels"),
    [
        ("ε, privacy parameter of one value", "epsilon", ["stage"]),
        (N, "n_components", ["stage", "original"]),
        ("skew of the parties", "skew", ["held"]),
    ],
)
def test_a_handle_moves_the_picture_before_it_is_let_go_and_the_link_after(
    page, address, name, field, panels
):
    opened(page, address)
    rested(page)
    if "held" in panels:
        page.get_by_role("tab", name="Federated", exact=True).click()
        page.locator("[data-panel='held']").scroll_into_view_if_needed()
    near(page, name)
    before = [picture(page, panel) for panel in panels]
    listening(page, name=NAME)
    value, mounts = (
        live_figure(page, f"figure.values.{field}"),
        live_figure(page, "figure.stats.mounts"),
    )
    held(page, name, 0.97 if field == "skew" else 0.03)
    assert all(picture(page, panel) != old for panel, old in zip(panels, before, strict=True))
    assert heard(page) == set()  # the server was told nothing
    page.mouse.up()
    page.wait_for_function(f"location.search.includes('{field}=')")
    assert live_figure(page, f"figure.values.{field}") != value
    assert live_figure(page, "figure.stats.mounts") == mounts


def test_what_the_handle_of_n_draws_is_what_python_answers(page, address):
    opened(page, address)
    near(page, N)
    known(page, "figure.shape('points_by_n_components')")
    held(page, N, 0.03)
    ahead = {
        name: live_figure(page, f"figure.slice('{name}')")
        for name in ("points", "net0_x", "target")
    }
    page.mouse.up()
    known(page, "figure.answered.n_components === 1")
    rested(page)
    for name, values in ahead.items():
        now = np.array(live_figure(page, f"figure.slice('{name}')"), float)
        bound = 1e-5 if name == "target" else 5e-4  # places travelled in 16 bits, both times
        np.testing.assert_allclose(np.array(values, float), now, atol=bound)


def test_the_link_restores_the_very_picture(page, address):
    opened(page, address, f"{SMALL}&epsilon=4&n_components=1&seed=3&stage=2")
    known(page, "figure.shape('points')[0] === 50")
    page.get_by_role("slider", name="ε, privacy parameter of one value", exact=True).press(
        "ArrowRight"
    )
    page.wait_for_function("!location.search.includes('epsilon=4&')")
    names = ("points", "net0_x", "error_now", "tight_table")
    known(page, "Number.isFinite(figure.slice('tight_table')[0])")
    drawn = {name: live_figure(page, f"figure.slice('{name}')") for name in names}
    opened(page, address, page.url.split("?")[1])
    known(page, "figure.shape('points')[0] === 50")
    known(page, "Number.isFinite(figure.slice('tight_table')[0])")
    for name, values in drawn.items():
        assert live_figure(page, f"figure.slice('{name}')") == values, name


def test_the_claims_fill_once_their_tab_is_open(page, address):
    opened(page, address, f"{SMALL}&seed=11")
    page.get_by_text("measured once the tab").first.wait_for()
    page.get_by_role("tab", name="Accuracy", exact=True).click()
    rested(page)
    page.wait_for_function("!document.body.innerText.includes('measured once the tab')")
    page.get_by_text("a value: KAHM").wait_for()


def test_pin_keeps_b_and_reset_goes_back(page, address):
    opened(page, address)
    known(page, "figure.shape('points')[0] === 50")
    error = live_figure(page, "figure.slice('error_now')[0]")
    page.get_by_role("button", name="Pin", exact=True).click()
    painted(page)
    page.get_by_role("button", name="Redraw noise").click()
    page.wait_for_function("location.search.includes('seed=1')")
    page.locator(".dp-tile", has_text="modelling error").locator(".dp-b").wait_for()
    shown = page.locator(".dp-tile", has_text="modelling error").locator(".dp-b").inner_text()
    assert float(re.findall(r"[0-9.]+", shown)[-1]) == pytest.approx(error, rel=0.06)
    assert page.evaluate(f"window.__dpLive['{NAME}'].layers('stage')") > 6
    page.get_by_role("button", name="Reset", exact=True).click()
    known(page, "figure.values.n_records === 200")


def test_own_csv_from_bad_files_to_the_tabs(page, address):
    opened(page, address, "table=own&n_records=40")
    given(page, "empty.csv", b"")
    page.get_by_text("is empty").wait_for()
    given(page, "words.csv", b"a,b\nx,y\nz,w\n")
    page.get_by_text("holds no column of numbers").wait_for()
    assert page.locator(".stException").count() == 0
    rng = np.random.default_rng(0)
    kind = np.repeat([0, 1], 40)
    rows = rng.normal(kind[:, None] * 3, 1, (80, 3))
    text = "\n".join(
        f"{a:.3f},{b:.3f},{c:.3f},{'uv'[k]}" for (a, b, c), k in zip(rows, kind, strict=True)
    )
    answered(page, "own.csv", f"x,y,z,kind\n{text}".encode(), predicts="kind")
    page.get_by_role("button", name="Use this table").click(timeout=PATIENCE)
    page.get_by_text("80 rows.").wait_for(timeout=PATIENCE)
    known(page, "figure.values.table === 'own'")
    page.get_by_text("That leaks: nothing is proved").wait_for(timeout=PATIENCE)
    page.get_by_role("tab", name="Accuracy", exact=True).click()
    page.wait_for_timeout(600)
    rested(page)
    assert live_figure(page, "figure.slice('pure_table')[0]") == 24  # three values of ε = 8 each
    assert 0.5 < live_figure(page, "figure.slice('fabricated_KAHM_now')[0]") <= 1


@pytest.mark.parametrize("query", ["n_components=7"])
def test_a_bad_link_gets_a_sentence_and_a_working_page(page, address, query):
    opened(page, address, query)
    page.get_by_text(f"to “{query.partition('=')[2]}”. It can be ").wait_for()
    assert live_figure(page, "figure.slice('points').length") > 0
