"""Interactive figure of the Audit page: lower bounds on ε against the claim, and the attack's scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from dpcore.experiments.audit import LOOKS, AuditParams, target_of, worlds_of
from dpcore.experiments.grids import EPSILON_GRID
from pages.audit.arrays import FALLS_FROM, MOST_DOTS, arrays, claims_of, evidence
from pages.audit.controls import CONTROLS
from pages.audit.others import other_arrays, others
from ui import live
from ui.figure_kit import common
from ui.figure_kit.odds_pictogram import people
from ui.live import Axis, Guess, Panel, Readout, layers
from ui.live.depth import Depth
from ui.words import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dpcore.experiments.audit import Attack, Copy
    from dpcore.guarantee import Evidence, Guarantee
    from ui.runner import PageState

__all__ = ["ATTACKED", "figure"]

T = text.load_text(__file__)
ATTACKED = [float(n) for n in LOOKS]
_TRIALS = Axis(
    range=(17, 12_000), log=True, ticks=(20, 100, 1000, 10_000),
    words=("20", "100", "1000", "10\u202f000"),
)  # fmt: skip
_ROLES: dict[str, Literal["private", "other"]] = {"with": "private", "without": "other"}
_FLOORS = {"with": 0.53, "without": 0.01}  # on which the scores of each world pile up
_DOT = 2.6  # pixels
_LOSS = Axis(
    range=(0.045, 60), log=True, ticks=(0.05, 0.1, 1, 10, 50),
    words=("0", "0.1", "1", "10", "50"),
)  # fmt: skip


def figure(state: PageState[AuditParams]) -> live.Figure:
    """Return the interactive figure of the results available for the current parameters."""
    params, attack = state.params, state["attack"]
    bug = target_of(params.target).bug is not None
    values = arrays(params, attack)
    gaussian = worlds_of(params.target, params.built).gaussian and not bug
    top = [
        T.panel(
            _scores("scores", "", attack and attack.target), "bug" if bug else "", most=MOST_DOTS
        ),
        _climb(bug, known=attack is not None, gaussian=gaussian),
    ]
    if bug:
        top.append(T.panel(_scores("scores_twin", "twin_", attack and attack.twin)))
    return common.figure(
        state,
        CONTROLS,
        actions=_next(params),
        arrays=values | other_arrays(state),
        previews={"trainings": {}},
        panels=[*top, _errors(), *others(state)],
        readouts=_readouts(known=attack is not None),
        texts=[_odds(params, attack), *_story(params)],
    )


def _next(params: AuditParams) -> list[tuple[str, str, str]]:
    """Return the button beside a faulty program: it attacks one of this app's own, which is correct."""
    if target_of(params.target).bug is None:
        return []
    return [("ours", T("buttons.ours"), T("buttons.ours_help"))]


def _odds(params: AuditParams, attack: Attack | None) -> live.Text:
    """Return the sentence on an attacker's odds under each claimed (ε, δ), with a pictogram of a hundred people.

    Where the attack refutes the claim, the sentence says what the attack has shown instead.
    """
    claims = claims_of(params)
    whole = _people(params, claims, evidence(params, attack))
    if attack is None:
        return whole
    claim = [claims[EPSILON_GRID.index(params.epsilon)]]
    done = len(attack.target.counts.n)
    steps = [
        _people(params, claim, evidence(params, attack.first(min(k + 1, done))))
        for k in range(len(LOOKS))
    ]
    along = live.Text(
        strings=[one.strings[0] for one in steps],
        brief=[one.brief[0] for one in steps],
        bounds=[one.bounds[0] for one in steps],
        refuted=[any(one.refuted) for one in steps],
        dims=("trainings",),
    )
    return replace(whole, along={"trainings": along})


def _people(params: AuditParams, claims: Sequence[Guarantee], shown: Evidence | None) -> live.Text:
    nominal = claims[0].status == "nominal"  # its sentence says itself that nothing is proved
    return people(
        [claim.against(shown) for claim in claims],
        before="" if nominal else T("odds.claim"),
        condition="" if nominal else T("odds.condition"),
    )


def _story(params: AuditParams) -> list[live.Text]:
    """Return the description of the program's bug and its source, as a list of one text.

    A correct program has an empty list.
    """
    bug = target_of(params.target).bug
    if bug is None:
        return []
    story = T("bug.text", story=T(f"bug.stories.{bug.number}"), source=bug.source)
    return [live.Text(strings=[story], brief=[""])]


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


def _scores(key: str, name: str, copy: Copy | None) -> Panel:
    """Return the panel of an attack's scores on both neighbouring data sets: a dot falls for each trial.

    ``name`` is the prefix of the array names: "" for the attacked program, another one for the corrected
    version of a faulty program. The panel of the corrected version appears from the level *Understand* on.
    """
    return Panel(
        key=key, height=400, depth=Depth.UNDERSTAND if name else Depth.LOOK, leads=not name,
        x=Axis(range=copy.reach if copy else (0, 1)), y=Axis(range=(0, 1), ticks=()),
        layers=[
            layers.HLine(at=_FLOORS["with"], role="private", width=1, label=T("panels.scores.with")),
            layers.HLine(at=_FLOORS["without"], role="other", width=1, label=T("panels.scores.without")),
            *(layers.Rain(xy=name + world, upto=f"{name}fallen", floor=_FLOORS[world],
                          top=FALLS_FROM[world] - 0.03, role=role, size=_DOT)
              for world, role in _ROLES.items()),
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


def _readouts(*, known: bool) -> list[Readout]:
    more: dict[str, Any] = {"depth": Depth.UNDERSTAND}
    rates = [
        T.readout(Readout(value=key, format=".1%", **more), "" if known else "begin")
        for key in ("false", "missed")
    ]
    return [
        T.readout(Readout(value="bound_now", format=".3g", role="private")),
        T.readout(Readout(value="ceiling_now", format=".3g")),
        T.readout(Readout(value="wrong", format="in 100")),
        *rates,
        T.readout(Readout(value="threshold", format=".3g", **more)),
        T.readout(Readout(value="alone", format=".3g", **more)),
        T.readout(Readout(value="needed", format="d", **more)),
    ]
