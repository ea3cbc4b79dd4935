"""The figure of Affine hulls: the picture on top, in tabs what was measured on a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dpcore.experiments import kahm
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm import KahmParams, StudyDataset
from pages.kahm import figure_layers, figure_machine, figure_regions
from pages.kahm import figure_picture as picture
from pages.kahm import figure_study as tabs
from pages.kahm import figure_tables as tables
from pages.kahm.controls import CONTROLS
from pages.kahm.figure_picture_panels import panels as picture_panels
from pages.kahm.figure_previews import preview_arrays
from ui import live
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.frame.depth import Depth
from ui.live import Readout
from ui.words.numbers import short
from ui.words.odds_pictogram import people

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure", "odds"]


_COORDS = (
    picture.COORDS | tables.COORDS | figure_regions.COORDS | figure_machine.COORDS | figure_layers.COORDS
)  # fmt: skip


def figure(state: PageState[KahmParams]) -> live.Figure:
    """Return the live figure of what is known."""
    params, data = state.params, state.problem
    arrays = picture.arrays(params, state["picture"], state["draws"], state["neighbouring_runs"])
    arrays |= tables.arrays(
        data, state["baseline"], state["study"], state["parties"], state["holdings"]
    )
    arrays |= figure_regions.arrays(state["picture"], state["regions"])
    arrays |= figure_machine.arrays(state["machine"], state["fixed_point"])
    arrays |= figure_layers.arrays(state["picture"], state["layers"], state["space"])
    along, previews = preview_arrays(params, state.previews())
    arrays["exact"] = common.array(params.atom * data.X.size / 2)
    return live.Figure(
        controls=_controls(params),
        values=common.values(params),
        arrays=arrays | along,
        coords=_COORDS,
        previews=previews,
        panels=[
            *picture_panels(params, state["picture"], state["neighbouring_runs"]),
            *figure_regions.panels(state["picture"]),
            *figure_machine.panels(state["machine"]),
            *tabs.panels(params, data),
            *figure_layers.panels(),
        ],
        readouts=[
            *_readouts(params, data, measured=state["study"] is not None),
            *figure_regions.readouts(state["regions"]),
        ],
        texts=[
            odds(params),
        ],
        busy=state.busy,
    )


def _controls(params: KahmParams) -> list[live.Control]:
    return [*live_controls(CONTROLS, params), common.buttons()]


def odds(params: KahmParams) -> live.Text:
    """Return what every ε of a value means for a record of the picture, which has two."""
    told = [kahm.guarantee(params.but(epsilon=epsilon)) for epsilon in EPSILON_GRID]
    return people(
        told,
        before="A person has two values in this picture, and ε counts for each of them. ",
    )


def _readouts(params: KahmParams, data: StudyDataset, *, measured: bool) -> list[Readout]:
    found = [
        Readout(label="privacy parameter of one value", value="epsilon_now", format=".3g", note="ε, as you set it"),
        Readout(label="of a whole person", value="pure_picture", format=".3g", role="private",
                note="ε, for the two values of the picture"),
        Readout(label="the noise is", value="noise_to_signal", format=".2g",
                note="times as wide as the points are spread"),
        Readout(label="of one record of the table", value="pure_table", format=".3g", role="danger",
                note=f"ε, for {data.n_features} values", depth=Depth.UNDERSTAND),
        Readout(label="the same, with δ", value="tight_table", format=".3g", role="danger",
                note=f"ε at δ = {short(params.delta)}", depth=Depth.UNDERSTAND),
        Readout(label="modelling error", value="error_now", format=".2g", note="at the stage shown",
                depth=Depth.UNDERSTAND),
        Readout(label="one question brings back", value="distances", format="d",
                note="distances at most, and never a record", depth=Depth.UNDERSTAND),
    ]  # fmt: skip
    if measured:  # with the first tab that shows the table
        found += _measured(data)
    if params.stop == "paper":
        found.append(Readout(label="rounds by the printed rule", value="paper_rounds", format="d", role="danger",
                             note="read from the original data", depth=Depth.CHECK))  # fmt: skip
    if params.atom > 0:
        found.append(Readout(label="values published exactly", value="exact", format=".3g", role="danger",
                             note="expected, in the half released", depth=Depth.CHECK))  # fmt: skip
    return found


def _measured(data: StudyDataset) -> list[Readout]:
    """The numbers of the table, once it is measured."""
    found = [
        Readout(label="KAHM learns from invented data", value="fabricated_KAHM_now", format=".1%", role="private",
                note="right on other people", help=f"Measured on {data.title}, in 5 splits and draws. Between the "
                "measured ε the value is interpolated."),
        Readout(label="the method", value="method_price", format="points",
                note="against the best of three", help="KAHM on original data, minus the best of KAHM, "
                "1-NN and SVM on original data."),
        Readout(label="the noise", value="noise_price", format="points",
                note="invented data, against the original", help="Of KAHM's accuracy."),
        Readout(label="smoothing, for 1-NN", value="gain_NN", format="points", note="against noisy data"),
        Readout(label="smoothing, for KAHM", value="gain_KAHM", format="points", note="against noisy data"),
        Readout(label="an attacker gains (KS)", value="ks_fabricated_now", format=".2f",
                note="from invented data, by the threshold attack"),
    ]  # fmt: skip
    return [replace(readout, depth=Depth.UNDERSTAND) for readout in found]
