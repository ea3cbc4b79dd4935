"""Every registered claim is attacked in `make test` too, in as many trainings as there is time for."""

import numpy as np
import pytest

from dpcore.audit import registry
from dpcore.audit.bounds import gaussian_bound, two_worlds
from dpcore.audit.plan import Chunk
from dpcore.audit.run import chunk_scores
from dpcore.audit.thresholds import choose_threshold, count

EVERY = registry.all_worlds()
COUNTED, CHOOSING, SEED = 210, 50, 20
FEWER = {"own table, softmax": 100}  # each of its trainings takes a second; half as many show less
CONFIDENCE = 1 - 5e-7 / len(EVERY)


def scores(worlds, use, part, size):
    """Return the scores of ``size`` releases without the canary and of as many with it."""
    some = [Chunk(worlds.name, use, canary, part, size) for canary in (False, True)]
    return [chunk_scores(worlds, one, SEED) for one in some]


def is_broken(worlds):
    """Return whether `COUNTED` trainings on each data set refute the claim.

    A bound only falls with each further error. So the training ends as soon as the claim would not be refuted without
    any further error: the answer is the one of all trainings. A claim that no attack could refute in so many is
    trained twice.
    """
    claim, counted = worlds.claim(), FEWER.get(worlds.name, COUNTED)

    def refuted(*errors):
        level = {"n": counted, "delta": claim.delta, "confidence": CONFIDENCE}
        if worlds.gaussian:
            return gaussian_bound(*errors, curve="gaussian", **level).refutes(claim.epsilon)
        return two_worlds(*errors, **level).refutes(claim.epsilon)

    if not refuted(0, 0):
        scores(worlds, "count", 0, 2)
        return False
    cut, errors = worlds.threshold, np.zeros(2, int)
    if cut is None:
        cut = choose_threshold(*scores(worlds, "choose", 0, CHOOSING), delta=claim.delta)
    for part in range(counted // 10):
        errors += count(*scores(worlds, "count", part, 10), threshold=cut)
        if not refuted(*errors.tolist()):
            return False
    return True


def test_every_private_part_has_worlds():
    assert len(EVERY) >= 40
    for module in registry.MODULES:
        assert __import__(module, fromlist=["WORLDS"]).WORLDS, module
    for one in EVERY:
        assert "add_remove" in one.neighbours or "replace_one" in one.neighbours, one.name
        assert one.claim().status in ("proved", "proved_under_assumption"), one.name
        assert one.canary, one.name
        assert one.score, one.name


def attacked(one):
    """Mark the attack on the convolutional network, whose trainings take as long as those of thirty other claims."""
    marks = [pytest.mark.thorough] if one.name.startswith("convolutional network") else []
    return pytest.param(one, id=one.name, marks=marks)


@pytest.mark.slow
@pytest.mark.parametrize("worlds", [attacked(one) for one in EVERY])
def test_no_claim_is_broken(worlds):
    """All true claims together are called broken with a chance of at most 5e-7.

    With 210 trainings on each data set (fewer for those in ``FEWER``) the attacks see noise of less than 0.4 times
    its scale on Gaussian steps, and none refutes a claim above 2.4 on what is not Gaussian: the whole audit
    (``make audit``) is for those.
    """
    assert not is_broken(worlds)
