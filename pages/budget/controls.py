"""How the parameters of Budget are set."""

from __future__ import annotations

from ui.depth import Depth
from ui.figure_kit import shared_controls
from ui.figure_kit.controls import PageControl

__all__ = ["CONTROLS"]

CONTROLS = (
    PageControl(
        "mechanism",
        help="What answers every question: a sum with Gaussian noise (as in DP-SGD), or Laplace "
        "noise.",
    ),
    shared_controls.epsilon(help="How much privacy loss all questions together may cost."),
    PageControl(
        "n_steps",
        ends=("one", "many"),
        mode="local",
        help="How often the mechanism answers, each time on the same data.",
    ),
    PageControl(
        "noise_multiplier",
        ends=("little noise", "much noise"),
        mode="local",
        help="Standard deviation of the noise over the sensitivity.",
    ),
    PageControl(
        "answer_epsilon",
        ends=("more noise", "less noise"),
        mode="local",
        help="What one answer costs on its own: Laplace noise of scale Δ/ε₀.",
    ),
    PageControl(
        "sample_rate",
        ends=("few records", "all records"),
        mode="local",
        help="Chance that a record takes part in an answer, by a coin of its own.",
    ),
    shared_controls.delta(
        help="By how much the probability of any set of results, all questions together, may "
        "exceed the bound by e^ε."
    ),
    PageControl(
        "group",
        ends=("one person", "a group"),
        mode="local",
        depth=Depth.UNDERSTAND,
        help="The promise to a group of k people who may all be in or out.",
    ),
    PageControl(
        "ledger",
        hidden=True,
        depth=Depth.UNDERSTAND,
        help="Releases in short form: L0.5*3 (Laplace), G2 (Gaussian), S1/0.01/500 (sampled), E1 "
        "(any ε-DP choice), P (post-processing).",
    ),
)
