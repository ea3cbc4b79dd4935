"""Networks trained by DP-SGD over C, q and noise: their noise is that of the account, and is the same everywhere."""

import numpy as np
import pytest

from dpcore import accounting
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams, rivals
from dpcore.experiments.autoencoder.problem import CLIP_NORMS, SAMPLE_RATES
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID

PARAMS = AutoencoderParams()


def test_what_is_shown_costs_no_more_than_the_handle_says():
    costs, places = rivals.network_costs(), rivals.network_places()
    epsilons = np.array(EPSILON_GRID)[:, None, None]
    assert (costs <= epsilons).all()
    assert np.median(costs / epsilons) > 0.7
    assert (np.diff(places, axis=0) >= 0).all()  # more budget, less noise
    assert (np.diff(places, axis=1) >= 0).all()  # a laxer δ as well
    at = EPSILON_GRID.index(PARAMS.epsilon), DELTA_GRID.index(PARAMS.delta)
    assert costs[at] == pytest.approx(PARAMS.epsilon, rel=0.01)


@pytest.mark.parametrize("epsilon", [0.05, 0.8, 20.0])
@pytest.mark.parametrize("delta", [1e-8, 1e-3])
def test_the_promise_is_the_account_of_the_steps(epsilon, delta):
    params = PARAMS.but(epsilon=epsilon, delta=delta, sample_rate=0.05)
    made = autoencoder.network_guarantee(params, autoencoder.digits_problem())
    spent = accounting.spent(made.event, delta)
    assert spent <= made.epsilon * (1 + 1e-9) <= epsilon * (1 + 1e-9)
    assert made.status == "proved"


def test_the_same_seed_gives_the_same_network_and_less_noise_a_better_one():
    problem = autoencoder.digits_problem()
    c, q = CLIP_NORMS.index(0.1), SAMPLE_RATES.index(0.05)
    loud, again, quiet = (rivals.train_network(problem, 3, (c, q, at)) for at in (0, 0, -1))
    assert np.array_equal(loud.W1, again.W1)
    X = problem.everyone[: problem.unseen]
    errors = [float(np.square(one.reconstruct(X) - X).mean()) for one in (loud, quiet)]
    assert errors[1] < errors[0] / 2


def test_redrawn_pictures_are_those_of_the_networks():
    problem = autoencoder.digits_problem()
    network = rivals.train_network(problem, 0, (0, 0, 0))
    flat = np.concatenate([part.ravel() for part in rivals._parts(network)])
    found = rivals.PrivateNetworks(weights=flat[None, None, None], error=np.zeros((1, 1, 1)))
    pictures = problem.everyone[:3]
    np.testing.assert_array_equal(found.redrawn(pictures)[0, 0, 0], network.reconstruct(pictures))


def test_the_work_is_told_and_ends_when_nobody_wants_it():
    def stop(part):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        next(autoencoder.run_private_networks(autoencoder.digits_problem(), PARAMS, progress=stop))


def test_the_networks_of_the_c_and_q_that_are_looked_at_come_first(monkeypatch):
    """The rest is NaN until it is trained, and the end is the same wherever one began."""
    monkeypatch.setattr(rivals, "N_STEPS", 3)
    monkeypatch.setattr(rivals, "BUDGETS", rivals.BUDGETS[:2])
    monkeypatch.setattr(rivals, "CLIP_NORMS", (0.1, 1.0))
    monkeypatch.setattr(rivals, "SAMPLE_RATES", (0.05, 0.5))
    monkeypatch.setattr(
        rivals, "place_of_params", lambda params: (int(params.clip_norm == 1.0), 1, 0)
    )
    problem, last = autoencoder.digits_problem(), []
    for c, clip_norm in enumerate((0.1, 1.0)):
        asked = PARAMS.but(clip_norm=clip_norm)
        first, whole = autoencoder.run_private_networks(problem, PARAMS, asked)
        assert np.isfinite(first.error[c, 1]).all()
        assert np.isfinite(first.error).sum() == 2
        redrawn = first.redrawn(problem.everyone[:2])
        np.testing.assert_array_equal(np.isnan(redrawn).all((-1, -2)), np.isnan(first.error))
        last.append(whole)
    np.testing.assert_array_equal(last[0].weights, last[1].weights)
    assert np.isfinite(last[0].error).all()
    assert np.isfinite(last[0].weights).all()
