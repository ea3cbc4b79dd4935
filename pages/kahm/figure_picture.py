"""The live figure of the affine hull page, its picture: original, noisy, fabricated, other draws, two worlds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore.experiments.kahm import Draws, KahmParams, NeighbouringRuns, Picture
from dpcore.experiments.kahm.params import SHIFT_GRID, SHOWN_ROUNDS, STAGE_GRID
from ui.figure_kit.common import EPSILONS, array, in_bytes
from ui.live import Array

__all__ = [
    "COORDS", "STAGES", "STAGE_WORDS", "arrays", "noise_to_signal", "of_picture",
]  # fmt: skip

COORDS = {
    "s": "s_of",  # stage: original, noisy, rounds
    "i": "i_of",  # ε at which data are there
    "f": "f_of",  # ε at which machines are there
    "d": "d_of",  # ε at which draws are there
    "px": "px_of",  # Ada's other place, put into the box
    "py": "py_of",
}
STAGES = ["original", "noisy"] + [f"round {t + 1}" for t in range(SHOWN_ROUNDS)]
STAGE_WORDS = [
    STAGES[int(stage)] if stage == int(stage) else f"towards {STAGES[int(stage) + 1]}"
    for stage in STAGE_GRID
]


def nodes_of(epsilons: ArrayLike) -> Array:
    """Return the fractional place of every ε of the grid among ``epsilons`` (E,), in log ε."""
    there = np.log(np.asarray(epsilons))
    return array(np.interp(np.log(EPSILONS), there, np.arange(len(there))), "epsilon")


def arrays(
    params: KahmParams, picture: Picture, draws: Draws | None, runs: NeighbouringRuns | None
) -> dict[str, Array]:
    """Return the arrays of the picture, of other draws and of neighbouring runs."""
    whole = len(picture.epsilons) > 1
    return {
        "s_of": array(STAGE_GRID, "stage"),
        "rounds_now": array(np.array(STAGE_GRID) - 1, "stage"),
        "i_of": array(np.arange(len(EPSILONS)) if whole else np.zeros(len(EPSILONS)), "epsilon"),
        "f_of": nodes_of(picture.nodes),
        **of_picture(picture),
        **_draws(picture, draws),
        **_runs(params, runs),
    }


def of_picture(picture: Picture) -> dict[str, Array]:
    """Return what changes with the picture itself."""
    mean = picture.errors.mean(-1)
    target = float(picture.target.mean())
    rounds = picture.paper_rounds
    found = {
        "points": array(picture.stages, "i", "s"),
        "points_original": array(picture.X),
        "labels": Array(picture.y.astype(np.int32), (None,)),
        "field": in_bytes(picture.fields, "f", "s"),
        "field_original": in_bytes(picture.fields[0, 0]),
        "error": array(mean, "i"),
        "error_now": array(np.insert(mean, 0, target, axis=1), "i", "s"),
        "target": array(target),
        "paper_rounds": array(np.where(rounds < 0, np.nan, rounds), "i"),
        "noise_to_signal": array(noise_to_signal(picture), "i"),
    }
    for c in range(picture.nets.shape[2]):
        found |= _xy(f"net{c}", picture.nets[:, :, c], "f", "s")
        found |= _xy(f"net_original{c}", picture.nets[0, 0, c])
    return found


def _xy(name: str, places: Any, *dims: str) -> dict[str, Array]:
    return {f"{name}_x": array(places[..., 0], *dims), f"{name}_y": array(places[..., 1], *dims)}


def noise_to_signal(picture: Picture) -> Any:
    """Return the noise over the spread of the records at every ε of a picture, (E,)."""
    noise = np.square(picture.stages[:, 1] - picture.X).mean((1, 2))
    return np.sqrt(noise / picture.X.var(0).mean())


def _draws(picture: Picture, draws: Draws | None) -> dict[str, Array]:
    classes = picture.nets.shape[2]
    if draws is None:
        empty = np.full((1, 1, 2), np.nan)
        found = {"d_of": nodes_of([1.0])}
        for c in range(classes):
            found |= _xy(f"draws{c}", empty[0][None], "d") | _xy(f"middle{c}", empty[0])
        return found
    found = {"d_of": nodes_of(draws.nodes)}
    for c in range(classes):
        flat = draws.nets[:, :, c].reshape(len(draws.nodes), -1, 2)
        found |= _xy(f"draws{c}", flat, "d") | _xy(f"middle{c}", draws.original[c])
    return found


def _runs(params: KahmParams, runs: NeighbouringRuns | None) -> dict[str, Array]:
    n = 30 if runs is None else runs.noise.shape[1]
    found = {
        "zeros": Array(np.zeros(n, np.int32), (None,)),
        "one": Array(np.zeros(1, np.int32), (None,)),
    }
    if runs is None:
        gone = np.full((1, n, 2), np.nan)
        middle = array(np.full(len(SHIFT_GRID), 0.5))
        return found | {
            "px_of": Array(middle.values, ("person_dx",)),
            "py_of": Array(middle.values, ("person_dy",)),
            "home": array(np.full((1, 2), np.nan)),
            "here": array(gone[0]), "there": array(gone[0]),
            "end_here": array(gone[0]), "end_there": array(gone[0]),
        }  # fmt: skip
    home = runs.home
    shift = np.array(SHIFT_GRID)
    ends = np.array([[[0, 0], [0, 1]], [[1, 0], [1, 1]]], float)  # (px, py, 2)
    there = ends[None, :, :, None] + runs.noise[:, None, None]
    return found | {
        "px_of": array(np.clip(home[0] + shift, 0, 1), "person_dx"),
        "py_of": array(np.clip(home[1] + shift, 0, 1), "person_dy"),
        "home": array(home[None]),
        "here": array(home + runs.noise, "epsilon"),
        "there": array(there, "epsilon", "px", "py"),
        "end_here": array(runs.fabricated, "f" if len(runs.nodes) > 1 else "d"),
        "end_there": array(runs.fabricated_away, "f" if len(runs.nodes) > 1 else "d"),
    }
