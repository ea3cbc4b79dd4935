"""What the handles of n, N, τ and the skew draw on the affine hull page while they move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.kahm import KahmParams, Picture
from pages.kahm.figure_picture import noise_to_signal, shading
from ui.figure_kit.preview import stacked
from ui.live import Array

__all__ = ["preview_arrays"]

_TOGETHER = [f"{who}{what}" for who in ("together", "alone") for what in ("", "_clean", "_now")]
_ENDS = ("end_here", "end_there")


def preview_arrays(
    params: KahmParams, pictures: Mapping[str, Sequence[Picture]]
) -> tuple[dict[str, Array], dict[str, dict[str, str]]]:
    """Return what a handle draws while it moves, and which arrays that stands in for.

    Who holds what is an array over the skew itself; what is not known ahead is left out meanwhile.
    """
    made: dict[str, Array] = {}
    previews: dict[str, dict[str, str]] = {"skew": dict.fromkeys(_TOGETHER, "")}
    for name, along in pictures.items():
        each = [_at(picture, params.epsilon) for picture in along]
        found = {
            key: _drawn(key, [one[key] for one in each], name, *dims)
            for key, dims in _dims(each[0]).items()
        }
        made |= {f"{key}_by_{name}": value for key, value in found.items()}
        classes = along[0].nets.shape[2]
        gone = [f"{what}{c}_{axis}" for what in ("draws", "middle") for c in range(classes)
                for axis in "xy"]  # fmt: skip
        previews[name] = {key: f"{key}_by_{name}" for key in found}
        previews[name] |= dict.fromkeys((*gone, *_ENDS), "")
    return made, previews


def _drawn(key: str, each: list[NDArray[Any]], *dims: str) -> Array:
    if key.startswith("field"):
        return shading(np.array(each), *dims)
    whole = stacked(each)
    return Array(whole, (*dims, *[None] * (whole.ndim - len(dims))))


def _dims(one: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Arrays that follow the stage; the others do not."""
    staged = {"points", "field", "error_now"} | {name for name in one if name.startswith("net")}
    return {name: ("s",) if name in staged and "original" not in name else () for name in one}


def _at(picture: Picture, epsilon: float) -> dict[str, NDArray[Any]]:
    """The arrays of a picture at one of its ε, machines in between its nodes as in the browser."""
    at = picture.epsilons.index(epsilon)
    place = np.interp(np.log(epsilon), np.log(picture.nodes), np.arange(len(picture.nodes)))
    low = min(int(place), max(len(picture.nodes) - 2, 0))
    part = place - low

    def between(values: NDArray[Any]) -> NDArray[Any]:
        here = values[low] if part == 0 else (1 - part) * values[low] + part * values[low + 1]
        return np.asarray(here)

    errors, target = picture.errors[at].mean(-1), picture.target.mean()
    rounds = picture.paper_rounds[at]
    fields = np.clip(picture.fields[low : low + 2], 0, 1)
    found = {
        "points": picture.stages[at],
        "points_original": picture.X,
        "noise_to_signal": noise_to_signal(picture)[at],
        "field": fields[0] if part == 0 else (1 - part) * fields[0] + part * fields[1],
        "field_original": picture.fields[0, 0],
        "error": errors,
        "error_now": np.insert(errors, 0, target),
        "target": target,
        "paper_rounds": np.nan if rounds < 0 else rounds,
        "paper_stage": np.nan if rounds < 0 else rounds + 1,
    }
    nets = between(picture.nets)
    for c in range(nets.shape[1]):
        for axis, name in enumerate("xy"):
            found[f"net{c}_{name}"] = nets[:, c, :, axis]
            found[f"net_original{c}_{name}"] = nets[0, c, :, axis]
    made = {key: np.asarray(value, np.float32) for key, value in found.items()}
    return made | {"labels": picture.y.astype(np.int32)}
