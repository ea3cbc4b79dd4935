"""``python -m dpcore mnist-network``: train the published settings on MNIST and keep their curves."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dpcore.experiments.network import measured
from dpcore.experiments.network.tutorial import PUBLISHED, published

__all__ = ["add_to", "run"]


def add_to(commands: Any) -> None:
    """Declare the command."""
    names = tuple(row.name for row in PUBLISHED)
    found = commands.add_parser(
        "mnist-network",
        help="train a convolutional network on MNIST by DP-SGD; started again, it goes on where it was",
    )
    add = found.add_argument
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


def run(given: argparse.Namespace) -> int:
    """Train, write the file, say how far each run is from the published accuracy; 0."""
    parts = given.out.with_suffix(".parts")
    if given.runs:
        data = measured.pictures(given.data_dir)
        for name in given.runs:
            measured.train(
                published(name), data, parts, seed=given.seed,
                tell=lambda text: print(text, flush=True),
            )  # fmt: skip
    for curve in measured.write(given.out, parts, PUBLISHED, seed=given.seed):
        row = published(curve.name)
        apart = 100 * (curve.accuracy[-1] - row.accuracy)
        print(
            f"{curve.name}: {curve.accuracy[-1]:.2%} after {len(curve.accuracy)} of {row.epochs} epochs, published "
            f"{row.accuracy:.1%}: {apart:+.2f} points"
        )
    return 0
