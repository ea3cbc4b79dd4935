"""The tabs *Layers* and *Three dimensions* of Affine hulls."""

from __future__ import annotations

import numpy as np

from dpcore.experiments.kahm import Layers, Picture, Space
from dpcore.experiments.kahm.layers import N_BLOCKS, N_LAYERS
from dpcore.experiments.kahm.space import BODIES, projected
from pages.kahm.figure_picture import nodes_of
from pages.kahm.figure_picture_panels import plane_map
from ui.figure_kit.common import array
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, layers

__all__ = ["BODY_TAB", "COORDS", "TAB", "arrays", "panels"]

COORDS = {"m": "m_of"}  # ε at which layers are there
TAB, BODY_TAB = "Layers", "Three dimensions"
_CUBE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1], [1, 0, 1], [1, 0, 0],
                  [np.nan] * 3, [1, 0, 1], [1, 1, 1], [1, 1, 0], [np.nan] * 3, [1, 1, 1], [0, 1, 1], [0, 1, 0],
                  [np.nan] * 3, [0, 1, 1], [0, 0, 1]])  # fmt: skip


def arrays(picture: Picture, found: Layers | None, space: Space | None) -> dict[str, Array]:
    """Return the images under every layer and block, and the bodies from every side."""
    return _layers(picture, found) | _bodies(space)


def _layers(picture: Picture, found: Layers | None) -> dict[str, Array]:
    n_records = len(picture.y)
    if found is None:
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
        "m_of": nodes_of(found.nodes),
        **{f"layer{n}": array(found.images[:, :, n], "m", "s") for n in range(N_LAYERS)},
        **{f"nearest{n}": array(found.nearest[:, :, n], "m", "s") for n in range(N_LAYERS)},
        **{f"wide{n}": array(found.wide[n]) for n in range(2)},
        **{f"block{n}": Array(found.block[n].astype(np.int32), (None,)) for n in range(2)},
    }


def _bodies(space: Space | None) -> dict[str, Array]:
    if space is None:
        nothing = array([np.nan])
        found: dict[str, Array] = {"cube_x": nothing, "cube_y": nothing}
        for n in range(len(BODIES)):
            found |= {
                f"body{n}": array(np.full((1, 2), np.nan)),
                f"hull{n}_x": nothing,
                f"hull{n}_y": nothing,
            }
        return found | {"body_labels": Array(np.zeros(1, np.int32), (None,))}
    found = {"body_labels": Array(np.zeros(space.samples.shape[1], np.int32), (None,))}
    cube = projected(_CUBE)
    found |= {"cube_x": array(cube[..., 0], "turn"), "cube_y": array(cube[..., 1], "turn")}
    for n in range(len(BODIES)):
        net = projected(space.nets[n])
        found |= {
            f"body{n}": array(projected(space.samples[n]), "turn"),
            f"hull{n}_x": array(net[..., 0], "turn"),
            f"hull{n}_y": array(net[..., 1], "turn"),
        }
    return found


def panels() -> list[Panel]:
    """Return the panels of both tabs."""
    return [*(_layer(number) for number in range(N_LAYERS)), *_blocks(), *_three_dimensions()]


def _layer(number: int) -> Panel:
    first = "Each point is moved to its image in the machine of its class. The slider “stage” chooses the data."
    later = (
        "This machine is built from the images of the layer before, with one dimension less. Of the "
        f"{N_LAYERS} images of a point, the nearest counts."
    )
    return plane_map(
        f"layer_{number + 1}", f"Layer {number + 1}",
        [layers.Points(xy=f"layer{number}", labels="labels", size=2.6)],
        tab=TAB, link="layers", depth=Depth.CHECK, caption=later if number else first,
        alt=f"Images of all records under layer {number + 1}; the nearest one for {{nearest{number}}} of them.",
    )  # fmt: skip


def _blocks() -> list[Panel]:
    told = {
        "Wide, shared by k-means": "Each class of the real people is shared among "
        f"{N_BLOCKS} machines by nearness. Colour and shape tell which machine holds the record. Not private.",
        "Wide, shared at random": "The same with blocks at random. On noisy data we use these: k-means would follow "
        "the noise.",
    }
    return [
        plane_map(
            f"wide_{number}", title, [layers.Points(xy=f"wide{number}", labels=f"block{number}", size=2.8)],
            tab=TAB, link="layers", depth=Depth.CHECK, caption=caption,
            alt=f"{title}: the nearest image of every record, coloured by the block that holds the record.",
        )
        for number, (title, caption) in enumerate(told.items())
    ]  # fmt: skip


def _three_dimensions() -> list[Panel]:
    axis = Axis(range=(-0.85, 0.85))
    return [
        Panel(
            key=f"body_{number}", title=f"Three values: {body}", kind="map", tab=BODY_TAB, link="bodies",
            depth=Depth.CHECK, height=380, x=axis, y=axis,
            caption=_BODY_WORDS[number],
            alt=f"{body.capitalize()} in three dimensions with the image of its machine, turned by {{turn}} degrees.",
            layers=[
                layers.Line(x="cube_x", y="cube_y", role="muted", width=1, alpha=0.5),
                layers.Points(xy=f"body{number}", labels="body_labels", role="nonprivate", size=2.4),
                layers.Line(x=f"hull{number}_x", y=f"hull{number}_y", role="private", width=1.2, label="image"),
            ],
        )
        for number, body in enumerate(BODIES)
    ]  # fmt: skip


_BODY_WORDS = (
    "Made-up points, and the image of their machine. Play “turn” to look from all sides.",
    "With n = 1 the image is a curve, with n = 2 a surface.",
    "A larger τ draws the image together, towards the mean.",
)
