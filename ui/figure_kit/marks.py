"""Layers that several pages draw alike, with their labels."""

from __future__ import annotations

from ui.live import layers
from ui.live.layer import Slot

__all__ = ["both_worlds"]


def both_worlds(
    edges: Slot, without_record: str, with_record: str, *, alpha: float = 0.55
) -> list[layers.Layer]:
    """Return the histograms of what is published without and with one person."""
    return [
        layers.Bars(edges=edges, heights=without_record, role="other", alpha=alpha,
                    label="without the person", label_short="without"),
        layers.Bars(edges=edges, heights=with_record, role="private", alpha=alpha,
                    label="with the person", label_short="with"),
    ]  # fmt: skip
