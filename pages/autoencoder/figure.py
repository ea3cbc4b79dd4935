"""The figure of the page Autoencoder: pictures and what attackers make of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams
from pages.autoencoder.controls import CONTROLS
from pages.autoencoder.figure_arrays import COORDS, arrays
from pages.autoencoder.figure_panels import panels
from pages.autoencoder.figure_previews import preview_arrays
from pages.autoencoder.figure_words import audited, pair_odds, real_odds
from pages.autoencoder.shown import Shown, shown
from ui import live
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.frame.depth import Depth
from ui.live import Readout
from ui.words.numbers import show

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]

_ASIDE = ("kind", "digit", "draws", "other", "trained_on")  # of noise on the biases only


def figure(state: PageState[AutoencoderParams]) -> live.Figure:
    """Return the live figure of what is known.

    Other pictures than those asked for are shown while these are still being prepared.
    """
    params, asked, found = state.params, state.asked or state.params, shown(state)
    along, previews = preview_arrays(params, found.previews)
    made = arrays(params, found) | along
    return live.Figure(
        controls=_controls(asked),
        values=common.values(asked),
        arrays=made,
        previews=previews,
        coords={} if params.real else COORDS,
        panels=panels(params, found, made),
        readouts=_readouts(params, found),
        texts=_odds(params, found),
        busy=state.busy,
    )


def _controls(params: AutoencoderParams) -> list[live.Control]:
    """The controls; those of noise on the biases alone are hidden beside the generator."""
    found = [*live_controls(CONTROLS, params), common.buttons()]
    if not params.real:
        return found
    return [
        replace(c, hidden=True) if c.name in _ASIDE
        else replace(c, label="privacy parameter", ends=("more private", "less private"))
        if isinstance(c, live.Slider) and c.name == "epsilon" else c
        for c in found
    ]  # fmt: skip


def _readouts(params: AutoencoderParams, answer: Shown) -> list[Readout]:
    """Which pictures attackers find and what the picture lost; then the same in more detail."""
    if params.real:
        return _real_readouts(answer)
    size = show(len(answer.problem.everyone), "d")
    return [
        Readout(label="comparing by eye finds", value="alone_now", format="in 100", role="private",
                note=f"pictures, one at a time; the list has {size}"),
        Readout(label="whoever has the network finds", value="cancelled_now", format="in 100", role="danger",
                note="pictures, when 100 share one noise",
                help="The noise is the same in all pictures of a release. Whoever has the network can work it out "
                "and take it away."),
        Readout(label="the picture is off by", value="off", format=".0%", note="per pixel, typically",
                help="The root of the mean squared error over 30 releases. The step from white to black is "
                "100 %."),
        *_more_readouts(size),
    ]  # fmt: skip


def _more_readouts(size: str) -> list[Readout]:
    return [
        Readout(label="true ε of these two", value="true_epsilon", role="danger", depth=Depth.UNDERSTAND,
                note="as their releases tell them apart"),
        Readout(label="found with the network", value="informed_now", format=".0%", depth=Depth.UNDERSTAND,
                note=f"one picture, of {size}"),
        Readout(label="found in a batch", value="batch_now", format=".0%", role="private",
                depth=Depth.UNDERSTAND, note="of 100, by eye"),
        Readout(label="found from k releases", value="averages_now", format=".0%", depth=Depth.UNDERSTAND,
                note="by eye, from their mean"),
        Readout(label="members told from others", value="area_now", format=".0%", depth=Depth.UNDERSTAND,
                note="of pairs; guessing: 50 %"),
        Readout(label="the method", value="method_error", format="cost", depth=Depth.UNDERSTAND,
                note="of squared error, without noise"),
        Readout(label="the noise", value="noise_error", format="cost", depth=Depth.UNDERSTAND,
                note="of squared error more, over 30 releases"),
    ]  # fmt: skip


def _real_readouts(answer: Shown) -> list[Readout]:
    taught = [
        Readout(label="invented digits teach", value="useful", format="in 100", role="private",
                note="real digits are then read right"),
        Readout(label="real digits teach", value="taught_real", format="in 100", note="without privacy"),
        Readout(label="the method", value="method_price", format="points", depth=Depth.UNDERSTAND,
                note="averages, no noise"),
        Readout(label="the noise", value="noise_price", format="points", depth=Depth.UNDERSTAND,
                note="on top of it"),
        Readout(label="picture / noise", value="ratio", format=".3g", depth=Depth.UNDERSTAND,
                note="the worst picture", help="How far the worst picture moves the released averages, divided "
                "by the standard deviation of their noise."),
    ]  # fmt: skip
    return [
        Readout(label="one release costs", value="epsilon_now", role="private", note="ε, proved"),
        *(taught if answer.synthetic else []),
        Readout(label="an attack shows ε ≥", value="demonstrated", role="danger", depth=Depth.UNDERSTAND,
                note=f"{show(autoencoder.CONFIDENCE, '.0%')} sure"),
    ]  # fmt: skip


def _odds(params: AutoencoderParams, answer: Shown) -> list[live.Text]:
    """The odds for every ε and kind; of the generator also what an attack has demonstrated."""
    if params.real:
        promised = autoencoder.guarantees(params, answer.problem)
        tried = [audited(answer.audit, promised)] if answer.audit else []
        return [real_odds(params, answer.problem), *tried]
    return [pair_odds(params, answer)]
