"""Every bug in the code that runs makes the checks fail that are there for it."""

from functools import cache, partial

import numpy as np
import pytest

from dpcore.audit import contributions, noise_accounting, noise_scales
from dpcore.audit.sabotage.patches import PATCHES

DEAR = {"_autoencoder_steps", "_autoencoder_lots", "_network_noise", "_network_lots", "_objective"}
DEAR |= {"_ada_ssp", "_class_statistics"}
FEW = [patch for patch in PATCHES if not patch.is_slow]
OTHERS = [patch for patch in PATCHES if patch.is_slow]


def label(check):
    return (check.func if isinstance(check, partial) else check).__name__


def run(check):
    with np.errstate(all="ignore"):
        return check()


@cache
def named(dear):
    """The checks by the name that they give themselves; all hold without a bug."""
    some = [
        *noise_accounting.noise_checks(),
        contributions._small_models,
        noise_scales._small_models,
    ]
    found = {}
    for check in some:
        if dear or label(check) not in DEAR:
            made = run(check)
            assert made.holds, made
            found[made.name] = check
    return found


def seen(patch):
    for beginning in patch.caught_by:
        mine = [check for name, check in named(patch.is_slow).items() if name.startswith(beginning)]
        assert mine, beginning
        with patch.applied():
            assert not all(run(check).holds for check in mine), beginning


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("patch", FEW, ids=[patch.name for patch in FEW])
def test_the_checks_see_it(patch):
    seen(patch)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("patch", OTHERS, ids=[patch.name for patch in OTHERS])
def test_checks_that_train_see_it(patch):
    seen(patch)


def test_a_bend_is_undone_also_where_it_raises():
    from dpcore import sgd

    before = sgd.poisson_lots
    with pytest.raises(ZeroDivisionError), PATCHES[0].applied():
        0 / (sgd.poisson_lots is before)
    assert sgd.poisson_lots is before


def test_at_least_ten_of_them_were_missed_before():
    assert sum(patch.missed_before for patch in PATCHES) >= 10
    assert len({patch.name for patch in PATCHES}) == len(PATCHES)
