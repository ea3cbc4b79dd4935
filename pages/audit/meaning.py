"""The one sentence of Audit that says what its figure shows now."""

from __future__ import annotations

from dpcore.experiments.audit import AuditParams, target_of
from dpcore.grids import EPSILON_GRID
from pages.audit.figure_arrays import bounds_of, is_caught
from ui.live import Text
from ui.numbers_in_words import short
from ui.runner import PageState

__all__ = ["meaning"]

_CAUGHT = (
    "Caught after {n} trials: the claim of {{epsilon}} is false. By now we can prove that the software gives away at "
    "least ε = {{bound_now}}.{twin}"
)
_IMPOSSIBLE = (
    "Caught: {hits} results cannot come out without Ada, whatever ε is. The δ of the claim is "
    "too small.{twin}"
)
_FAILED = (
    "We tried {n} times to catch it at ε = {{epsilon}} and failed. That is no proof: a better "
    "attack may exist.{twin}"
)
_IN_VAIN = (
    "With {n} trials no attack, however good, could refute ε = {{epsilon}}. So this says "
    "nothing: try more often.{twin}"
)
_SPARED = " The repaired copy is not caught."
_TWIN_TOO = " The repaired copy is refuted too: its own claim is larger."


def meaning(state: PageState[AuditParams]) -> Text:
    """Return the sentence for every claim; the bound itself does not depend on the claim."""
    found, params = state["attack"], state.params
    if found is None:
        return Text(strings=["The first trials are under way."])
    return Text(strings=[_sentence(params, found, e) for e in EPSILON_GRID], dims=("epsilon",))


def _sentence(params: AuditParams, found: object, epsilon: float) -> str:
    target, twin = found.target, found.twin  # type: ignore[attr-defined]
    shown, n = bounds_of(params, target), target.counts.n[-1]
    more = ""
    if twin is not None:
        more = _TWIN_TOO if is_caught(params, bounds_of(params, twin), epsilon) else _SPARED
    facts = {"n": short(n), "twin": more, "hits": n - target.counts.missed[-1]}
    bug = target_of(params.target).bug
    if bug and bug.support and shown.delta_lower > params.delta:
        return _IMPOSSIBLE.format(**facts)
    if shown.bound[-1] > epsilon:
        first = target.counts.n[int((shown.bound > epsilon).argmax())]
        return _CAUGHT.format(**facts | {"n": short(first)})
    return (_FAILED if shown.ceiling[-1] > epsilon else _IN_VAIN).format(**facts)
