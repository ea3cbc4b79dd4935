"""Four tabs of the Audit page, each about another kind of audit.

- An auditor who wrongly refutes a correct Laplace mechanism, since the bound is valid only for Gaussian noise.
- Attacks on twenty programs with known bugs, and on their corrected versions.
- One training with many canaries (inserted records) instead of many trainings.
- Floating-point numbers that noise can reach from only one of two neighbouring data sets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.audit.sabotage import SABOTAGES
from dpcore.experiments.audit import LOOKS, MOST_TRIALS, NEVER, RUNS, AuditParams
from pages.audit.arrays import FLOOR
from ui.figure_kit.common import array
from ui.live import Array, Axis, Guess, Panel, layers
from ui.live.depth import Depth
from ui.words import text

if TYPE_CHECKING:
    from dpcore.experiments.audit import Caught, Reachable, WrongAuditor
    from ui.runner import PageState

__all__ = ["other_arrays", "others"]

T = text.load_text(__file__)
_NUMBERS = [float(case.number) for case in SABOTAGES]
_RUNS = [float(n) for n in RUNS]
_LOOKS = [float(n) for n in LOOKS]


def others(state: PageState[AuditParams]) -> list[Panel]:
    """Return the panels of the four tabs.

    The panels on the wrong auditor and on floating-point numbers are left out until their results are computed.
    """
    wrong, near = state["wrong"], state["reachable"]
    return [
        *([] if wrong is None else [_wrong(wrong)]),
        _bugs(state["bugs"]),  # these two begin when their tab is opened
        _canaries(),
        *([] if near is None else [_reachable(near)]),
    ]


def other_arrays(state: PageState[AuditParams]) -> dict[str, Array]:
    """Return the arrays that the panels of the four tabs draw.

    Arrays of missing results hold NaN or are left out.
    """
    by_name: dict[str, Any] = {"looks": _LOOKS}
    if (wrong := state["wrong"]) is not None:
        by_name |= {
            "accused": np.maximum(wrong.wrong, FLOOR),
            "rightly": np.maximum(wrong.right, FLOOR),
        }
    bugs, one = state["bugs"], state["canaries"]
    nothing = np.full(len(SABOTAGES), np.nan)
    by_name |= {"numbers": _NUMBERS, "caught": bugs.bugs if bugs else nothing}
    by_name["twins"] = bugs.twins if bugs else nothing
    for name in ("many", "many_ceiling", "worlds", "worlds_ceiling"):
        by_name[name] = np.maximum(getattr(one, name), FLOOR) if one else np.full(len(RUNS), np.nan)
    if (near := state["reachable"]) is not None:
        for name, histogram in (("zero", near.from_zero), ("one", near.from_one)):
            height = {"zero": 2.0, "one": 1.0}[name]
            by_name[f"from_{name}"] = np.stack(
                [near.place[histogram > 0], np.full(int(histogram.sum()), height)], 1
            )
            by_name[f"labels_{name}"] = np.zeros(int(histogram.sum()))
        gone = (near.from_one > 0) & (near.from_zero == 0)
        by_name["betrays"] = np.stack([near.place[gone], np.full(int(gone.sum()), 0.0)], 1)
        by_name["labels_betrays"] = np.zeros(int(gone.sum()))
    return {name: array(values) for name, values in by_name.items()}


def _loss() -> Axis:
    return Axis(range=(0.045, 12), log=True, ticks=(0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10),
                words=("0", "0.1", "0.2", "0.5", "1", "2", "5", "10"))  # fmt: skip


def _wrong(result: WrongAuditor) -> Panel:
    limit = result.limit
    panel = Panel(
        key="wrong", height=380, depth=Depth.UNDERSTAND, y=_loss(),
        x=Axis(range=(17, 12_000), log=True, ticks=(20, 100, 1000, 10_000),
               words=("20", "100", "1000", "10\u202f000")),
        layers=[
            layers.HLine(at=limit, role="muted", dash=True, width=1, label=T("panels.wrong.limit", limit=limit),
                         label_short=T("panels.wrong.limit_short", limit=limit)),
            layers.HLine(at=1.0, role="text", width=1.5, label=T("panels.wrong.truth")),
            layers.Line(x=_LOOKS, y="accused", role="danger", width=2.4, label=T("panels.wrong.gaussian"),
                        label_short=T("panels.wrong.gaussian_short")),
            layers.Line(x=_LOOKS, y="rightly", width=2.4, label=T("panels.wrong.any")),
        ],
    )  # fmt: skip
    return T.panel(panel, limit=limit)


def _bugs(result: Caught | None) -> Panel:
    panel = Panel(
        key="bugs", height=400, depth=Depth.UNDERSTAND, x=Axis(range=(0.3, 20.7), ticks=tuple(_NUMBERS)),
        y=Axis(range=(14, 2.6 * NEVER), log=True, ticks=(20, 50, 100, 200, 500, float(NEVER)),
               words=("20", "50", "100", "200", "500", T("panels.bugs.not_caught"))),
        guess=Guess(question=T("panels.bugs.guess"), x="numbers", y="caught", each=True, first=True),
        layers=[
            layers.Line(x=_NUMBERS, y="caught", role="text", width=1.2, keep=True, label=T("panels.bugs.bug")),
            layers.Line(x=_NUMBERS, y="twins", role="nonprivate", width=1.2, label=T("panels.bugs.repaired")),
            *(layers.Dot(x=number, y=float(n), role="text", size=4)
              for number, n in zip(_NUMBERS, result.bugs if result else [], strict=False) if np.isfinite(n)),
        ],
    )  # fmt: skip
    return T.panel(panel, most=MOST_TRIALS)


def _canaries() -> Panel:
    curves: list[tuple[str, dict[str, Any]]] = [
        ("many_ceiling", {"role": "muted", "width": 1.3}),
        ("worlds_ceiling", {"role": "muted", "dash": True, "width": 1.3}),
        ("worlds", {"role": "other", "width": 2.2}),
        ("many", {"width": 2.4}),
    ]
    panel = Panel(
        key="canaries", height=380, depth=Depth.UNDERSTAND, y=_loss(),
        x=Axis(range=(0.85, 130), log=True, ticks=(1, 2, 5, 10, 20, 50, 100)),
        layers=[
            layers.HLine(at=4.0, role="danger", width=1.5, label=T("panels.canaries.claim")),
            *(layers.Line(x=_RUNS, y=name, label=T(f"panels.canaries.{name}"), **style) for name, style in curves),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _reachable(result: Reachable) -> Panel:
    rows = tuple(T(f"panels.reachable.{name}") for name in ("betrays", "one", "zero"))
    panel = Panel(
        key="reachable", height=300, depth=Depth.UNDERSTAND, x=Axis(range=(-1, 60)),
        y=Axis(range=(-0.6, 2.6), ticks=(0.0, 1.0, 2.0), words=rows),
        layers=[
            layers.Points(xy="from_zero", labels="labels_zero", role="other", size=3.5),
            layers.Points(xy="from_one", labels="labels_one", role="private", size=3.5),
            layers.Points(xy="betrays", labels="labels_betrays", role="danger", size=3.5),
        ],
    )  # fmt: skip
    return T.panel(panel, draws=result.draws, share=result.share)
