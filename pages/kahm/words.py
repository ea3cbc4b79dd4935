"""The words under the page Affine hulls: guarantee, formulas, what the document claims, tasks."""

from __future__ import annotations

import math
from dataclasses import replace

import streamlit as st

from dpcore.datasets.own_table import status_of
from dpcore.experiments import kahm
from dpcore.experiments.kahm import (
    STUDY_EPSILONS,
    KahmParams,
    RecordLevelBaseline,
    Study,
    StudyDataset,
)
from dpcore.experiments.kahm.draws import N_DRAWS
from dpcore.experiments.kahm.study import LEARNERS
from dpcore.guarantee import Guarantee
from dpcore.kahm.noise import amount
from pages.kahm import space_plots
from pages.kahm.exports import bundle
from pages.kahm.figure_tables import mean
from pages.kahm.pipeline import measured, nearest
from ui.frame import guarantee_card
from ui.frame.explanation import Explanation
from ui.runner import PageState
from ui.words.numbers import short, show, tex

__all__ = ["claims", "words"]


def words(state: PageState[KahmParams]) -> Explanation:
    """Return what stands under the figure."""
    params, data = state.params, state.problem
    # The ε of one value is claimed and holds for one value: said in words of its own.
    privacy = replace(kahm.guarantee(params), claimed_epsilon=None)
    return Explanation(
        shown="" if privacy.status == "nominal" else _shown(privacy),
        under_card=lambda: _under_card(params, data, privacy, state["baseline"]),
        formula=lambda: formula(params, data),
        claims=lambda: st.markdown(
            "## What Kumar, Moser and Fischer claim, and what we measured\n\n"
            + claims(params, data, state["study"], state["baseline"])
        ),
        checks={
            "Figure 2 in three dimensions, to turn with the mouse (Plotly)": lambda: (
                space_plots.draw(params)
            )
        },
        bundle=bundle(state, privacy),
        tasks=TASKS,
    )


def _under_card(
    params: KahmParams, data: StudyDataset, privacy: Guarantee, baseline: RecordLevelBaseline | None
) -> None:
    st.info(
        f"ε = {short(params.epsilon)} holds for **one value**. A record of the picture has two, and gets the "
        f"ε = {short(privacy.epsilon)} of this card."
    )
    _table_record(params, data, baseline)


def _shown(privacy: Guarantee) -> str:
    """What the noisy data that the page draws from cost together."""
    n_draws = N_DRAWS + 1
    together = privacy.repeated(n_draws)
    return (
        f"this page draws these noisy data and {N_DRAWS} others, each with noise of its own. {n_draws} releases "
        f"cost up to ε = **{short(together.epsilon)}** together, at δ = {short(together.delta)}. Publish one."
    )


def _table_record(
    params: KahmParams, data: StudyDataset, baseline: RecordLevelBaseline | None
) -> None:
    whole = kahm.guarantee(
        params, data.n_features, estimated=data.estimated, unit=data.unit, public=data.public
    )
    tight = ""
    if baseline is not None:
        tight = _tight(params, baseline)
    with st.container(border=True):
        st.markdown(
            f"**The same noise on {data.title}**: a record has {data.n_features} values, so it gets "
            f"ε = **{short(whole.epsilon)}**, δ = {short(whole.delta)}. "
            f"{guarantee_card.badges(guarantee_card.on_page(whole))}{tight}  \n"
            + guarantee_card.plain(whole)
        )
        if data.estimated:
            st.markdown(f":red[ε is {status_of(data.estimated)}. That leaks: nothing is proved.]")


def _tight(params: KahmParams, baseline: RecordLevelBaseline) -> str:
    """What the account gives at the reader's δ: no ε where the generator of the noise alone has a larger one."""
    delta, epsilon = params.delta, baseline.tight_at(params.epsilon)
    if math.isinf(epsilon):
        return (
            f" At δ = {short(delta)} no ε is known: the generator of the noise has a δ of its own, which for "
            "all values of a record together is larger."
        )
    return f" At δ = {short(delta)} its ε is **{short(epsilon)}** (tight)."


def formula(params: KahmParams, data: StudyDataset) -> None:
    """Draw the formulas with the numbers of now, beside those of the document."""
    e, atom = params.epsilon, params.atom
    size, steps = amount(e, atom), amount(e, atom, kind="staircase")
    st.markdown("## The formulas, with your numbers")
    st.markdown(
        "**Kumar, Moser and Fischer print** “the minimum possible noise” for (ε, δ) on one value"
    )
    st.latex(rf"E|v| = \frac{{(1-\delta)\,d}}{{\varepsilon}} = {tex(size)}")
    st.markdown(
        f"Its value is right: Laplace noise, and with probability δ none at all. It is **not the minimum**: "
        f"staircase noise of the same ε has E|v| = **{short(steps)}** (Geng and Viswanath 2014)."
    )
    st.markdown("**This ε is that of one value.** A record of p values gets")
    p = data.n_features
    st.latex(
        rf"p\,\varepsilon = 2\cdot {tex(e)} = {tex(2 * e)}\ \text{{(picture)}},\qquad {p}\cdot {tex(e)} = "
        rf"{tex(p * e)}\ \text{{(}}{_title(data)}\text{{)}}"
    )
    st.markdown(_atom(atom, data))
    st.markdown("**The machine** of a class answers with weights that sum to 1")
    st.latex(
        r"A(y)=\frac{\sum_i h_i(Py)\,y_i}{\sum_i h_i(Py)},\quad h(x)=(K+\lambda I)^{-1}k_X(x),\quad "
        rf"\lambda \approx {tex(params.ridge)}\,\overline{{y^2}}"
    )
    st.caption(
        "λ is the fixed point λ = τ + R(λ), R the training error: between τ and τ plus one mean square. "
        "Kumar, Moser and Fischer say that A is always bounded. With their λ that holds where the data are, not "
        "everywhere."
    )


def _title(data: StudyDataset) -> str:
    """The name of a table for a formula."""
    return r"\times ".join(f"\\text{{{part}}}" for part in data.title.split("×"))


def _atom(atom: float, data: StudyDataset) -> str:
    if atom == 0:
        return "Here δ₀ = 0: no value is published as it is. A larger δ₀ would hardly lessen the noise."
    row = -math.expm1(data.n_features * math.log1p(-atom))
    return (
        f":red[δ₀ = {short(atom)} publishes about {short(atom * data.X.size / 2)} values of {data.title} "
        f"(the half released) exactly as they are], in {show(row, '.1%')} of its records. It saves "
        f"{show(atom, '.3%')} of the noise."
    )


def claims(
    params: KahmParams,
    data: StudyDataset,
    study: Study | None,
    baseline: RecordLevelBaseline | None,
) -> str:
    """Return the claims of the document beside what was measured at the ε nearest to the handle."""
    place = nearest(params)
    cells = dict.fromkeys(("accuracy", "gains", "scores", "drops", "rival", "same"), _WAITS)
    if study is not None and any(measured(params, study)):
        cells |= _learners(study, place) | _scores(study, place)
    if baseline is not None:
        cells["rival"] = (
            f"at ε = 1 for a whole record a trusted curator's means reach {show(mean(baseline.central)[4], '.1%')}"
        )
    if baseline is not None and study is not None and any(measured(params, study)):
        made = mean(study.accuracy)[place, 1, 0]
        cells["same"] = (
            "Say the ε of a record. At the ε set now, a trusted curator's class means reach "
            f"{show(mean(baseline.beside)[place], '.1%')}, invented data {show(made, '.1%')} with KAHM"
        )
    return _CLAIMS.format(title=data.title, p=data.n_features, **cells)


_WAITS = "*measured once the tab Accuracy is open*"
_SMALL = 0.02  # a difference of accuracy that five splits do not tell from none


def _learners(study: Study, place: int) -> dict[str, str]:
    noisy, made = mean(study.accuracy)[place]
    own, *others = made - noisy
    if abs(own) <= _SMALL:
        first = f"Not for KAHM ({_points(own)}), which smooths by itself."
    else:
        first = f"For KAHM it is {_points(own)} here, though it smooths by itself."
    useful = max(others) > _SMALL
    rest = (
        "It makes the data usable for others" if useful else "For the others it changes little here"
    )
    gains = zip(LEARNERS[1:], others, strict=True)
    pairs = zip(LEARNERS, noisy, made, strict=True)
    return {
        "accuracy": f"ε = {show(STUDY_EPSILONS[place], '.6g')} a value: "
        + "; ".join(f"{name} {show(a, '.1%')} → {show(b, '.1%')}" for name, a, b in pairs),
        "gains": f"{first} {rest}: {', '.join(f'{name} {_points(gain)}' for name, gain in gains)}",
    }


def _points(gain: float) -> str:
    return f"{show(100 * gain, '+.1f')} points"


def _scores(study: Study, place: int) -> dict[str, str]:
    ks, link = mean(study.scores)[place, :, 0], mean(study.link)[place]
    before, smooth = mean(study.scores_original)[0], mean(study.scores_smoothed)[0]
    return {
        "scores": f"KS: original {show(before, '.2f')}; smoothed without noise {show(smooth, '.2f')}; "
        f"noisy {show(ks[0], '.2f')}; "
        f"invented {show(ks[1], '.2f')}; by chance {show(mean(study.null)[0], '.2f')}. Linked rows: "
        f"{show(link[0], '.0%')} → "
        f"{show(link[1], '.0%')}",
        "drops": f"The noise takes {show(before - ks[0], '.2f')} off, smoothing alone "
        f"{show(before - smooth, '.2f')}, smoothing after the noise {show(ks[0] - ks[1], '.2f')}"
        + (
            "; what it does lower is how many rows can be linked"
            if link[1] < link[0] - _SMALL
            else ""
        ),
    }


_CLAIMS = """
| they write | measured on {title} | what to make of it |
|---|---|---|
| Smoothing mitigates the loss of utility | {accuracy} (noisy → invented) | {gains} |
| Fabrication lowers the membership score | {scores} | {drops} |
| Smooth until the error is that of the original data | see where *the printed rule stops* in *Modelling error* | \
The rule reads the original data: a second look, which no ε accounts for. A fixed T costs no privacy |
| (ε, δ) for the data | ε for one of {p} values of a record; {rival} | {same} |
| δ > 0 lessens the noise | by the factor 1 − δ | and publishes exact values: take δ₀ = 0 |
| Distances hide members | the scores above | A low score is no proof: it is one attack that failed |
| Experiments on MNIST, Freiburg groceries and biomedical data | MNIST is among the tables, where the server \
has it: 2000 of its pictures | The pictures of groceries are not part of this app, and the biomedical data are not \
public: neither result can be repeated here |
"""


TASKS = """
1. **Does the shape survive?** Play the stages at ε = 8. Then drag ε to the left until the moons are gone. What is the
   ε of a *whole person* there?
2. **A curve or a surface.** At *Understand*, set n = 1. The image becomes a curve. Does it follow the arms of the
   spirals, and at which ε does it stop?
3. **Whom does smoothing help?** In the tab *Accuracy*, find the ε at which invented data gain most for the nearest
   neighbour. What do they gain for KAHM there?
4. **Noise or smoothing?** In *What an attacker gains*, compare the line *smoothed, no noise* with the others. Which
   of the two protects members? Which protects rows from being linked?
5. **The same ε for a person.** In *A record's ε*, read what a trusted curator reaches at ε = 1. Which ε do the
   invented data need for that?
6. **Outside of the proof.** At *Check the papers*, choose the printed stopping rule, or δ₀ = 0.01, and read the card.
"""
