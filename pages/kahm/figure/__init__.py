"""Interactive figure of the Affine hulls page: data in the plane, and tabs with measurements on a data table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dpcore.experiments import kahm
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm import KahmParams, Picture, StudyDataset
from dpcore.guarantee import Guarantee
from pages.kahm.controls import CONTROLS
from pages.kahm.figure import layers, machine, picture, regions, table
from ui import live
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.figure_kit.odds_pictogram import people
from ui.figure_kit.preview import Previews, instead_of, stack_previews
from ui.live import Readout
from ui.live.depth import Depth
from ui.words import text

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure", "guarantees", "odds"]

T = text.load_text(__file__)
_COORDS = picture.COORDS | table.COORDS | regions.COORDS | machine.COORDS | layers.COORDS
_TOGETHER = [f"{who}{what}" for who in ("together", "alone") for what in ("", "_clean", "_now")]
_ENDS = ("end_here", "end_there")


def figure(state: PageState[KahmParams]) -> live.Figure:
    """Return the interactive figure of the results available for the current parameters."""
    params, data = state.params, state.problem
    arrays = picture.arrays(params, state["picture"], state["draws"], state["neighbouring_runs"])
    promised = guarantees(params)
    person = picture.person_of(params, state["picture"])
    outcomes, stepping = picture.stepped(params, person, state["outcomes"], promised)
    arrays |= outcomes
    replaced = (person, promised[0]) if stepping else None
    arrays |= table.arrays(
        data, state["baseline"], state["study"], state["parties"], state["holdings"]
    )
    arrays |= regions.arrays(state["picture"], state["regions"])
    arrays |= machine.arrays(state["machine"], state["fixed_point"])
    arrays |= layers.arrays(state["picture"], state["layers"], state["space"])
    along, previews = _preview_arrays(params, state.previews())
    arrays["exact"] = common.array(params.atom * data.X.size / 2)
    return live.Figure(
        controls=_controls(params),
        values=common.values(params),
        arrays=arrays | along,
        coords=_COORDS,
        previews=previews,
        panels=[
            *picture.panels(params, state["picture"], state["neighbouring_runs"], replaced),
            *regions.panels(state["picture"]),
            *machine.panels(state["machine"]),
            *table.panels(params, data),
            *layers.panels(),
        ],
        readouts=[
            *_readouts(params, data, measured=state["study"] is not None),
            *regions.readouts(state["regions"]),
        ],
        texts=[odds(promised, person.whose)],
        breathing=stepping,
        busy=state.busy,
    )


def _controls(params: KahmParams) -> list[live.Control]:
    return [*live_controls(CONTROLS, params), common.buttons()]


def guarantees(params: KahmParams) -> list[Guarantee]:
    """Return, for every ε, the guarantee for one record of the data in the plane.

    A record has two values. Separate noise is added to each value, with this ε per value.
    """
    return [kahm.guarantee(params.but(epsilon=epsilon)) for epsilon in EPSILON_GRID]


def odds(promised: Sequence[Guarantee], whose: str = "") -> live.Text:
    """Return the sentences on an attacker's odds about one record, for every ε.

    ``promised`` are the guarantees at every ε. ``whose`` names the person of the record.
    """
    return people(promised, before=T("odds.before"), condition=T("odds.condition"), whose=whose)


def _preview_arrays(params: KahmParams, pictures: Mapping[str, Sequence[Picture]]) -> Previews:
    """Return the arrays that are drawn while a slider moves and, for each slider, which arrays they replace.

    Arrays without a replacement are hidden while the slider moves. The slider ``skew`` sets how unequally the
    parties share the data; it hides only the measurements with several parties.
    """
    drawn_ahead, gone = {}, list(_ENDS)
    for name, along in pictures.items():
        first, epsilon = along[0], params.epsilon
        between = np.interp(np.log(epsilon), np.log(first.nodes), np.arange(len(first.nodes)))
        places = {"i": first.epsilons.index(epsilon), "f": float(between)}
        drawn_ahead[name] = stack_previews(name, [picture.of_picture(one) for one in along], places)
        gone += [f"{what}{c}_{axis}" for what in ("draws", "middle")
                 for c in range(first.nets.shape[2]) for axis in "xy"]  # fmt: skip
    arrays, previews = instead_of(drawn_ahead, gone)
    return arrays, {"skew": dict.fromkeys(_TOGETHER, ""), **previews}


def _readouts(params: KahmParams, data: StudyDataset, *, measured: bool) -> list[Readout]:
    shown = [
        Readout(value="epsilon_now", about="private", format=".3g", depth=Depth.UNDERSTAND),
        Readout(value="pure_picture", about="private", format=".3g", role="private"),
        Readout(value="noise_to_signal", format=".2g"),
        Readout(value="at_edge", format="d"),
        Readout(
            value="pure_table", about="private", format=".3g", role="danger", depth=Depth.UNDERSTAND
        ),
        Readout(
            value="tight_table",
            about="private",
            format=".3g",
            role="danger",
            depth=Depth.UNDERSTAND,
        ),
        Readout(value="error_now", format=".2g", depth=Depth.UNDERSTAND),
        Readout(value="distances", format="d", depth=Depth.UNDERSTAND),
    ]
    if measured:  # with the first tab that shows the table
        shown += _measured()
    if params.stop == "paper":
        shown.append(Readout(value="paper_rounds", format="d", role="danger", depth=Depth.CHECK))
    if params.atom > 0:
        shown.append(
            Readout(value="exact", about="private", format=".3g", role="danger", depth=Depth.CHECK)
        )
    return [
        T.readout(
            one,
            n_features=data.n_features,
            delta=params.delta,
            table=data.title,
            n_people=params.n_records,
        )
        for one in shown
    ]


def _measured() -> list[Readout]:
    """Return the readouts (labelled numbers) of the measurements on a data table."""
    shown = [
        Readout(value="fabricated_KAHM_now", format=".1%", role="private"),
        Readout(value="method_price", format="points"),
        Readout(value="noise_price", format="points"),
        Readout(value="gain_NN", format="points"),
        Readout(value="gain_KAHM", format="points"),
        Readout(value="ks_fabricated_now", format=".2f"),
    ]
    return [replace(readout, depth=Depth.UNDERSTAND) for readout in shown]
