"""The figure of Linear regression: fits, objectives, methods, splits, two worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpcore.accounting import gaussian_tail
from dpcore.experiments.regression import RegressionParams
from dpcore.grids import DELTA_GRID, EPSILON_GRID
from pages.regression.controls import CONTROLS
from pages.regression.figure_arrays import arrays
from pages.regression.figure_panels import panels
from ui import live
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.figure_kit.preview import Previews, ahead, at_values, instead_of
from ui.live import Array, Readout
from ui.odds import odds_sentence

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]

_DOCUMENT = (
    "document",
    "As in the document",
    "The size and method of Jiang's slides, on made-up persons of a census. The slides do not state d: 13 is "
    "our choice",
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
        arrays=made | along,
        panels=panels(
            problem, params, made, neighbouring_runs=state["neighbouring_runs"] is not None
        ),
        readouts=_readouts(params, made),
        texts=[_odds(params)],
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
    return [*asked, common.buttons(_DOCUMENT)]


def _odds(params: RegressionParams) -> live.Text:
    """The odds sentence, which follows δ as well where there is one."""
    if params.pure:
        return common.odds(EPSILON_GRID, 0.0, neighbouring="replace_one")
    sentences = [
        odds_sentence(
            epsilon, delta, tail=gaussian_tail(epsilon, delta), neighbouring="replace_one"
        )
        for epsilon in EPSILON_GRID
        for delta in DELTA_GRID
    ]
    return live.Text(strings=sentences, dims=("epsilon", "delta"))


def _readouts(params: RegressionParams, arrays: dict[str, Array]) -> list[Readout]:
    found = [
        Readout(label="error, private", value="loss", format=".3g", role="private",
                note="median, new records", help="Mean squared error, target on [−1, 1]."),
        Readout(label="error, no privacy", value="best_test", format=".3g", note="least squares"),
        Readout(label="the method", value="method_price", format="cost", note="of error, at ε = ∞"),
        Readout(label="the noise", value="noise_price", format="cost", note="of error, on top of it"),
        Readout(label="predicting the mean", value="guess_test", format=".3g", note="uses no feature"),
    ]  # fmt: skip
    if params.objective:
        found += [
            Readout(label="noise over signal", value="noise_signal", format=".2g",
                    note="in the flattest direction",
                    help="Size of the noise on A (s·sd·√D) over A's smallest eigenvalue. Above 1 the "
                    "objective easily loses its minimum."),
            Readout(label="no minimum", value="no_minimum", format=".0%", note="of the draws, unrepaired"),
        ]  # fmt: skip
    if "guessed" in arrays:
        found.append(Readout(label="spy's guesses right", value="guessed", format=".0%",
                             note="50 % is blind"))  # fmt: skip
    return found
