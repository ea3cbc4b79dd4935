"""Interactive figure of the Budget page: the total ε against the number of answers, by each composition rule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpcore.accounting import composition, printed
from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams, Curves
from dpcore.experiments.composition_tables import RATE_GRID, STEPS_GRID
from dpcore.experiments.grids import EPSILON_GRID
from pages.budget import split
from pages.budget.controls import CONTROLS
from ui import live
from ui.figure_kit import common
from ui.figure_kit.common import EPSILONS, array
from ui.figure_kit.controls import live_controls
from ui.figure_kit.odds_pictogram import people
from ui.live import Array, Axis, Guess, Panel, Readout, layers
from ui.live.depth import Depth
from ui.words import text

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure", "noise_name"]

T = text.load_text(__file__)

_STEPS = [float(n) for n in STEPS_GRID]
_PURSES = ("basic", "advanced", "rdp", "pld")  # from the dearest rule to the account
_AT_LOOK = ("basic", "pld")
_FAR = 1e4  # above what is drawn; what is read has no such end
_BUDGETS = Axis(range=(0.0, 20.5), ticks=(0, 5, 10, 15, 20))
_LINEAR_STEPS = Axis(
    range=(0.0, 10_200.0), ticks=(0, 2500, 5000, 7500, 10_000),
    words=("0", "2500", "5000", "7500", "10\u202f000"),
)  # fmt: skip
_STEP_AXIS = Axis(
    range=(0.9, 11_000.0), log=True, ticks=(1, 10, 100, 1000, 10_000),
    words=("1", "10", "100", "1000", "10\u202f000"),
)  # fmt: skip


def noise_name(params: BudgetParams) -> str:
    """Return the name of the parameter that sets the noise of one answer with the chosen mechanism."""
    return "noise_multiplier" if params.mechanism == "gaussian" else "answer_epsilon"


def figure(state: PageState[BudgetParams]) -> live.Figure:
    """Return the page's interactive figure.

    The browser redraws the figure without Python when a control changes, except for the control of the mechanism.
    """
    params = state.params
    return _split(state) if params.topic == "split" else _same(state)


def _split(state: PageState[BudgetParams]) -> live.Figure:
    params = state.params
    values = {k: v for k, v in common.values(params).items() if k not in split.HIDDEN}
    return live.Figure(
        controls=[
            *live_controls(CONTROLS, params, hide=split.HIDDEN),
            common.buttons(*split.buttons(), _to_topic("same")),
        ],
        values=values,
        arrays=split.arrays(params, state["split"]),
        coords=split.COORDS,
        panels=split.panels(),
        readouts=split.readouts(),
        texts=[split.odds(params)],
        busy=state.busy,
    )


def _to_topic(topic: str) -> tuple[str, str, str]:
    """Return the button that shows the other topic."""
    return topic, T(f"topics.{topic}"), T(f"topics.{topic}_help")


def _same(state: PageState[BudgetParams]) -> live.Figure:
    params = state.params
    other = {"noise_multiplier", "answer_epsilon"} - {noise_name(params)}
    other |= {"seed", *(f"weight_{name}" for name in split.NAMES)}
    hidden = {"ledger", *other}
    values = {name: value for name, value in common.values(params).items() if name not in hidden}
    shown = live_controls(CONTROLS, params, hide=tuple(other))
    return live.Figure(
        controls=[*shown, common.buttons(_to_topic("split"), redraw=False)],
        values=values,
        arrays=_arrays(params, state["curves"]),
        panels=[
            _purses("purses", _AT_LOOK),
            _purses("rules", _PURSES),
            _spent(),
            _printed(params),
            _ratio(),
            _amplified(),
            _buys(),
        ],
        readouts=_readouts(params),
        texts=[_odds(params)],
        busy=state.busy,
    )


def _odds(params: BudgetParams) -> live.Text:
    """Return the sentences on the odds of an attacker who sees as many answers as the budget ε affords."""
    return people(budget.used_up(params), before=T("odds.before"), condition=T("odds.condition"))


def _arrays(params: BudgetParams, curves: Curves) -> dict[str, Array]:
    place = (noise_name(params), "sample_rate", "delta")
    whole = {name: getattr(curves, name) for name in budget.RULES}
    rules = {name: np.minimum(value, _FAR) for name, value in whole.items()}
    arrays = {name: array(value, *place) for name, value in rules.items()}
    arrays |= {
        f"{name}_now": array(value, *place, "n_steps")
        for name, value in whole.items()
        if name not in ("exact", "optimal")
    }
    for name in ("printed_sum", "printed_root"):
        arrays[f"{name}_short"] = array(np.minimum(rules[name], rules["pld"]), *place)
        arrays[f"{name}_ratio"] = array(rules[name] / np.maximum(rules["pld"], 1e-9), *place)
    return arrays | {
        "one": array(curves.one, noise_name(params), "delta"),
        "affordable": array(_counted(curves.affordable), *place),
        "affordable_now": array(curves.affordable, *place, "epsilon"),
        **{
            f"affordable_{rule}": array(getattr(curves, f"affordable_{rule}"), *place, "epsilon")
            for rule in _PURSES[:-1]
        },
        "needed": array(curves.needed, "sample_rate", "delta", "n_steps", "epsilon"),
        "epsilon_now": array(EPSILONS, "epsilon"),
        "steps_now": array(_STEPS, "n_steps"),
        "steps": array(_STEPS),
        **_amplification(),
    }


def _counted(affordable: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a curve to draw of the number of answers (..., E) that a budget affords, at E values of ε.

    Numbers below 0.5 are raised to 0.5. The curve ends where it reaches the largest computed number of answers,
    and is NaN for larger ε.
    """
    ended = affordable >= _STEPS[-1]
    again = np.zeros_like(ended)
    again[..., 1:] = ended[..., :-1]
    return np.where(again, np.nan, np.maximum(affordable, 0.5))


def _amplification() -> dict[str, Array]:
    rate = np.array(RATE_GRID)[:, None]
    true = composition.amplified(EPSILON_GRID, rate)
    twice = printed.printed_amplified(EPSILON_GRID, rate)
    return {
        "amplified": array(true, "sample_rate"),
        "twice": array(twice, "sample_rate"),
        "once": array(twice / 2, "sample_rate"),
        "twice_short": array(np.minimum(true, twice), "sample_rate"),
    }


def _purses(key: str, rules: tuple[str, ...]) -> Panel:
    """Return a panel of coins that shows the share of the budget ε that all answers spend, by some composition rules.

    The panel of all rules is shown from the level *Understand* on, since a reader at the first level need not know
    the rules.
    """
    at = [k + 0.5 for k in range(len(rules))]
    return T.panel(Panel(
        key=key, height=440, depth=Depth.LOOK if rules == _AT_LOOK else Depth.UNDERSTAND,
        x=Axis(range=(0, len(rules)), ticks=tuple(at), words=tuple(T(f"panels.{key}.{rule}") for rule in rules)),
        y=Axis(range=(0, 1.14), ticks=(0, 0.5, 1), format=".0%"),
        layers=[
            layers.Coins(x=x, width=0.56, spent=f"{rule}_now", budget="epsilon_now", **_told(rule),
                         role="private" if rule == "pld" else "nonprivate")
            for x, rule in zip(at, rules, strict=True)
        ],
    ))  # fmt: skip


def _told(rule: str) -> dict[str, Any]:
    """Return the words for a full and an empty purse, the longest wording first, as keyword arguments of `Coins`."""
    lasts = "about {affordable_now:d}" if rule == "pld" else f"{{affordable_{rule}:d}}"
    empty = (T(f"panels.purses.{key}", lasts=lasts) for key in ("empty", "empty_after"))
    return {
        "words_left": (T("panels.purses.left"), T("panels.purses.left_short")),
        "words_empty": (*empty, T("panels.purses.empty_short")),
    }


def _spent() -> Panel:
    """Return the panel of the total ε against the number of answers, by three composition rules, on linear axes."""
    return T.panel(Panel(
        key="spent", height=440, x=_LINEAR_STEPS, depth=Depth.UNDERSTAND,
        y=Axis(range=(0.0, 20.5), ticks=(0, 5, 10, 15, 20)),
        guess=Guess(question=T("panels.spent.guess"), x="steps", y="pld"),
        layers=[
            layers.Line(x=_STEPS, y="basic", role="nonprivate", width=1.3, **_named("panels.spent.basic")),
            layers.Line(x=_STEPS, y="rdp", role="nonprivate", width=2, label=T("panels.spent.rdp")),
            layers.Line(x=_STEPS, y="pld", width=2.6, label=T("panels.spent.pld")),
            layers.HLine(at="epsilon_now", role="text", dash=True, width=1, **_named("panels.spent.budget")),
            layers.VLine(at="steps_now", role="muted", width=1),
            layers.Dot(x="steps_now", y="pld_now"),
        ],
    ))  # fmt: skip


def _printed(params: BudgetParams) -> Panel:
    """Return the panel of the total ε against the number of answers, by every rule, on logarithmic axes."""
    return T.panel(Panel(
        key="printed", height=440, x=_STEP_AXIS, depth=Depth.CHECK,
        y=Axis(range=(0.005, 100.0), log=True, ticks=(0.01, 0.1, 1, 10, 100)),
        layers=[
            layers.Line(x=_STEPS, y="basic", role="nonprivate", width=1.3, **_named("panels.spent.basic")),
            *_other_rules(pure=params.mechanism == "laplace"),
            layers.Line(x=_STEPS, y="pld", width=2.6, label=T("panels.spent.pld")),
            layers.HLine(at="epsilon_now", role="text", dash=True, width=1, **_named("panels.spent.budget")),
            layers.VLine(at="steps_now", role="muted", width=1),
            layers.Dot(x="steps_now", y="pld_now"),
        ],
    ))  # fmt: skip


def _named(path: str) -> dict[str, Any]:
    """Return the label and the short label of a curve, as keyword arguments of a layer.

    ``path`` is the key of the label in ``text.toml``.
    """
    return {"label": T(path), "label_short": T(f"{path}_short")}


def _other_rules(*, pure: bool) -> list[layers.Layer]:
    """Return the curves of the composition rules that only the panel with logarithmic axes shows.

    The rules are the advanced and the Rényi bound, the tight bound for the chosen mechanism, and the two bounds
    of Sarkar's lecture. ``pure`` says whether the mechanism is Laplace.
    """
    special: layers.Layer = (
        layers.Line(x=_STEPS, y="optimal", role="muted", width=1.3,
                    **_named("panels.spent.optimal"))
        if pure
        else layers.Line(x=_STEPS, y="exact", role="text", width=4,
                         **_named("panels.spent.exact"))
    )  # fmt: skip
    return [
        layers.Band(x=_STEPS, low="printed_root_short", high="pld", role="danger", alpha=0.25,
                    label=T("panels.spent.too_much")),
        layers.Band(x=_STEPS, low="printed_sum_short", high="pld", role="danger", alpha=0.15),
        layers.Line(x=_STEPS, y="advanced", role="nonprivate", dash=True, width=1.3,
                    **_named("panels.spent.advanced")),
        layers.Line(x=_STEPS, y="rdp", role="nonprivate", width=2,
                    label=T("panels.spent.rdp")),
        layers.Line(x=_STEPS, y="printed_sum", role="other", dash=True, width=1.6,
                    **_named("panels.spent.printed_sum")),
        layers.Line(x=_STEPS, y="printed_root", role="other", width=1.6,
                    **_named("panels.spent.printed_root")),
        special,
    ]  # fmt: skip


def _ratio() -> Panel:
    return T.panel(Panel(
        key="ratio", height=440, x=_STEP_AXIS, depth=Depth.CHECK,
        y=Axis(range=(0.03, 1000.0), log=True, ticks=(0.1, 1, 10, 100, 1000)),
        layers=[
            layers.Band(x=[0.9, 11_000.0], low=[0.001, 0.001], high=[1.0, 1.0], role="danger",
                        alpha=0.1, label=T("panels.ratio.too_much")),
            layers.HLine(at=1.0, role="danger", width=1, label=T("panels.ratio.right")),
            layers.Line(x=_STEPS, y="printed_sum_ratio", role="other", dash=True,
                        **_named("panels.ratio.printed_sum")),
            layers.Line(x=_STEPS, y="printed_root_ratio", role="other", **_named("panels.ratio.printed_root")),
            layers.VLine(at="steps_now", role="muted", width=1),
        ],
    ))  # fmt: skip


def _amplified() -> Panel:
    return T.panel(Panel(
        key="amplified", height=380, depth=Depth.UNDERSTAND,
        x=_BUDGETS, y=Axis(range=(0.0, 20.5), ticks=(0, 5, 10, 15, 20)),
        layers=[
            layers.Band(x=EPSILONS, low="twice_short", high="amplified", role="danger",
                        alpha=0.3, depth=Depth.CHECK, **_named("panels.amplified.small")),
            layers.Line(x=EPSILONS, y="once", role="other", dash=True, width=1.5,
                        **_named("panels.amplified.once")),
            layers.Line(x=EPSILONS, y="twice", role="other", depth=Depth.CHECK,
                        **_named("panels.amplified.twice")),
            layers.Line(x=EPSILONS, y="amplified", **_named("panels.amplified.true")),
        ],
    ))  # fmt: skip


def _buys() -> Panel:
    return T.panel(Panel(
        key="buys", height=380, depth=Depth.UNDERSTAND,
        x=_BUDGETS, y=replace(_LINEAR_STEPS, range=(0.0, 10_700.0)),
        layers=[
            layers.HLine(at=_STEPS[-1], role="muted", dash=True, width=1, **_named("panels.buys.no_further")),
            layers.Line(x=EPSILONS, y="affordable", label=T("panels.buys.affordable")),
            layers.VLine(at="epsilon_now", role="muted", width=1, label=T("panels.buys.budget")),
            layers.Dot(x="epsilon_now", y="affordable_now"),
        ],
    ))  # fmt: skip


def _readouts(params: BudgetParams) -> list[Readout]:
    """Return the labelled numbers (readouts) below the figure, starting with those of the first level of detail."""
    readouts = [
        Readout(value="pld_now", about="private", format=".3g", role="private"),
        Readout(value="affordable_now", format="about answer to 10000"),
        Readout(value="basic_now", about="private", format=".3g"),
        Readout(value="needed", format=".3g", depth=Depth.UNDERSTAND),
        Readout(value="one", about="private", format=".3g", depth=Depth.UNDERSTAND),
        Readout(value="rdp_now", about="private", format=".3g", depth=Depth.UNDERSTAND),
        Readout(value="printed_sum_now", about="private", format=".3g", depth=Depth.CHECK),
        Readout(value="printed_root_now", about="private", format=".3g", depth=Depth.CHECK),
    ]
    return [T.readout(readout, params.mechanism) for readout in readouts]
