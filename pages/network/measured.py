"""Stored measurements for the Deep networks page: MNIST curves, and trainings near the default parameters.

A training has the default parameters, except for the seed, ε, C, q or δ.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments import network
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.network import Curve, NetworkParams, Outcomes, Sweep, Training, read
from dpcore.network import Recipe

__all__ = [
    "ALONG",
    "MNIST_COMMAND",
    "MNIST_FILE",
    "READINGS_FILE",
    "SEEDS_FILE",
    "Readings",
    "mnist_curves",
    "reading",
    "readings",
    "seed_accuracies",
    "settings_of",
    "train_along",
    "train_readings",
    "write_readings",
]

_FOLDER = Path(__file__).resolve().parents[2] / "assets" / "network"
MNIST_FILE, SEEDS_FILE = _FOLDER / "mnist.json", _FOLDER / "seeds.json"
READINGS_FILE = _FOLDER / "readings.json"
ALONG = ("clip_norm", "sample_rate", "delta")
"""Parameters of which the page has trainings at every value, the others at their defaults."""
MNIST_COMMAND = "python -m dpcore mnist-network --data-dir FOLDER --out assets/network/mnist.json"


@cache
def mnist_curves() -> tuple[Curve, ...]:
    """Return the stored curves of MNIST runs; there are none if their file is missing."""
    return read(MNIST_FILE) if MNIST_FILE.exists() else ()


def seed_accuracies(params: NetworkParams) -> NDArray[np.float64] | None:
    """Return the final accuracies (S, 2) of trainings with and without privacy, for S seeds.

    Return None if ``make openings`` has stored no trainings with these parameters.
    """
    settings, accuracies = _read_seeds()
    return accuracies if settings_of(params) == settings else None


def settings_of(params: NetworkParams) -> dict[str, Any]:
    """Return all parameters except the seed, by name."""
    return {name: value for name, value in asdict(params).items() if name != "seed"}


@cache
def _read_seeds() -> tuple[dict[str, Any], NDArray[np.float64]]:
    content = json.loads(SEEDS_FILE.read_text("utf-8"))
    return content["params"], np.array(content["seeds"], float)[:, 1:]


@dataclass(frozen=True, kw_only=True, eq=False)
class Readings:
    """Trainings with the default parameters at every ε, which the page shows when it opens.

    - ``sweep``: private trainings at every ε of the slider, including the default ε.
    - ``plain``: the training without privacy.
    - ``outcomes``: further private trainings at the default ε.
    """

    sweep: Sweep
    plain: Training
    outcomes: Outcomes

    def at(self, epsilon: float) -> Training:
        """Return the private training at an ε of the slider."""
        k = EPSILON_GRID.index(epsilon)
        return Training(accuracy=self.sweep.accuracy[k], reads=self.sweep.reads[k])


def readings(params: NetworkParams) -> Readings | None:
    """Return the stored trainings, or None if their parameters differ from ``params`` in more than ε."""
    settings, stored = _read_readings(READINGS_FILE)
    return stored if _but_epsilon(params) == settings else None


def reading(params: NetworkParams) -> tuple[Training, Training] | None:
    """Return the stored training with privacy and that without privacy for exactly these parameters, or None.

    Trainings are stored for each value of ε, C, q and δ, with the other parameters at their defaults. While one of
    these sliders is dragged, no network has to be trained.
    """
    if stored := readings(params):
        return stored.at(params.epsilon), stored.plain
    return _read_along(READINGS_FILE).get(params)


@cache
def _read_along(file: Path) -> dict[NetworkParams, tuple[Training, Training]]:
    content = json.loads(file.read_text("utf-8"))
    (usual,) = content["plain"]
    found: dict[NetworkParams, tuple[Training, Training]] = {}
    for row in content["along"]:
        changed = {name: value for name, value in row.items() if name in asdict(NetworkParams())}
        plain = row.get("plain", usual)  # C and δ change nothing without privacy
        found[NetworkParams(**content["params"] | changed)] = _training(row), _training(plain)
    return found


def _but_epsilon(params: NetworkParams) -> dict[str, Any]:
    return {name: value for name, value in asdict(params).items() if name != "epsilon"}


@cache
def _read_readings(file: Path) -> tuple[dict[str, Any], Readings]:
    content = json.loads(file.read_text("utf-8"))
    private, (plain,), others = (
        [_training(row) for row in content[name]] for name in ("private", "plain", "outcomes")
    )
    outcomes = Outcomes(
        accuracy=np.array([one.accuracy[-1] for one in others]),
        reads=np.array([one.reads for one in others]),
    )
    return content["params"], Readings(sweep=_sweep(private), plain=plain, outcomes=outcomes)


def _training(row: Mapping[str, Any]) -> Training:
    return Training(
        accuracy=np.array(row["accuracy"]), reads=np.array([*map(int, row["reads"])], np.uint8)
    )


def _sweep(private: Sequence[Training]) -> Sweep:
    """Return the trainings at every ε of the slider as a sweep."""
    return Sweep(
        epsilons=np.array(EPSILON_GRID),
        accuracy=np.array([one.accuracy for one in private]),
        reads=np.array([one.reads for one in private]),
    )


def train_readings(params: NetworkParams) -> Readings:
    """Train networks at every ε of the slider, one without privacy, and repetitions at the ε of ``params``.

    ``make openings`` does this with the default parameters.
    """
    recipes = [network.recipe(params.but(epsilon=epsilon)) for epsilon in EPSILON_GRID]
    *private, plain = (_last(how, params.seed) for how in (*recipes, recipes[0].plain()))
    return Readings(sweep=_sweep(private), plain=plain, outcomes=network.run_outcomes(params))


def train_along(params: NetworkParams) -> list[dict[str, Any]]:
    """Train a network at each value of C, q and δ that ``params`` does not have; return the rows of the file."""
    rows = []
    for name in ALONG:
        grid = params.controls()[name].grid or ()
        for value in grid:
            if value == getattr(params, name):
                continue
            how = network.recipe(params.but(**{name: value}))
            row = {name: value, "epsilon": params.epsilon, **_row(_last(how, params.seed))}
            if name == "sample_rate":
                row["plain"] = _row(_last(how.plain(), params.seed))
            rows.append(row)
    return rows


def _last(how: Recipe, seed: int) -> Training:
    *_, last = network.trained(network.problem(), how, seed)
    return last


def write_readings(params: NetworkParams, file: Path = READINGS_FILE) -> None:
    """Write the trainings of `train_readings` and `train_along` to a file.

    Each line has one training, with its accuracies and the predicted classes.
    """
    trained = train_readings(params)
    rows = {
        "private": zip(trained.sweep.accuracy, trained.sweep.reads, strict=True),
        "plain": [(trained.plain.accuracy, trained.plain.reads)],
        "outcomes": zip(trained.outcomes.accuracy[:, None], trained.outcomes.reads, strict=True),
    }
    parts = [f'"params": {json.dumps(_but_epsilon(params))}']
    parts += [
        f'"{name}": [\n{_lines(_row(Training(accuracy=a, reads=r)) for a, r in each)}\n]'
        for name, each in rows.items()
    ]
    parts.append(f'"along": [\n{_lines(train_along(params))}\n]')
    file.write_text(f"{{{', '.join(parts)}}}\n", encoding="utf-8")


def _lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return ",\n".join(map(json.dumps, rows))


def _row(training: Training) -> dict[str, Any]:
    return {
        "accuracy": np.round(training.accuracy, 4).tolist(),
        "reads": "".join(map(str, training.reads)),
    }
