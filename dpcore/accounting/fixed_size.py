"""Privacy loss of a Gaussian step on a lot (batch) of fixed size, if one record is replaced.

Notation:

- The data sets D and D' have N records. They differ in one record, which is x in D and x' in D'.
- A lot is a set of L records, drawn at random without replacement; γ = L/N.
- A record r in the lot adds a gradient g(r) of norm at most C to the sum of the lot. M(D) is this sum plus noise from
  N(0, σ²C²).
- N(m) is the normal distribution with mean m and variance σ²C².
- H_α is the hockey-stick divergence.

Bound for one step:

1. A lot can be drawn in two stages. First draw L of the N - 1 records that are common to D and D'. Then, with
   probability γ, replace a random record j of these by x in D or by x' in D'.
2. Fix the records drawn first. With probability 1 - γ no record is replaced, and the sum of the lot is the same in
   both data sets. Otherwise the sum is shifted by g(x) - g(j) in D and by g(x') - g(j) in D'. The norms of both
   shifts and of their difference are at most 2C.
3. By advanced joint convexity (Balle, Barthe and Gaboardi 2018), for every α ≥ 1, with α = 1 + γ(α' - 1),

   H_α(M(D), M(D')) ≤ γ H_α'(N(2C), N(0)) = H_α((1 - γ)N(0) + γN(2C), N(0)).

   The same holds with D and D' exchanged.
4. The bound is tight. It is attained if all other gradients are equal, g(x) is opposite to them, g(x') is equal to
   them, and all norms are C.
5. The right-hand side is the divergence of a Poisson-sampled step with the noise multiplier σ/2, in one order of
   its data sets. The other order gives no smaller bound for α ≥ 1.

Composition: The worse order of D and D' may change from step to step, because it depends on the gradients of the
other records. T steps may therefore cost more than T Poisson-sampled steps in one order. For this reason, the pair of
distributions that is composed here has the above divergence in both orders. Its positive losses are those of the
Poisson-sampled step, and its negative losses are their mirror image (Zhu, Dong and Wang 2022, Proposition 30). The
pair dominates every step, and therefore the composition of all steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.accounting import losses
from dpcore.accounting.events import FixedSizeSampled

__all__ = ["distribution"]


def distribution(event: FixedSizeSampled, width: float) -> Any:
    """Return the privacy loss distribution of one step on a lot (batch) of fixed size.

    The losses are rounded up to a grid. The result is an object of the library dp-accounting.

    Parameters
    ----------
    event : FixedSizeSampled
        Gaussian noise on a lot of fixed size. Neighbours differ in one record that is replaced.
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
