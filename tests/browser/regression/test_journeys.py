"""Journeys through the regression page in a real browser."""

from functools import partial

import numpy as np
import pytest

from tests.browser import journey
from tests.browser.journey import (
    asked,
    given,
    grab,
    heard,
    listening,
    near,
    painted,
    picture,
)

pytestmark = pytest.mark.browser
NAME = "regression"
live_figure, idle = (partial(act, name=NAME) for act in (journey.live_figure, journey.settled))
N, D, EPSILON = "n, people (at most)", "d, features (at most)", "ε, privacy parameter"


def opened(page, address, query=""):
    journey.opened(page, address, f"{NAME}{query}")


HANDLES = {"epsilon": EPSILON, "n_samples": N, "n_features": D}


def test_handles_move_the_picture_before_release_and_the_link_restores_it(page, address):
    opened(page, address, "?dataset=synth1d&n_samples=200&epsilon=0.5&seed=3")
    first = live_figure(page, "figure.slice('line_y')")
    page.get_by_role("tab", name="All methods", exact=True).click()
    page.wait_for_timeout(600)
    idle(page)
    for name, label in HANDLES.items():
        _moved(page, name, label)
    keys = ("lines_y", "parabolas", "loss", "here_points")
    drawn = {key: live_figure(page, f"figure.slice('{key}')") for key in keys}
    opened(page, address, page.url.split("/regression")[1])
    for key, values in drawn.items():
        assert live_figure(page, f"figure.slice('{key}')") == values, key
    assert live_figure(page, "figure.slice('line_y')") != first
    _buttons(page)


def _moved(page, name, label):
    """Drag a handle: the picture follows before it is let go, the link after."""
    near(page, label)
    before = picture(page, "loss_test")
    listening(page, name=NAME)
    old, others = (
        live_figure(page, f"figure.values.{name}"),
        live_figure(page, "figure.slice('test_joint_now')"),
    )
    link = page.url
    grab(page, label, 0.5)
    page.mouse.down()
    draws = live_figure(page, "figure.stats.draws")
    grab(page, label, 0.2)
    page.wait_for_function(f"window.__dpLive['{NAME}'].values.{name} !== {old}")
    page.wait_for_function(f"window.__dpLive['{NAME}'].stats.draws > {draws}")
    page.wait_for_timeout(300)
    drawn = {
        key: live_figure(page, f"figure.slice('{key}')") for key in ("lines_y", "loss", "ideal_y")
    }
    assert picture(page, "loss_test") != before, label
    assert live_figure(page, "figure.slice('test_joint_now')") != others, "other methods follow"
    assert np.isfinite(live_figure(page, "figure.slice('test_descent_now')")).all()
    assert (heard(page), page.url) == (set(), link), "the server knows nothing"
    page.mouse.up()
    idle(page)
    value = live_figure(page, f"figure.values.{name}")
    assert value != old
    assert f"{name}={value:g}" in page.url
    for key, values in drawn.items():  # what was drawn ahead is what Python answers
        found = live_figure(page, f"figure.slice('{key}')")
        bound = 1e-5 if key == "loss" else 1e-3  # places travelled in 16 bits, both times
        old_values = np.array(values[: len(found)], float)
        np.testing.assert_allclose(
            np.array(found, float), old_values, rtol=1e-5, atol=bound, err_msg=key
        )


def _buttons(page):
    """Pin, redraw, take the settings of a paper, and go back."""
    first = live_figure(page, "figure.slice('line_y')")
    page.get_by_role("button", name="Pin", exact=True).click()
    painted(page)
    kept = page.locator(".dp-tile .dp-b").first
    loss = page.locator(".dp-tile dd").first.inner_text()
    assert kept.inner_text() == loss
    pinned = page.locator(".dp-readouts").inner_text()
    page.get_by_role("button", name="Redraw noise").click()
    idle(page)
    assert "seed=4" in page.url
    assert live_figure(page, "figure.slice('line_y')") != first
    assert kept.inner_text() == loss
    assert page.locator(".dp-readouts").inner_text() != pinned
    page.get_by_role("button", name="As Jiang did it").click()
    page.wait_for_function(f"window.__dpLive['{NAME}'].values.n_features === 13")
    page.get_by_text("Lap(224").or_(page.get_by_text("n = 296\u202f000")).first.wait_for()
    assert kept.inner_text() == "", "of other records: no comparison"
    page.get_by_role("button", name="Reset", exact=True).click()
    page.wait_for_function(f"window.__dpLive['{NAME}'].values.n_features === 1")


ROWS = "\n".join(f"{(7 * k) % 50},{k % 9},{(7 * k) % 50 + 3}" for k in range(80)).encode()
TABLE = b"age,visits,score\n" + ROWS
OWN = "?dataset=own"


def type_bounds(page, bounds):
    for name, text in bounds.items():
        page.get_by_label(name, exact=True).fill(text)
        page.keyboard.press("Tab")


BAD = {
    "a million rows": (lambda: b"a,b\n" + b"1,2\n" * 1_000_000, "1 000 000 rows; at most 100 000"),
    "no numbers": (lambda: b"a,b\n" + b"x,y\n" * 40, "holds no column of numbers"),
    "one column": (lambda: b"a\n" + b"1\n" * 40, "The table has one column"),
    "an open quote": (lambda: b'a,b\n1,"2\n', "a quote is not closed"),
    "not text": (lambda: b"\x00\x01\x02", "The file is not text"),
    "nothing": (lambda: b" \n", "The file is empty"),
}  # fmt: skip


def test_bad_files_get_a_sentence_each_and_a_declared_table_comes_in(page, address):
    opened(page, address, OWN)
    for name, (content, words) in BAD.items():
        given(page, f"{name}.csv".replace(" ", "_"), content())
        page.get_by_text(words).wait_for()
    _declare_bounds(page)


def _declare_bounds(page):
    """Declare bounds: the promise is kept."""
    asked(page, "own.csv", TABLE, predicts="score")
    page.get_by_text("I give them for each column").click()
    type_bounds(page, {"visits": "0, 10", "score": "0, 60", "age": "0, -5"})  # the last one wrong
    page.get_by_text("The bounds of “age” are 0 and −5: give the lower number first").wait_for()
    assert page.get_by_role("button", name="Go on to step 3").is_disabled()
    assert live_figure(page, "figure.values.dataset") == "diabetes"  # nothing was lost
    type_bounds(page, {"age": "0, 60"})
    page.get_by_text("Everybody may know how many rows").click()
    page.get_by_role("button", name="Go on to step 3").click()
    page.get_by_role("button", name="Use this table").click()
    page.wait_for_function(f"window.__dpLive['{NAME}'].values.dataset === 'own'")
    idle(page)
    page.get_by_text("80 rows.").wait_for()
    page.get_by_text("proof: holds under an assumption").wait_for()
    assert page.get_by_text("proof: none").count() == 0
    assert "dataset=own" in page.url
    assert live_figure(page, "figure.slice('points')")[0] >= 0
    page.get_by_role("slider", name=N, exact=True).press("Home")
    idle(page)
    assert live_figure(page, "figure.slice('loss')")[0] > 0
