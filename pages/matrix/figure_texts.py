"""The sentences of the matrix figure that follow ε."""

from __future__ import annotations

from dpcore.experiments.matrix import MatrixParams, MatrixProblem, Study
from dpcore.grids import EPSILON_GRID

__all__ = ["looks_at", "losses"]


def looks_at(problem: MatrixProblem, params: MatrixParams, study: Study) -> list[str]:
    """Return, for every ε, which features the private classifier looks at most."""
    names = problem.dataset.feature_names
    if len(study.sweep.nodes) == 1:
        said = "A first look at this ε alone: all noise levels are trained when you let go."
        if study.upto < study.sweep.params.epochs:
            said += " It shows the first epochs, with the noise that the whole training needs."
        return [said] * len(EPSILON_GRID)
    found = []
    for epsilon in EPSILON_GRID:
        share = study.sweep.at(epsilon).relevances
        top = share.argsort()[:-4:-1]
        told = ", ".join(f"{names[k]} ({share[k]:.{0 if share[k] > 0.03 else 1}%})" for k in top)
        even = 1 / len(share)
        weak = "; hardly more than an even look" if share[top[0]] < 1.5 * even else ""
        found.append(
            f"{_settings(params)} the private classifier of this draw looks most at {told}{weak}. An "
            f"even look would give every feature {even:.1%}."
        )
    return found


def losses(params: MatrixParams, study: Study) -> list[str]:
    """Return, for every ε, where the accuracy goes: the steps, the clipping, the noise."""
    if len(study.sweep.nodes) == 1:
        return [""] * len(EPSILON_GRID)
    sweep = study.sweep
    plain, method = 1 - sweep.plain_errors[-1], 1 - sweep.method_errors[-1]
    start = (
        f"{_settings(params)} the accuracy goes from {study.best_accuracy:.1%} (L-BFGS, no privacy) over "
        f"{plain:.1%} (T = E/q = {max(1, round(params.epochs / params.sample_rate))} steps of SGD with "
        f"η = {params.learning_rate:g}) and {method:.1%} (the same, clipped at C) to"
    )
    return [
        f"{start} {sweep.at(e).accuracy:.1%} (with the noise of ε = {e:g})." for e in EPSILON_GRID
    ]


def _settings(params: MatrixParams) -> str:
    """The settings of a sentence that does not follow their handles while they move."""
    return (
        f"At C = {params.clip_norm:g}, q = {params.sample_rate:g}, E = {params.epochs}, "
        f"m = {params.prototypes_per_class}"
    )
