"""The gradient-descent experiment: what is drawn is what single trainings give; what readings cost."""

import math

import numpy as np
import pytest
from scipy.special import expit

from dpcore import accounting, sgd
from dpcore.descent import descend
from dpcore.experiments import descent
from dpcore.experiments.composition_tables import NOISE_GRID
from dpcore.experiments.descent import DescentParams
from dpcore.experiments.descent.cost import RATE_GRID, STEP_GRID
from dpcore.experiments.grids import DELTA_GRID


@pytest.fixture(scope="module", params=["logistic", "network"])
def case(request):
    params = DescentParams(asked="noise", model=request.param, n_steps=50)
    return params, descent.named_problem(params.dataset, params.model), descent.run(params)


def test_a_level_of_the_sweep_is_one_training(case):
    params, problem, sweep = case
    k = NOISE_GRID.index(1.0)
    path = descend(
        problem.model, problem.X, y=problem.y, recipe=params.recipe(), noise_multiplier=np.array([1.0]),
        streams=sgd.Streams.of(params.seed, 0), snapshots=np.array([50]),
    )  # fmt: skip
    assert sweep.final[k] == pytest.approx(path.weights[0, 0], abs=1e-10)
    assert sweep.accuracy[k, -1] == problem.accuracy(path.weights[0])[0]
    corner = problem.model.scores(path.weights[0], np.array([[-1.0, -1.0, 1.0]]))[0, 0]
    assert sweep.fields[k, -1, 0, 0] == pytest.approx(expit(corner), abs=1e-9)


def test_while_dragging_one_level_is_the_same(case):
    params, problem, sweep = case
    one = descent.run_sweep(problem, params, np.array([2.0]))
    k = NOISE_GRID.index(2.0)
    assert one.accuracy[0] == pytest.approx(sweep.accuracy[k])
    assert one.fields[0] == pytest.approx(sweep.fields[k], abs=1e-9)


def test_arrows_are_clipped_and_averaged(case):
    params, _, sweep = case
    raw, short = sweep.raw, sweep.clipped
    seen = np.isfinite(raw[..., 0])
    assert (np.linalg.norm(short[seen], axis=-1) <= params.clip_norm * (1 + 1e-9)).all()
    assert (
        np.linalg.norm(short[seen], axis=-1) <= np.linalg.norm(raw[seen], axis=-1) + 1e-12
    ).all()
    gap = np.linalg.norm(sweep.noisy - sweep.mean, axis=-1)
    ratio = gap / np.array(NOISE_GRID)[:, None]
    assert ratio == pytest.approx(np.broadcast_to(ratio[:1], ratio.shape), rel=1e-6)


def test_every_training_takes_every_length():
    for steps in STEP_GRID[:3]:
        found = descent.run(DescentParams(asked="noise", model="logistic", n_steps=steps))
        assert found.steps[0] == 0
        assert found.steps[-1] == steps
        assert found.accuracy.shape == (18, 21)


def test_more_noise_is_worse_on_average():
    params = DescentParams(asked="noise", n_steps=50)
    problem = descent.named_problem(params.dataset, params.model)
    *_, found = descent.run_outcomes(problem, params, n_draws=12)
    accuracy = found.accuracy.mean(0)
    assert accuracy[0] > accuracy[-1] + 0.05
    assert found.with_record.shape == found.without_record.shape == (12, 18)
    assert (found.with_record != found.without_record).any()
    assert 0 <= found.agreement.min() <= found.agreement.max() <= 1


def test_without_noise_one_person_is_seen():
    """Only clipping: the same lots give different weights with and without the person, for certain."""
    params = DescentParams(parts="clip", n_steps=100, sample_rate=0.5)
    problem = descent.named_problem(params.dataset, params.model)
    *_, found = descent.run_outcomes(problem, params, n_draws=2)
    assert (np.abs(found.with_record - found.without_record) > 1e-6).all()
    assert math.isinf(descent.real_epsilon(params))
    assert np.isinf(descent.epsilon_table(params)).all()
    assert descent.guarantee(params, math.inf).status == "nominal"


@pytest.mark.parametrize(
    ("clipping", "noise", "factor", "status"),
    [("example", "lot", 1.0, "proved"), ("batch", "lot", 0.5, "proved"),
     ("example", "example", math.sqrt(40), "nominal"), ("batch", "example", math.sqrt(40) / 2, "nominal")],
)  # fmt: skip
def test_what_each_reading_costs(clipping, noise, factor, status):
    params = DescentParams(clipping=clipping, noise=noise, asked="noise", noise_multiplier=2.0)
    expected = accounting.epsilon(
        noise_multiplier=2.0 * factor, sample_rate=0.1, n_steps=100, delta=1e-5
    )
    found = descent.real_epsilon(params)
    assert found == pytest.approx(expected, rel=1e-9)
    assert descent.guarantee(params, found).status == status
    table = descent.epsilon_table(params)
    at = table[NOISE_GRID.index(2.0), DELTA_GRID.index(1e-5)]
    assert at == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(("lot", "epsilon"), [(25, 0.50504), (100, 0.23476), (400, 0.10979)])
def test_the_printed_bracket(lot, epsilon):
    """σ = 1, q = 0.01, T = 5000 (seed document's bracket): noise once per record."""
    assert accounting.epsilon(
        noise_multiplier=math.sqrt(lot), sample_rate=0.01, n_steps=5000, delta=1e-5
    ) == pytest.approx(epsilon, rel=5e-3)


def test_output_perturbation_by_both_sensitivities():
    found = descent.run_output("blobs", 0.03, 1e-5, 0)
    right, slide = found.sensitivities
    assert slide == pytest.approx(4 * right)
    assert (found.proved[1] >= found.printed[1] - 0.02).all()
    assert found.proved[1, -1] == pytest.approx(found.exact, abs=0.02)


def test_people_are_ranked_by_surprise():
    problem = descent.named_problem("blobs", "logistic")
    first = descent.chosen_person(problem, DescentParams(dataset="blobs", model="logistic"))
    last = descent.chosen_person(
        problem, DescentParams(dataset="blobs", model="logistic", person=100)
    )
    z = problem.model.scores(problem.best[None], problem.X)[0] * np.where(problem.y > 0, 1, -1)
    assert z[first] == z.min()
    assert z[last] == z.max()


def test_every_place_of_the_handles_is_the_account():
    """Also at σ = 0.5, T = 500 and q = 1, where Rényi's bound is 2020 and the account 1250."""
    rng = np.random.default_rng(6)
    dearest = DescentParams(
        asked="noise", noise_multiplier=0.5, n_steps=500, sample_rate=1.0, delta=1e-8
    )
    assert descent.real_epsilon(dearest) == pytest.approx(1250.03, abs=0.01)
    for _ in range(12):
        params = DescentParams(
            clipping=str(rng.choice(["example", "batch"])),
            noise=str(rng.choice(["lot", "example"])),
            asked="noise",
            noise_multiplier=float(rng.choice(NOISE_GRID)),
            sample_rate=float(rng.choice(RATE_GRID)),
            n_steps=int(rng.choice(STEP_GRID)),
            delta=float(rng.choice(DELTA_GRID)),
        )
        counts = descent.real_noise(params, params.noise_multiplier)
        real = accounting.epsilon(
            noise_multiplier=counts,
            sample_rate=params.sample_rate,
            n_steps=params.n_steps,
            delta=params.delta,
        )
        shown = descent.epsilon_table(params)[
            NOISE_GRID.index(params.noise_multiplier), DELTA_GRID.index(params.delta)
        ]
        assert descent.real_epsilon(params) == shown
        assert shown == pytest.approx(real, rel=1e-3)


@pytest.mark.parametrize("parts", ["clip", "noise", "neither"])
def test_without_both_parts_nothing_is_promised_at_the_delta_that_is_set(parts):
    params = DescentParams(parts=parts, delta=1e-6)
    found = descent.guarantee(params, descent.real_epsilon(params))
    assert (found.epsilon, found.delta, found.status) == (math.inf, 1e-6, "nominal")
    assert found.event is None
