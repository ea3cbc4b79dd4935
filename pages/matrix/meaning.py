"""The sentences of Relevance matrix: which features count, and where the accuracy goes."""

from __future__ import annotations

from dpcore.experiments.matrix import MatrixParams, MatrixProblem, Study
from dpcore.grids import EPSILON_GRID
from ui.live import Text
from ui.numbers_in_words import percent, short, show
from ui.runner import PageState

__all__ = ["losses", "meaning"]


def meaning(state: PageState[MatrixParams]) -> Text:
    """Return, for every ε, which features the private classifier relies on most."""
    study: Study = state["study"]
    return Text(strings=_relied_on(state.problem, study), dims=("epsilon",))


def _relied_on(problem: MatrixProblem, study: Study) -> list[str]:
    names = problem.dataset.feature_names
    if len(study.sweep.nodes) == 1:
        first = "This is a first look at one ε. Let go, and all of them are computed."
        if study.upto < study.sweep.params.epochs:
            first += " It shows the first part of the training, with the noise that the whole of it needs."
        return [first] * len(EPSILON_GRID)
    found = []
    for share in study.sweep.relevances():
        one, two, *_ = share.argsort()[::-1]
        if share[one] < 1.5 / len(share):
            found.append("All features count almost alike now: none stands out above the noise.")
            continue
        found.append(
            f"This private classifier relies most on “{names[one]}” ({show(share[one], '.0%')}), and then on "
            f"“{names[two]}” ({show(share[two], '.0%')})."
        )
    return found


def losses(params: MatrixParams, study: Study) -> str:
    """Return where the accuracy goes at the chosen ε: the steps, the clipping, the noise."""
    if len(study.sweep.nodes) == 1:
        return ""
    sweep = study.sweep
    steps = max(1, round(params.epochs / params.sample_rate))
    plain, method = 1 - float(sweep.plain_errors[-1]), 1 - float(sweep.method_errors[-1])
    return (
        f"**Where the accuracy goes.** Without privacy, L-BFGS reaches {percent(study.best_accuracy)}. "
        f"{show(steps, 'd')} steps of gradient descent reach {percent(plain)}. The same steps, clipped at C = "
        f"{short(params.clip_norm)}, reach {percent(method)}. With the noise of ε = {short(params.epsilon)} they "
        f"reach {percent(sweep.at(params.epsilon).accuracy)}."
    )
