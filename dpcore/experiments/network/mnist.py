"""Published trainings of a convolutional network on MNIST, and their learning curves measured with our program.

The settings are from the table "Select Parameters" of TensorFlow Privacy, ``tutorials/README.md``
(commit 03035d5, unchanged since 2019). The accuracy in this table is an average over 10 runs, with
a standard deviation below 0.3 points. The ε in the table is computed by Rényi DP at δ = 1e-5. The
tutorial shuffles its records, although its accounting assumes Poisson samples. Our trainings use
Poisson samples.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import __version__, disk_cache, sgd
from dpcore._command import Command
from dpcore.datasets.external import split_records
from dpcore.journal import Refused
from dpcore.network import MNIST, Recipe, accuracy, descend

__all__ = [
    "BATCH",
    "COMMANDS",
    "DELTA",
    "N_TRAIN",
    "PUBLISHED",
    "SOURCE",
    "Curve",
    "Published",
    "epsilons",
    "pictures",
    "published",
    "read",
    "settings",
    "train",
    "write",
]

N_TRAIN, BATCH, DELTA = 60_000, 256, 1e-5
SOURCE = "TensorFlow Privacy, tutorials/README.md, table “Select Parameters” (2019)"


@dataclass(frozen=True, kw_only=True)
class Published:
    """One training in the published table.

    ``epsilon`` and ``clip_norm`` are None without privacy.
    """

    name: str
    learning_rate: float
    noise_multiplier: float
    clip_norm: float | None
    epochs: int
    epsilon: float | None
    accuracy: float

    def step(self, epoch: int) -> int:
        """Return the number of steps in ``epoch`` epochs.

        A step uses 256 pictures on average.
        """
        return epoch * N_TRAIN // BATCH

    def recipe(self) -> Recipe:
        """Return the settings of this training for all its epochs."""
        return Recipe(
            clip_norm=self.clip_norm, noise_multiplier=self.noise_multiplier,
            sample_rate=BATCH / N_TRAIN, n_steps=self.step(self.epochs),
            learning_rate=self.learning_rate,
        )  # fmt: skip


PUBLISHED = (
    Published(name="1.19", learning_rate=0.25, noise_multiplier=1.3, clip_norm=1.5, epochs=15,
              epsilon=1.19, accuracy=0.950),
    Published(name="3.01", learning_rate=0.15, noise_multiplier=1.1, clip_norm=1.0, epochs=60,
              epsilon=3.01, accuracy=0.966),
    Published(name="7.10", learning_rate=0.25, noise_multiplier=0.7, clip_norm=1.5, epochs=45,
              epsilon=7.10, accuracy=0.970),
    Published(name="plain", learning_rate=0.1, noise_multiplier=0.0, clip_norm=None, epochs=20,
              epsilon=None, accuracy=0.990),
)  # fmt: skip
"""The four published trainings, named by their ε; "plain" has neither clipping nor noise."""


def published(name: str) -> Published:
    """Return the published training with this name."""
    return next(row for row in PUBLISHED if row.name == name)


Pictures = tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.float32], NDArray[np.int64]]


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Learning curve of one published training: test accuracy and ε after each finished epoch.

    - ``name``: name of the published training.
    - ``settings``: result of `settings` at the time of the run.
    - ``seconds``: processor time. ``made``: date. ``version``: version of dpcore.
    """

    name: str
    seed: int
    settings: dict[str, Any]
    accuracy: tuple[float, ...]
    epsilon: tuple[float | None, ...]
    seconds: float
    made: str
    version: str

    @property
    def is_whole(self) -> bool:
        """Whether the run has as many epochs as the published training."""
        return len(self.accuracy) == published(self.name).epochs


def settings(row: Published) -> dict[str, Any]:
    """Return the settings that determine a run, without seed and data."""
    return {
        "network": asdict(MNIST), "n_weights": MNIST.n_weights, "n_train": N_TRAIN, "delta": DELTA,
        "epochs": row.epochs, **asdict(row.recipe()),
    }  # fmt: skip


def epsilons(row: Published, n_epochs: int) -> tuple[float | None, ...]:
    """Return a tight ε after each of the first ``n_epochs`` epochs.

    Every entry is None for a training without privacy.
    """
    if row.epsilon is None:
        return (None,) * n_epochs
    recipe = row.recipe()
    return tuple(recipe.epsilon(DELTA, row.step(e)) for e in range(1, n_epochs + 1))


def pictures(data_dir: str | Path | None) -> Pictures:
    """Return the training and test pictures of MNIST with pixels in [0, 1].

    Raises Refused unless there are 60,000 training pictures.
    """
    X, y, X_test, y_test = split_records("mnist", data_dir)
    if len(y) != N_TRAIN:
        raise Refused(
            f"This MNIST has {len(y)} training records: the published runs have {N_TRAIN}. "
            "Give a folder with the whole of it."
        )
    return (
        (X / np.float32(255)).astype(np.float32),
        y,
        (X_test / np.float32(255)).astype(np.float32),
        y_test,
    )


def train(
    row: Published, data: Pictures, parts: Path, *, seed: int, tell: Callable[[str], None]
) -> None:
    """Train from the last epoch stored in the folder ``parts``, and store every further epoch there."""
    X, y, X_test, y_test = data
    file = _file(row, parts, seed)
    known = disk_cache.read_arrays(file)
    curve = [] if known is None else known["accuracy"].tolist()
    seconds = 0.0 if known is None else float(known["seconds"])
    resume = None if known is None else (row.step(len(curve)), known["weights"])
    steps = [row.step(epoch) for epoch in range(1, row.epochs + 1)]
    run = descend(
        MNIST, X, y=y, recipe=row.recipe(), streams=sgd.Streams.of(seed), expected_n=N_TRAIN, snapshots=steps,
        resume=resume,
    )  # fmt: skip
    begun, first = time.process_time(), time.monotonic()
    done = len(curve)
    for _, weights in run:
        curve.append(accuracy(MNIST, weights, X=X_test, y=y_test))
        spent = seconds + time.process_time() - begun
        arrays = {"weights": weights, "accuracy": np.array(curve), "seconds": np.array(spent)}
        if not disk_cache.write_arrays(file, arrays):
            raise Refused(f"{file} cannot be written to: give another --out.")
        left = (time.monotonic() - first) / (len(curve) - done) * (row.epochs - len(curve))
        tell(
            f"{row.name}: epoch {len(curve)} of {row.epochs}, {curve[-1]:.4f}, {spent:.0f} s, "
            f"about {left / 60:.0f} min left"
        )


def write(out: Path, parts: Path, rows: Iterable[Published], *, seed: int) -> list[Curve]:
    """Compute the learning curves of the trainings ``rows``, write them to ``out``, and return them.

    The folder ``parts`` has the stored epochs of these trainings.
    """
    curves = []
    for row in rows:
        known = disk_cache.read_arrays(_file(row, parts, seed))
        if known is not None:
            correct = [round(float(a), 4) for a in known["accuracy"]]
            curves.append(
                Curve(
                    name=row.name, seed=seed, settings=settings(row), accuracy=tuple(correct),
                    epsilon=epsilons(row, len(correct)), seconds=round(float(known["seconds"]), 1),
                    made=datetime.now(UTC).date().isoformat(), version=__version__,
                )
            )  # fmt: skip
    lines = ",\n".join(json.dumps(asdict(curve)) for curve in curves)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return curves


def read(file: Path) -> tuple[Curve, ...]:
    """Return the learning curves in a file written by `write`."""
    rows = json.loads(file.read_text(encoding="utf-8"))
    lists = ("accuracy", "epsilon")
    return tuple(Curve(**one | {name: tuple(one[name]) for name in lists}) for one in rows)


def _file(row: Published, parts: Path, seed: int) -> Path:
    words = json.dumps([settings(row), seed], sort_keys=True)
    return parts / f"{row.name}-{hashlib.sha256(words.encode()).hexdigest()[:16]}.npz"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    names = tuple(row.name for row in PUBLISHED)
    add = parser.add_argument
    add("--out", type=Path, required=True, help="a .json file; epochs are kept beside it")
    add("--data-dir", help="folder with mnist.npz or mnist-idx/")
    add(
        "--runs",
        nargs="*",
        choices=names,
        default=list(names),
        help="by their published ε; none: only write",
    )
    add("--seed", type=int, default=1)


def _run(args: argparse.Namespace) -> int:
    """Train, write the file, print each run's difference from the published accuracy, and return 0."""
    if args.seed < 0:
        raise Refused(f"--seed {args.seed} is not allowed: give a whole number of at least 0.")
    parts = args.out.with_suffix(".parts")
    if args.runs:
        data = pictures(args.data_dir)
        for name in args.runs:
            train(
                published(name), data, parts, seed=args.seed,
                tell=lambda text: print(text, flush=True),
            )  # fmt: skip
    for curve in write(args.out, parts, PUBLISHED, seed=args.seed):
        row = published(curve.name)
        apart = 100 * (curve.accuracy[-1] - row.accuracy)
        print(
            f"{curve.name}: {curve.accuracy[-1]:.2%} after {len(curve.accuracy)} of {row.epochs} epochs, published "
            f"{row.accuracy:.1%}: {apart:+.2f} points"
        )
    return 0


COMMANDS = MappingProxyType({"mnist-network": Command(_add_arguments, _run)})
"""The command of this module, by name."""
