"""Panels that repeat figures and claims of Jain et al.

These panels compare three methods, repeat Figures 2 to 5, and add noise to a noisy release.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dpcore.autoencoder import EPSILONS as PAPER_EPSILONS
from dpcore.autoencoder import KINDS, paper
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.live import Axis, Panel, layers
from ui.live.depth import Depth
from ui.words import text
from ui.words.numbers import short

if TYPE_CHECKING:
    from pages.autoencoder.shown import Shown

__all__ = ["printed_panels", "rival_panels"]

T = text.load_text(__file__)
_SEVEN = [float(e) for e in PAPER_EPSILONS]
_ROLES = {"hidden": "private", "output": "other", "both": "nonprivate"}


def rival_panels(answer: Shown) -> list[Panel]:
    """Return the panels that compare three ways to publish digits at the same ε."""
    return [_pictures(answer), _taught(), _redrawn(), _seconds()]


def _pictures(answer: Shown) -> Panel:
    panel = Panel(
        key="rivals", kind="mosaic", shape=answer.problem.shape, range=(0.0, 1.0), tiles="rivals", columns=7,
        height=330, captions=tuple(short(e) for e in PAPER_EPSILONS), depth=Depth.UNDERSTAND,
    )  # fmt: skip
    return T.panel(panel)


def _taught() -> Panel:
    real = layers.HLine(at="real_taught", role="nonprivate", label=T("layers.taught_real"),
                        label_short=T("layers.taught_real_short"))  # fmt: skip
    curves = [
        real,
        _claimed("bias_taught"),
        _network("network_taught"),
        _averages("generator_taught"),
    ]
    return _rivals_panel("taught", Axis(range=(0, 1), format=".0%"), curves)


def _redrawn() -> Panel:
    plain = layers.HLine(at="no_noise_error", role="nonprivate", label=T("layers.no_noise"))
    curves = [plain, _claimed("bias_error"), _network("network_error")]
    return _rivals_panel("redrawn", Axis(range=(0, 0.25)), curves)


def _seconds() -> Panel:
    axis = Axis(
        range=(1e-4, 1e3), log=True, ticks=(1e-3, 1e-1, 10.0, 1000.0), words=("0.001", "0.1", "10", "1000")
    )  # fmt: skip
    once = layers.HLine(at="once_seconds", role="nonprivate", label=T("panels.seconds.once"),
                        label_short=T("panels.seconds.once_short"))  # fmt: skip
    curves = [
        once,
        _claimed("bias_seconds"),
        _network("network_seconds"),
        _averages("generator_seconds"),
    ]
    return _rivals_panel("seconds", axis, curves)


def _claimed(name: str) -> layers.Line:
    return layers.Line(
        x=_SEVEN, y=name, role="danger", dash=True,
        label=T("panels.rivals.claimed"), label_short=T("panels.rivals.claimed_short"),
    )  # fmt: skip


def _network(name: str) -> layers.Line:
    return layers.Line(
        x=_SEVEN, y=name, role="other",
        label=T("panels.rivals.network"), label_short=T("panels.rivals.network_short"),
    )  # fmt: skip


def _averages(name: str) -> layers.Line:
    return layers.Line(
        x=_SEVEN, y=name, width=2.5,
        label=T("panels.rivals.averages"), label_short=T("panels.rivals.averages_short"),
    )  # fmt: skip


def _now() -> layers.VLine:
    return layers.VLine(at="epsilon_now", role="muted", width=1, label=T("layers.your_epsilon"))


def _rivals_panel(key: str, y: Axis, curves: Sequence[layers.Layer]) -> Panel:
    panel = Panel(
        key=key,
        height=330,
        depth=Depth.UNDERSTAND,
        y=y,
        x=_seven_axis(),
        layers=[_now(), *curves],
    )
    return T.panel(panel)


def _seven_axis() -> Axis:
    """Return the horizontal axis with the seven values of ε that Jain et al. use."""
    return Axis(
        range=(0.7, 9.2), title=T("axes.epsilon"), log=True, ticks=tuple(_SEVEN),
        words=tuple(short(e) for e in PAPER_EPSILONS),
    )  # fmt: skip


def printed_panels(answer: Shown) -> list[Panel]:
    """Return the panels that repeat Figures 2 to 5 of Jain et al., and those that add noise to a noisy release."""
    return [
        *(_figure(answer, number, kind) for number, kind in zip((2, 3, 4), KINDS, strict=True)),
        _similarity("bc", (0.84, 1.0)),
        _similarity("h", (0.0, 0.45)),
        _renoised(),
    ]


def _figure(answer: Shown, number: int, kind: str) -> Panel:
    rows = (T("panels.figure_2.row", value=e) for e in PAPER_EPSILONS)
    panel = Panel(
        key=f"figure_{number}", kind="mosaic", shape=answer.problem.shape, range=(0.0, 1.0), still="samples",
        tiles=f"samples_{kind}", columns=10, height=430, depth=Depth.CHECK,
        rows=(T("panels.figure_2.original"), *rows),
    )  # fmt: skip
    return T.panel(panel, dataset=answer.problem.title)


def _similarity(name: str, span: tuple[float, float]) -> Panel:
    panel = Panel(
        key=f"figure_5_{name}", height=400, depth=Depth.CHECK, x=_seven_axis(), y=Axis(range=span),
        layers=[layer for kind in KINDS for layer in _printed_and_ours(name, kind)],
    )  # fmt: skip
    return T.panel(panel)


def _printed_and_ours(name: str, kind: str) -> list[layers.Line]:
    table, where = paper.TABLES[kind], T(f"places.{kind}")
    printed = list(table.hellinger if name == "h" else table.bhattacharyya)
    return [
        layers.Line(x=_SEVEN, y=printed, role=_ROLES[kind], dash=True, width=1.5,
                    label=T("panels.figure_5_bc.printed", where=where)),
        layers.Line(x=_SEVEN, y=f"{kind}_{name}", role=_ROLES[kind], width=2.5, keep=False,
                    label=T("panels.figure_5_bc.ours", where=where)),
    ]  # fmt: skip


def _renoised() -> Panel:
    panel = Panel(
        key="renoised", height=400, depth=Depth.CHECK, x=epsilon_axis(T("axes.each")),
        y=Axis(range=(0.01, 60), log=True, ticks=(0.01, 0.1, 1, 10)),
        layers=[
            _now(),
            layers.Line(x=EPSILONS, y="again_printed", role="danger", dash=True,
                        label=T("panels.renoised.printed"), label_short=T("panels.renoised.printed_short")),
            layers.Line(x=EPSILONS, y=EPSILONS, role="nonprivate", dash=True,
                        label=T("panels.renoised.proved"), label_short=T("panels.renoised.proved_short")),
            layers.Line(x=EPSILONS, y="again_original", role="text",
                        label=T("panels.renoised.original"), label_short=T("panels.renoised.original_short")),
            layers.Line(x=EPSILONS, y="again_alone", width=2.5,
                        label=T("panels.renoised.alone"), label_short=T("panels.renoised.alone_short")),
            layers.Line(x=EPSILONS, y="again_shown_release", role="other", width=1.5,
                        label=T("panels.renoised.attack"), label_short=T("panels.renoised.attack_short")),
        ],
    )  # fmt: skip
    return T.panel(panel)
