"""The figure of Linear regression: fits, objectives, methods, splits, two worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpcore.experiments import regression
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression import Fits, NeighbouringRuns, RegressionParams
from pages.regression.controls import CONTROLS
from pages.regression.figure_arrays import arrays
from pages.regression.figure_opening import opening_arrays
from pages.regression.figure_panels import panels
from ui import live
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.figure_kit.estimates import difference_readout, median_readout, rate_readout
from ui.figure_kit.preview import Previews, ahead, at_values, instead_of
from ui.frame.depth import Depth
from ui.live import Readout
from ui.words.odds_pictogram import people

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]

_JIANG = (
    "document",
    "As Jiang did it",
    "The size and the method of Jiang's experiment, on made-up people of a census. Jiang does not say how many "
    "features there were: 13 is our choice. Brazil's census is not available: the American Community Survey stands "
    "in",
)


def figure(state: PageState[RegressionParams]) -> live.Figure:
    """Return the live figure of what is known; only its controls while the data are read."""
    params, problem = state.params, state.problem
    if problem is None:
        return live.Figure(
            controls=_controls(params), values=common.values(params), arrays={}, panels=[],
            busy=state.busy,
        )  # fmt: skip
    setting = problem.setting(params)
    made = arrays(params, setting, state.results)
    along, previews = _previews(state)
    return live.Figure(
        controls=_controls(params),
        values=common.values(params),
        arrays=made | along | opening_arrays(),
        panels=panels(
            problem, params, made, neighbouring_runs=state["neighbouring_runs"] is not None
        ),
        readouts=_readouts(params, state["fits"], state["neighbouring_runs"]),
        texts=[_odds(params, problem)],
        busy=state.busy,
        previews=previews,
    )


def _previews(state: PageState[RegressionParams]) -> Previews:
    """What the handles draw while they move: of each kind that is there, later ones over earlier ones."""
    controls, places = (
        state.params.controls(),
        {"epsilon": EPSILON_GRID.index(state.params.epsilon)},
    )
    kinds = [state.previews(kind) for kind in ("page", "trials", "descents")]
    found = {}
    for name in dict.fromkeys(name for kind in kinds for name in kind):
        known = [kind[name] for kind in kinds if name in kind]
        found[name] = ahead(name, at_values(controls[name].grid or (), known), places)
    return instead_of(found)


def _controls(params: RegressionParams) -> list[Any]:
    asked = live_controls(CONTROLS, params)
    jiang = live.Buttons(name="papers", actions=[_JIANG], depth=Depth.CHECK)
    return [*asked, common.buttons(), jiang]


def _odds(params: RegressionParams, problem: regression.Problem) -> live.Text:
    """The odds sentence, which follows δ as well where there is one."""
    dims = ("epsilon",) if params.pure else ("epsilon", "delta")
    return people(regression.guarantees(params, problem), dims=dims)


def _readouts(
    params: RegressionParams, fits: Fits | None, runs: NeighbouringRuns | None
) -> list[Readout]:
    n_draws = 0 if fits is None else len(fits.test)
    new = "typical error, new people"
    found = [
        median_readout(
            "a published line is off by", "private_off", code=".2g", n_draws=n_draws, draw="draw_off",
            what="lines", role="private",
            help="The root of the mean squared error on new people, in the unit of what is predicted. The thick "
            "line of the picture is one draw, this draw."),
        Readout(label="without privacy it is off by", value="best_off", format=".3g", note=new,
                help="The line of least squares, which no noise has touched. It is not private."),
        Readout(label="always guessing the average is off by", value="guess_off", format=".3g",
                note="the same guess for everybody",
                help="Somebody who ignores all features and always says the average of what was learned from."),
        *_squared(n_draws),
    ]  # fmt: skip
    if params.objective:
        found += _of_objective()
    if runs is not None:
        found.append(
            rate_readout(
                "an attacker guesses right", "guessed", tries=runs.tries, note="pure guessing: 50 in 100",
                depth=Depth.UNDERSTAND,
                help="Measured: the best straight line between the results with the record as it is and those "
                "with it replaced. The range is a 95 % interval (Clopper and Pearson) for this attack.")
        )  # fmt: skip
    return found


def _squared(n_draws: int) -> list[Readout]:
    """What statistics reports: squares, with the target on [-1, 1]."""
    return [
        Readout(label="mean squared error, private", value="loss", format=".3g", role="private",
                note=f"median of {n_draws} fits, new records", depth=Depth.UNDERSTAND,
                help="With the target scaled to [−1, 1]."),
        Readout(label="the method itself", value="method_price", format="cost",
                note="squared error it adds without noise", depth=Depth.UNDERSTAND),
        difference_readout("its noise", "noise_price", code="cost", n_draws=n_draws, what="fits",
                           help="Squared error that the noise adds to the method without noise.",
                           depth=Depth.UNDERSTAND),
        Readout(label="without privacy", value="best_test", format=".3g", note="mean squared error",
                depth=Depth.UNDERSTAND),
        Readout(label="predicting the mean", value="guess_test", format=".3g",
                note="mean squared error, the same for all", depth=Depth.UNDERSTAND),
    ]  # fmt: skip


def _of_objective() -> list[Readout]:
    return [
        Readout(label="noise / signal", value="noise_signal", format=".2g", depth=Depth.UNDERSTAND,
                note="in the flattest direction",
                help="The size of the noise on A (s·sd·√D), divided by A's smallest eigenvalue. Above 1 the "
                "objective easily loses its minimum."),
        Readout(label="no minimum", value="no_minimum", format=".0%", note="of the draws, before any repair",
                depth=Depth.UNDERSTAND),
    ]  # fmt: skip
