"""The figure of Affine hulls: the picture on top, in tabs what was measured on a table."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dpcore.experiments.kahm import KahmParams, StudyDataset
from dpcore.kahm.guarantee import record_guarantee
from pages.kahm import figure_picture as picture
from pages.kahm import figure_study as tabs
from pages.kahm import figure_tables as tables
from pages.kahm.controls import CONTROLS
from pages.kahm.figure_picture_panels import panels as picture_panels
from pages.kahm.figure_previews import preview_arrays
from ui import live
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.live import Readout
from ui.odds import odds_sentence

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure", "odds"]


def figure(state: PageState[KahmParams]) -> live.Figure:
    """Return the live figure of what is known."""
    params, data = state.params, state.problem
    arrays = picture.arrays(params, state["picture"], state["draws"], state["neighbouring_runs"])
    arrays |= tables.arrays(
        data, state["baseline"], state["study"], state["parties"], state["holdings"]
    )
    along, previews = preview_arrays(params, state.previews())
    arrays["exact"] = common.array(params.atom * data.X.size / 2)
    return live.Figure(
        controls=_controls(params),
        values=common.values(params),
        arrays=arrays | along,
        coords=picture.COORDS | tables.COORDS,
        previews=previews,
        panels=[
            *picture_panels(params, state["picture"], state["neighbouring_runs"]),
            *tabs.panels(params, data),
        ],
        readouts=_readouts(params, data, measured=state["study"] is not None),
        texts=[
            live.Text(strings=picture.stage_words(), dims=("stage",)),
            live.Text(strings=odds(params, data), dims=("epsilon",)),
            live.Text(strings=tables.travels(data), dims=("n_parties",)),
        ],
        busy=state.busy,
    )


def _controls(params: KahmParams) -> list[live.Control]:
    return [*live_controls(CONTROLS, params), common.buttons()]


def odds(params: KahmParams, data: StudyDataset) -> list[str]:
    """Return what every ε of a value means for a value and for a record, in words."""
    return list(_odds(params.atom, params.noise, data.title, data.n_features))


@lru_cache(maxsize=64)
def _odds(atom: float, noise: str, title: str, p: int) -> tuple[str, ...]:
    found = []
    for e in common.EPSILONS:
        privacy = record_guarantee(e, atom, 2, kind=noise)
        told: dict[str, Any] = {"tail": privacy.delta, "neighbouring": privacy.neighbouring}
        found.append(
            f"ε = {e:g} for one value is ε = {2 * e:g} for a record of the picture (2 values) and "
            f"{p * e:g} for a record of {title} ({p} values). "
            f"Picture: {odds_sentence(privacy.epsilon, privacy.delta, **told)}"
        )
    return tuple(found)


def _readouts(params: KahmParams, data: StudyDataset, *, measured: bool) -> list[Readout]:
    found = [
        Readout(label="ε of one value", value="epsilon_now", format=".3g", note="the slider"),
        Readout(label="ε of a record, picture", value="pure_picture", format=".3g",
                note="2 values: 2ε", role="private"),
        Readout(label="ε of a record, table", value="pure_table", format=".4g", role="danger",
                note=f"{data.n_features} values, for certain"),
        Readout(label="the same at δ", value="tight_table", format=".4g", role="danger",
                note=f"δ = {params.delta:g}, tight"),
        Readout(label="noise / spread", value="noise_to_signal", format=".2g", note="of the picture"),
        Readout(label="modelling error", value="error_now", format=".2g", note="at the stage shown"),
    ]  # fmt: skip
    if measured:  # with the first tab that shows the table
        found += [
            Readout(label="KAHM, fabricated", value="fabricated_KAHM_now", format=".1%", role="private",
                    note="accuracy on others", help=f"Measured on {data.title}, 5 splits and draws; in "
                    "between the measured ε the value is interpolated."),
            Readout(label="the method", value="method_price", format="points",
                    note="against the best learner", help="KAHM on original data minus the best of KAHM, "
                    "1-NN and SVM on original data."),
            Readout(label="the noise", value="noise_price", format="points",
                    note="fabricated − original", help="Of KAHM's accuracy."),
            Readout(label="smoothing, for 1-NN", value="gain_NN", format="points",
                    note="fabricated − noisy"),
            Readout(label="smoothing, for KAHM", value="gain_KAHM", format="points", note="fabricated − noisy"),
            Readout(label="spy's gain (KS)", value="ks_fabricated_now", format=".2f",
                    note="see chance in the tab"),
        ]  # fmt: skip
    if params.stop == "paper":
        found.append(Readout(label="the paper's rounds", value="paper_rounds", format="d", role="danger",
                             note="read from the original"))  # fmt: skip
    if params.atom > 0:
        found.append(Readout(label="values published exactly", value="exact", format=".3g", role="danger",
                             note="expected, in the half released"))  # fmt: skip
    return found
