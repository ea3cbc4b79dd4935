"""Accountants: what a composition of mechanisms costs, and the noise that a budget asks for.

`epsilon` and `noise_multiplier` are about T subsampled Gaussian steps, the mechanism of DP-SGD, on
Poisson lots or on lots of a fixed size; `spent` takes any sequence of events; `loss_tail` says how
often an output gives away more than ε; `total_variation` how well two neighbours can be told apart.
``accountant="pld"`` is tight; ``"rdp"`` is an instant upper bound of our own.
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
