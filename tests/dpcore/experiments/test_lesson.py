"""What the first lesson computes, against what theory says."""

import math

import numpy as np
import pytest

from dpcore.experiments import lesson
from dpcore.experiments.grids import EPSILON_GRID


def test_surveys_with_coins_find_the_truth_and_bayes_says_what_a_yes_means():
    found = lesson.survey()
    assert found.estimates.mean(1) == pytest.approx(
        np.full(len(lesson.TRUTH_GRID), found.share), abs=0.03
    )
    assert np.all(np.diff(found.off) < 0)
    place = lesson.TRUTH_GRID.index(0.75)
    assert found.means_yes[place] == pytest.approx(0.3 * 0.75 / (0.3 * 0.75 + 0.7 * 0.25))


def test_the_attacker_of_one_count_is_the_best_one():
    found = lesson.count()
    k = EPSILON_GRID.index(1.0)
    step = found.x[1] - found.x[0]
    area = found.density[k].sum() * step
    overlap = np.minimum(found.density[k], found.density_other[k]).sum() * step / area
    assert found.guesses[k] == pytest.approx(1 - overlap / 2, abs=2e-3)
    assert found.off == pytest.approx(1 / np.array(EPSILON_GRID))


def test_what_is_bet_on_was_drawn_with_the_person_and_without_and_is_not_what_is_shown():
    found = lesson.count()
    k = EPSILON_GRID.index(1.0)
    inside, outside = found.bets[:, k]
    error = math.sqrt(2 / inside.size)  # standard deviation of a mean; six of them: 2e-9
    assert inside.mean() == pytest.approx(found.answer, abs=6 * error)
    assert outside.mean() == pytest.approx(found.answer - 1, abs=6 * error)
    shown = {round(value, 9) for value in found.answer + found.draws[k]}
    assert shown.isdisjoint(round(value, 9) for value in (*inside, *outside, *(outside + 1)))


def test_asking_again_adds_up_and_gives_the_answer_away():
    found = lesson.ask_again()
    assert found.epsilon.tolist() == [0.5 * k for k in lesson.ASKED_GRID]
    assert found.guesses[0] == pytest.approx(1 - math.exp(-0.25) / 2, abs=0.02)  # 5 sigma: 0.017
    assert np.all(np.diff(found.guesses) > 0)
    assert found.off[-1] == pytest.approx(math.sqrt(8 / 100) * math.sqrt(2 / math.pi), rel=0.05)
    assert np.all(found.guesses <= 1 / (1 + np.exp(-found.epsilon)) + 0.01)  # the bound holds


def test_a_study_hardly_depends_on_one_person():
    found = lesson.study()
    apart = found.middle - found.middle_other
    # 300 of 1000 with her, 299 of 999 without: (1 - share)/(n - 1).
    assert apart == pytest.approx((1 - found.share) / (np.array(lesson.PEOPLE_GRID) - 1))
    assert found.low[-1] < found.share < found.high[-1]


def test_two_studies_differ_by_whom_they_ask_and_by_noise_more_than_by_one_person():
    found, n = lesson.study(), np.array(lesson.PEOPLE_GRID)
    apart = np.abs(found.result - found.result_other)
    assert np.median(apart / (found.middle - found.middle_other)) > 3
    # Sampling and two counts with noise of scale 2: six deviations, one side in 10⁹ for a normal law.
    deviation = np.sqrt(2 * (found.share * (1 - found.share) / n + 8 / n**2))
    assert np.all(apart < 6 * deviation + 1 / n)


def test_prototypes_are_useful_from_some_epsilon_on():
    problem, places, accuracy = lesson.prototypes()
    assert places.shape == (len(EPSILON_GRID), len(problem.labels), 2)
    assert accuracy[0] < 0.6 < 0.9 < accuracy[-1]


def test_cards_are_answers_of_the_same_coins_and_the_estimate_undoes_the_coins():
    cards = lesson.raise_cards()
    flips = [
        (before != after).sum()
        for before, after in zip(cards.answers, cards.answers[1:], strict=False)
    ]
    assert sum(flips) == (cards.answers[0] != cards.answers[-1]).sum(), "no card turns twice"
    for true, row, estimate in zip(lesson.TRUTH_GRID, cards.answers, cards.estimates, strict=True):
        assert estimate == pytest.approx((row.mean() - (1 - true)) / (2 * true - 1))
    many = lesson.raise_cards(n_people=40_000)
    off = np.abs(many.estimates - 0.3) * (2 * np.array(lesson.TRUTH_GRID) - 1)
    assert (
        off.max() < 6 * 0.5 / 200
    )  # false alarm below 1e-7: six standard deviations of a share of 40,000


def test_a_class_without_one_person_has_the_other_cards_and_what_follows_from_them():
    cards = lesson.raise_cards()
    rest = cards.without(7)
    assert rest.answers.shape == (len(lesson.TRUTH_GRID), 99)
    np.testing.assert_array_equal(rest.answers[:, 7], cards.answers[:, 8])
    assert rest.truth.sum() == cards.truth.sum() - cards.truth[7]
    true, row = lesson.TRUTH_GRID[4], rest.answers[4]
    assert rest.estimates[4] == pytest.approx((row.mean() - (1 - true)) / (2 * true - 1))


def test_the_study_without_one_person_asks_the_same_others_with_the_same_noise():
    found, n = lesson.study(), np.array(lesson.PEOPLE_GRID)
    np.testing.assert_allclose(found.result * n - found.result_without * (n - 1), 1, atol=1e-6)


def test_prototypes_without_a_person_are_those_of_the_same_training():
    from dpcore.experiments import relevance
    from dpcore.experiments.relevance.outcomes import World

    params = relevance.RelevanceParams()
    problem, places, _ = lesson.prototypes()
    person, nodes = relevance.chosen_person(problem, params), relevance.noise_nodes(params)
    same = World(problem, params, person, True).draw(params, nodes, 0, 2, None).prototypes[:, 0]
    sweep = relevance.run_sweep(problem, params)
    np.testing.assert_allclose(same, sweep.prototypes[:, sweep.end], atol=1e-5)
    row, without, accuracy = lesson.prototypes_without()
    assert row == person.row
    assert without.shape == places.shape
    assert accuracy.shape == (len(EPSILON_GRID),)
    assert np.abs(without - places).max() > 0
