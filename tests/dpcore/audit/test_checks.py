"""The deterministic checks hold on what is shipped, and each of them fails on what it is there for."""

import numpy as np
import pytest

from dpcore import mechanisms
from dpcore.audit import checks, contributions, noise_scales
from dpcore.audit.checks import attributes, stored_seeds, undeclared

_SLOW = "_reach_of_the_tail"
_FAST = [
    pytest.param(check, id=f"{number}-{name}")
    for number, (name, check) in enumerate(checks.all_checks())
    if _SLOW not in f"{name} {getattr(check, '__name__', '')}"
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("check", _FAST)
def test_every_check_holds(check):
    with np.errstate(all="ignore"):
        found = check()
    assert found.holds, found


@pytest.mark.slow
def test_the_noise_of_the_steps_has_a_tail():
    found = noise_scales._reach_of_the_tail()
    assert found.holds, found


def test_a_sum_beyond_its_sensitivity_or_not_a_number_does_not_hold():
    assert contributions.at_most("", 2.0, 2.0).holds
    assert not contributions.at_most("", 2.0, 2.01).holds
    assert not contributions.at_most("", 2.0, float("nan")).holds
    assert not contributions.at_most("", 2.0, float("inf")).holds


def test_noise_of_another_scale_does_not_hold():
    z = np.random.default_rng(0).standard_normal(20_000)
    assert noise_scales.scale_check("", 1.0, z).holds
    for wrong in (0.95, 1.05, 2.0):
        assert not noise_scales.scale_check("", 1.0, wrong * z).holds


def test_a_gradient_that_is_not_clipped_is_measured(monkeypatch):
    from dpcore.descent import train

    assert contributions._small_models().holds
    monkeypatch.setattr(train, "norms", lambda factors: np.zeros(factors[0][1].shape[:2]))
    assert not contributions._small_models().holds


class _Mean:
    """A noisy mean that keeps what it is told to keep."""

    def __init__(self, random_state, keep):
        self.random_state, self.keep = random_state, keep

    def fit(self, X, y):
        rng = np.random.default_rng(self.random_state)
        X = np.asarray(X)
        self.mean_ = X.mean(0) + rng.standard_normal(X.shape[1])
        if self.keep == "bounds":
            self.inner_ = {"range": [X.min(0), X.max(0)]}
        elif self.keep == "half":
            self.mean_[0] = X[:, 0].mean()
        elif self.keep == "size":
            self._n = len(X)
        elif self.keep == "rng":
            self.tools_ = [rng]
        return self


@pytest.mark.parametrize(
    ("keep", "path"),
    [("", ()), ("bounds", ("inner_.range.0",)), ("half", ("mean_",)), ("size", ("_n",))],
)
def test_what_is_kept_without_noise_is_found(keep, path):
    X, y = np.arange(12.0).reshape(6, 2), np.arange(6)
    found = undeclared(lambda seed: _Mean(seed, keep), X, y, X[1:], y[1:])
    assert found == path
    assert (
        undeclared(
            lambda seed: _Mean(seed, keep), X, y, X[1:], y[1:], declared=("inner_", "_n", "mean_")
        )
        == ()
    )


def test_a_kept_generator_or_seed_is_found():
    X, y = np.zeros((3, 2)), np.zeros(3)
    assert stored_seeds(lambda rng: _Mean(None, ""), X, y) == ()
    assert stored_seeds(lambda rng: _Mean(rng, ""), X, y) == ("random_state",)
    assert stored_seeds(lambda rng: _Mean(7, "rng"), X, y) == ("random_state", "tools_.0")


def test_attributes_are_found_at_any_depth():
    inner = mechanisms.Laplace(epsilon=2.0)
    found = dict(attributes({"a": [inner, (1, np.arange(2))]}))
    assert (found["a.0.epsilon"], found["a.1.0"]) == (2.0, 1)
    assert found["a.1.1"].tolist() == [0, 1]


def test_a_check_that_crashes_does_not_hold(monkeypatch):
    def _broken():
        raise RuntimeError("no such thing")

    monkeypatch.setattr(checks, "all_checks", lambda: [("one", _broken)])
    (found,) = checks.run_all()
    assert not found.holds
    assert "no such thing" in found.name
    assert "BROKEN" in checks.as_text((found,))
