"""The controls that the two pages of prototypes have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ui.depth import Depth
from ui.figure_kit import shared_controls
from ui.figure_kit.controls import PageControl

__all__ = ["prototype_controls"]

_CONTROLS = (
    PageControl(
        "dataset", help="Where the records come from. Bounds of every feature are public facts."
    ),
    shared_controls.epsilon(
        help="How much one person may change the odds of any result: by a factor of at most e^ε."
    ),
    shared_controls.delta(
        help="By how much the probability of any set of results may exceed the bound by e^ε. Keep "
        "it far below 1/N."
    ),
    PageControl(
        "clip_norm",
        ends=("clip hard", "hardly clip"),
        help="No record may move the prototypes further than this in one step. The noise grows with it.",
    ),
    PageControl(
        "sample_rate",
        ends=("few records a step", "all records"),
        help="Chance that a record takes part in a step, independently of all others (Poisson sampling), or "
        "the share of the records in a lot of a fixed size.",
    ),
    PageControl(
        "lots",
        depth=Depth.UNDERSTAND,
        help="How the records of a step are drawn: every record independently with chance q, or a "
        "random subset of exactly qN. On subsets of a fixed size the guarantee is about one record "
        "replaced by another, and needs more noise.",
    ),
    PageControl(
        "epochs",
        ends=("short", "long"),
        mode="local",
        help="How often each record is used on average; the steps are T = E/q.",
    ),
    PageControl(
        "prototypes_per_class",
        ends=("one", "many"),
        help="More prototypes cost no privacy: each record counts for as much as before.",
    ),
    PageControl(
        "recipe",
        help="Noise from a tight accountant with a Gaussian start, or the paper's printed formula "
        "with its Laplace start.",
    ),
    PageControl(
        "init_share",
        ends=("spend on steps", "spend on start"),
        depth=Depth.UNDERSTAND,
        help="Part of ε that pays for the noisy class means from which training starts.",
    ),
    PageControl(
        "learning_rate",
        ends=("small steps", "large steps"),
        depth=Depth.UNDERSTAND,
        help="Length of a step. Too small is bad too: the noisy start must be forgotten.",
    ),
    PageControl(
        "project",
        depth=Depth.UNDERSTAND,
        help="Put prototypes that leave the public domain back on its edge after each step: free.",
    ),
    shared_controls.person(
        help="Whose record the two worlds differ in, ranked by distance from the class mean."
    ),
    PageControl("person_dx", hidden=True, depth=Depth.UNDERSTAND),
    PageControl("person_dy", hidden=True, depth=Depth.UNDERSTAND),
    shared_controls.seed(),
)


def prototype_controls(**changes: Mapping[str, Any]) -> tuple[PageControl, ...]:
    """Return the controls of a private prototype training, those named with a page's own settings."""
    return tuple(replace(item, **changes.get(item.name, {})) for item in _CONTROLS)
