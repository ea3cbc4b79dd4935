"""Three ways to publish digits at the same ε: arrays and panels of the tab Rivals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpcore.autoencoder import EPSILONS as PAPER_EPSILONS
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams, Rivals
from pages.autoencoder.figure_attack_panels import NOW
from ui.figure_kit.common import array, in_bytes
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, layers
from ui.words.numbers import short

if TYPE_CHECKING:
    from pages.autoencoder.shown import Shown

__all__ = ["RIVALS_TAB", "SEVEN", "rival_arrays", "rival_panels", "seven_axis"]

RIVALS_TAB = "Rivals"
SEVEN = [float(e) for e in PAPER_EPSILONS]
_ROWS = ("biases", "redrawn", "invented", "averages")


def rival_arrays(params: AutoencoderParams, answer: Shown) -> dict[str, Array]:
    """Return the arrays of the tab; nan where nothing is known yet."""
    found = answer.rivals or autoencoder.no_rivals(answer.problem.everyone.shape[1])
    return {
        "rivals": _tiles(params, answer, found),
        "bias_taught": array(found.bias_taught, "kind"),
        "network_taught": array(found.network_taught),
        "generator_taught": array(found.generator_taught),
        "real_taught": array(found.taught_real),
        "bias_error": array(found.bias_error, "kind"),
        "network_error": array(found.network_error),
        "no_noise_error": array(answer.problem.test_loss),
        "bias_seconds": array(found.bias_seconds),
        "network_seconds": array(found.network_seconds),
        "generator_seconds": array(found.generator_seconds),
        "once_seconds": array(found.once[0]),
    }


def _tiles(params: AutoencoderParams, answer: Shown, found: Rivals) -> Array:
    """The chosen digit, four rows of seven, for the three kinds of noise on the biases."""
    digit, seven = params.digit, answer.sweep.seven
    redrawn = found.redrawn[:, digit, params.person - 1]
    rest = np.concatenate([redrawn, found.invented[:, digit], found.generated[:, digit]])
    if not np.isfinite(rest).all():
        return array(np.full((3, 28, seven.shape[-1]), np.nan), "kind")
    every = [np.concatenate([one, rest]) for one in seven[:, :, digit].swapaxes(0, 1)]
    return in_bytes(np.stack(every), "kind")


def rival_panels(answer: Shown) -> list[Panel]:
    """Return the panels of the tab."""
    return [_pictures(answer), _taught(), _redrawn(), _seconds()]


def _pictures(answer: Shown) -> Panel:
    return Panel(
        key="rivals", kind="mosaic", shape=answer.problem.shape, range=(0.0, 1.0), tab=RIVALS_TAB,
        title="The same ε, four releases", tiles="rivals", columns=7, height=330, rows=_ROWS,
        captions=tuple(short(e) for e in PAPER_EPSILONS), depth=Depth.UNDERSTAND,
        caption="From left to right, less and less noise. In the first row ε is a claim. The second and third are "
        "redrawn and invented by a network that DP-SGD trained, the last is invented from noisy averages: there ε is "
        "proved for every picture that went in.",
        alt="The chosen digit at seven ε: with noise on biases ({kind}), redrawn and invented by a "
        "network trained by DP-SGD, and invented from noisy averages.",
    )  # fmt: skip


def _taught() -> Panel:
    return _panel(
        "taught", "What the releases teach",
        Axis(range=(0, 1), title="right on real digits", format=".0%"),
        "A classifier learns from what was published alone, then reads real digits. DP-SGD, [[clipping]] and noise "
        "in every step, spends a part of ε on the network and the rest on the digits that it invents.",
        [layers.HLine(at="real_taught", role="nonprivate", label="taught by real digits", label_short="real"),
         _claimed("bias_taught"), _network("network_taught"), _averages("generator_taught")],
    )  # fmt: skip


def _redrawn() -> Panel:
    return _panel(
        "redrawn", "How far off redrawn pictures are",
        Axis(range=(0, 0.25), title="mean squared error of a pixel"),
        "Pictures that no network has seen. ε limits what the private network tells about a picture that it learnt "
        "from, and does not hide the picture that is put into it. Noisy averages redraw no picture.",
        [layers.HLine(at="no_noise_error", role="nonprivate", label="no noise"),
         _claimed("bias_error"), _network("network_error")],
    )  # fmt: skip


def _seconds() -> Panel:
    return _panel(
        "seconds", "Time for one more ε",
        Axis(range=(1e-4, 1e3), title="seconds of one processor", log=True,
             ticks=(1e-3, 1e-1, 10.0, 1000.0), words=("0.001", "0.1", "10", "1000")),
        "Noise on the biases needs no new training, and the averages need none either. Only DP-SGD trains "
        "again for every ε. Measured when this was computed.",
        [layers.HLine(at="once_seconds", role="nonprivate", label="network without noise, trained once",
                      label_short="trained once"),
         _claimed("bias_seconds"), _network("network_seconds"), _averages("generator_seconds")],
    )  # fmt: skip


def _claimed(name: str) -> layers.Line:
    return layers.Line(x=SEVEN, y=name, role="danger", dash=True,
                       label="noise on the biases, ε claimed", label_short="biases, claimed")  # fmt: skip


def _network(name: str) -> layers.Line:
    return layers.Line(
        x=SEVEN, y=name, role="other", label="network by DP-SGD", label_short="DP-SGD"
    )


def _averages(name: str) -> layers.Line:
    return layers.Line(x=SEVEN, y=name, width=2.5, label="noisy averages", label_short="averages")


def _panel(key: str, title: str, y: Axis, caption: str, curves: list[layers.Layer]) -> Panel:
    return Panel(
        key=key, title=title, tab=RIVALS_TAB, height=330, depth=Depth.UNDERSTAND, y=y,
        x=seven_axis(), caption=caption,
        layers=[NOW, *curves],
    )  # fmt: skip


def seven_axis() -> Axis:
    """Return the axis of the seven ε."""
    return Axis(
        range=(0.7, 9.2), title="ε", log=True, ticks=tuple(SEVEN),
        words=tuple(short(e) for e in PAPER_EPSILONS),
    )  # fmt: skip
