"""How the parameters of Relevance learning are set."""

from __future__ import annotations

from ui.prototypes.controls import prototype_controls

__all__ = ["CONTROLS"]

CONTROLS = prototype_controls()
