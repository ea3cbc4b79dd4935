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


EPSILON = "ε, privacy parameter of one value"
DRAWN = ("points", "net0_x", "error_now", "tight_table")


def test_handles_claims_and_pin_from_an_opening_to_its_link(page, address):
    opened(page, address, f"{SMALL}&epsilon=4&seed=3&stage=2")
    known(page, "figure.shape('points')[0] === 50")
    rested(page)
    page.get_by_text("measured once the tab").first.wait_for()
    _moved(page, N, "n_components", ["stage", "original"], share=0.97)
    _moved(page, EPSILON, "epsilon", ["stage"])
    page.get_by_role("tab", name="Accuracy", exact=True).click()
    rested(page)
    page.wait_for_function("!document.body.innerText.includes('measured once the tab')")
    page.get_by_text("a value: KAHM").wait_for()
    _link_restores(page, address)
    page.get_by_role("tab", name="Federated", exact=True).click()
    page.locator("[data-panel='held']").scroll_into_view_if_needed()
    _moved(page, "skew of the parties", "skew", ["held"], share=0.97)
    _pin(page)


def _moved(page, name, field, panels, *, share=0.03):
    """Drag a handle: the picture moves before it is let go, the link after, and Python answers what was drawn."""
    near(page, name)
    before = [picture(page, panel) for panel in panels]
    listening(page, name=NAME)
    value, mounts = (
        live_figure(page, f"figure.values.{field}"),
        live_figure(page, "figure.stats.mounts"),
    )
    if field == "n_components":
        known(page, "figure.shape('points_by_n_components')")
    held(page, name, share)
    assert all(picture(page, panel) != old for panel, old in zip(panels, before, strict=True)), name
    assert heard(page) == set(), f"the server was told of {name}"
    ahead = {
        key: live_figure(page, f"figure.slice('{key}')") for key in ("points", "net0_x", "target")
    }
    page.mouse.up()
    page.wait_for_function(f"location.search.includes('{field}=')")
    moved = live_figure(page, f"figure.values.{field}")
    assert moved != value
    assert live_figure(page, "figure.stats.mounts") == mounts
    known(page, f"figure.answered.{field} === {moved}")
    rested(page)
    if field == "n_components":
        _same_as(page, ahead)


def _same_as(page, ahead):
    for name, values in ahead.items():
        now = np.array(live_figure(page, f"figure.slice('{name}')"), float)
        bound = 1e-5 if name == "target" else 5e-4  # places travelled in 16 bits, both times
        np.testing.assert_allclose(np.array(values, float), now, atol=bound)


def _link_restores(page, address):
    known(page, "Number.isFinite(figure.slice('tight_table')[0])")
    drawn = {name: live_figure(page, f"figure.slice('{name}')") for name in DRAWN}
    opened(page, address, page.url.split("?")[1])
    known(page, "figure.shape('points')[0] === 50")
    known(page, "Number.isFinite(figure.slice('tight_table')[0])")
    for name, values in drawn.items():
        assert live_figure(page, f"figure.slice('{name}')") == values, name


def _pin(page):
    """Pin keeps B, and reset goes back."""
    error = live_figure(page, "figure.slice('error_now')[0]")
    page.get_by_role("button", name="Pin", exact=True).click()
    painted(page)
    page.get_by_role("button", name="Redraw noise").click()
    page.wait_for_function("location.search.includes('seed=4')")
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
    assert live_figure(page, "figure.slice('pure_table')[0]") == 60  # three values of ε = 20 each
    assert 0.5 < live_figure(page, "figure.slice('fabricated_KAHM_now')[0]") <= 1
