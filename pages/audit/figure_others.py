"""The tabs of Audit: twenty bugs, a wrong auditor, one training with many canaries, impossible numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dpcore.audit.sabotage import SABOTAGES
from dpcore.experiments.audit import LOOKS, NEVER, RUNS, AuditParams
from pages.audit.figure_arrays import FLOOR
from pages.audit.tabs import BUGS_TAB, CANARIES_TAB, REACHABLE_TAB, SCORED, WRONG_TAB
from ui.figure_kit.common import array
from ui.frame.depth import Depth
from ui.live import Array, Axis, Guess, Panel, layers
from ui.words.numbers import show

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["other_arrays", "others"]

_NUMBERS = [float(case.number) for case in SABOTAGES]
_RUNS = [float(n) for n in RUNS]
_LOOKS = [float(n) for n in LOOKS]


def others(state: PageState[AuditParams]) -> list[Panel]:
    """Return the panels whose results are there."""
    at_once = {
        "wrong": _wrong,
        "reachable": _reachable,
    }  # the others begin when their tab is opened
    made = [panel(state[name]) for name, panel in at_once.items() if state[name] is not None]
    return [*made[:1], _bugs(state["bugs"]), _canaries(), *made[1:]]


def other_arrays(state: PageState[AuditParams]) -> dict[str, Array]:
    """Return what these panels are drawn from."""
    found: dict[str, Any] = {"looks": _LOOKS}
    if (wrong := state["wrong"]) is not None:
        found |= {
            "accused": np.maximum(wrong.wrong, FLOOR),
            "rightly": np.maximum(wrong.right, FLOOR),
        }
    bugs, one = state["bugs"], state["canaries"]
    nothing = np.full(len(SABOTAGES), np.nan)
    found |= {"numbers": _NUMBERS, "caught": bugs.bugs if bugs else nothing}
    found["twins"] = bugs.twins if bugs else nothing
    for name in ("many", "many_ceiling", "worlds", "worlds_ceiling"):
        found[name] = np.maximum(getattr(one, name), FLOOR) if one else np.full(len(RUNS), np.nan)
    if (near := state["reachable"]) is not None:
        for name, made in (("zero", near.from_zero), ("one", near.from_one)):
            height = {"zero": 2.0, "one": 1.0}[name]
            found[f"from_{name}"] = np.stack(
                [near.place[made > 0], np.full(int(made.sum()), height)], 1
            )
            found[f"labels_{name}"] = np.zeros(int(made.sum()))
        gone = (near.from_one > 0) & (near.from_zero == 0)
        found["betrays"] = np.stack([near.place[gone], np.full(int(gone.sum()), 0.0)], 1)
        found["labels_betrays"] = np.zeros(int(gone.sum()))
    return {name: array(values) for name, values in found.items()}


def _loss(title: str = "ε") -> Axis:
    return Axis(range=(0.045, 12), log=True, title=title, ticks=(0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10),
                words=("0", "0.1", "0.2", "0.5", "1", "2", "5", "10"))  # fmt: skip


def _wrong(found: Any) -> Panel:
    return Panel(
        key="wrong", title="A rule for other noise accuses an honest mechanism", tab=WRONG_TAB, height=380,
        depth=Depth.UNDERSTAND, y=_loss(),
        x=Axis(range=(17, 12_000), log=True, title="trials with Ada, and as many without",
               ticks=(20, 100, 1000, 10_000), words=("20", "100", "1000", "10\u202f000")),
        caption="The noise is correct Laplace noise of ε = 1. Both rules see the same trials, with the threshold 0. "
        "The rule for Gaussian noise (Nasr and others 2023) takes Laplace errors for Gaussian ones and goes to "
        "ε = 3.88. It is valid only where the trade-off of both errors is a Gaussian one.",
        alt="Both bounds on a correct mechanism against the number of trials: the wrong one ends above ε = 1.",
        layers=[
            layers.HLine(at=found.limit, role="muted", dash=True, width=1, label="where the wrong rule goes: 3.88",
                         label_short="3.88"),
            layers.HLine(at=1.0, role="text", width=1.5, label="the truth, ε = 1"),
            layers.Line(x=_LOOKS, y="accused", role="danger", width=2.4, label="rule for Gaussian noise",
                        label_short="Gaussian rule"),
            layers.Line(x=_LOOKS, y="rightly", width=2.4, label="rule for any noise"),
        ],
    )  # fmt: skip


def _bugs(found: Any) -> Panel:
    return Panel(
        key="bugs", title="After how many trials is each bug caught?", tab=BUGS_TAB, height=400,
        depth=Depth.UNDERSTAND,
        x=Axis(range=(0.3, 20.7), title="bug (the list is below)", ticks=tuple(_NUMBERS)),
        y=Axis(range=(14, 2.6 * NEVER), log=True, title="trials with Ada, as many without",
               ticks=(20, 50, 100, 200, 500, float(NEVER)), words=("20", "50", "100", "200", "500", "not caught")),
        caption=f"Sixteen published bugs and four of our own (17 to 20), each beside its repaired copy. We "
        f"look at 20, 50, "
        f"100, 200 and {SCORED} trials. Small bugs hide longest: in 3 and 11 only half of the noise is missing, "
        "and 13 shows in one of four answers only.",
        alt="The number of trials after which each of twenty bugs is caught; their repaired copies are not.",
        guess=Guess(
            question="Before you see it: which of the twenty bugs is caught, and after how many trials?",
            x="numbers", y="caught", each=True, first=True,
        ),
        layers=[
            layers.Line(x=_NUMBERS, y="caught", width=1.2, label="with the bug"),
            layers.Line(x=_NUMBERS, y="twins", role="other", width=1.2, label="repaired"),
            *(layers.Dot(x=number, y=float(n), size=4)
              for number, n in zip(_NUMBERS, found.bugs if found else [], strict=False) if np.isfinite(n)),
        ],
    )  # fmt: skip


def _canaries() -> Panel:
    return Panel(
        key="canaries", title="One training with a hundred canaries, or two worlds", tab=CANARIES_TAB, height=380,
        depth=Depth.UNDERSTAND, y=_loss(),
        x=Axis(range=(0.85, 130), log=True, title="trainings in all", ticks=(1, 2, 5, 10, 20, 50, 100)),
        caption="We train DP-GLVQ at ε = 4, and the attacker sees all steps. Either each training has 100 "
        "[[canary|canaries]], each in or out independently, and the attacker guesses 40 (Steinke, Nasr and Jagielski "
        "2023). Or half of the trainings have one canary. “At most” is what each way could show at best. Each point "
        "holds by itself at 95 %.",
        alt="Bounds of both ways of auditing against the number of trainings, with the most that each can show.",
        layers=[
            layers.HLine(at=4.0, role="danger", width=1.5, label="the claim"),
            layers.Line(x=_RUNS, y="many_ceiling", role="muted", width=1.3, label="many canaries, at most"),
            layers.Line(x=_RUNS, y="worlds_ceiling", role="muted", dash=True, width=1.3, label="two worlds, at most"),
            layers.Line(x=_RUNS, y="worlds", role="other", width=2.2, label="two worlds"),
            layers.Line(x=_RUNS, y="many", width=2.4, label="many canaries"),
        ],
    )  # fmt: skip


def _reachable(found: Any) -> Panel:
    share = show(found.share, ".0%")
    return Panel(
        key="reachable", title="Which numbers can come out at all?", tab=REACHABLE_TAB, height=300,
        depth=Depth.UNDERSTAND,
        x=Axis(range=(-1, 60), title="the 60 numbers after 1.5 in a computer"),
        y=Axis(range=(-0.6, 2.6), ticks=(0.0, 1.0, 2.0), words=("betrays a 1", "from 1", "from 0")),
        caption=f"Textbook Laplace noise is the logarithm of a 53-bit number, and most numbers are no such logarithm "
        f"(Mironov 2012). Of {found.draws} answers to a true 1, {share} cannot have come from 0: no ε covers that.",
        alt="Which of sixty neighbouring numbers the noise can reach from 0 and from 1.",
        layers=[
            layers.Points(xy="from_zero", labels="labels_zero", role="other", size=3.5),
            layers.Points(xy="from_one", labels="labels_one", role="private", size=3.5),
            layers.Points(xy="betrays", labels="labels_betrays", role="danger", size=3.5),
        ],
    )  # fmt: skip
