"""Arrays and panels of the tabs *Layers* and *Three dimensions* of the Affine hulls page."""

from __future__ import annotations

import numpy as np

from dpcore.experiments.kahm import Layers, Picture, Space
from dpcore.experiments.kahm.machine import N_BODIES, N_LAYERS, projected
from pages.kahm.figure.picture import nodes_of, plane_map
from ui.figure_kit.common import array
from ui.live import Array, Axis, Panel, layers
from ui.live.depth import Depth
from ui.words import text

__all__ = ["COORDS", "arrays", "panels"]

T = text.load_text(__file__)

COORDS = {"m": "m_of"}  # ε at which layers are there
_CUBE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1], [1, 0, 1], [1, 0, 0],
                  [np.nan] * 3, [1, 0, 1], [1, 1, 1], [1, 1, 0], [np.nan] * 3, [1, 1, 1], [0, 1, 1], [0, 1, 0],
                  [np.nan] * 3, [0, 1, 1], [0, 0, 1]])  # fmt: skip


def arrays(picture: Picture, stack: Layers | None, space: Space | None) -> dict[str, Array]:
    """Return the arrays that the tabs *Layers* and *Three dimensions* draw.

    - The data in the plane after every layer of affine hull machines.
    - Three-dimensional samples, and the surfaces that affine hull machines fit to them.
    """
    return _layers(picture, stack) | _bodies(space)


def _layers(picture: Picture, stack: Layers | None) -> dict[str, Array]:
    n_records = len(picture.y)
    if stack is None:
        gone = array(np.full((n_records, 2), np.nan))
        none = Array(np.zeros(n_records, np.int32), (None,))
        return {
            "m_of": nodes_of([1.0]),
            **{f"layer{n}": gone for n in range(N_LAYERS)},
            **{f"nearest{n}": array(np.nan) for n in range(N_LAYERS)},
            **{f"wide{n}": gone for n in range(2)},
            **{f"block{n}": none for n in range(2)},
        }
    return {
        "m_of": nodes_of(stack.nodes),
        **{f"layer{n}": array(stack.images[:, :, n], "m", "s") for n in range(N_LAYERS)},
        **{f"nearest{n}": array(stack.nearest[:, :, n], "m", "s") for n in range(N_LAYERS)},
        **{f"wide{n}": array(stack.wide[n]) for n in range(2)},
        **{f"block{n}": Array(stack.block[n].astype(np.int32), (None,)) for n in range(2)},
    }


def _bodies(space: Space | None) -> dict[str, Array]:
    if space is None:
        nothing = array([np.nan])
        by_name: dict[str, Array] = {"cube_x": nothing, "cube_y": nothing}
        for n in range(N_BODIES):
            by_name |= {
                f"body{n}": array(np.full((1, 2), np.nan)),
                f"hull{n}_x": nothing,
                f"hull{n}_y": nothing,
            }
        return by_name | {"body_labels": Array(np.zeros(1, np.int32), (None,))}
    by_name = {"body_labels": Array(np.zeros(space.samples.shape[1], np.int32), (None,))}
    cube = projected(_CUBE)
    by_name |= {"cube_x": array(cube[..., 0], "turn"), "cube_y": array(cube[..., 1], "turn")}
    for n in range(N_BODIES):
        net = projected(space.nets[n])
        by_name |= {
            f"body{n}": array(projected(space.samples[n]), "turn"),
            f"hull{n}_x": array(net[..., 0], "turn"),
            f"hull{n}_y": array(net[..., 1], "turn"),
        }
    return by_name


def panels() -> list[Panel]:
    """Return the panels of the tabs *Layers* and *Three dimensions*."""
    return [*_layers_and_blocks(), *_three_dimensions()]


def _layers_and_blocks() -> list[Panel]:
    shown = {
        key: layers.Points(xy=f"layer{number}", labels="labels", size=2.6)
        for number, key in enumerate(("layer_1", "layer_2", "layer_3"))
    } | {
        key: layers.Points(xy=f"wide{number}", labels=f"block{number}", size=2.8)
        for number, key in enumerate(("wide_0", "wide_1"))
    }  # fmt: skip
    return [
        plane_map(key, [points], tab=T("tabs.layers"), link="layers", depth=Depth.CHECK)
        for key, points in shown.items()
    ]


def _three_dimensions() -> list[Panel]:
    return [_body(key, number) for number, key in enumerate(("body_0", "body_1", "body_2"))]


def _body(key: str, number: int) -> Panel:
    axis = Axis(range=(-0.85, 0.85))
    panel = Panel(
        key=key, kind="map", tab=T("tabs.bodies"), link="bodies", depth=Depth.CHECK, height=380, x=axis, y=axis,
        layers=[
            layers.Line(x="cube_x", y="cube_y", role="muted", width=1, alpha=0.5),
            layers.Points(xy=f"body{number}", labels="body_labels", role="nonprivate", size=2.4),
            layers.Line(x=f"hull{number}_x", y=f"hull{number}_y", role="private", width=1.2, label=T("labels.image")),
        ],
    )  # fmt: skip
    return T.panel(panel)
