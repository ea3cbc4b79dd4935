"""The panels of the picture of Affine hulls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpcore.experiments.kahm import KahmParams, NeighbouringRuns, Picture
from dpcore.experiments.kahm.params import SHOWN_ROUNDS
from dpcore.experiments.kahm.picture import REACH
from ui.frame.depth import Depth
from ui.live import Axis, Panel, layers

__all__ = ["EXTENT", "panels", "plane_map"]


_ROOM = Axis(range=(-0.5, 1.5))  # noise and a handle go further than the people
_FAR = 0.3  # distance from which the shading is empty
_ROUNDS = [float(t) for t in range(SHOWN_ROUNDS + 1)]  # none: the noisy data


EXTENT = (*REACH, *REACH)
_EDGE = (REACH[0] + 0.012, REACH[1] - 0.012) * 2  # whole marks fit between it and the frame

_BOX = [0.0, 1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0, 0.0]


def panels(params: KahmParams, picture: Picture, runs: NeighbouringRuns | None) -> list[Panel]:
    """Return the panels of the picture."""
    return [*_main(picture), *_two_worlds(params, runs)]


def plane_map(key: str, title: str, found: list[layers.Layer], **words: Any) -> Panel:
    """Return a map of the plane of the picture, with the public bounds drawn."""
    axis = Axis(range=REACH)
    box = layers.Line(x=_BOX[0], y=_BOX[1], role="muted", dash=True, width=1, label="public bounds",
                      label_short="bounds")  # fmt: skip
    more: dict[str, Any] = {"height": 340, "link": "plane", **words}
    return Panel(key=key, title=title, kind="map", x=axis, y=axis, layers=[*found, box], **more)


def _nets(name: str, picture: Picture, width: float = 1.4, **more: Any) -> list[layers.Layer]:
    n, words = picture.nets.shape[2], more.pop("label", "")
    return [
        layers.Line(x=f"{name}{c}_x", y=f"{name}{c}_y", label=words if c == n - 1 else "",
                    **{"role": c, "width": width} | more)
        for c in range(n)
    ]  # fmt: skip


def _main(picture: Picture) -> list[Panel]:
    return [
        plane_map(
            "original", "The real people",
            [
                layers.Shade(values="field_original", extent=EXTENT, range=(0.0, _FAR),
                             role="nonprivate"),
                layers.Points(xy="points_original", labels="labels", size=2.6),
                *_nets("net_original", picture, label="shape of a class"),
            ],
            caption="For each class a small model learns its shape, drawn as a net. The stronger the colour, "
            "the nearer to a shape. This picture is not private; you see it because you hold the data.",
            alt="Original records with the images of the machines of their classes.",
        ),
        plane_map(
            "stage", "Noise, then smoothing",
            [
                layers.Shade(values="field", extent=EXTENT, range=(0.0, _FAR)),
                layers.Points(xy="points", labels="labels", size=2.6, within=_EDGE),
                *_nets("net", picture, keep=True, label="shape of a class"),
            ],
            leads=True,
            caption="Noise scatters the people. Smoothing moves each noisy point towards the image of its class, "
            "round by round. Hollow marks at the edge stand for people beyond the frame.",
            alt="Records and images, stage: {stage}; modelling error {error_now}, original {target}.",
        ),
        plane_map(
            "draws", "The shape under 30 other draws of the noise",
            [
                *_nets("draws", picture, 1.0, alpha=0.28, label="other possible outcomes",
                       label_short="other outcomes"),
                *_nets("middle", picture, 2.4, role="nonprivate", label="of the original"),
            ],
            depth=Depth.UNDERSTAND,
            caption="Where the shapes of other draws scatter, what you see beside is chance.",
            alt="Images of the machines under thirty draws of the noise.",
        ),
        _error(),
    ]  # fmt: skip


def _error() -> Panel:
    return Panel(
        key="error", title="Modelling error", height=340, depth=Depth.UNDERSTAND,
        x=Axis(range=(-1.2, SHOWN_ROUNDS + 0.2), title="rounds of smoothing",
               ticks=(-1.0, *_ROUNDS),
               words=("orig.", "noisy", *(str(t + 1) for t in range(SHOWN_ROUNDS)))),
        y=Axis(range=(0.0015, 40.0), log=True, title="mean distance to the image",
               ticks=(0.01, 0.1, 1, 10)),
        caption="Smoothing lowers the error, soon below that of the original: the invented people are smoother than "
        "the real ones. A rule that stops at the line has to look at the original data once more.",
        alt="Modelling error by rounds of smoothing; now {error_now}, original {target}.",
        layers=[
            layers.HLine(at="target", role="nonprivate", width=1.6, label="original"),
            layers.VLine(at="paper_rounds", role="danger", dash=True, width=1.2,
                         label="the printed rule stops", depth=Depth.CHECK),
            layers.Line(x=_ROUNDS, y="error", label="published data"),
            layers.Dot(x="rounds_now", y="error_now"),
        ],
    )  # fmt: skip


def _cloud(here: str, there: str) -> list[layers.Layer]:
    return [
        layers.Points(
            xy=there,
            labels="zeros",
            role="other",
            size=4.2,
            alpha=0.9,
            label="Ada at the other place",
            label_short="other place",
        ),
        layers.Points(
            xy=here,
            labels="zeros",
            role="private",
            size=3.2,
            alpha=0.8,
            label="Ada at home",
            label_short="at home",
        ),
        layers.Markers(xy="home", labels="one", role="text", hollow=True, size=6),
    ]


def _two_worlds(params: KahmParams, runs: NeighbouringRuns | None) -> list[Panel]:
    handle = []
    if runs is not None:
        handle = [layers.Handle(x="person_dx", y="person_dy", label="Ada's other place",
                                origin=[float(v) for v in runs.home])]  # fmt: skip
    found = [
        plane_map(
            "neighbouring_runs", "Ada's noisy record, here or there", [*_cloud("here", "there"), *handle],
            tab="Two worlds", height=400, link="neighbouring_runs",
            depth=Depth.UNDERSTAND,
            caption="Drag Ada to another place. The more the two clouds overlap, the less one noisy record tells "
            "where she was. ε holds for one value, and both of her values change: together 2ε.",
            alt="Thirty noisy copies of one record, at home and at the other place.",
        ),
        plane_map(
            "ends", "After smoothing" if params.rounds else "As published", [*_cloud("end_here", "end_there")],
            tab="Two worlds", height=400, link="neighbouring_runs",
            depth=Depth.UNDERSTAND,
            caption=_after(params.rounds),
            alt="Thirty published copies of one record, at home and at the other place.",
        ),
    ]  # fmt: skip
    return [replace(panel, x=_ROOM, y=_ROOM) for panel in found]


def _after(rounds: int) -> str:
    """What is seen of the published record after so many rounds of smoothing."""
    if rounds == 0:
        return "Her published record: without smoothing (T = 0) it is the noisy record itself."
    return (
        f"Her published record after {rounds} round{'s' if rounds > 1 else ''}. Smoothing moves both clouds towards "
        "the class. Smoothing adds no protection, because it reads the noisy data only."
    )
