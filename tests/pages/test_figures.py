"""The labs of the foundations: what is drawn is what was computed, and messages stay small."""

import json

import numpy as np
import pytest

from dpcore import accounting
from dpcore.experiments import budget, descent, mechanisms
from dpcore.experiments.budget import BudgetParams
from dpcore.experiments.descent import DescentParams
from dpcore.experiments.mechanisms import MechanismsParams
from dpcore.experiments.mechanisms.params import GROUP_GRID
from pages.budget import view as budget_view
from pages.descent.figure import figure as descent_figure
from pages.descent.pipeline import PIPELINE as DESCENT
from pages.mechanisms import view as mechanisms_view
from ui.live.transport import message
from ui.runner import PageState

NOISES = ("laplace", "gaussian", "classical", "staircase")


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("question", ["salaries", "mean"])
def test_densities_are_in_the_units_of_the_question(noise, question):
    params = MechanismsParams(noise=noise, question=question, epsilon=2.0, group=3)
    lab = mechanisms_view.lab(params, False)
    asked, made = mechanisms.query(params), mechanisms.mechanism(params)
    x = lab.evaluate("x")
    if noise != "staircase":  # whose corners fall on either side in single precision
        top = made.density(asked.answer, asked.answer)
        assert lab.evaluate("density") == pytest.approx(
            made.density(x, asked.answer) / top, abs=2e-3
        )
    apart = x - lab.evaluate("x_other")
    assert apart == pytest.approx(np.full(len(x), 3 * asked.sensitivity), rel=1e-3)
    assert lab.evaluate("scale_now") == pytest.approx(made.scale, rel=1e-5)
    assert lab.evaluate("spy") == pytest.approx((1 + made.delta_at(0.0, 3)) / 2, rel=1e-5)


@pytest.mark.parametrize("mechanism", ["gaussian", "laplace"])
def test_the_budget_lab_shows_the_account(mechanism):
    params = BudgetParams(mechanism=mechanism, n_steps=100, sample_rate=0.1, answer_epsilon=0.5)
    lab = budget_view.lab(params, False)
    true = accounting.spent(budget.whole(params), params.delta)
    assert lab.evaluate("pld_now") == pytest.approx(true, rel=3e-3)
    assert lab.evaluate("printed_root_short").max() <= lab.evaluate("pld").max() + 1e-6
    assert "ledger" not in lab.values


def test_the_descent_lab_shows_the_training_and_its_cost():
    params = DescentParams(model="logistic", n_steps=20, noise_multiplier=2.0)
    lab = descent_figure(DESCENT.still(params))
    found = descent.run(params)
    k = list(found.noise).index(2.0)
    assert lab.evaluate("accuracy") == pytest.approx(found.accuracy[k, -1], abs=1e-6)
    assert lab.evaluate("field") == pytest.approx(found.fields[k, -1], abs=1 / 255)
    assert lab.evaluate("epsilon") == pytest.approx(descent.real_epsilon(params), rel=0.01)
    dragged = descent_figure(DESCENT.state(params, dragging=True))
    assert dragged.evaluate("accuracy") == lab.evaluate("accuracy")


def test_draws_of_both_worlds_are_histograms():
    params = DescentParams(model="logistic", n_steps=10, noise_multiplier=2.0)
    problem = descent.named_problem(params.dataset, params.model)
    *_, outcomes = descent.run_outcomes(problem, params, n_draws=4)
    results = {"sweep": descent.run(params), "outcomes": outcomes}
    lab = descent_figure(PageState(params=params, problem=problem, results=results))
    for name in ("present", "absent"):
        assert lab.arrays[name].values.sum(axis=1) == pytest.approx(np.ones(18))


@pytest.mark.parametrize(
    "lab",
    [
        lambda: mechanisms_view.lab(MechanismsParams(noise="gaussian"), False),
        lambda: budget_view.lab(BudgetParams(), False),
        lambda: descent_figure(DESCENT.still(DescentParams())),
    ],
    ids=["mechanisms", "budget", "descent"],
)
def test_messages_stay_small(lab):
    assert len(json.dumps(message(lab()))) < 3_000_000


def test_handles_of_the_descent_are_drawn_ahead():
    params = DescentParams(model="logistic", n_steps=10, noise_multiplier=2.0)
    ahead = [f"preview {name}" for name in ("clip_norm", "sample_rate", "n_steps", "learning_rate")]
    lab = descent_figure(DESCENT.still(params, *ahead))
    assert len(lab.previews) == 4
    for name, instead in lab.previews.items():
        for shown in (
            "field",
            "accuracy",
            "mean",
            "noise_to_signal",
            "epsilon",
            "sigma_c",
            "step_now",
        ):
            if shown in instead:
                here, ahead = lab.evaluate(shown), lab.evaluate(instead[shown])
                assert ahead == pytest.approx(here, abs=1 / 255, nan_ok=True), (name, shown)
    moved = lab.evaluate("accuracy_by_clip_norm", {"clip_norm": 2.0})
    single = descent.run(params.but(clip_norm=2.0))
    assert moved == pytest.approx(single.accuracy[list(single.noise).index(2.0), -1], abs=1e-6)


@pytest.mark.parametrize("k", GROUP_GRID)
def test_the_loss_of_a_group_stays_on_its_axis(k):
    lab = mechanisms_view.lab(MechanismsParams(noise="laplace", group=k), False)
    panel = next(panel for panel in lab.panels if panel.key == "loss")
    assert np.abs(lab.evaluate("loss")).max() == pytest.approx(1, rel=1e-3)  # in units of kε
    assert panel.y.range[0] < -1 < 1 < panel.y.range[1]
    assert lab.evaluate("one_person") == pytest.approx(1 / k)


def test_budget_says_the_same_number_under_the_figure_and_in_the_formula():
    params = BudgetParams()
    lab = budget_view.lab(params, False)
    for name in ("printed_sum", "printed_root"):
        shown = float(lab.evaluate(f"{name}_now"))
        assert budget_view._curve(params, name) == pytest.approx(shown, rel=1e-6)
    assert budget_view._needed(params) == pytest.approx(float(lab.evaluate("needed")), rel=1e-6)
