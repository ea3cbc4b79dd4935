"""The measured curves on MNIST: one file, which this page shows and a test computes anew."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dpcore.experiments.network import SOURCE, Curve, published, read
from ui.words.numbers import percent, show

__all__ = ["COMMAND", "FILE", "curves", "table"]

FILE = Path(__file__).resolve().parents[2] / "assets" / "network" / "mnist.json"
COMMAND = "python -m dpcore mnist-network --data-dir FOLDER --out assets/network/mnist.json"
_HEAD = (
    "| ε published | ε tight | σ | C | step size | epochs | published | ours |\n"
    "|---|---|---|---|---|---|---|---|\n"
)


@cache
def curves() -> tuple[Curve, ...]:
    """Return the runs that the file holds; none without it."""
    return read(FILE) if FILE.exists() else ()


def table() -> str:
    """Return them beside the published figures, in Markdown."""
    found = curves()
    made = ", ".join(sorted({curve.made for curve in found}))
    return (
        f"Published: {SOURCE}, the mean of ten runs. Ours: one run with seed {found[0].seed}, measured on {made} "
        f"with `{COMMAND}`. The data cannot be shipped with the app; the curves are, and a test computes their ε "
        "anew."
        f"\n\n{_HEAD}" + "\n".join(_line(curve) for curve in found)
    )


def _line(curve: Curve) -> str:
    row = published(curve.name)
    epochs = str(row.epochs) if curve.is_whole else f"{len(curve.accuracy)} of {row.epochs}"
    last = curve.epsilon[-1]
    cells = (
        "no privacy" if row.epsilon is None else show(row.epsilon, ".2f"),
        "no privacy" if last is None else show(last, ".2f"),
        show(row.noise_multiplier, ".1f"), "none" if row.clip_norm is None else show(row.clip_norm, ".1f"),
        show(row.learning_rate, ".2f"), epochs, percent(row.accuracy), percent(curve.accuracy[-1]),
    )  # fmt: skip
    return "| " + " | ".join(cells) + " |"
