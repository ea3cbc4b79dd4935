"""Stored results of the attacks with which the Autoencoder page opens."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import Attacks, AutoencoderParams

__all__ = ["ATTACKS_FILE", "stored_attacks", "write_attacks"]

ATTACKS_FILE = Path(__file__).resolve().parents[2] / "assets" / "autoencoder" / "attacks.npz"
_OF = ("dataset", "trained_on", "seed")  # what the attacks depend on


def stored_attacks(params: AutoencoderParams) -> Attacks | None:
    """Return the stored results of all attacks, or None if they belong to other parameters."""
    usual = AutoencoderParams()
    return _read() if all(getattr(params, name) == getattr(usual, name) for name in _OF) else None


@cache
def _read() -> Attacks:
    with np.load(ATTACKS_FILE) as file:
        found = {one.name: file[one.name] for one in fields(Attacks)}
    whole: dict[str, Any] = {
        name: value if value.ndim else float(value) for name, value in found.items()
    }
    return Attacks(**whole)


def write_attacks(file: Path = ATTACKS_FILE) -> None:
    """Attack the network of the page's default parameters, and write the results to a file."""
    usual = AutoencoderParams()
    *_, last = autoencoder.run_attacks(autoencoder.digits_problem(usual.trained_on), usual.seed)
    np.savez_compressed(file, **{one.name: getattr(last, one.name) for one in fields(Attacks)})
