"""What must be declared public: the number of records, the classes, the bounds.

The attacks are those that broke the guarantee while steps and noise were divided by the true n.
"""

import math
import warnings

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.datasets import load_iris

from dpcore import BoundsEstimatedWarning, SizeFromDataWarning
from dpcore.lvq import DPGLVQ, DPGMLVQ
from dpcore.lvq.guarantee import SAME_CLASSES

X, Y = load_iris(return_X_y=True)
BOUNDS = ([0, 0, 0, 0], [10, 6, 10, 4])
BOTH = pytest.mark.parametrize("kind", [DPGLVQ, DPGMLVQ])
DECLARED = {"bounds": BOUNDS, "expected_n": 100, "classes": [0, 1, 2]}
# False alarm of one bound: 1e-7 on each side.
ALPHA, TRAININGS = 1e-7, 300


def epsilon_of_scale(n, d, *, path, expected_n, sample_rate, epochs):
    """Lower bound on ε from the scale of the noise alone, with n records against n - 1."""
    options = {
        "epsilon": 0.1, "bounds": (-1, 1), "init": "public", "project": False, "average": False,
        "sample_rate": sample_rate, "epochs": epochs, "classes": [0, 1], "expected_n": expected_n,
    }  # fmt: skip
    data, labels = np.zeros((n, d)), np.arange(n) % 2

    def squares(size, seed):
        model = DPGLVQ(random_state=seed, **options).fit(data[:size], labels[:size])
        moves = np.diff(model.path_, axis=0) if path else model.prototypes_ - model.path_[0]
        unit = 0.1 * model.noise_multiplier_ * 0.5 / sample_rate
        return np.square(moves / unit).mean() / (steps_per_move if path else 1)

    n_steps = round(epochs / sample_rate)
    steps_per_move = n_steps / min(n_steps, 40)
    border = 1 / (n * (n - 1))  # between the two scales, known without any training
    says_in = [
        sum(squares(size, seed) < border for seed in range(TRAININGS)) for size in (n, n - 1)
    ]
    return max(
        math.log(max(_low(a), 1e-12) / _high(b))
        for a, b in (says_in, [TRAININGS - k for k in says_in][::-1])
    )


def _low(k):
    return beta.ppf(ALPHA, k, TRAININGS - k + 1) if k else 0.0


def _high(k):
    return beta.ppf(1 - ALPHA, k + 1, TRAININGS - k) if k < TRAININGS else 1.0


CASES = [
    {"n": 10, "d": 400, "path": False, "sample_rate": 1.0, "epochs": 1},
    {"n": 100, "d": 784, "path": True, "sample_rate": 0.5, "epochs": 20},
]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=["prototypes", "path"])
def test_the_scale_of_the_noise_tells_n_only_where_it_was_not_declared(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SizeFromDataWarning)
        assert epsilon_of_scale(**case, expected_n=None) > 1  # ten times the claimed: "nominal"
    assert epsilon_of_scale(**case, expected_n=case["n"]) < 0.1


@BOTH
@pytest.mark.parametrize("neighbour", [slice(1, None), slice(None, -1)])
def test_one_record_moves_a_step_by_its_clipped_gradient_and_nothing_else(kind, neighbour):
    # With the true n in the step, 9 records in place of 10 would move it fifteen times as far.
    options = {**DECLARED, "expected_n": 10, "init": "public", "random_state": 0, "epsilon": 0.1}
    options |= {"sample_rate": 1.0, "epochs": 1, "project": False, "average": False}
    data, labels = X[::15], Y[::15]
    models = [kind(**options).fit(data[rows], labels[rows]) for rows in (slice(None), neighbour)]
    half = np.subtract(BOUNDS[1], BOUNDS[0]) / 2
    moves = [(model.prototypes_ - model.path_[0]) / half for model in models]
    assert np.linalg.norm(moves[0] - moves[1]) <= 0.1 * 0.5 / 10 * (1 + 1e-3)
    assert models[0].privacy_ == models[1].privacy_
    assert "qN = 10" in models[0].privacy_.public[1]


@BOTH
def test_only_what_was_declared_is_proved(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        proved = kind(**DECLARED).fit(X, Y).privacy_
        replaced = kind(bounds=BOUNDS, classes=[0, 1, 2], neighbouring="replace_one").fit(X, Y)
    assert (proved.status, proved.assumptions) == ("proved", ())
    assert replaced.privacy_.status == "proved"
    assert "qN = 1.5" in replaced.privacy_.public[1]


@BOTH
@pytest.mark.parametrize(
    ("missing", "words", "kind_of_warning"),
    [
        ("expected_n", "number of records n is taken", SizeFromDataWarning),
        ("classes", "the classes are taken", SizeFromDataWarning),
        ("bounds", "the bounds are taken", BoundsEstimatedWarning),
    ],
)
def test_what_was_not_declared_leaves_a_nominal_number(kind, missing, words, kind_of_warning):
    with pytest.warns(kind_of_warning, match=f"{missing}=None") as found:
        privacy = kind(**{**DECLARED, missing: None}).fit(X, Y).privacy_
    assert [one.filename for one in found] == [__file__]
    assert privacy.status == "nominal"
    assert words in privacy.argument
    assert sum("READ from the data" in fact for fact in privacy.public) == 1


def test_both_missing_facts_are_one_warning():
    with pytest.warns(SizeFromDataWarning, match="expected_n=None and classes=None") as found:
        DPGLVQ(bounds=BOUNDS).fit(X, Y)
    assert len(found) == 1


@BOTH
def test_classes_read_under_replacement_are_an_assumption(kind):
    privacy = kind(bounds=BOUNDS, neighbouring="replace_one").fit(X, Y).privacy_
    assert (privacy.status, privacy.assumptions) == ("proved_under_assumption", (SAME_CLASSES,))


@BOTH
@pytest.mark.parametrize("init", ["gaussian", "laplace", "public"])
def test_the_only_record_of_a_class_can_be_missing(kind, init):
    with_it, without = np.r_[0:100, 100], np.r_[0:100]
    for rows in (with_it, without):
        model = kind(**DECLARED, init=init).fit(X[rows], Y[rows])
        assert model.classes_.tolist() == [0, 1, 2]
        assert model.prototypes_.shape == (3, 4)
        assert np.isfinite(model.path_).all()
        assert set(model.predict(X)) <= {0, 1, 2}
    assert kind(**DECLARED, init=init).fit(X[:50], Y[:50]).prototype_labels_.tolist() == [0, 1, 2]


def test_names_of_classes_are_kept():
    names = np.array(["a", "b", "c"])[Y]
    model = DPGLVQ(bounds=BOUNDS, expected_n=150, classes=["c", "d", "b", "a"]).fit(X, names)
    assert model.prototype_labels_.tolist() == ["a", "b", "c", "d"]
    with pytest.raises(ValueError, match="'c', which is not in classes"):
        DPGLVQ(bounds=BOUNDS, expected_n=150, classes=["a", "b"]).fit(X, names)


@pytest.mark.parametrize("wrong", [0, -3, 1.5, math.inf, "many"])
def test_an_expected_n_that_is_none_is_refused(wrong):
    with pytest.raises(ValueError, match="expected_n"):
        DPGLVQ(**{**DECLARED, "expected_n": wrong}).fit(X, Y)


@BOTH
def test_the_clipped_share_is_not_on_the_fitted_model(kind):
    model = kind(**DECLARED, clip_norm=0.05, epsilon=math.inf).fit(X, Y)
    assert not hasattr(model, "clipped_share_")
    assert 0 < model.clipped_share(X, Y) <= 1
    assert model.set_params(clip_norm=1e6).clipped_share(X, Y) == 0


@pytest.mark.parametrize("end", [1.79e308, 2e100])
def test_bounds_that_overflow_are_refused(end):
    with pytest.raises(ValueError, match="none beyond 1e100"):
        DPGLVQ(**{**DECLARED, "bounds": (-end, end)}).fit(X, Y)
    far = np.where(X > 3, end, X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoundsEstimatedWarning)
        with pytest.raises(ValueError, match="beyond 1e100"):
            DPGLVQ(**{**DECLARED, "bounds": None}).fit(far, Y)


@pytest.mark.parametrize("bounds", [(0, 1e100), (-1e100, 1e100), (0, 1e-100), (1, 1 + 3e-16)])
@pytest.mark.parametrize("far", [1.79e308, -1.79e308, 5e-324, 0.0])
def test_any_legal_value_gives_a_finite_release(bounds, far):
    data = X.copy()
    data[::7] = far
    model = DPGLVQ(**{**DECLARED, "bounds": bounds}, project=False, epsilon=0.1).fit(data, Y)
    assert np.isfinite(model.path_).all()


def test_bounds_too_near_to_divide_by_their_width_are_refused():
    with pytest.raises(ValueError, match="low below high by 1e-100 at least"):
        DPGLVQ(**{**DECLARED, "bounds": (0, 5e-324)}).fit(X, Y)


@pytest.mark.parametrize("bounds", [([0, 1], [1, 2]), 3, (0, 1, 2), ("a", "b")])
def test_bounds_of_the_wrong_shape_get_a_sentence(bounds):
    with pytest.raises(ValueError, match=r"bounds=.* are not allowed: give \(low, high\)"):
        DPGLVQ(**{**DECLARED, "bounds": bounds}).fit(X, Y)
