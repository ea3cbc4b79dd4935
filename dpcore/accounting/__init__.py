"""Accountants: what a composition of mechanisms costs, and the noise that a budget asks for.

`epsilon` and `noise_multiplier` are about T subsampled Gaussian steps, the mechanism of DP-SGD, on
Poisson lots or on lots of a fixed size; `spent` takes any sequence of events; `loss_tail` says how
often an output gives away more than ε. ``accountant="pld"`` is tight; ``"rdp"`` is an instant
upper bound of our own.
"""

from dpcore.accounting.composition import advanced, amplified, basic, group_privacy, optimal
from dpcore.accounting.events import (
    Event,
    FixedSizeSampled,
    Gaussian,
    Laplace,
    PoissonSampled,
    Pure,
    Repeated,
    Sequence,
    sampled,
)
from dpcore.accounting.printed import printed_amplified, printed_epsilon, printed_root, printed_sum
from dpcore.accounting.public import epsilon, paper_noise_multiplier, spent
from dpcore.accounting.search import noise_multiplier
from dpcore.accounting.tail import Account, account, gaussian_tail, loss_tail

__all__ = [
    "Account",
    "Event",
    "FixedSizeSampled",
    "Gaussian",
    "Laplace",
    "PoissonSampled",
    "Pure",
    "Repeated",
    "Sequence",
    "account",
    "advanced",
    "amplified",
    "basic",
    "epsilon",
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
]
