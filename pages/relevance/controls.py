"""How the parameters of Relevance learning are set."""

from __future__ import annotations

from ui.figure_kit.prototype_controls import prototype_controls

__all__ = ["CONTROLS"]

CONTROLS = prototype_controls()
