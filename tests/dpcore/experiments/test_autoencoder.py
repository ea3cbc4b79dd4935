"""The autoencoder experiment: pictures are single releases, distances exact, networks re-makeable."""

import math
from pathlib import Path

import numpy as np
import pytest

from dpcore.autoencoder import (
    KINDS,
    attacks,
    pairwise_epsilon,
    paper,
    perturb_biases,
    statistics,
    weight_cache,
)  # fmt: skip
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from dpcore.experiments.autoencoder import __main__ as reference
from dpcore.experiments.autoencoder import problem as problems
from dpcore.experiments.autoencoder.problem import noise_of
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID

PARAMS = AutoencoderParams(epsilon=2.4, digit=3)


@pytest.fixture(scope="module")
def problem():
    return autoencoder.digits_problem()


@pytest.fixture(scope="module")
def sweep(problem):
    return autoencoder.run_sweep(problem, PARAMS)


@pytest.fixture(scope="module")
def found(problem):
    """The quick attackers of the paper's ε and kinds, and the first slow ones."""
    last = None
    for step, news in enumerate(autoencoder.run_attacks(problem, 0)):
        last = news
        if step == 3 * len(autoencoder.LEVELS) + 3:
            break
    return last


@pytest.mark.parametrize("epsilon", [0.05, 0.8, 2.4, 20.0])
def test_pictures_are_single_releases(problem, sweep, epsilon):
    k = autoencoder.place_of(epsilon, 1e-5, sweep.nodes)
    assert k == round(float(k))
    noise = noise_of(problem, PARAMS.seed)
    one = perturb_biases(problem.weights, sweep.original[None], epsilon=epsilon, noise=noise)
    np.testing.assert_allclose(sweep.draws[int(k)], one[0, :, :, 0], atol=1e-5)
    np.testing.assert_allclose(sweep.released[int(k), :, PARAMS.digit], one[0, :, 0, 0], atol=1e-5)


@pytest.mark.parametrize("delta", DELTA_GRID)
def test_every_epsilon_and_delta_has_a_place_between_two_nodes(problem, delta):
    at = autoencoder.place_of(EPSILON_GRID, delta, problem.nodes)
    assert (np.diff(at) > 0).all()
    assert at[0] > 0
    assert at[-1] < len(problem.nodes) - 1
    same = autoencoder.effective_epsilon(1.0, delta) * math.sqrt(math.log(1.25 / delta))
    assert same == pytest.approx(math.sqrt(math.log(1.25e5)))


def test_between_nodes_the_pictures_are_close(problem, sweep):
    """At another δ a picture is a mean of two neighbours: no pixel is off by more than a shade."""
    at = float(autoencoder.place_of(2.4, 1e-6, sweep.nodes))
    low, part = int(at), at - int(at)
    mixed = (1 - part) * sweep.draws[low] + part * sweep.draws[low + 1]
    noise = noise_of(problem, PARAMS.seed)
    exact = perturb_biases(
        problem.weights, sweep.original[None], epsilon=2.4, delta=1e-6, noise=noise
    )
    assert np.abs(mixed - exact[0, :, :, 0]).max() < 0.03


def test_figures_2_to_4_are_at_the_papers_seven_epsilon(sweep):
    for place, epsilon in enumerate((0.8, 1.6, 2.4, 3.2, 4.0, 6.0, 8.0)):
        k = int(autoencoder.place_of(epsilon, 1e-5, sweep.nodes))
        np.testing.assert_allclose(sweep.seven[place], sweep.released[k], atol=1e-5)


def test_little_noise_gives_the_clean_picture_and_much_a_random_one(sweep):
    similar = autoencoder.similarity_of(sweep)
    assert (similar.error[-1] < similar.clean_error + 0.02).all()
    assert (similar.error[0] > 0.2).all()
    assert similar.bins.sum(-1) == pytest.approx(np.ones(similar.bins.shape[:2]))


@pytest.mark.parametrize("other", ["nearest", "same", "digit"])
def test_true_epsilon_between_two_people_is_the_rooms(problem, other):
    params = PARAMS.but(other=other)
    pair = autoencoder.run_pair(problem, params)
    first = problem.everyone[autoencoder.chosen(problem, params)]
    for k, kind in enumerate(KINDS):
        wanted = pairwise_epsilon.pair_epsilon(
            problem.weights, first, problem.everyone[pair.row], EPSILON_GRID, 1e-6, kind=kind
        )
        np.testing.assert_allclose(pair.epsilon[:, DELTA_GRID.index(1e-6), k], wanted, rtol=1e-6)
    assert pair.row != autoencoder.chosen(problem, params)
    assert (problem.labels[pair.row] == params.digit) == (other != "digit")


def test_the_two_worlds_are_as_far_apart_as_the_distance_says(problem):
    pair = autoencoder.run_pair(problem, PARAMS)
    k = KINDS.index("output")  # exact there: nothing is rectified after the noise
    level = int(autoencoder.place_of(2.4, 1e-5, problem.nodes))
    here, there = (part[level, k] * pair.ratio[level, k] for part in (pair.here, pair.there))
    assert here.std() == pytest.approx(1.0, abs=0.35)
    assert there.mean() - here.mean() == pytest.approx(pair.ratio[level, k], abs=0.7)


def test_the_most_similar_person_is_the_closest(problem):
    row = autoencoder.second_person(problem, PARAMS.but(other="nearest"))
    first = autoencoder.chosen(problem, PARAMS)
    far = np.square(problem.everyone - problem.everyone[first]).sum(1)
    far[first] = np.inf
    alike = problem.labels == PARAMS.digit
    assert far[row] == far[alike].min()


def test_what_attackers_find(problem, found):
    quick = (found.alone, found.informed, found.batch, found.area)
    assert all(np.isfinite(part).all() for part in quick)
    assert (found.alone[-1] > 0.75).all()
    assert (found.alone[0] < 0.02).all()
    # One noise for a batch hides less than a noise of its own for every picture.
    mid = autoencoder.LEVELS.index(1.6)
    assert (found.batch[mid] > found.alone[mid] + 0.05).all()
    done = np.isfinite(found.cancelled)
    assert done.sum() == 3
    assert found.cancelled[done].min() > 0.8
    rising = np.diff(found.averages[autoencoder.LEVELS.index(3.2)], axis=-1)
    assert (rising > -0.05).all()
    assert 0.45 < found.plain_area < 0.6


def test_a_number_of_the_attack_is_the_rooms_own(problem, found):
    v, k = autoencoder.LEVELS.index(3.2), KINDS.index("output")
    rng = np.random.default_rng(5)
    rows = rng.permutation(len(problem.everyone))[:400]
    noise = {"draws": 1, "rng": rng}
    single = [
        perturb_biases(
            problem.weights, problem.everyone[[row]], kind=KINDS[k], epsilon=3.2, **noise
        )[0, 0, 0, 0]
        for row in rows
    ]
    share = attacks.linked_share(attacks.link_pixels(np.array(single), problem.everyone), rows)
    assert found.alone[v, k] == pytest.approx(float(share), abs=0.09)


MEDIANS = {
    "hidden": (6.5, 15, 26, 39, 54, 100, 158),
    "output": (25, 68, 128, 205, 299, 608, 1023),
}


@pytest.mark.parametrize("kind", MEDIANS)
def test_people_met_by_chance_are_as_far_apart_as_written_down(problem, kind):
    """The page's own network has learnt as long as the one that was written down."""
    found = pairwise_epsilon.median_pair_epsilon(
        problem.weights, problem.everyone, kind=kind, pairs=8000, rng=np.random.default_rng(0)
    )
    assert found == pytest.approx(MEDIANS[kind], rel=0.05)
    assert problem.test_loss == pytest.approx(0.0086, abs=0.0006)


def test_the_page_of_reference_figures_is_what_is_measured(problem):
    """Its quick rows are measured again with the network that is shipped, of the same recipe."""
    page = (Path(__file__).resolve().parents[3] / "docs" / "autoencoder.md").read_text("utf-8")
    assert page.startswith(reference._HEAD)
    assert page.endswith(reference._FOOT)
    cells = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in page.split("## mnist")[0].splitlines()
    ]
    tables = [row for row in cells if len(row) == 10 and row[2] in ("reference", "ours")]
    printed = {
        tuple(first[:2]): second[3:]
        for first, second in zip(tables[::2], tables[1::2], strict=True)
    }
    assert len(printed) == len(reference.REFERENCE["digits"])
    setting = reference.Setting(
        name="digits", model=problem.weights, X=problem.training, y=problem.training_labels,
        X_test=problem.everyone[: problem.unseen], y_test=problem.labels[: problem.unseen],
    )  # fmt: skip
    for row in reference.measure(setting, ("look", "true")):
        found = [float(v) for v in printed[reference._WORDS[row.what], row.kind]]
        near = {"rel": 0.02} if row.what == "true" else {"abs": 0.02}
        assert row.ours == pytest.approx(found, **near)
        if row.what == "look":  # six standard deviations of the difference of two shares of 400
            there = np.array(reference.REFERENCE["digits"]["look", row.kind])
            spread = np.sqrt(2 * np.maximum(there * (1 - there), 0.02) / 400)
            assert (np.abs(row.ours - there) < 6 * spread).all()


def test_a_network_that_learns_by_heart_tells_its_members():
    few = autoencoder.digits_problem("few")
    start = next(autoencoder.run_attacks(few, 0))
    assert start.plain_area > 0.9
    assert start.refit_area > 0.85  # whoever throws the noisy biases away loses nothing
    assert len(few.members) == 212


def test_the_papers_tables_beside_ours(problem):
    for kind in KINDS:
        table = autoencoder.compare_tables(problem, PARAMS, kind)
        assert table["paper: H"] == paper.TABLES[kind].hellinger
        assert table["paper: BC + H²"] == pytest.approx([0.98086] * 7, abs=1e-5)
        lost = round(30 * 64 / 784)
        assert table["ours: BC + H²"] == pytest.approx([1 - lost / 128] * 7)
        best = np.array(table["ours: H, best of 10"])
        assert (best <= np.array(table["ours: H, one draw"]) + 1e-12).all()


def test_shuffled_pixels_score_a_perfect_distance(problem):
    base = autoencoder.baselines(problem, 9)
    assert base.shuffled == 0
    assert base.same_digit > base.shuffled


def test_the_generator_is_proved_and_teaches(problem):
    params = PARAMS.but(real=True, epsilon=1.0)
    privacy = autoencoder.guarantee(params, problem)
    assert (privacy.status, privacy.epsilon, privacy.delta) == ("proved", 1.0, 1e-5)
    first = next(autoencoder.run_synthetic(problem, params))
    e = EPSILON_GRID.index(1.0)
    again = autoencoder.fitted(problem, 1e-5, 0).at(1.0)
    pictures = again.sample(3, np.random.default_rng((0, 4)))
    np.testing.assert_array_equal(first.pictures[e], pictures.swapaxes(0, 1))
    assert first.taught_real > first.noiseless > 0.85


def audited(problem, **options):
    for found in autoencoder.run_audit(problem, PARAMS, **options):
        last = found
    return last


def test_the_promise_survives_its_audit_and_half_the_noise_would_not(problem):
    """Each ε's certificate errs with a chance of 5 %, far below the claim: see the Gaussian's own bound."""
    kept = audited(problem, trials=8000)
    assert kept.done == 1.0
    # No picture moves the statistics further. Codes are shortened to (1 - 10⁻⁵) R, which leaves room for the rounding
    # of their sums: so the sums move by that, the second moments by its square, and the sizes by 1: 1 - 1.42e-5.
    shorter = (1 - 1e-5) ** (2 * np.arange(3))
    assert kept.reach == pytest.approx(math.sqrt(np.dot(statistics.SHARES, shorter)), abs=1e-9)
    grid = np.array(EPSILON_GRID)
    assert (kept.certified <= grid).all()
    wide = grid >= 2
    assert (kept.certified[wide] > 0.15 * grid[wide]).all()
    broken = audited(problem, trials=8000, noise=0.25)
    middle = (grid >= 0.8) & (grid <= 4)
    assert (broken.certified[middle] > grid[middle]).all()


def test_the_audit_scales_one_noise_to_every_epsilon(problem):
    """The scores at an ε are those of noise drawn for that ε, the unit noise being the same."""
    from dpcore.autoencoder import statistics
    from dpcore.experiments.autoencoder.attacks import _Attack
    from dpcore.mechanisms import gaussian_sigma

    attack = _Attack.on(problem)
    one, four = (statistics.noise_scales(e, 1e-5, attack.clip_norm) for e in (1.0, 4.0))
    louder = gaussian_sigma(1.0, 1.0, delta=1e-5) / gaussian_sigma(1.0, 4.0, delta=1e-5)
    here, there = (
        attack.scores(s, 1.0, 5, np.random.default_rng(0)) for s in (one, four)
    )  # fmt: skip
    np.testing.assert_allclose(louder * here, there, rtol=1e-6)
    assert attack.gap(four) == pytest.approx(louder**2 * attack.gap(one))


def test_an_audit_tells_its_progress(problem):
    news = list(autoencoder.run_audit(problem, PARAMS, trials=2000))
    assert [round(n.done, 2) for n in news] == [0, 0.25, 0.5, 0.75, 1]
    assert np.isnan(news[-2].certified).all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_papers_method_promises_nothing(problem, kind):
    privacy = autoencoder.guarantee(PARAMS.but(kind=kind), problem)
    assert (privacy.status, privacy.epsilon, privacy.claimed_epsilon) == ("nominal", math.inf, 2.4)


@pytest.mark.parametrize(("trained_on", "loss"), [("all", 0.011), ("few", 0.003)])
def test_the_shipped_networks_are_whole(trained_on, loss):
    kept = weight_cache.read(problems.shipped_file(trained_on))
    assert kept is not None
    assert autoencoder.digits_problem(trained_on).loss < loss


@pytest.mark.slow
@pytest.mark.parametrize("trained_on", [pytest.param("all", marks=pytest.mark.thorough), "few"])
def test_the_command_makes_the_shipped_networks_again(tmp_path, trained_on):
    problems.make_shipped(trained_on, tmp_path / "made.npz")
    made, kept = (
        weight_cache.read(f) for f in (tmp_path / "made.npz", problems.shipped_file(trained_on))
    )
    # Other processors round otherwise, and a long training lets that grow: the same fit, not the same bits.
    assert made[1][-1] == pytest.approx(kept[1][-1], rel=0.15)
    assert made[0].W1.shape == kept[0].W1.shape


@pytest.mark.slow
def test_mnist_is_trained_with_progress_and_can_be_cancelled(data_dir, monkeypatch, tmp_path):
    monkeypatch.setenv("DPCORE_DATA", str(data_dir))
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path))
    told = []
    made = autoencoder.named_problem("mnist", progress=lambda part, loss: told.append(part))
    assert told[-1] == 1.0
    assert made.test_loss < 0.01
    assert made.everyone.shape == (10_000, 784)

    def stop(part, loss):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        autoencoder.named_problem("mnist", "few", progress=stop)
