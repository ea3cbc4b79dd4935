"""Figures 2 to 5 of Jain et al. as they are printed, and noise on noise: arrays and panels at Check."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpcore.autoencoder import EPSILONS as PAPER_EPSILONS
from dpcore.autoencoder import KINDS, paper
from dpcore.experiments.autoencoder import Irregular, Renoised
from dpcore.experiments.grids import EPSILON_GRID
from pages.autoencoder.figure_rivals import SEVEN, seven_axis
from ui.figure_kit.common import EPSILONS, array, epsilon_axis, in_bytes
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, layers
from ui.words.numbers import short

if TYPE_CHECKING:
    from pages.autoencoder.shown import Shown

__all__ = ["FIGURES_TAB", "FIGURE_5_TAB", "RENOISED_TAB", "printed_arrays", "printed_panels"]

FIGURES_TAB, FIGURE_5_TAB, RENOISED_TAB = "Figures 2 to 4", "Figure 5", "Noise on noise"
_WHERE = {"hidden": "the hidden biases", "output": "the output biases", "both": "both, ε/2 each"}
_ROLES = {"hidden": "private", "output": "other", "both": "nonprivate"}


def printed_arrays(answer: Shown) -> dict[str, Array]:
    """Return the arrays of the three tabs; nan where nothing is known yet."""
    return _samples(answer) | _similar(answer.irregular) | _again(answer.renoised)


def _samples(answer: Shown) -> dict[str, Array]:
    made = answer.sweep.seven
    return {
        "samples": in_bytes(answer.sweep.originals),
        **{f"samples_{kind}": in_bytes(made[:, k].reshape(70, -1)) for k, kind in enumerate(KINDS)},
    }


def _similar(found: Irregular | None) -> dict[str, Array]:
    unknown = np.full((3, 7), np.nan)
    H, BC = (unknown, unknown) if found is None else (found.hellinger, found.bhattacharyya)
    return {f"{kind}_h": array(H[k]) for k, kind in enumerate(KINDS)} | {
        f"{kind}_bc": array(BC[k]) for k, kind in enumerate(KINDS)
    }


def _again(found: Renoised | None) -> dict[str, Array]:
    names = ("printed", "alone", "original", "shown_release", "shown_original")
    unknown = np.full(len(EPSILON_GRID), np.nan)
    return {
        f"again_{name}": array(unknown if found is None else getattr(found, name)) for name in names
    }


def printed_panels(answer: Shown) -> list[Panel]:
    """Return the panels of the three tabs."""
    return [
        *(_figure(answer, number, kind) for number, kind in zip((2, 3, 4), KINDS, strict=True)),
        _similarity(
            "bc",
            "Figure 5: the Bhattacharyya coefficient",
            (0.84, 1.0),
            "BC (1: the same histogram)",
        ),
        _similarity("h", "The same for Hellinger's H", (0.0, 0.45), "H (0: the same histogram)"),
        _renoised(),
    ]


def _figure(answer: Shown, number: int, kind: str) -> Panel:
    return Panel(
        key=f"figure_{number}", kind="mosaic", shape=answer.problem.shape, range=(0.0, 1.0),
        title=f"Figure {number}: noise on {_WHERE[kind]}", tab=FIGURES_TAB, still="samples",
        tiles=f"samples_{kind}", columns=10, height=430, depth=Depth.CHECK,
        rows=("original", *(f"ε = {short(e)}" for e in PAPER_EPSILONS)),
        caption="As Jain et al. (2021) print it: samples from left to right, the originals on top, then their "
        f"seven ε at δ = 10⁻⁵. Here with {answer.problem.title}, one noise for all, scaled by ε.",
        alt=f"Ten originals and below them their releases at ε = 0.8 to 8 with noise on {_WHERE[kind]}.",
    )  # fmt: skip


def _similarity(name: str, title: str, span: tuple[float, float], words: str) -> Panel:
    tables = {kind: paper.TABLES[kind] for kind in KINDS}
    theirs = {
        kind: list(table.hellinger if name == "h" else table.bhattacharyya)
        for kind, table in tables.items()
    }
    curves: list[layers.Layer] = []
    for kind in KINDS:
        where = kind if kind != "both" else "both layers"
        curves += [
            layers.Line(x=SEVEN, y=theirs[kind], role=_ROLES[kind], dash=True, width=1.5,
                        label=f"{where}, printed"),
            layers.Line(x=SEVEN, y=f"{kind}_{name}", role=_ROLES[kind], width=2.5, keep=False,
                        label=f"{where}, ours"),
        ]  # fmt: skip
    return Panel(
        key=f"figure_5_{name}", title=title, tab=FIGURE_5_TAB, height=400, depth=Depth.CHECK,
        x=seven_axis(), y=Axis(range=span, title=words), layers=curves,
        caption="The printed values are for a nine of MNIST, ours for the picture chosen here. At every ε we keep "
        "the best of ten releases, picked by looking at the original as they do.",
    )  # fmt: skip


def _renoised() -> Panel:
    return Panel(
        key="renoised", title="What a second noise costs", tab=RENOISED_TAB, height=400,
        depth=Depth.CHECK, x=epsilon_axis("ε of each noise"),
        y=Axis(range=(0.01, 60), title="ε of what is published", log=True,
               ticks=(0.01, 0.1, 1, 10)),
        caption="Jain et al. (2021) say that noise added to a release makes it (2ε, 2δ). It is "
        "[[post-processing]]: the release stays (ε, δ), and alone it gives away even less. Only two releases "
        "of the original cost more, and less than 2ε. The attacks cannot show more than 7.9.",
        layers=[
            layers.VLine(at="epsilon_now", role="muted", width=1, label="your ε"),
            layers.Line(x=EPSILONS, y="again_printed", role="danger", dash=True,
                        label="2ε, as printed", label_short="printed"),
            layers.Line(x=EPSILONS, y=EPSILONS, role="nonprivate", dash=True,
                        label="ε: proved, whoever sees both", label_short="proved"),
            layers.Line(x=EPSILONS, y="again_original", role="text",
                        label="two releases of the original, exact", label_short="original twice"),
            layers.Line(x=EPSILONS, y="again_alone", width=2.5,
                        label="noise on a release, exact", label_short="on a release"),
            layers.Line(x=EPSILONS, y="again_shown_release", role="other", width=1.5,
                        label="shown by an attack on it", label_short="attack"),
        ],
    )  # fmt: skip
