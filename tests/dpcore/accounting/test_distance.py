"""Total variation, from below and above, and the events of mechanisms with few privacy losses."""

import itertools
import math

import numpy as np
import pytest

from dpcore import accounting as a
from dpcore import mechanisms

KINDS = [
    a.LaplaceEvent(0.7),
    a.GaussianEvent(1.3),
    a.StaircaseEvent(1.0),
    a.RandomizedResponseEvent(1.0, 5),
    a.ExponentialEvent(1.0),
    a.Geometric(1.0, 3),
    a.PoissonSampled(0.2, a.GaussianEvent(1.0)),
    a.PoissonSampled(0.2, a.LaplaceEvent(0.5)),
]


@pytest.mark.parametrize(
    ("event", "right"),
    [
        (a.LaplaceEvent(1.0), 0.697),
        (a.GaussianEvent(3.73063), 0.553),
        (a.RandomizedResponseEvent(1.0), 0.731),
        (a.Geometric(1.0), 0.731),
        (a.ExponentialEvent(1.0), 0.622),
        (a.Geometric(1.0, 1000), 0.697),
    ],
)
def test_the_best_guess_is_the_one_of_the_book(event, right):
    for bound in ("lower", "upper"):
        assert (1 + a.total_variation(event, bound=bound)) / 2 == pytest.approx(right, abs=5e-4)


@pytest.mark.parametrize("kind", [mechanisms.Staircase, mechanisms.Laplace, mechanisms.Gaussian])
@pytest.mark.parametrize("relation", ["add_remove", "replace_one"])
def test_a_mechanism_and_its_event_have_one_delta(kind, relation):
    made = kind(epsilon=1.7, sensitivity=3.0, neighbouring=relation)
    found = a.total_variation(made.event, neighbouring=relation)
    assert found == pytest.approx(made.delta_at(0.0), rel=1e-9)
    delta = made.delta_at(0.5)
    cost = a.spent(made.event, delta, neighbouring=relation)
    assert 0.5 * (1 - 1e-9) <= cost <= 0.5 * 1.002


def test_choices_and_answers_have_events():
    answer = mechanisms.RandomizedResponse(epsilon=2.0, n_options=4)
    rows = answer.matrix
    between = abs(rows[0] - rows[1]).sum() / 2
    found = a.total_variation(answer.event, neighbouring="replace_one")
    assert found == pytest.approx(between, rel=1e-9)
    # The best attack on the exponential mechanism: scores (0, Δ) against (Δ, 0), no pair does worse.
    for printed, monotone in ((False, False), (True, False), (False, True)):
        made = mechanisms.Exponential(epsilon=1.3, as_printed=printed, monotone=monotone)
        limit = a.total_variation(made.event)
        grid = np.linspace(-2, 2, 81)
        moves = [(1, 0)] if monotone else itertools.product((-1, 0, 1), repeat=2)
        worst = 0.0
        for up, down in moves:
            before = made.probabilities(np.stack([grid, 0 * grid], -1))[:, 0]
            after = made.probabilities(np.stack([grid + up, 0 * grid + down], -1))[:, 0]
            worst = max(worst, abs(after - before).max())
        assert limit * 0.998 <= worst <= limit * (1 + 1e-9)


def test_no_noise_is_told_apart_and_no_question_is_not():
    assert a.total_variation(mechanisms.Laplace(epsilon=math.inf).event) == 1.0
    assert a.total_variation(mechanisms.Laplace(epsilon=1.0, sensitivity=0.0).event) == 0.0
    assert a.total_variation(a.PoissonSampled(0.25, a.GaussianEvent(0.0))) == 0.25


@pytest.mark.parametrize("event", KINDS, ids=str)
@pytest.mark.parametrize("count", [1, 2, 30, 500])
def test_the_attack_is_below_the_ceiling(event, count):
    many = a.Repeated(event, count)
    low, high = (a.total_variation(many, bound=bound) for bound in ("lower", "upper"))
    assert 0 < low <= high + 1e-10 <= 1 + 1e-9
    if not isinstance(event, a.ExponentialEvent):  # of which no tight composition is known
        assert high <= low * 1.02 + 1e-6


def test_the_composed_attack_is_the_one_by_enumeration():
    """All sequences of ten outputs of randomized response and of the staircase, in both worlds."""
    for event, n in ((a.RandomizedResponseEvent(0.4, 3), 8), (a.StaircaseEvent(0.7), 8)):
        from dpcore.accounting import atoms

        values, logs = atoms.atoms(event)
        whole = np.array(list(itertools.product(range(len(values)), repeat=n)))
        loss, mass = values[whole].sum(1), np.exp(logs[whole].sum(1))
        assert mass.sum() == pytest.approx(1)
        assert (mass * np.exp(-loss)).sum() == pytest.approx(1)
        exact = float(-np.expm1(-np.maximum(loss, 0)) @ mass)
        many = a.Repeated(event, n)
        assert exact * 0.999 <= a.total_variation(many) <= exact * (1 + 1e-9)
        assert exact * (1 - 1e-9) <= a.total_variation(many, bound="upper") <= exact * 1.001
        # And the account, at a δ where it is neither 0 nor the sum.
        at = 0.5 * n * event.epsilon
        delta = float(np.maximum(-np.expm1(at - loss), 0) @ mass)
        assert at * (1 - 1e-9) <= a.spent(many, delta, neighbouring="replace_one") <= at * 1.002


def test_twelve_laplace_counts_cost_nearly_their_sum():
    for epsilon, cost in ((0.5, 5.96), (1.0, 11.96), (2.0, 23.96)):
        event = mechanisms.Laplace(epsilon=epsilon).event
        assert a.spent(a.Repeated(event, 12), 1e-5) == pytest.approx(cost, abs=0.005)


def test_randomized_response_of_two_answers_is_the_worst_of_its_epsilon():
    for delta in (1e-6, 1e-2):
        pure = a.spent(a.Repeated(a.Pure(0.3), 40), delta)
        for event in (
            a.StaircaseEvent(0.3),
            a.Geometric(0.3, 4),
            a.RandomizedResponseEvent(0.3, 6),
        ):
            assert a.spent(a.Repeated(event, 40), delta) <= pure * (1 + 1e-6)
        same = a.spent(a.Repeated(a.RandomizedResponseEvent(0.3), 40), delta)
        assert same == pytest.approx(pure, rel=1e-9)


def test_lots_of_a_fixed_size_and_replaced_records():
    steps = a.Repeated(a.FixedSizeSampled(0.1, a.GaussianEvent(2.0)), 50)
    low, high = (
        a.total_variation(steps, neighbouring="replace_one", bound=bound)
        for bound in ("lower", "upper")
    )
    once = a.total_variation(
        a.FixedSizeSampled(0.1, a.GaussianEvent(2.0)), neighbouring="replace_one"
    )
    assert once < low < high < 1.3 * low
    with pytest.raises(ValueError, match="fixed size"):
        a.total_variation(steps)


def test_pure_events_have_no_known_attack():
    assert a.total_variation(a.Pure(1.0)) is None
    assert a.total_variation(a.Pure(1.0), bound="upper") == pytest.approx(math.tanh(0.5))
    both = a.Sequence((a.Pure(1.0), a.LaplaceEvent(1.0)))
    assert a.total_variation(both) == pytest.approx(a.total_variation(a.LaplaceEvent(1.0)))
