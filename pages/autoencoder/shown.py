"""Results that the page Autoencoder shows: pictures with comparisons, and attack results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dpcore.experiments.autoencoder import (
    Attacks,
    Audit,
    AutoencoderParams,
    Baselines,
    FaceOff,
    Irregular,
    Pair,
    PrivateNetworks,
    Problem,
    Renoised,
    Rivals,
    Similarity,
    Sweep,
    Synthetic,
)

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["Pictures", "Shown", "shown"]


@dataclass(frozen=True, eq=False)
class Pictures:
    """Releases of one picture, and its comparisons."""

    problem: Problem
    sweep: Sweep
    similar: Similarity
    baselines: Baselines
    pair: Pair


@dataclass(frozen=True, eq=False)
class Shown(Pictures):
    """Results available for drawing; None where a slow one is not finished.

    ``previews``: for a control, the pictures at each of its values, at the present noise alone.
    """

    attacks: Attacks | None = None
    face_off: FaceOff | None = None
    synthetic: Synthetic | None = None
    audit: Audit | None = None
    rivals: Rivals | None = None
    networks: PrivateNetworks | None = None
    irregular: Irregular | None = None
    renoised: Renoised | None = None
    previews: Mapping[str, tuple[Pictures, ...]] = field(default_factory=dict)


def shown(state: PageState[AutoencoderParams]) -> Shown:
    """Return the results available for the page."""
    names = (
        "attacks",
        "face_off",
        "synthetic",
        "audit",
        "rivals",
        "networks",
        "irregular",
        "renoised",
    )
    known = {name: state[name] for name in names}
    return Shown(**vars(state["pictures"]), **known, previews=state.previews())
