"""The figure of Audit: how far the proof against a claim climbs, and the scores it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcore.experiments.audit import LOOKS, AuditParams, interval, target_of, worlds_of
from pages.audit.controls import CONTROLS
from pages.audit.figure_arrays import arrays
from pages.audit.figure_others import other_arrays, others
from pages.audit.tabs import ERRORS_TAB
from ui import live
from ui.figure_kit import common
from ui.figure_kit.common import EPSILONS
from ui.frame.depth import Depth
from ui.live import Axis, Guess, Panel, Readout, layers
from ui.words.numbers import percent, short
from ui.words.odds_pictogram import people

if TYPE_CHECKING:
    from dpcore.experiments.audit import Attack, Copy
    from ui.runner import PageState

__all__ = ["ATTACKED", "figure"]

ATTACKED = [float(n) for n in LOOKS]
_TRIALS = Axis(
    range=(17, 12_000), log=True, title="trials with Ada, and as many without",
    ticks=(20, 100, 1000, 10_000), words=("20", "100", "1000", "10\u202f000"),
)  # fmt: skip
_LOSS = Axis(
    range=(0.045, 60), log=True, title="ε", ticks=(0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50),
    words=("0", "0.1", "0.2", "0.5", "1", "2", "5", "10", "20", "50"),
)  # fmt: skip


def figure(state: PageState[AuditParams]) -> live.Figure:
    """Return the live figure."""
    params, found = state.params, state["attack"]
    bug = target_of(params.target).bug is not None
    made = arrays(params, found)
    gaussian = worlds_of(params.target, params.built).gaussian and not bug
    top = [_climb(bug, known=found is not None, gaussian=gaussian)]
    top.append(_scores("scores", "", "With the bug" if bug else "What the attacker sees", made))
    if bug:
        top.append(_scores("scores_twin", "twin_", "Repaired", made))
    return common.figure(
        state,
        CONTROLS,
        arrays=made | other_arrays(state),
        panels=[*top, _errors(), *others(state)],
        readouts=_readouts(params, found),
        texts=[_odds(params), *_story(params)],
    )


def _odds(params: AuditParams) -> live.Text:
    """What the claim would mean for Ada, as a hundred people."""
    claim = worlds_of(params.target, params.built).claim()
    return people(
        claim.tabulated(EPSILONS, [params.delta] * len(EPSILONS)),
        before="This is what the claim means, if it is true. ",
    )  # fmt: skip


def _story(params: AuditParams) -> list[live.Text]:
    """What went wrong in the copy with the bug, and who published it."""
    bug = target_of(params.target).bug
    return [live.Text(strings=[f"The bug: {bug.story} (Source: {bug.source}.)"])] if bug else []


def _climb(bug: bool, *, known: bool, gaussian: bool) -> Panel:
    with_bug = "with the bug" if bug else "proved"
    return Panel(
        key="climb", title="Shown against the claim", height=400, x=_TRIALS, y=_LOSS,
        caption="Each trial may push the bound up or down. A bound above the claim refutes the claim, with 95 % "
        "confidence. No attack can get above the upper curve with so few trials.",
        alt="After {n_now} trials in each world the attack shows ε of at least {bound_now}, with 95 % confidence. "
        "The claim is {epsilon}, "
        "and no attack could have shown more than {ceiling_now}.",
        guess=Guess(
            question="How far does the bound climb, and after how many trials does it cross the claim?",
            x="looks", y="bound",
        ) if known else None,
        layers=[
            layers.Band(x=ATTACKED, low="ceiling", high=[60.0] * len(LOOKS), role="muted", alpha=0.14),
            layers.Line(x=ATTACKED, y="ceiling", role="muted", width=1.5,
                        label="the most that so many trials can show", label_short="most possible"),
            layers.HLine(at="own", role="muted", dash=True, width=1, label="built with",
                         depth=Depth.UNDERSTAND),
            layers.HLine(at="claim", role="danger", width=2, label="the claim"),
            *([layers.Line(x=ATTACKED, y="any_noise", role="nonprivate", dash=True, width=1.2,
                           label="by the rule for any noise", label_short="any noise", depth=Depth.UNDERSTAND)]
              if gaussian else []),
            *([layers.Line(x=ATTACKED, y="twin_bound", role="other", width=2.2, label="repaired")]
              if bug else []),
            layers.Line(x=ATTACKED, y="bound", width=2.6, label=with_bug),
            layers.Dot(x="n_now", y="bound_now"),
        ],
    )  # fmt: skip


def _scores(key: str, name: str, title: str, made: dict[str, live.Array]) -> Panel:
    """The scores of one copy in both worlds; those of a repaired one come at *Understand*."""
    edges = made[f"{name}edges"].values
    top = max(float(made[name + world].values.max()) for world in ("without", "with"))
    return Panel(
        key=key, title=title, height=400, depth=Depth.UNDERSTAND if name else Depth.LOOK,
        x=Axis(range=(float(edges[0]), float(edges[-1])), title="score"),
        y=Axis(range=(0, 1.08 * (top or 1)), title="share of the trials", format=".0%"),
        caption="Each trial gives one score. From the line on, the attacker says that Ada took part."
        if not name else "The same attack on the repaired copy.",
        alt=f"{title}: scores of the trials with Ada and without her, and the threshold.",
        layers=[
            layers.Bars(edges=f"{name}edges", heights=f"{name}without", role="other", alpha=0.55,
                        label="without Ada"),
            layers.Bars(edges=f"{name}edges", heights=f"{name}with", role="private", alpha=0.55,
                        label="with Ada"),
            layers.VLine(at=f"{name}threshold", role="text", dash=True, width=1.2, label="says “with” →"),
        ],
    )  # fmt: skip


def _errors() -> Panel:
    def rate(key: str, role: str, label: str) -> list[layers.Layer]:
        return [
            layers.Band(x=ATTACKED, low=f"{key}_low", high=f"{key}_high", role=role, alpha=0.25),
            layers.Line(x=ATTACKED, y=f"{key}_rate", role=role, label=label),
        ]

    return Panel(
        key="errors", title="The attacker's two errors", tab=ERRORS_TAB, height=380, depth=Depth.UNDERSTAND,
        x=_TRIALS, y=Axis(range=(0, 1), title="how often", format=".0%"),
        caption="The attacker says “with” without Ada (false alarm), or “without” with her (miss). The true rates "
        "lie below the upper ends of the bands, at every look together, with 95 % confidence. The bound is computed "
        "from these upper ends.",
        alt="False alarms and misses against the number of trials, with the upper ends for their true rates.",
        layers=[*rate("false", "other", "false alarms"), *rate("missed", "private", "misses")],
    )  # fmt: skip


def _readouts(params: AuditParams, found: Attack | None) -> list[Readout]:
    copy = found.target if found else None
    return [
        Readout(label="the attack shows", value="bound_now", format=".3g", role="private",
                note="ε at least, with 95 % confidence", help="The software gives away at least this much, "
                "whatever it "
                "claims. In at most 5 of 100 audits such a number is too high."),
        Readout(label="no attack could show more than", value="ceiling_now", format=".3g",
                note="ε, with so few trials",
                help="The bound that we would have had, had the attacker never been wrong."),
        Readout(label="the attacker is wrong", value="wrong", format="in 100", note="guessing blindly: 50 in 100",
                help="The attacker sees one result and says whether Ada was in the data. Half of the time she was."),
        Readout(label="false alarms", value="false", format=".1%", note=_counted(copy, "false"),
                depth=Depth.UNDERSTAND),
        Readout(label="misses", value="missed", format=".1%", note=_counted(copy, "missed"), depth=Depth.UNDERSTAND),
        Readout(label="threshold", value="threshold", format=".3g", note="of the score; it was fixed before",
                depth=Depth.UNDERSTAND),
        Readout(label="had we looked only once", value="alone", format=".3g", note="ε at least: each look costs",
                depth=Depth.UNDERSTAND),
        Readout(label="to refute this claim, try", value="needed", format="d",
                note="times in each world, or more", depth=Depth.UNDERSTAND),
    ]  # fmt: skip


def _counted(copy: Copy | None, key: str) -> str:
    """How many errors of how many, and the upper end for the rate that the bound is computed from."""
    if copy is None:
        return "not counted yet"
    errors, n = getattr(copy.counts, key)[-1], copy.counts.n[-1]
    _, high = interval(errors, n, len(copy.counts.n))
    return f"{short(errors)} of {short(n)}; the true rate is at most {percent(high)}"
