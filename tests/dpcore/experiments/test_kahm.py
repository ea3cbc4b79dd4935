"""The affine hull experiment: what is drawn is what single runs give; limits."""

import math

import numpy as np
import pytest

from dpcore import accounting
from dpcore._random_state import generator
from dpcore.datasets import load
from dpcore.experiments import kahm
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm import KahmParams
from dpcore.experiments.kahm.params import (
    MOST_RECORDS,
    PARTIES_GRID,
    SHOWN_ROUNDS,
    SKEW_GRID,
    fabricated,
    hull_options,
)
from dpcore.experiments.kahm.picture import (
    GRID,
    N_DRAWS,
    NODES,
    REACH,
    net_places,
    parted,
    replaced,
)
from dpcore.experiments.kahm.study import (
    PARTY_EPSILONS,
    RECORD_EPSILONS,
    Bench,
    party_distances,
    published,
)
from dpcore.kahm import KAHM, FederatedKAHMClassifier, KAHMClassifier, Party, fabricate

SMALL = KahmParams(n_records=40, epsilon=8.0, n_components=2)


@pytest.fixture(scope="module")
def picture():
    return kahm.run(SMALL)


@pytest.fixture(scope="module")
def iris():
    return kahm.study_dataset(load("iris"))


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 8.0, 20.0])
def test_the_picture_is_what_fabricate_gives(picture, epsilon):
    X, y = kahm.picture_data("moons", 40)
    single = fabricate(X, y, epsilon=epsilon, rng=np.random.default_rng((0,)), rounds=SHOWN_ROUNDS,
                       options=hull_options(SMALL, 2))  # fmt: skip
    at = EPSILON_GRID.index(epsilon)
    np.testing.assert_array_equal(picture.stages[at, 0], X)
    np.testing.assert_array_equal(picture.stages[at, 1:], single.stages)
    np.testing.assert_array_equal(picture.errors[at], single.errors)


def test_the_shading_is_the_distance_to_the_nearest_image(picture):
    at = NODES.index(20.0)
    noisy = picture.stages[EPSILON_GRID.index(20.0), 1]
    side = np.linspace(*REACH, GRID)
    for i, j in ((0, 0), (10, 30), (35, 2)):
        place = [[side[i], side[j]]]
        wanted = min(
            KAHM(2).fit(noisy[picture.y == c]).distance(place)[0] for c in np.unique(picture.y)
        )
        assert picture.fields[at, 1, j, i] == pytest.approx(wanted)


def test_one_dimension_gives_a_curve():
    found = kahm.run_one(SMALL.but(n_components=1))
    X, y = found.X, found.y
    machine = KAHM(1).fit(X[y == 0])
    net = found.nets[0, 0, 0]
    net = net[np.isfinite(net[:, 0])]
    scores = machine.encoding_.scores(net)[:, 0]
    # Points of equal score lie at one place only: nothing of the other direction is left.
    ends = machine.transform(net)
    assert np.isfinite(ends).all()
    order = np.argsort(machine.encoding_.scores(ends)[:, 0])
    steps = np.linalg.norm(np.diff(net[np.argsort(scores)], axis=0), axis=1)
    assert len(order) == len(net)
    assert np.median(steps) < 0.02


def test_the_quick_picture_is_a_part_of_the_whole(picture):
    one = kahm.run_one(SMALL.but(epsilon=20.0))
    at = EPSILON_GRID.index(20.0)
    np.testing.assert_array_equal(one.stages[0], picture.stages[at])
    np.testing.assert_array_equal(one.nets[0], picture.nets[NODES.index(20.0)])


def test_the_papers_rule_is_the_first_round_below_the_original(picture):
    for at in (20, 40, 49):
        below = (picture.errors[at] <= picture.target).all(-1)
        wanted = int(below.argmax()) if below.any() else -1
        assert picture.paper_rounds[at] == wanted


def test_noise_falls_with_epsilon_and_smoothing_lowers_the_error(picture):
    noise = np.abs(picture.stages[:, 1] - picture.X).mean((1, 2))
    assert noise[0] / noise[-1] == pytest.approx(20 / 0.05)
    centred = kahm.run_one(SMALL.but(operator="centred"))
    assert (np.diff(centred.errors[0], axis=0) < 0).all()


def test_worlds_share_their_noise_and_draws_are_single_runs():
    found = kahm.neighbouring_runs(SMALL, (8.0,))
    X, y = kahm.picture_data("moons", 40)
    own = np.flatnonzero(y == y[0])
    single = fabricated(X[own], np.zeros(len(own), int), 8.0, SMALL, (0, 1), hull_options(SMALL, 2))
    at = EPSILON_GRID.index(8.0)
    np.testing.assert_allclose(found.home + found.noise[at, 0], single.noisy[0])
    np.testing.assert_allclose(found.fabricated[0, 0], single.X[0])
    still = kahm.neighbouring_runs(SMALL.but(person_dx=0.0, person_dy=0.0), (8.0,))
    np.testing.assert_array_equal(still.fabricated, still.fabricated_away)
    assert found.noise.shape == (50, N_DRAWS, 2)


def test_a_single_grid_line_in_each_direction_goes_through_the_mean() -> None:
    Y = np.random.default_rng(0).normal(3.0, 2.0, (40, 2))
    places = net_places(Y, 1, 13)
    assert places.shape == (26, 2)
    np.testing.assert_allclose(places[:13, 1], Y[:, 1].mean(), rtol=1e-12)
    np.testing.assert_allclose(places[13:, 0], Y[:, 0].mean(), rtol=1e-12)


@pytest.mark.parametrize("rounds", [0, 2])
def test_outcomes_are_whole_runs_and_both_worlds_share_their_noise(rounds):
    found = kahm.run_outcomes(SMALL, rounds)
    X, y = kahm.picture_data("moons", 40)
    for draw in (0, 7):
        one = fabricated(X, y, 8.0, SMALL, (0, 1 + draw), hull_options(SMALL, 2), rounds)
        np.testing.assert_allclose(found.points[0, draw], one.X, atol=1e-6)
        shape = hull_options(SMALL, 2).machine().fit(one.X[y == y[0]])
        places = net_places(one.X[y == y[0]], 5, 11)
        net = parted(shape.transform(places), 11)
        np.testing.assert_allclose(found.nets[0, draw, int(y[0])], net, atol=1e-4)
    others = (y != y[0]) | (rounds == 0) & (np.arange(40) != 0)  # noise alone moves nobody else
    np.testing.assert_array_equal(found.points[0][:, others], found.points[1][:, others])
    if rounds == 0:
        other, row = replaced(SMALL)
        moved = found.points[1][:, row] - found.points[0][:, row]
        np.testing.assert_allclose(moved, np.tile(other[row] - X[row], (8, 1)))
    still = kahm.run_outcomes(SMALL.but(person_dx=0.0, person_dy=0.0), rounds)
    for part in (still.points, still.fields, still.nets):
        np.testing.assert_array_equal(part[0], part[1])


@pytest.mark.parametrize("person_class", [0, 1])
def test_a_class_has_the_same_blocks_in_both_worlds_of_outcomes(person_class):
    _, y = kahm.picture_data("moons", 100)
    person = int(np.flatnonzero(y == person_class)[0])
    still = SMALL.but(n_records=100, block_size=25, person=person, person_dx=0.0, person_dy=0.0)
    outcomes = kahm.run_outcomes(still, 1)
    assert outcomes.nets.shape[3] > 60  # more lines than those of a single block
    for part in (outcomes.points, outcomes.fields, outcomes.nets):
        np.testing.assert_array_equal(part[0], part[1])


def test_a_record_pays_for_all_its_values(iris):
    found = kahm.run_baseline(iris, SMALL)
    at = EPSILON_GRID.index(1.0)
    assert found.pure[at] == 4.0
    exact = accounting.spent(accounting.Repeated(accounting.LaplaceEvent(1.0), 4), 1e-5)
    assert found.tight[at] == pytest.approx(min(exact, 4.0))
    assert found.central.shape[1] == len(RECORD_EPSILONS)
    assert found.central.mean(0)[-1] > 0.8


def test_the_study_agrees_with_the_estimators(iris):
    params = SMALL.but(table="iris", table_components=2)
    for _, found in kahm.run_study(iris, params):
        if np.isfinite(found.accuracy[0]).all():
            break
    train, test = iris.halves(0)
    clean = KAHMClassifier(n_components=2, split="random", random_state=0).fit(
        iris.X[train], iris.y[train]
    )
    assert found.original[0, 0] == pytest.approx(clean.score(iris.X[test], iris.y[test]))
    at = kahm.STUDY_EPSILONS.index(20.0)
    data = fabricate(iris.X[train], iris.y[train], epsilon=20.0, rng=np.random.default_rng((0, 0)),
                     options=hull_options(params, 2))  # fmt: skip
    for kind, Y in enumerate((data.noisy, data.X)):
        model = KAHMClassifier(n_components=2, split="none").fit(Y, iris.y[train])
        score = model.score(iris.X[test], iris.y[test])
        assert found.accuracy[0, at, kind, 0] == pytest.approx(score)
    assert np.isnan(found.accuracy[1:]).all()
    assert found.scores_original[0, 0] > found.null[0, 0]
    assert found.link[0, at, 0] > 0.1


def test_one_party_is_the_classifier_and_parties_part_the_records(iris):
    _, found = next(kahm.run_parties(iris, SMALL.but(table_components=2)))
    train, test = iris.halves(0)
    X, y = iris.X[train], iris.y[train]
    assert found.together[0, :, 0] == pytest.approx(found.alone[0, :, 0])
    one = FederatedKAHMClassifier(
        estimator=KAHMClassifier(n_components=2, split="random"), n_parties=1, random_state=0
    ).fit(X, y)
    score = one.score(iris.X[test], iris.y[test])
    assert found.together_clean[0, 0] == pytest.approx(score)
    assert found.together.shape[1:] == (len(PARTY_EPSILONS), len(PARTIES_GRID))
    apart = kahm.owners(y, 3, SKEW_GRID[-1], 0)
    assert all(len(np.unique(apart[y == c])) == 1 for c in range(3))
    even = np.bincount(kahm.owners(y, 5, 0.0, 0))
    assert even.max() - even.min() <= 1


@pytest.mark.parametrize(
    "changes",
    [{}, {"noise": "staircase", "operator": "centred"}, {"block_size": 25, "rounds": 0},
     {"operator": "rebuild", "rounds": 1}, {"n_layers": 2}],
)  # fmt: skip
@pytest.mark.parametrize("table", ["iris", "digits"])
def test_a_party_answers_what_one_of_the_library_does(table, changes):
    """Iris has more records than values at each party, the digits fewer; the last class is somebody else's."""
    params = SMALL.but(table=table, table_components=5, **changes)
    data = kahm.study_table(table)
    train, test = (rows[:60] for rows in data.halves(0))
    X, y, places = data.X[train], data.y[train], data.X[test]
    found = party_distances(X, y, places, 11, params, 7)
    options = hull_options(params, 5)
    for e, answer in zip((math.inf, *PARTY_EPSILONS), found, strict=True):
        model = KAHMClassifier(
            n_components=5, n_layers=options.n_layers, block_size=options.block_size, split="random",
            tau_factor=options.tau_factor, epsilon=e,
            rounds=params.rounds, operator=params.operator, noise=params.noise,
        )  # fmt: skip
        party = Party.fitted(model, X, y, np.arange(11), generator(7))
        np.testing.assert_allclose(answer, party.distances(places), rtol=1e-5)


@pytest.mark.parametrize(
    ("changes", "kept"),
    [({}, True), ({"noise": "staircase", "operator": "centred", "atom": 0.01}, True), ({"rounds": 0}, True),
     ({"operator": "rebuild"}, False), ({"block_size": 25}, False), ({"n_layers": 2}, False),
     ({"stop": "paper"}, False)],
)  # fmt: skip
def test_the_study_publishes_what_fabricate_does_with_the_machines_of_noisy_records(changes, kept):
    params = SMALL.but(table="wine", table_components=2, **changes)
    bench = Bench.of(kahm.study_table("wine"), 1, hull_options(params, 2))
    noisy, smooth, machines = published(bench, params, 1, 4.0)
    wanted = fabricated(bench.X, bench.y, 4.0, params, (params.seed, 1), bench.options)
    np.testing.assert_array_equal(noisy, wanted.noisy)
    np.testing.assert_array_equal(smooth, wanted.X)
    assert (machines is not None) == kept
    for found, again in zip(bench.gammas(noisy, 3, machines), bench.gammas(noisy, 3), strict=True):
        np.testing.assert_array_equal(found, again)


class Stop(Exception):
    """What a check raises when nobody wants the result any more."""


@pytest.mark.parametrize("run", [kahm.run, kahm.run_draws])
def test_long_work_stops_when_told(run):
    calls = iter(range(2))

    def check():
        if next(calls) == 1:
            raise Stop

    with pytest.raises(Stop):
        run(SMALL, check=check)


@pytest.mark.parametrize("shape", ["moons", "spirals", "blobs"])
@pytest.mark.parametrize("n_records", [40, 100, 200])
def test_every_picture_has_the_records_it_says(shape, n_records):
    X, y = kahm.picture_data(shape, n_records)
    assert X.shape == (n_records, 2)
    assert y.shape == (n_records,)
    assert 0 <= X.min() <= X.max() <= 1


def test_a_study_dataset_is_bounded_and_scaled():
    data = kahm.study_dataset(load("digits"))
    assert data.X.shape == (1797, 64)
    assert data.X.min() == 0
    assert data.X.max() == 1
    members, others = data.halves(0)
    assert not set(members) & set(others)


def test_the_guarantee_is_that_of_a_record_and_says_what_is_not_one():
    plain = kahm.guarantee(KahmParams(epsilon=2.0), 64)
    assert (plain.epsilon, plain.status) == (128.0, "proved")
    assert 0 < plain.delta < 1e-13  # the noise ends
    assert plain.claimed_epsilon == 2.0
    assert kahm.guarantee(KahmParams(stop="paper")).status == "nominal"
    assert kahm.guarantee(KahmParams(), estimated=("bounds",)).status == "nominal"
    leaky = kahm.guarantee(KahmParams(atom=0.1), 2)
    assert leaky.delta == pytest.approx(1 - 0.9**2)
    assert not math.isinf(leaky.epsilon)


def test_a_large_table_is_cut_to_the_same_records_as_if_all_were_scaled():
    dataset = load("moons", n_samples=5000)
    found = kahm.study_dataset(dataset)
    X = np.concatenate([dataset.scaled(), dataset.scaled(dataset.X_test)]).astype(float)
    y = np.concatenate([dataset.y, dataset.y_test])
    rows = np.sort(np.random.default_rng(0).choice(len(y), MOST_RECORDS, replace=False))
    np.testing.assert_array_equal(found.X, (X[rows] + 1) / 2)
    np.testing.assert_array_equal(found.y, y[rows])
    assert found.all_records == 5000


def test_of_mnist_the_same_pictures_are_studied_without_making_numbers_of_all(
    tmp_path, monkeypatch
):
    rng = np.random.default_rng(0)
    pictures = rng.integers(0, 256, (2300, 784), np.uint8)
    np.savez(tmp_path / "mnist.npz", X=pictures, y=np.arange(2300) % 10, n_train=1900)
    monkeypatch.setenv("DPCORE_DATA", str(tmp_path))
    found, whole = kahm.study_table("mnist"), kahm.study_dataset(load("mnist"))
    np.testing.assert_array_equal(found.X, whole.X)
    np.testing.assert_array_equal(found.y, whole.y)
    assert found.X.shape == (MOST_RECORDS, 784)
    assert (found.title, found.image_shape, found.all_records, found.estimated) == (
        whole.title, whole.image_shape, 2300, whole.estimated,
    )  # fmt: skip
    assert kahm.study_table("iris").all_records == 150
