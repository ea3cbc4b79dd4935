"""Arrays and panels of the data in the plane on the Affine hulls page.

The panels show original, noisy, synthetic and neighbouring data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore.datasets.dataset import PERSON
from dpcore.experiments.kahm import Draws, KahmParams, NeighbouringRuns, Picture
from dpcore.experiments.kahm.params import SHIFT_GRID, SHOWN_ROUNDS, STAGE_GRID
from dpcore.experiments.kahm.picture import REACH, replaced
from dpcore.guarantee import Guarantee
from ui.figure_kit.bets import bound_array, on_outcomes
from ui.figure_kit.common import EPSILONS, array, in_bytes
from ui.figure_kit.outcomes import Someone, breathing, someone
from ui.live import OUTCOME, Array, Axis, Breathing, Panel, layers
from ui.live.depth import Depth
from ui.words import text

if TYPE_CHECKING:
    from pages.kahm.pipeline import Passing

__all__ = [
    "COORDS",
    "EXTENT",
    "arrays",
    "nodes_of",
    "noise_to_signal",
    "of_picture",
    "panels",
    "person_of",
    "plane_map",
    "stepped",
]

T = text.load_text(__file__)

COORDS = {
    "s": "s_of",  # stage: original, noisy, rounds
    "i": "i_of",  # ε at which data are there
    "f": "f_of",  # ε at which machines are there
    "d": "d_of",  # ε at which draws are there
    "px": "px_of",  # the person's other place, put into the box
    "py": "py_of",
}
EXTENT = (*REACH, *REACH)
_BOX = [0.0, 1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0, 0.0]
_PEOPLE = Axis(range=(-0.13, 1.13))  # the public bounds, in which all people are, and their lines
_EDGE = (-0.115, 1.115)  # where a point outside of that is drawn, whole
_ROOM = Axis(range=(-0.5, 1.5))  # noise and a handle go further than the people
_HELD = ("epsilon", "stage", "person_dx", "person_dy")  # sliders that the outcomes do not lie over
_FAR = 0.3  # distance from which the shading is empty
_ROUNDS = [float(t) for t in range(SHOWN_ROUNDS + 1)]  # none: the noisy data


def nodes_of(epsilons: ArrayLike) -> Array:
    """Return the position (fractional index) of every ε of the slider among the increasing values ``epsilons``.

    Positions are interpolated linearly in log ε.
    """
    there = np.log(np.asarray(epsilons))
    return array(np.interp(np.log(EPSILONS), there, np.arange(len(there))), "epsilon")


def arrays(
    params: KahmParams, picture: Picture, draws: Draws | None, runs: NeighbouringRuns | None
) -> dict[str, Array]:
    """Return all arrays of the data in the plane.

    - ``picture``: the data at every ε and stage.
    - ``draws``: data with other noise draws, or None.
    - ``runs``: results on two neighbouring data sets, or None.
    """
    whole = len(picture.epsilons) > 1
    return {
        "s_of": array(STAGE_GRID, "stage"),
        "rounds_now": array(np.array(STAGE_GRID) - 1, "stage"),
        "i_of": array(np.arange(len(EPSILONS)) if whole else np.zeros(len(EPSILONS)), "epsilon"),
        "f_of": nodes_of(picture.nodes),
        **of_picture(picture),
        **_draws(picture, draws),
        **_runs(params, runs),
    }


def of_picture(picture: Picture) -> dict[str, Array]:
    """Return the arrays of the data in the plane at every ε, with a single noise draw."""
    mean = picture.errors.mean(-1)
    target = float(picture.target.mean())
    rounds = picture.paper_rounds
    by_name = {
        "points": array(picture.stages, "i", "s"),
        "at_edge": array(_at_edge_on_the_way(picture), "i", "stage"),
        "points_original": array(picture.X),
        "labels": Array(picture.y.astype(np.int32), (None,)),
        "field": in_bytes(picture.fields, "f", "s"),
        "error": array(mean, "i"),
        "error_now": array(np.insert(mean, 0, target, axis=1), "i", "s"),
        "target": array(target),
        "paper_rounds": array(np.where(rounds < 0, np.nan, rounds), "i"),
        "noise_to_signal": array(noise_to_signal(picture), "i"),
    }
    for c in range(picture.nets.shape[2]):
        by_name |= _xy(f"net{c}", picture.nets[:, :, c], "f", "s")
        by_name |= _xy(f"net_real{c}", picture.nets[0, 0, c])
    return by_name


def _at_edge(points: Any) -> Any:
    """Return how many of the points (..., N, 2) lie outside of the displayed part of the plane."""
    return ((points < _EDGE[0]) | (points > _EDGE[1])).any(-1).sum(-1)


def _at_edge_on_the_way(picture: Picture) -> Any:
    """Return the number of points outside of the displayed part, for every ε and every position of the stage slider.

    The figure draws such points at its edge.
    """
    last = picture.stages.shape[1] - 1
    counts = []
    for stage in STAGE_GRID:
        low = int(stage)
        part = stage - low
        ends = picture.stages[:, low], picture.stages[:, min(low + 1, last)]
        counts.append(_at_edge((1 - part) * ends[0] + part * ends[1]))
    return np.stack(counts, axis=1)


def _xy(name: str, places: Any, *dims: str) -> dict[str, Array]:
    return {f"{name}_x": array(places[..., 0], *dims), f"{name}_y": array(places[..., 1], *dims)}


def noise_to_signal(picture: Picture) -> Any:
    """Return the standard deviation of the noise divided by that of the records, (E,), for E values of ε."""
    noise = np.square(picture.stages[:, 1] - picture.X).mean((1, 2))
    return np.sqrt(noise / picture.X.var(0).mean())


def _draws(picture: Picture, draws: Draws | None) -> dict[str, Array]:
    classes = picture.nets.shape[2]
    if draws is None:
        empty = np.full((1, 1, 2), np.nan)
        by_name = {"d_of": nodes_of([1.0])}
        for c in range(classes):
            by_name |= _xy(f"draws{c}", empty[0][None], "d") | _xy(f"middle{c}", empty[0])
        return by_name
    by_name = {"d_of": nodes_of(draws.nodes)}
    for c in range(classes):
        flat = draws.nets[:, :, c].reshape(len(draws.nodes), -1, 2)
        by_name |= _xy(f"draws{c}", flat, "d") | _xy(f"middle{c}", draws.original[c])
    return by_name


def person_of(params: KahmParams, picture: Picture) -> Someone:
    """Return the person whose record the neighbouring data set replaces, with the positions of both records."""
    other, row = replaced(params)
    return someone(
        picture.X[row], array(picture.X), row, first=KahmParams().row, unit=PERSON, away=other[row],
        dots="points_original", control="person", counted_from=0,
    )  # fmt: skip


def stepped(
    params: KahmParams, person: Someone, passing: Passing | None, promised: Sequence[Guarantee]
) -> tuple[dict[str, Array], Breathing | None]:
    """Return the data at the displayed stage for other noise draws, and the animation through these draws.

    The stages are the original, the noisy and the smoothed data; there are draws for two neighbouring data sets.
    The arrays include ``bet_bound``, the largest accuracy of a bet on which data set was used that the guarantees
    ``promised`` allow at every ε.
    """
    if passing is None:
        return {}, None
    arrays = {**_of_outcomes(passing, 0, "outcome"), **_of_outcomes(passing, 1, "other")}
    originals: dict[str, str] = {}
    for c, net in enumerate(passing.nets):
        places = _xy(f"other_net_real{c}", net)
        originals |= {name.removeprefix("other_"): name for name in places}
        arrays |= places
    drawn = {name.removeprefix("outcome_") for name in arrays if name.startswith("outcome_")}
    arrays |= {**person.arrays, "bet_bound": bound_array(promised, "epsilon")}
    return arrays, breathing(
        passing.below.points.shape[1], T("outcomes.label"), {name: f"outcome_{name}" for name in drawn},
        at={name: getattr(params, name) for name in _HELD},
        without={
            **{name: f"other_{name}" for name in drawn},
            **originals, **person.without,
        },
        **person.choice,
    )  # fmt: skip


def _of_outcomes(passing: Passing, world: int, prefix: str) -> dict[str, Array]:
    """Return points, shading and grid lines for every noise draw, at the displayed stage.

    ``world`` is 0 for the original data set and 1 for the neighbouring one. The array names start with
    ``prefix``.
    """
    points, nets, fields = (
        _between(passing, [getattr(one, name)[world] for one in (passing.below, passing.above)])
        for name in ("points", "nets", "fields")
    )
    made = {
        f"{prefix}_points": array(points, OUTCOME),
        f"{prefix}_at_edge": array(_at_edge(points), OUTCOME),
        f"{prefix}_field": in_bytes(fields, OUTCOME),
    }
    for c in range(nets.shape[1]):
        made |= _xy(f"{prefix}_net{c}", nets[:, c], OUTCOME)
    return made


def _between(passing: Passing, values: Sequence[Any]) -> Any:
    """Return an array at the displayed stage, interpolated between its ``values`` at the stages below and above."""
    below, above = values
    return (1 - passing.part) * below + passing.part * above


def _runs(params: KahmParams, runs: NeighbouringRuns | None) -> dict[str, Array]:
    n = 30 if runs is None else runs.noise.shape[1]
    by_name = {
        "zeros": Array(np.zeros(n, np.int32), (None,)),
        "one": Array(np.zeros(1, np.int32), (None,)),
    }
    if runs is None:
        gone = np.full((1, n, 2), np.nan)
        middle = array(np.full(len(SHIFT_GRID), 0.5))
        return by_name | {
            "px_of": Array(middle.values, ("person_dx",)),
            "py_of": Array(middle.values, ("person_dy",)),
            "home": array(np.full((1, 2), np.nan)),
            "here": array(gone[0]), "there": array(gone[0]),
            "end_here": array(gone[0]), "end_there": array(gone[0]),
        }  # fmt: skip
    home = runs.home
    shift = np.array(SHIFT_GRID)
    ends = np.array([[[0, 0], [0, 1]], [[1, 0], [1, 1]]], float)  # (px, py, 2)
    there = ends[None, :, :, None] + runs.noise[:, None, None]
    return by_name | {
        "px_of": array(np.clip(home[0] + shift, 0, 1), "person_dx"),
        "py_of": array(np.clip(home[1] + shift, 0, 1), "person_dy"),
        "home": array(home[None]),
        "here": array(home + runs.noise, "epsilon"),
        "there": array(there, "epsilon", "px", "py"),
        "end_here": array(runs.fabricated, "f" if len(runs.nodes) > 1 else "d"),
        "end_there": array(runs.fabricated_away, "f" if len(runs.nodes) > 1 else "d"),
    }


def panels(
    params: KahmParams, picture: Picture, runs: NeighbouringRuns | None,
    replaced: tuple[Someone, Guarantee] | None,
) -> list[Panel]:  # fmt: skip
    """Return the panels of the data in the plane.

    ``replaced`` is the person whose record can be replaced, and the guarantee of one release.
    """
    return [
        *_main(params, picture, replaced),
        *_two_worlds(params, runs),
        _other_draws(picture),
        _error(),
    ]


def plane_map(key: str, shown: list[layers.Layer], **settings: Any) -> Panel:
    """Return a map of the plane of the data, with the public bounds of the features as a box."""
    axis = settings.pop("axis", Axis(range=REACH))
    x, y = _BOX
    box = layers.Line(x=x, y=y, role="muted", dash=True, width=1, label=T("labels.bounds"),
                      label_short=T("labels.bounds_short"))  # fmt: skip
    more: dict[str, Any] = {"height": 340, "link": "plane", **settings}
    return T.panel(Panel(key=key, kind="map", x=axis, y=axis, layers=[*shown, box], **more))


def _nets(name: str, picture: Picture, width: float = 1.4, **more: Any) -> list[layers.Layer]:
    """Return the grid lines (nets) of all classes as layers.

    ``names`` are the labels of all nets. Without ``names``, the last net alone has a label, ``label``.
    """
    n, last = picture.nets.shape[2], more.pop("label", "")
    labels = more.pop("names", [*[""] * (n - 1), last])
    return [
        layers.Line(x=f"{name}{c}_x", y=f"{name}{c}_y", label=labels[c],
                    **{"role": c, "width": width} | more)
        for c in range(n)
    ]  # fmt: skip


def _main(
    params: KahmParams, picture: Picture, replaced: tuple[Someone, Guarantee] | None
) -> list[Panel]:
    names = T.lines(f"labels.classes.{params.shape}")
    bets = on_outcomes(*replaced) if replaced else None
    original, stage = (
        plane_map("original", [
            layers.Points(xy="points_original", labels="labels", size=2.6),
            *_nets("net_real", picture, names=names),
            *(replaced[0].rings if replaced else []),
        ], axis=_PEOPLE, link="people"),
        plane_map("stage", [
            layers.Shade(values="field", extent=EXTENT, range=(0.0, _FAR), depth=Depth.UNDERSTAND),
            *_nets("net_real", picture, 1.2, role="nonprivate", alpha=0.5, label=T("labels.real_shape")),
            layers.Points(xy="points", labels="labels", size=2.6, within=(*_EDGE, *_EDGE)),
            *_nets("net", picture, 2.4, keep=True, names=names),
        ], axis=_PEOPLE, link="people", leads=True, bets=bets),
    )  # fmt: skip
    if replaced:
        original = replace(original, caption=T("panels.original.caption_chosen"))
    return [original, stage]


def _other_draws(picture: Picture) -> Panel:
    return plane_map("draws", [
        *_nets("draws", picture, 1.0, alpha=0.28, label=T("panels.draws.others"),
               label_short=T("panels.draws.others_short")),
        *_nets("middle", picture, 2.4, role="nonprivate", label=T("panels.draws.original")),
    ], depth=Depth.UNDERSTAND, tab=T("tabs.draws"))  # fmt: skip


def _error() -> Panel:
    stages = (T("panels.error.original_short"), T("panels.error.noisy_short"))
    panel = Panel(
        key="error", height=340, depth=Depth.UNDERSTAND, tab=T("tabs.draws"),
        x=Axis(range=(-1.2, SHOWN_ROUNDS + 0.2), ticks=(-1.0, *_ROUNDS),
               words=(*stages, *(str(t + 1) for t in range(SHOWN_ROUNDS)))),
        y=Axis(range=(0.0015, 40.0), log=True, ticks=(0.01, 0.1, 1, 10)),
        layers=[
            layers.HLine(at="target", role="nonprivate", width=1.6, label=T("panels.error.original")),
            layers.VLine(at="paper_rounds", role="danger", dash=True, width=1.2,
                         label=T("panels.error.stops"), depth=Depth.CHECK),
            layers.Line(x=_ROUNDS, y="error", label=T("panels.error.published")),
            layers.Dot(x="rounds_now", y="error_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _cloud(here: str, there: str) -> list[layers.Layer]:
    return [
        layers.Points(
            xy=there, labels="zeros", role="other", size=4.2, alpha=0.9,
            label=T("panels.neighbouring_runs.there"), label_short=T("panels.neighbouring_runs.there_short"),
        ),
        layers.Points(
            xy=here, labels="zeros", role="private", size=3.2, alpha=0.8,
            label=T("panels.neighbouring_runs.here"), label_short=T("panels.neighbouring_runs.here_short"),
        ),
        layers.Markers(xy="home", labels="one", role="text", hollow=True, size=6),
    ]  # fmt: skip


def _two_worlds(params: KahmParams, runs: NeighbouringRuns | None) -> list[Panel]:
    handle = []
    if runs is not None:
        handle = [layers.Handle(x="person_dx", y="person_dy", label=T("panels.neighbouring_runs.handle"),
                                origin=[float(v) for v in runs.home])]  # fmt: skip
    common: dict[str, Any] = {
        "tab": T("tabs.worlds"), "height": 400, "link": "neighbouring_runs", "depth": Depth.UNDERSTAND,
    }  # fmt: skip
    noisy = plane_map("neighbouring_runs", [*_cloud("here", "there"), *handle], **common)
    ends = plane_map("ends", [*_cloud("end_here", "end_there")], **common)
    # How many rounds of smoothing are published; in none the noisy record itself is.
    ends = T.panel(ends, "" if params.rounds else "unsmoothed", rounds=params.rounds)
    return [replace(panel, x=_ROOM, y=_ROOM) for panel in (noisy, ends)]
