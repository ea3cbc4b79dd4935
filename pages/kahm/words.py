"""Texts of the Affine hulls page: a summary sentence, guarantee, formulas, claims of Kumar et al., and downloads."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dpcore.datasets.own_table import status_of
from dpcore.experiments import kahm
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm import (
    STUDY_EPSILONS,
    KahmParams,
    RecordLevelBaseline,
    Study,
    StudyDataset,
)
from dpcore.experiments.kahm.params import STAGE_GRID
from dpcore.experiments.kahm.picture import N_DRAWS
from dpcore.experiments.kahm.study import KINDS, LEARNERS
from dpcore.guarantee import Guarantee
from dpcore.kahm.noise import amount
from pages.kahm import space_plots
from pages.kahm.figure import figure, guarantees
from pages.kahm.figure.picture import noise_to_signal, person_of
from pages.kahm.figure.table import mean
from pages.kahm.pipeline import measured, nearest
from ui.export import downloads, from_figure
from ui.frame import guarantee_card
from ui.frame.explanation import Explanation
from ui.live import Text
from ui.program import filled
from ui.runner import PageState
from ui.words import text
from ui.words.guarantees import on_page
from ui.words.numbers import is_certain, tex
from ui.words.odds import odds_sentence
from ui.words.protection import tells

__all__ = ["bundle", "claims", "meaning", "program", "stage_table", "study_table", "words"]

T = text.load_text(__file__)
_WIDE = 2.0  # from here on the smoothed points are spread far beyond the real ones
_SMALL = 0.02  # a difference of accuracy that five splits do not tell from none


def meaning(state: PageState[KahmParams]) -> Text:
    """Return the summary sentence at every ε and every position of the stage slider.

    The stages are the original, the noisy and the smoothed data.
    """
    picture = state["picture"]
    wide = np.broadcast_to(noise_to_signal(picture) > _WIDE, len(EPSILON_GRID))
    whose = person_of(state.params, picture).whose
    risks = [_risk(one, whose) for one in guarantees(state.params)]
    return Text(
        strings=[
            _stage_sentence(stage, state.params.rounds, risk, drowned=bool(at))
            for at, risk in zip(wide, risks, strict=True)
            for stage in STAGE_GRID
        ],
        dims=("epsilon", "stage"),
    )


def _risk(promised: Guarantee, whose: str) -> str:
    """Return the sentence on what one release may tell about a person."""
    if promised.status != "nominal" and is_certain(promised.odds()):
        return T("meaning.sure", whose=whose)
    return T("meaning.risk", tells=tells(promised, whose))


def _stage_sentence(stage: float, published: int, risk: str, *, drowned: bool) -> str:
    """Return the summary sentence at one position of the stage slider.

    ``published`` is the number of smoothing rounds after which the data are published. ``risk`` is the sentence on
    what one release may tell about a person. ``drowned`` says whether the noise hides the shape of the data.
    """
    stages = T.field("stage").words[:: STAGE_GRID.index(1.0)]
    low = int(stage)
    if stage != low:
        return T("meaning.between", start=stages[low], end=stages[low + 1])
    if low == 0:
        return T("meaning.original")
    if low == 1:
        return T("meaning.noisy_published", risk=risk) if published == 0 else T("meaning.noisy")
    if drowned:
        return T("meaning.drowned", risk=risk)
    rounds = low - 1
    if rounds == published:
        return T("meaning.invented_published", rounds=rounds, risk=risk)
    if published == 0:
        return T("meaning.invented_noisy_published", rounds=rounds)
    return T("meaning.invented", rounds=rounds, published=published)


def words(state: PageState[KahmParams]) -> Explanation:
    """Return the explanatory text below the figure, for the current parameters and results."""
    params, data = state.params, state.problem
    # The ε of one value is claimed and holds for one value: said in words of its own.
    privacy = replace(kahm.guarantee(params), claimed_epsilon=None)
    table = (params, data, state["study"], state["baseline"])
    return Explanation(
        shown="" if privacy.status == "nominal" else _shown(privacy),
        under_card=lambda: _under_card(params, data, privacy, state["baseline"]),
        formula=lambda: formula(params, data),
        claims=lambda: st.markdown(f"{T('words.claims.title')}\n\n\n{claims(*table)}"),
        checks={T("words.space.section"): lambda: space_plots.draw(params)},
        bundle=bundle(state, privacy),
        tasks=T("words.tasks"),
    )


def _under_card(
    params: KahmParams, data: StudyDataset, privacy: Guarantee, baseline: RecordLevelBaseline | None
) -> None:
    st.info(T("words.value", epsilon=params.epsilon, record=privacy.epsilon))
    _table_record(params, data, baseline)


def _shown(privacy: Guarantee) -> str:
    """Return a sentence with the total ε of all displayed noisy data."""
    n_draws = N_DRAWS + 1
    together = privacy.repeated(n_draws)
    return T(
        "words.shown",
        n_others=N_DRAWS,
        n_draws=n_draws,
        epsilon=together.epsilon,
        delta=together.delta,
    )


def _table_record(
    params: KahmParams, data: StudyDataset, baseline: RecordLevelBaseline | None
) -> None:
    whole = kahm.guarantee(
        params, data.n_features, estimated=data.estimated, unit=data.unit, public=data.public
    )
    sentences = [
        T("words.table.record", table=data.title, n_features=data.n_features, epsilon=whole.epsilon,
          delta=whole.delta),
        guarantee_card.badges(on_page(whole)),
        "" if baseline is None else _tight(params, baseline),
    ]  # fmt: skip
    with st.container(border=True):
        st.markdown(f"{' '.join(filter(None, sentences))}  \n{odds_sentence(whole)}")
        if data.estimated:
            st.markdown(T("words.table.estimated", status=status_of(data.estimated)))


def _tight(params: KahmParams, baseline: RecordLevelBaseline) -> str:
    """Return a sentence with the tight ε of a whole record at the chosen δ.

    If the δ of the noise is larger than the chosen δ, there is no such ε, and the sentence says so.
    """
    delta, epsilon = params.delta, baseline.tight_at(params.epsilon)
    if math.isinf(epsilon):
        return T("words.table.unknown", delta=delta)
    return T("words.table.tight", delta=delta, epsilon=epsilon)


def formula(params: KahmParams, data: StudyDataset) -> None:
    """Display the formulas of Kumar et al. with the current numbers, next to the correct ones."""
    e, atom = params.epsilon, params.atom
    size, steps = amount(e, atom), amount(e, atom, kind="staircase")
    st.markdown(T("words.formulas.title"))
    st.markdown(T("words.formulas.least"))
    st.latex(rf"E|v| = \frac{{(1-\delta)\,d}}{{\varepsilon}} = {tex(size)}")
    st.markdown(T("words.formulas.staircase", staircase=steps))
    st.markdown(T("words.formulas.value"))
    p = data.n_features
    st.latex(
        rf"p\,\varepsilon = 2\cdot {tex(e)} = {tex(2 * e)}\ \text{{(picture)}},\qquad {p}\cdot {tex(e)} = "
        rf"{tex(p * e)}\ \text{{(}}{_title(data)}\text{{)}}"
    )
    st.markdown(_atom(atom, data))
    st.markdown(T("words.formulas.machine"))
    st.latex(
        r"A(y)=\frac{\sum_i h_i(Py)\,y_i}{\sum_i h_i(Py)},\quad h(x)=(K+\lambda I)^{-1}k_X(x),\quad "
        rf"\lambda \approx {tex(params.ridge)}\,\overline{{y^2}}"
    )
    st.caption(T("words.formulas.bounded"))


def _title(data: StudyDataset) -> str:
    """Return the title of a data set as TeX, with × as an operator."""
    return r"\times ".join(f"\\text{{{part}}}" for part in data.title.split("×"))


def _atom(atom: float, data: StudyDataset) -> str:
    if atom == 0:
        return T("words.formulas.no_atom")
    return T(
        "words.formulas.atom", atom=atom, n_values=atom * data.X.size / 2, table=data.title,
        records=-math.expm1(data.n_features * math.log1p(-atom)), saved=atom,
    )  # fmt: skip


def claims(
    params: KahmParams,
    data: StudyDataset,
    study: Study | None,
    baseline: RecordLevelBaseline | None,
) -> str:
    """Return a table that compares the claims of Kumar et al. with our measurements at the nearest measured ε."""
    place = nearest(params)
    waits = T("words.claims.waits")
    cells = dict.fromkeys(("accuracy", "gains", "scores", "drops", "rival", "same"), waits)
    if study is not None and any(measured(params, study)):
        cells |= _learners(study, place) | _scores(study, place)
    if baseline is not None:
        cells["rival"] = T("words.claims.rival", central=mean(baseline.central)[4])
    if baseline is not None and study is not None and any(measured(params, study)):
        cells["same"] = T(
            "words.claims.same",
            central=mean(baseline.class_means)[place],
            invented=mean(study.accuracy)[place, 1, 0],
        )
    return T("words.claims.table", table=data.title, n_features=data.n_features, **cells)


def _learners(study: Study, place: int) -> dict[str, str]:
    noisy, invented = mean(study.accuracy)[place]
    own, *others = invented - noisy
    points = T("words.claims.points", gain=100 * own)
    gains = ", ".join(
        T("words.claims.gain", learner=name, gain=100 * gain)
        for name, gain in zip(LEARNERS[1:], others, strict=True)
    )
    useful = max(others) > _SMALL
    sentences = (
        T("words.claims.own_none" if abs(own) <= _SMALL else "words.claims.own", points=points),
        T("words.claims.others" if useful else "words.claims.others_little", gains=gains),
    )
    learners = [
        T("words.claims.learner", learner=name, noisy=before, invented=after)
        for name, before, after in zip(LEARNERS, noisy, invented, strict=True)
    ]
    return {
        "accuracy": T("words.claims.accuracy", epsilon=STUDY_EPSILONS[place], learners="; ".join(learners)),
        "gains": " ".join(sentences),
    }  # fmt: skip


def _scores(study: Study, place: int) -> dict[str, str]:
    ks, link = mean(study.scores)[place, :, 0], mean(study.link)[place]
    before, smooth = mean(study.scores_original)[0], mean(study.scores_smoothed)[0]
    links = link[1] < link[0] - _SMALL
    return {
        "scores": T(
            "words.claims.scores", original=before, smoothed=smooth, noisy=ks[0], invented=ks[1],
            chance=mean(study.null)[0], linked_noisy=link[0], linked_invented=link[1],
        ),
        "drops": T(
            "words.claims.drops_links" if links else "words.claims.drops",
            noise=before - ks[0], smoothing=before - smooth, after=ks[0] - ks[1],
        ),
    }  # fmt: skip


def bundle(state: PageState[KahmParams], guarantee: Guarantee) -> downloads.Bundle:
    """Return the files that a reader can download. Each file is computed when it is requested."""
    return from_figure.taken(
        figure,
        state,
        draws="stage",
        panels=("original", "error"),
        whole=("picture",),
        tables={"stage": stage_table, "measured": study_table},
        own_in_tabs=True,
        name="kahm",
        title=T("words.name", epsilon=state.params.epsilon),
        guarantee=guarantee,
        code=program,
    )


def stage_table(state: PageState[KahmParams]) -> pd.DataFrame:
    """Return the records at the displayed stage (original, noisy or smoothed), in the units of the data."""
    picture, stage = state["picture"], state.params.stage
    at = picture.epsilons.index(state.params.epsilon) if len(picture.epsilons) > 1 else 0
    low, part = int(stage), stage - int(stage)
    high = min(low + 1, picture.stages.shape[1] - 1)
    points = (1 - part) * picture.stages[at, low] + part * picture.stages[at, high]
    return pd.DataFrame({"points_x": points[:, 0], "points_y": points[:, 1], "labels": picture.y})


def study_table(state: PageState[KahmParams]) -> pd.DataFrame:
    """Return the measurements on a data table, one row per ε and kind of data.

    The table is empty until measurements exist.
    """
    study = state["study"]
    rows: list[dict[str, Any]] = []
    if study is None:
        return pd.DataFrame(rows)
    accuracy, scores, link = mean(study.accuracy), mean(study.scores), mean(study.link)
    for e, epsilon in enumerate(STUDY_EPSILONS):
        for k, kind in enumerate(KINDS):
            row: dict[str, Any] = {"epsilon_of_a_value": epsilon, "data": kind}
            row |= dict(zip(LEARNERS, accuracy[e, k], strict=True))
            row |= dict(zip(("ks", "auc", "tv", "kde_tv"), scores[e, k], strict=True))
            rows.append(row | {"linked": link[e, k]})
    return pd.DataFrame(rows)


def program(params: KahmParams) -> str:
    """Return the source code of the downloadable program, with the page's parameters filled in."""
    return filled(Path(__file__).with_name("program.py"), params=f"kahm.{params.to_code()}")
