"""The arrays of the page Gradient descent: borders, gradients, accuracies, draws in two worlds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore.accounting.surfaces import NOISE_GRID
from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams, Outcomes, Problem, Sweep
from dpcore.experiments.descent.params import CLIP_GRID
from dpcore.experiments.descent.sweep import field
from ui.figure_kit.common import array, in_bytes
from ui.live import Array

__all__ = ["PROGRESS", "SCORES", "arrays", "of_sweep"]

PROGRESS = tuple(range(0, 101, 5))
SCORES = np.linspace(-8, 8, 33)
_TURN = np.linspace(0, 2 * np.pi, 73)


def arrays(
    problem: Problem, params: DescentParams, sweep: Sweep, outcomes: Outcomes | None
) -> dict[str, Array]:
    """Return the arrays of the figure; ``u`` is the noise level, whatever levels were trained."""
    whole = len(sweep.noise) > 1
    level = np.arange(len(NOISE_GRID)) if whole else np.zeros(len(NOISE_GRID))
    made = {
        "u_of": array(level, "noise_multiplier"),
        "best_field": in_bytes(field(problem, problem.best[None])[0]),
        "points": array(problem.X[:, :2]),
        "person": array(problem.X[descent.chosen_person(problem, params), :2][None, None]),
        "ring_x": array(np.outer(CLIP_GRID, np.cos(_TURN)), "clip_norm"),
        "ring_y": array(np.outer(CLIP_GRID, np.sin(_TURN)), "clip_norm"),
        "zero": Array(np.zeros(1, np.int32), (None,)),
        "labels": Array(problem.y.astype(np.int32), (None,)),
        "best": array(problem.best_accuracy),
        "noise_now": array(NOISE_GRID, "noise_multiplier"),
        "progress_now": array(PROGRESS, "progress"),
        **of_sweep(params, sweep),
        **_output(params),
    }
    if whole:
        made["against"] = array(sweep.accuracy[:, -1])
    if outcomes is not None:
        made |= _outcomes(outcomes)
    return made


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
        "epsilon": array(descent.epsilon_table(params), "noise_multiplier", "delta"),
        "sigma_c": array(params.clip_norm * np.array(NOISE_GRID), "noise_multiplier"),
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

    def histograms(scores: Any) -> Any:
        held = np.clip(scores, SCORES[0], SCORES[-1])
        return np.array([np.histogram(row, SCORES)[0] for row in held.T]) / len(scores)

    return {
        "low": array(low),
        "middle": array(middle),
        "high": array(high),
        "with_record": array(histograms(found.with_record), "noise_multiplier"),
        "without_record": array(histograms(found.without_record), "noise_multiplier"),
        "agreement": in_bytes(found.agreement, "noise_multiplier"),
    }
