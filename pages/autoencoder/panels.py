"""Panels of the figure of the Autoencoder page: released images, and the attacks on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from dpcore.experiments.autoencoder.releases import BINS
from dpcore.guarantee import Guarantee
from pages.autoencoder.arrays import FAR
from pages.autoencoder.papers import printed_panels, rival_panels
from ui.figure_kit.bets import on_outcomes
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.figure_kit.outcomes import Someone
from ui.live import Array, Axis, FaceOff, Panel, layers
from ui.live.depth import Depth
from ui.words import text
from ui.words.units import whose_records

if TYPE_CHECKING:
    from pages.autoencoder.shown import Shown

__all__ = ["panels"]

T = text.load_text(__file__)
_SIDE = FAR / 2 + 3.6  # of the picture of two bells, in widths of the noise
_ALARMS = [float(a) for a in autoencoder.FALSE_ALARMS]
_DRAWS = [float(k) for k in autoencoder.DRAWS]
_FOUND = Axis(range=(0, 1.03), title=T("axes.found"), format=".0%")
_NOW = layers.VLine(at="epsilon_now", role="muted", width=1, label=T("layers.your_epsilon"))


def panels(
    params: AutoencoderParams,
    answer: Shown,
    arrays: Mapping[str, Array],
    replaced: tuple[Someone, Guarantee] | None = None,
) -> list[Panel]:
    """Return the panels whose numbers are in ``arrays``.

    ``replaced`` is the picture that a reader can replace, and the guarantee of one release.
    """
    if params.real:
        return _generator(answer) if "invented" in arrays else [_real_digits(answer)]
    return [
        *([_face_off(answer)] if "face_votes" in arrays else []),
        _large(answer),
        _people(answer, replaced),
        *([_trained(answer)] if "trained" in arrays else []),
        _draws(answer),
        _hits_panel(answer),
        *_attackers(),
        *_two_worlds(answer),
        *_histograms(answer),
        *_membership(params),
        *rival_panels(answer),
        *printed_panels(answer),
    ]


def _mosaic(answer: Shown, **more: Any) -> Panel:
    return Panel(kind="mosaic", **{"shape": answer.problem.shape, "range": (0.0, 1.0), **more})


def _half(answer: Shown) -> tuple[int, int]:
    high, wide = answer.problem.shape
    return (high, wide) if high <= 16 else (high // 2, wide // 2)


def _large(answer: Shown) -> Panel:
    panel = _mosaic(
        answer, key="large", still="large_still", tiles="large", columns=4, height=150,
        depth=Depth.UNDERSTAND,
    )  # fmt: skip
    return T.panel(panel, dataset=answer.problem.title)


def _draws(answer: Shown) -> Panel:
    panel = _mosaic(
        answer, key="draws", tiles="thirty", columns=6, depth=Depth.UNDERSTAND, height=265,
        shape=_half(answer),
    )  # fmt: skip
    return T.panel(panel)


def _face_off(answer: Shown) -> Panel:
    """Return the panel of a guessing game: which of six images was published?"""
    words = {
        name: T(f"panels.face.{name}")
        for name in ("question", "right", "wrong", "found", "missed", "waits", "score", "you", "attacker",
                     "candidate", "on", "again")
    }  # fmt: skip
    game = FaceOff(
        published="face_published", candidates="face_candidates", truth="face_truth", votes="face_votes", **words
    )  # fmt: skip
    panel = _mosaic(
        answer, key="face", tiles="face_published", height=370, leads=True, face_off=game
    )
    return T.panel(panel, size=len(answer.problem.everyone), tried=len(autoencoder.LEVELS))


def _people(answer: Shown, replaced: tuple[Someone, Guarantee] | None) -> Panel:
    return T.panel(
        _mosaic(
            answer, key="people", still="people", tiles="released", columns=10, height=380,
            bets=on_outcomes(*replaced) if replaced else None,
        ),
        "exchanged" if replaced else "",
    )  # fmt: skip


def _trained(answer: Shown) -> Panel:
    return T.panel(
        _mosaic(answer, key="trained", still="both_rows", tiles="trained", columns=10, height=240)
    )


def _hits_panel(answer: Shown) -> Panel:
    panel = Panel(
        key="found", height=235, depth=Depth.UNDERSTAND, x=epsilon_axis(T("axes.claimed")), y=_FOUND,
        layers=[
            _NOW,
            layers.Line(x="level_x", y="cancelled_curve", role="danger",
                        label=T("panels.found.cancelled"), label_short=T("panels.found.cancelled_short")),
            layers.Line(x="level_x", y="batch_curve", role="other", depth=Depth.UNDERSTAND,
                        label=T("panels.found.batch"), label_short=T("panels.found.batch_short")),
            layers.Line(x="level_x", y="informed_curve", role="nonprivate", depth=Depth.UNDERSTAND,
                        label=T("panels.found.informed"), label_short=T("panels.found.informed_short")),
            layers.Line(x="level_x", y="alone_curve",
                        label=T("panels.found.alone"), label_short=T("panels.found.alone_short")),
            layers.Dot(x="epsilon_now", y="batch_now", role="other", size=5, depth=Depth.UNDERSTAND),
            layers.Dot(x="epsilon_now", y="alone_now"),
        ],
    )  # fmt: skip
    problem = answer.problem
    return T.panel(panel, size=len(problem.everyone), whose=whose_records(problem.unit))


def _attackers() -> list[Panel]:
    averages = Panel(
        key="averages", height=330, depth=Depth.UNDERSTAND,
        x=Axis(range=(0.9, 34), log=True, ticks=autoencoder.DRAWS), y=_FOUND,
        layers=[
            layers.Line(x=_DRAWS, y="averages", label=T("panels.averages.found")),
            layers.Dot(x="draws_now", y="averages_now"),
        ],
    )  # fmt: skip
    true = Panel(
        key="true", height=330, depth=Depth.UNDERSTAND, x=epsilon_axis(T("axes.claimed")),
        y=Axis(range=(0.01, 1e6), log=True, ticks=(0.01, 0.1, 1, 10, 100, 1e3, 1e4, 1e5),
               words=("0.01", "0.1", "1", "10", "100", "1000", "10\u202f000", "100\u202f000")),
        layers=[
            _NOW,
            layers.Line(x=EPSILONS, y=EPSILONS, role="danger", dash=True, label=T("panels.true.claimed")),
            layers.Line(x=EPSILONS, y="typical_curve", role="nonprivate",
                        label=T("panels.true.typical"), label_short=T("panels.true.typical_short")),
            layers.Line(x=EPSILONS, y="pair_curve", width=2.5,
                        label=T("panels.true.pair"), label_short=T("panels.true.pair_short")),
            layers.Dot(x="epsilon_now", y="true_epsilon"),
        ],
    )  # fmt: skip
    return [T.panel(averages), T.panel(true)]


def _bells(variant: str = "") -> Panel:
    """Return the panel of the two output densities for two neighbouring data sets.

    Each density is centred at the noiseless result of its data set.
    """
    ending = f"_{variant}" if variant else ""
    panel = Panel(
        key="worlds", height=330, depth=Depth.UNDERSTAND,
        x=Axis(range=(-_SIDE, _SIDE)), y=Axis(range=(-0.36, 1.1), ticks=()),
        layers=[
            layers.Line(x="bell_there", y="bell", role="other", label=T(f"panels.worlds.there{ending}")),
            layers.Line(x="bell_here", y="bell", role="private", label=T(f"panels.worlds.here{ending}")),
            layers.Cloud(xy="dots_there", labels="zero", role="other", size=3.2, alpha=0.7),
            layers.Cloud(xy="dots_here", labels="zero", role="private", size=3.2, alpha=0.7),
        ],
    )  # fmt: skip
    return T.panel(panel, variant, far=FAR)


def _two_worlds(answer: Shown) -> list[Panel]:
    two = _mosaic(
        answer, key="two", still="two_still", tiles="two", columns=2, height=330, depth=Depth.UNDERSTAND
    )  # fmt: skip
    return [T.panel(two), _bells()]


def _histograms(answer: Shown) -> list[Panel]:
    edges = [i / BINS for i in range(BINS + 1)]
    bins = Panel(
        key="bins", height=330, depth=Depth.CHECK,
        x=Axis(range=(0, 1)), y=Axis(range=(0, 1), format=".0%"),
        layers=[
            layers.Bars(edges=edges, heights="own_bins", role="nonprivate", alpha=0.55,
                        label=T("panels.bins.original")),
            layers.Bars(edges=edges, heights="bins", role="private", alpha=0.5, label=T("panels.bins.release")),
        ],
    )  # fmt: skip
    return [T.panel(bins), _hellinger(answer)]


def _hellinger(answer: Shown) -> Panel:
    other, same = answer.baselines.other_digit, answer.baselines.same_digit
    panel = Panel(
        key="hellinger", height=330, depth=Depth.CHECK,
        x=epsilon_axis(T("axes.claimed")), y=Axis(range=(0, 0.7)),
        layers=[
            layers.Band(x="node_x", low="h_low", high="h_high",
                        label=T("panels.hellinger.middle"), label_short=T("panels.hellinger.middle_short")),
            layers.HLine(at="h_other", role="nonprivate", label=T("panels.hellinger.other", distance=other),
                         label_short=T("panels.hellinger.other_short")),
            layers.HLine(at="h_same", role="nonprivate", dash=True,
                         label=T("panels.hellinger.same", distance=same),
                         label_short=T("panels.hellinger.same_short")),
            layers.Line(x="node_x", y="h_middle",
                        label=T("panels.hellinger.median"), label_short=T("panels.hellinger.median_short")),
            layers.Cloud(xy="h_paper", labels="zero", role="danger", size=4, alpha=0.9,
                         label=T("panels.hellinger.paper"), label_short=T("panels.hellinger.paper_short")),
            layers.Dot(x="epsilon_now", y="h_now"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _membership(params: AutoencoderParams) -> list[Panel]:
    roc = Panel(
        key="roc", height=330, depth=Depth.UNDERSTAND,
        x=Axis(range=(0, 1), format=".0%"), y=Axis(range=(0, 1.01), format=".0%"),
        layers=[
            layers.Line(x=[0.0, 1.0], y=[0.0, 1.0], role="muted", dash=True, width=1,
                        label=T("layers.guessing")),
            layers.Line(x=_ALARMS, y="plain_hits", role="nonprivate", label=T("layers.without_noise")),
            layers.Line(x=_ALARMS, y="refit_hits", role="other",
                        label=T("layers.refitted"), label_short=T("layers.refitted_short")),
            layers.Line(x=_ALARMS, y="hits", label=T("panels.roc.noise"), label_short=T("panels.roc.noise_short")),
        ],
    )  # fmt: skip
    area = Panel(
        key="area", height=330, depth=Depth.UNDERSTAND,
        x=epsilon_axis(T("axes.claimed")), y=Axis(range=(0.4, 1.02), format=".0%"),
        layers=[
            layers.HLine(at=0.5, role="muted", dash=True, width=1, label=T("layers.guessing")),
            layers.HLine(at="plain_area", role="nonprivate", label=T("layers.without_noise")),
            layers.HLine(at="refit_area", role="other", label=T("layers.refitted"),
                         label_short=T("layers.refitted_short")),
            _NOW,
            layers.Line(x="level_x", y="area_curve", label=T("panels.area.noise")),
            layers.Dot(x="epsilon_now", y="area_now"),
        ],
    )  # fmt: skip
    return [T.panel(roc, "few" if params.trained_on == "few" else ""), T.panel(area)]


def _real_digits(answer: Shown) -> Panel:
    """Return the panel of real digits, shown before the synthetic ones are computed."""
    return _mosaic(
        answer, key="people", title=T("panels.real.title"), caption=T("panels.real.caption"),
        alt=T("panels.real.alt"), tiles="originals", columns=10, height=225,
    )  # fmt: skip


def _generator(answer: Shown) -> list[Panel]:
    """Return the panels of the generator, which makes synthetic digits with a proved guarantee."""
    invented = _mosaic(
        answer, key="invented", tiles="invented", still="originals", columns=10, height=225
    )  # fmt: skip
    useful = Panel(
        key="useful", height=225, x=epsilon_axis(), y=Axis(range=(0, 1), format=".0%"),
        layers=[
            layers.HLine(at="taught_real", role="nonprivate", label=T("layers.taught_real"),
                         label_short=T("layers.taught_real_short")),
            layers.HLine(at="noiseless", role="nonprivate", dash=True,
                         label=T("panels.useful.noiseless"), label_short=T("layers.no_noise")),
            _NOW,
            layers.Line(x=EPSILONS, y="useful_curve",
                        label=T("panels.useful.private"), label_short=T("panels.useful.private_short")),
            layers.Dot(x="epsilon_now", y="useful"),
        ],
    )  # fmt: skip
    return [T.panel(invented), T.panel(useful), _audit(), _bells("generator")]


def _audit() -> Panel:
    panel = Panel(
        key="audit", height=330, depth=Depth.UNDERSTAND, x=epsilon_axis(T("axes.promised")),
        y=Axis(range=(0.01, 30), log=True, ticks=(0.01, 0.1, 1, 10)),
        layers=[
            _NOW,
            layers.Line(x=EPSILONS, y=EPSILONS, role="nonprivate", dash=True, label=T("panels.audit.promised")),
            layers.Line(x=EPSILONS, y="demonstrated_curve", width=2.5, label=T("panels.audit.demonstrated"),
                        label_short=T("panels.audit.demonstrated_short")),
            layers.Dot(x="epsilon_now", y="demonstrated"),
        ],
    )  # fmt: skip
    return T.panel(panel, n_trials=autoencoder.TRIALS, confidence=autoencoder.CONFIDENCE)
