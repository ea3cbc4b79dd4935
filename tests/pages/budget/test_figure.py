"""The page Budget: what is drawn is what was accounted."""

import json
import re

import numpy as np
import pytest

from dpcore import accounting
from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams
from dpcore.experiments.composition_tables import NOISE_GRID, RATE_GRID
from dpcore.experiments.grids import DELTA_GRID
from pages.budget import words
from pages.budget.figure import figure
from pages.budget.pipeline import PIPELINE
from tests.programs import curve, program_figure
from ui.figure_kit.detail_level import at_depth, with_meaning
from ui.live.depth import Depth
from ui.live.transport import Delivery, message
from ui.words.numbers import show


@pytest.mark.parametrize("mechanism", ["gaussian", "laplace"])
def test_the_budget_lab_shows_the_account(mechanism):
    params = BudgetParams(mechanism=mechanism, n_steps=100, sample_rate=0.1, answer_epsilon=0.5)
    live_figure = figure(PIPELINE.still(params))
    true = accounting.spent(budget.whole(params), params.delta)
    assert live_figure.evaluate("pld_now") == pytest.approx(true, rel=3e-3)
    assert (
        live_figure.evaluate("printed_root_short").max() <= live_figure.evaluate("pld").max() + 1e-6
    )
    assert "ledger" not in live_figure.values


RULES = {"purses": ("basic", "now"), "rules": ("basic", "advanced", "rdp", "now")}


def purses(live_figure, key):
    return next(panel for panel in live_figure.panels if panel.key == key)


@pytest.mark.parametrize("key", list(RULES))
@pytest.mark.parametrize("mechanism", ["gaussian", "laplace"])
def test_the_last_purse_pays_what_the_account_asks(mechanism, key):
    params = BudgetParams(mechanism=mechanism, n_steps=5, epsilon=4.0)
    live_figure = figure(PIPELINE.still(params))
    panel = purses(live_figure, key)
    costs = [float(live_figure.evaluate(layer.spent)) for layer in panel.layers]
    assert costs[-1] == pytest.approx(
        accounting.spent(budget.whole(params), params.delta), rel=3e-3
    )
    assert min(costs) >= costs[-1], "no rule takes fewer coins than the answers cost"
    assert {float(live_figure.evaluate(layer.budget)) for layer in panel.layers} == {4.0}


@pytest.mark.parametrize("key", list(RULES))
@pytest.mark.parametrize("mechanism", ["gaussian", "laplace"])
@pytest.mark.parametrize("n_steps", [1, 500, 10_000])
def test_a_purse_is_empty_where_its_answers_cost_more_than_the_budget(mechanism, n_steps, key):
    live_figure = figure(PIPELINE.still(BudgetParams(mechanism=mechanism, n_steps=n_steps)))
    for layer, rule in zip(purses(live_figure, key).layers, RULES[key], strict=True):
        lasts = int(live_figure.evaluate(f"affordable_{rule}"))
        told = live_figure.filled(layer.words_empty[0])
        assert f" {show(lasts, 'd')} of {show(n_steps, 'count answer')}" in told
        empty = float(live_figure.evaluate(layer.spent)) > float(live_figure.evaluate(layer.budget))
        assert empty == (lasts < n_steps), rule


def test_a_first_look_needs_no_name_of_a_rule():
    state = PIPELINE.still(BudgetParams())
    shown = at_depth(with_meaning(figure(state), words.meaning(state)), Depth.LOOK)
    assert [panel.key for panel in shown.panels] == ["purses"]
    assert not {"advanced_now", "rdp_now", "affordable_rdp"} & set(shown.arrays)
    (purse,) = shown.panels
    said = " ".join((purse.caption, *purse.x.words, *shown.texts[0].strings))
    said = re.sub(r"{[^}]*}", "", said).lower()
    assert not any(name in said for name in ("composition", "rényi", "advanced", "basic"))


def test_the_first_figure_at_understand_waits_for_no_array_of_a_closed_tab():
    state = PIPELINE.still(BudgetParams())
    shown = at_depth(with_meaning(figure(state), words.meaning(state)), Depth.UNDERSTAND)
    how = Delivery()
    files = [one for one in message(shown, how)["files"] if not one["purpose"]]
    size = sum(len(how.store.packed(one["url"])) for one in files)
    assert 50_000 < size < 210_000


def test_budget_says_the_same_number_under_the_figure_and_in_the_formula():
    params = BudgetParams()
    state = PIPELINE.still(params)
    live_figure = figure(state)
    for name in ("printed_sum", "printed_root"):
        shown = float(live_figure.evaluate(f"{name}_now"))
        assert words.at_present(state, name) == pytest.approx(shown, rel=1e-6)
    assert words.needed(state) == pytest.approx(float(live_figure.evaluate("needed")), rel=1e-6)


def test_the_program_draws_the_curves_of_the_live_figure():
    params, shown = BudgetParams(), program_figure("budget")
    live = figure(PIPELINE.still(params)).arrays
    place = (
        NOISE_GRID.index(params.noise_multiplier), RATE_GRID.index(params.sample_rate),
        DELTA_GRID.index(params.delta),
    )  # fmt: skip
    for name, array in (("true cost", "pld"), ("Sarkar's qε√T", "printed_root")):
        found = np.asarray(live[array].values)[place]
        assert np.minimum(curve(shown, name), 1e4) == pytest.approx(
            found[: len(curve(shown, name))]
        )


def test_no_count_is_drawn_where_the_count_has_ended():
    live_figure = figure(PIPELINE.still(BudgetParams(n_steps=10)))
    drawn = live_figure.evaluate("affordable")
    last = int(np.isfinite(drawn).sum()) - 1
    assert 0 < last < len(drawn) - 1
    assert drawn[last] == pytest.approx(10_000)
    assert drawn[:last].max() < 10_000
    assert np.isnan(drawn[last + 1 :]).all()


def test_the_message_stays_small():
    shown = figure(PIPELINE.still(BudgetParams()))
    assert len(json.dumps(message(shown))) < 3_000_000
