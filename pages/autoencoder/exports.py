"""What can be taken along from the page Autoencoder."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from dpcore.autoencoder import KINDS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from pages.autoencoder.figure import figure
from ui.export import downloads, from_figure
from ui.program import filled
from ui.runner import PageState

__all__ = ["bundle", "program", "similar_table"]

_MEASURED = ("found", "area", "hellinger")


def bundle(state: PageState[AutoencoderParams]) -> downloads.Bundle:
    """Return what can be taken along; it is made when it is asked for."""
    real = state.params.real
    return from_figure.taken(
        figure,
        state,
        draws="invented" if real else "people",
        panels=("useful", "audit")
        if real
        else (*_MEASURED, "taught", "redrawn", "seconds", "renoised"),
        whole=("synthetic",),
        tables={"similarity": similar_table},
        name="autoencoder",
        title="Noise on the biases of an autoencoder",
        guarantee=autoencoder.guarantee(state.params, state.problem),
        code=program,
    )


def similar_table(state: PageState[AutoencoderParams]) -> pd.DataFrame:
    """Return the three tables of Jain et al. beside ours, one under the other."""
    return pd.concat(
        [
            pd.DataFrame(autoencoder.compare_tables(state.problem, state.params, kind)).assign(
                kind=kind
            )
            for kind in KINDS
        ],
        ignore_index=True,
    )


def program(params: AutoencoderParams) -> str:
    """Return the program of the page with these parameters."""
    file = Path(__file__).with_name("program.py")
    return filled(file, params=f"autoencoder.{params.to_code()}")
