"""Interactive figure of the Linear regression page, with the panels of fits and objectives.

`pages.regression.tabs` has the other panels.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dpcore.experiments import regression
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression import (
    Fits,
    NeighbouringRuns,
    OtherFits,
    Problem,
    RegressionParams,
    Setting,
)
from dpcore.guarantee import Guarantee
from pages.regression.arrays import (
    arrays,
    opening_arrays,
    other_arrays,
    outcome_arrays,
    person_of,
)
from pages.regression.axes import Frame, frame_of
from pages.regression.controls import CONTROLS
from pages.regression.tabs import method_panels, opening_panels, split_panels, world_panels
from ui import live
from ui.figure_kit import common
from ui.figure_kit.bets import bound_array, on_outcomes
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.figure_kit.controls import live_controls
from ui.figure_kit.estimates import difference_readout, median_readout, rate_readout
from ui.figure_kit.odds_pictogram import people
from ui.figure_kit.outcomes import Someone, breathing, stranger
from ui.figure_kit.preview import Previews, at_values, instead_of, stack_previews
from ui.live import Array, Axis, Panel, Readout, layers
from ui.live.depth import Depth
from ui.words import escape, text

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["axis_words", "feature_of", "figure"]

T = text.load_text(__file__)


def figure(state: PageState[RegressionParams]) -> live.Figure:
    """Return the interactive figure of the available results; it has only controls while the data are loading."""
    params, problem = state.params, state.problem
    if problem is None:
        return live.Figure(
            controls=_controls(params), values=common.values(params), arrays={}, panels=[],
            busy=state.busy,
        )  # fmt: skip
    setting = problem.setting(params)
    known = arrays(params, setting, state.results)
    along, previews = _previews(state)
    promised = regression.guarantees(params, problem)
    person = person_of(setting, params, problem.dataset.unit)
    outcomes, stepping = _stepped(setting, person, state["fits"], state["other_fits"])
    known |= outcomes
    replaced = None
    if stepping and stepping.without:
        known["bet_bound"] = bound_array(promised, *_dims(params), shape=_shape(params))
        replaced = person, promised[0]
    return live.Figure(
        controls=_controls(params),
        values=common.values(params),
        arrays=known | along | opening_arrays(),
        panels=_panels(
            problem,
            params,
            known,
            replaced,
            neighbouring_runs=state["neighbouring_runs"] is not None,
        ),
        readouts=_readouts(params, problem, state["fits"], state["neighbouring_runs"]),
        texts=[people(promised, dims=_dims(params), whose=person.whose)],
        busy=state.busy,
        previews=previews,
        breathing=stepping,
    )


def _stepped(
    setting: Setting, person: Someone, fits: Fits | None, other: OtherFits | None
) -> tuple[dict[str, Array], live.Breathing | None]:
    """Return the arrays of other noise draws, and the animation through these draws.

    In the neighbouring data set another record replaces the record of ``person``. Draws on this data set are included
    if their number is that of the draws on the original data set.
    """
    label, instead = T("outcomes.label"), {"line_y": "outcome_line"}
    lines = 0 if fits is None else len(fits.coefficients)
    if fits is None or other is None or len(other.coefficients) != lines:
        animation = breathing(lines, label, instead)
        return outcome_arrays(setting, fits) if fits and animation else {}, animation
    names = {name: f"{name}_without" for name in ("lines_y", "best_y", "ideal_y")}
    here = T("outcomes.without", whose=person.whose, other=stranger(person.unit))
    animation = breathing(
        lines, label, instead,
        without={"line_y": "outcome_line_without", **names, **person.without},
        **{**person.choice, "label_without": here},
    )  # fmt: skip
    if animation is None:
        return {}, None
    both = outcome_arrays(setting, fits) | other_arrays(setting, other)
    return {**both, **person.arrays}, animation


def _previews(state: PageState[RegressionParams]) -> Previews:
    """Return the arrays that are drawn while a slider moves and, for each slider, which arrays they replace.

    The arrays come from three previews: of all quick results ("page"), of splits of ε ("trials"), and of slow
    gradient descent ("descents"). If two previews have an array of the same name, the later preview is used.
    """
    controls, places = (
        state.params.controls(),
        {"epsilon": EPSILON_GRID.index(state.params.epsilon)},
    )
    kinds = [state.previews(kind) for kind in ("page", "trials", "descents")]
    by_control = {}
    for name in dict.fromkeys(name for kind in kinds for name in kind):
        known = [kind[name] for kind in kinds if name in kind]
        by_control[name] = stack_previews(name, at_values(controls[name].grid or (), known), places)
    return instead_of(by_control)


def _controls(params: RegressionParams) -> list[Any]:
    jiang = ("document", T("actions.document.label"), T("actions.document.help"))
    papers = live.Buttons(name="papers", actions=[jiang], depth=Depth.CHECK)
    return [*live_controls(CONTROLS, params), common.buttons(), papers]


def _dims(params: RegressionParams) -> tuple[str, ...]:
    """Return the names of the controls that determine the guarantee: "epsilon", and "delta" if the method has a δ."""
    return ("epsilon",) if params.pure else ("epsilon", "delta")


def _shape(params: RegressionParams) -> tuple[int, ...]:
    controls = params.controls()
    return tuple(len(controls[name].grid or ()) for name in _dims(params))


def _panels(
    problem: Problem,
    params: RegressionParams,
    known: dict[str, Array],
    replaced: tuple[Someone, Guarantee] | None,
    *,
    neighbouring_runs: bool,
) -> list[Panel]:
    """Return the panels whose arrays are in ``known``, starting with those that the first level of detail shows.

    ``replaced`` is the person whose record can be replaced, and the guarantee of one release.
    ``neighbouring_runs`` says whether fits on both neighbouring data sets are computed.
    """
    setting, frame = problem.setting(params), frame_of(problem, params)
    objective = "parabolas" in known
    return [
        _fits(problem, params, replaced),
        *([_objective(params, setting, frame)] if objective or not params.objective else []),
        *(_valleys(params, setting, frame) if objective else []),
        *method_panels(frame, params.method),
        *(split_panels(params, frame) if "variance" in known else []),
        *(world_panels(frame) if neighbouring_runs else []),
        *opening_panels(),
    ]


def _padded(low: float, high: float) -> tuple[float, float]:
    """Return the range from ``low`` to ``high``, extended by 3 % at both ends to show records at a bound."""
    return low - 0.03 * (high - low), high + 0.03 * (high - low)


def _records(problem: Problem, setting: Setting) -> tuple[str, str]:
    """Return the long and the short label of the plotted records.

    The label says whether all training records are plotted, or only the first ones.
    """
    data, n, shown = problem.dataset, setting.n_samples, len(setting.shown)
    fields = {"n": n, "records": data.records}
    if shown < n:
        fields |= {"shown": shown}
        return (
            T("panels.fits.some_records", **fields),
            T("panels.fits.some_records_short", **fields),
        )
    fields |= {"all": len(data.y) + len(data.y_test)}
    return T("panels.fits.all_records", **fields), T("panels.fits.all_records_short", **fields)


def feature_of(problem: Problem, setting: Setting) -> str:
    """Return the name of the feature on the horizontal axis, shortened and escaped for a figure."""
    name = problem.dataset.feature_names[setting.columns[0]]
    return escape.tame(name.replace("_", " "), 40)


def axis_words(name: str) -> str:
    """Return the title of an axis: the name of a column, and its unit if it is known."""
    key = name.replace(" ", "_")
    return T(f"units.{key}") if f"units.{key}" in T else name


def _fits(
    problem: Problem, params: RegressionParams, replaced: tuple[Someone, Guarantee] | None
) -> Panel:
    """Return the panel of the fitted lines.

    If ``replaced`` is given, the panel offers bets on whether that person's record was used.
    """
    setting = problem.setting(params)
    data, bounds = problem.dataset, setting.bounds
    feature, (dots, dots_short) = feature_of(problem, setting), _records(problem, setting)
    panel = Panel(
        key="fits", height=400,
        bets=on_outcomes(*replaced, hides=["lines_y"]) if replaced else None,
        x=Axis(range=_padded(float(bounds.low[0]), float(bounds.high[0])), title=axis_words(feature)),
        y=Axis(range=_padded(bounds.target_low, bounds.target_high), title=axis_words(data.target_name)),
        layers=[
            layers.Points(xy="points", labels="zeros", role="muted", size=2.2, alpha=0.55,
                          label=dots, label_short=dots_short),
            layers.Line(x="lines_x", y="lines_y", width=1, alpha=0.45,
                        label=T("panels.fits.other"), label_short=T("panels.fits.other_short")),
            layers.Line(x="ends", y="ideal_y", role="nonprivate", dash=True, width=1.6, front=True,
                        depth=Depth.UNDERSTAND, label=T("panels.fits.ideal"),
                        label_short=T("panels.fits.ideal_short")),
            layers.Line(x="ends", y="best_y", role="nonprivate", width=3.2, front=True,
                        label=T("layers.without_privacy")),
            layers.Line(x="ends", y="line_y", width=3, label=T("panels.fits.published"),
                        label_short=T("panels.fits.published_short")),
            *(replaced[0].rings if replaced else []),
        ],
    )  # fmt: skip
    worded = T.panel(panel, _variant(setting), target=data.target_name, feature=feature)
    if replaced is None:
        return worded
    x, y = replaced[0].arrays["stranger_there"].values[0]
    chosen = T(
        "panels.fits.chosen", feature=feature, x=float(x), target=data.target_name, y=float(y)
    )
    return replace(worded, caption=f"{chosen} {worded.caption}")


def _variant(setting: Setting) -> str:
    """Return "" for data with one feature, else "many".

    The result is the name of a variant of the panel's texts in ``text.toml``.
    """
    return "" if setting.n_features == 1 else "many"


def _objective(params: RegressionParams, setting: Setting, frame: Frame) -> Panel:
    """Return the panel of noisy objectives as functions of one slope.

    For a method without a noisy objective, the panel shows private fits on the true objective.
    """
    panel = Panel(
        key="parabola",
        height=430,
        depth=Depth.UNDERSTAND,
        x=Axis(range=(-frame.half, frame.half)),
        y=Axis(range=(frame.low, frame.high)),
        layers=_parabolas(params) if params.objective else _landed(),
    )
    if params.objective:
        return T.panel(panel, _variant(setting))
    landed = T.panel(panel, "landed")
    if setting.n_features == 1:
        return landed
    return replace(landed, caption=T("panels.parabola.caption_landed_many"))


def _parabolas(params: RegressionParams) -> list[layers.Layer]:
    repaired = layers.Parabolas(
        xy="fixed_parabola", role="text", dash=True, width=2.2, label=T("panels.parabola.repaired")
    )
    return [
        layers.HLine(at=0.0, role="muted", width=1),
        layers.Parabolas(xy="parabolas", width=1, alpha=0.5, label=T("panels.parabola.others"),
                         label_short=T("panels.parabola.others_short")),
        _true_parabola(),
        layers.Parabolas(xy="parabola", width=3, label=T("layers.with_noise")),
        *([] if params.repair == "none" else [repaired]),
    ]  # fmt: skip


def _landed() -> list[layers.Layer]:
    """Return the layers that show private fits on the true objective, for methods without a noisy objective."""
    fits = layers.Points(
        xy="landed", labels="landed_labels", role="private", size=4.5, label=T("panels.parabola.landed")
    )  # fmt: skip
    return [_true_parabola(), fits]


def _true_parabola() -> layers.Parabolas:
    return layers.Parabolas(
        xy="true_parabola", role="nonprivate", width=3.2, front=True, label=T("layers.without_noise")
    )  # fmt: skip


def _contours(name: str) -> list[layers.Layer]:
    """Return the layers with the contours of the true objective and of a noisy objective.

    The contours of the true objective are at certain heights above its minimum. The noisy objective may have no
    minimum; its contours are at the same heights above its stationary point and, dashed, below it. The names of its
    arrays start with ``name``.
    """
    return [
        layers.Line(x="true_x", y="true_y", role="nonprivate", width=1.6, label=T("layers.without_noise")),
        layers.Dot(x="true_point_x", y="true_point_y", role="nonprivate", size=5),
        layers.Line(x=f"{name}_up_x", y=f"{name}_up_y", width=2,
                    label=T("panels.valley.higher"), label_short=T("panels.valley.higher_short")),
        layers.Line(x=f"{name}_down_x", y=f"{name}_down_y", role="danger", width=2, dash=True,
                    label=T("panels.valley.lower"), label_short=T("panels.valley.lower_short")),
        layers.Dot(x=f"{name}_point_x", y=f"{name}_point_y"),
    ]  # fmt: skip


def _valleys(params: RegressionParams, setting: Setting, frame: Frame) -> list[Panel]:
    """Return contour panels of a noisy objective and of its repaired version, and panels on missing minima.

    Noise can remove the minimum of an objective. Two further panels show the eigenvalues of the noisy objective, and
    how often the minimum is missing.
    """
    x0, x1 = frame.centre
    x, y = Axis(range=(x0 - 1.2, x0 + 1.2)), Axis(range=(x1 - 1.2, x1 + 1.2))
    valley = Panel(
        key="valley", height=400, x=x, y=y, depth=Depth.UNDERSTAND, layers=_contours("raw")
    )
    repair = (T.field("repair").options or {})[params.repair]
    is_raw = params.repair == "none"
    repaired = Panel(
        key="repaired", height=400, x=x, y=y, depth=Depth.UNDERSTAND,
        layers=_contours("raw" if is_raw else "fixed"),
    )  # fmt: skip
    return [
        T.panel(valley, _variant(setting)),
        T.panel(repaired, "none" if is_raw else "", repair=repair),
        _eigenvalues(),
        _share(params.method),
    ]


def _eigenvalues() -> Panel:
    panel = Panel(
        key="lowest", height=400, depth=Depth.UNDERSTAND, x=epsilon_axis(), y=Axis(range=(-1.2, 0.8)),
        layers=[
            layers.Band(x=[0.045, 22.0], low=[-9.0, -9.0], high=[0.0, 0.0], role="danger", alpha=0.1,
                        label=T("panels.lowest.no_minimum")),
            layers.Band(x=EPSILONS, low="lowest_low", high="lowest_high", label=T("layers.middle"),
                        label_short=T("layers.middle_short")),
            layers.HLine(at=0.0, role="danger", width=1.2),
            layers.HLine(at="true_lowest", role="nonprivate", width=2.5, label=T("layers.without_noise")),
            layers.Line(x=EPSILONS, y="lowest_middle", width=2.6,
                label=T("panels.lowest.median"), label_short=T("layers.with_noise")),
            layers.VLine(at="epsilon_now", role="muted", width=1, label=T("layers.your_epsilon")),
            layers.Dot(x="epsilon_now", y="lowest_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _share(chosen: str) -> Panel:
    others = ("printed", "tight", "joint", "gaussian")
    methods = list(regression.METHODS)
    panel = Panel(
        key="share", height=400, depth=Depth.UNDERSTAND,
        x=epsilon_axis(), y=Axis(range=(-0.03, 1.03), format=".0%"),
        layers=[
            *(layers.Line(x=EPSILONS, y=f"share_{name}", role=methods.index(name), width=1.8,
                          label=T(f"methods.{name}"))
              for name in others if name != chosen),
            layers.Line(x=EPSILONS, y="share_own", width=2.6,
                        label=T("layers.your_method", method=T(f"methods.{chosen}")),
                        label_short=T("layers.your_method_short")),
            layers.VLine(at="epsilon_now", role="muted", width=1, label=T("layers.your_epsilon")),
            layers.Dot(x="epsilon_now", y="no_minimum"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _readouts(
    params: RegressionParams, problem: Problem, fits: Fits | None, runs: NeighbouringRuns | None
) -> list[Readout]:
    target = problem.dataset.target_name.replace(" ", "_")
    unit = T(f"error_units.{target}") if f"error_units.{target}" in T else ""
    variant = "unit" if unit else ""
    feature = feature_of(problem, problem.setting(params))
    n_draws = 0 if fits is None else len(fits.test)
    private = median_readout(
        "", "private_off", code=".3g", n_draws=n_draws, draw="draw_off", what=T("draws.lines"), role="private",
        depth=Depth.UNDERSTAND,
    )  # fmt: skip
    beside = T("readouts.private_off.beside", median=private.note)
    return [
        T.readout(_claim(fits), variant, unit=unit, feature=feature),
        T.readout(Readout(value="claim_best", format=".2g"), variant, unit=unit, feature=feature),
        T.readout(replace(private, note=beside), variant, unit=unit),
        T.readout(Readout(value="guess_off", format=".3g", depth=Depth.UNDERSTAND)),
        *(_of_steps() if params.stepwise else []),
        *_squared_errors(n_draws),
        *(_of_objective() if params.objective else []),
        *([] if runs is None else [_attacker(runs)]),
    ]


def _claim(fits: Fits | None) -> Readout:
    """Return the readout of the middle 80 % of the slopes of published lines, in the units of the data."""
    lines = 0 if fits is None else len(fits.coefficients)
    median = median_readout(
        "", "claim", code=".2g", n_draws=lines, draw="claim_draw", what=T("draws.lines"), role="private"
    )  # fmt: skip
    return replace(median, value="claim_low", to="claim_high")


def _of_steps() -> list[Readout]:
    return [T.readout(Readout(value="step_noise", about="private", format=".3g", role="private"))]


def _squared_errors(n_draws: int) -> list[Readout]:
    """Return the readouts of the mean squared errors, for a target scaled to [-1, 1]."""
    loss = Readout(value="loss", format=".3g", role="private", depth=Depth.CHECK)
    noise = difference_readout(
        "", "noise_price", code="cost", n_draws=n_draws, what=T("draws.fits"), depth=Depth.UNDERSTAND
    )  # fmt: skip
    return [
        T.readout(loss, n_draws=n_draws),
        T.readout(Readout(value="method_price", format="cost", depth=Depth.UNDERSTAND)),
        T.readout(noise),
        T.readout(Readout(value="best_test", format=".3g", depth=Depth.CHECK)),
        T.readout(Readout(value="guess_test", format=".3g", depth=Depth.CHECK)),
    ]


def _of_objective() -> list[Readout]:
    return [
        T.readout(
            Readout(value="noise_signal", about="private", format=".2g", depth=Depth.UNDERSTAND)
        ),
        T.readout(Readout(value="no_minimum", format=".0%", depth=Depth.UNDERSTAND)),
    ]


def _attacker(runs: NeighbouringRuns) -> Readout:
    chance = T("readouts.guessed.chance")
    return T.readout(
        rate_readout(
            "", "guessed", tries=runs.tries, note=chance, depth=Depth.UNDERSTAND, about="private"
        )
    )
