"""Privacy loss of a Gaussian step on a lot of fixed size, drawn without replacement, for a replaced record.

Notation:

- The data sets D and D' have N records. They differ in one record, which is x in D and x' in D'.
- A lot is a random batch of L records; γ = L/N.
- A record r in the lot adds a gradient g(r) of norm at most C to the sum of the lot. M(D) is this sum with the
  noise N(0, σ²C²).
- N(m) is the normal distribution with mean m and variance σ²C².
- H_α is the hockey-stick divergence.

Bound for one step:

1. A lot can be drawn in two stages. First draw L of the records other than x or x'. Then, with probability γ,
   replace one of the drawn records, j, by x or x'.
2. Fix the records drawn first. With probability 1 - γ no record is replaced, and the sum of the lot is the same in
   both data sets. Otherwise the sum is shifted by g(x) - g(j) in D and by g(x') - g(j) in D'. Both shifts are at
   most 2C long, and at most 2C apart.
3. By advanced joint convexity (Balle, Barthe and Gaboardi 2018), for every α ≥ 1, with α = 1 + γ(α' - 1),

   H_α(M(D), M(D')) ≤ γ H_α'(N(2C), N(0)) = H_α((1 - γ)N(0) + γN(2C), N(0)).

   The same holds with D and D' exchanged.
4. The bound is tight: it is attained if all other gradients are opposite to g(x), and g(x') equals them.
5. The right-hand side is the divergence of a Poisson-sampled step with the noise multiplier σ/2, in one order of
   its data sets. The other order gives no smaller bound for α ≥ 1.

Composition: the order of D and D' that has the dominating distribution may change from step to step, with the
gradients of the other records. So T steps may cost more than T Poisson-sampled steps in one order. The pair of
distributions composed here therefore has the above divergence in both orders. Its positive losses are those of the
Poisson-sampled step, its negative losses their mirror image (Zhu, Dong and Wang 2022, Proposition 30). The pair
dominates every step, and therefore the composition of all steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.accounting import losses
from dpcore.accounting.events import FixedSizeSampled

__all__ = ["distribution"]


def distribution(event: FixedSizeSampled, width: float) -> Any:
    """Return the privacy loss distribution of one step on a lot of a fixed size, on a grid with losses rounded up.

    The result is an object of the library dp-accounting.

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
    masses = np.concatenate([mirrored[::-1], [nothing], likely])
    return library.PrivacyLossDistribution(
        pld_pmf.DensePLDPmf(width, -len(steps), masses, one_way._infinity_mass, True)
    )
