"""The affine hull page around its picture: the lab, and the words under it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import streamlit as st

from dpcore.experiments import kahm
from dpcore.experiments.kahm import KahmParams, Material
from dpcore.experiments.kahm.draws import N_DRAWS
from dpcore.kahm.promise import record_promise
from pages.kahm import figure, words
from pages.kahm import figure_study as tabs
from pages.kahm import figure_tables as tables
from pages.kahm import pipeline as compute
from pages.kahm.figure_lines import line_arrays
from ui import export, guarantee, live, shell, uploads
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.live import Readout
from ui.odds import odds_sentence

__all__ = ["act", "drawn", "explain", "lab", "miniature", "news", "own_data"]

_HIDDEN = ("person_dx", "person_dy")


def lab(params: KahmParams, dragging: bool) -> live.Figure:
    """Return the lab for the best answer there is."""
    data, problem = compute.material_of(params)
    if problem:
        shell.problems([problem])
    found = compute.answer(data, params, dragging=dragging)
    if found.error:
        shell.problems([found.error])
    return drawn(params, data, found)


def drawn(params: KahmParams, data: Material, found: compute.Answer) -> live.Figure:
    """Return the lab of an answer."""
    arrays = figure.arrays(params, found.picture, found.draws, found.worlds)
    arrays |= tables.arrays(data, found.sober, found.study, found.parties, found.holdings)
    along, previews = line_arrays(params, found.lines)
    arrays |= along
    arrays["exact"] = common.array(params.atom * data.X.size / 2)
    return live.Figure(
        controls=_controls(params),
        values=common.values(params),
        arrays=arrays,
        coords=figure.COORDS | tables.COORDS,
        previews=previews,
        panels=[
            *figure.panels(params, found.picture, found.worlds),
            *tabs.panels(params, data),
        ],
        readouts=readouts(params, data),
        texts=[
            live.Text(strings=figure.stage_words(), dims=("stage",)),
            live.Text(strings=odds(params, data), dims=("epsilon",)),
            live.Text(strings=tables.travels(data), dims=("n_parties",)),
        ],
        busy=live.Busy(progress=found.progress, text=found.text) if found.busy else None,
    )


def _controls(params: KahmParams) -> list[Any]:
    asked = live_controls(params, hide=(*_HIDDEN, "stage"))
    hidden = common.hidden(params, *_HIDDEN, mode="local")
    return [asked[0], figure.stage_slider(), *asked[1:], *hidden, common.buttons()]


def odds(params: KahmParams, data: Material) -> list[str]:
    """Return what every ε of a value means for a value and for a record, in words."""
    return list(_odds(params.atom, params.noise, data.title, data.n_features))


@lru_cache(maxsize=64)
def _odds(atom: float, noise: str, title: str, p: int) -> tuple[str, ...]:
    found = []
    for e in common.EPSILONS:
        promise = record_promise(e, atom, 2, kind=noise)
        told: dict[str, Any] = {"tail": promise.delta, "neighbouring": promise.neighbouring}
        found.append(
            f"ε = {e:g} for one value is ε = {2 * e:g} for a record of the picture (2 values) and "
            f"{p * e:g} for a record of {title} ({p} values). "
            f"Picture: {odds_sentence(promise.epsilon, promise.delta, **told)}"
        )
    return tuple(found)


def readouts(params: KahmParams, data: Material) -> list[Readout]:
    """Return the numbers under the figure."""
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


def act(action: str, params: KahmParams) -> KahmParams:
    """Answer the page's own button: stop the work."""
    if action == "cancel":
        compute.cancel(params)
    return params


def news(params: KahmParams) -> tuple[bool, ...]:
    """Return which of the results that the words tell of are there."""
    known = compute.known(params)
    study = known["study"]
    splits = [] if study is None else words.measured(params, study)
    return known["sober"] is not None, *splits


def _shown(epsilon: float) -> str:
    """What the noisy data that the page draws from cost together."""
    n_draws = N_DRAWS + 1
    return (
        f"this page draws these noisy data and {N_DRAWS} others, each with noise of its own. {n_draws} releases "
        f"at this ε cost up to ε = **{n_draws * epsilon:.4g}** together, and {n_draws} times the δ. Publish one."
    )


def miniature() -> live.Figure:
    """Return the figure of the first settings, before any other draw of the noise is known."""
    params = KahmParams()
    data, _ = compute.material_of(params)
    return drawn(params, data, compute.still(params))


def explain(params: KahmParams) -> None:
    """Draw what stands under the figure: guarantee, formulas, claims, code, exports, tasks."""
    data, _ = compute.material_of(params)
    known = compute.known(params)
    promise = kahm.guarantee(params)
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        # The ε of one value is claimed and holds for one value: said here in words of its own.
        shown = "" if promise.status == "nominal" else _shown(promise.epsilon)
        guarantee.card(replace(promise, claimed_epsilon=None), shown=shown)
        st.info(
            f"ε = {params.epsilon:g} holds for **one value**. A record of the picture has two, and gets the "
            f"ε = {promise.epsilon:g} of this card."
        )
        _table_record(params, data, known["sober"])
    with right:
        words.formula(params, data)
    st.markdown("#### What the document claims, and what we measured")
    st.markdown(words.claims(params, data, known["study"], known["sober"]))
    with st.expander("Code: the call that reproduces this figure"):
        export.show_code(kahm.code(params))
    with st.expander("Take it along: link, data, figure, report, notebook"):
        export.take_along(_bundle(params, data, promise))
    with st.expander("Try this"):
        st.markdown(words.TASKS)


def _table_record(params: KahmParams, data: Material, sober: kahm.Sober | None) -> None:
    whole = kahm.guarantee(params, data.n_features, estimated=data.estimated)
    tight = ""
    if sober is not None:
        tight = f" With δ = {params.delta:g} it is ε = **{sober.tight_at(params.epsilon):.4g}** (tight)."
    with st.container(border=True):
        st.markdown(
            f"**The same noise on {data.title}**: a record has {data.n_features} values, so it gets "
            f"ε = **{whole.epsilon:.4g}**, δ = {whole.delta:.3g}. "
            f"{guarantee.badges(guarantee.on_page(whole))}{tight}  \n" + guarantee.plain(whole)
        )
        if data.estimated:
            st.markdown(
                ":red[The box was estimated from these records. That leaks: nothing is proved.]"
            )


def _bundle(params: KahmParams, data: Material, promise: Any) -> export.Bundle:
    return export.Bundle(
        name="kahm",
        title=f"Fabricated data, ε = {params.epsilon:g} for one value",
        params=params,
        guarantee=promise,
        code=kahm.code,
        figure=lambda: words.picture_figure(params),
        tables={
            "records": lambda: words.records_table(params),
            "errors": lambda: words.error_table(params),
            "measured": lambda: words.study_table(compute.known(params)["study"]),
        },
        facts=lambda: words.facts(params, data, compute.known(params)),
    )


def own_data() -> None:
    """Draw the place where a person gives their own table."""
    uploads.classification_csv("own_data", "kahm", "table")
