"""Results that the Autoencoder page shows: released images, comparisons with the originals, and attacks."""

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
    Outcomes,
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
    """Noisy releases of one person's digit images, with measures of their similarity to the originals.

    - ``sweep``: the released images at every noise level.
    - ``similar``: the similarity of thirty releases of the chosen picture to the original.
    - ``baselines``: the similarity of other pairs of pictures, for comparison.
    - ``pair``: how well the releases of two people's pictures can be told apart.
    """

    problem: Problem
    sweep: Sweep
    similar: Similarity
    baselines: Baselines
    pair: Pair


@dataclass(frozen=True, eq=False)
class Shown(Pictures):
    """All results that the figure draws; a slow result is None until it is computed.

    ``previews`` maps the name of a slider to the images at each of its values, at the current noise level.
    """

    attacks: Attacks | None = None
    outcomes: Outcomes | None = None
    face_off: FaceOff | None = None
    synthetic: Synthetic | None = None
    audit: Audit | None = None
    rivals: Rivals | None = None
    networks: PrivateNetworks | None = None
    irregular: Irregular | None = None
    renoised: Renoised | None = None
    previews: Mapping[str, tuple[Pictures, ...]] = field(default_factory=dict)


def shown(state: PageState[AutoencoderParams]) -> Shown:
    """Return the results that are available for the page's current state."""
    names = (
        "attacks",
        "outcomes",
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
