"""The affine hull lab, its picture: original, noisy, fabricated, other draws, two worlds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore.experiments.kahm import Draws, KahmParams, Picture, Worlds
from dpcore.experiments.kahm.params import SHIFT_GRID, SHOWN_ROUNDS, STAGE_GRID
from dpcore.experiments.kahm.picture import REACH
from ui.figure_kit.common import EPSILONS, array
from ui.live import Array, Axis, Panel, Slider, layers

__all__ = [
    "COORDS", "arrays", "noise_to_signal", "panels", "shading", "stage_slider", "stage_words",
]  # fmt: skip

COORDS = {
    "s": "s_of",  # stage: original, noisy, rounds
    "i": "i_of",  # ε at which data are there
    "f": "f_of",  # ε at which machines are there
    "d": "d_of",  # ε at which draws are there
    "px": "px_of",  # Ada's other place, put into the box
    "py": "py_of",
}
_STAGES = ["original", "noisy"] + [f"round {t + 1}" for t in range(SHOWN_ROUNDS)]
_ALL_STAGES = [float(i) for i in range(len(_STAGES))]
_EXTENT = (*REACH, *REACH)
_FAR = 0.3  # distance from which the shading is empty
_BOX = [0.0, 1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0, 0.0]


def stage_slider() -> Slider:
    """Return the slider that plays the stages."""
    item = KahmParams.controls()["stage"]
    return Slider(
        name="stage", label=item.label, grid=list(STAGE_GRID), mode="local", play=True,
        ends=item.ends, help=item.help,
    )  # fmt: skip


def stage_words() -> list[str]:
    """Return what is to be seen at every value of the stage slider."""
    found = []
    for stage in STAGE_GRID:
        low = int(stage)
        if stage == low:
            found.append(f"You see: {_STAGES[low]}.")
        else:
            found.append(f"You see: on the way from {_STAGES[low]} to {_STAGES[low + 1]}.")
    return found


def nodes_of(epsilons: ArrayLike) -> Array:
    """Return the fractional place of every ε of the grid among ``epsilons`` (E,), in log ε."""
    there = np.log(np.asarray(epsilons))
    return array(np.interp(np.log(EPSILONS), there, np.arange(len(there))), "epsilon")


def arrays(
    params: KahmParams, picture: Picture, draws: Draws | None, worlds: Worlds | None
) -> dict[str, Array]:
    """Return the arrays of the picture."""
    whole = len(picture.epsilons) > 1
    mean = picture.errors.mean(-1)
    target = float(picture.target.mean())
    rounds = picture.paper_rounds
    found = {
        "s_of": array(STAGE_GRID, "stage"),
        "i_of": array(np.arange(len(EPSILONS)) if whole else np.zeros(len(EPSILONS)), "epsilon"),
        "f_of": nodes_of(picture.nodes),
        "points": array(picture.stages, "i", "s"),
        "points_original": array(picture.X),
        "labels": Array(picture.y.astype(np.int32), (None,)),
        "field": shading(picture.fields, "f", "s"),
        "field_original": shading(picture.fields[0, 0]),
        "error": array(mean, "i"),
        "error_now": array(np.insert(mean, 0, target, axis=1), "i", "s"),
        "target": array(target),
        "paper_rounds": array(np.where(rounds < 0, np.nan, rounds), "i"),
        "paper_stage": array(np.where(rounds < 0, np.nan, rounds + 1), "i"),
        "noise_to_signal": array(noise_to_signal(picture), "i"),
    }
    for c in range(picture.nets.shape[2]):
        found |= _xy(f"net{c}", picture.nets[:, :, c], "f", "s")
        found |= _xy(f"net_original{c}", picture.nets[0, 0, c])
    return found | _draws(picture, draws) | _worlds(params, worlds)


def shading(values: Any, *dims: str) -> Array:
    """Return distances over ``dims`` and the map (G, G) as bytes: 1 and more is far."""
    small = np.round(255 * np.clip(values, 0, 1)).astype(np.uint8)
    return Array(small, (*dims, None, None), scale=(0.0, 1.0))


def _xy(name: str, places: Any, *dims: str) -> dict[str, Array]:
    return {f"{name}_x": array(places[..., 0], *dims), f"{name}_y": array(places[..., 1], *dims)}


def noise_to_signal(picture: Picture) -> Any:
    """Return the noise over the spread of the records at every ε of a picture, (E,)."""
    noise = np.square(picture.stages[:, 1] - picture.X).mean((1, 2))
    return np.sqrt(noise / picture.X.var(0).mean())


def _draws(picture: Picture, draws: Draws | None) -> dict[str, Array]:
    classes = picture.nets.shape[2]
    if draws is None:
        empty = np.full((1, 1, 2), np.nan)
        found = {"d_of": nodes_of([1.0])}
        for c in range(classes):
            found |= _xy(f"draws{c}", empty[0][None], "d") | _xy(f"middle{c}", empty[0])
        return found
    found = {"d_of": nodes_of(draws.nodes)}
    for c in range(classes):
        flat = draws.nets[:, :, c].reshape(len(draws.nodes), -1, 2)
        found |= _xy(f"draws{c}", flat, "d") | _xy(f"middle{c}", draws.original[c])
    return found


def _worlds(params: KahmParams, worlds: Worlds | None) -> dict[str, Array]:
    n = 30 if worlds is None else worlds.noise.shape[1]
    found = {
        "zeros": Array(np.zeros(n, np.int32), (None,)),
        "one": Array(np.zeros(1, np.int32), (None,)),
    }
    if worlds is None:
        gone = np.full((1, n, 2), np.nan)
        middle = array(np.full(len(SHIFT_GRID), 0.5))
        return found | {
            "px_of": Array(middle.values, ("person_dx",)),
            "py_of": Array(middle.values, ("person_dy",)),
            "home": array(np.full((1, 2), np.nan)),
            "here": array(gone[0]), "there": array(gone[0]),
            "end_here": array(gone[0]), "end_there": array(gone[0]),
        }  # fmt: skip
    home = worlds.home
    shift = np.array(SHIFT_GRID)
    ends = np.array([[[0, 0], [0, 1]], [[1, 0], [1, 1]]], float)  # (px, py, 2)
    there = ends[None, :, :, None] + worlds.noise[:, None, None]
    return found | {
        "px_of": array(np.clip(home[0] + shift, 0, 1), "person_dx"),
        "py_of": array(np.clip(home[1] + shift, 0, 1), "person_dy"),
        "home": array(home[None]),
        "here": array(home + worlds.noise, "epsilon"),
        "there": array(there, "epsilon", "px", "py"),
        "end_here": array(worlds.fabricated, "f" if len(worlds.nodes) > 1 else "d"),
        "end_there": array(worlds.fabricated_away, "f" if len(worlds.nodes) > 1 else "d"),
    }


def panels(params: KahmParams, picture: Picture, worlds: Worlds | None) -> list[Panel]:
    """Return the panels of the picture."""
    return [*_main(picture), *_two_worlds(params, worlds)]


def _map(key: str, title: str, found: list[layers.Layer], **words: Any) -> Panel:
    axis = Axis(range=REACH)
    box = layers.Line(x=_BOX[0], y=_BOX[1], role="muted", dash=True, width=1)
    more: dict[str, Any] = {"height": 340, "link": "plane", **words}
    return Panel(key=key, title=title, kind="map", x=axis, y=axis, layers=[*found, box], **more)


def _nets(name: str, picture: Picture, width: float = 1.4, **more: Any) -> list[layers.Layer]:
    return [
        layers.Line(x=f"{name}{c}_x", y=f"{name}{c}_y", **{"role": c, "width": width} | more)
        for c in range(picture.nets.shape[2])
    ]


def _main(picture: Picture) -> list[Panel]:
    return [
        _map(
            "original", "The original, and its machine",
            [
                layers.Shade(values="field_original", extent=_EXTENT, range=(0.0, _FAR),
                             role="nonprivate"),
                layers.Points(xy="points_original", labels="labels", size=2.6),
                *_nets("net_original", picture),
            ],
            caption="Lines: the image, all that the machine of a class can answer. Shading: the nearer "
            "to an image, the stronger. Dashed: the public box. This picture is not private.",
            alt="Original records with the images of the machines of their classes.",
        ),
        _map(
            "stage", "Noise, then smoothing: play the stage",
            [
                layers.Shade(values="field", extent=_EXTENT, range=(0.0, _FAR)),
                layers.Points(xy="points", labels="labels", size=2.6),
                *_nets("net", picture, keep=True),
            ],
            caption="The same records with noise on every value, then smoothed by their class's "
            "machine, round by round. Machines are rebuilt on what you see. Records may leave the map.",
            alt="Records and images at stage {stage}; modelling error {error_now}, original {target}.",
        ),
        _map(
            "draws", "The image under 30 other noises",
            [
                *_nets("draws", picture, 1.0, alpha=0.28),
                *_nets("middle", picture, 2.4, role="nonprivate"),
            ],
            caption="The middle lines of each image, built on the published data of 30 other draws. "
            "Grey: of the original. Where colours scatter, the shape you see left is chance.",
            alt="Images of the machines under thirty draws of the noise.",
        ),
        _error(),
    ]  # fmt: skip


def _error() -> Panel:
    return Panel(
        key="error", title="Modelling error", height=340,
        x=Axis(range=(-0.2, SHOWN_ROUNDS + 1.2), title="stage",
               ticks=tuple(_ALL_STAGES),
               words=("orig.", "noisy", *(str(t + 1) for t in range(SHOWN_ROUNDS)))),
        y=Axis(range=(0.0015, 40.0), log=True, title="mean distance to the image",
               ticks=(0.01, 0.1, 1, 10)),
        caption="Smoothing lowers the error (accent) towards that of the original (grey). Red: where the "
        "paper would stop. It has to read the original data for that.",
        alt="Modelling error by stage; now {error_now}, original {target}.",
        layers=[
            layers.HLine(at="target", role="nonprivate", width=1.6, label="original"),
            layers.VLine(at="paper_stage", role="danger", dash=True, width=1.2,
                         label="the paper stops"),
            layers.Line(x=_ALL_STAGES[1:], y="error"),
            layers.Dot(x="s_of", y="error_now"),
        ],
    )  # fmt: skip


def _two_worlds(params: KahmParams, worlds: Worlds | None) -> list[Panel]:
    def cloud(here: str, there: str) -> list[layers.Layer]:
        return [
            layers.Points(xy=there, labels="zeros", role="other", size=4.2, alpha=0.9),
            layers.Points(xy=here, labels="zeros", role="private", size=3.2, alpha=0.8),
            layers.Markers(xy="home", labels="one", role="text", hollow=True, size=6),
        ]

    handle = []
    if worlds is not None:
        handle = [layers.Handle(x="person_dx", y="person_dy", label="Ada's other place",
                                origin=[float(v) for v in worlds.home])]  # fmt: skip
    return [
        _map(
            "worlds", "Ada's noisy record in both worlds", [*cloud("here", "there"), *handle],
            tab="Two worlds", height=400, link="worlds",
            caption="Accent: 30 noisy records when Ada is at the ring; orange: when she is where the "
            "handle is (drag it). The same noise. Both values move, so the worlds differ by up to 2ε.",
            alt="Thirty noisy copies of one record in two worlds.",
        ),
        _map(
            "ends", "After smoothing", [*cloud("end_here", "end_there")],
            tab="Two worlds", height=400, link="worlds",
            caption=f"Her published record after {params.rounds} rounds, drawn anew when you let go. "
            "Smoothing pulls both worlds to the class. It adds no promise: it only reads the noisy data.",
            alt="Thirty fabricated copies of one record in two worlds.",
        ),
    ]  # fmt: skip
