"""Pictures of the hull machines: regions, one machine, layers and bodies, each by brute force."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from dpcore.datasets import load
from dpcore.experiments import kahm
from dpcore.experiments.kahm import KahmParams, machine
from dpcore.experiments.kahm.params import QUERY_GRID, SHOWN_ROUNDS, TURN_GRID, hull_options
from dpcore.experiments.kahm.picture import REACH
from dpcore.experiments.kahm.picture import SIDE as REGION_SIDE
from dpcore.experiments.kahm.study import Bench
from dpcore.kahm import KAHM, KAHMClassifier, fabricate
from dpcore.kahm.wide import Deep, HullOptions

SMALL = KahmParams(n_records=40, shape="spirals", n_components=2)


@pytest.fixture(scope="module")
def data():
    return kahm.picture_data("spirals", 40)


@pytest.mark.parametrize(("kind", "e"), [(None, 0), (0, 0), (1, 1)])
def test_regions_are_what_the_classifier_names(data, kind, e):
    found = kahm.run_regions(SMALL, (4.0, 20.0))
    X, y = data
    seen = X if kind is None else found.points[e, kind]
    if kind == 0:
        wanted = fabricate(X, y, epsilon=4.0, rng=np.random.default_rng((0,)), rounds=3)
        np.testing.assert_allclose(seen, wanted.noisy)
    model = KAHMClassifier(n_components=2, split="none").fit(seen, y)
    side = np.linspace(*REACH, REGION_SIDE)
    places = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    leads = found.leads_original if kind is None else found.leads[e, kind]
    named = leads.reshape(3, -1).argmin(0)
    np.testing.assert_array_equal(named, model.predict(places))
    assert ((leads < 0).sum(0) <= 1).all()
    others = load("spirals", n_samples=66)
    right = (model.predict((others.X_test + 1) / 2) == others.y_test).mean()
    told = found.accuracy_original if kind is None else found.accuracy[e, kind]
    assert told == pytest.approx(right)
    assert found.n_test == len(others.y_test)


def test_one_machine_by_the_formulas_as_printed(data):
    X, y = data
    params = SMALL.but(person=4)
    found = kahm.run_machine(params)
    Y = X[y == y[4]]
    model = KAHM(2).fit(Y)
    Z = model.scores_
    inverse = np.linalg.inv(
        np.exp(-((Z[:, None] - Z) ** 2).sum(2) / 4) + model.lam_ * np.eye(len(Y))
    )
    for i, j in ((0, 0), (7, 20), (24, 12)):
        query = np.array([0.5 + QUERY_GRID[i], 0.5 + QUERY_GRID[j]])
        h = inverse @ np.exp(-((model.encoding_.scores(query[None]) - Z) ** 2).sum(1) / 4)
        w = h / h.sum()
        gaps = np.linalg.norm(query - Y, axis=1)
        distance = np.linalg.norm(query - w @ Y)
        np.testing.assert_allclose(found.weights[i, j], w[gaps.argsort()], atol=1e-8)
        np.testing.assert_allclose(found.images[i, j], w @ Y, atol=1e-8)
        assert found.distance[i, j] == pytest.approx(distance)
        assert found.bound_one[i, j] == pytest.approx(np.abs(w).sum() * gaps.max())
        assert found.bound_two[i, j] == pytest.approx(np.sqrt((w**2).sum() * (gaps**2).sum()))
    assert found.weights.sum(2) == pytest.approx(1.0)
    assert (found.line[:, 0] <= np.minimum(found.line[:, 1], found.line[:, 2]) + 1e-9).all()
    assert found.own == pytest.approx(
        inverse[found.place] @ np.exp(-((Z[found.place] - Z) ** 2).sum(1) / 4)
    )
    np.testing.assert_array_equal(found.records[found.place], X[4])
    along = np.searchsorted(machine.ALONG, 0.5)
    level = QUERY_GRID.index(0.1)
    assert found.line[level, 0, along] == pytest.approx(
        float(model.distance([[machine.ALONG[along], 0.6]])[0])
    )


def test_the_search_for_lambda_ends_at_the_machines_own(data):
    X, y = data
    found = kahm.run_fixed_point(SMALL)
    for f in (0, 9, 17):
        made = fabricate(X, y, epsilon=found.nodes[f], rng=np.random.default_rng((0,)), rounds=0)
        noisy = made.noisy[y == 0]
        lam = KAHM(2, tol=1e-12).fit(noisy).lam_ / np.square(noisy).mean()
        assert found.end[f] + found.tau == pytest.approx(lam, rel=1e-9)
        assert found.steps[f, 0] == 0.5
        assert abs(found.steps[f, -1] - found.end[f]) <= found.rate**6
        at = np.interp(found.end[f], machine.CURVE, found.curve[f])
        assert at == pytest.approx(found.end[f], abs=1e-3)


def test_layers_are_those_of_the_deep_machine(data):
    X, y = data
    found = kahm.run_layers(SMALL)
    options = HullOptions(n_components=2, n_layers=3)
    e = 7
    made = fabricate(
        X, y, epsilon=found.nodes[e], rng=np.random.default_rng((0,)), rounds=SHOWN_ROUNDS
    )
    for stage, Y in ((0, X), (1, made.noisy), (3, made.stages[2])):
        own = y == 1
        deep = Deep.fitted(Y[own], options)
        now, images = Y[own], []
        for layer in deep.layers:
            now = layer.transform(now)
            images.append(now)
        np.testing.assert_allclose(found.images[e, stage][:, own], images, atol=1e-5)
    assert found.nearest.sum(2) == pytest.approx(1.0)
    for split in range(2):
        for c in range(3):
            sizes = np.bincount(found.block[split, y == c])
            assert len(sizes) == machine.N_BLOCKS if split else len(sizes) <= machine.N_BLOCKS
            assert sizes.min() >= 2


@pytest.mark.parametrize("n", [1, 2])
def test_bodies_turn_without_changing(n):
    found = kahm.run_space(KahmParams(n_components=n))
    assert found.samples.min() > -0.2
    assert found.samples.max() < 1.2
    seen = machine.projected(found.samples[0])
    assert seen.shape == (len(TURN_GRID), found.samples.shape[1], 2)
    np.testing.assert_allclose(seen[0], seen[-1], atol=1e-12)  # once round
    # Heights and the horizontal parts of two views a quarter apart give the body back.
    quarter = TURN_GRID.index(90)
    x, y = seen[0][:, 0], -seen[quarter][:, 0]
    np.testing.assert_allclose(np.stack([x, y], -1), found.samples[0][:, :2] - 0.5, atol=1e-12)
    net = found.nets[2]
    net = net[np.isfinite(net[:, 0])]
    model = KAHM(n).fit(found.samples[2])
    assert np.linalg.matrix_rank(model.encoding_.scores(net), tol=1e-6) == n


def test_learners_of_the_study_are_those_of_scikit_learn():
    data = kahm.study_dataset(load("wine"))
    bench = Bench.of(data, 0, hull_options(SMALL, 5))
    Y = bench.X + np.random.default_rng(1).laplace(size=bench.X.shape) / 4
    members, others = bench.gammas(Y, 0)
    found = bench.accuracies(Y, others)
    model = KAHMClassifier(n_components=5, split="none").fit(Y, bench.y)
    wanted = (model, KNeighborsClassifier(1).fit(Y, bench.y), SVC(C=10.0).fit(Y, bench.y))
    assert found == pytest.approx([one.score(bench.X_test, bench.y_test) for one in wanted])
    own = model.distances(bench.X)[
        np.arange(len(bench.y)), np.searchsorted(model.classes_, bench.y)
    ]
    np.testing.assert_allclose(members, own, atol=1e-9)
