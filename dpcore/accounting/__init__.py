"""Accountants, which compute the privacy cost of composed mechanisms and the noise required for a budget.

`epsilon` and `noise_multiplier` are for T subsampled Gaussian steps (DP-SGD), on lots (random batches) that are
Poisson samples or have a fixed size. `spent` accepts any sequence of events, where an event describes a noisy
release. `loss_tail` returns the probability that the privacy loss exceeds ε. `total_variation` returns the total
variation distance between the output distributions on two neighbouring data sets. ``accountant="pld"`` composes
privacy loss distributions and is tight. ``accountant="rdp"`` (Rényi differential privacy) computes a fast upper
bound.
"""

from dpcore.accounting.accountant import (
    epsilon,
    epsilons_by_steps,
    noise_multiplier,
    paper_noise_multiplier,
    spent,
)
from dpcore.accounting.composition import advanced, amplified, basic, group_privacy, optimal
from dpcore.accounting.distance import total_variation
from dpcore.accounting.events import (
    Event,
    ExponentialEvent,
    FixedSizeSampled,
    GaussianEvent,
    Geometric,
    LaplaceEvent,
    PoissonSampled,
    Pure,
    RandomizedResponseEvent,
    Repeated,
    Sequence,
    StaircaseEvent,
    sampled,
)
from dpcore.accounting.printed import printed_amplified, printed_epsilon, printed_root, printed_sum
from dpcore.accounting.tail import Account, account, gaussian_tail, loss_tail

__all__ = [
    "Account",
    "Event",
    "ExponentialEvent",
    "FixedSizeSampled",
    "GaussianEvent",
    "Geometric",
    "LaplaceEvent",
    "PoissonSampled",
    "Pure",
    "RandomizedResponseEvent",
    "Repeated",
    "Sequence",
    "StaircaseEvent",
    "account",
    "advanced",
    "amplified",
    "basic",
    "epsilon",
    "epsilons_by_steps",
    "gaussian_tail",
    "group_privacy",
    "loss_tail",
    "noise_multiplier",
    "optimal",
    "paper_noise_multiplier",
    "printed_amplified",
    "printed_epsilon",
    "printed_root",
    "printed_sum",
    "sampled",
    "spent",
    "total_variation",
]
