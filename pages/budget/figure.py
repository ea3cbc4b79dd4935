"""The figure of Budget: ε spent against the number of answers, by every rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpcore.accounting import composition, printed
from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams, Curves
from dpcore.experiments.composition_tables import RATE_GRID, STEPS_GRID
from dpcore.experiments.grids import EPSILON_GRID
from pages.budget.controls import CONTROLS
from ui import live
from ui.figure_kit import common
from ui.figure_kit.common import EPSILONS, array, epsilon_axis
from ui.figure_kit.controls import live_controls
from ui.frame.depth import Depth
from ui.live import Array, Axis, Guess, Panel, Readout, layers
from ui.words.odds_pictogram import people

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["RULES", "figure", "noise_name"]

_STEPS = [float(n) for n in STEPS_GRID]
_FAR = 1e4  # above what is drawn; what is read has no such end
RULES = ("pld", "exact", "rdp", "basic", "advanced", "optimal", "printed_sum", "printed_root")
_STEP_AXIS = Axis(
    range=(0.9, 11_000.0), title="answers T", log=True, ticks=(1, 10, 100, 1000, 10_000),
    words=("1", "10", "100", "1000", "10\u202f000"),
)  # fmt: skip


def noise_name(params: BudgetParams) -> str:
    """The control that sets the noise of an answer."""
    return "noise_multiplier" if params.mechanism == "gaussian" else "answer_epsilon"


def figure(state: PageState[BudgetParams]) -> live.Figure:
    """Return the live figure; everything but the choice of the mechanism is drawn in the browser."""
    params = state.params
    other = {"noise_multiplier", "answer_epsilon"} - {noise_name(params)}
    hidden = {"ledger", *other}
    values = {name: value for name, value in common.values(params).items() if name not in hidden}
    asked = live_controls(CONTROLS, params, hide=tuple(other))
    return live.Figure(
        controls=[*asked, common.buttons(redraw=False)],
        values=values,
        arrays=_arrays(params, state["curves"]),
        panels=[_spent(params), _ratio(), _amplified(), _buys()],
        readouts=_readouts(params),
        texts=[_odds(params)],
        busy=state.busy,
    )


def _odds(params: BudgetParams) -> live.Text:
    """What somebody may learn who sees every answer for which the budget is enough."""
    return people(budget.used_up(params), before="If the whole budget is spent: ")


def _arrays(params: BudgetParams, found: Curves) -> dict[str, Array]:
    place = (noise_name(params), "sample_rate", "delta")
    whole = {name: getattr(found, name) for name in RULES}
    rules = {name: np.minimum(value, _FAR) for name, value in whole.items()}
    made = {name: array(value, *place) for name, value in rules.items()}
    made |= {
        f"{name}_now": array(value, *place, "n_steps")
        for name, value in whole.items()
        if name not in ("exact", "optimal")
    }
    for name in ("printed_sum", "printed_root"):
        made[f"{name}_short"] = array(np.minimum(rules[name], rules["pld"]), *place)
        made[f"{name}_ratio"] = array(rules[name] / np.maximum(rules["pld"], 1e-9), *place)
    return made | {
        "one": array(found.one, noise_name(params), "delta"),
        "affordable": array(_counted(found.affordable), *place),
        "affordable_now": array(found.affordable, *place, "epsilon"),
        "needed": array(found.needed, "sample_rate", "delta", "n_steps", "epsilon"),
        "epsilon_now": array(EPSILONS, "epsilon"),
        "steps_now": array(_STEPS, "n_steps"),
        "steps": array(_STEPS),
        **_amplification(),
    }


def _counted(affordable: NDArray[np.float64]) -> NDArray[np.float64]:
    """The answers that fit, up to the first place where the count ends: what fits beyond it is not known."""
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


def _spent(params: BudgetParams) -> Panel:
    pure = params.mechanism == "laplace"
    return Panel(
        key="spent", title="What all answers cost together", height=440, x=_STEP_AXIS,
        y=Axis(range=(0.005, 100.0), log=True, title="ε of all answers", ticks=(0.01, 0.1, 1, 10, 100)),
        caption="The cost climbs with every answer. Where it crosses your budget, the answers have to stop. "
        "Simply adding up the costs is safe: for one answer the sum is about the true cost, for many answers it is "
        "far above the true cost.",
        alt="Cost of {n_steps:count answer}: ε = {pld_now}. Your budget is {epsilon}, which is enough for "
        "{affordable_now:about answer to 10000}.",
        guess=Guess(
            question="How does the true cost grow with the number of answers?", x="steps", y="pld"
        ),
        layers=[
            layers.Line(x=_STEPS, y="basic", role="nonprivate", width=1.3, label="simply added up",
                        label_short="added up"),
            *_other_rules(pure),
            layers.Line(x=_STEPS, y="pld", width=2.6, label="true cost"),
            layers.HLine(at="epsilon_now", role="text", dash=True, width=1, label="your budget ε",
                         label_short="budget"),
            layers.VLine(at="steps_now", role="muted", width=1),
            layers.Dot(x="steps_now", y="pld_now"),
        ],
    )  # fmt: skip


def _other_rules(pure: bool) -> list[layers.Layer]:
    """The bounds that a student meets, and those that a lecture prints."""
    special: layers.Layer = (
        layers.Line(x=_STEPS, y="optimal", role="muted", width=1.3, depth=Depth.UNDERSTAND,
                    label="best rule for any ε-DP", label_short="best rule")
        if pure
        else layers.Line(x=_STEPS, y="exact", role="text", width=4, depth=Depth.CHECK,
                         label="closed form, q = 1", label_short="closed form")
    )  # fmt: skip
    return [
        layers.Band(x=_STEPS, low="printed_root_short", high="pld", role="danger", alpha=0.25,
                    depth=Depth.CHECK, label="promises too much"),
        layers.Band(x=_STEPS, low="printed_sum_short", high="pld", role="danger", alpha=0.15,
                    depth=Depth.CHECK),
        layers.Line(x=_STEPS, y="advanced", role="nonprivate", dash=True, width=1.3, depth=Depth.UNDERSTAND,
                    label="advanced composition", label_short="advanced"),
        layers.Line(x=_STEPS, y="rdp", role="nonprivate", width=2, depth=Depth.UNDERSTAND, label="Rényi"),
        layers.Line(x=_STEPS, y="printed_sum", role="other", dash=True, width=1.6, depth=Depth.CHECK,
                    label="Sarkar's qTε", label_short="qTε"),
        layers.Line(x=_STEPS, y="printed_root", role="other", width=1.6, depth=Depth.CHECK,
                    label="Sarkar's qε√T", label_short="qε√T"),
        special,
    ]  # fmt: skip


def _ratio() -> Panel:
    return Panel(
        key="ratio", title="Two rules of Sarkar's lecture, divided by the truth", height=440, x=_STEP_AXIS,
        depth=Depth.CHECK,
        y=Axis(range=(0.03, 1000.0), log=True, title="claimed ε / true ε",
               ticks=(0.1, 1, 10, 100, 1000)),
        caption="Above the line a rule is safe but wasteful; below it, it claims more privacy than there is. "
        "That happens to qTε for few answers, and to qε√T where the constants that it leaves out count.",
        alt="Ratio of the claimed to the true ε against the number of answers.",
        layers=[
            layers.Band(x=[0.9, 11_000.0], low=[0.001, 0.001], high=[1.0, 1.0], role="danger",
                        alpha=0.1, label="promises too much"),
            layers.HLine(at=1.0, role="danger", width=1, label="exactly right"),
            layers.Line(x=_STEPS, y="printed_sum_ratio", role="other", dash=True,
                        label="Sarkar's qTε", label_short="qTε"),
            layers.Line(x=_STEPS, y="printed_root_ratio", role="other",
                        label="Sarkar's qε√T", label_short="qε√T"),
            layers.VLine(at="steps_now", role="muted", width=1),
        ],
    )  # fmt: skip


def _amplified() -> Panel:
    return Panel(
        key="amplified", title="A secret sample protects more", tab="Amplification", height=380,
        depth=Depth.UNDERSTAND,
        x=epsilon_axis("ε of one answer on the sample"),
        y=Axis(range=(5e-5, 30.0), log=True, title="ε′ of one answer on everybody"),
        caption="When only a secret random sample takes part, one answer costs everybody less: ε′ at qδ instead of "
        "ε at δ. "
        "ε′ is never below qε and close to it while ε is small; for large ε the sample hardly helps.",
        alt="Amplified epsilon against epsilon at q = {sample_rate}.",
        layers=[
            layers.Band(x=EPSILONS, low="twice_short", high="amplified", role="danger",
                        alpha=0.3, depth=Depth.CHECK, label="2qε is too small", label_short="too small"),
            layers.Line(x=EPSILONS, y="once", role="other", dash=True, width=1.5,
                        label="q times ε", label_short="qε"),
            layers.Line(x=EPSILONS, y="twice", role="other", depth=Depth.CHECK, label="Sarkar's 2qε",
                        label_short="2qε"),
            layers.Line(x=EPSILONS, y="amplified", label="true ε′ = ln(1 + q(eᵋ − 1))", label_short="true ε′"),
        ],
    )  # fmt: skip


def _buys() -> Panel:
    return Panel(
        key="buys", title="What a budget buys", tab="What the budget buys", height=380,
        x=epsilon_axis("the whole budget ε"),
        y=Axis(range=(0.7, 14_000.0), log=True, title="answers", ticks=(1, 10, 100, 1000, 10_000)),
        caption="For how many answers a budget is enough at this noise. We count up to 10\u202f000.",
        alt="Number of answers for which the budget is enough, against the budget, counted up to 10\u202f000.",
        layers=[
            layers.HLine(at=_STEPS[-1], role="muted", dash=True, width=1, label="we count no further",
                         label_short="no further"),
            layers.Line(x=EPSILONS, y="affordable", label="answers that fit"),
            layers.VLine(at="epsilon_now", role="muted", width=1, label="your budget"),
            layers.Dot(x="epsilon_now", y="affordable_now"),
        ],
    )  # fmt: skip


def _readouts(params: BudgetParams) -> list[Readout]:
    gaussian = params.mechanism == "gaussian"
    lecture = "uses the lecture's formula for one step"
    where = "What one step costs there stands below, under “Two rules of Sarkar's lecture”."
    return [
        Readout(label="all answers together cost", value="pld_now", format=".3g", role="private",
                note="ε in all", help="From the privacy loss distribution of all answers, or, where that is out of "
                "reach, the least bound in closed form: never below the true cost."),
        Readout(label="your budget is enough for", value="affordable_now", format="about answer to 10000",
                note="like these; we count to 10\u202f000",
                help="The true cost of so many answers is within your budget. A few more may fit: we look for the "
                "number between 1, 2, 5, 10, 20 and so on, and then ask for its own true cost."),
        Readout(label="simply added up", value="basic_now", format=".3g",
                note="each answer at δ/T: safe, often far too much",
                help="Basic composition: the ε of the single answers are added, and so are their δ."),
        Readout(label="to stay in the budget, take σ" if gaussian else "to stay in the budget, take ε₀",
                value="needed", format=".3g", depth=Depth.UNDERSTAND,
                note="enough for so many answers" if gaussian else "small enough for so many answers",
                help="– where no noise of our tables is enough."),
        Readout(label="one answer alone", value="one", format=".3g", note="ε, when all records take part",
                depth=Depth.UNDERSTAND),
        Readout(label="Rényi", value="rdp_now", format=".3g", note="never below the true cost",
                help="An account that adds up the Rényi divergences of the answers (Mironov 2017): quick, and a bit "
                "too high.",
                depth=Depth.UNDERSTAND),
        Readout(label="Sarkar's qTε", value="printed_sum_now", format=".3g",
                note=f"{lecture} at δ/(qT); may be below the true cost" if gaussian
                else "may be below the true cost",
                help=where, depth=Depth.CHECK),
        Readout(label="Sarkar's qε√T", value="printed_root_now", format=".3g",
                note=f"{lecture} at δ; leaves constants out, may be below the true cost" if gaussian
                else "leaves constants out, may be below the true cost",
                help=where, depth=Depth.CHECK),
    ]  # fmt: skip
