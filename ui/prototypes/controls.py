"""The controls that the two pages of prototypes have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ui.figure_kit import shared_controls
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl
from ui.frame.depth import Depth

__all__ = ["prototype_controls"]

_CONTROLS = (
    shared_controls.epsilon(
        help="How much likelier one record may make a result. That is 1.11 times "
        "at ε = 0.1, 2.72 times at ε = 1 and 148 times at ε = 5, up to the rare exceptions that δ allows."
    ),
    PageControl(
        "dataset",
        offered=is_here,
        help="Where the records come from. The bounds of every feature are declared as public facts.",
    ),
    PageControl(
        "prototypes_per_class",
        ends=("one", "many"),
        help="How many typical points each class gets. More of them cost no privacy: each record counts for as "
        "much as before.",
    ),
    shared_controls.delta(
        depth=Depth.UNDERSTAND,
        help="By how much the probability of any set of results may exceed the bound of ε. Keep it far "
        "below 1/N.",
    ),
    PageControl(
        "clip_norm",
        ends=("clip hard", "hardly clip"),
        depth=Depth.UNDERSTAND,
        help="The longest gradient that one record may contribute to a step. The noise grows with it.",
    ),
    PageControl(
        "sample_rate",
        ends=("few records a step", "all records"),
        depth=Depth.UNDERSTAND,
        help="The probability with which a record takes part in a step, independently of all others (Poisson "
        "sampling), or the share of the records in a lot of a fixed size.",
    ),
    PageControl(
        "lots",
        depth=Depth.UNDERSTAND,
        help="How the records of a step are drawn: every record independently with probability q, or a "
        "random subset of exactly qN. On subsets of a fixed size the guarantee is about one record "
        "replaced by another, and needs more noise.",
    ),
    PageControl(
        "epochs",
        ends=("short", "long"),
        mode="local",
        depth=Depth.UNDERSTAND,
        help="How often each record is used on average. The number of steps is T = E/q.",
    ),
    PageControl(
        "init_share",
        ends=("spend on steps", "spend on start"),
        depth=Depth.UNDERSTAND,
        help="The part of ε that is spent on the noisy class means from which the training starts.",
    ),
    PageControl(
        "learning_rate",
        ends=("small steps", "large steps"),
        depth=Depth.UNDERSTAND,
        help="The length of a step. Steps that are too small are bad too: the noisy start has to be forgotten.",
    ),
    PageControl(
        "project",
        depth=Depth.UNDERSTAND,
        help="Put prototypes that leave the public bounds back on the edge after each step. This is "
        "post-processing, and costs no privacy.",
    ),
    shared_controls.person(
        help="Whose record differs between the two runs, ranked by its distance from the mean of its class."
    ),
    PageControl(
        "recipe",
        depth=Depth.CHECK,
        help="Noise from an exact account with a Gaussian start, or the formula that Brinkrolf, Berger and Hammer "
        "print, with their Laplace start.",
    ),
    PageControl("person_dx", hidden=True, depth=Depth.UNDERSTAND),
    PageControl("person_dy", hidden=True, depth=Depth.UNDERSTAND),
    shared_controls.seed(),
)


def prototype_controls(**changes: Mapping[str, Any]) -> tuple[PageControl, ...]:
    """Return the controls of a private prototype training, those named with a page's own settings."""
    return tuple(replace(item, **changes.get(item.name, {})) for item in _CONTROLS)
