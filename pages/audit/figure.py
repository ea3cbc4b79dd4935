"""Interactive figure of the page Audit: lower bounds on ε against the claim, and the attack's scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpcore.experiments.audit import LOOKS, AuditParams, interval, target_of, worlds_of
from pages.audit.arrays import arrays
from pages.audit.controls import CONTROLS
from pages.audit.others import other_arrays, others
from ui import live
from ui.figure_kit import common
from ui.figure_kit.common import EPSILONS
from ui.figure_kit.odds_pictogram import people
from ui.live import Axis, Guess, Panel, Readout, layers
from ui.live.depth import Depth
from ui.words import text
from ui.words.numbers import percent

if TYPE_CHECKING:
    from dpcore.experiments.audit import Attack, Copy
    from ui.runner import PageState

__all__ = ["ATTACKED", "figure"]

T = text.beside(__file__)
ATTACKED = [float(n) for n in LOOKS]
_TRIALS = Axis(
    range=(17, 12_000), log=True, ticks=(20, 100, 1000, 10_000),
    words=("20", "100", "1000", "10\u202f000"),
)  # fmt: skip
_LOSS = Axis(
    range=(0.045, 60), log=True, ticks=(0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50),
    words=("0", "0.1", "0.2", "0.5", "1", "2", "5", "10", "20", "50"),
)  # fmt: skip


def figure(state: PageState[AuditParams]) -> live.Figure:
    """Return the interactive figure of the results available for the current parameters."""
    params, attack = state.params, state["attack"]
    bug = target_of(params.target).bug is not None
    values = arrays(params, attack)
    gaussian = worlds_of(params.target, params.built).gaussian and not bug
    top = [_climb(bug, known=attack is not None, gaussian=gaussian)]
    top.append(T.panel(_scores("scores", "", values), "bug" if bug else ""))
    if bug:
        top.append(T.panel(_scores("scores_twin", "twin_", values)))
    return common.figure(
        state,
        CONTROLS,
        arrays=values | other_arrays(state),
        panels=[*top, _errors(), *others(state)],
        readouts=_readouts(attack),
        texts=[_odds(params), *_story(params)],
    )


def _odds(params: AuditParams) -> live.Text:
    """Return the sentence on an attacker's odds under the claimed (ε, δ), illustrated with a hundred people."""
    claim = worlds_of(params.target, params.built).claim()
    return people(claim.tabulated(EPSILONS, [params.delta] * len(EPSILONS)), before=T("odds.claim"))


def _story(params: AuditParams) -> list[live.Text]:
    """Return a description of the program's bug with the publication that reports it; empty for a correct program."""
    bug = target_of(params.target).bug
    if bug is None:
        return []
    story = T("bug.text", story=T(f"bug.stories.{bug.number}"), source=bug.source)
    return [live.Text(strings=[story])]


def _climb(bug: bool, *, known: bool, gaussian: bool) -> Panel:
    any_noise = layers.Line(
        x=ATTACKED, y="any_noise", role="nonprivate", dash=True, width=1.2,
        label=T("panels.climb.any_noise"), label_short=T("panels.climb.any_noise_short"),
        depth=Depth.UNDERSTAND,
    )  # fmt: skip
    repaired = layers.Line(
        x=ATTACKED, y="twin_bound", role="other", width=2.2, label=T("panels.climb.repaired")
    )
    panel = Panel(
        key="climb", height=400, x=_TRIALS, y=_LOSS,
        guess=Guess(question=T("panels.climb.guess"), x="looks", y="bound") if known else None,
        layers=[
            layers.Band(x=ATTACKED, low="ceiling", high=[60.0] * len(LOOKS), role="muted", alpha=0.14),
            layers.Line(x=ATTACKED, y="ceiling", role="muted", width=1.5, label=T("panels.climb.most"),
                        label_short=T("panels.climb.most_short")),
            layers.HLine(at="own", role="muted", dash=True, width=1, label=T("panels.climb.built"),
                         depth=Depth.UNDERSTAND),
            layers.HLine(at="claim", role="danger", width=2, label=T("panels.climb.claim")),
            *([any_noise] if gaussian else []),
            *([repaired] if bug else []),
            layers.Line(x=ATTACKED, y="bound", width=2.6,
                        label=T("panels.climb.bug" if bug else "panels.climb.proved")),
            layers.Dot(x="n_now", y="bound_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _scores(key: str, name: str, values: dict[str, live.Array]) -> Panel:
    """Return the panel of an attack's scores on both neighbouring data sets.

    If the attacked program is faulty, ``name`` is not empty for the panel of its correct version, which is shown
    from the level *Understand* on.
    """
    edges = values[f"{name}edges"].values
    top = max(float(values[name + world].values.max()) for world in ("without", "with"))
    return Panel(
        key=key, height=400, depth=Depth.UNDERSTAND if name else Depth.LOOK,
        x=Axis(range=(float(edges[0]), float(edges[-1]))),
        y=Axis(range=(0, 1.08 * (top or 1)), format=".0%"),
        layers=[
            layers.Bars(edges=f"{name}edges", heights=f"{name}without", role="other", alpha=0.55,
                        label=T("panels.scores.without")),
            layers.Bars(edges=f"{name}edges", heights=f"{name}with", role="private", alpha=0.55,
                        label=T("panels.scores.with")),
            layers.VLine(at=f"{name}threshold", role="text", dash=True, width=1.2,
                         label=T("panels.scores.threshold")),
        ],
    )  # fmt: skip


def _errors() -> Panel:
    def rate(key: str, role: str) -> list[layers.Layer]:
        return [
            layers.Band(x=ATTACKED, low=f"{key}_low", high=f"{key}_high", role=role, alpha=0.25),
            layers.Line(x=ATTACKED, y=f"{key}_rate", role=role, label=T(f"panels.errors.{key}")),
        ]

    panel = Panel(
        key="errors", height=380, depth=Depth.UNDERSTAND, x=_TRIALS, y=Axis(range=(0, 1), format=".0%"),
        layers=[*rate("false", "other"), *rate("missed", "private")],
    )  # fmt: skip
    return T.panel(panel)


def _readouts(attack: Attack | None) -> list[Readout]:
    copy = attack.target if attack else None
    more: dict[str, Any] = {"depth": Depth.UNDERSTAND}
    return [
        T.readout(Readout(value="bound_now", format=".3g", role="private")),
        T.readout(Readout(value="ceiling_now", format=".3g")),
        T.readout(Readout(value="wrong", format="in 100")),
        _rate("false", copy),
        _rate("missed", copy),
        T.readout(Readout(value="threshold", format=".3g", **more)),
        T.readout(Readout(value="alone", format=".3g", **more)),
        T.readout(Readout(value="needed", format="d", **more)),
    ]


def _rate(key: str, copy: Copy | None) -> Readout:
    """Return the readout of one of the attack's error rates, with its count and upper confidence limit."""
    readout = Readout(value=key, format=".1%", depth=Depth.UNDERSTAND)
    if copy is None:
        return T.readout(readout, "begin")
    errors, n = getattr(copy.counts, key)[-1], copy.counts.n[-1]
    _, high = interval(errors, n, len(copy.counts.n))
    return T.readout(readout, errors=errors, n=n, high=percent(high))
