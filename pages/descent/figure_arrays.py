"""The arrays of the page Gradient descent: borders, gradients, accuracies, draws in two worlds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore.experiments import descent
from dpcore.experiments.composition_tables import NOISE_GRID
from dpcore.experiments.descent import DescentParams, Outcomes, Problem, Sweep
from dpcore.experiments.descent.params import CLIP_GRID
from dpcore.experiments.descent.sweep import field
from ui.figure_kit.common import array, in_bytes
from ui.figure_kit.histograms import score_edges, shares
from ui.live import Array

__all__ = ["PROGRESS", "arrays", "asked_dims", "of_sweep"]

PROGRESS = tuple(range(0, 101, 5))
_TURN = np.linspace(0, 2 * np.pi, 73)


def arrays(
    problem: Problem, params: DescentParams, sweep: Sweep, outcomes: Outcomes | None
) -> dict[str, Array]:
    """Return the arrays of the figure; ``u`` is the noise level, whatever levels were trained."""
    whole = len(sweep.noise) > 1
    places, dims = _places(params)
    made = {
        "u_of": array(places if whole else 0 * places, *dims),
        "v_of": array(places, *dims),
        "best_field": in_bytes(field(problem, problem.best[None])[0]),
        "points": array(problem.X[:, :2]),
        "person": array(problem.X[descent.chosen_person(problem, params), :2][None, None]),
        "ring_x": array(np.outer(CLIP_GRID, np.cos(_TURN)), "clip_norm"),
        "ring_y": array(np.outer(CLIP_GRID, np.sin(_TURN)), "clip_norm"),
        "zero": Array(np.zeros(1, np.int32), (None,)),
        "labels": Array(problem.y.astype(np.int32), (None,)),
        "best": array(problem.best_accuracy),
        "noise_now": array(_sigmas(params), *dims),
        "progress_now": array(PROGRESS, "progress"),
        **of_sweep(params, sweep),
        **_output(params),
    }
    if whole:
        made["against"] = array(sweep.accuracy[:, -1])
    if outcomes is not None:
        made |= _outcomes(outcomes)
    return made


def asked_dims(params: DescentParams) -> tuple[str, ...]:
    """Return the controls that σ follows."""
    return ("noise_multiplier",) if params.asked == "noise" else ("budget", "delta")


def _sigmas(params: DescentParams) -> Any:
    return np.array(NOISE_GRID) if params.asked == "noise" else descent.noise_table(params)


def _places(params: DescentParams) -> tuple[Any, tuple[str, ...]]:
    """Where σ lies among the levels that are trained, over the controls that it follows."""
    trained = np.log(descent.levels(params))
    found = np.interp(np.log(_sigmas(params)), trained, np.arange(float(len(trained))))
    return found, asked_dims(params)


def _epsilons(params: DescentParams) -> Array:
    if params.asked == "noise":
        return array(descent.epsilon_table(params), "noise_multiplier", "delta")
    return array(descent.asked_epsilons(params), "budget", "delta")


def of_sweep(params: DescentParams, sweep: Sweep) -> dict[str, Array]:
    """Return what changes with the training itself."""
    large = math.sqrt(params.sample_rate * descent.N_TRAIN)  # else the mean is too short to be seen
    return {
        "field": in_bytes(sweep.fields, "u", "progress"),
        "accuracy": array(sweep.accuracy, "u", "progress"),
        "plain": array(sweep.plain_accuracy, "progress"),
        "cost": array(sweep.accuracy - sweep.plain_accuracy, "u", "progress"),
        "curve": array(sweep.accuracy, "u"),
        "plain_curve": array(sweep.plain_accuracy),
        "raw": array(sweep.raw, "u", "progress"),
        "short": array(sweep.clipped, "u", "progress"),
        "mean": array(large * sweep.mean[:, :, None], "u", "progress"),
        "noisy": array(large * sweep.noisy[:, :, None], "u", "progress"),
        "clipped_now": array(sweep.share_clipped, "u", "progress"),
        "noise_to_signal": array(sweep.noise_to_signal, "u", "progress"),
        "epsilon": _epsilons(params),
        "sigma_c": array(params.clip_norm * _sigmas(params), *asked_dims(params)),
        "step_now": array(params.n_steps * np.array(PROGRESS) / 100, "progress"),
        "final": array(sweep.accuracy[:, -1], "u"),
    }


def _output(params: DescentParams) -> dict[str, Array]:
    found = descent.run_output(params.dataset, params.regularisation, params.delta, params.seed)
    names = ("low", "middle", "high")
    proved = {f"proved_{n}": array(v) for n, v in zip(names, found.proved, strict=True)}
    printed = {f"printed_{n}": array(v) for n, v in zip(names, found.printed, strict=True)}
    return proved | printed | {"exact": array(found.exact)}


def _outcomes(found: Outcomes) -> dict[str, Array]:
    low, middle, high = np.quantile(found.accuracy, [0.1, 0.5, 0.9], axis=0)
    edges = score_edges(found.with_record, found.without_record)
    return {
        "score_edges": array(edges),
        "low": array(low),
        "middle": array(middle),
        "high": array(high),
        "with_record": array(shares(found.with_record.T, edges), "v"),
        "without_record": array(shares(found.without_record.T, edges), "v"),
        "agreement": in_bytes(found.agreement, "v"),
    }
