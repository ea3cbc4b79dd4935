"""How the parameters of Mechanisms are set."""

from __future__ import annotations

from dpcore.experiments import mechanisms
from dpcore.experiments.mechanisms import MechanismsParams
from ui.figure_kit import shared_controls
from ui.figure_kit.controls import PageControl
from ui.frame.depth import Depth

__all__ = ["CONTROLS"]


def _no_mean(params: MechanismsParams) -> str:
    """Say why n changes nothing, where it does not."""
    if params.question != "mean":
        return "The size n does not matter for this question. Choose the mean to see its effect."
    return (
        "The number of people is private here: take it as public." * mechanisms.query(params).alone
    )


def _one_relation(params: MechanismsParams) -> str:
    """Say why the relation changes nothing for a count."""
    if params.question != "count":
        return ""
    return "Where people are only replaced, how many there are is public and needs no noise: ask something else."


def _no_group(params: MechanismsParams) -> str:
    if not mechanisms.query(params).alone:
        return ""
    return "Not available here: for this mean the figure always shows one person."


CONTROLS = (
    shared_controls.epsilon(
        help="Because of one record, an answer may become likelier by a factor of at most eᵋ, up to the exceptions "
        "that δ allows."
    ),
    PageControl(
        "question",
        help="What is asked about the people. One person can change some answers more than others.",
    ),
    PageControl(
        "relation",
        depth=Depth.UNDERSTAND,
        idle=_one_relation,
        help="What may differ between two data sets: whether a person is there at all, or who one of a public number "
        "n of people is. For the mean the noise is very different.",
    ),
    PageControl(
        "noise",
        depth=Depth.UNDERSTAND,
        help="Laplace and staircase noise need no δ. The Gaussian noise that Sarkar's lecture prints is "
        "proved for ε < 1 only.",
    ),
    shared_controls.delta(
        depth=Depth.UNDERSTAND,
        idle=lambda params: (
            ""
            if params.noise in ("gaussian", "classical")
            else "This noise has no δ: choose Gaussian noise."
        ),
        help="By how much the probability of any set of answers may exceed the bound of ε. Only "
        "Gaussian noise uses it.",
    ),
    PageControl(
        "group",
        depth=Depth.UNDERSTAND,
        ends=("one person", "a group"),
        mode="local",
        idle=_no_group,
        help="In how many people the two data sets differ. The promise for a group is k times weaker.",
    ),
    PageControl(
        "n_people",
        depth=Depth.UNDERSTAND,
        ends=("few", "many"),
        idle=_no_mean,
        help="How many people there are: for the mean, and for noise that everybody adds at home.",
    ),
    PageControl(
        "example",
        depth=Depth.UNDERSTAND,
        help="For the exponential mechanism, which draws the best of several options by chance.",
    ),
    shared_controls.seed(
        depth=Depth.UNDERSTAND, help="The same seed gives the same draws; ε only scales them."
    ),
)
