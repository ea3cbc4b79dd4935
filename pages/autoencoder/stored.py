"""Stored results of the attacks that the Autoencoder page shows when it opens."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dpcore import disk_cache
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import Attacks, AutoencoderParams
from ui.runner.prepared_result import opening_file

__all__ = ["ATTACKS_FILE", "stored_attacks", "write_attacks"]

ATTACKS_FILE = opening_file("autoencoder", "attacks")
_OF = ("dataset", "trained_on", "seed")  # what the attacks depend on


def stored_attacks(params: AutoencoderParams) -> Attacks | None:
    """Return the stored results of all attacks, or None if they belong to other parameters."""
    usual = AutoencoderParams()
    return _read() if all(getattr(params, name) == getattr(usual, name) for name in _OF) else None


@cache
def _read() -> Attacks | None:
    found: Attacks | None = disk_cache.read(ATTACKS_FILE)
    return found


def write_attacks(file: Path = ATTACKS_FILE) -> None:
    """Run all attacks with the page's default parameters, and write the results to a file."""
    usual = AutoencoderParams()
    *_, last = autoencoder.run_attacks(autoencoder.digits_problem(usual.trained_on), usual.seed)
    disk_cache.write(file, last)
