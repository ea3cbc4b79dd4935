"""Original -> noisy -> fabricated: what smoothing does, and that it sees the noisy data only."""

import math

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from dpcore.kahm import AtomWarning, HullOptions, KAHMClassifier, fabricate, modelling_error, smooth

SMALL = HullOptions(n_components=4, split="none")


def cloud(seed=0, N=60, p=5):
    rng = np.random.default_rng(seed)
    y = np.arange(N) % 2
    return np.clip(0.3 + 0.3 * y[:, None] + 0.1 * rng.standard_normal((N, p)), 0, 1), y


def rng(seed=0):
    return np.random.default_rng(seed)


def test_the_end_depends_on_the_original_through_the_noisy_data_alone():
    X, y = cloud(3)
    made = fabricate(X, y, epsilon=2.0, rng=rng(7), options=SMALL)
    # Another original, with the noise that leads to the same noisy matrix.
    again = smooth(made.noisy, y, rng=rng(99), options=SMALL)
    assert (again.stages == made.stages).all()
    assert (again.errors == made.errors).all()


def test_neighbours_differ_in_one_noisy_element_only():
    X, y = cloud(3)
    other = X.copy()
    other[5, 2] = 1 - other[5, 2]
    gap = (
        fabricate(X, y, epsilon=2.0, rng=rng(7)).noisy
        - fabricate(other, y, epsilon=2.0, rng=rng(7)).noisy
    )
    assert np.argwhere(gap).tolist() == [[5, 2]]
    assert abs(gap[5, 2]) <= 1


def test_values_outside_the_box_are_clipped_before_the_noise():
    X, y = cloud(4)
    far = X.copy()
    far[0] = [1e9, -1e9, 0.5, 0.5, 0.5]
    near = far.clip(0, 1)
    made = fabricate(far, y, epsilon=1.0, rng=rng(1), options=SMALL)
    assert (made.X == fabricate(near, y, epsilon=1.0, rng=rng(1), options=SMALL).X).all()


def test_same_noise_for_every_epsilon_and_none_at_infinity():
    X, y = cloud(5)
    noise = [fabricate(X, y, epsilon=e, rng=rng(1), rounds=0).noisy - X for e in (1.0, 4.0)]
    assert noise[0] == pytest.approx(4 * noise[1], abs=1e-12)
    clean = fabricate(X, y, epsilon=math.inf, rng=rng(1), rounds=0)
    np.testing.assert_allclose(clean.X, X)
    assert clean.guarantee.epsilon == math.inf


def test_units_of_the_data_are_kept():
    X, y = cloud(6)
    one = fabricate(X, y, epsilon=2.0, rng=rng(2), options=SMALL)
    two = fabricate(10 * X - 3, y, epsilon=2.0, rng=rng(2), bounds=(-3, 7), options=SMALL)
    assert two.stages == pytest.approx(10 * one.stages - 3)
    assert two.errors == pytest.approx(one.errors)


def test_the_papers_stop_reaches_the_error_of_the_original_and_is_not_a_guarantee(digits):
    X, _, y, _ = digits()
    made = fabricate(X, y, epsilon=4.0, rng=rng(0), stop="paper", max_rounds=50)
    original = modelling_error(X, y, rng=rng(0))
    assert made.target == pytest.approx(original)
    reached = made.rounds < 50
    assert reached.any()
    assert (made.errors[-1] <= made.target)[reached].all()
    assert len(set(made.rounds.tolist())) > 1  # the number of rounds tells of the original data
    assert made.guarantee.status == "nominal"
    assert "nothing pays" in made.guarantee.argument


def test_the_guarantee_is_of_a_record():
    X, y = cloud(7)
    made = fabricate(X, y, epsilon=2.0, delta=1e-5, rng=rng(0))
    assert (made.guarantee.epsilon, made.guarantee.claimed_epsilon) == (10.0, 2.0)
    assert made.guarantee.delta == pytest.approx(1 - (1 - 1e-5) ** 5)
    assert made.guarantee.status == "proved_under_assumption"  # somebody has the generator
    assert fabricate(X, y, epsilon=2.0, rng=None).guarantee.status == "proved"
    half = fabricate(X, y, epsilon=2.0, rng=rng(0), sensitivity=0.5)
    assert half.guarantee.epsilon == 20.0
    assert fabricate(X, y, epsilon=2.0, rng=rng(0), sensitivity=1 / 3).guarantee.epsilon == 30.0


def test_atoms_are_warned_of_and_are_original_values(digits):
    X, _, y, _ = digits()
    with pytest.warns(AtomWarning, match="original"):
        made = fabricate(X, y, epsilon=1.0, delta=1e-3, rng=rng(0), rounds=0)
    # 80,448 elements at 10⁻³: 80 expected, standard deviation 9; within six of them.
    assert abs((made.noisy == X).sum() - X.size * 1e-3) < 54


@pytest.mark.parametrize("operator", ["fixed", "rebuild", "centred"])
@pytest.mark.parametrize("split", ["random", "none"])
def test_degenerate_classes_give_numbers(operator, split):
    X = np.vstack([np.zeros((4, 3)), np.full((5, 3), 0.3), [[0.1, 0.2, 0.9]], np.eye(3)])
    y = [0] * 4 + [1] * 5 + [2] + [3] * 3
    options = HullOptions(block_size=2, split=split)
    made = fabricate(X, y, epsilon=math.inf, rng=rng(0), operator=operator, options=options)
    assert np.isfinite(made.stages).all()
    assert made.X[:9] == pytest.approx(X[:9])
    assert np.isfinite(made.errors).all()


def test_fabrication_makes_data_usable_for_other_learners(digits):
    X, X_test, y, y_test = digits()
    made = fabricate(X, y, epsilon=1.0, rng=rng(0))

    def score(records):
        return KNeighborsClassifier(1).fit(records, y).score(X_test, y_test)

    assert score(made.noisy) <= 0.3
    assert score(made.X) >= 0.85
    kahm = [KAHMClassifier(split="random").fit(r, y).score(X_test, y_test)
            for r in (made.noisy, made.X)]  # fmt: skip
    assert abs(kahm[1] - kahm[0]) <= 0.03


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"X": [[math.nan]], "y": [0]}, "X of shape"),
        ({"y": [0, 1]}, "one label each"),
        ({"epsilon": -1}, "epsilon=-1"),
        ({"delta": 1.5}, "delta"),
        ({"sensitivity": 0}, "sensitivity=0"),
        ({"sensitivity": 2}, "sensitivity=2"),
        ({"rounds": -1}, "rounds=-1"),
        ({"operator": "other"}, "operator='other'"),
        ({"stop": "never"}, "stop='never'"),
        ({"noise": "normal"}, "kind='normal'"),
        ({"bounds": (0, math.inf)}, "bounds"),
    ],
)
@pytest.mark.filterwarnings("ignore::dpcore.kahm.fabricate.AtomWarning")
def test_bad_arguments_are_named(bad, words):
    X, y = cloud()
    with pytest.raises(ValueError, match=words):
        fabricate(**{"X": X, "y": y, "epsilon": 1.0, "rng": rng(), **bad})
