"""From a lab to the message the browser gets: JSON, with arrays as base64 that travel once."""

from __future__ import annotations

import base64
from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from ui.live.lab import Array, Lab, Layer, Panel, Text

__all__ = ["message"]


def message(lab: Lab, *, known: Collection[str] = ()) -> dict[str, Any]:
    """Return the message of a lab; arrays whose digest is in ``known`` go without their content."""
    sent: set[str] = set(known)
    return {
        "controls": [{"kind": control.kind, **asdict(control)} for control in lab.controls],
        "values": dict(lab.values),
        "arrays": {name: _array(array, sent) for name, array in lab.arrays.items()},
        "coords": dict(lab.coords),
        "panels": [_panel(panel) for panel in lab.panels],
        "readouts": [asdict(readout) for readout in lab.readouts],
        "texts": [_text(text, lab) for text in lab.texts],
        "compact": lab.compact,
        "previews": {name: dict(instead) for name, instead in lab.previews.items()},
        "busy": asdict(lab.busy) if lab.busy else None,
    }


def _array(array: Array, sent: set[str]) -> dict[str, Any]:
    spec: dict[str, Any] = {
        "id": array.digest,
        "dims": list(array.dims),
        "shape": list(array.values.shape),
        "dtype": array.kind,
        "scale": list(array.scale) if array.scale else None,
    }
    if array.digest not in sent:
        sent.add(array.digest)
        spec["data"] = base64.b64encode(array.values.tobytes()).decode("ascii")
    return spec


def _layer(layer: Layer) -> dict[str, Any]:
    return {"kind": layer.kind, **layer.arguments}


def _panel(panel: Panel) -> dict[str, Any]:
    layers = [_layer(layer) for layer in panel.layers]
    plain = {k: v for k, v in vars(panel).items() if k not in ("layers", "x", "y")}
    return {**plain, "layers": layers, "x": asdict(panel.x), "y": asdict(panel.y)}


def _text(text: Text, lab: Lab) -> dict[str, Any]:
    sizes = [lab.by_name()[dim].size() for dim in text.dims]
    along = {name: _text(instead, lab) for name, instead in text.along.items()}
    return {"strings": list(text.strings), "dims": list(text.dims), "sizes": sizes, "along": along}
