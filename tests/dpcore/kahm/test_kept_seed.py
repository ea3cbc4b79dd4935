"""Who knows all records of a party but one tries candidates for it: a refit must not tell them apart.

With rounds = 3 the records cannot be had back by subtracting noise. But with the seed of the noise a
refit on a guess equals the released machines where the guess is true, and nowhere else.
"""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

from dpcore._random_state import SeededNoiseWarning, generator
from dpcore.audit.leak_checks import leaves, secrets, whole_numbers
from dpcore.kahm import FederatedKAHMClassifier, FewRecordsWarning, KAHMClassifier
from dpcore.kahm.federated import Party

pytestmark = pytest.mark.filterwarnings(
    f"ignore::{FewRecordsWarning.__module__}.{FewRecordsWarning.__name__}",
    f"ignore::{SeededNoiseWarning.__module__}.{SeededNoiseWarning.__name__}",
    "ignore::dpcore.RepeatedFitsWarning",
)
ROUNDS = 3
X = np.random.default_rng(0).random((48, 4))
Y = np.arange(48) // 2 % 2
PARTIES = np.arange(48) % 2
CANDIDATES = [
    X[0],
    *np.random.default_rng(1).random((5, 4)),
]  # of the first record; the first is true


class KeepsItsSeed(FederatedKAHMClassifier):
    """The sabotaged twin, as the federation once was: the seed of the noise stays on each party."""

    def _party(self, X, y, rng):
        seed = int(rng.integers(2**31))
        model = clone(self.estimator).set_params(random_state=seed)
        return Party.fitted(model, X, y, self.classes_)


def machines(model):
    """All numbers of the released machines."""
    return {path: leaf for path, leaf in leaves(model.machines_).items() if leaf.dtype.kind == "f"}


def equal(first, second):
    return first.keys() == second.keys() and all(
        first[path].shape == second[path].shape and (first[path] == second[path]).all()
        for path in first
    )


def refits(released, guess):
    """Whether a refit of the first party on its records, with ``guess`` as the first, is the release."""
    own = PARTIES == 0
    guessed = np.vstack([guess, X[own][1:]])
    party = released.parties_[0]._model
    target = machines(party)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in whole_numbers(released):  # not one of them may lead back to the noise
            direct = clone(party).set_params(random_state=seed).fit(guessed, Y[own])
            spawned = clone(party).set_params(random_state=None)
            spawned._fit_from(guessed, Y[own], generator(seed).spawn(1)[0], None)
            if equal(machines(direct), target) or equal(machines(spawned), target):
                return True
    return False


def released_by(federation):
    model = KAHMClassifier(epsilon=0.05, rounds=ROUNDS, n_components=3)
    return federation(estimator=model).fit(X, Y, PARTIES)


def test_the_attack_finds_the_record_when_a_party_keeps_its_seed():
    found = [refits(released_by(KeepsItsSeed), guess) for guess in CANDIDATES]
    assert found == [True] + [False] * 5


def test_no_refit_equals_what_a_federation_released():
    released = released_by(FederatedKAHMClassifier)
    assert released.privacy_.status == "proved"
    assert [refits(released, guess) for guess in CANDIDATES] == [False] * 6
    assert secrets(released) == []


def test_the_seed_that_is_the_constructors_own_is_what_the_assumption_is_about():
    """With it, the attack works: so the status says that it has to stay secret."""
    model = KAHMClassifier(epsilon=0.05, rounds=ROUNDS, n_components=3)
    released = FederatedKAHMClassifier(estimator=model, random_state=0).fit(X, Y, PARTIES)
    assert released.privacy_.status == "proved_under_assumption"
    assert [refits(released, guess) for guess in CANDIDATES[:2]] == [True, False]
