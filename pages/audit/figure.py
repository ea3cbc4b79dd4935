"""Interactive figure of the Audit page: lower bounds on ε against the claim, and the attack's scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from dpcore.experiments.audit import LOOKS, AuditParams, target_of, worlds_of
from dpcore.experiments.grids import EPSILON_GRID
from pages.audit.arrays import FALLS_FROM, MOST_DOTS, PILES_ON, arrays, claims_of, evidence
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
_WRONG = {"with": ("below", "missed"), "without": ("above", "false")}
"""Side of the threshold on which the attacker is wrong in each world, and the name of the error."""
_BETWEEN = 0.505  # height between the two heaps
_STAMPED = 0.24  # height of the stamp
_DOT = 2.0  # pixels
_LINE = 14.0  # pixels from a line to the words at it
_HIGHEST = 40.0  # ε at which the words in the area above the ceiling stand
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
    """Return the button that is shown beside a faulty program, as a list of one.

    The button replaces the faulty program by a correct program of this app. The list is empty for a correct program.
    """
    if target_of(params.target).bug is None:
        return []
    return [("ours", T("buttons.ours"), T("buttons.ours_help"))]


def _odds(params: AuditParams, attack: Attack | None) -> live.Text:
    """Return the sentence on an attacker's odds under each claimed (ε, δ), with a pictogram of a hundred people.

    If the attack refutes a claim, the sentence states what the attack has proved instead.
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
    """Return a list with one text, which describes the bug of the program and names the source of this bug.

    The list is empty for a correct program.
    """
    bug = target_of(params.target).bug
    if bug is None:
        return []
    story = T("bug.text", story=T(f"bug.stories.{bug.number}"), source=bug.source)
    return [live.Text(strings=[story], brief=[T("bug.brief", brief=T(f"bug.briefs.{bug.number}"))])]


def _climb(bug: bool, *, known: bool, gaussian: bool) -> Panel:
    any_noise = layers.Line(
        x=ATTACKED, y="any_noise", role="nonprivate", dash=True, width=1.2,
        label=T("panels.climb.any_noise"), label_short=T("panels.climb.any_noise_short"),
        depth=Depth.UNDERSTAND,
    )  # fmt: skip
    panel = Panel(
        key="climb", height=400, depth=Depth.UNDERSTAND, x=_TRIALS, y=_LOSS,
        guess=Guess(question=T("panels.climb.guess"), x="looks", y="bound") if known else None,
        layers=[
            layers.Band(x=ATTACKED, low="ceiling", high=[60.0] * len(LOOKS), role="muted", alpha=0.14),
            layers.Line(x=ATTACKED, y="ceiling", role="muted", width=1.5),
            layers.HLine(at="own", role="muted", dash=True, width=1, label=T("panels.climb.built"),
                         depth=Depth.UNDERSTAND),
            layers.HLine(at="claim", role="danger", width=2),
            *([any_noise] if gaussian else []),
            *(_shown("twin_", "nonprivate", T("panels.climb.repaired")) if bug else []),
            *_shown("", "text", T("panels.climb.bug" if bug else "panels.climb.proved")),
            layers.Annotation(x=_TRIALS.range[1], y=_HIGHEST, align="right", role="nonprivate",
                              words=T("panels.climb.most"), words_short=T("panels.climb.most_short")),
            layers.Annotation(x=_TRIALS.range[1], y="claim", align="right", dy=-_LINE, role="danger",
                              words=T("panels.climb.claim")),
            layers.Dot(x="caught_at", y="claim", role="danger", size=5),
            _stamp(x="caught_at", y="claim", dy=_LINE + 4),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _shown(copy: str, role: str, words: str) -> list[layers.Layer]:
    """Return the curve of the lower bound on a program's ε, with ``words`` at the end of the curve.

    ``copy`` is the prefix of the array names.
    """
    now = f"{copy}bound_at"
    return [
        layers.Line(x=ATTACKED, y=f"{copy}bound", role=role, width=1.8 if copy else 2.6, keep=not copy),
        layers.Dot(x=f"{copy}n_now", y=now, role=role, size=4 if copy else 7, keep=not copy),
        layers.Annotation(x=f"{copy}n_now", y=now, align="right", dx=-12.0, dy=-_LINE, role=role, words=words),
    ]  # fmt: skip


def _scores(key: str, name: str, copy: Copy | None) -> Panel:
    """Return the panel of an attack's scores on both neighbouring data sets, with a falling dot for each trial.

    ``name`` is the prefix of the array names: "" for the attacked program, "twin_" for the corrected version of
    a faulty program. The panel of the corrected version appears from the level *Understand* on.
    """
    reach = copy.reach if copy else (0, 1)
    return Panel(
        key=key, height=400, depth=Depth.UNDERSTAND if name else Depth.LOOK, leads=not name,
        x=Axis(range=reach), y=Axis(range=(0, 1), ticks=()),
        layers=[
            *(part for world in _WRONG for part in _heap(name, world, reach)),
            layers.VLine(at=f"{name}threshold", role="text", dash=True, width=1.2),
            layers.Annotation(x=f"{name}threshold", y=_BETWEEN, dx=6.0, words=T("panels.scores.threshold")),
            # On the trials of a refuted claim, where only false alarms would lie.
            *([] if name else [_stamp(x="stamp", y=_STAMPED, align="right", dx=-_LINE)]),
        ],
    )  # fmt: skip


def _stamp(**place: Any) -> layers.Annotation:
    """Return the stamp that says after how many trials a claim is refuted, at a position of the panel."""
    return layers.Annotation(
        **place, role="danger", stamped=True,
        words=T("panels.climb.caught"), words_short=T("panels.climb.caught_short"),
    )  # fmt: skip


def _heap(name: str, world: str, reach: tuple[float, float]) -> list[layers.Layer]:
    """Return the heap of scores on one of the two neighbouring data sets, ``world``.

    A band marks the side of the threshold on which the attacker is wrong.
    """
    role, (side, error) = _ROLES[world], _WRONG[world]
    floor, top = PILES_ON[world], FALLS_FROM[world]
    other = next(key for key in _WRONG if key != world)
    wrong: dict[str, Any] = {"align": "right", "dx": -6.0} if side == "below" else {"dx": 6.0}
    return [
        layers.Band(x=name + side, low=[floor] * 2, high=[top] * 2, role="danger", alpha=0.1),
        layers.HLine(at=floor, role=role, width=1),
        layers.Rain(xy=name + world, upto=f"{name}fallen", floor=floor, top=top - 0.03, like=name + other,
                    role=role, size=_DOT),
        layers.Annotation(x=reach[1], y=top, align="right", dx=-4.0, dy=_LINE, role=role,
                          words=T(f"panels.scores.{world}")),
        layers.Annotation(x=f"{name}threshold", y=top, dy=2.3 * _LINE, role="danger", **wrong,
                          words=T(f"panels.scores.{error}"), words_short=T(f"panels.scores.{error}_short")),
    ]  # fmt: skip


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
        T.readout(Readout(value="bound_now", format=".3g")),
        T.readout(Readout(value="ceiling_now", format=".3g", depth=Depth.UNDERSTAND)),
        T.readout(Readout(value="wrong", format="in 100")),
        *rates,
        T.readout(Readout(value="threshold", format=".3g", **more)),
        T.readout(Readout(value="alone", format=".3g", **more)),
        T.readout(Readout(value="needed", format="d", **more)),
    ]
