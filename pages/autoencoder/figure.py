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
from pages.autoencoder.figure_words import audited, measured, pair_odds, real_odds
from pages.autoencoder.shown import Shown, shown
from ui import live
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.live import Readout

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]

_ASIDE = ("kind", "digit", "draws", "other", "trained_on")  # the paper's method only


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
    """The controls; those of the paper's method alone are hidden beside the generator."""
    found = [*live_controls(CONTROLS, params), common.buttons()]
    if not params.real:
        return found
    return [
        replace(c, hidden=True) if c.name in _ASIDE
        else replace(c, label="privacy loss", ends=("more private", "less private"))
        if isinstance(c, live.Slider) and c.name == "epsilon" else c
        for c in found
    ]  # fmt: skip


def _readouts(params: AutoencoderParams, answer: Shown) -> list[Readout]:
    """Three gauges, then what the picture lost."""
    if params.real:
        return _real_readouts(answer)
    size = f"{len(answer.problem.everyone):,}"
    found_again = [
        Readout(label="found again alone", value="alone_now", format=".0%", role="private",
                note=f"by look, of {size}"),
        Readout(label="… knows the network", value="informed_now", format=".0%",
                note=f"of {size}"),
        Readout(label="found in a batch", value="batch_now", format=".0%", role="private",
                note="of 100, by look"),
        Readout(label="… knows the network", value="cancelled_now", format=".0%",
                role="danger", note="noise cancelled"),
        Readout(label="found from k draws", value="averages_now", format=".0%",
                note="their mean, by look"),
    ]  # fmt: skip
    return [
        Readout(label="true ε, these two", value="true_epsilon", role="danger",
                note="by their releases"),
        *(found_again if answer.attacks else []),  # with the tab of the attackers
        Readout(label="the method", value="method_error", format="cost",
                note="of squared error, no noise"),
        Readout(label="the noise", value="noise_error", format="cost",
                note="of it on top, 30 draws"),
    ]  # fmt: skip


def _real_readouts(answer: Shown) -> list[Readout]:
    first = [
        Readout(label="ε", value="epsilon_now", role="private", note="proved, at δ"),
        Readout(label="an attack shows ε ≥", value="demonstrated", role="danger",
                note=f"{autoencoder.CONFIDENCE:.0%} sure"),
    ]  # fmt: skip
    if answer.synthetic is None:
        return first
    return [
        *first,
        Readout(label="taught by invented", value="useful", format=".1%", role="private",
                note="right on real digits"),
        Readout(label="taught by real ones", value="taught_real", format=".1%",
                note="without privacy"),
        Readout(label="the method", value="method_price", format="points",
                note="averages, no noise"),
        Readout(label="the noise", value="noise_price", format="points", note="on top of it"),
        Readout(label="person ÷ noise", value="ratio", format=".3g", note="the worst person"),
    ]  # fmt: skip


def _odds(params: AutoencoderParams, answer: Shown) -> list[live.Text]:
    """The odds, and what attackers measured, for every ε and kind."""
    if params.real:
        return [real_odds(params), audited(answer)]
    found = [measured(params, answer)] if answer.attacks else []
    return [pair_odds(params, answer), *found]
