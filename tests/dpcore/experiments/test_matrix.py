"""The matrix experiment: what is drawn is what single runs give, its limits, its code."""

from pathlib import Path

import numpy as np
import pytest

from dpcore import datasets
from dpcore.__main__ import main
from dpcore.experiments import matrix
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.matrix import LINES, MatrixParams, noise, training
from dpcore.experiments.relevance import budget
from dpcore.lvq import DPGMLVQ
from dpcore.lvq import matrix as formulas
from tests.stopping import Stopped, stop_after

PARAMS = MatrixParams(
    dataset="iris", epsilon=5.0, clip_norm=0.5, sample_rate=0.05, learning_rate=0.1
)


@pytest.fixture(scope="module")
def problem():
    return matrix.problem_of(PARAMS)


@pytest.fixture(scope="module")
def sweep():
    return matrix.run(PARAMS)


def test_same_parameters_same_result(problem, sweep):
    again = matrix.run_sweep(problem, PARAMS, threads=1)
    assert (again.omegas == sweep.omegas).all()
    assert (again.errors == sweep.errors).all()


def test_one_noise_level_is_the_estimator(problem):
    found = matrix.draft_study(problem, PARAMS).sweep
    data = problem.dataset
    model = DPGMLVQ(
        epsilon=5.0,
        sample_rate=0.05,
        bounds=(data.low, data.high),
        random_state=0,
        expected_n=len(data.y),
        classes=np.unique(data.y),
    ).fit(data.X, data.y)
    assert model.noise_multiplier_ == pytest.approx(found.nodes[0], rel=0.01)
    half, middle = (data.high - data.low) / 2, (data.high + data.low) / 2
    W = (model.prototypes_ - middle) / half
    # The table's σ is up to 0.3 % on the safe side of the estimator's; the rest is the same.
    assert np.abs(W - found.prototypes[0, -1]).max() < 0.02
    assert np.abs(model.omega_ - found.omegas[0, -1]).max() < 0.02
    assert np.abs(model.relevances_ - found.at(5.0).relevances).max() < 0.02


@pytest.mark.parametrize("rank", ["full", "2"])
def test_a_node_of_the_sweep_is_a_single_run(rank):
    params = PARAMS.but(rank=rank)
    problem = matrix.problem_of(params)
    whole = matrix.run_sweep(problem, params)
    one = matrix.run_sweep(problem, params, nodes=whole.nodes[[4]], references=False)
    # The start's noise goes by the node, so the same node gives the same run.
    np.testing.assert_allclose(one.omegas[0], whole.omegas[4], atol=1e-5)
    assert one.omegas.shape[-2] == (4 if rank == "full" else 2)
    assert one.errors[0, -1] == pytest.approx(whole.errors[4, -1], abs=0.021)


def test_little_noise_is_the_method_and_much_noise_is_chance(problem):
    few = matrix.run_sweep(problem, PARAMS, nodes=np.array([1e-3, 50.0]))
    assert few.errors[0, -1] == pytest.approx(few.method_errors[-1], abs=0.04)
    assert few.errors[1, -1] > few.errors[0, -1] + 0.1


def test_relevances_sum_to_one(sweep):
    model = sweep.at(5.0)
    assert model.relevances.sum() == pytest.approx(1)
    assert (model.relevances >= 0).all()
    assert sweep.place(20.0) < sweep.place(0.05)


def test_relevances_of_all_epsilon_are_those_of_each(sweep):
    every = sweep.relevances()
    assert every.shape == (len(EPSILON_GRID), sweep.omegas.shape[-1])
    for row, epsilon in zip(every, EPSILON_GRID, strict=True):
        np.testing.assert_allclose(row, sweep.at(epsilon).relevances, rtol=1e-12, atol=0)


def test_regions_on_the_map_are_the_classifiers_own(problem, sweep):
    W, Omega = sweep.prototypes[5, -1], sweep.omegas[5, -1]
    found = matrix.matrix_view(problem, W, Omega)
    scaled = Omega / np.linalg.norm(Omega)
    _, vectors = np.linalg.eigh(scaled.T @ scaled)
    places = np.random.default_rng(0).uniform(-1, 1, (500, 2)) @ vectors[:, -2:].T
    X = problem.plane[0] + places  # a point of the plane of the two strongest directions
    z = places @ found.axes
    cost = np.square(z[:, None] - found.prototypes[:, :2]).sum(-1) + found.prototypes[:, 2]
    chosen = problem.labels[cost.argmin(1)]
    assert (chosen == formulas.predict(X, W, Omega, problem.labels)).mean() > 0.99


def test_the_matrix_of_a_look_has_trace_one_and_its_profile_is_the_diagonal(problem, sweep):
    found = matrix.matrix_view(problem, sweep.prototypes, sweep.omegas)
    diagonal = np.diagonal(found.matrix, axis1=-2, axis2=-1)
    np.testing.assert_allclose(diagonal, found.relevances, atol=1e-5)
    np.testing.assert_allclose(found.relevances.sum(-1), 1, atol=1e-5)
    np.testing.assert_allclose(found.strengths.sum(-1), 1, atol=1e-5)  # d = 4: all of them


def test_no_noise_on_the_matrix_changes_nothing_and_noise_hurts(problem):
    found = matrix.matrix_noise(problem, *problem.best_pair)
    np.testing.assert_allclose(found[:, 0], problem.best_error, atol=1e-9)
    assert found[1, -1].mean() > found[1, 0].mean() + 0.05
    again = matrix.matrix_noise(problem, *problem.best_pair)
    assert (again == found).all()


def made_records(name, basis, home):
    """Two classes that differ along the first of six features."""
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 6)).astype(np.float32) / 4
    X[:, 0] += y - 0.5
    return np.clip(X, -1, 1), y


def test_readings_of_the_papers_noise_are_measured_by_a_command(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(noise, "records", made_records)
    out = tmp_path / "noise.csv"
    assert main(["matrix-noise", "--out", str(out), "--data", "har", "--folds", "2"]) == 0
    assert "har, fold 2 of 2" in capsys.readouterr().out
    rows = noise.read_readings(out)
    assert rows == noise.make_readings(["har"], n_folds=2)
    assert len(rows) == 8
    found = {(r["on"], r["scaled_to"], r["deviation"]): r["increase"] for r in rows}
    # On a matrix scaled to a larger trace the same noise is smaller; more noise hurts more.
    for on in ("omega", "lambda"):
        assert found[on, "trace", 0.158] > found[on, "diagonal", 0.158]
        assert found[on, "trace", 0.158] > found[on, "trace", 0.025]


@pytest.mark.slow
def test_the_readings_on_the_page_are_what_the_command_measures():
    if not datasets.available("har"):
        pytest.skip("needs the motion data in the folder that DPCORE_DATA names")
    file = Path(__file__).resolve().parents[3] / "docs" / "matrix_noise.csv"
    kept_rows = [row for row in noise.read_readings(file) if row["data"] == "har"]
    for was, now in zip(kept_rows, noise.make_readings(["har"]), strict=True):
        assert now["increase"] == pytest.approx(was["increase"], abs=2e-3)
        assert now["error"] == pytest.approx(was["error"], abs=1e-3)


def test_outcomes_differ_by_the_person_alone(problem):
    nodes = np.array([1.0])
    *_, found = matrix.run_outcomes(problem, PARAMS, n_draws=3, nodes=nodes)
    assert found.with_record.shape == found.without_record.shape == (3, 1, 1, 3 * 4 + 4 * 4)
    assert 0 < np.abs(found.with_record - found.without_record).max() < 0.5
    assert np.abs(found.with_record[0] - found.with_record[1]).max() > 0.01


@pytest.mark.parametrize("calls", [0, 1])
@pytest.mark.parametrize("run", [
    lambda problem, check: matrix.run_study(problem, PARAMS, check=check),
    lambda problem, check: matrix.run_line(problem, PARAMS, "epochs", check=check),
    lambda problem, check: matrix.whole_outcomes(problem, PARAMS, check=check),
    lambda problem, check: matrix.run_spread(problem, PARAMS, check=check),
])  # fmt: skip
def test_cancelled_work_gives_nothing(problem, run, calls):
    with pytest.raises(Stopped):
        run(problem, stop_after(calls))


def stored(place):
    return sorted(place.rglob("results/**/*.npz"))


def test_large_results_are_kept_on_disk(problem, tmp_path, monkeypatch):
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path))
    short = PARAMS.but(epochs=1)
    matrix.run_study(problem, short)
    assert not stored(tmp_path)  # small ones and own data are not
    monkeypatch.setattr(training, "SLOW", ("iris",))
    first = matrix.run_study(problem, short)
    again = matrix.run_study(problem, short.but(epsilon=2.0, matrix_noise_std=0.0))
    assert (first.sweep.omegas == again.sweep.omegas).all()
    assert len(stored(tmp_path)) == 1
    with pytest.raises(Stopped):
        matrix.run_study(problem, short.but(epochs=2), check=stop_after())
    assert len(stored(tmp_path)) == 1
    one = matrix.run_line(problem, short, "epochs")
    two = matrix.run_line(problem, short.but(epochs=2), "epochs")  # the line holds all its values
    assert (one.errors == two.errors).all()
    assert len(stored(tmp_path)) == 2
    assert matrix.whole_outcomes(problem, short) is not None
    assert len(stored(tmp_path)) == 3


def test_a_damaged_file_is_made_again(problem, tmp_path, monkeypatch):
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path))
    monkeypatch.setattr(training, "SLOW", ("iris",))
    short = PARAMS.but(epochs=1)
    first = matrix.run_study(problem, short)
    (file,) = stored(tmp_path)
    whole = file.read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 8]) + whole[middle + 1 :]
    for damaged in (whole[:100], flipped):
        file.write_bytes(damaged)
        again = matrix.run_study(problem, short)
        assert (first.sweep.omegas == again.sweep.omegas).all()
        assert (first.views.axes == again.views.axes).all()
        assert file.read_bytes() != damaged


def test_other_code_does_not_find_what_was_kept(problem, tmp_path, monkeypatch):
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path))
    monkeypatch.setattr(training, "SLOW", ("iris",))
    for code in ("one", "two"):
        monkeypatch.setattr(training, "code_digest", lambda *functions, code=code: code)
        matrix.run_study(problem, PARAMS.but(epochs=1))
    assert len(stored(tmp_path)) == 2


@pytest.mark.parametrize("name", LINES)
def test_a_line_holds_single_trainings(problem, name):
    params = PARAMS.but(epochs=5)
    found = matrix.run_line(problem, params, name)
    grid = params.controls()[name].grid
    assert len(found.errors) == len(grid)
    for k in (0, len(grid) // 2):
        here = params.but(**{name: grid[k]})
        sigma = budget.noise_multipliers(here)[budget.EPSILON_GRID.index(5.0)]
        one = matrix.run_sweep(matrix.problem_of(here), here, nodes=np.array([sigma]), threads=1)
        assert found.noise_multipliers[k] == sigma
        assert found.errors[k, -1] == one.errors[0, -1]
        assert found.method_errors[k, -1] == one.method_errors[-1]
        share = matrix.relevances(one.omegas[0, -1])
        np.testing.assert_allclose(found.views.relevances[k, -1], share, atol=1e-6)


def test_a_quick_look_stops_early_where_training_takes_long():
    assert matrix.draft_epochs(matrix.problem_of(PARAMS), PARAMS) == 50
    params = MatrixParams(dataset="digits", epochs=100)
    problem = matrix.problem_of(params)
    upto = matrix.draft_epochs(problem, params)
    assert 1 <= upto < 100
    assert matrix.draft_study(problem, params).sweep.epochs[-1] == pytest.approx(upto, abs=0.1)


def test_the_papers_formula_is_refused_where_it_breaks():
    from dpcore.experiments.grids import EPSILON_GRID
    from dpcore.experiments.relevance import real_epsilons

    params = MatrixParams(**matrix.PAPER)
    for epsilon, real in zip(EPSILON_GRID, real_epsilons(params), strict=True):
        found = matrix.guarantee(params.but(epsilon=epsilon), matrix.problem_of(params))
        assert found.epsilon == pytest.approx(real, rel=1e-6)
        assert (found.epsilon > found.claimed_epsilon) == (epsilon > 6.8)


def test_the_spread_names_every_setting(problem):
    told = []
    found = matrix.run_spread(problem, PARAMS.but(epochs=10), progress=told.append)
    assert set(found) == set(matrix.PAPER_SPREAD)
    assert all(np.isfinite(errors).all() for errors in found.values())
    assert len(told) == matrix.N_SETTINGS
    at = budget.noise_multipliers(PARAMS)
    assert len(at) == 50


def test_the_sweep_trains_as_many_settings_as_the_page_says():
    assert matrix.N_SETTINGS == 26
