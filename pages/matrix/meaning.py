"""The sentences of Relevance matrix: which features count, and where the accuracy goes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpcore.estimate import middle
from dpcore.experiments.grids import DELTA_GRID, EPOCHS_GRID, EPSILON_GRID
from dpcore.experiments.matrix import MatrixOutcomes, MatrixParams, MatrixProblem, Study
from dpcore.experiments.relevance import index_table
from ui.live import Text
from ui.prototypes.estimates import draws_of, said_causes, while_moving
from ui.runner import PageState
from ui.words.numbers import percent, short, show

__all__ = ["losses", "meaning"]

_EVEN = 1.5
"""Below so many times an equal share a feature does not stand out."""
_ALIKE = "In this draw all features have nearly the same weight: the largest has less than 1.5 times an equal share."
Spread = NDArray[np.float64]


def meaning(state: PageState[MatrixParams]) -> Text:
    """Return, for every ε, which features the private classifier relies on most."""
    study: Study = state["study"]
    spread = _spread(state.params, state["outcomes"])
    draws = draws_of(state.problem, state["outcomes"]) if len(study.sweep.nodes) > 1 else None
    relied, told = _relied_on(state.problem, study, spread), said_causes(draws, state.params)
    strings = (
        [f"{one} {cause}" for one, cause in zip(relied, told, strict=True)] if told else relied
    )
    return Text(strings=strings, dims=("epsilon",), along=while_moving(state))


def _relied_on(problem: MatrixProblem, study: Study, spread: Spread | None) -> list[str]:
    names = problem.dataset.feature_names
    if len(study.sweep.nodes) == 1:
        first = "This is a first look at one ε. Let go, and all of them are computed."
        if study.upto < study.sweep.params.epochs:
            first += " It shows the first part of the training, with the noise that the whole of it needs."
        return [first] * len(EPSILON_GRID)
    found = []
    for at, share in enumerate(study.sweep.relevances()):
        one, two, *_ = share.argsort()[::-1]
        low, high = (1.0, 1.0) if spread is None else spread[:, at, one]
        if share[one] < _EVEN / len(share):
            found.append(_ALIKE + _otherwise(names, study))
            continue
        first, second = (f"“{names[k]}” ({show(share[k], '.0%')})" for k in (one, two))
        # Below an equal share another feature has more, whatever stands first here.
        if low < 1 / len(share):
            found.append(
                f"In this draw {first} counts most. With other noise it could be another: in 8 of 10 draws this "
                f"one has {show(low, '.0%')} to {show(high, '.0%')}."
            )
            continue
        found.append(f"In this draw the classifier relies most on {first}, and then on {second}.")
    return found


def _otherwise(names: Sequence[str], study: Study) -> str:
    """Which feature stands out without privacy, where one does."""
    if study.best is None:
        return ""
    share = study.best.relevances
    top = int(share.argmax())
    if share[top] < _EVEN / len(share):
        return " It is so without privacy, too."
    return f" Without privacy “{names[top]}” has {show(float(share[top]), '.0%')}."


def _spread(params: MatrixParams, outcomes: MatrixOutcomes | None) -> Spread | None:
    """The ends of the thin strokes at every ε, (2, n_epsilon, F): the middle 80 % of the outcomes."""
    if outcomes is None:
        return None
    at = DELTA_GRID.index(params.delta), EPOCHS_GRID.index(params.epochs)
    places = index_table(params, outcomes.nodes)[:, *at]
    low = np.minimum(places.astype(int), len(outcomes.nodes) - 2)
    part = (places - low)[:, None]
    ends = middle(outcomes.profiles)[[0, 2]]
    return np.asarray((1 - part) * ends[:, low] + part * ends[:, low + 1], float)


def losses(params: MatrixParams, study: Study) -> str:
    """Return where the accuracy goes at the chosen ε: the steps, the clipping, the noise."""
    if len(study.sweep.nodes) == 1:
        return ""
    sweep = study.sweep
    steps = max(1, round(params.epochs / params.sample_rate))
    plain, method = 1 - float(sweep.plain_errors[-1]), 1 - float(sweep.method_errors[-1])
    return (
        f"**Where the accuracy goes, in this draw.** Without privacy, L-BFGS reaches {percent(study.best_accuracy)}. "
        f"{show(steps, 'd')} steps of gradient descent reach {percent(plain)}. The same steps, clipped at C = "
        f"{short(params.clip_norm)}, reach {percent(method)}. With the noise of ε = {short(params.epsilon)} they "
        f"reach {percent(sweep.at(params.epsilon).accuracy)}."
    )
