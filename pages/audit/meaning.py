"""The one sentence of Audit that says what its figure shows now."""

from __future__ import annotations

from dpcore.experiments.audit import AuditParams, target_of, worlds_of
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.guarantee import Guarantee
from pages.audit.figure_arrays import bounds_of, is_caught
from ui.live import Text
from ui.runner import PageState
from ui.words.numbers import short

__all__ = ["meaning"]

_CAUGHT = (
    "Caught after {n} trials: the claim of {{epsilon}} is refuted, with 95 % confidence. By now the software is "
    "shown to give away at least ε = {{bound_now}}; in at most 5 of 100 audits such a number is too high.{twin}"
)
_IMPOSSIBLE = (
    "Caught: {hits} results cannot come out without Ada, whatever ε is. The δ of the claim is "
    "too small, with 95 % confidence.{twin}"
)
_FAILED = (
    "{n} trials of each kind did not refute the claim ε = {{epsilon}}. That is no proof: a better attack may "
    "exist.{twin}"
)
_IN_VAIN = (
    "With only {n} trials of each kind even a perfect attack could not refute ε = {{epsilon}}. Run more "
    "trials.{twin}"
)
_SPARED = " The repaired copy is not caught."
_TWIN_TOO = " The repaired copy is refuted too: its own claim is larger."


def meaning(state: PageState[AuditParams]) -> Text:
    """Return the sentence for every claim; the bound itself does not depend on the claim."""
    found, params = state["attack"], state.params
    if found is None:
        return Text(strings=["The first trials are under way."])
    claim = worlds_of(params.target, params.built).claim()
    claims = claim.tabulated(EPSILON_GRID)
    return Text(strings=[_sentence(params, found, one) for one in claims], dims=("epsilon",))


def _sentence(params: AuditParams, found: object, claim: Guarantee) -> str:
    target, twin = found.target, found.twin  # type: ignore[attr-defined]
    shown, n = bounds_of(params, target), target.counts.n[-1]
    more = ""
    if twin is not None:
        more = _TWIN_TOO if is_caught(params, bounds_of(params, twin), claim.epsilon) else _SPARED
    facts = {"n": short(n), "twin": more, "hits": n - target.counts.missed[-1]}
    bug = target_of(params.target).bug
    if bug and bug.support and shown.delta_lower > params.delta:
        return _IMPOSSIBLE.format(**facts)
    if shown.bound[-1] > claim.epsilon:
        first = target.counts.n[int((shown.bound > claim.epsilon).argmax())]
        return _CAUGHT.format(**facts | {"n": short(first)})
    return (_FAILED if shown.ceiling[-1] > claim.epsilon else _IN_VAIN).format(**facts)
