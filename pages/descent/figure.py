"""Interactive figure of the Gradient descent page.

The figure shows the decision boundary, gradients as arrows, and boundaries trained with other noise draws. Some of
these boundaries are trained on the neighbouring data set, which lacks one record.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from dpcore.experiments import descent
from dpcore.experiments.composition_tables import NOISE_GRID
from dpcore.experiments.descent import DescentParams, Outcomes, Places, Problem, Sizes, Sweep
from dpcore.experiments.descent.cost import CLIP_GRID, WIDTH_GRID
from dpcore.experiments.descent.training import field
from dpcore.guarantee import Guarantee
from dpcore.units import Unit
from pages.descent.controls import CONTROLS
from ui import live
from ui.figure_kit import common
from ui.figure_kit.bets import bound_array, on_outcomes
from ui.figure_kit.common import EPSILONS, array, epsilon_axis, in_bytes
from ui.figure_kit.controls import live_controls
from ui.figure_kit.histograms import both_worlds, score_edges, shares
from ui.figure_kit.odds_pictogram import people
from ui.figure_kit.outcomes import Someone, someone, stepped
from ui.figure_kit.preview import Previews, instead_of, stack_previews
from ui.live import OUTCOME, Array, Axis, Panel, Readout, layers
from ui.live.depth import Depth
from ui.words import text

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]

T = text.load_text(__file__)

PROGRESS = tuple(range(0, 101, 5))
"""Progress of the training in per cent, at each displayed step."""
PULLS = tuple(round(0.05 * k, 2) for k in range(-20, 21))
"""Possible coordinates of the tip of the user's own arrow, along either axis."""
_PULLED = 0.7, 0.6
_SECONDS = 12.0  # of a whole play: an arrow can be followed from moment to moment
_ARROWS = (
    28  # gradients that are drawn: more hide each other, and each costs 2 kB of the first view
)
_REACH = 0.92  # of the panel of gradients: to the cap's circle and somewhat beyond
_TURN = np.linspace(0, 2 * np.pi, 73)
_SQUARE = (-1.0, 1.0, -1.0, 1.0)
_SIGMA_TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
_ACCURACIES = Axis(range=(0.4, 1.0), format=".0%")
_D = [float(descent.n_parameters(width)) for width in WIDTH_GRID]
_D_AXIS = Axis(range=(4.5, 1150.0), log=True, ticks=(5, 10, 20, 50, 100, 200, 500, 1000))
_PLACE_ROLES: dict[str, Any] = {
    "objective": "private",
    "gradient": "other",
    "output": 2,
    "input": 3,
}
_MORE: dict[Literal["good", "private"], dict[str, str]] = {
    "good": {"plain": ".1%", "step_now": "d"},
    "private": {
        "noise_now": ".3g",
        "sigma_c": ".3g",
        "noise_to_signal": ".2g",
        "clipped_now": ".0%",
    },
}
"""Formats of the readouts that are shown from the level *Understand* on.

They are grouped by the description of the result, as good or as private.
"""
_SIZE_ROLES = {"hidden": "private", "features": "other"}
_NOT_AHEAD = ("against", "low", "middle", "high", "with_record", "without_record", "agreement")


def figure(state: PageState[DescentParams]) -> live.Figure:
    """Return the interactive figure of the results available for the current parameters."""
    params = state.params
    passive = "budget" if params.asked == "noise" else "noise_multiplier"
    shown = live_controls(CONTROLS, params, hide=(passive,))
    arrays = _arrays(state.problem, params, state["sweep"], state["outcomes"])
    arrays |= _of_places(state["places"]) | _of_sizes(params, state["sizes"]) | _of_lengths(params)
    promised = descent.guarantees(params)
    person = _person(state.problem, params, arrays["points"], promised[0].unit)
    outcomes, stepping = _stepped(params, state["outcomes"], person, promised)
    arrays |= outcomes
    along, previews = _previews(params, state.previews())
    return live.Figure(
        controls=[shown[0], _training_slider(), *shown[1:], *_tip(), common.buttons()],
        values=common.values(params, progress=PROGRESS[-1], pull_x=_PULLED[0], pull_y=_PULLED[1]),
        arrays=arrays | along,
        coords={"u": "u_of", "v": "v_of", "w": "w_of"},
        previews=previews,
        panels=[
            _border(params, (person, promised[0]) if stepping else None),
            _gradients(params),
            _training(),
            _against(arrays, params),
            _agreement(arrays),
            _worlds(arrays),
            _perturbed(params),
            _places(),
            _sizes(),
            _lengths(),
        ],
        readouts=_readouts(params),
        texts=[_odds(params, promised, person.whose)],
        breathing=stepping,
        awaits_outcomes=stepping is None,
        busy=state.busy,
    )


def _training_slider() -> live.Slider:
    words = T.field("progress")
    return live.Slider(
        name="progress", label=words.label, grid=PROGRESS, mode="local", play=True, unit=words.unit,
        ends=words.ends, help=words.help, seconds=_SECONDS,
    )  # fmt: skip


def _tip() -> list[live.Slider]:
    """Return two hidden sliders for the coordinates of an arrow's tip, which a user drags."""
    return [
        live.Slider(
            name=name,
            label=T.field(name).label,
            grid=PULLS,
            mode="local",
            hidden=True,
            own=True,
        )
        for name in ("pull_x", "pull_y")
    ]


def _odds(params: DescentParams, promised: Sequence[Guarantee], whose: str) -> live.Text:
    handle = "noise_multiplier" if params.asked == "noise" else "budget"
    return people(promised, dims=(handle, "delta"), whose=whose)


def _person(problem: Problem, params: DescentParams, points: Array, unit: Unit) -> Someone:
    """Return the person whose record the neighbouring data set lacks, with the position of this record on the map."""
    row = descent.chosen_person(problem, params)
    first = descent.chosen_person(problem, params.but(person=0, record=0))
    return someone(problem.X[row, :2], points, row, first=first, unit=unit)


def _border(params: DescentParams, taken_out: tuple[Someone, Guarantee] | None) -> Panel:
    """Return the map of the decision boundary.

    ``taken_out`` is the person whose record may be removed, and the guarantee of one training. If it is given, the
    map offers bets on whether a displayed training used this record.
    """
    panel = Panel(
        key="border", kind="map", height=400, x=Axis(range=(-1, 1)), y=Axis(range=(-1, 1)),
        bets=on_outcomes(*taken_out) if taken_out else None,
        layers=[
            layers.Field(values="field", extent=_SQUARE),
            layers.Field(values="best_field", extent=_SQUARE, line=True, role="nonprivate",
                         label=T("panels.border.best"), label_short=T("panels.border.best_short")),
            layers.Points(xy="points", labels="labels", size=2.6),
            *(taken_out[0].rings if taken_out else []),
        ],
    )  # fmt: skip
    return T.panel(panel, "" if params.parts == "both" else "public")


def _gradients(params: DescentParams) -> Panel:
    clips = params.parts in ("both", "clip") and params.clipping == "example"
    panel = Panel(
        key="gradients", kind="map", height=400, leads=True,
        x=Axis(range=(-_REACH, _REACH)), y=Axis(range=(-_REACH, _REACH)),
        layers=[
            *([_circle()] if clips else []),
            layers.Arrows(xy="raw", role="nonprivate", width=2, alpha=0.55,
                          label=T("panels.gradients.raw"), label_short=T("panels.gradients.raw_short"),
                          label_on_hover=True),
            layers.Arrows(xy="short", role="private", width=3.2, alpha=0.8,
                          label=T("panels.gradients.clipped" if clips else "panels.gradients.unclipped"),
                          label_short=T("panels.gradients.clipped_short" if clips else "panels.gradients.unclipped"),
                          label_on_hover=True),
            layers.Arrows(xy="noisy", role="other", width=7, label=T("panels.gradients.step"),
                          label_short=T("panels.gradients.step_short")),
            layers.Arrows(xy="mean", role="text", width=6, label=T("panels.gradients.mean"), label_on_hover=True),
            layers.Arrows(xy="pulled", role="danger", width=2.5, dash=True, label=T("panels.gradients.drag"),
                          label_short=T("panels.gradients.drag_short")),
            layers.Arrows(xy="counted", role="danger", width=7, label=T("panels.gradients.counted"),
                          label_short=T("panels.gradients.counted_short")),
            layers.Handle(x="pull_x", y="pull_y", origin=[0.0, 0.0], label=T("panels.gradients.pull")),
        ],
    )  # fmt: skip
    return T.panel(panel, "" if clips else "unclipped")


def _circle() -> layers.Line:
    return layers.Line(
        x="ring_x", y="ring_y", role="danger", dash=True, width=1.4,
        label=T("panels.gradients.circle"), label_short=T("panels.gradients.circle_short"), label_on_hover=True,
    )  # fmt: skip


def _training() -> Panel:
    steps = [float(p) for p in PROGRESS]
    return T.panel(Panel(
        key="training", depth=Depth.UNDERSTAND, height=340, x=Axis(range=(0, 100)), y=_ACCURACIES,
        layers=[
            layers.HLine(at="best", role="nonprivate", dash=True, width=1.2,
                         label=T("panels.training.best"), label_short=T("panels.training.best_short")),
            layers.Line(x=steps, y="plain_curve", role="nonprivate",
                        label=T("panels.training.plain"), label_short=T("panels.training.plain_short")),
            layers.Line(x=steps, y="curve", label=T("panels.training.private")),
            layers.VLine(at="progress_now", role="muted", width=1),
            layers.Dot(x="progress_now", y="accuracy"),
        ],
    ))  # fmt: skip


def _against(arrays: Mapping[str, Array], params: DescentParams) -> Panel:
    noise = [float(s) for s in descent.levels(params)]
    ends = 0.925 * noise[0], 1.08 * noise[-1]
    ticks = tuple(tick for tick in _SIGMA_TICKS if ends[0] <= tick <= ends[1])
    band = [
        layers.Band(x=noise, low="low", high="high",
                    label=T("panels.against.band"), label_short=T("panels.against.band_short")),
        layers.Line(x=noise, y="middle", dash=True, width=1.5, label=T("panels.against.middle")),
    ] if "low" in arrays else []  # fmt: skip
    outcome = layers.Line(x=noise, y="against", label=T("panels.against.outcome"))
    return T.panel(Panel(
        key="against", depth=Depth.UNDERSTAND, height=340,
        x=Axis(range=ends, log=True, ticks=ticks), y=_ACCURACIES,
        layers=[
            *band,
            layers.HLine(at="best", role="nonprivate", dash=True, width=1.2,
                         label=T("panels.against.best"), label_short=T("panels.against.best_short")),
            *([outcome] if "against" in arrays else []),
            layers.VLine(at="noise_now", role="muted", width=1, label=T("panels.against.sigma")),
            layers.Dot(x="noise_now", y="final"),
        ],
    ))  # fmt: skip


def _agreement(arrays: Mapping[str, Array]) -> Panel:
    agreed = [layers.Field(values="agreement", extent=_SQUARE)] if "agreement" in arrays else []
    return T.panel(Panel(
        key="agreement", depth=Depth.UNDERSTAND, kind="map", height=380,
        x=Axis(range=(-1, 1)), y=Axis(range=(-1, 1)),
        layers=[
            *agreed,
            layers.Field(values="best_field", extent=_SQUARE, line=True, role="nonprivate",
                         label=T("panels.agreement.best"), label_short=T("panels.agreement.best_short")),
            layers.Points(xy="records", labels="labels", size=2, alpha=0.5),
        ],
    ))  # fmt: skip


def _worlds(arrays: Mapping[str, Array]) -> Panel:
    bars = both_worlds(
        arrays, "score_edges", "without_record", "with_record", title=T("panels.worlds.x")
    )
    return T.panel(Panel(key="worlds", depth=Depth.UNDERSTAND, height=380, **bars))


def _perturbed(params: DescentParams) -> Panel:
    """Return the panel of output perturbation for logistic regression: test accuracy against ε.

    For the data set "corners" the caption states that no line separates the classes.
    """
    panel = Panel(
        key="perturbed", depth=Depth.UNDERSTAND, height=360, x=epsilon_axis(), y=_ACCURACIES,
        layers=[
            layers.Band(x=EPSILONS, low="printed_low", high="printed_high", role="other",
                        depth=Depth.CHECK),
            layers.Band(x=EPSILONS, low="proved_low", high="proved_high"),
            layers.HLine(at="exact", role="nonprivate", label=T("panels.perturbed.exact")),
            layers.Line(x=EPSILONS, y="printed_middle", role="other", depth=Depth.CHECK,
                        label=T("panels.perturbed.printed")),
            layers.Line(x=EPSILONS, y="proved_middle", label=T("panels.perturbed.proved"),
                        label_short=T("panels.perturbed.proved_short")),
        ],
    )  # fmt: skip
    return T.panel(panel, "corners" if params.dataset == "corners" else "")


def _places() -> Panel:
    nodes = list(descent.PLACE_NODES)
    return T.panel(Panel(
        key="places", depth=Depth.UNDERSTAND, height=420, x=epsilon_axis(), y=_ACCURACIES,
        layers=[
            *(layers.Band(x=nodes, low=f"{place}_low", high=f"{place}_high", role=role, alpha=0.12)
              for place, role in _PLACE_ROLES.items()),
            layers.HLine(at="places_best", role="nonprivate", dash=True, width=1.2,
                         label=T("panels.places.best"), label_short=T("panels.places.best_short")),
            layers.HLine(at="places_trivial", role="muted", dash=True, width=1.2,
                         label=T("panels.places.trivial"), label_short=T("panels.places.trivial_short")),
            *(layers.Line(x=nodes, y=f"{place}_middle", role=role, width=2.4,
                          label=T(f"panels.places.{place}"), label_short=T(f"panels.places.{place}_short"))
              for place, role in _PLACE_ROLES.items()),
        ],
    ))  # fmt: skip


def _sizes() -> Panel:
    curves: list[Any] = []
    for kind, role in _SIZE_ROLES.items():
        curves += [
            layers.Band(x=_D, low=f"{kind}_low", high=f"{kind}_high", role=role, alpha=0.12),
            layers.Line(x=_D, y=f"{kind}_plain", role=role, dash=True, width=1.2, keep=False),
            layers.Line(
                x=_D, y=f"{kind}_middle", role=role, width=2.4, label=T(f"panels.sizes.{kind}")
            ),
        ]
    return T.panel(Panel(
        key="sizes", depth=Depth.UNDERSTAND, height=400, x=_D_AXIS, y=_ACCURACIES,
        layers=[
            *curves,
            layers.VLine(at="parameters_now", role="muted", width=1, label=T("panels.sizes.size")),
            layers.Dot(x="parameters_now", y="hidden_now"),
        ],
    ))  # fmt: skip


def _lengths() -> Panel:
    return T.panel(Panel(
        key="lengths", depth=Depth.UNDERSTAND, height=400, x=_D_AXIS,
        y=Axis(range=(0.03, 10_000.0), log=True, ticks=(0.1, 1, 10, 100, 1000, 10_000)),
        layers=[
            layers.HLine(at="all_gradients", role="nonprivate", width=1.6,
                         label=T("panels.lengths.all"), label_short=T("panels.lengths.all_short")),
            layers.HLine(at="one_gradient", role="danger", dash=True, width=1.4,
                         label=T("panels.lengths.one"), label_short=T("panels.lengths.one_short")),
            layers.Line(x=_D, y="noise_length", width=2.4,
                        label=T("panels.lengths.noise"), label_short=T("panels.lengths.noise_short")),
            layers.VLine(at="parameters_now", role="muted", width=1),
            layers.Dot(x="parameters_now", y="noise_length_now"),
        ],
    ))  # fmt: skip


def _readouts(params: DescentParams) -> list[Readout]:
    """Return the labelled numbers (readouts) below the figure, starting with those of the first level of detail."""
    private = params.parts == "both"
    public = "" if private else "public"
    sure = private and params.noise == "lot"
    return [
        T.readout(Readout(value="accuracy", format="in 100", role="private"), public),
        T.readout(Readout(value="best", format="in 100")),
        T.readout(
            Readout(value="epsilon", about="private", role="" if sure else "danger"),
            public if sure or public else "unproved",
        ),
        *_cost(params),
        *(
            T.readout(Readout(value=value, format=code, depth=Depth.UNDERSTAND, about=about))
            for about, numbers in _MORE.items()
            for value, code in numbers.items()
        ),
    ]  # fmt: skip


def _cost(params: DescentParams) -> list[Readout]:
    """Return a list with the readout of the accuracy that is lost by clipping and noise.

    The list is empty if the training neither clips nor adds noise.
    """
    if params.parts == "neither":
        return []
    return [T.readout(Readout(value="cost", format="points", depth=Depth.UNDERSTAND), params.parts)]


def _arrays(
    problem: Problem, params: DescentParams, sweep: Sweep, outcomes: Outcomes | None
) -> dict[str, Array]:
    """Return all arrays of the figure.

    The axis "u" of an array runs over the noise levels of the trainings.
    """
    whole = len(sweep.noise) > 1
    places, dims = _level_places(params)
    arrays = {
        "u_of": array(places if whole else 0 * places, *dims),
        "v_of": array(places, *dims),
        "w_of": array(
            places if outcomes is None or _at_all_levels(outcomes) else 0 * places, *dims
        ),
        "best_field": in_bytes(field(problem, problem.best[None])[0]),
        "points": array(problem.X[:, :2]),
        "records": array(problem.X[:, :2]),  # where all are drawn in either world
        "ring_x": array(np.outer(CLIP_GRID, np.cos(_TURN)), "clip_norm"),
        "ring_y": array(np.outer(CLIP_GRID, np.sin(_TURN)), "clip_norm"),
        **_of_pull(params),
        "labels": Array(problem.y.astype(np.int32), (None,)),
        "best": array(problem.best_accuracy),
        "progress_now": array(PROGRESS, "progress"),
        **_of_sweep(params, sweep),
        **_of_output(params),
    }
    if whole:
        arrays["against"] = array(sweep.accuracy[:, -1])
    if outcomes is not None:
        arrays |= _of_outcomes(outcomes)
    return arrays


def _of_pull(params: DescentParams) -> dict[str, Array]:
    """Return the arrow that a user drags, for each position of its tip: whole, and clipped as in the training."""
    tips = np.stack(np.meshgrid(PULLS, PULLS, indexing="ij"), axis=-1)
    if params.parts in ("both", "clip") and params.clipping == "example":
        lengths = np.linalg.norm(tips, axis=-1)
        scale = np.array([descent.shortening(lengths, clip_norm) for clip_norm in CLIP_GRID])
        counted = array((scale[..., None] * tips)[..., None, :], "clip_norm", "pull_x", "pull_y")
    else:
        counted = array(tips[:, :, None], "pull_x", "pull_y")
    return {"pulled": array(tips[:, :, None], "pull_x", "pull_y"), "counted": counted}


def _sigma_dims(params: DescentParams) -> tuple[str, ...]:
    """Return the names of the controls that determine σ."""
    return ("noise_multiplier",) if params.asked == "noise" else ("budget", "delta")


def _sigmas(params: DescentParams) -> Any:
    return np.array(NOISE_GRID) if params.asked == "noise" else descent.noise_table(params)


def _level_places(params: DescentParams) -> tuple[Any, tuple[str, ...]]:
    """Return the position (fractional index) of σ among the trained noise levels, and the controls that determine σ.

    The position is an array with an axis for each control, in the order of the returned names of the controls.
    """
    trained = np.log(descent.levels(params))
    levels = np.interp(np.log(_sigmas(params)), trained, np.arange(float(len(trained))))
    return levels, _sigma_dims(params)


def _epsilons(params: DescentParams) -> Array:
    asked = params.asked == "noise"
    table = descent.epsilon_table(params) if asked else descent.requested_epsilons(params)
    return array(table, *_over_cost(params))


def _over_cost(params: DescentParams) -> tuple[str, str]:
    """Return the names of the two controls that determine the ε of a training."""
    return ("noise_multiplier" if params.asked == "noise" else "budget"), "delta"


def _of_sweep(params: DescentParams, sweep: Sweep) -> dict[str, Array]:
    """Return the arrays of the trainings at all noise levels, with a single noise draw."""
    dims = _sigma_dims(params)
    large = math.sqrt(params.sample_rate * descent.N_TRAIN)  # else the mean is too short to be seen
    return {
        "field": in_bytes(sweep.fields, "u", "progress"),
        "accuracy": array(sweep.accuracy, "u", "progress"),
        "plain": array(sweep.plain_accuracy, "progress"),
        "cost": array(sweep.accuracy - sweep.plain_accuracy, "u", "progress"),
        "curve": array(sweep.accuracy, "u"),
        "plain_curve": array(sweep.plain_accuracy),
        "raw": array(sweep.raw[:, :, :_ARROWS], "u", "progress"),
        "short": array(sweep.clipped[:, :, :_ARROWS], "u", "progress"),
        "mean": array(large * sweep.mean[:, :, None], "u", "progress"),
        "noisy": array(large * sweep.noisy[:, :, None], "u", "progress"),
        "clipped_now": array(sweep.share_clipped, "u", "progress"),
        "noise_to_signal": array(sweep.noise_to_signal, "u", "progress"),
        "epsilon": _epsilons(params),
        "noise_now": array(_sigmas(params), *dims),
        "sigma_c": array(params.clip_norm * _sigmas(params), *dims),
        "step_now": array(params.n_steps * np.array(PROGRESS) / 100, "progress"),
        "final": array(sweep.accuracy[:, -1], "u"),
    }


def _of_output(params: DescentParams) -> dict[str, Array]:
    output = descent.run_output(params.dataset, params.regularisation, params.delta, params.seed)
    names = ("low", "middle", "high")
    proved = {f"proved_{n}": array(v) for n, v in zip(names, output.proved, strict=True)}
    printed = {f"printed_{n}": array(v) for n, v in zip(names, output.printed, strict=True)}
    return proved | printed | {"exact": array(output.exact)}


def _of_outcomes(outcomes: Outcomes) -> dict[str, Array]:
    edges = score_edges(outcomes.with_record, outcomes.without_record)
    found = {
        "score_edges": array(edges),
        "with_record": array(shares(outcomes.with_record.T, edges), "w"),
        "without_record": array(shares(outcomes.without_record.T, edges), "w"),
        "agreement": in_bytes(outcomes.agreement, "w"),
    }
    if _at_all_levels(outcomes):
        band = np.quantile(outcomes.accuracy, [0.1, 0.5, 0.9], axis=0)
        found |= {
            name: array(part) for name, part in zip(("low", "middle", "high"), band, strict=True)
        }
    return found


def _at_all_levels(outcomes: Outcomes) -> bool:
    """Return True if ``outcomes`` has repeated draws at all noise levels, False if it has them at one level."""
    return len(outcomes.agreement) > 1


def _stepped(
    params: DescentParams,
    outcomes: Outcomes | None,
    person: Someone,
    promised: Sequence[Guarantee],
) -> tuple[dict[str, Array], live.Breathing | None]:
    """Return arrays of the decision boundaries for other noise draws, with and without a record, and an animation.

    The record is that of ``person``. The arrays include ``bet_bound``, the largest accuracy of a bet on whether the
    record was used that the guarantees ``promised`` allow. If there are too few draws, there are no arrays, and the
    animation is None.
    """
    if outcomes is None:
        return {}, None
    here, there = (
        in_bytes(fields.swapaxes(0, 1), "w", OUTCOME)
        for fields in (outcomes.fields, outcomes.fields_without)
    )
    right = array(outcomes.accuracy[: len(outcomes.fields)].T, "w", OUTCOME)
    animation, stepping = stepped(person, right, {"field": (here, there)})
    if stepping is None:
        return {}, None
    shape = _epsilons(params).values.shape
    bound = bound_array(promised, *_over_cost(params), shape=shape)
    return {**animation, "bet_bound": bound}, stepping


def _of_places(places: Places | None) -> dict[str, Array]:
    """Return the arrays of test accuracies of four methods, which add noise in different places.

    The places are the objective, the gradients, the trained weights, and the records. Values that are not computed
    yet are NaN.
    """
    shape = (3, len(descent.PLACES), len(descent.PLACE_NODES))
    parts = np.full(shape, np.nan) if places is None else places.quantiles()
    lines = {
        name: np.nan if places is None else getattr(places, name) for name in ("best", "trivial")
    }
    arrays = {f"places_{name}": array(value) for name, value in lines.items()}
    for k, place in enumerate(descent.PLACES):
        for name, values in zip(("low", "middle", "high"), parts[:, k], strict=True):
            arrays[f"{place}_{name}"] = array(values)
    return arrays


def _of_sizes(params: DescentParams, sizes: Sizes | None) -> dict[str, Array]:
    """Return the arrays of test accuracies of two kinds of models against the number of their weights.

    Values that are not computed yet are NaN.
    """
    shape = (len(descent.KINDS), len(WIDTH_GRID))
    parts = np.full((3, *shape, len(descent.levels(params))), np.nan)
    plain = np.full(shape, np.nan)
    if sizes is not None:
        parts, plain = sizes.quantiles(), sizes.plain
    arrays = {}
    for k, kind in enumerate(descent.KINDS):
        for name, values in zip(("low", "middle", "high"), parts[:, k], strict=True):
            arrays[f"{kind}_{name}"] = array(values.T, "v")
        arrays[f"{kind}_now"] = array(parts[1, k].T, "v", "width")
        arrays[f"{kind}_plain"] = array(plain[k])
    return arrays


def _of_lengths(params: DescentParams) -> dict[str, Array]:
    lengths = [
        [descent.lengths(params, width, sigma)[0] for width in WIDTH_GRID]
        for sigma in descent.levels(params)
    ]
    return {
        "noise_length": array(lengths, "v"),
        "noise_length_now": array(lengths, "v", "width"),
        "all_gradients": array(descent.lengths(params, 1, 1.0)[1]),
        "one_gradient": array(params.clip_norm),
        "parameters_now": array(_D, "width"),
    }


def _previews(params: DescentParams, sweeps: Mapping[str, Sequence[Sweep]]) -> Previews:
    """Return the arrays that are drawn while a slider moves and, for each slider, which arrays they replace.

    The sliders are those of C, q, T and η.
    """
    arrays = {name: _over_values(name, params, tuple(each)) for name, each in sweeps.items()}
    return instead_of(arrays, _NOT_AHEAD)


@lru_cache(maxsize=16)
def _over_values(name: str, params: DescentParams, each: tuple[Sweep, ...]) -> dict[str, Array]:
    values = zip(params.controls()[name].grid or (), each, strict=True)
    nodes = [_of_sweep(params.but(**{name: value}), sweep) for value, sweep in values]
    return stack_previews(name, nodes, {"u": 0})
