"""How the parameters of Audit are set."""

from __future__ import annotations

from dpcore.experiments.audit import AuditParams, target_of
from ui.figure_kit import shared_controls
from ui.figure_kit.controls import PageControl
from ui.frame.depth import Depth
from ui.words.numbers import show

__all__ = ["CONTROLS"]


def _built_once(params: AuditParams) -> str:
    """Say why the ε of the software cannot be set, where it cannot."""
    fixed = target_of(params.target).fixed
    return "" if fixed is None else f"This one is always built with ε = {show(fixed, '.6g')}."


def _no_theory(params: AuditParams) -> str:
    bug = target_of(params.target).bug
    return "The thresholds of the bugs come from theory." if bug else ""


CONTROLS = (
    shared_controls.epsilon(
        label="what the software claims",
        help="The ε that the software promises. We try to refute the promise.",
    ),
    PageControl(
        "target",
        help="What is put to the test. The first twelve are right; each bug has a repaired copy beside it.",
    ),
    PageControl(
        "trainings",
        ends=("a quick look", "many trials"),
        help="How often the software runs with Ada, and as often without her. More trials can show more.",
    ),
    PageControl(
        "built",
        ends=("more noise", "less noise"),
        idle=_built_once,
        depth=Depth.UNDERSTAND,
        help="The ε that sets the noise of the software under test. Where it is larger than the claim, the claim is "
        "false and the attack can find out.",
    ),
    shared_controls.delta(
        mode="server",
        depth=Depth.UNDERSTAND,
        help="The δ of the claim: by how much the probability of any set of results may exceed the bound of its ε.",
    ),
    PageControl(
        "threshold",
        idle=_no_theory,
        depth=Depth.UNDERSTAND,
        help="From which score on the attacker says “with”. It has to be fixed before the first counted trial: by "
        "theory, or on 200 more trials in each world.",
    ),
    shared_controls.seed(
        depth=Depth.UNDERSTAND,
        help="The same seed gives the same trials; another one repeats the audit.",
    ),
)
