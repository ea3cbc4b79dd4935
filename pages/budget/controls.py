"""How the parameters of Budget are set."""

from __future__ import annotations

from ui.figure_kit import shared_controls
from ui.figure_kit.controls import PageControl
from ui.frame.depth import Depth

__all__ = ["CONTROLS"]

CONTROLS = (
    shared_controls.epsilon(
        label="your whole budget", help="The largest ε that all answers together may cost."
    ),
    PageControl(
        "n_steps",
        ends=("one", "many"),
        mode="local",
        help="How many answers are given, each about the same people.",
    ),
    PageControl(
        "noise_multiplier",
        ends=("little noise", "much noise"),
        mode="local",
        help="How much noise each answer gets: its standard deviation, divided by the most that one person can "
        "change the answer.",
    ),
    PageControl(
        "answer_epsilon",
        ends=("more noise", "less noise"),
        mode="local",
        help="What one answer costs on its own. The noise has the scale Δ/ε₀.",
    ),
    PageControl(
        "mechanism",
        depth=Depth.UNDERSTAND,
        help="What protects each answer: Gaussian noise, as in private training (DP-SGD), or Laplace noise.",
    ),
    PageControl(
        "sample_rate",
        ends=("few records", "all records"),
        mode="local",
        depth=Depth.UNDERSTAND,
        help="The probability with which each record takes part in an answer, independently of the others. Who "
        "takes part stays secret.",
    ),
    shared_controls.delta(
        depth=Depth.UNDERSTAND,
        help="By how much the probability of any set of results, all answers together, may exceed the bound "
        "of ε.",
    ),
    PageControl(
        "group",
        ends=("one person", "a group"),
        mode="local",
        depth=Depth.UNDERSTAND,
        help="What is guaranteed to a group of k people who are all in the data or all out of it.",
    ),
    PageControl(
        "ledger",
        hidden=True,
        depth=Depth.CHECK,
        help="Releases in short form: L0.5*3 (Laplace), G2 (Gaussian), S1/0.01/500 (sampled), E1 "
        "(any ε-DP choice), P (post-processing).",
    ),
)
