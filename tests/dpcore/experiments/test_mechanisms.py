"""The mechanisms experiment: what is drawn is the mechanism; examples of the lecture."""

import itertools
import math

import numpy as np
import pytest

from dpcore import mechanisms as m
from dpcore.experiments import mechanisms
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.mechanisms import MechanismsParams
from dpcore.experiments.mechanisms.params import GROUP_GRID

PRIVATE_MEAN = MechanismsParams(question="mean", relation="add_remove")
NOISES = ("laplace", "gaussian", "classical", "staircase")


@pytest.fixture(scope="module", params=NOISES)
def found(request):
    return request.param, mechanisms.run(MechanismsParams(noise=request.param))


def made(noise, i, j):
    return mechanisms.mechanism(
        MechanismsParams(noise=noise, epsilon=EPSILON_GRID[i], delta=DELTA_GRID[j])
    )


@pytest.mark.parametrize("i", [4, 20, 40])
def test_curves_are_the_mechanisms_own(found, i):
    noise, outputs = found
    one = made(noise, i, 0)
    density = one.density(outputs.places[i, 0] + 100, 100.0) / one.density(100.0, 100.0)
    assert outputs.density[i] == pytest.approx(density, rel=1e-9, abs=1e-15)
    assert outputs.scale[i, 0] == one.scale
    k = 2
    group = GROUP_GRID[k]
    with np.errstate(divide="ignore", invalid="ignore"):
        x = outputs.loss_x[k] + (1e-7 if noise == "staircase" else 0)
        loss = np.log(one.density(x + 100, 100.0) / one.density(x + 100, 100.0 - group))
    seen = np.isfinite(loss)
    assert outputs.loss[i, 0, k][seen] == pytest.approx(loss[seen], rel=1e-6, abs=1e-6)


def test_the_red_area_is_delta(found):
    noise, outputs = found
    for i, k in ((20, 0), (10, 3)):
        for j in range(outputs.scale.shape[1]):
            top = float(made(noise, i, j).density(100.0, 100.0))
            gap = outputs.area_high[i, j, k] - outputs.area_low[i, j, k]
            area = abs(np.trapezoid(np.maximum(gap, 0), outputs.area_x[i, j, k])) * top
            expected = outputs.delta_now[i, j, k]
            assert area == pytest.approx(
                expected, rel=0.25, abs=2e-3 if noise == "staircase" else 1e-9
            )


def test_the_same_noise_at_every_epsilon(found):
    _, outputs = found
    order = np.argsort(outputs.draws[0, 0])
    assert (np.argsort(outputs.draws[30, -1]) == order).all()
    again = mechanisms.run(MechanismsParams(noise=found[0], seed=1))
    assert not (np.argsort(again.draws[0, 0]) == order).all()


@pytest.mark.parametrize(
    ("question", "sensitivity"), [("count", 1), ("heights", 7), ("salaries", 200), ("mean", 0.001)]
)
def test_the_lectures_sensitivities(question, sensitivity):
    asked = mechanisms.query(MechanismsParams(question=question, n_people=1000))
    assert asked.sensitivity == sensitivity


def test_local_noise_is_root_n_larger():
    found = mechanisms.compare()
    i = EPSILON_GRID.index(1.0)
    assert found.central[i, -1] == pytest.approx(1.41421, abs=1e-5)
    assert found.local[i, -1] == pytest.approx(141.42, abs=0.01)


def test_where_gaussian_noise_becomes_the_smaller():
    found = mechanisms.compare()
    i, j = EPSILON_GRID.index(1.0), DELTA_GRID.index(1e-5)
    assert found.crossing[i, j] == pytest.approx(6.959, abs=1e-3)
    assert found.crossing_classical[i, j] == pytest.approx(math.log(1.25e5), abs=1e-3)
    assert found.crossing[EPSILON_GRID.index(0.1), j] == pytest.approx(4.7, abs=0.05)
    assert found.crossing[EPSILON_GRID.index(2.0), j] == pytest.approx(8.0, abs=0.05)


def test_twenty_five_answers_are_five_times_worse_than_one():
    k = 25
    one = m.Laplace(epsilon=1.0).variance()
    mean_of_many = m.Laplace(epsilon=1.0 / k).variance() / k
    assert math.sqrt(mean_of_many / one) == pytest.approx(5)


def test_the_slides_norm_without_absolute_values_is_no_norm():
    x = np.array([1.0, -1.0])
    assert x.sum() == 0
    assert np.linalg.norm(x, 1) == 2


def test_choices_are_distributions_and_a_guarantee_names_its_group():
    for example in mechanisms.EXAMPLES:
        params = MechanismsParams(example=example)
        found = mechanisms.choices(params)
        assert found.right.sum(-1) == pytest.approx(np.ones(50))
        assert (found.shown <= np.array(EPSILON_GRID) + 1e-9).all()
        assert (found.printed_shown <= found.real_printed + 1e-9).all()
    for noise in NOISES:
        params = MechanismsParams(noise=noise, group=3)
        assert "group of 3" in mechanisms.guarantee(params).argument


@pytest.mark.parametrize(
    ("question", "relation", "sensitivity", "holds_for"),
    [
        ("count", "replace_one", 1, "add_remove"),  # it would be public: the switch has no effect
        ("heights", "usual", 7, "add_remove"),
        ("heights", "replace_one", 7, "replace_one"),
        ("salaries", "replace_one", 200, "replace_one"),
        ("mean", "usual", 0.001, "replace_one"),
        ("mean", "replace_one", 0.001, "replace_one"),
        ("mean", "add_remove", 0.5, "add_remove"),
    ],
)
def test_the_relation_is_a_switch(question, relation, sensitivity, holds_for):
    params = MechanismsParams(question=question, relation=relation)
    found = mechanisms.guarantee(params)
    assert mechanisms.mechanism(params).sensitivity == sensitivity
    assert found.neighbouring == holds_for
    hidden = [text for text in found.not_protected if "how many people" in text]
    assert bool(hidden) == (holds_for == "replace_one")
    somebody = [text for text in found.public if "mean of an empty data set" in text]
    assert bool(somebody) == (question == "mean" and holds_for == "add_remove")


def test_the_mean_of_a_private_number_of_people_moves_by_half_and_groups_by_less_than_their_share():
    # Every data set of at most five values 0 or 1, less every one to three of its records.
    most = {1: 0.0, 2: 0.0, 3: 0.0}
    for n in range(2, 6):
        for data in itertools.product((0.0, 1.0), repeat=n):
            for k in range(1, min(n, 4)):
                for kept in itertools.combinations(data, n - k):
                    most[k] = max(most[k], abs(np.mean(data) - np.mean(kept)))
    assert most[1] == mechanisms.query(PRIVATE_MEAN).sensitivity
    assert [most[k] < k * most[1] for k in (2, 3)] == [True, True]


def test_of_a_mean_of_a_private_number_one_person_is_drawn():
    found = mechanisms.run(PRIVATE_MEAN)
    alone = mechanisms.displayed_outputs(PRIVATE_MEAN, found)
    for name in ("spy", "delta_now", "miss", "loss", "area_x"):
        whole, one = getattr(found, name), getattr(alone, name)
        assert one.shape == whole.shape
        for k in range(len(GROUP_GRID)):
            np.testing.assert_array_equal(one[:, :, k], whole[:, :, 0])
    assert mechanisms.displayed_outputs(MechanismsParams(), found) is found
