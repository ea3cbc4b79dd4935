"""What the handles of C, q, T and η draw on the descent page while they move."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dpcore.accounting.surfaces import NOISE_GRID
from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams, Sweep
from pages.descent.figure_arrays import PROGRESS, shares
from ui.figure_kit.common import array
from ui.live import Array

__all__ = ["preview_arrays"]
_UNKNOWN = (
    "against", "against_epsilon", "low", "middle", "high", "with_record", "without_record", "agreement"
)  # fmt: skip


def preview_arrays(
    params: DescentParams, sweeps: Mapping[str, Sequence[Sweep]]
) -> tuple[dict[str, Array], dict[str, dict[str, str]]]:
    """Return what a handle of C, q, T or η draws while it moves, and which arrays that stands in for."""
    made: dict[str, Array] = {}
    previews: dict[str, dict[str, str]] = {}
    large = math.sqrt(params.sample_rate * descent.N_TRAIN)
    for name, along in sweeps.items():

        def each(of: Callable[[Sweep], Any], along: Sequence[Sweep] = along) -> Any:
            return np.array([of(sweep) for sweep in along])

        found = {
            "field": shares(each(lambda s: s.fields[0]), name, "progress"),
            "accuracy": array(each(lambda s: s.accuracy[0]), name, "progress"),
            "curve": array(each(lambda s: s.accuracy[0]), name),
            "final": array(each(lambda s: s.accuracy[0, -1]), name),
            "plain": array(each(lambda s: s.plain_accuracy), name, "progress"),
            "plain_curve": array(each(lambda s: s.plain_accuracy), name),
            "raw": array(each(lambda s: s.raw[0]), name, "progress"),
            "short": array(each(lambda s: s.clipped[0]), name, "progress"),
            "mean": array(large * each(lambda s: s.mean[0][:, None]), name, "progress"),
            "noisy": array(large * each(lambda s: s.noisy[0][:, None]), name, "progress"),
            "clipped_now": array(each(lambda s: s.share_clipped[0]), name, "progress"),
            "noise_to_signal": array(each(lambda s: s.noise_to_signal[0]), name, "progress"),
            **_costs(params, name),
        }
        made |= {f"{key}_by_{name}": value for key, value in found.items()}
        previews[name] = {key: f"{key}_by_{name}" for key in found} | dict.fromkeys(_UNKNOWN, "")
    return made, previews


def _costs(params: DescentParams, name: str) -> dict[str, Array]:
    """What a step's noise and the whole training cost along a line."""
    grid = params.controls()[name].grid or ()
    if name == "clip_norm":
        return {"sigma_c": array(np.outer(grid, NOISE_GRID), name, "noise_multiplier")}
    if name == "learning_rate":
        return {}
    costs = [descent.epsilon_table(params.but(**{name: value})) for value in grid]
    found = {"epsilon": array(costs, name, "noise_multiplier", "delta")}
    if name == "n_steps":
        found["step_now"] = array(np.outer(grid, PROGRESS) / 100, name, "progress")
    return found
