"""Privacy loss of a Gaussian step on a lot of fixed size, drawn without replacement, for a replaced record.

The data sets D and D' have N records, of which L form the lot, γ = L/N. Record i is x in D and x' in D'.
Each record adds a gradient g of norm at most C to the sum of the lot; the noise is N(0, σ²C²). To draw a
lot, draw L of the other records and then, with probability γ, replace one of them, j, by i. Given this
draw, the sum of the lot is the same in both data sets with probability 1 - γ, and otherwise shifted by
g(x) - g(j) or g(x') - g(j): both shifts are at most 2C long, and at most 2C apart. Let H_α be the
hockey-stick divergence. Advanced joint convexity (Balle, Barthe and Gaboardi 2018) then gives for one step,
for either order of the data sets and for every α ≥ 1, with α = 1 + γ(α' - 1),

H_α(M(D), M(D')) ≤ γ H_α'(N(2C, σ²C²), N(0, σ²C²)) = H_α((1 - γ)N(0) + γN(2C), N(0)),

which is tight (if all other gradients are opposite to that of x, and that of x' equals them). The right-hand
side is one order of a Poisson step with the noise σ/2. The other order gives no smaller bound for α ≥ 1, but
**which** data set dominates may change from step to step, with the gradients of the other records, so that
T steps may cost more than T Poisson steps in one direction. The pair composed here has this divergence in
both orders: its positive losses are those of the Poisson step, its negative ones their mirror image
(Zhu, Dong and Wang 2022, Proposition 30). It dominates every step, and therefore their composition.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.accounting import losses
from dpcore.accounting.events import FixedSizeSampled

__all__ = ["distribution"]


def distribution(event: FixedSizeSampled, width: float) -> Any:
    """Return dp-accounting's privacy loss distribution of one step, rounded up to a grid (pessimistic).

    Parameters
    ----------
    event : FixedSizeSampled
        Gaussian noise on a lot of a fixed size; neighbours differ in one record that is replaced.
    width : float
        Spacing of the grid of losses.
    """
    from dp_accounting.pld import pld_pmf
    from dp_accounting.pld import privacy_loss_distribution as library

    sampled = losses.gaussian(event.event.noise_multiplier / 2, event.sample_rate)
    poisson = losses.from_above(sampled, width)
    one_way = poisson._pmf_remove
    points = np.arange(len(one_way._probs)) + one_way._lower_loss
    above = points > 0
    steps = np.arange(1, points[-1] + 1)
    likely = np.zeros(len(steps))
    likely[points[above] - 1] = one_way._probs[above]
    mirrored = likely * np.exp(-steps * width)
    # What neither tail holds is no loss at all: 1 - H_1 - 2 P_D'[L > 0] ≥ 0, but for rounding.
    nothing = max(0.0, 1 - one_way._infinity_mass - likely.sum() - mirrored.sum())
    found = np.concatenate([mirrored[::-1], [nothing], likely])
    return library.PrivacyLossDistribution(
        pld_pmf.DensePLDPmf(width, -len(steps), found, one_way._infinity_mass, True)
    )
